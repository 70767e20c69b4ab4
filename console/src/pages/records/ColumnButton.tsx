// The button of a list's columns.
import { ActionIcon } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { text } from '../../texts/records.ts'

export function ColumnButton(button: Omit<ComponentProps<'button'>, 'color'>) {
  return (
    <ActionIcon size={36} variant="default" aria-label={text.columns} title={text.columns} {...button}>
      <IconColumns3 size={16} />
    </ActionIcon>
  )
}
