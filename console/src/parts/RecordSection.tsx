// One section of a record's form: its heading and the inputs of its members.
import { Title } from '@mantine/core'
import type { ComponentType } from 'react'
import type { Draft } from './draft.ts'
import { MemberInput, type MemberInputProps } from './MemberInput.tsx'
import { Members } from './MembersInput.tsx'
import { isWide } from './member-shape.ts'
import classes from './RecordForm.module.css'
import { isOfTable, type Section } from './sections.ts'

export type Inputs = Readonly<Record<string, ComponentType<MemberInputProps>>>

interface RecordSectionProps {
  readonly section: Section
  readonly draft: Pick<Draft, 'values' | 'set'>
  /** Errors from the server, by pointer. */
  readonly errors: ReadonlyMap<string, string>
  readonly isReadOnly: boolean
  /** Inputs of members for which the generated one is not enough. */
  readonly inputs: Inputs
}

export function RecordSection({ section: { title, members }, draft, errors, isReadOnly, inputs }: RecordSectionProps) {
  return (
    <section className={classes.section}>
      <Title order={2}>{title}</Title>
      <div className={classes.members}>
        {members.map((member) => {
          const Input = inputs[member.name] ?? MemberInput
          const common = {
            schema: member.schema,
            value: draft.values[member.name],
            onChange: (value: unknown) => draft.set(member.name, value),
            pointer: `/${member.name}`,
            errors,
            isReadOnly,
          }
          return (
            <div key={member.name} data-wide={isWide(member) || undefined}>
              {/* The heading already names the table of these columns. */}
              {isOfTable(member) && members.length === 1 ? (
                <Members {...common} />
              ) : (
                <Input
                  {...common}
                  name={member.name}
                  isRequired={member.isRequired ?? false}
                  isSecret={member.isSecret ?? false}
                />
              )}
            </div>
          )
        })}
      </div>
    </section>
  )
}
