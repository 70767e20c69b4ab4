// The button of saved views.
import { ActionIcon } from '@mantine/core'
import { IconBookmark, IconBookmarkFilled } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { text } from '../../texts/records.ts'

interface ViewButtonProps extends Omit<ComponentProps<'button'>, 'color'> {
  /** A saved view is shown. */
  readonly isView: boolean
}

export function ViewButton({ isView, ...button }: ViewButtonProps) {
  return (
    <ActionIcon size={36} variant="default" aria-label={text.views} title={text.views} {...button}>
      {isView ? <IconBookmarkFilled size={16} /> : <IconBookmark size={16} />}
    </ActionIcon>
  )
}
