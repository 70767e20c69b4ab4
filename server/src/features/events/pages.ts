// Reads a company's events in order: the single statement behind the feed, waiting and the stream.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import type { IsGone } from '../../core/is-gone.ts'
import { STATEMENT_CHARACTERS } from '../../core/limits.ts'
import { invalid } from '../../core/problem.ts'
import type { Database, Row, Statement } from '../../database/connect.ts'
import { conditionsOf, type EventFilters } from './filters.ts'
import { isLostCursor, lostCursor } from './gaps.ts'
import { beforeSince, searchSince } from './since.ts'
import { readSettled } from './watermark.ts'

/** Events that one page of the feed scans for those that match its filters: some 30 ms. */
export const FEED_SCANNED = 20_000

/** An event as JSON text, with the members that callers need. */
export interface FeedEvent {
  readonly sequence: number
  readonly type: string
  readonly text: string
}

/** Some events in order. */
export interface FeedPage {
  readonly events: readonly FeedEvent[]
  /** The cursor for the next page: the last event, or the last one that the filters excluded. */
  readonly next: number
  /** Whether more events can be read at once. */
  readonly hasMore: boolean
  /** Whether there are events that cannot be shown yet because an older write is still committing. */
  readonly isHeld: boolean
}

export interface FeedRequest {
  readonly companyId: string
  readonly after: number
  readonly limit: number
  /** The number of characters after which no further event is read; at most `STATEMENT_CHARACTERS`, the default. */
  readonly most?: number | undefined
  readonly filters: EventFilters
  readonly isGone?: IsGone | undefined
  /** Called before the statement, and with the length of its texts; if it throws, reading ends. */
  readonly expect?: (characters: number) => void
}

export interface FeedReader {
  /** Throws 400 if `after` is greater than the number of every event so far, or is the number of a lost event. */
  page(request: FeedRequest): Promise<FeedPage>
  /**
   * The number of the company's last event that can be shown, 0 if there is none: where a reader of only new events
   * begins.
   */
  tip(companyId: string, isGone?: IsGone): Promise<number>
}

/**
 * The length of a text in SQL, without reading it: compressed text is assumed to expand tenfold, more than most does.
 */
export const sizeOf = (column: string) =>
  `coalesce(pg_column_size(${column}) * case when pg_column_compression(${column}) is null then 1 else 10 end, 0)`
/** The length of an event's texts. */
export const storedSize = `(${sizeOf('data')} + ${sizeOf('previous')})`

const columns = 'id, sequence, created_at, type, resource, record_id, actor, data, previous'

/** An event as the feed shows it; in SQL, so that its data is not read if the page has no room for it. */
const eventText = `
  '{"id":"' || id || '","sequence":' || sequence || ',"type":"' || type || '","createdAt":"' || iso_time(created_at)
  || '","resource":"' || resource || case record_id when '' then '"' else '","recordId":"' || record_id || '"' end
  || coalesce(',"actor":' || actor::text, '') || ',"data":' || data::text || coalesce(',"previous":' || previous::text, '') || '}'`

/** How a page finds its events: common table expressions, the events, and the last one that was scanned if there are more. */
interface Search {
  readonly expressions: string
  readonly found: string
  readonly cut: string
}
const within = `from events where company_id = $1`
/**
 * The bounds as subqueries, so that PostgreSQL does not plan for their values. Few events follow the cursor of most readers,
 * so it would make a plan for each page, which takes longer than running it.
 */
const after = '(select $2::bigint)'
const until = '(select $3::bigint)'
/** One event more than a page has shows that there are more. */
const oneMore = '$4::int + 1'

/**
 * SQL: the events of the company between two numbers, the upper one included. As pairs, of which PostgreSQL expects a part of all events: of
 * `company_id = $1` it expects those of an average company, and would read all of a large one to sort them. Citus needs that too.
 */
const between = (after: string, until: string, isSharded: boolean): string =>
  `from events where ${isSharded ? 'company_id = $1 and ' : ''}(company_id, sequence) > ($1, ${after}) and (company_id, sequence) <= ($1, ${until})`

/** As a subquery, so that PostgreSQL does not compare it with the events that it expects: of fewer, it would read and sort all. */
const mostScanned = `(select ${FEED_SCANNED})`

/** Searches all events of the company, or those since a time from the number where they begin. */
function searchOfCompany(
  since: string | undefined,
  range: string,
  rest: string | undefined,
  isSharded: boolean,
): Search {
  const begin = since === undefined ? after : beforeSince
  const scan = (wanted: string, limit: string) =>
    `select ${wanted} ${between(begin, until, isSharded)}${range} order by company_id, sequence limit ${limit}`
  return {
    expressions: since === undefined ? '' : `${searchSince(since, '$2', '$3')}, `,
    found: `select *, ${storedSize} as size from (${scan(columns, rest ? mostScanned : oneMore)}) as scanned
       where ${rest ?? 'true'} order by sequence limit ${oneMore}`,
    cut: rest
      ? `(select max(sequence) from (${scan('sequence', mostScanned)}) as scanned having count(*) = ${FEED_SCANNED})`
      : 'null::bigint',
  }
}

/**
 * Searches the events of some records. The events of each record are scanned in order in the index by record. If
 * records have more events than are scanned of each, the page ends where the first of these scans ended. The condition
 * is on pairs, whose order no other index has: with `record_id =`, a plan could walk through all events in the primary
 * key to find that a record has none. Without filters the index alone is read.
 */
