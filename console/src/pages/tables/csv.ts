// The rows of a table as a CSV file, one column for each field (RFC 4180).

import type { CustomTableField } from '../../api/schemas.ts'
import { text } from '../../texts/tables.ts'
import { cell, namesIn } from '../records/export.ts'
import type { ReferenceNames } from '../records/reference-names.ts'

interface Export {
  readonly fields: readonly CustomTableField[]
  readonly rows: readonly Readonly<Record<string, any>>[]
  /** The resource that a field's ids belong to; undefined if it holds none. */
  readonly collectionOf: (field: CustomTableField) => string | undefined
  readonly names: ReferenceNames
}

/** A reference field has a second column with the names of the records. */
export async function csvOf({ fields, rows, collectionOf, names }: Export): Promise<Blob> {
  const columns = fields.map((field) => ({ name: field.name, many: collectionOf(field) }))
  for (const { name, many } of columns)
    if (many !== undefined)
      await names.learn(
        many,
        rows.flatMap((row) => row[name] ?? []),
      )
  const line = (values: readonly unknown[]) => `${values.map(cell).join(',')}\r\n`
  const titles = columns.flatMap(({ name, many }) => (many === undefined ? [name] : [name, text.rows.nameOf(name)]))
  const lines = rows.map((row) => {
    const cells = columns.flatMap(({ name, many }) =>
      many === undefined ? [row[name]] : [row[name], namesIn(names, many, row[name])],
    )
    return line([row._id.$oid, ...cells, row.createdAt, row.updatedAt])
  })
  // Excel recognizes UTF-8 only by this mark.
  return new Blob(['\ufeff', line(['_id', ...titles, 'createdAt', 'updatedAt']), ...lines], {
    type: 'text/csv;charset=utf-8',
  })
}
