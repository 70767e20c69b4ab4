// The lock order of custom tables: the table first, then customers, then rows, then values, so that no two writers
// deadlock. Rows that belong to customers are locked after their customer. Rows and values are written in batches, under these locks.

import type { BatchItem } from '../../concurrency/batch.ts'
import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { tenantBatcher } from '../../concurrency/tenant-batcher.ts'
import { isId, type RowKey } from '../../core/ids.ts'
import { STATEMENT_CHARACTERS } from '../../core/limits.ts'
import { deadlinePassed, Problem } from '../../core/problem.ts'
import { type Database, type Queryable, type Statement, serializationFailure } from '../../database/connect.ts'
import { bisectOnError, retriedTransaction } from '../../engine/bisect-on-error.ts'
import { holdRows as holdRecords } from '../../engine/held-rows.ts'
import type { ItemResult } from '../../engine/record.ts'
import { partOf } from '../../engine/store.ts'
import { customers } from './table.ts'

/** A place as a key of maps. */
export const lockKey = ({ companyId, id }: RowKey): string => `${companyId} ${id}`

/** The places, each once, in the lock order of all writers. */
export const inOrder = (places: readonly RowKey[]): RowKey[] =>
  [...new Map(places.map((place) => [lockKey(place), place]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, one]) => one)

/** A locked table, shared or exclusive. */
export interface HeldTable {
  readonly name: string
  readonly version: number
  /** Whether one of its fields refers to customers. */
  readonly isExtension: boolean
}

/**
 * Locks the schema of tables until the transaction ends: shared to write in them, exclusive to change them. Returns the
 * existing ones, by `lockKey`. An advisory lock, not the row's, because row locks let every newcomer share before the
 * waiting exclusive one: under steady writes it would wait forever.
 */
export async function lockTables(
  transaction: Queryable,
  places: readonly RowKey[],
  mode: 'shared' | 'alone',
): Promise<Map<string, HeldTable>> {
  // No such table exists: PostgreSQL would refuse some characters that a path can hold.
  const ordered = inOrder(places).filter(({ id }) => isId(id))
  if (ordered.length === 0) return new Map()
  const values = [ordered.map(({ companyId }) => companyId), ordered.map(({ id }) => id)]
  const lock = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock'
  await transaction.query(
    {
      name: `custom_tables_lock_${mode}`,
      text: `
      select ${lock}(key) from (
        select distinct hashtextextended('custom table ' || item.company_id || ' ' || item.id, 0) as key
        from unnest($1::text[], $2::text[]) as item(company_id, id) order by key
      ) as ordered`,
    },
    values,
  )
  // A separate statement: it must see what was committed before the lock was granted.
  const rows = await transaction.query(
    {
      name: 'custom_tables_versions',
      text: `
      select stored.company_id, stored.id, stored.name, stored.version, exists (
        select from custom_table_fields as field
        where field.company_id = stored.company_id and field.linked = $3 and field.table_id = stored.id)
      from unnest($1::text[], $2::text[]) as item(company_id, id)
      join custom_tables as stored on stored.company_id = item.company_id and stored.id = item.id`,
    },
    [...values, customers],
  )
  return new Map(
    rows.map(([companyId, id, name, version, isExtension]) => [
      lockKey({ companyId, id }),
      { name, version, isExtension },
    ]),
  )
}

/** A locked row. */
export interface HeldRow extends RowKey {
  readonly tableId: string
  readonly version: number
  /** The customer that it belongs to, and the field that refers to that customer: both or none. */
  readonly linkedBy: string | null
  readonly linkedId: string | null
  readonly cellsAt: string
  readonly body: string
  readonly cells: string
}

const parsed = new WeakMap<HeldRow, Readonly<Record<string, string>>>()

/** The cells of a row by field, parsed once for all callers: a long one takes some milliseconds. */
export function cellsIn(row: HeldRow): Readonly<Record<string, string>> {
  const cells = parsed.get(row) ?? JSON.parse(row.cells)
  parsed.set(row, cells)
  return cells
}

