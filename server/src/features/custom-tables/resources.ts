// The resources of custom tables: tables, their fields (columns), rows, and the values of single cells.

import { columnNamePattern, slugPattern } from '../../core/json-schema.ts'
import { bodyError, invalid, Problem } from '../../core/problem.ts'
import {
  anything,
  choice,
  description,
  flag,
  list,
  type Members,
  name,
  type Oid,
  oid,
  required,
  text,
} from '../../engine/field.ts'
import type { Change } from '../../engine/record.ts'
import { type Resource, resource } from '../../engine/resource.ts'
import { closing } from '../../resources/closing.ts'
import { resourceLike, resources } from '../../resources/index.ts'
import { inventoryHistory } from '../../resources/inventory-history.ts'
import { isDeleted } from '../../resources/shapes.ts'
import {
  columnTypes,
  customers,
  fromJson,
  fromText,
  isOfField,
  isOfTable,
  isUnset,
  referable,
  typeMessages,
} from './table.ts'

/** Characters of the name of a custom table, and of a field (decisions §7). */
export const CUSTOM_NAME_CHARACTERS = 63

type Ids<M extends string> = { readonly [member in M]?: Oid }

/** A 400 that names the members an update would change; undefined if there are none. */
function unchangeable<M extends string>(
  members: readonly M[],
  record: Ids<M>,
  before: Ids<M> | undefined,
): Problem | undefined {
  const changed = before ? members.filter((member) => record[member]?.$oid !== before[member]?.$oid) : []
  if (changed.length === 0) return undefined
  const message = 'cannot be changed'
  return invalid(changed.map((member) => bodyError(`/${member}`, 'immutable', message)))
}

/** A 400 for one member of a body. */
export const refusedMember = (member: string, message: string, code = 'reference'): Problem =>
  invalid([bodyError(`/${member}`, code, message)])

/** The id in a member of a checked body; '' if the body is wrong, which the engine reports. */
export const oidOf = (change: Change | Problem, member: string): string =>
  change instanceof Problem ? '' : (change.set[member] as Oid).$oid

const tableName = text({
  max: CUSTOM_NAME_CHARACTERS,
  description: 'Lower-case words with hyphens; unique in the company.',
  example: 'loyalty-points',
})

export const customTable = resource({
  name: { one: 'custom-table', many: 'custom-tables' },
  title: 'Custom tables',
  description:
    'A table of the company’s own. Its columns are custom table fields; its rows are read and written by column names under `/v1/api/custom-table-data/{tableName}`. Deleting it deletes its fields, rows and values, at once for readers and soon after from the disk; it raises one event.',
  fields: {
    name: required({ ...tableName, schema: { ...tableName.schema, pattern: slugPattern } }),
    description: description({
      description: 'Purpose of the table.',
      example: 'What regular customers have earned',
    }),
    metadata: list(anything(), {
      description: 'Your own data about the table, usually {key, value}; any JSON is kept.',
    }),
  },
  ids: 'oid',
  unique: ['name'],
  conflict: 'A custom table of this name already exists.',
  remove: 'hard',
  list: {},
  columns: 'generated',
  styleA: { one: ['custom-table'], list: 'custom-tables' },
  styleB: null,
  example: { name: 'loyalty', description: 'What regular customers have earned' },
})

/** Members that each row shows besides its columns, and names with a meaning in JavaScript. */
const reservedNames: ReadonlySet<string> = new Set([
  ...['_id', 'id', 'companyId', 'createdAt', 'updatedAt'],
  ...['__proto__', 'constructor', 'prototype'],
])

const columnName = text({
  max: CUSTOM_NAME_CHARACTERS,
  description: `Unique in the table: 1 to ${CUSTOM_NAME_CHARACTERS} characters, no control characters, and none of ${[...reservedNames].join(', ')}.`,
})

const tableFields = {
  tableId: required(oid({ description: 'The table; it cannot be changed.' })),
  name: required({
    ...columnName,
    schema: { ...columnName.schema, minLength: 1, pattern: columnNamePattern },
  }),
  type: required(
    choice(columnTypes, {
      description: 'What the column holds: `date` is a date-time, `json-string` any JSON as a string.',
    }),
  ),
  required: flag({ description: 'Whether new rows require it.' }),
  defaultValue: anything({
    description:
      'The default for new rows: JSON of the type, or the same as a string. A default of a reference must name an existing record. Stored as a string.',
  }),
  referenceLinkedCollection: name({
    description:
      'The collection that the values refer to, such as `customers`. If it is a collection of this service, the record must exist. A name in another form, such as `customer`, is refused; any other name is accepted as it is. A table with a field that refers to customers extends them: one row for each customer.',
  }),
  referenceLinkedField: name({ description: 'The member that the values hold; defaults to `id`.' }),
}
type FieldRecord = Members<typeof tableFields>

const referring = ['type', 'referenceLinkedCollection', 'referenceLinkedField'] as const

