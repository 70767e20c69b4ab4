// A member of a form that is yes or no, where one that is not set means no.
import { Switch } from '@mantine/core'
import { labelOf } from '../texts/members.ts'
import { helpOf, type MemberInputProps } from './member-shape.ts'
import { sentence } from './messages.ts'
import { ReadMember } from './ReadMember.tsx'

export function FlagInput(props: MemberInputProps) {
  const { name, label = labelOf(name), schema, value, onChange, pointer, errors, isReadOnly = false } = props
  if (isReadOnly) return <ReadMember {...{ name, label, schema }} value={value ?? false} />
  return (
    <Switch
      label={label}
      description={helpOf(props)}
      error={sentence(errors.get(pointer))}
      wrapperProps={{ title: schema.description }}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
