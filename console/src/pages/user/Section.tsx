// A section of the user's own page: its purpose at the side, its form in a card.
import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Section.module.css'

export function Section({
  id,
  title,
  hint,
  aside,
  children,
}: {
  /** Where links lead to it. */
  id?: string
  title: string
  hint: string
  /** Shown below the hint. */
  aside?: ReactNode
  children: ReactNode
}) {
  return (
    <section id={id} className={classes.section}>
      <div>
        <Title order={2}>{title}</Title>
        <Text size="sm" c="dimmed" mt={4}>
          {hint}
        </Text>
        {aside}
      </div>
      <div className={classes.card}>{children}</div>
    </section>
  )
}
