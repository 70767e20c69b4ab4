// A bordered part of a page with a heading and its actions.
import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { text } from '../texts/shell.ts'
import classes from './Card.module.css'
import { useLate } from './use-late.ts'

interface CardProps {
  readonly title: string
  /** Beside the title, such as a count. */
  readonly aside?: ReactNode
  readonly actions?: ReactNode
  readonly id?: string
  /** The content reaches to the border, as tables do. */
  readonly isFlush?: boolean
  /** True while a new choice is being read: the card shows the previous one. */
  readonly isOutdated?: boolean
  readonly children: ReactNode
}

export function Card({ title, aside, actions, id, isFlush = false, isOutdated = false, children }: CardProps) {
  const isLate = useLate(isOutdated)
  return (
    <section
      className={classes.card}
      id={id}
      data-flush={isFlush || undefined}
      data-outdated={isLate || undefined}
      aria-label={title}
      aria-busy={isOutdated}
    >
      <Group className={classes.head} justify="space-between" gap="xs">
        <Group gap={8} miw={0} wrap="nowrap">
          <Title order={2} className="cut">
            {title}
          </Title>
          {isLate ? (
            <Text size="sm" c="dimmed" role="status">
              {text.loading}
            </Text>
          ) : (
            aside !== undefined && (
              <Text size="sm" c="dimmed">
                {aside}
              </Text>
            )
          )}
        </Group>
        {actions && (
          <Group gap="xs" wrap="nowrap">
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </section>
  )
}
