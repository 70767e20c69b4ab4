// What webhooks report: attempts by result as they are made, and what waits in the database, read at a scrape.
import type { Queryable } from '../../database/connect.ts'
import { queryByCompany } from '../../database/one-company.ts'
import { counter, DATABASE_SECONDS, type Family, histogram, readFamily } from '../../metrics/instruments.ts'
import { type CallResult, isSuccess } from './call.ts'

const attempts = counter({
  name: 'cashwrap_webhook_attempts_total',
  help: 'Calls to receivers of webhooks, by result: succeeded (2xx), refused (4xx), failed (other statuses), unreachable (no response).',
  labels: ['result'],
})
const succeeded = attempts.of('succeeded')
const refused = attempts.of('refused')
const failed = attempts.of('failed')
const unreachable = attempts.of('unreachable')
const durations = histogram(
  { name: 'cashwrap_webhook_attempt_duration_seconds', help: 'Seconds that calls to receivers of webhooks took.' },
  [...DATABASE_SECONDS, 15],
).of()

/** Counts a call. */
export function countAttempt(result: CallResult): void {
  const { status, durationMs } = result
  const count =
    status === undefined
      ? unreachable
      : isSuccess(result)
        ? succeeded
        : status >= 400 && status < 500
          ? refused
          : failed
  count.value++
  durations.observe(durationMs / 1000)
}

/** Events that are counted of one trigger, and of each kind: the exact number of a flood takes long and says no more. */
const COUNTED_EACH = 1_000
const COUNTED = 50_000
/**
 * Triggers that are looked at: those that servers have, the oldest cursors first. A trigger with events soon has a server; the cursor of one without
 * events is old too.
 */
const TRIGGERS = 5_000
/** Triggers behind which events are counted where tables are distributed by company: a statement for each company. */
const TRIGGERS_ON_NODES = 500

/** What waits: new events and retries, and for how many seconds the oldest of either has. */
type WaitingDeliveries = readonly [events: number, retries: number, oldestNew: number, oldestRetry: number]

/**
 * SQL of the triggers that are looked at, up to a first condition. Citus cannot look up events of a limited selection:
 * there, they are all that servers have, and all whose cursors are as old as that of the last one.
 */
const lookedAt = ({ isSharded }: Pick<Queryable, 'isSharded'>): string =>
  isSharded
    ? `automation_triggers as held
     where is_active and (leased_by is not null or position <= coalesce(
         (select position from automation_triggers where is_active order by position offset $1 limit 1),
         9223372036854775807
       ))`
    : `(
       select company_id, position from automation_triggers
       where is_active order by leased_by is null, position limit $1
     ) as held where true`

/** Looks at triggers, and then at the events of those behind: where tables are distributed, of each company on its node. */
async function waitingOf(database: Queryable): Promise<WaitingDeliveries> {
  const behind = await database.query(
    // A scalar subquery, so that it uses the index and never scans.
    `select company_id, position from ${lookedAt(database)} and (
         select min(events.sequence) from events
         where events.company_id = held.company_id and events.sequence > held.position
       ) is not null
     order by position limit $2`,
    [TRIGGERS, database.isSharded ? TRIGGERS_ON_NODES : TRIGGERS],
  )
  const counted = await queryByCompany(
    database,
    behind,
    ([companyId]) => companyId,
    (own) => database.query(newEvents, [...[0, 1].map((n) => own.map((row) => row[n])), COUNTED_EACH, COUNTED]),
  )
  const events = counted.reduce((sum, [count]) => sum + Number(count), 0)
  const oldestNew = counted.reduce((oldest, [, seconds]) => Math.max(oldest, Number(seconds)), 0)
  const [row] = await database.query(
    `select count(*), coalesce(greatest(0, extract(epoch from now() - min(event_at))), 0)::float8 from (
       select event_at from webhook_deliveries where next_at is not null limit $1
     ) as found`,
    [COUNTED],
  )
  const [retries = 0, oldestRetry = 0] = (row ?? []).map(Number)
  return [Math.min(events, COUNTED), retries, oldestNew, oldestRetry]
}

/** SQL: the number of events behind cursors, and for how many seconds the oldest has waited. */
const newEvents = `
  with item as materialized (select * from unnest($1::text[], $2::bigint[]) as item(company_id, position)),
  counted as (
    select count(*) as events from (
      select from item cross join lateral (
        select from events where events.company_id = item.company_id and events.sequence > item.position limit $3
      ) as one limit $4
    ) as found
  ), oldest as (
    select min(first.created_at) as time from item cross join lateral (
      select created_at from events where events.company_id = item.company_id and events.sequence > item.position
      order by events.sequence limit 1
    ) as first
  )
  select counted.events, coalesce(extract(epoch from now() - oldest.time), 0)::float8 from counted, oldest`

/** Triggers by state, what waits for their receivers, and for how long the oldest has waited. */
export async function webhookFamilies(database: Queryable): Promise<Family[]> {
  const states = await database.query(
    `select count(*) filter (where is_active),
       count(*) filter (where not is_active and body ->> 'inactiveReason' is null),
       count(*) filter (where not is_active and body ->> 'inactiveReason' is not null)
     from automation_triggers`,
  )
  const [active = 0, off = 0, switchedOff = 0] = (states[0] ?? []).map(Number)
  const [behind, retries, oldestNew, oldestRetry] = await waitingOf(database)
  return [
    readFamily(
      {
        name: 'cashwrap_triggers',
        help: 'Automation triggers: active, off, or switched_off by the service after failed calls.',
      },
      [
        { value: active, labels: { state: 'active' } },
        { value: off, labels: { state: 'off' } },
        { value: switchedOff, labels: { state: 'switched_off' } },
      ],
    ),
    readFamily(
      {
        name: 'cashwrap_webhook_backlog_events',
        help: `Events that wait for receivers: new ones behind the cursors of triggers (up to ${COUNTED_EACH} of each trigger), and retries; up to ${COUNTED} of each.`,
      },
      [
        { value: behind, labels: { kind: 'new' } },
        { value: retries, labels: { kind: 'retry' } },
      ],
    ),
    readFamily(
      {
        name: 'cashwrap_webhook_oldest_undelivered_seconds',
        help: 'Age of the oldest event that waits for a receiver; 0 if none does.',
      },
      [
        { value: oldestNew, labels: { kind: 'new' } },
        { value: oldestRetry, labels: { kind: 'retry' } },
      ],
    ),
  ]
}
