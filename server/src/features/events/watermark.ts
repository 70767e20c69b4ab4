// The watermark of a company's feed: beyond it, writers that have their numbers but have not committed may still add
// events.

import type { BatchItem } from '../../concurrency/batch.ts'
import { batcher } from '../../concurrency/batcher.ts'
import type { IsGone } from '../../core/is-gone.ts'
import type { Database } from '../../database/connect.ts'

/**
 * The number up to which all events of a company can be read, or never will exist. It may move backwards a little from
 * call to call, but never below what it has vouched for. Rejects with 503 if there is no room to wait.
 */
type SettledUpTo = (companyId: string, isGone?: IsGone) => Promise<number>

/**
 * Makes the function; calls in the same tick share a statement. Events must be read by a later statement, and neither
 * statement in a transaction, whose snapshot might be older.
 */
export function watermarkOf(database: Database): SettledUpTo {
  const ask = batcher(async (items: BatchItem[]) => {
    const companies = [...new Set(items.map(({ scope }) => scope.companyId))]
    const rows = await database.query({ name: 'events_settled', text: 'select * from events_settled($1)' }, [companies])
    const settled = new Map<string, number>(rows.map(([companyId, number]) => [companyId, number]))
    return items.map(({ scope }) => settled.get(scope.companyId) as number)
  })
  return (companyId, isGone) => ask({ scope: { companyId }, isGone })
}
