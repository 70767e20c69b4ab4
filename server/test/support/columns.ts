// The check that the columns by which lists filter and sort equal the records, whatever has written them.
import assert from 'node:assert/strict'
import type { Database } from '../../src/database/connect.ts'
import { resources } from '../../src/resources/index.ts'
import { columnDiffers } from './tables.ts'

/** The ids of the rows whose columns differ from their bodies, by table; and the number of all rows. */
export async function differingColumns(database: Database): Promise<{ differing: string[]; rows: number }> {
  const each = resources.map(
    (resource) =>
      `select '${resource.table}', count(*), array_agg(id) filter (where ${columnDiffers(resource)}) from ${resource.table}`,
  )
  const counted = await database.query(each.join(' union all '))
  return {
    differing: counted.flatMap(([table, , ids]) => (ids ?? []).map((id: string) => `${table} ${id}`)),
    rows: counted.reduce((sum, [, rows]) => sum + rows, 0),
  }
}

/** Asserts that what a test file has written is found by lists as it is shown. */
export async function assertColumns(database: Database): Promise<void> {
  const { differing, rows } = await differingColumns(database)
  assert.deepEqual(differing, [])
  assert.ok(rows > 0)
}