/** What is wrong with the reference of a field, if it is new or changed: a stored one may be older than the rules. */
function wrongReference(record: FieldRecord, before: FieldRecord | undefined): Problem | undefined {
  if (before && referring.every((member) => record[member] === before[member])) return undefined
  const { type, referenceLinkedCollection, referenceLinkedField = 'id' } = record
  const members = referable(referenceLinkedCollection ?? '')
  if (members === undefined) {
    const meant = resourceLike(referenceLinkedCollection ?? '', referred)?.name.many
    // If it were taken for a collection of another system, it would refer to nothing, and extend no customers.
    if (meant === undefined) return undefined
    return refusedMember('referenceLinkedCollection', `is not the name of a collection; did you mean ${meant}?`)
  }
  const isLink = referenceLinkedCollection === customers
  if (isLink && type !== 'string') return refusedMember('type', 'must be string, the type of customer ids')
  const known = isLink ? ['id'] : members
  if (known.includes(referenceLinkedField)) return undefined
  return refusedMember('referenceLinkedField', `must be ${known.join(' or ')} of ${referenceLinkedCollection}`)
}

export const customTableField = resource({
  name: { one: 'custom-table-field', many: 'custom-table-fields' },
  title: 'Custom table fields',
  description:
    'A column of a custom table. Its type cannot be changed while it has values (409); a new name takes effect everywhere at once. Deleting it deletes its values.',
  fields: tableFields,
  derive(record, before) {
    const { name, type, defaultValue } = record
    const moved = unchangeable(['tableId'], record, before)
    if (moved) return moved
    if (reservedNames.has(name as string))
      return refusedMember('name', 'is a reserved name; choose another one', 'reserved')
    const mistaken = wrongReference(record, before)
    if (mistaken) return mistaken
    if (defaultValue === undefined || type === undefined) return {}
    if (isUnset(defaultValue, type, record.referenceLinkedCollection)) return { defaultValue: undefined }
    const stored = typeof defaultValue === 'string' ? fromText(type, defaultValue) : fromJson(type, defaultValue)
    return stored === undefined ? refusedMember('defaultValue', typeMessages[type], 'type') : { defaultValue: stored }
  },
  ids: 'oid',
  unique: ['tableId', 'name'],
  conflict: 'The table already has a field of this name.',
  remove: 'hard',
  list: { exact: ['tableId'], needs: ['tableId'] },
  columns: 'generated',
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

export const customTableRow = resource({
  name: { one: 'custom-table-row', many: 'custom-table-rows' },
  alsoCalled: ['custom-table-data'],
  title: 'Custom table rows',
  description:
    'A row of a custom table, without its columns: each column is a value, a record of its own. A row that is created here has no values yet, neither defaults nor required ones. Deleting flags the row and its values, and keeps them.',
  fields: {
    tableId: required(oid({ description: 'The table; it cannot be changed.' })),
    isDeleted: isDeleted(),
  },
  derive: (record, before) => unchangeable(['tableId'], record, before) ?? {},
  ids: 'oid',
  existsCondition: isOfTable,
  remove: 'soft',
  list: { exact: ['tableId'] },
  columns: 'generated',
  styleA: { one: ['custom-table-row'], list: 'custom-table-rows' },
  styleB: null,
  example: { tableId: { $oid: '6740a1f2c3d4e5f6a7b8c9e0' } },
})

export const customTableValue = resource({
  name: { one: 'custom-table-value', many: 'custom-table-values' },
  title: 'Custom table values',
  description:
    'The value of one column in one row: a string, whatever the column’s type, in the canonical form of that type (`12.5`, `true`, `2026-11-21T09:30:00.000Z`). A row has one live value of each field. Deleting flags the value and keeps it; the cell is then empty.',
  fields: {
    tableId: required(oid({ description: 'The table; it cannot be changed.' })),
    rowId: required(oid({ description: 'The row, of this table; it cannot be changed.' })),
    fieldId: required(oid({ description: 'The field, of this table; it cannot be changed.' })),
    value: required(text({ description: 'In the form of the field’s type.' })),
    isDeleted: isDeleted(),
  },
  derive: (record, before) => unchangeable(['tableId', 'rowId', 'fieldId'], record, before) ?? {},
  ids: 'oid',
  existsCondition: isOfField,
  unique: ['rowId', 'fieldId'],
  conflict: 'The row already has a live value of this field.',
  remove: 'soft',
  list: { exact: ['tableId', 'rowId'] },
  columns: 'generated',
  styleA: { one: ['custom-table-value'], list: 'custom-table-values' },
  styleB: null,
  example: {
    tableId: { $oid: '6740a1f2c3d4e5f6a7b8c9e0' },
    rowId: { $oid: '6740a1f2c3d4e5f6a7b8c9e1' },
    fieldId: { $oid: '6740a1f2c3d4e5f6a7b8c9e2' },
    value: 'gold',
  },
})

export const customTableResources: readonly Resource[] = [
  customTable,
  customTableField,
  customTableRow,
  customTableValue,
]

/** The resources whose records a column can refer to. */
const referred = [...resources, closing, inventoryHistory, ...customTableResources]
