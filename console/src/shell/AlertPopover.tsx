// The bell once it was pressed: the alerts drop down from it.
import { Popover } from '@mantine/core'
import { useState } from 'react'
import type { Alert } from '../api/alerts.ts'
import { useOpenAtOnce } from '../parts/use-later.ts'
import { text } from '../texts/alerts.ts'
import { AlertList } from './AlertList.tsx'
import { BellButton } from './BellButton.tsx'

interface AlertPopoverProps {
  readonly companyId: string
  /** Undefined until they are read. */
  readonly alerts: readonly Alert[] | undefined
  readonly error: unknown
  readonly unread: number
}

export function AlertPopover({ companyId, alerts, error, unread }: AlertPopoverProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useOpenAtOnce<HTMLButtonElement>(() => setOpen(true))
  return (
    <Popover opened={isOpen} onChange={setOpen} width={360} position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <BellButton ref={button} unread={unread} onClick={() => setOpen(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown p={0} maw="calc(100vw - 16px)" aria-label={text.title}>
        <AlertList {...{ companyId, alerts, error }} close={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}
