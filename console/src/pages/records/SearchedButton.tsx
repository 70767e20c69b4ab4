// The button in the search of a list, which says which members are searched.
import { Button } from '@mantine/core'
import type { ComponentProps } from 'react'
import { text } from '../../texts/records.ts'

export function SearchedButton({ chosen, ...button }: { chosen: string } & Omit<ComponentProps<'button'>, 'color'>) {
  return (
    <Button variant="subtle" color="gray" size="compact-xs" aria-label={`${text.searchIn}: ${chosen}`} {...button}>
      {chosen}
    </Button>
  )
}
