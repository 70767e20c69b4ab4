// Writes rows: by columns, with their cells, values, events and idempotency keys, of many requests in one transaction; and as records of their own.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { tenantBatcher } from '../../concurrency/tenant-batcher.ts'
import { inProgress } from '../../core/idempotency-claim.ts'
import { isId, newId, type RowKey } from '../../core/ids.ts'
import { STATEMENT_CHARACTERS } from '../../core/limits.ts'
import { invalid, notFound, Problem } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { bisectOnError } from '../../engine/bisect-on-error.ts'
import { claimAlone } from '../../engine/idempotency.ts'
import { type OperationSemaphores, type Operations, operations } from '../../engine/operations.ts'
import type { Item, ItemResult, ItemWithId } from '../../engine/record.ts'
import { bodySchema } from '../../engine/schema.ts'
import { store } from '../../engine/store.ts'
import { isTooLarge, tooLarge, writing } from '../../engine/writing.ts'
import { flagValues, writeCells, writeValues } from './cells.ts'
import { updateCustomers } from './customer-columns.ts'
import {
  checkHeld,
  customersOf,
  holdCustomersOf,
  type LockedRows,
  lockedBatches,
  lockKey,
  lockTables,
  type RowPlace,
} from './locks.ts'
import { customTableRow, oidOf, refusedMember } from './resources.ts'
import {
  changeRow,
  concernedCustomers,
  type KnownItem,
  lengthOf,
  noTable,
  notAnObject,
  type RowItem,
  type RowState,
  stateOf,
} from './row-state.ts'
import type { SchemaCache } from './schema-cache.ts'
import { danglingColumns, readTable, type Table } from './table.ts'

const { insert, replace } = store(customTableRow)
const { shown } = writing(customTableRow)

/** Makes the function that writes one row. The text of its result is the answer. */
export function rowWriter(
  database: Database,
  contended: FairSemaphore,
  schemas: SchemaCache,
): (item: RowItem) => Promise<ItemResult> {
  const gathered = lockedBatches(database, contended, {
    prepare: withCurrentTables,
    placesOf,
    namedBy,
    write,
    conflict: customTableRow.conflict,
  })
  return async (item) => {
    const misshapen = item.verb === 'deleted' ? undefined : notAnObject(item.value)
    if (misshapen) return misshapen
    const table = await schemas.table(item.scope.companyId, item.name)
    if (table === undefined) return noTable(item.name)
    return gathered({ ...item, table })
  }
}

/** A write with the table after it is locked; undefined for one that was deleted or renamed. */
interface LockedItem {
  readonly item: KnownItem
  readonly table: Table | undefined
}

/** The place of an existing row that an item changes. */
const placesOf = ({ item: { scope, id = '' }, table }: LockedItem): RowPlace[] =>
  isId(id) ? [{ companyId: scope.companyId, id, isExtension: table?.link !== undefined }] : []

/** The customer that an item gives its row to. */
function namedBy({ item: { scope, verb, value }, table }: LockedItem): RowKey[] {
  if (table?.link === undefined || verb === 'deleted') return []
  const { name, defaultValue } = table.link
  const sent = Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined
  const id = sent === undefined && verb === 'created' ? defaultValue : sent
  return typeof id === 'string' ? [{ companyId: scope.companyId, id }] : []
}

/** Writes rows, all or none: an item's problem is thrown, and the others are tried without it. */
async function write(
  transaction: Queryable,
  writes: readonly LockedItem[],
  held: LockedRows,
): Promise<(ItemResult | undefined)[]> {
  const now = new Date().toISOString()
  const states = new Map<string, RowState>()
  let characters = 0
  const outcomes = writes.map(({ item, table }): ItemResult | undefined => {
    if (table === undefined) return noTable(item.name)
    const { companyId } = item.scope
    const id = item.id ?? newId()
    const key = lockKey({ companyId, id })
    if (characters > STATEMENT_CHARACTERS || held.left.has(key)) return undefined
    // Each write is also an event of the customer, so the next write of the row has to go into the next transaction.
    if (table.link && states.has(key)) return undefined
    const state = states.get(key) ?? stateOf(item, table, id, held.rows.get(key), now)
    if (state === undefined || state.record.isDeleted) return notFound('row', id)
    const reported = state.events.length
    const answer = changeRow(state, item, now)
    if (!(answer instanceof Problem)) states.set(key, state)
    characters += lengthOf(state.events.slice(reported))
    return answer
  })
  const all = [...states.values()]
  const dangling = await danglingColumns(
    transaction,
    all.map(({ companyId, table, changed }) => ({ companyId, columns: table.columns, changed })),
  )
  if (dangling.length > 0) throw invalid(dangling)
  if (all.some(({ cells }) => isTooLarge(JSON.stringify(cells)))) throw tooLarge()
  await writeRows(transaction, all)
  const touched = all.filter(({ changed, record }) => changed.size > 0 && !record.isDeleted)
  const cellsWrites = touched.map(({ companyId, id, table, cells, changed }) => ({
    companyId,
    rowId: id,
    tableId: table.id,
    cells: JSON.stringify(cells),
    changed,
    linkedBy: table.link && changed.has(table.link.id) ? table.link.id : undefined,
  }))
  await writeCells(transaction, cellsWrites, now)
  await writeValues(transaction, cellsWrites, now)
  const gone = all.filter(({ record }) => record.isDeleted)
  await flagValues(
    transaction,
    gone.map(({ companyId, id }) => ({ companyId, rowId: id })),
    now,
  )
  const scope = writes[0]?.item.scope
  if (scope) await updateCustomers(transaction, scope, [...touched, ...gone].flatMap(concernedCustomers))
  return outcomes
}

/** Locks the tables of items, and reads those that have changed. */
async function withCurrentTables(transaction: Queryable, items: readonly KnownItem[]): Promise<LockedItem[]> {
  const held = await lockTables(
    transaction,
    items.map(({ table }) => table),
    'shared',
  )
  const read = new Map<string, Table | undefined>()
  const writes: LockedItem[] = []
  for (const item of items) {
    const { table, name } = item
    const key = lockKey(table)
    const version = held.get(key)?.version
    if (version !== undefined && version !== table.version && !read.has(key))
      read.set(key, await readTable(transaction, table.companyId, table.id))
    const now = version === table.version ? table : read.get(key)
    writes.push({ item, table: now?.name === name ? now : undefined })
  }
  return writes
}

/** Writes the rows with their events and keys. Throws `idempotency_in_progress` if another request has a key. */
async function writeRows(transaction: Queryable, states: readonly RowState[]): Promise<void> {
  const rows = states.map((state) => ({
    scope: state.scope,
    id: state.id,
    version: state.version,
    body: shown(state.record),
    events: state.events,
    claims: state.claims,
    isNew: state.isNew,
  }))
  const made = rows.filter(({ isNew }) => isNew)
  const changed = rows.filter(({ isNew, events }) => !isNew && events.length > 0)
  const unchanged = rows.filter(({ events }) => events.length === 0).flatMap(({ claims }) => claims)
  const results = [
    ...(made.length > 0 ? await insert(transaction, made) : []),
    ...(changed.length > 0 ? await replace(transaction, changed, true) : []),
  ]
  const had = unchanged.length > 0 ? await claimAlone(transaction, unchanged) : []
  if (results.some((result) => result !== 'written') || had.includes(false)) throw inProgress()
}

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
