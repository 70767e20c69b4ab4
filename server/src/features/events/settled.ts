// Up to which event a company's feed can be read: what stands further on may still get events before it, by writers that have their numbers and have not committed.

import { type Gathered, gather } from '../../concurrency/batcher.ts'
import type { Database } from '../../database/connect.ts'

/**
 * The number up to which all events of a company are there to be read, or never will be. It may fall back a little from one
 * time to the next, never behind what it has vouched for. Rejects with 503 when there is no room to wait.
 */
type SettledUpTo = (companyId: string, isGone?: () => boolean) => Promise<number>

/**
 * Makes the function; those who ask at the same tick share a statement. What is read must be read by a later statement, and
 * neither of them in a transaction, which might see the database as it was before.
 */
export function settledUpTo(database: Database): SettledUpTo {
  const ask = gather(async (items: Gathered[]) => {
    const companies = [...new Set(items.map(({ scope }) => scope.companyId))]
    const rows = await database.query({ name: 'events_settled', text: 'select * from events_settled($1)' }, [companies])
    const settled = new Map<string, number>(rows.map(([companyId, number]) => [companyId, number]))
    return items.map(({ scope }) => settled.get(scope.companyId) as number)
  })
  return (companyId, isGone) => ask({ scope: { companyId }, isGone })
}
