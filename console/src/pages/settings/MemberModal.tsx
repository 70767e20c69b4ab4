// The dialog that invites a person and then shows the link.
import { Modal } from '@mantine/core'
import { useState } from 'react'
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
    <Modal
      opened
      onClose={close}
      title={<span className="name">{added === undefined ? text.addTitle : text.addedTitle(calledAs(added))}</span>}
      closeOnClickOutside={added === undefined && !isDirty}
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
    </Modal>
  )
}
