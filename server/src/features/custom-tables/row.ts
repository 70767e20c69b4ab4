// Custom table row: one row of a custom table, without its columns.
import { oid, required } from '../../engine/field.ts'
import { resource } from '../../engine/resource.ts'
import { isDeleted } from '../../resources/shapes.ts'
import { unchangeable } from './immutable.ts'

export const customTableRow = resource({
  name: { one: 'custom-table-row', many: 'custom-table-rows' },
  title: 'Custom table rows',
  description:
    'A row of a custom table, without its columns, which are its values. Deleting flags the row and its values, and keeps them.',
  fields: {
    tableId: required(oid({ description: 'The table; it cannot be changed.' })),
    isDeleted: isDeleted(),
  },
  derive: (record, before) => unchangeable(['tableId'], record, before) ?? {},
  ids: 'oid',
  isThere: `exists (
    select from custom_tables as own where own.company_id = stored.company_id and own.id = stored.table_id)`,
  remove: 'soft',
  list: { exact: ['tableId'] },
  styleA: { one: ['custom-table-row'], list: 'custom-table-rows' },
  styleB: null,
  example: { tableId: { $oid: '6740a1f2c3d4e5f6a7b8c9e0' } },
})
