// A read-only member of a record: its name, and its value as text in full contrast.
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schema } from '../api/resources.ts'
import { labelOf } from '../texts/members.ts'
import { text } from '../texts/records.ts'
import { useFormat } from './format.ts'
import { typeOf } from './member-shape.ts'
import { noteOf, pairOf } from './notes.ts'
import { PicturesInput } from './PicturesInput.tsx'
import classes from './ReadMember.module.css'
import { isUnset, Value } from './Value.tsx'

/** A name and its value. `hint` says why it cannot be changed although other members can. */
export function ReadFact({ label, hint, children }: { label: string; hint?: string | undefined; children: ReactNode }) {
  return (
    <dl className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
      {hint !== undefined && <dd className={classes.hint}>{hint}</dd>}
    </dl>
  )
}

interface ReadMemberProps {
  readonly name: string
  readonly schema: Schema
  readonly value: unknown
  readonly label?: string
  readonly hint?: string
}

export function ReadMember({ name, schema, value, label = labelOf(name), hint }: ReadMemberProps) {
  if (Array.isArray(value) && value.length > 0 && name === 'images')
    return <PicturesInput label={label} value={value} onChange={() => {}} pointer="" errors={new Map()} isReadOnly />
  return (
    <ReadFact label={label} hint={hint}>
      <ReadValue name={name} schema={schema} value={value} />
    </ReadFact>
  )
}

/** A value with its nested values, one below the other. */
function ReadValue({ name, schema, value }: { name: string; schema: Schema; value: unknown }) {
  if (isUnset(value)) return <span className="muted">{text.unset}</span>
  if (Array.isArray(value) && (name === 'notes' || name === 'metadata')) return <Texts name={name} entries={value} />
  if (Array.isArray(value) && typeOf(schema.items ?? {}) === 'object')
    return (
      <ol className={classes.entries}>
        {value.map((entry, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name but their place.
          <li key={n}>
            <Inner schema={schema.items ?? {}} value={entry} />
          </li>
        ))}
      </ol>
    )
  if (typeof value === 'object' && !Array.isArray(value) && schema.properties !== undefined)
    return <Inner schema={schema} value={value as Readonly<Record<string, unknown>>} />
  return <Value member={name} schema={schema} value={value} />
}

/** The set members of an object. */
function Inner({ schema, value }: { schema: Schema; value: Readonly<Record<string, unknown>> }) {
  // A column can have the name of a member with a special meaning.
  const isTable = schema.additionalProperties === false
  const set = Object.entries(value ?? {}).filter(([, inner]) => !isUnset(inner))
  return (
    <div className={classes.inner}>
      {set.map(([name, inner]) => (
        <ReadMember
          key={name}
          name={isTable ? `column ${name}` : name}
          label={labelOf(name)}
          schema={schema.properties?.[name] ?? {}}
          value={inner}
        />
      ))}
    </div>
  )
}

/** Notes and metadata as plain text; other entries as JSON. */
function Texts({ name, entries }: { name: string; entries: readonly unknown[] }) {
  const format = useFormat()
  return (
    <ul className={classes.entries}>
      {entries.map((entry, n) => {
        const note = name === 'notes' ? noteOf(entry) : undefined
        const pair = name === 'metadata' ? pairOf(entry) : undefined
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name but their place.
          <li key={n}>
            {note !== undefined ? (
              <>
                <bdi className={classes.text}>{note.message}</bdi>
                <Text size="xs" c="dimmed">
                  {[format.dateTime(note.createdAt), ...note.others.map(([what, said]) => `${labelOf(what)}: ${said}`)]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
              </>
            ) : pair !== undefined ? (
              <span className={classes.text}>
                <bdi>{pair.key}</bdi>: <bdi>{pair.value}</bdi>
              </span>
            ) : (
              <Value member={name} schema={{}} value={entry} />
            )}
          </li>
        )
      })}
    </ul>
  )
}
