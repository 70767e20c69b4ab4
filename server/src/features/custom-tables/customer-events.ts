// Writing rows changes the columns of their customers: it moves `updatedAt` and raises `customer.updated` (decisions §7).

import { later } from '../../core/date-time.ts'
import { newId, type RowKey } from '../../core/ids.ts'
import { Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Queryable } from '../../database/connect.ts'
import type { Key } from '../../engine/record.ts'
import type { Resource } from '../../engine/resource.ts'
import { partOf, type RowToReplace, type StoredRow, store } from '../../engine/store.ts'
import { writing } from '../../engine/writing.ts'
import { customer } from '../../resources/customer.ts'
import { customerColumns } from './customer-columns.ts'
import { showRows } from './customer-rows.ts'
import { inOrder } from './locks.ts'
import type { Extensions } from './schema-cache.ts'
import { customers, readTable, type Table } from './table.ts'

/** The customer resource with the columns that a company's tables add. */
export function extendedCustomer(extensions: Extensions): Resource {
  const view = customerColumns(extensions)
  return {
    ...customer,
    fields: { ...customer.fields, ...view.fields },
    projection: view,
    isProjected: extensions.tables.length > 0,
  }
}

/**
 * Updates the rows shown in customers (`showRows`). For each customer whose columns changed, moves `updatedAt` and raises one
 * `customer.updated`. For writes of rows, values and table data; a write through the customer raises its own
 * event. The caller has locked all customers; they belong to the scope's company.
 */
export async function updateCustomers(transaction: Queryable, scope: Scope, owners: readonly RowKey[]): Promise<void> {
  const keys = inOrder(owners).map(({ id }): Key => ({ scope, id }))
  if (keys.length === 0) return
  const resource = extendedCustomer({ tables: await extendingTables(transaction, scope), version: 0 })
  const { find, replace } = store(resource)
  let part = Number.POSITIVE_INFINITY
  for (let at = 0; at < keys.length; ) {
    const asked = keys.slice(at, at + part)
    const before = await find(transaction, asked)
    const some = asked.slice(0, before.length)
    await showRows(
      transaction,
      some.map(({ id }) => ({ companyId: scope.companyId, id })),
    )
    // Customers may have grown, so a statement may return fewer than before.
    for (let from = 0; from < some.length; ) {
      const after = await find(transaction, some.slice(from))
      const rows = after.flatMap((row, n) => rewritten(resource, some[from + n] as Key, before[from + n], row))
      if (rows.length > 0 && (await replace(transaction, rows, true)).some((result) => result !== 'written'))
        throw new Error('Another transaction changed a locked customer.')
      from += after.length
    }
    part = partOf(asked.length, before.length)
    at += before.length
  }
}

/** The company's tables that extend customers, in order of creation, as the transaction sees them. */
async function extendingTables(transaction: Queryable, { companyId }: Scope): Promise<Table[]> {
  const rows = await transaction.query(
    {
      name: 'custom_tables_extending',
      text: `
      select stored.id from custom_tables as stored
      where stored.company_id = $1 and exists (
        select from custom_table_fields as field
        where field.company_id = stored.company_id and field.linked = $2 and field.table_id = stored.id)
      order by stored.created_at, stored.id`,
    },
    [companyId, customers],
  )
  const tables: Table[] = []
  for (const [id] of rows) {
    const table = await readTable(transaction, companyId, id)
    if (table?.link) tables.push(table)
  }
  return tables
}

/** The customer's row with its event if its columns have changed. */
function rewritten(
  resource: Resource,
  key: Key,
  before: StoredRow | undefined,
  after: StoredRow | undefined,
): RowToReplace[] {
  if (before === undefined || after === undefined) return []
  if (before.text instanceof Problem || after.text instanceof Problem || before.text === after.text) return []
  const old = JSON.parse(before.text)
  const now = JSON.parse(after.text)
  const previous = Object.fromEntries(
    Object.keys(resource.projection?.fields ?? {})
      .filter((member) => JSON.stringify(old[member]) !== JSON.stringify(now[member]))
      .map((member) => [member, old[member] ?? null]),
  )
  const record = { ...now, updatedAt: later(new Date().toISOString(), now.updatedAt) }
  const { shown, body } = writing(resource)
  const data = shown(record)
  const event = { id: newId(), type: `${customer.name.one}.updated`, data, previous: JSON.stringify(previous) }
  return [{ ...key, version: after.version, body: body(record, data), events: [event], claims: [] }]
}
