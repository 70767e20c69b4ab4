// Reads from PostgreSQL what is to be sent: new events after a cursor, and deliveries that are due again. Each function
// reads for many subscriptions at once.

import { STATEMENT_CHARACTERS } from '../../core/limits.ts'
import { reachingCompanies } from '../../core/reach.ts'
import type { Database, Queryable, Row, Statement } from '../../database/connect.ts'
import { attemptByCompany, type FailedItems, queryByCompany } from '../../database/one-company.ts'
import { storedSize } from '../events/pages.ts'
import { readSettled } from '../events/watermark.ts'
import type { DueDelivery, TriggerKey } from './deliveries.ts'
import { charactersOf, type SequencedEvent } from './message.ts'
import type { Subscription } from './subscription.ts'

/** Events that one look reads for a trigger at most, including those that do not match. */
const PAGE = 500
/** Events that one look reads for all triggers together: with more of them it would delay the others too long. */
const LOOK_EVENTS = 2_500
/** Companies of one look: with more of them it would delay the others too long. */
export const COMPANIES = 500

/** A query of the feed: a company's events after a number, of some types. */
interface FeedRead {
  readonly companyId: string
  readonly cursor: number
  /** With or without a final `*`; types that no event has are allowed. */
  readonly patterns: readonly string[]
  readonly most: number
}

/** The result: the events in order, and how far was read. */
interface ReadEvents {
  readonly events: SequencedEvent[]
  readonly upTo: number
  /** There may be more up to the watermark; or there is more beyond it, blocked by an older write of the company. */
  readonly hasMore: boolean
  readonly isBlocked: boolean
}

/**
 * Reads a page of new events for each of some subscriptions. Those of a company at the same cursor share a read, of as
 * many events as each of them has capacity for. If there are too many for a statement, the last ones get no page.
 * Neither do companies that could not be read, such as those whose node is down.
 */
export async function readPages(
  database: Database,
  subscriptions: Iterable<Subscription>,
): Promise<{ pages: [Subscription, ReadEvents][]; failures: readonly FailedItems<unknown>[] }> {
  const keyOf = ({ trigger, readUpTo }: Subscription) => `${trigger.companyId} ${readUpTo}`
  const groups = inTurns([...Map.groupBy(subscriptions, keyOf).values()]).slice(0, COMPANIES)
  if (groups.length === 0) return { pages: [], failures: [] }
  const reads = groups.map((group): FeedRead => {
    const [{ trigger, readUpTo }] = group as [Subscription]
    const patterns = [...new Set(group.flatMap(({ trigger }) => trigger.patterns))]
    const share = Math.ceil(LOOK_EVENTS / groups.length)
    const most = Math.min(PAGE, share, ...group.map((subscription) => subscription.capacity()))
    return { companyId: trigger.companyId, cursor: readUpTo, patterns, most }
  })
  const { pages, failures } = await readEvents(database, reads)
  const found = groups.flatMap((group, n) => {
    const page = pages[n]
    return page === undefined ? [] : group.map((subscription): [Subscription, ReadEvents] => [subscription, page])
  })
  return { pages: found, failures }
}

/** The first group of each company, then the second of each, and so on: one company with hundreds delays no other. */
function inTurns(groups: readonly Subscription[][]): Subscription[][] {
  const counts = new Map<string, number>()
  const ranked = groups.map((group) => {
    const { companyId } = (group[0] as Subscription).trigger
    const rank = counts.get(companyId) ?? 0
    counts.set(companyId, rank + 1)
    return { group, rank }
  })
  return ranked.sort((a, b) => a.rank - b.rank).map(({ group }) => group)
}

// LIKE treats an underscore as any character: callers drop events that match too much.
const likeOf = (pattern: string): string => pattern.replaceAll('*', '%')

/**
 * Runs many queries at once, one result each, in order; none for those that failed. For events that no pattern matches,
 * only the number is read. No more is read than one statement should carry; if each company has a statement of its own,
 * none begins once the others have read as much.
 */
