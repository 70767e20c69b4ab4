// Custom table field: a column of a custom table, with a type and an optional reference.

import { CUSTOM_NAME_CHARACTERS } from '../../core/limits.ts'
import { anything, choice, flag, type Members, name, oid, required, text } from '../../engine/field.ts'
import { resource } from '../../engine/resource.ts'
import { columnTypes, fromJson, fromText, wanted } from './column.ts'
import { unchangeable } from './immutable.ts'
import { refused } from './member.ts'
import { customers, referable } from './references.ts'

/** Members that each row shows besides its columns, and names with a meaning in JavaScript. */
const reservedNames: ReadonlySet<string> = new Set([
  ...['_id', 'id', 'companyId', 'createdAt', 'updatedAt'],
  ...['__proto__', 'constructor', 'prototype'],
])

const columnName = text({
  max: CUSTOM_NAME_CHARACTERS,
  description: `Unique in the table: 1 to ${CUSTOM_NAME_CHARACTERS} characters, no control characters, and none of ${[...reservedNames].join(', ')}.`,
})

const fields = {
  tableId: required(oid({ description: 'The table; it cannot be changed.' })),
  name: required({
    ...columnName,
    schema: { ...columnName.schema, minLength: 1, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
  }),
  type: required(
    choice(columnTypes, {
      description: 'What the column holds: `date` is a date-time, `json-string` any JSON as a string.',
    }),
  ),
  required: flag({ description: 'Whether new rows require it.' }),
  defaultValue: anything({
    description: 'The default for new rows: JSON of the type, or the same as a string. Stored as a string.',
  }),
  referenceLinkedCollection: name({
    description:
      'The collection that the values refer to, such as `customers`. If it is a collection of this service, the record must exist; any other name is accepted as it is. A table with a field that refers to customers extends them: one row for each customer.',
  }),
  referenceLinkedField: name({ description: 'The member that the values hold; defaults to `id`.' }),
}
type FieldRecord = Members<typeof fields>

function wrongReference({ type, referenceLinkedCollection, referenceLinkedField = 'id' }: FieldRecord) {
  const members = referable(referenceLinkedCollection ?? '')
  if (members === undefined) return undefined
  const isLink = referenceLinkedCollection === customers
  if (isLink && type !== 'string') return refused('type', 'must be string, the type of customer ids')
  const known = isLink ? ['id'] : members
  if (known.includes(referenceLinkedField)) return undefined
  return refused('referenceLinkedField', `must be ${known.join(' or ')} of ${referenceLinkedCollection}`)
}

export const customTableField = resource({
  name: { one: 'custom-table-field', many: 'custom-table-fields' },
  title: 'Custom table fields',
  description:
    'A column of a custom table. Its type cannot be changed while it has values (409); a new name takes effect everywhere at once. Deleting it deletes its values.',
  fields,
  derive(record, before) {
    const { name, type, defaultValue } = record
    const moved = unchangeable(['tableId'], record, before)
    if (moved) return moved
    if (reservedNames.has(name as string))
      return refused('name', 'is reserved: rows have a member of this name', 'reserved')
    const mistaken = wrongReference(record)
    if (mistaken) return mistaken
    if (defaultValue === undefined || type === undefined) return {}
    const stored = typeof defaultValue === 'string' ? fromText(type, defaultValue) : fromJson(type, defaultValue)
    return stored === undefined ? refused('defaultValue', wanted[type], 'type') : { defaultValue: stored }
  },
  ids: 'oid',
  unique: ['tableId', 'name'],
  conflict: 'The table already has a field of this name.',
  remove: 'hard',
  list: { exact: ['tableId'], needs: ['tableId'] },
  styleA: { one: ['custom-table-field'], list: 'custom-table-fields' },
  styleB: null,
  example: {
    tableId: { $oid: '6740a1f2c3d4e5f6a7b8c9e0' },
    name: 'tier',
    type: 'string',
    required: true,
    defaultValue: 'bronze',
  },
})
