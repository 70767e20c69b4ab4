// A bordered part of a page with a heading and its actions.
import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Card.module.css'

interface CardProps {
  readonly title: string
  /** Beside the title, such as a count. */
  readonly aside?: ReactNode
  readonly actions?: ReactNode
  readonly id?: string
  /** The content reaches to the border, as tables do. */
  readonly isFlush?: boolean
  readonly children: ReactNode
}

export function Card({ title, aside, actions, id, isFlush = false, children }: CardProps) {
  return (
    <section className={classes.card} id={id} data-flush={isFlush || undefined} aria-label={title}>
      <Group className={classes.head} justify="space-between" gap="xs">
        <Group gap={8} miw={0} wrap="nowrap">
          <Title order={2} className="cut">
            {title}
          </Title>
          {aside !== undefined && (
            <Text size="sm" c="dimmed">
              {aside}
            </Text>
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
