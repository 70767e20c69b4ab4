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
const [succeeded, refused, failed, unreachable] = [
  attempts.of('succeeded'),
  attempts.of('refused'),
  attempts.of('failed'),
  attempts.of('unreachable'),
]
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
type Waiting = readonly [events: number, retries: number, oldestNew: number, oldestRetry: number]

async function waitingOf(database: Queryable): Promise<Waiting> {
  const rows = await database.query(
    `with stored as materialized (
       select company_id, position from automation_triggers where is_active order by leased_by is null, position limit $1
     ), behind as materialized (
       select stored.*, first.created_at from stored cross join lateral (
         select created_at from events
         where events.company_id = stored.company_id and events.sequence > stored.position
         order by events.sequence limit 1
       ) as first
     ), counted as (
       select count(*) as events from (
         select from behind cross join lateral (
           select from events
           where events.company_id = behind.company_id and events.sequence > behind.position limit $2
         ) as one limit $3
       ) as found
     ), retries as (
       select count(*) as events, min(event_at) as oldest from (
         select event_at from webhook_deliveries where next_at is not null limit $3
       ) as found
     )
     select counted.events, retries.events,
       coalesce(greatest(0, extract(epoch from now() - (select min(created_at) from behind))), 0)::float8,
       coalesce(greatest(0, extract(epoch from now() - retries.oldest)), 0)::float8
     from counted, retries`,
    [TRIGGERS, COUNTED_EACH, COUNTED],
  )
  const [events = 0, retries = 0, oldestNew = 0, oldestRetry = 0] = (rows[0] ?? []).map(Number)
  return [events, retries, oldestNew, oldestRetry]
}

/** The same where tables are distributed by company: looks over all nodes, and one at the events of each company behind. */
async function waitingByCompany(database: Queryable): Promise<Waiting> {
  const behind = await database.query(
    // A scalar subquery, so that it uses the index and never scans.
    `select company_id, position from automation_triggers as held
     where is_active and (leased_by is not null or position <= coalesce(
         (select position from automation_triggers where is_active order by position offset $1 limit 1),
         9223372036854775807
       )) and (
         select min(events.sequence) from events
         where events.company_id = held.company_id and events.sequence > held.position
       ) is not null
     order by position limit $2`,
    [TRIGGERS, TRIGGERS_ON_NODES],
  )
  const counted = await queryByCompany(
    database,
    behind,
    ([companyId]) => companyId,
    (own) =>
      database.query(
        `select count(*), coalesce(extract(epoch from now() - min(found.created_at)), 0)::float8
         from unnest($2::bigint[]) as behind (position) cross join lateral (
           select created_at from events
           where events.company_id = $1 and events.sequence > behind.position order by events.sequence limit $3
         ) as found`,
        [own[0]?.[0], own.map(([, position]) => position), COUNTED_EACH],
      ),
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

/** Triggers by state, what waits for their receivers, and for how long the oldest has waited. */
export async function webhookFamilies(database: Queryable): Promise<Family[]> {
  const states = await database.query(
    `select count(*) filter (where is_active),
       count(*) filter (where not is_active and body ->> 'inactiveReason' is null),
       count(*) filter (where not is_active and body ->> 'inactiveReason' is not null)
     from automation_triggers`,
  )
  const [active = 0, off = 0, switchedOff = 0] = (states[0] ?? []).map(Number)
  const [behind, retries, oldestNew, oldestRetry] = await (database.isSharded ? waitingByCompany : waitingOf)(database)
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
