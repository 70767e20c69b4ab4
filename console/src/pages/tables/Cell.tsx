// One cell of a custom table, shown by its field's type.
import { Text } from '@mantine/core'
import { useFormat } from '../../parts/format.ts'
import { RecordName } from '../../parts/RecordName.tsx'
import { text } from '../../texts/tables.ts'
import type { FieldShape } from './tables.ts'

interface CellProps {
  readonly field: FieldShape
  readonly value: unknown
  /** The resource that it is an id of. */
  readonly collection: string | undefined
}

export function Cell({ field: { type }, value, collection }: CellProps) {
  const format = useFormat()
  if (value === undefined || value === null || value === '') return null
  if (collection !== undefined) return <RecordName many={collection} id={String(value)} isPlain />
  switch (type) {
    case 'boolean':
      return value ? text.rows.truth.yes : <span className="muted">{text.rows.truth.no}</span>
    case 'date':
      return <time dateTime={String(value)}>{format.dateTime(String(value))}</time>
    case 'number':
      // With all its digits: it may not be an amount.
      return String(value)
    case 'json-string':
      return (
        <Text span inherit ff="monospace" fz="xs" c="dimmed">
          {String(value)}
        </Text>
      )
    default:
      return <bdi>{String(value)}</bdi>
  }
}