export async function readEvents(
  database: Database,
  reads: readonly FeedRead[],
): Promise<{ pages: (ReadEvents | undefined)[]; failures: readonly FailedItems<FeedRead>[] }> {
  const pages = new Map<FeedRead, ReadEvents>()
  let characters = 0
  const failures = await attemptByCompany(
    database,
    reads,
    ({ companyId }) => companyId,
    async (own) => {
      const isFull = characters > STATEMENT_CHARACTERS
      const read = isFull
        ? own.map(({ cursor }) => unread(cursor))
        : await reachingCompanies(companiesOf(own), () =>
            readSettled(database, companiesOf(own), (transaction, watermarks) =>
              readUpTo(transaction, own, watermarks),
            ),
          )
      for (const [n, page] of read.entries()) {
        pages.set(own[n] as FeedRead, page)
        for (const event of page.events) characters += charactersOf(event)
      }
    },
  )
  return { pages: reads.map((read) => pages.get(read)), failures }
}

const companiesOf = (own: readonly { readonly companyId: string }[]) => own.map(({ companyId }) => companyId)

/** The result of a query that waits for the next look. */
const unread = (cursor: number): ReadEvents => ({ events: [], upTo: cursor, hasMore: true, isBlocked: false })

async function readUpTo(
  transaction: Queryable,
  reads: readonly FeedRead[],
  watermarks: ReadonlyMap<string, number>,
): Promise<ReadEvents[]> {
  const rows = await transaction.query(
    {
      name: 'webhooks_read',
      most: STATEMENT_CHARACTERS,
      text: `
      select number::int, last is not null, sequence, id, type, iso_time(created_at), resource, traceparent, actor,
        -- One text, so that an event that is cut lacks nothing else.
        case when not is_wanted then '' when before <= ${STATEMENT_CHARACTERS} then coalesce(previous::text, '') || chr(1) || data::text end
      from (
        select item.number, newest.last, found.*,
          sum(case when is_wanted then size else 0 end) over (order by item.number, found.sequence rows unbounded preceding) - size as before
        from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::int[]) with ordinality
          as item(company_id, cursor, watermark, patterns, most, number)
        cross join lateral (
          select max(event.sequence) as last from events as event
          where event.company_id = item.company_id and event.sequence > item.watermark
        ) as newest
        left join lateral (
          select event.sequence, event.id, event.type, event.created_at, event.resource, event.traceparent, event.actor, event.data, event.previous,
            event.type like any (string_to_array(item.patterns, ' ')) as is_wanted, ${storedSize} as size
          from events as event
          where event.company_id = item.company_id and event.sequence > item.cursor and event.sequence <= item.watermark
          order by event.sequence limit item.most
        ) as found on true
      ) as page order by number, sequence`,
    },
    [
      reads.map(({ companyId }) => companyId),
      reads.map(({ cursor }) => cursor),
      reads.map(({ companyId }) => watermarks.get(companyId)),
      reads.map(({ patterns }) => patterns.map(likeOf).join(' ')),
      reads.map(({ most }) => most),
    ],
  )
  // An event beyond what one statement should carry has no text: the next one reads it.
  const cut = rows.findIndex(
    ([number, , sequence, , , , , , , texts]) => number === null || (sequence !== null && texts === null),
  )
  const read = cut === -1 ? rows : rows.slice(0, cut)
  const cutNumber = cut === -1 ? Number.POSITIVE_INFINITY : (rows[cut - 1]?.[0] ?? 0)
  const pages: Row[][] = reads.map(() => [])
  for (const row of read) pages[row[0] - 1]?.push(row)
  return reads.map(({ most, cursor }, n) => {
    const isBlocked = pages[n]?.[0]?.[1] === true
    const page = (pages[n] ?? []).filter(([, , sequence]) => sequence !== null)
    const hasMore = page.length >= most || n + 1 >= cutNumber
    return {
      events: page.filter((row) => row.at(-1) !== '').map(eventOf),
      // The number of an event that exists: after a crash or a failover, PostgreSQL may assign later ones again.
      upTo: page.at(-1)?.[2] ?? cursor,
      hasMore,
      isBlocked,
    }
  })
}

