// Rows written as records of their own: created in an existing table, deleted with their values.

import { tenantBatcher } from '../../concurrency/tenant-batcher.ts'
import { isId } from '../../core/ids.ts'
import { Problem } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { bisectOnError } from '../../engine/bisect-on-error.ts'
import { type OperationSemaphores, type Operations, operations } from '../../engine/operations.ts'
import type { Item, ItemResult, ItemWithId } from '../../engine/record.ts'
import { bodySchema } from '../../engine/schema.ts'
import { flagValues } from './cells.ts'
import { updateCustomers } from './customer-events.ts'
import { checkHeld, customersOf, holdCustomersOf, lockKey, lockTables } from './locks.ts'
import { customTableRow, oidOf, refusedMember } from './resources.ts'

/** Makes the operations of rows. */
export function rowOperations(database: Database, semaphores: OperationSemaphores): Operations {
  const own = operations(customTableRow, database, semaphores)
  const schema = bodySchema(customTableRow)
  const settling = { connection: database, database, needsTransaction: true, conflict: customTableRow.conflict }

  async function createRows(transaction: Queryable, items: readonly Item[]): Promise<ItemResult[]> {
    const tables = items.map(({ scope, value }) => ({
      companyId: scope.companyId,
      id: oidOf(schema.create(value), 'tableId'),
    }))
    const held = await lockTables(transaction, tables, 'shared')
    const isMissing = tables.map((table) => table.id !== '' && !held.has(lockKey(table)))
    const outcomes: ItemResult[] = items.map(() => refusedMember('tableId', 'is not a custom table of the company'))
    const good = items.flatMap((item, n) => (isMissing[n] ? [] : [{ item, n }]))
    const done = await own.createMany(
      good.map(({ item }) => item),
      transaction,
    )
    good.forEach(({ n }, k) => {
      outcomes[n] = done[k] as ItemResult
    })
    return outcomes
  }

  async function removeRows(transaction: Queryable, items: readonly ItemWithId[]): Promise<ItemResult[]> {
    const keys = items.map(({ scope, id }) => ({ companyId: scope.companyId, id: isId(id) ? id : '' }))
    const found = await transaction.query(
      `select stored.company_id, stored.id, stored.table_id from unnest($1::text[], $2::text[]) as item(company_id, id)
       join custom_table_rows as stored on stored.company_id = item.company_id and stored.id = item.id`,
      [keys.map(({ companyId }) => companyId), keys.map(({ id }) => id)],
    )
    const rows = found.map(([companyId, id, tableId]) => ({ companyId, id, table: { companyId, id: tableId } }))
    const tables = await lockTables(
      transaction,
      rows.map(({ table }) => table),
      'shared',
    )
    const extending = rows.filter(({ table }) => tables.get(lockKey(table))?.isExtension)
    const held = await holdCustomersOf(transaction, extending)
    const outcomes = await own.removeMany(items, transaction)
    const gone = keys.filter((_, n) => !(outcomes[n] instanceof Problem))
    const goneKeys = new Set(gone.map(lockKey))
    await flagValues(
      transaction,
      gone.map(({ companyId, id }) => ({ companyId, rowId: id })),
      new Date().toISOString(),
    )
    const shown = await customersOf(
      transaction,
      extending.filter((row) => goneKeys.has(lockKey(row))),
    )
    checkHeld(held, shown)
    const scope = items[0]?.scope
    if (scope) await updateCustomers(transaction, scope, shown)
    return outcomes
  }

  return {
    ...own,
    create: tenantBatcher((items: Item[]) => bisectOnError(settling, items, createRows), semaphores.contended),
    remove: tenantBatcher((items: ItemWithId[]) => bisectOnError(settling, items, removeRows), semaphores.contended),
  }
}
