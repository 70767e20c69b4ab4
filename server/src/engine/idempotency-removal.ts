// Removes responses that were kept for retries: once they are too old, and when the key that sealed them is lost.

import { sealedPrefix } from '../core/idempotency-claim.ts'
import { type Database, isTimeout } from '../database/connect.ts'
import { retryOnConflict } from './bisect-on-error.ts'

/** Milliseconds for which the response of a key is kept (decisions §12). */
const IDEMPOTENCY_KEPT_MS = 24 * 60 * 60 * 1000
/**
 * Rows that one statement removes: 7 ms for responses of 1 KB, 90 ms for ones of 100 KB; larger ones may take several
 * tries, each with half as many.
 */
const IDEMPOTENCY_ROWS_CLEARED = 500

/**
 * Removes expired responses in small batches, so that nothing waits for it. It uses their index on time, and stops
 * between two batches when `isOver`. Two servers may do it at once: each skips what the other has removed.
 */
export async function clearKept(database: Database, isOver: () => boolean = () => false): Promise<void> {
  const oldest = new Date(Date.now() - IDEMPOTENCY_KEPT_MS).toISOString()
  await inBatches(async (rows) => {
    if (isOver()) return true
    const [gone] = await database.query(
      `with gone as (
         delete from idempotency_keys as kept
         using (select owner_id, key from idempotency_keys where created_at < $1 order by created_at limit $2) as old
         where kept.owner_id = old.owner_id and kept.key = old.key returning 1
       )
       select count(*) from gone`,
      [oldest, rows],
    )
    return gone?.[0] < rows
  })
}

/** Removes every sealed response, in the order of the keys. Returns how many there were. */
export async function removeSealed(database: Database): Promise<number> {
  let removed = 0
  let last = ['', '']
  await inBatches(async (rows) => {
    const [batch] = await database.query(
      // Only the beginning of a long response is read.
      `with batch as (
         select owner_id, key from idempotency_keys where (owner_id, key) > ($1, $2) order by owner_id, key limit $3
       ), gone as (
         delete from idempotency_keys as kept using batch
         where kept.owner_id = batch.owner_id and kept.key = batch.key and left(kept.answer, $4) = $5 returning 1
       )
       select owner_id, key, (select count(*) from gone) from batch order by owner_id desc, key desc limit 1`,
      [...last, rows, sealedPrefix.length, sealedPrefix],
    )
    if (batch === undefined) return true
    const [ownerId, key, gone] = batch
    removed += gone
    last = [ownerId, key]
    return false
  })
  return removed
}

/**
 * Repeats `batch`, a statement over a number of rows, until it reports that nothing is left. Rows may be as large as
 * the longest response: a statement that takes too long is retried with half as many.
 */
async function inBatches(batch: (rows: number) => Promise<boolean>): Promise<void> {
  let rows = IDEMPOTENCY_ROWS_CLEARED
  for (let isDone = false; !isDone; )
    try {
      isDone = await retryOnConflict(() => batch(rows))
    } catch (error) {
      if (rows === 1 || !isTimeout(error)) throw error
      rows = Math.ceil(rows / 2)
    }
}
