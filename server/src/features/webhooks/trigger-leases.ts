// Triggers as readers of the feed, in the database: each is leased to one server at a time, which reads for it and
// stores its cursor.

import { STATEMENT_CHARACTERS, WEBHOOK_LEASE_MS } from '../../core/limits.ts'
import type { Queryable, Row } from '../../database/connect.ts'
import { storedSize } from '../events/pages.ts'
import { type TriggerKey, triggerKey } from './deliveries.ts'
import type { EventText } from './message.ts'

/** A trigger of this server, as it was when it was leased. */
export interface Leased {
  readonly companyId: string
  readonly triggerId: string
  /** Increases with each change of the trigger: a changed one is another subscription. */
  readonly version: number
  readonly body: string
  /** The trigger's `apiKey`, sealed. */
  readonly secret: string | null
  /** Whether calls carry records. Otherwise they carry ids only. */
  readonly carriesRecords: boolean
  /** The cursor: events up to here are finished, or do not match. */
  readonly position: number
  /** Milliseconds since every call has failed, and for which it is to be left alone. */
  readonly failingMs: number | null
  readonly heldMs: number | null
}

const lease = `make_interval(secs => ${WEBHOOK_LEASE_MS / 1000})`
// A lease that ends later than any can was taken before the clock was set back.
const isLeft = `(leased_by is null or leased_until < now() or leased_until > now() + ${lease} * 2)`
const isFree = (me: string) => `(leased_by = ${me} or ${isLeft})`
const elapsed = (column: string) => `(extract(epoch from now() - ${column}) * 1000)::bigint`
const columns = `trigger.company_id, trigger.id, trigger.version, trigger.body, trigger.secret, trigger.carries_records, trigger.position,
  ${elapsed('trigger.failing_since')}, -${elapsed('trigger.held_until')}`

function leasedOf(row: Row): Leased {
  const [companyId, triggerId, version, body, secret, carriesRecords, position, failingMs, heldMs] = row
  return { companyId, triggerId, version, body, secret, carriesRecords, position, failingMs, heldMs }
}

const keysOf = (keys: readonly TriggerKey[]) => [
  keys.map(({ companyId }) => companyId),
  keys.map(({ triggerId }) => triggerId),
]

/**
 * A look at companies: which of their triggers are leased from now on, and which of the known ones are no longer ours
 * unchanged.
 */
interface Look {
  readonly leased: Leased[]
  readonly lost: TriggerKey[]
  /** The watermark of each company that has triggers, active or not. */
  readonly settled: ReadonlyMap<string, number>
}

/**
 * Leases the companies' active triggers that no other server has; `known` are those that this server already has. One
 * of these is lost if it was changed, deleted, switched off or taken over meanwhile.
 */
export async function lookAt(
  database: Queryable,
  me: string,
  companies: readonly string[],
  known: readonly (TriggerKey & { readonly version: number })[],
): Promise<Look> {
  const rows = await database.query(
    {
      name: 'webhooks_look',
      text: `
      select item.company_id, item.settled, stored.id,
        stored.is_active and ${isFree('$1')} and not coalesce(stored.leased_by = $1 and stored.version = known.version, false),
        known.id is not null and (stored.leased_by is distinct from $1 or not stored.is_active or stored.version <> known.version)
      from events_settled($2) as item
      join automation_triggers as stored on stored.company_id = item.company_id
      left join unnest($3::text[], $4::text[], $5::int[]) as known(company_id, id, version)
        on known.company_id = stored.company_id and known.id = stored.id`,
    },
    [me, companies, ...keysOf(known), known.map(({ version }) => version)],
  )
  const found = new Set(rows.map(([companyId, , triggerId]) => triggerKey({ companyId, triggerId })))
  const lost = [
    ...known.filter((one) => !found.has(triggerKey(one))),
    ...rows.filter((row) => row[4]).map(([companyId, , triggerId]) => ({ companyId, triggerId })),
  ]
  const free = rows.filter((row) => row[3]).map(([companyId, , triggerId]) => ({ companyId, triggerId }))
  const settled = new Map(rows.map(([companyId, settled]) => [companyId as string, settled as number]))
  return { leased: free.length === 0 ? [] : await take(database, me, free), lost, settled }
}

/** Leases these triggers, except those that another server took first. */
async function take(database: Queryable, me: string, keys: readonly TriggerKey[]): Promise<Leased[]> {
  const rows = await database.query(
    {
      name: 'webhooks_lease',
      text: `
      with free as materialized (
        select stored.company_id, stored.id from unnest($2::text[], $3::text[]) as item(company_id, id)
        join automation_triggers as stored on stored.company_id = item.company_id and stored.id = item.id
        where stored.is_active and ${isFree('$1')}
        order by stored.company_id, stored.id for no key update of stored skip locked
      )
      update automation_triggers as trigger set leased_by = $1, leased_until = now() + ${lease}
      from free where trigger.company_id = free.company_id and trigger.id = free.id
      returning ${columns}`,
    },
    [me, ...keysOf(keys)],
  )
  return rows.map(leasedOf)
}