/** Locked rows, by `lockKey`. */
export interface LockedRows {
  readonly rows: Map<string, HeldRow>
  /** Rows beyond the size limit, whether they exist or not: they are locked, but were not read. */
  readonly left: ReadonlySet<string>
}

const locking: Statement = {
  name: 'custom_rows_lock',
  most: STATEMENT_CHARACTERS,
  // The cells come last: if they are complete, so is the row.
  text: `
  select stored.company_id, stored.id, stored.table_id, stored.version, stored.linked_by, stored.linked_id,
    stored.cells_at, stored.body, stored.cells
  from unnest($1::text[], $2::text[]) as item(company_id, id)
  join custom_table_rows as stored
    on stored.company_id = item.company_id and stored.id = item.id and not stored.is_deleted
  order by stored.company_id, stored.id for update of stored`,
}

/**
 * Locks live rows until the transaction ends. Reads as many as one statement should carry, at least the first. For rows
 * of tables that extend customers, use `holdRows`.
 */
async function lockRows(transaction: Queryable, places: readonly RowKey[]): Promise<LockedRows> {
  const ordered = inOrder(places)
  if (ordered.length === 0) return { rows: new Map(), left: new Set() }
  const found = await transaction.query(locking, [
    ordered.map(({ companyId }) => companyId),
    ordered.map(({ id }) => id),
  ])
  const came = found.filter((row) => row[8] !== null)
  const rows = new Map(
    came.map(([companyId, id, tableId, version, linkedBy, linkedId, cellsAt, body, cells]) => [
      lockKey({ companyId, id }),
      { companyId, id, tableId, version, linkedBy, linkedId, cellsAt, body, cells },
    ]),
  )
  const keys = ordered.map(lockKey)
  const [companyId, id] = came.at(-1) ?? []
  const left = came.length === found.length ? [] : keys.slice(keys.indexOf(lockKey({ companyId, id })) + 1)
  return { rows, left: new Set(left) }
}

/** Locks customers until the transaction ends, in the order of all code that writes customers; skips missing ones. */
export const holdCustomers = (transaction: Queryable, places: readonly RowKey[]): Promise<void> =>
  holdRecords(
    transaction,
    customers,
    places.map(({ companyId, id }) => ({ scope: { companyId }, id })),
  )

/** The customers that rows currently belong to; locks nothing. */
export async function customersOf(transaction: Queryable, rows: readonly RowKey[]): Promise<RowKey[]> {
  if (rows.length === 0) return []
  const found = await transaction.query(
    {
      name: 'custom_rows_customers',
      text: `
      select stored.company_id, stored.linked_id
      from unnest($1::text[], $2::text[]) as item(company_id, id)
      join custom_table_rows as stored on stored.company_id = item.company_id and stored.id = item.id
      where stored.linked_by is not null`,
    },
    [rows.map(({ companyId }) => companyId), rows.map(({ id }) => id)],
  )
  return found.map(([companyId, id]) => ({ companyId, id }))
}

/** Throws a serialization failure, so that everything is retried, if a row now belongs to a customer that is not locked. */
export function checkHeld(held: ReadonlySet<string>, owners: readonly RowKey[]): void {
  if (owners.some((owner) => !held.has(lockKey(owner))))
    throw serializationFailure('A concurrent request gave the row to another customer.')
}

/**
 * Locks the customers that rows currently belong to, and `others`; returns their keys. After locking the rows, the caller
 * must check that they still belong to these customers (`checkHeld`). Before that it is not certain, and after that it
 * is too late to wait for another customer.
 */
export async function holdCustomersOf(
  transaction: Queryable,
  rows: readonly RowKey[],
  others: readonly RowKey[] = [],
): Promise<ReadonlySet<string>> {
  const places = [...(await customersOf(transaction, rows)), ...others]
  await holdCustomers(transaction, places)
  return new Set(places.map(lockKey))
}

/** A row to be locked. */
export interface RowPlace extends RowKey {
  /** Whether it is in a table that extends customers. */
  readonly isExtension: boolean
}

