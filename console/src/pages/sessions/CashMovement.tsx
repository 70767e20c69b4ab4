// Records cash that is put into the drawer of an open session, or taken out of it, without a sale.
import { Button } from '@mantine/core'
import { IconCash } from '@tabler/icons-react'
import { useState } from 'react'
import { useCanWrite } from '../../api/company.ts'
import { useResource } from '../../api/resources.ts'
import { text } from '../../texts/sessions.ts'
import { RecordDrawer } from '../records/RecordDrawer.tsx'
import { MovementNote, movementInputs } from './movement-form.tsx'

/** What is asked: the session is known, and the time is now. */
const asked = ['amount', 'type', 'reason']

export function CashMovement({ sessionId }: { readonly sessionId: string }) {
  const resource = useResource('cash-movements')
  const canWrite = useCanWrite()
  const [isOpen, setOpen] = useState(false)
  const members = asked.flatMap((name) => resource.members.find((member) => member.name === name) ?? [])
  return (
    <>
      {canWrite && (
        <Button variant="default" leftSection={<IconCash size={16} />} onClick={() => setOpen(true)}>
          {text.moveCash}
        </Button>
      )}
      <RecordDrawer
        resource={resource}
        id={isOpen ? 'new' : undefined}
        title={text.moveCash}
        close={() => setOpen(false)}
        initial={{ sessionId }}
        inputs={movementInputs}
        Note={MovementNote}
        sections={[{ title: text.movement, members }]}
      />
    </>
  )
}
