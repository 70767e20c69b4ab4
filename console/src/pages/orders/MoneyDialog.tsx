// A dialog that moves money: a form, and then what was done.
import { type ReactNode, useState } from 'react'
import { FormModal } from '../../parts/FormModal.tsx'
import { type Submission, useKept, useSubmission } from '../../parts/submission.ts'
import { useFocusAfter } from '../../shell/kept-focus.ts'

/** What its form gets. */
export interface MoneyFormProps<Done> {
  readonly submission: Submission
  readonly close: () => void
  readonly onDone: (done: Done) => void
  readonly onDirty: (isDirty: boolean) => void
}

interface MoneyDialogProps<Done> {
  /** Of the key under which it is sent, for one record. */
  readonly name: string
  readonly title: string
  readonly doneTitle: string
  readonly opened: boolean
  readonly close: () => void
  readonly form: (props: MoneyFormProps<Done>) => ReactNode
  readonly result: (props: { readonly done: Done; readonly close: () => void }) => ReactNode
}

export function MoneyDialog<Done>({ name, title, doneTitle, opened, close, form, result }: MoneyDialogProps<Done>) {
  const [done, setDone] = useState<Done>()
  // Kept here: with its key, what was sent is done once, if its response was lost and the dialog was closed, or the page reloaded, meanwhile.
  const submission = useSubmission(useKept(name))
  const [isDirty, setDirty] = useState(false)
  useFocusAfter(opened)
  const end = () => {
    close()
    setDirty(false)
    submission.forget()
    setDone(undefined)
  }
  return (
    <FormModal
      {...{ opened, isDirty }}
      isBusy={submission.isBusy}
      close={end}
      size="lg"
      title={done === undefined ? title : doneTitle}
    >
      {done === undefined
        ? form({ submission, close: end, onDone: setDone, onDirty: setDirty })
        : result({ done, close: end })}
    </FormModal>
  )
}
