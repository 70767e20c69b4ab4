// The dialog in which somebody becomes a member, and in which a link for a member is shown.
import { Modal } from '@mantine/core'
import { useState } from 'react'
import { tell } from '../../parts/notices.ts'
import { text } from '../../texts/people.ts'
import { MemberForm } from './MemberForm.tsx'
import { MemberLink } from './MemberLink.tsx'
import { calledAs, type NewMember } from './member.ts'
import type { Place } from './place.ts'

interface MemberModalProps {
  readonly place: Place
  readonly close: () => void
  readonly onAdded: () => void
}

export function MemberModal({ place, close, onAdded }: MemberModalProps) {
  const [added, setAdded] = useState<NewMember>()
  const [isDirty, setDirty] = useState(false)

  function finish(member: NewMember) {
    onAdded()
    if (member.link !== undefined) return setAdded(member)
    tell(text.canOpen(calledAs(member)))
    close()
  }

  return (
    <Modal
      opened
      onClose={close}
      title={<span className="name">{added === undefined ? text.addTitle : text.addedTitle(calledAs(added))}</span>}
      closeOnClickOutside={added === undefined && !isDirty}
    >
      {added?.link === undefined ? (
        <MemberForm place={place} close={close} onAdded={finish} setDirty={setDirty} />
      ) : (
        <MemberLink path={added.link} done={close} />
      )}
    </Modal>
  )
}
