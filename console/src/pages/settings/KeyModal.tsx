// The dialog that creates a key: first a form, then the key's value, which asks before it closes.
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { NewKey } from '../../api/schemas.ts'
import { FormModal } from '../../parts/FormModal.tsx'
import { LeaveGuard } from '../../parts/unsaved.tsx'
import { text } from '../../texts/keys.ts'
import { KeyValue } from './KeyValue.tsx'
import { keysQuery } from './key.ts'
import type { Tenant } from './tenant.ts'

/** The properties of a form in the dialog. */
export interface KeyDialog {
  readonly close: () => void
  readonly onMade: (key: NewKey, note?: string) => void
  /** Reads the list again. */
  readonly onChanged: () => void
  readonly setDirty: (isDirty: boolean) => void
}

interface KeyModalProps {
  readonly place: Tenant
  readonly title: string
  /** The title above the value. */
  readonly madeTitle: (name: string) => string
  readonly close: () => void
  readonly children: (dialog: KeyDialog) => ReactNode
}

export function KeyModal({ place, title, madeTitle, close, children }: KeyModalProps) {
  const client = useQueryClient()
  const [made, setMade] = useState<{ readonly key: NewKey; readonly note: string | undefined }>()
  const [isCopied, setCopied] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [isDirty, setDirty] = useState(false)

  const onChanged = () => void client.invalidateQueries({ queryKey: keysQuery(place).queryKey })

  function onMade(key: NewKey, note?: string) {
    setMade({ key, note })
    onChanged()
  }

  function leave() {
    if (made === undefined || isCopied || isAsking) close()
    else setAsking(true)
  }

  return (
    <FormModal
      opened
      isDirty={isDirty && made === undefined}
      close={isAsking ? () => setAsking(false) : leave}
      title={<span className="name">{made === undefined ? title : madeTitle(made.key.name)}</span>}
      size="lg"
      closeOnClickOutside={made === undefined}
    >
      {made === undefined ? (
        children({ close, onMade, onChanged, setDirty })
      ) : (
        <KeyValue
          made={made.key}
          isCompany={place.isCompany}
          note={made.note}
          onCopied={() => setCopied(true)}
          isAsking={isAsking}
          back={() => setAsking(false)}
          close={close}
          done={leave}
        />
      )}
      <LeaveGuard isDirty={made !== undefined && !isCopied} message={text.leave} />
    </FormModal>
  )
}
