// Changes the state of thousands of deliveries, in SQL and in batches: restarted, or given up.

import {
  DELIVERIES_REWRITTEN,
  DELIVERIES_REWRITTEN_AT_ONCE,
  DELIVERIES_REWRITTEN_CHARACTERS,
} from '../../core/limits.ts'
import type { Queryable } from '../../database/connect.ts'
import type { TriggerKey } from './deliveries.ts'

/**
 * What becomes of deliveries, in SQL over `stored`: those that meet `condition`, in order; afterwards they no longer
 * meet it.
 */
interface Rewriting {
  readonly condition: string
  readonly order: string
  /** The new state and the time of the next attempt, as expressions of text; null for none. */
  readonly state: string
  readonly nextAttemptAt: string
  readonly tries: string
}

/** SQL that writes the row `stored` in another state. */
export const rewritten = ({ state, nextAttemptAt, tries }: Omit<Rewriting, 'condition' | 'order'>): string => `
      body = (
        select json_strip_nulls(json_build_object(
          'id', old.id, 'triggerId', old."triggerId", 'eventId', old."eventId", 'eventType', old."eventType",
          'sequence', old.sequence, 'state', ${state}, 'attempts', old.attempts, 'nextAttemptAt', ${nextAttemptAt},
          'createdAt', old."createdAt", 'updatedAt', greatest(iso_time(now()), old."updatedAt"), 'companyId', old."companyId"
        ))
        from json_to_record(stored.body) as old(
          id text, "triggerId" text, "eventId" text, "eventType" text, sequence bigint, attempts json,
          "createdAt" text, "updatedAt" text, "companyId" text
        )
      ), version = stored.version + 1, next_at = (${nextAttemptAt})::timestamptz, tries = ${tries}`

/**
 * Rewrites a trigger's deliveries in batches, as many as one request or step should; returns how many, and whether
 * there may be more. `values` are $4 and following in the condition.
 */
export async function rewrite(
  connection: Queryable,
  { companyId, triggerId }: TriggerKey,
  rewriting: Rewriting,
  values: readonly unknown[] = [],
): Promise<{ count: number; hasMore: boolean }> {
  const { condition, order } = rewriting
  const own = `stored.company_id = $1 and stored.trigger_id = $2 and ${condition}`
  const statement = `update webhook_deliveries as stored set ${rewritten(rewriting)}
    where ${own} and stored.id = any(array(
      select stored.id from webhook_deliveries as stored where ${own} order by ${order} limit $3
    )) returning length(stored.body::text)`
  let [count, characters] = [0, 0]
  while (count < DELIVERIES_REWRITTEN && characters < DELIVERIES_REWRITTEN_CHARACTERS) {
    const rows = await connection.query(statement, [companyId, triggerId, DELIVERIES_REWRITTEN_AT_ONCE, ...values])
    count += rows.length
    for (const [length] of rows) characters += length
    if (rows.length < DELIVERIES_REWRITTEN_AT_ONCE) return { count, hasMore: false }
  }
  return { count, hasMore: true }
}

/**
 * Gives up a trigger's pending deliveries, as many as one transaction should; true if none is left. The rest of an
 * inactive trigger is not sent either, until it is switched on again.
 */
export async function giveUp(connection: Queryable, trigger: TriggerKey): Promise<boolean> {
  const { hasMore } = await rewrite(connection, trigger, {
    condition: 'stored.next_at is not null',
    order: 'stored.next_at, stored.id',
    ...{ state: `'failed'`, nextAttemptAt: 'null', tries: 'stored.tries' },
  })
  return !hasMore
}
