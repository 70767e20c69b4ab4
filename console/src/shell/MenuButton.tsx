// What opens one of the two menus of the navigation: a mark, a name, and a sign that there is more.
import { Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import type { ComponentProps, ReactNode } from 'react'
import classes from './MenuButton.module.css'

/** What it shows. */
export interface Face {
  readonly mark: ReactNode
  /** What the name is of, for those who cannot see where it stands. */
  readonly of: string
  readonly name: string
}

export function MenuButton({
  mark,
  of,
  name,
  className = '',
  ...button
}: Face & Omit<ComponentProps<'button'>, keyof Face>) {
  return (
    <UnstyledButton className={`${classes.button} ${className}`} {...button}>
      {mark}
      <VisuallyHidden>{of}:</VisuallyHidden>
      <Text size="sm" fw={600} className="cut" flex={1}>
        <bdi>{name}</bdi>
      </Text>
      <IconSelector size={15} aria-hidden className="muted" />
    </UnstyledButton>
  )
}