/**
 * Locks rows, and before them the customers that they belong to or will belong to. Rows of tables that extend no
 * customers cost no statement for it.
 */
async function holdRows(
  transaction: Queryable,
  rows: readonly RowPlace[],
  named: readonly RowKey[],
): Promise<LockedRows> {
  const extending = rows.filter(({ isExtension }) => isExtension)
  const held = await holdCustomersOf(transaction, extending, named)
  const locked = await lockRows(transaction, rows)
  const keys = new Set(extending.map(lockKey))
  checkHeld(
    held,
    [...locked.rows].flatMap(([key, row]) => (keys.has(key) ? ownerOf(row) : [])),
  )
  return locked
}

/** The customer that a locked row belongs to, if any. */
export const ownerOf = ({ companyId, linkedId }: HeldRow): RowKey[] =>
  linkedId === null ? [] : [{ companyId, id: linkedId }]

/**
 * The results of items. `run` handles as many as one transaction should, at least the first, in order if they concern
 * one row, and leaves the others undefined; these come in the next transaction, unless their callers are gone. If the
 * database fails, the items handled before keep their results.
 */
async function sizeLimitedBatches<I extends BatchItem>(
  database: Database,
  items: readonly I[],
  run: (transaction: Queryable, items: readonly I[]) => Promise<(ItemResult | undefined)[]>,
): Promise<ItemResult[]> {
  const outcomes: ItemResult[] = new Array(items.length)
  let waiting = items.map((item, index) => ({ item, index }))
  let part = Number.POSITIVE_INFINITY
  while (waiting.length > 0) {
    const asked = waiting.slice(0, part)
    const some = asked.map(({ item }) => item)
    const done = await retriedTransaction(database, (transaction) => run(transaction, some)).catch((error) => {
      if (!(error instanceof Problem)) throw error
      return waiting.map(() => error)
    })
    for (const [n, outcome] of done.entries())
      if (outcome) outcomes[(waiting[n] as (typeof waiting)[0]).index] = outcome
    part = partOf(asked.length, done.filter((outcome) => outcome !== undefined).length)
    waiting = waiting.filter(({ item, index }) => {
      if (outcomes[index]) return false
      if (item.isGone?.()) outcomes[index] = deadlinePassed()
      return outcomes[index] === undefined
    })
  }
  return outcomes
}

/** How items are written in batches. */
interface LockedBatches<I, P> {
  /** Locks the tables of items, and reads what is needed to lock and check the items. */
  readonly prepare: (transaction: Queryable, items: readonly I[]) => Promise<P[]>
  /** The rows that an item changes, and the customers that it gives them to. */
  readonly placesOf: (item: P) => readonly RowPlace[]
  readonly namedBy: (item: P) => readonly RowKey[]
  /** Writes items whose rows are locked; those beyond the size limit get no result. */
  readonly write: (transaction: Queryable, items: readonly P[], held: LockedRows) => Promise<(ItemResult | undefined)[]>
  readonly conflict: string
}

/**
 * Makes an operation that locks everything of a batch before any of it is written: a refused item rolls its writes
 * back, which would release locks taken after the savepoint and take them again after others.
 */
export function lockedBatches<I extends BatchItem, P>(
  database: Database,
  contended: FairSemaphore,
  { prepare, placesOf, namedBy, write, conflict }: LockedBatches<I, P>,
): (item: I) => Promise<ItemResult> {
  async function run(transaction: Queryable, items: readonly I[]) {
    const prepared = await prepare(transaction, items)
    let held: LockedRows | undefined = await holdRows(
      transaction,
      prepared.flatMap(placesOf),
      prepared.flatMap(namedBy),
    )
    const settling = { connection: transaction, database, needsTransaction: true, conflict }
    return bisectOnError(settling, prepared, async (transaction, some) => {
      // Once some items are written, the rows that were read before are stale.
      const rows = held ?? (await lockRows(transaction, some.flatMap(placesOf)))
      held = undefined
      return write(transaction, some, rows)
    })
  }
  return tenantBatcher((items: I[]) => sizeLimitedBatches(database, items, run), contended)
}
