// Gives one member of all selected records a new value.
import { Select, Text } from '@mantine/core'
import { useState } from 'react'
import { useCompany } from '../../../api/company.ts'
import type { Member, Resource } from '../../../api/resources.ts'
import { Currency } from '../../../parts/currency.ts'
import { MemberInput } from '../../../parts/MemberInput.tsx'
import { Unreadable } from '../../../parts/unreadable.ts'
import { firstInput } from '../../../parts/use-first-input.ts'
import { text } from '../../../texts/many.ts'
import { labelOf } from '../../../texts/members.ts'
import { changeMember } from './bulk-changes.ts'
import { editableMembers } from './editable.ts'
import { ManyForm } from './ManyForm.tsx'
import type { Many } from './use-many.ts'

interface EditDialogProps {
  readonly resource: Resource
  readonly count: number
  readonly many: Many
  readonly close: () => void
}

export function EditDialog({ resource, count, many, close }: EditDialogProps) {
  const members = editableMembers(resource)
  const [name, setName] = useState<string | null>(null)
  const [value, setValue] = useState<unknown>()
  const member = members.find((one) => one.name === name)
  // Amounts of records with a currency of their own are not typed over.
  const { currency } = useCompany()
  const missing = missingOf(member, value)

  return (
    <ManyForm
      {...{ count, many, missing, close }}
      title={text.editTitle(count)}
      isDirty={value !== undefined}
      change={async () => member !== undefined && giveAll(many, member.name, value)}
    >
      <Select
        label={text.member}
        data={members.map((one) => ({ value: one.name, label: labelOf(one.name) }))}
        value={name}
        onChange={(next) => {
          setName(next)
          setValue(undefined)
        }}
        searchable
        {...firstInput()}
      />
      {member && (
        <Currency value={currency}>
          <MemberInput
            name={member.name}
            schema={member.schema}
            value={value}
            onChange={setValue}
            pointer={`/${member.name}`}
            errors={new Map()}
            isRequired={member.isRequired ?? false}
          />
          <Text size="sm" c="dimmed">
            {text.editHint}
          </Text>
        </Currency>
      )}
    </ManyForm>
  )
}

/** What keeps the change from being made. */
function missingOf(member: Member | undefined, value: unknown): string | undefined {
  if (member === undefined) return text.chooseMember
  if (value instanceof Unreadable) return value.reason
  return member.isRequired && value === undefined ? text.enterValue : undefined
}

/** Gives all selected records a value; undo leaves what another user set in the meantime. */
function giveAll({ scope, targetOf, carryOut }: Many, member: string, value: unknown): Promise<boolean> {
  return carryOut({
    run: (target) => changeMember(scope, target, member, () => value),
    done: text.changed,
    undo: (records) => {
      const before = new Map(records.map((record) => [record.id, record[member]]))
      return changeMember(scope, targetOf(records), member, (now, { id }) =>
        JSON.stringify(now) === JSON.stringify(value) ? before.get(id) : now,
      )
    },
  })
}
