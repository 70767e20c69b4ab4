// Reads a company's events in their order: the one statement behind the feed, the waiting and the stream.
import type { Database, Row, Statement } from '../../database/connect.ts'
import { invalid } from '../../http/problem.ts'
import type { Lane } from '../../lane.ts'
import { FEED_SCANNED, STATEMENT_CHARACTERS } from '../../limits.ts'
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

export interface FeedReader {
  /** Throws 400 when `after` is a number that was given to no event yet. */
  page(request: FeedRequest): Promise<FeedPage>
  /** The number of the company's last event that can be shown, 0 when there is none: where a reader begins who wants what comes. */
  tip(companyId: string, isGone?: () => boolean): Promise<number>
}

const sizeOf = (column: string) =>
  `coalesce(pg_column_size(${column}) * case when pg_column_compression(${column}) is null then 1 else 10 end, 0)`
/** How long an event's texts are, in SQL, without reading them: what is compressed is taken for ten times as long, more than most is. */
export const storedSize = `(${sizeOf('data')} + ${sizeOf('previous')})`

/** An event as the feed shows it; in SQL, so that its data is not read where the page has no room for it. */
const eventText = `
  '{"id":"' || event.id || '","sequence":' || event.sequence || ',"type":"' || event.type || '","createdAt":"' || iso_time(event.created_at)
  || '","resource":"' || event.resource || case event.record_id when '' then '"' else '","recordId":"' || event.record_id || '"' end
  || ',"data":' || event.data::text || coalesce(',"previous":' || event.previous::text, '') || '}'`

/**
 * The statement: company $1, after $2, up to $3, at most $4 events, none behind $5 characters. The innermost part finds where they stand; their sizes,
 * as they lie on the disk, say which of them are read. Behind the filters no more than `FEED_SCANNED` are looked at: `cut` is
 * then the last of these. Whether more stands behind is asked by max, which the index answers whatever the plan; for exists a
 * plan without the numbers would read the log from its beginning.
 */
function statementOf(filters: EventFilters, most: number, values: unknown[]): Statement {
  const { range, rest } = conditionsOf(filters, (value) => `$${values.push(value)}`)
  const within = `from events where company_id = $1 and sequence > $2 and sequence <= $3`
  const columns = 'sequence, created_at, type, resource, record_id, data, previous'
  const scanned = `(select ${columns} ${within}${range} order by sequence limit ${rest ? FEED_SCANNED : '$4::int + 1'}) as scanned`
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
      select sequence, created_at, row_number() over (order by sequence) as number, sum(size) over (order by sequence) - size as before
      from (
        select sequence, created_at, ${storedSize} as size
        from ${scanned} where ${rest ?? 'true'} order by sequence limit $4::int + 1
      ) as sized
    )
    select (select count(*)::int from page), ${cut},
      case when ${isWhole} then (select max(sequence) ${within}) end,
      -- As a value, so that it is looked up and never searched for.
      (select min(sequence) from events where company_id = $1 and sequence > $3) is not null,
      case when $2 > $3 then event_position() end,
      event.sequence, event.type, ${eventText}
    from (values (1)) as one
    left join (page join events as event using (sequence, created_at))
      on event.company_id = $1 and page.number <= $4 and page.before <= $5
    order by event.sequence`,
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
      message: `is beyond the last event of this service, whose number is ${position} at most; was its database replaced by an older one?`,
    },
  ])
