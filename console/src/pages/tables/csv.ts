// The rows of a table as a CSV file, one column for each field (RFC 4180).
import { cell } from '../records/export.ts'
import type { TableField } from './tables.ts'

export function csvOf(fields: readonly TableField[], rows: readonly Readonly<Record<string, any>>[]): Blob {
  const names = fields.map(({ name }) => name)
  const line = (values: readonly unknown[]) => `${values.map(cell).join(',')}\r\n`
  const lines = rows.map((row) => line([row._id.$oid, ...names.map((name) => row[name]), row.createdAt, row.updatedAt]))
  // Excel takes a file for UTF-8 only where it begins so.
  return new Blob(['\ufeff', line(['_id', ...names, 'createdAt', 'updatedAt']), ...lines], {
    type: 'text/csv;charset=utf-8',
  })
}
