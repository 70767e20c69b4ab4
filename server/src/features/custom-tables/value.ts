// Custom table value: the contents of one column in one row, as a text.
import { oid, required, text } from '../../engine/field.ts'
import { resource } from '../../engine/resource.ts'
import { isDeleted } from '../../resources/shapes.ts'
import { unchangeable } from './immutable.ts'

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
  isThere: `exists (
    select from custom_table_fields as own where own.company_id = stored.company_id and own.id = stored.field_id)`,
  unique: ['rowId', 'fieldId'],
  conflict: 'The row already has a live value of this field.',
  remove: 'soft',
  list: { exact: ['tableId', 'rowId'] },
  styleA: { one: ['custom-table-value'], list: 'custom-table-values' },
  styleB: null,
  example: {
    tableId: { $oid: '6740a1f2c3d4e5f6a7b8c9e0' },
    rowId: { $oid: '6740a1f2c3d4e5f6a7b8c9e1' },
    fieldId: { $oid: '6740a1f2c3d4e5f6a7b8c9e2' },
    value: 'gold',
  },
})
