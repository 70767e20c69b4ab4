// How writes are put into transactions: schema changes one after the other, rows in batches that are limited in size.

import type { BatchItem } from '../../concurrency/batch.ts'
import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { tenantBatcher } from '../../concurrency/tenant-batcher.ts'
import type { RowKey } from '../../core/ids.ts'
import { deadlinePassed, orThrow, Problem } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { bisectOnError, retriedTransaction } from '../../engine/bisect-on-error.ts'
import type { Operations } from '../../engine/operations.ts'
import type { Item, ItemResult, ItemWithId } from '../../engine/record.ts'
import { partOf } from '../../engine/store.ts'
import { holdRows, type LockedRows, lockRows, type RowPlace } from './locks.ts'

/** The work of one item, in its transaction; a Problem, thrown or returned, rolls it back. */
export type Work<I extends Item> = (transaction: Queryable, item: I) => Promise<ItemResult>

/**
 * Makes a single operation of such work. Items wait like those of the engine, and are then done one after the other:
 * schemas change rarely. An item whose caller is gone by then is not begun (503). `done` is called once an item's
 * change is committed, before it is answered.
 */
export function serializedWrites<I extends Item>(
  database: Database,
  contended: FairSemaphore,
  work: Work<I>,
  done: (item: I) => void,
): (item: I) => Promise<ItemResult> {
  const run = (item: I) =>
    retriedTransaction(database, async (transaction) => orThrow(await work(transaction, item))).finally(() =>
      done(item),
    )
  const gathered = tenantBatcher(async (items: I[]) => {
    const settled: PromiseSettledResult<ItemResult>[] = []
    for (const item of items) {
      const outcome = item.isGone?.() ? Promise.reject(deadlinePassed()) : run(item)
      settled.push(...(await Promise.allSettled([outcome])))
    }
    return settled
  }, contended)
  return async (item) => {
    const settled = await gathered(item)
    if (settled.status === 'fulfilled') return settled.value
    if (settled.reason instanceof Problem && settled.reason.status < 500) return settled.reason
    throw settled.reason
  }
}

/** The result of one item of the engine's own operation, inside a transaction. */
export const createOne = async (own: Operations, transaction: Queryable, item: Item): Promise<ItemResult> =>
  (await own.createMany([item], transaction))[0] as ItemResult
export const updateOne = async (own: Operations, transaction: Queryable, item: ItemWithId): Promise<ItemResult> =>
  (await own.updateMany([item], transaction))[0] as ItemResult
export const removeOne = async (own: Operations, transaction: Queryable, item: ItemWithId): Promise<ItemResult> =>
  (await own.removeMany([item], transaction))[0] as ItemResult

/**
 * The results of items. `run` handles as many as one transaction should, at least the first, in order if they concern
 * one row, and leaves the others undefined; these come in the next transaction, unless their callers are gone. If the
 * database fails, the items handled before keep their results.
 */
export async function sizeLimitedBatches<I extends BatchItem>(
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

/** How items are written once everything is locked. */
interface LockedWrite<I> {
  /** The rows that an item changes, and the customers that it gives them to. */
  readonly placesOf: (item: I) => readonly RowPlace[]
  readonly namedBy: (item: I) => readonly RowKey[]
  readonly write: (transaction: Queryable, items: readonly I[], held: LockedRows) => Promise<(ItemResult | undefined)[]>
  readonly conflict: string
}

/**
 * Locks everything before any of it is written: a refused item rolls its writes back, which would release locks taken
 * after the savepoint and take them again after others. Items beyond the size limit get no result.
 */
export async function lockAndWrite<I>(
  database: Database,
  transaction: Queryable,
  items: readonly I[],
  { placesOf, namedBy, write, conflict }: LockedWrite<I>,
): Promise<(ItemResult | undefined)[]> {
  let held: LockedRows | undefined = await holdRows(transaction, items.flatMap(placesOf), items.flatMap(namedBy))
  const settling = { connection: transaction, database, needsTransaction: true, conflict }
  return bisectOnError(settling, items, async (transaction, some) => {
    // Once some items are written, the rows that were read before are stale.
    const rows = held ?? (await lockRows(transaction, some.flatMap(placesOf)))
    held = undefined
    return write(transaction, some, rows)
  })
}
