// What callers can do with a trigger's deliveries: redeliver one, redeliver all failed ones, replay events, send a
// test, and give up all that wait. Each action locks the trigger first, like every change of it.

import { sqlTime } from '../../core/date-time.ts'
import { newId } from '../../core/ids.ts'
import { conflict } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import { type Queryable, requireRow } from '../../database/connect.ts'
import { unseenCompany } from '../../database/statement.ts'
import { beforeSince, searchSince } from '../events/since.ts'
import { recordDeliveries, type TriggerKey } from './deliveries.ts'

/** Deliveries that one statement restarts or gives up: with the longest responses, this takes a second. */
export const DELIVERIES_REWRITTEN_AT_ONCE = 250
/** Those of one request or step, and the characters after which it ends earlier: less work than the deadline leaves time for. */
export const DELIVERIES_REWRITTEN = 5_000
const DELIVERIES_REWRITTEN_CHARACTERS = 16 * 1024 * 1024

/** A trigger locked until the transaction ends, and the database's time. */
export interface LockedTrigger extends TriggerKey {
  /** The trigger's text as the API shows it, or only its id if its calls carry ids only. */
  readonly text: string
  readonly now: string
}

/** Locks an active trigger. Throws `not_found`, and `conflict` for an inactive one. */
export async function lockActive(transaction: Queryable, { companyId }: Scope, id: string): Promise<LockedTrigger> {
  const statement = {
    name: 'automation_triggers_lock_active',
    text: `select body, shown, is_active, carries_records, iso_time(now()) from automation_triggers
      where company_id = $1 and id = $2 for no key update`,
  }
  const row = await requireRow(transaction, 'automation trigger', id, statement, [companyId, id])
  const [body, shown, isActive, carriesRecords, now] = row
  if (!isActive)
    throw conflict(
      'trigger_inactive',
      'The automation trigger is inactive, so nothing is sent to it. Set isActive to true first.',
    )
  const text = JSON.stringify(carriesRecords ? { ...JSON.parse(body), ...JSON.parse(shown) } : { id })
  return { companyId, triggerId: id, text, now }
}

/** Makes the dispatcher look at the trigger immediately. */
const dueNow = (transaction: Queryable, { companyId, triggerId }: TriggerKey) =>
  transaction.query(
    {
      name: 'automation_triggers_due_now',
      text: `update automation_triggers set due_at = least(due_at, now()) where company_id = $1 and id = $2`,
    },
    [companyId, triggerId],
  )

/** SQL: the event of the row `stored` still exists. A scalar subquery, so that it uses the index and never scans. */
const hasEvent = `(stored.event is not null or (
        select event.sequence from events as event
        where event.company_id = stored.company_id and event.sequence = stored.sequence and event.created_at = stored.event_at
      ) is not null)`
/** Makes a delivery due now, as if it had never been tried. */
const restarted = { state: `'pending'`, nextAttemptAt: 'iso_time(now())', tries: '0' }

/**
 * Redelivers one delivery in any state. Returns its text. Throws `not_found`, and `conflict` if its event is no longer
 * kept.
 */
export async function redeliver(transaction: Queryable, trigger: TriggerKey, id: string): Promise<string> {
  const own = 'stored.company_id = $1 and stored.id = $2 and stored.trigger_id = $3'
  const values = [trigger.companyId, id, trigger.triggerId]
  const find = `select ${hasEvent} from webhook_deliveries as stored where ${own} for no key update`
  const [isKept] = await requireRow(transaction, 'webhook delivery', id, find, values)
  if (!isKept) throw conflict('event_gone', 'The event of the delivery is no longer kept, so it cannot be sent again.')
  const [row] = await transaction.query(rewritten(own, restarted, 'stored.body'), values)
  await dueNow(transaction, trigger)
  return row?.[0]
}

/** Redelivers the failed deliveries created since a time, oldest first, as many as one request should. */
export async function redeliverFailed(transaction: Queryable, trigger: TriggerKey, since: string): Promise<Rewritten> {
  const failed = {
    condition: `stored.state = 'failed' and stored.created_at >= $4 and ${hasEvent}`,
    order: 'stored.created_at, stored.id',
    ...restarted,
  }
  const done = await rewrite(transaction, trigger, failed, [since])
  if (done.count > 0) await dueNow(transaction, trigger)
  return done
}

