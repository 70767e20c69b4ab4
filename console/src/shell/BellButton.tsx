// The button of the bell, with the number of unread alerts.
import { ActionIcon, Indicator } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { text } from '../texts/alerts.ts'

export function BellButton({ unread, ...button }: { unread: number } & Omit<ComponentProps<'button'>, 'color'>) {
  return (
    <Indicator
      inline
      disabled={unread === 0}
      label={<span aria-hidden>{unread > 9 ? '9+' : unread}</span>}
      size={16}
      offset={6}
      color="red.7"
      zIndex={1}
    >
      <ActionIcon size="lg" aria-label={text.bell(unread)} {...button}>
        <IconBell size={20} stroke={1.8} />
      </ActionIcon>
    </Indicator>
  )
}
