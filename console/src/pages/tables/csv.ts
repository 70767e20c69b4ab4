// The rows of a table as a CSV file, one column for each field (RFC 4180).

import type { CustomTableField } from '../../api/schemas.ts'
import { csvFile, csvLine, timeText } from '../../parts/csv.ts'
import { text as records } from '../../texts/records.ts'
import { text } from '../../texts/tables.ts'
import { namesIn } from '../records/export.ts'
import type { ReferenceNames } from '../records/reference-names.ts'

interface Export {
  readonly fields: readonly CustomTableField[]
  readonly rows: readonly Readonly<Record<string, any>>[]
  /** The resource that a field's ids belong to; undefined if it holds none. */
  readonly collectionOf: (field: CustomTableField) => string | undefined
  readonly names: ReferenceNames
  /** In which times are written. */
  readonly timeZone: string
}

/** A reference field has a second column with the names of the records. */
export async function csvOf({ fields, rows, collectionOf, names, timeZone }: Export): Promise<Blob> {
  const columns = fields.map((field) => ({ name: field.name, type: field.type, many: collectionOf(field) }))
  const timeIn = (title: string) => records.timeIn(title, timeZone)
  for (const { name, many } of columns)
    if (many !== undefined)
      await names.learn(
        many,
        rows.flatMap((row) => row[name] ?? []),
      )
  const titles = columns.flatMap(({ name, type, many }) => {
    if (type === 'date') return [timeIn(name)]
    return many === undefined ? [name] : [name, text.rows.nameOf(name)]
  })
  const lines = rows.map((row) => {
    const cells = columns.flatMap(({ name, type, many }) => {
      if (type === 'date') return [timeText(row[name], timeZone)]
      return many === undefined ? [row[name]] : [row[name], namesIn(names, many, row[name])]
    })
    return csvLine([row._id.$oid, ...cells, ...[row.createdAt, row.updatedAt].map((at) => timeText(at, timeZone))])
  })
  return csvFile([csvLine(['_id', ...titles, timeIn('createdAt'), timeIn('updatedAt')]), ...lines])
}
