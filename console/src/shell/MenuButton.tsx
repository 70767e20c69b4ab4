// Opens one of the two menus of the navigation: an avatar, a name, and a chevron.
import { Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import type { ComponentProps, ReactNode } from 'react'
import classes from './MenuButton.module.css'

/** What the button shows. */
export interface Face {
  readonly mark: ReactNode
  /** What the name belongs to, for screen readers. */
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
