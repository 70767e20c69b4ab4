// The dialog of a change to many records. It comes back with what was typed if nothing was changed.
import { Button, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { DialogButtons } from '../../../parts/DialogButtons.tsx'
import { FormModal } from '../../../parts/FormModal.tsx'
import { text } from '../../../texts/many.ts'
import type { Many } from './use-many.tsx'

interface ManyFormProps {
  readonly title: string
  readonly count: number
  readonly many: Many
  readonly isDirty: boolean
  readonly isReady: boolean
  /** Returns whether anything was changed. */
  readonly change: () => Promise<boolean>
  readonly close: () => void
  readonly children: ReactNode
}

export function ManyForm({ title, count, many, isDirty, isReady, change, close, children }: ManyFormProps) {
  const [isRunning, setRunning] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!isReady) return
    setRunning(true)
    if (await change()) close()
    else setRunning(false)
  }

  return (
    // The list of what failed is shown first.
    <FormModal opened={!isRunning && many.failure === undefined} {...{ isDirty, close, title }}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="md">
          {children}
          <DialogButtons cancel={close}>
            <Button type="submit" disabled={!isReady} data-saves>
              {text.apply(count)}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </FormModal>
  )
}
