// The dialog of a change to many records. It comes back with what was typed if nothing was changed.
import { Button, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { DialogButtons } from '../../../parts/DialogButtons.tsx'
import { FormMessage } from '../../../parts/FormMessage.tsx'
import { FormModal } from '../../../parts/FormModal.tsx'
import { text } from '../../../texts/many.ts'
import type { Many } from './use-many.ts'

interface ManyFormProps {
  readonly title: string
  readonly count: number
  readonly many: Many
  readonly isDirty: boolean
  /** What is missing, if anything is. */
  readonly missing: string | undefined
  /** Returns whether anything was changed. */
  readonly change: () => Promise<boolean>
  readonly close: () => void
  readonly children: ReactNode
}

export function ManyForm({ title, count, many, isDirty, missing, change, close, children }: ManyFormProps) {
  const [isRunning, setRunning] = useState(false)
  const [isTried, setTried] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (missing !== undefined) return
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
          <FormMessage>{isTried ? missing : undefined}</FormMessage>
          <DialogButtons cancel={close}>
            <Button type="submit" data-saves>
              {text.apply(count)}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </FormModal>
  )
}
