// The formats of customer files.

import { type Export, exportOf } from '../table.ts'
import { customerTables } from './layouts.ts'
import { loadCustomers } from './write.ts'

/** What the columns become, if that is not called as in the file's table. */
const shown = { id: 'externalId', name: 'firstName', note: 'notes' }

export const customerFormats: readonly Export[] = customerTables.map((table) =>
  exportOf(table, shown, (loading) => loadCustomers(table, loading)),
)