/** Leases triggers of any company that have due deliveries; none of `but`, which this server handles already. */
export async function leaseDue(
  database: Queryable,
  me: string,
  { most, but }: { most: number; but: readonly string[] },
): Promise<Leased[]> {
  const rows = await database.query(
    {
      name: 'webhooks_lease_due',
      text: `
      with due as materialized (
        select company_id, id from automation_triggers
        where due_at <= now() and is_active and ${isFree('$1')} and id <> all ($2::text[])
        order by due_at limit $3 for no key update skip locked
      )
      update automation_triggers as trigger set leased_by = $1, leased_until = now() + ${lease}
      from due where trigger.company_id = due.company_id and trigger.id = due.id
      returning ${columns}`,
    },
    [me, but, most],
  )
  return rows.map(leasedOf)
}

/**
 * Companies with active triggers that no server has although events wait: the server that wrote those died before it
 * could notify. Looks at `most` triggers after one in the order of their ids; `last` is undefined at the end.
 */
export async function findBehind(
  database: Queryable,
  after: TriggerKey,
  most: number,
): Promise<{ companies: string[]; last: TriggerKey | undefined }> {
  const rows = await database.query(
    {
      name: 'webhooks_behind',
      text: `
      select page.company_id, page.id, page.is_idle and (
        -- A scalar subquery, so that it uses the index and never scans.
        select min(events.sequence) from events
        where events.company_id = page.company_id and events.sequence > page.position
      ) is not null
      from (
        select company_id, id, position, is_active and ${isLeft} as is_idle
        from automation_triggers where (company_id, id) > ($1, $2) order by company_id, id limit $3
      ) as page order by page.company_id, page.id`,
    },
    [after.companyId, after.triggerId, most],
  )
  const companies = [...new Set(rows.filter(([, , isBehind]) => isBehind).map(([companyId]) => companyId as string))]
  const [companyId, triggerId] = rows.at(-1) ?? []
  return { companies, last: rows.length < most ? undefined : { companyId, triggerId } }
}

/** A query of the feed: a company's events after a number, up to the watermark, of some types. */
interface Wanted {
  readonly companyId: string
  readonly after: number
  readonly settled: number
  /** With or without a final `*`; types that no event has are allowed. */
  readonly patterns: readonly string[]
  readonly most: number
}

/** The result: the events in order, and how far was read. */
interface Found {
  readonly events: (EventText & { readonly sequence: number })[]
  readonly upTo: number
  /** There may be more up to the watermark; or there is more beyond it, blocked by an older write of the company. */
  readonly hasMore: boolean
  readonly isHeld: boolean
}

// LIKE treats an underscore as any character: callers drop events that match too much.
const likeOf = (pattern: string): string => pattern.replaceAll('*', '%')

/**
 * Runs many queries at once, one result each, in order. Of events that no pattern matches only the number is read, and
 * not more than one statement should carry.
 */
export async function readEvents(database: Queryable, wanted: readonly Wanted[]): Promise<Found[]> {
  const rows = await database.query(
    {
      name: 'webhooks_read',
      most: STATEMENT_CHARACTERS,
      text: `
      select number::int, last is not null, sequence, id, type, iso_time(created_at), resource,
        -- One text, so that an event that is cut lacks nothing else.
        case when not is_wanted then '' when before <= ${STATEMENT_CHARACTERS} then coalesce(previous::text, '') || chr(1) || data::text end
      from (
        select item.number, held.last, found.*,
          sum(case when is_wanted then size else 0 end) over (order by item.number, found.sequence rows unbounded preceding) - size as before
        from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::int[]) with ordinality
          as item(company_id, after, settled, patterns, most, number)
        cross join lateral (
          select max(event.sequence) as last from events as event
          where event.company_id = item.company_id and event.sequence > item.settled
        ) as held
        left join lateral (
          select event.sequence, event.id, event.type, event.created_at, event.resource, event.data, event.previous,
            event.type like any (string_to_array(item.patterns, ' ')) as is_wanted, ${storedSize} as size
          from events as event
          where event.company_id = item.company_id and event.sequence > item.after and event.sequence <= item.settled
          order by event.sequence limit item.most
        ) as found on true
      ) as page order by number, sequence`,
    },
    [
      wanted.map(({ companyId }) => companyId),
      wanted.map(({ after }) => after),
      wanted.map(({ settled }) => settled),
      wanted.map(({ patterns }) => patterns.map(likeOf).join(' ')),
      wanted.map(({ most }) => most),
    ],
  )
  // An event beyond what one statement should carry has no text: the next one reads it.
  const cut = rows.findIndex(
    ([number, , sequence, , , , , texts]) => number === null || (sequence !== null && texts === null),
  )
  const read = cut === -1 ? rows : rows.slice(0, cut)
  const cutNumber = cut === -1 ? Number.POSITIVE_INFINITY : (rows[cut - 1]?.[0] ?? 0)
  const pages: Row[][] = wanted.map(() => [])
  for (const row of read) pages[row[0] - 1]?.push(row)
  return wanted.map(({ settled, most, after }, n) => {
    const isHeld = pages[n]?.[0]?.[1] === true
    const page = (pages[n] ?? []).filter(([, , sequence]) => sequence !== null)
    const hasMore = page.length >= most || n + 1 >= cutNumber
    return {
      events: page.filter((row) => row.at(-1) !== '').map(eventOf),
      upTo: hasMore ? (page.at(-1)?.[2] ?? after) : settled,
      hasMore,
      isHeld,
    }
  })
}

