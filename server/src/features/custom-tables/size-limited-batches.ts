// Batched writes, split into as many transactions as their size requires: many long rows never fill the memory.

import type { BatchItem } from '../../concurrency/batch.ts'
import { late, Problem } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { retryOnConflict } from '../../engine/bisect-on-error.ts'
import type { ItemResult } from '../../engine/record.ts'
import { partOf } from '../../engine/store.ts'

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
    const done = await retryOnConflict(() => database.transaction((transaction) => run(transaction, some))).catch(
      (error) => {
        if (!(error instanceof Problem)) throw error
        return waiting.map(() => error)
      },
    )
    for (const [n, outcome] of done.entries())
      if (outcome) outcomes[(waiting[n] as (typeof waiting)[0]).index] = outcome
    part = partOf(asked.length, done.filter((outcome) => outcome !== undefined).length)
    waiting = waiting.filter(({ item, index }) => {
      if (outcomes[index]) return false
      if (item.isGone?.()) outcomes[index] = late()
      return outcomes[index] === undefined
    })
  }
  return outcomes
}
