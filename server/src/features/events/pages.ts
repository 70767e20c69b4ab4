// Reads a company's events in their order: the one statement behind the feed, the waiting and the stream.

import type { Lane } from '../../concurrency/fair-semaphore.ts'
import { FEED_SCANNED, STATEMENT_CHARACTERS } from '../../core/limits.ts'
import { invalid } from '../../core/problem.ts'
import type { Database, Row, Statement } from '../../database/connect.ts'
import { conditionsOf, type EventFilters } from './filters.ts'
import { settledUpTo } from './settled.ts'

/** An event as JSON text, and what of it is needed beside. */
export interface FeedEvent {
  readonly sequence: number
  readonly type: string
  readonly text: string
}

/** Some events in their order. */
export interface FeedPage {
  readonly events: readonly FeedEvent[]
  /** Behind what to go on: the last event, or the last one that the filters left out. */
  readonly next: number
  /** Whether there is more to be read at once. */
  readonly hasMore: boolean
  /** Whether there are events that cannot be shown yet, since an older write is still committing. */
  readonly isHeld: boolean
}

export interface FeedRequest {
  readonly companyId: string
  readonly after: number
  readonly limit: number
  /** Characters behind which no further event is read: less than `STATEMENT_CHARACTERS`, which it is by itself. */
  readonly most?: number | undefined
  readonly filters: EventFilters
  readonly isGone?: (() => boolean) | undefined
  /** Told before the statement is asked, and how long its texts are; what it throws is the end. */
  readonly expect?: (characters: number) => void
}

interface FeedReader {
  /** Throws 400 when `after` is a number that was given to no event yet. */
  page(request: FeedRequest): Promise<FeedPage>
  /** The number of the company's last event that can be shown, 0 when there is none: where a reader begins who wants what comes. */
  tip(companyId: string, isGone?: () => boolean): Promise<number>
}

/** How long a text is, in SQL, without reading it: what is compressed is taken for ten times as long, more than most is. */
export const sizeOf = (column: string) =>
  `coalesce(pg_column_size(${column}) * case when pg_column_compression(${column}) is null then 1 else 10 end, 0)`
/** How long an event's texts are. */
export const storedSize = `(${sizeOf('data')} + ${sizeOf('previous')})`

/** An event as the feed shows it; in SQL, so that its data is not read where the page has no room for it. */
const eventText = `
  '{"id":"' || id || '","sequence":' || sequence || ',"type":"' || type || '","createdAt":"' || iso_time(created_at)
  || '","resource":"' || resource || case record_id when '' then '"' else '","recordId":"' || record_id || '"' end
  || ',"data":' || data::text || coalesce(',"previous":' || previous::text, '') || '}'`

/**
 * The statement: company $1, after $2, up to $3, at most $4 events, none behind $5 characters. It holds the data of the page as it lies on the
 * disk, whose size says of which events the text is made. Behind the filters no more than `FEED_SCANNED` are looked at: `cut`
 * is then the last of these. Nothing is joined: the partition of the week is empty when it begins, and a plan that is kept
 * from then would look through all of it for each event. Whether more stands behind is asked by a value, which the index answers
 * whatever the plan; for exists a plan without the numbers would read the log from its beginning.
 */
function statementOf(filters: EventFilters, most: number, values: unknown[]): Statement {
  const { range, rest } = conditionsOf(filters, (value) => `$${values.push(value)}`)
  const within = `from events where company_id = $1 and sequence > $2 and sequence <= $3`
  const columns = 'id, sequence, created_at, type, resource, record_id, data, previous'
  const scanned = `select ${columns} ${within}${range} order by sequence limit ${rest ? FEED_SCANNED : '$4::int + 1'}`
  const isWhole = '(select count(*) from page) <= $4::int'
  const cut = rest
    ? `case when ${isWhole} then (
         select max(sequence) from (select sequence ${within}${range} order by sequence limit ${FEED_SCANNED}) as scanned
         having count(*) = ${FEED_SCANNED}
       ) end`
    : 'null::bigint'
  const isPlain = values.length === 5
  return {
    ...(isPlain && { name: 'events_page' }),
    most,
    text: `
    with page as materialized (
      select *, row_number() over (order by sequence) as number, sum(size) over (order by sequence) - size as before
      from (
        select *, ${storedSize} as size
        from (${scanned}) as scanned where ${rest ?? 'true'} order by sequence limit $4::int + 1
      ) as sized
    )
    select (select count(*)::int from page), ${cut},
      case when ${isWhole} then (select max(sequence) ${within}) end,
      (select min(sequence) from events where company_id = $1 and sequence > $3) is not null,
      case when $2 > $3 then event_position() end,
      sequence, type, ${eventText}
    from (values (1)) as one left join page on number <= $4 and before <= $5
    order by sequence`,
  }
}

/** Makes the reader; its statements take turns in `lists`. */
export function feedReader(database: Database, lists: Lane): FeedReader {
  const settled = settledUpTo(database)

  return {
    async page({ companyId, after, limit, most = STATEMENT_CHARACTERS, filters, isGone = never, expect }) {
      // Two statements, in this order: what is settled when the first is asked is there for the second to see.
      const upTo = await settled(companyId, isGone)
      const values: unknown[] = [companyId, after, upTo, limit, most]
      const statement = statementOf(filters, most, values)
      const rows = await lists({ line: companyId, isGone }, async () => {
        expect?.(0)
        return database.query(statement, values)
      })
      const page = pageOf(rows, after)
      expect?.(page.events.reduce((characters, { text }) => characters + text.length, 0))
      return page
    },
    async tip(companyId, isGone = never) {
      const upTo = await settled(companyId, isGone)
      const rows = await lists({ line: companyId, isGone }, () =>
        database.query(
          { name: 'events_tip', text: 'select max(sequence) from events where company_id = $1 and sequence <= $2' },
          [companyId, upTo],
        ),
      )
      return rows[0]?.[0] ?? 0
    },
  }
}

function pageOf(rows: readonly Row[], after: number): FeedPage {
  const [found, cut, last, isHeld, position] = rows[0] as Row
  if (position !== null && position < after) throw ahead(position)
  const events: FeedEvent[] = []
  for (const [, , , , , sequence, type, text] of rows) {
    // None was found, or what went beyond the limit was not kept.
    if (sequence === null || text === null) break
    events.push({ sequence, type, text })
  }
  const end = events.at(-1)?.sequence ?? after
  // A cursor is always the number of an event, which no crash gives out again.
  if (events.length < found) return { events, next: end, hasMore: true, isHeld }
  return { events, next: Math.max(cut ?? last ?? end, end), hasMore: cut !== null, isHeld }
}

const never = () => false

const ahead = (position: number) =>
  invalid([
    {
      ...{ in: 'query', pointer: 'after', code: 'cursor' },
      message: `must be at most ${position}: the service has no later event; was its database replaced by an older one?`,
    },
  ])