function searchOfRecords(records: string, count: number, range: string, rest: string | undefined): Search {
  const read = rest ? 'sequence, type, resource' : 'sequence'
  const ofEach = rest ? Math.ceil(FEED_SCANNED / count) : oneMore
  return {
    expressions: `scanned as materialized (
      select record, own.* from unnest(${records}) as wanted(record) cross join lateral (
        select ${read} ${within} and (record_id, sequence) > (wanted.record, $2)
          and (record_id, sequence) <= (wanted.record, $3)${range} order by record_id, sequence limit ${ofEach}
      ) as own
    ), reached as materialized (
      select min(last) as last from (
        select max(sequence) as last from scanned group by record having count(*) = ${ofEach}
      ) as unfinished
    ), `,
    found: readBySequence(
      `select sequence from scanned, reached where sequence <= coalesce(reached.last, $3) and ${rest ?? 'true'}
       order by sequence limit ${oneMore}`,
    ),
    cut: '(select last from reached)',
  }
}

/**
 * The statement: company $1, after $2, up to $3, at most $4 events, none after $5 characters. It holds the data of the
 * page as stored on disk; the size decides which events become text. To filter, it looks at no more than `FEED_SCANNED`
 * events: `cut` is then the last of them. Without records it joins nothing: a week's partition is empty at first, and a
 * plan kept from that time would scan the whole partition for each event. Whether more events follow is asked by a
 * scalar subquery, which uses the index under any plan; with `exists`, a plan without the numbers would read the log
 * from its beginning.
 */
function statementOf(filters: EventFilters, most: number, values: unknown[], isSharded: boolean): Statement {
  const { records, since, range, rest } = conditionsOf(filters, (value) => `$${values.push(value)}`)
  const { expressions, found, cut } =
    records === undefined
      ? searchOfCompany(since, range, rest, isSharded)
      : searchOfRecords(records, new Set(filters.recordIds).size, range, rest)
  const isWhole = '(select count(*) from page) <= $4::int'
  const text = `
    with recursive ${expressions}page as materialized (
      select *, row_number() over (order by sequence) as number, sum(size) over (order by sequence) - size as before
      from (${found}) as sized
    )
    select (select count(*)::int from page), case when ${isWhole} then ${cut} end,
      case when ${isWhole} then (select sequence ${between(after, until, isSharded)} order by company_id desc, sequence desc limit 1) end,
      (select min(sequence) from events where company_id = $1 and sequence > ${until}) is not null,
      case when $2 > $3 then event_position() end, ${isLostCursor},
      sequence, type, ${eventText}
    from (values (1)) as one left join page on number <= $4 and before <= $5
    order by sequence`
  return { ...(records === undefined && { name: nameOf(text) }), most, text }
}

const names = new Map<string, string>()

/** A name, by which PostgreSQL keeps the statement's plan. Each combination of filters has one statement, whatever their values. */
function nameOf(text: string): string {
  const name = names.get(text) ?? `events_page_${names.size}`
  names.set(text, name)
  return name
}

/** The events of these few sequences; the limit makes PostgreSQL look each up in the primary key. */
const readBySequence = (sequences: string) => `
  select own.*, ${storedSize} as size from (${sequences}) as chosen cross join lateral (
    select ${columns} from events where company_id = $1 and sequence = chosen.sequence limit 1
  ) as own`

/** Makes the reader; its statements wait in the semaphore `lists`. */
export function feedReader(database: Database, lists: FairSemaphore): FeedReader {
  return {
    async page({ companyId, after, limit, most = STATEMENT_CHARACTERS, filters, isGone = never, expect }) {
      const rows = await lists({ tenant: companyId, isGone }, async () => {
        expect?.(0)
        return readSettled(database, [companyId], async (transaction, watermarks) => {
          const values: unknown[] = [companyId, after, watermarks.get(companyId), limit, most]
          return transaction.query(statementOf(filters, most, values, database.isSharded), values)
        })
      })
      const page = pageOf(rows, after)
      expect?.(page.events.reduce((characters, { text }) => characters + text.length, 0))
      return page
    },
    async tip(companyId, isGone = never) {
      const tip = {
        name: 'events_tip',
        text: 'select max(sequence) from events where company_id = $1 and sequence <= $2',
      }
      const rows = await lists({ tenant: companyId, isGone }, () =>
        readSettled(database, [companyId], (transaction, watermarks) =>
          transaction.query(tip, [companyId, watermarks.get(companyId)]),
        ),
      )
      return rows[0]?.[0] ?? 0
    },
  }
}

function pageOf(rows: readonly Row[], after: number): FeedPage {
  const [found, cut, last, isHeld, position, isLost] = rows[0] as Row
  if (isLost) throw lostCursor()
  if (position !== null && position < after) throw ahead(position)
  const events: FeedEvent[] = []
  for (const [, , , , , , sequence, type, text] of rows) {
    // No event was found, or those beyond the limit were dropped.
    if (sequence === null || text === null) break
    events.push({ sequence, type, text })
  }
  const end = events.at(-1)?.sequence ?? after
  // A cursor is always the number of an event, which no crash assigns again.
  if (events.length < found) return { events, next: end, hasMore: true, isHeld }
  return { events, next: Math.max(cut ?? last ?? end, end), hasMore: cut !== null, isHeld }
}

const never = () => false

const ahead = (position: number) =>
  invalid([
    {
      in: 'query',
      pointer: 'after',
      code: 'cursor',
      message: `must be at most ${position}: the service has no later event; was its database replaced by an older one?`,
    },
  ])
