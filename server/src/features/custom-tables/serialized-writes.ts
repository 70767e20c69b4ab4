// Serialized writes that need several statements around the engine's own: batched like single writes, each in a
// transaction.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { tenantBatcher } from '../../concurrency/tenant-batcher.ts'
import { late, Problem } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { retryOnConflict } from '../../engine/bisect-on-error.ts'
import type { Operations } from '../../engine/operations.ts'
import type { Item, ItemResult, ItemWithId } from '../../engine/record.ts'

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
    retryOnConflict(() =>
      database.transaction(async (transaction) => {
        const outcome = await work(transaction, item)
        if (outcome instanceof Problem) throw outcome
        return outcome
      }),
    ).finally(() => done(item))
  const gathered = tenantBatcher(async (items: I[]) => {
    const settled: PromiseSettledResult<ItemResult>[] = []
    for (const item of items) {
      const outcome = item.isGone?.() ? Promise.reject(late()) : run(item)
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
export const created = async (own: Operations, transaction: Queryable, item: Item): Promise<ItemResult> =>
  (await own.createMany([item], transaction))[0] as ItemResult
export const updated = async (own: Operations, transaction: Queryable, item: ItemWithId): Promise<ItemResult> =>
  (await own.updateMany([item], transaction))[0] as ItemResult
export const removed = async (own: Operations, transaction: Queryable, item: ItemWithId): Promise<ItemResult> =>
  (await own.removeMany([item], transaction))[0] as ItemResult
