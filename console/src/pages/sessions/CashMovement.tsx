// Records cash that is put into the drawer of an open session, or taken out of it, without a sale.
import { Button, Radio, Stack } from '@mantine/core'
import { IconCash } from '@tabler/icons-react'
import { useState } from 'react'
import { useResource } from '../../api/resources.ts'
import type { MemberInputProps } from '../../parts/MemberInput.tsx'
import { sentence } from '../../parts/messages.ts'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/sessions.ts'
import { RecordDrawer } from '../records/RecordDrawer.tsx'

/** What is asked: the session is known, and the time is now. */
const asked = ['amount', 'type', 'reason']

/** All types at a glance; none is so usual that it could be chosen before. */
function TypeInput({ name, schema, value, onChange, pointer, errors, isRequired }: MemberInputProps) {
  return (
    <Radio.Group
      label={labelOf(name)}
      error={sentence(errors.get(pointer))}
      required={isRequired ?? false}
      value={value ?? null}
      onChange={onChange}
    >
      <Stack gap={8} mt={6} mb={4}>
        {schema.enum?.map((type) => (
          <Radio key={type} value={type} label={labelOf(type)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

const inputs = { type: TypeInput }

export function CashMovement({ sessionId }: { readonly sessionId: string }) {
  const resource = useResource('cash-movements')
  const [isOpen, setOpen] = useState(false)
  const members = asked.flatMap((name) => resource.members.find((member) => member.name === name) ?? [])
  return (
    <>
      <Button variant="default" leftSection={<IconCash size={16} />} onClick={() => setOpen(true)}>
        {text.moveCash}
      </Button>
      <RecordDrawer
        resource={resource}
        id={isOpen ? 'new' : undefined}
        title={text.moveCash}
        close={() => setOpen(false)}
        initial={{ sessionId }}
        inputs={inputs}
        sections={[{ title: text.movement, members }]}
      />
    </>
  )
}
