// Says how the cards of a table are sorted.
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { text } from '../texts/records.ts'

export interface Sort {
  readonly by: string
  readonly isDescending: boolean
}

interface SortButtonProps extends Omit<ComponentProps<'button'>, 'title'> {
  /** The title of the column that sorts them. */
  readonly title: string | undefined
  readonly isDescending: boolean
}

export function SortButton({ title, isDescending, ...button }: SortButtonProps) {
  const Arrow = isDescending ? IconArrowDown : IconArrowUp
  return (
    <button type="button" {...button}>
      {text.sortBy(title)}
      {title !== undefined && <Arrow size={13} aria-label={isDescending ? text.descending : text.ascending} />}
    </button>
  )
}
