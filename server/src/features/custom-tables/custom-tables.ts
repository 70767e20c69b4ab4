// All routes of custom tables: four resources, and rows by the table's name.
import type { Database } from '../../database/connect.ts'
import type { OperationSemaphores } from '../../engine/operations.ts'
import { styleA } from '../../engine/style-a.ts'
import type { Route } from '../../http/route.ts'
import { customTableField } from './field.ts'
import { dataChapter, dataRoutes } from './routes.ts'
import { customTableRow } from './row.ts'
import { rowReads } from './row-reads.ts'
import { rowOperations } from './row-records.ts'
import { rowWriter } from './row-writes.ts'
import { customTable } from './table.ts'
import type { Structures } from './table-schema.ts'
import { structureOperations } from './table-schema-changes.ts'
import { customTableValue } from './value.ts'
import { valueOperations } from './value-records.ts'

/** The chapters of the reference. */
export const customTableChapters: Readonly<Record<string, string>> = {
  ...Object.fromEntries([customTable, customTableField].map(({ title, description }) => [title, description])),
  ...dataChapter,
  ...Object.fromEntries([customTableRow, customTableValue].map(({ title, description }) => [title, description])),
}

/** Those routes, in the order of the reference. */
export function customTableRoutes(database: Database, lanes: OperationSemaphores, structures: Structures): Route[] {
  const { tables, fields } = structureOperations(database, lanes, structures)
  return [
    ...styleA(tables),
    ...styleA(fields),
    ...dataRoutes(rowReads(database, lanes.lists, structures), rowWriter(database, lanes.contended, structures)),
    ...styleA(rowOperations(database, lanes)),
    ...styleA(valueOperations(database, lanes)),
  ]
}
