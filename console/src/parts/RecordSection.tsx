// One section of a record's form: its heading and the inputs of its members.
import { Title } from '@mantine/core'
import { type ComponentType, memo } from 'react'
import type { Member } from '../api/resources.ts'
import type { Draft } from './draft.ts'
import { FlagInput } from './FlagInput.tsx'
import { MemberInput } from './MemberInput.tsx'
import { Members } from './MembersInput.tsx'
import { isWide, type MemberInputProps, typeOf } from './member-shape.ts'
import classes from './RecordForm.module.css'
import { isOfTable, type Section } from './sections.ts'
import { isUnset } from './Value.tsx'

export type Inputs = Readonly<Record<string, ComponentType<MemberInputProps>>>

interface RecordSectionProps {
  readonly section: Section
  readonly draft: Pick<Draft, 'values' | 'set'>
  /** Errors from the server, by pointer. */
  readonly errors: ReadonlyMap<string, string>
  readonly isReadOnly: boolean
  /** Whether a member is only shown, although others can be changed. */
  readonly isSettled?: ((name: string) => boolean) | undefined
  /** Inputs of members for which the generated one is not enough. */
  readonly inputs: Inputs
}

export function RecordSection({ section, draft, errors, isReadOnly, isSettled, inputs }: RecordSectionProps) {
  const { title } = section
  // What is only shown, and is not set, says nothing.
  const members = section.members.filter(({ name }) => isSettled?.(name) !== true || !isUnset(draft.values[name]))
  if (members.length === 0) return null
  return (
    <section className={classes.section}>
      <Title order={2}>{title}</Title>
      <div className={classes.members}>
        {members.map((member) => (
          <div key={member.name} data-wide={isWide(member) || undefined}>
            <MemberField
              {...{ member, errors }}
              isReadOnly={isReadOnly || isSettled?.(member.name) === true}
              // The heading already names the table of these columns.
              isUnnamed={isOfTable(member) && members.length === 1}
              Input={inputs[member.name] ?? (typeOf(member.schema) === 'boolean' ? FlagInput : MemberInput)}
              value={draft.values[member.name]}
              set={draft.set}
            />
          </div>
        ))}
      </div>
    </section>
  )
}

interface MemberFieldProps extends Pick<RecordSectionProps, 'errors' | 'isReadOnly'> {
  readonly member: Member
  readonly isUnnamed: boolean
  readonly Input: ComponentType<MemberInputProps>
  readonly value: unknown
  readonly set: Draft['set']
}

/** The input of a member, which is rendered only if it changes: a form may have dozens, and each key that is typed changes one. */
const MemberField = memo(function MemberField(props: MemberFieldProps) {
  const { member, isUnnamed, Input, value, set, errors, isReadOnly } = props
  const { name, schema, isRequired = false, isSecret = false } = member
  const onChange = (next: unknown) => set(name, next)
  const common = { schema, value, onChange, pointer: `/${name}`, errors, isReadOnly }
  return isUnnamed ? <Members {...common} /> : <Input {...common} {...{ name, isRequired, isSecret }} />
})
