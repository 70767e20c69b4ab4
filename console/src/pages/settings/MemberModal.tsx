// The dialog that invites a person and then shows the link.
import { useState } from 'react'
import { FormModal } from '../../parts/FormModal.tsx'
import { text } from '../../texts/people.ts'
import { MemberForm } from './MemberForm.tsx'
import { MemberLink } from './MemberLink.tsx'
import { calledAs, type Invited } from './member.ts'
import type { Tenant } from './tenant.ts'

interface MemberModalProps {
  readonly place: Tenant
  readonly close: () => void
  readonly onAdded: () => void
}

export function MemberModal({ place, close, onAdded }: MemberModalProps) {
  const [added, setAdded] = useState<Invited>()
  const [isDirty, setDirty] = useState(false)

  function finish(member: Invited) {
    onAdded()
    setAdded(member)
  }

  return (
    <FormModal
      opened
      isDirty={isDirty && added === undefined}
      close={close}
      title={<span className="name">{added === undefined ? text.addTitle : text.addedTitle(calledAs(added))}</span>}
      closeOnClickOutside={added === undefined}
    >
      {added === undefined ? (
        <MemberForm place={place} close={close} onAdded={finish} setDirty={setDirty} />
      ) : (
        <MemberLink
          path={added.link}
          hint={text.linkHint}
          mailedTo={added.isMailed ? added.email : undefined}
          done={close}
        />
      )}
    </FormModal>
  )
}