function eventOf([, , sequence, id, type, createdAt, resource, texts]: Row) {
  const [previous, data] = texts.split('\u0001')
  return { sequence, id, type, createdAt, resource, data, ...(previous !== '' && { previous }) }
}

/** The state of a subscription, to be stored. */
export interface Standing extends TriggerKey {
  /** The version of the trigger that was called. */
  readonly version: number
  readonly position: number
  /** Milliseconds since every call has failed; null if the last one succeeded. */
  readonly failingMs: number | null
  /** Milliseconds for which its receiver is left alone. */
  readonly heldMs: number | null
  /** Whether deliveries were postponed, or were due: then the time of the next one is looked up again. */
  readonly hasRetried: boolean
  /** Released: any server may take it. */
  readonly isReleased: boolean
}

/**
 * Locks triggers until the transaction ends; returns the keys (`triggerKey`) of the active ones. Their due deliveries
 * are looked up by later statements, and so include those that others, who lock the trigger as well, have just made
 * due.
 */
export async function lockTriggers(transaction: Queryable, keys: readonly TriggerKey[]): Promise<Set<string>> {
  const rows = await transaction.query(
    {
      name: 'webhooks_lock',
      text: `
      select stored.company_id, stored.id, stored.is_active from unnest($1::text[], $2::text[]) as item(company_id, id)
      join automation_triggers as stored on stored.company_id = item.company_id and stored.id = item.id
      order by stored.company_id, stored.id for no key update of stored`,
    },
    keysOf(keys),
  )
  return new Set(
    rows.filter(([, , isActive]) => isActive).map(([companyId, triggerId]) => triggerKey({ companyId, triggerId })),
  )
}

const dueOf = `(
          select min(next_at) from webhook_deliveries as delivery
          where delivery.company_id = item.company_id and delivery.trigger_id = item.id and delivery.next_at is not null
        )`

/** Writes when the next delivery of triggers is due; they are locked. */
export async function saveDue(transaction: Queryable, keys: readonly TriggerKey[]): Promise<void> {
  await transaction.query(
    {
      name: 'webhooks_save_due',
      text: `
      update automation_triggers as trigger set due_at = ${dueOf}
      from unnest($1::text[], $2::text[]) as item(company_id, id)
      where trigger.company_id = item.company_id and trigger.id = item.id`,
    },
    keysOf(keys),
  )
}

/**
 * Stores the state of subscriptions and renews their leases. Returns those that are still this server's; one that was
 * changed meanwhile may have a new state by that change, and is left as it is.
 */
export async function saveStandings(
  connection: Queryable,
  me: string,
  standings: readonly Standing[],
): Promise<TriggerKey[]> {
  if (standings.length === 0) return []
  const ago = (ms: string) => `now() - make_interval(secs => ${ms} / 1000.0)`
  const rows = await connection.query(
    {
      name: 'webhooks_save',
      text: `
      with item as materialized (
        select stored.company_id, stored.id, item.position, item.failing, item.held, item.has_retried, item.is_released
        from unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::boolean[], $8::boolean[],
          $9::int[]) as item(company_id, id, position, failing, held, has_retried, is_released, version)
        join automation_triggers as stored on stored.company_id = item.company_id and stored.id = item.id
        where stored.leased_by = $1 and stored.version = item.version
        order by stored.company_id, stored.id for no key update of stored
      )
      update automation_triggers as trigger set position = item.position,
        failing_since = ${ago('item.failing')}, held_until = ${ago('-item.held')},
        due_at = case when item.has_retried then ${dueOf} else trigger.due_at end,
        leased_by = case when item.is_released then null else $1 end,
        leased_until = case when item.is_released then null else now() + ${lease} end
      from item where trigger.company_id = item.company_id and trigger.id = item.id and trigger.leased_by = $1
      returning trigger.company_id, trigger.id`,
    },
    [
      me,
      ...keysOf(standings),
      standings.map(({ position }) => position),
      standings.map(({ failingMs }) => failingMs),
      standings.map(({ heldMs }) => heldMs),
      standings.map(({ hasRetried }) => hasRetried),
      standings.map(({ isReleased }) => isReleased),
      standings.map(({ version }) => version),
    ],
  )
  return rows.map(([companyId, triggerId]) => ({ companyId, triggerId }))
}
