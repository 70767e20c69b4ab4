// The input of one cell, by its field's type; references are chosen by name.
import { JsonInput } from '@mantine/core'
import { useResources } from '../../api/resources.ts'
import { MemberInput } from '../../parts/MemberInput.tsx'
import { columnPrefix } from '../../parts/member-shape.ts'
import { sentence } from '../../parts/messages.ts'
import { NumberText } from '../../parts/NumberText.tsx'
import { ReadFact } from '../../parts/ReadMember.tsx'
import { ReferenceInput } from '../../parts/ReferenceInput.tsx'
import { text } from '../../texts/tables.ts'
import { Cell } from './Cell.tsx'
import { collectionOf, type FieldShape } from './tables.ts'

interface CellInputProps {
  readonly field: FieldShape
  readonly value: any
  readonly onChange: (value: unknown) => void
  readonly errors: ReadonlyMap<string, string>
  readonly isReadOnly?: boolean
  /** If it differs from the field's name. */
  readonly label?: string
  readonly description?: string | undefined
}

/** A member of a JSON pointer (RFC 6901). */
const pointerOf = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

const schemas = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date-time' },
} as const

export function CellInput({ field, value, onChange, errors, isReadOnly = false, label, description }: CellInputProps) {
  const resources = useResources()
  const { name, type, required = false } = field
  const collection = collectionOf(field, resources)
  const pointer = pointerOf(name)
  const common = {
    label: label ?? name,
    description,
    error: sentence(errors.get(pointer)),
    required,
  }
  if (isReadOnly)
    return (
      <ReadFact label={common.label}>
        <Cell field={field} value={value} collection={collection} />
      </ReadFact>
    )
  if (collection !== undefined)
    return <ReferenceInput {...common} many={collection} value={value} onChange={onChange} />
  switch (type) {
    case 'number':
      return <NumberText {...common} value={value} onChange={onChange} />
    case 'json-string':
      return (
        <JsonInput
          {...common}
          placeholder={text.rows.json}
          validationError={text.rows.notJson}
          autosize
          minRows={3}
          maxRows={14}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={value ?? ''}
          onChange={(typed) => onChange(typed.trim() === '' ? undefined : typed)}
        />
      )
    default:
      return (
        <MemberInput
          name={columnPrefix + name}
          label={common.label}
          schema={schemas[type]}
          hint={description}
          value={value ?? undefined}
          onChange={onChange}
          pointer={pointer}
          errors={errors}
          isRequired={required}
        />
      )
  }
}