function eventOf([, , sequence, id, type, createdAt, resource, traceparent, actor, texts]: Row): SequencedEvent {
  return { sequence, id, type, createdAt, resource, ...restOf(traceparent, actor, texts) }
}

/** The members that an event may lack, and its texts, which one column contains. */
function restOf(traceparent: string | null, actor: string | null, texts: string) {
  const [previous, data = ''] = texts.split('\u0001')
  return { data, ...(traceparent && { traceparent }), ...(actor && { actor }), ...(previous && { previous }) }
}

/**
 * The due deliveries of some triggers, longest due first, at most `most` each, with the event's text. Ends early, but
 * not before the first one, if the texts would be more than one statement should carry: the others come later.
 */
export async function readDue(
  connection: Queryable,
  triggers: readonly TriggerKey[],
  most: number,
): Promise<DueDelivery[]> {
  const statement: Statement = {
    name: 'webhook_deliveries_due',
    most: STATEMENT_CHARACTERS,
    // The only long text is last, so that a row that is cut off lacks nothing else.
    text: `
      select version, tries, coalesce(id, own ->> 'id'), coalesce(type, own ->> 'type'),
        coalesce(iso_time(created_at), own ->> 'createdAt'), coalesce(resource, own ->> 'resource'),
        coalesce(record_id, own ->> 'recordId'), body, traceparent, actor,
        case when before <= ${STATEMENT_CHARACTERS} then coalesce(previous::text, '') || chr(1) || coalesce(data::text, own ->> 'data', '') end
      from (
        select item.ordinality, stored.version, stored.tries, stored.body, stored.event as own, stored.next_at, stored.id as delivery_id,
          event.id, event.type, event.created_at, event.resource, event.record_id, event.traceparent, event.actor, event.data, event.previous,
          sum(size) over (order by item.ordinality, stored.next_at, stored.id rows unbounded preceding) - size as before
        from unnest($1::text[], $2::text[]) with ordinality as item(company_id, trigger_id, ordinality)
        cross join lateral (
          select * from webhook_deliveries as pending
          where pending.company_id = item.company_id and pending.trigger_id = item.trigger_id and pending.next_at <= now()
          order by pending.next_at, pending.id limit $3
        ) as stored
        left join lateral (
          -- The limit forces a look-up by all three: with a join, a plan from when the week's partition was empty would
          -- scan all events of the company.
          select * from events
          where events.company_id = stored.company_id and events.sequence = stored.sequence and events.created_at = stored.event_at
          limit 1
        ) as event on true
        cross join lateral (select ${storedSize} + pg_column_size(body) as size) as sized
      ) as page order by ordinality, next_at, delivery_id`,
  }
  let characters = 0
  return queryByCompany(
    connection,
    triggers,
    ({ companyId }) => companyId,
    async (own) => {
      if (characters > STATEMENT_CHARACTERS) return []
      const keys = [companiesOf(own), own.map(({ triggerId }) => triggerId)]
      const ask = () => connection.query(statement, [...keys, most])
      const rows = await reachingCompanies(companiesOf(own), ask)
      const end = rows.findIndex((row) => row.at(-1) === null)
      const whole = end === -1 ? rows : rows.slice(0, end)
      for (const row of whole) characters += row.at(-1).length
      return whole.map(dueOf)
    },
  )
}

function dueOf(row: Row): DueDelivery {
  const [version, tries, id, type, createdAt, resource, recordId, body, traceparent, actor, texts] = row
  const rest = restOf(traceparent, actor, texts)
  const event = id === null ? undefined : { id, type, createdAt, resource, recordId, ...rest }
  return { version, tries, delivery: JSON.parse(body), event }
}
