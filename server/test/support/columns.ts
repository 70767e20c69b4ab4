// The check that the columns by which lists filter and sort equal the records, whatever has written them.
import assert from 'node:assert/strict'
import type { Database } from '../../src/database/connect.ts'
import { resources } from '../../src/resources/index.ts'
import { columnDiffers } from './tables.ts'

/** A database, and the organization of the test file where files of a process share it: others check their own rows. */
interface Written {
  readonly database: Database
  readonly organizationId?: string
}

/** The ids of the rows whose columns differ from their bodies, by table; and the number of all rows. */
export async function differingColumns({
  database,
  organizationId,
}: Written): Promise<{ differing: string[]; rows: number }> {
  const own = 'company_id in (select id from companies where organization_id = $1)'
  const each = resources.map(
    (resource) =>
      `select '${resource.table}', count(*), array_agg(id) filter (where ${columnDiffers(resource)}) from ${resource.table} where ${organizationId === undefined ? 'true' : own}`,
  )
  const counted = await database.query(each.join(' union all '), organizationId === undefined ? [] : [organizationId])
  return {
    differing: counted.flatMap(([table, , ids]) => (ids ?? []).map((id: string) => `${table} ${id}`)),
    rows: counted.reduce((sum, [, rows]) => sum + rows, 0),
  }
}

/** Asserts that what a test file has written is found by lists as it is shown. */
export async function assertColumns(written: Written): Promise<void> {
  const { differing, rows } = await differingColumns(written)
  assert.deepEqual(differing, [])
  assert.ok(rows > 0)
}