/**
 * Replays all events since a time to the trigger. Returns the number of the event after which it continues; the cursor
 * never moves forward.
 */
export async function replay(
  transaction: Queryable,
  { companyId, triggerId }: TriggerKey,
  since: string,
): Promise<number> {
  const [first] = await transaction.query(
    `with recursive ${searchSince('$2::timestamptz', '0', String(Number.MAX_SAFE_INTEGER))}
     select sequence - 1 from events
     where company_id = ${unseenCompany} and sequence > ${beforeSince} and created_at >= $2::timestamptz order by sequence limit 1`,
    [companyId, sqlTime(since)],
  )
  const [row] = await transaction.query(
    // Takes the lease from the server that has it, which would continue and overwrite this cursor with its own.
    `update automation_triggers as stored
     set due_at = least(stored.due_at, now()), version = stored.version + 1, leased_by = null, leased_until = null,
       position = least(stored.position, $3::bigint)
     where stored.company_id = $1 and stored.id = $2 returning stored.position`,
    [companyId, triggerId, first?.[0]],
  )
  return row?.[0]
}

/** Sends a test event, which is not in the feed. Returns the delivery's text. */
export async function sendTest(transaction: Queryable, trigger: LockedTrigger): Promise<string> {
  const { companyId, triggerId, text, now } = trigger
  const event = {
    id: newId(),
    type: 'automation-trigger.test',
    createdAt: now,
    resource: 'automation-trigger',
    recordId: triggerId,
    data: text,
  }
  const progress = { state: 'pending', nextAttemptAt: now } as const
  const [delivery] = await recordDeliveries(transaction, [
    { companyId, triggerId, eventId: event.id, eventType: event.type, event, attempts: [], progress },
  ])
  await dueNow(transaction, trigger)
  return JSON.stringify(delivery)
}

/**
 * A change of deliveries, in SQL over `stored`: of those that meet `condition`, in order; afterwards they no longer
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

/** How many deliveries were changed, and whether there may be more. */
interface Rewritten {
  readonly count: number
  readonly hasMore: boolean
}

/** SQL of the text of the row `stored` in another state. */
const rewrittenBody = ({ state, nextAttemptAt }: Pick<Rewriting, 'state' | 'nextAttemptAt'>): string => `(
        select json_strip_nulls(json_build_object(
          'id', old.id, 'triggerId', old."triggerId", 'eventId', old."eventId", 'eventType', old."eventType",
          'sequence', old.sequence, 'state', ${state}, 'attempts', old.attempts, 'nextAttemptAt', ${nextAttemptAt},
          'createdAt', old."createdAt", 'updatedAt', greatest(iso_time(now()), old."updatedAt"), 'companyId', old."companyId"
        ))
        from json_to_record(stored.body) as old(
          id text, "triggerId" text, "eventId" text, "eventType" text, sequence bigint, attempts json,
          "createdAt" text, "updatedAt" text, "companyId" text
        )
      )`

/**
 * SQL that writes rows of company $1 in another state. If tables are distributed by company, an update cannot compute
 * from a column, so the values are computed before. No row changes in between: each writer has locked the trigger.
 */
const rewritten = (rows: string, rewriting: Omit<Rewriting, 'condition' | 'order'>, returned: string): string => `
    with new as materialized (
      select stored.id as row_id, ${rewrittenBody(rewriting)} as text, (${rewriting.nextAttemptAt})::timestamptz as due, ${rewriting.tries} as calls
      from webhook_deliveries as stored where ${rows}
    )
    update webhook_deliveries as stored set body = new.text, version = stored.version + 1, next_at = new.due, tries = new.calls
    from new where stored.company_id = $1 and stored.id = new.row_id returning ${returned}`

/**
 * Rewrites a trigger's deliveries in batches, as many as one request or step should. `values` are $4 and following in
 * the condition.
 */
async function rewrite(
  connection: Queryable,
  { companyId, triggerId }: TriggerKey,
  rewriting: Rewriting,
  values: readonly unknown[] = [],
): Promise<Rewritten> {
  const { condition, order } = rewriting
  const own = `stored.company_id = $1 and stored.trigger_id = $2 and ${condition}`
  const statement = rewritten(`${own} order by ${order} limit $3`, rewriting, 'length(stored.body::text)')
  let count = 0
  let characters = 0
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
    state: `'failed'`,
    nextAttemptAt: 'null',
    tries: 'stored.tries',
  })
  return !hasMore
}
