// Which records a session report or a closing adds up: those of the session that no closing took, and the late ones of its station.
//
// A late record is one of another, closed session of the station, or one that says that it happened in the time of such a session.
// Its money was in the drawer that was counted then, unless it happened after that session was closed.

import type { Queryable } from '../../database/connect.ts'
import { type ClosedResource, closedTables, LATE_LISTED } from '../../resources/closing.ts'

/**
 * Milliseconds before a station's last closing from which changed records are examined again. A record that was still
 * being written at that closing has an earlier `updatedAt`, by the length of its transaction (some 20 s) and by the
 * difference of two servers' clocks.
 */
const LATE_LOOKBACK_MS = 60 * 60_000

/**
 * Reports, and a station's first closing, include late records that changed in these last days. Otherwise a shop that only takes sessions over, and
 * never closes one, would have all of its past as late records.
 */
const LATE_DAYS = 31

/** The earliest change of a late record in a report, or in a station's first closing. */
export const firstLateChange = (): string => new Date(Date.now() - LATE_DAYS * 24 * 60 * 60_000).toISOString()

/** A session as reports and closings need it. */
export interface ReportedSession {
  readonly companyId: string
  readonly id: string
  readonly stationId: string
  readonly record: Readonly<Record<string, any>>
}

/** Records as a common table expression `picked` (id, is_late, is_in_drawer), for each resource. */
export interface Picked {
  readonly of: (resource: ClosedResource) => string
  /** The parameters of the expression; the company is $1. */
  readonly values: readonly unknown[]
}

/** SQL: what was picked, and the records as `stored`, looked up by key, however old the statistics of PostgreSQL are. */
export const pickedRecords = (table: string): string => `picked cross join lateral (
      select * from ${table} as found where found.company_id = $1 and found.id = picked.id offset 0
    ) as stored`

/** SQL: the statuses of orders that do not count, as in reports of sales. */
export const uncounted = `('pending', 'parked', 'cancelled')`

/** SQL: the record counts. */
const thatCounts = (resource: ClosedResource): string =>
  resource === 'order' ? `and stored.status not in ${uncounted}` : ''

/** SQL: no closing took the record. With `offset 0` PostgreSQL looks that up by key, however old its statistics are. */
const isInNoClosing = (resource: ClosedResource): string => `not exists (
    select from closing_records as taken
    where taken.company_id = $1 and taken.resource = '${resource}' and taken.record_id = stored.id offset 0
  )`

/** The other closed sessions of the station $3; also deleted ones, as far as closings know them. */
const closedSessions = `
  closed as materialized (
    select id, close_time, coalesce(nullif(open_time, ''), created_at) as open_time, updated_at from sessions
    where company_id = $1 and station_id = $3 and id <> $2 and close_time <> ''
    union all
    select session_id, max(close_time), min(coalesce(nullif(open_time, ''), close_time)), '' from closings
    where company_id = $1 and station_id = $3 and session_id <> $2
      and not exists (select from sessions where sessions.company_id = $1 and sessions.id = closings.session_id)
    group by session_id
  )`

/**
 * The records of a table that the next closing of session $2 takes if no closing has them; $4 is the moment since when late records are
 * sought, $5 when the station's closings began, $6 when the session began. A session that was open at earlier closings, and was then
 * closed without one, has records from before $4. For a range of two ends, PostgreSQL expects few records whatever $4 is; for $4 alone it
 * expects a third, and would read all records of all closed sessions instead.
 */
const candidates = (resource: ClosedResource): string => `
  ${ownCandidates(resource, '$6')}
  union all
  ${lateCandidates(resource)}`

/** SQL: records of the session itself, which began at the placeholder `began`. Earlier ones, in the time of a closed session, are late. */
const ownCandidates = (resource: ClosedResource, began: string): string => `
  select '${resource}' as resource, stored.id, stored.session_id, stored.moment, is_late, not is_late as is_in_drawer
  from (
    select stored.id, stored.session_id, coalesce(stored.occurred_at, stored.created_at) as moment
    from ${closedTables[resource]} as stored where stored.company_id = $1 and stored.session_id = $2 ${thatCounts(resource)}
  ) as stored
  cross join lateral (
    select stored.moment < ${began} and exists (select from closed where stored.moment between open_time and close_time)
  ) as of(is_late)`

/** SQL: records of closed sessions. */
const lateCandidates = (resource: ClosedResource): string => `
  select '${resource}' as resource, stored.id, stored.session_id, stored.moment, true as is_late, stored.moment > stored.close_time as is_in_drawer
  from (
    select stored.id, stored.session_id, coalesce(stored.occurred_at, stored.created_at) as moment, closed.close_time
    from (
      select * from ${closedTables[resource]} as stored
      where stored.company_id = $1 and stored.updated_at > $4 and stored.updated_at < '~' ${thatCounts(resource)} offset 0
    ) as stored join closed on closed.id = stored.session_id
    union all
    select stored.id, closed.id, coalesce(stored.occurred_at, stored.created_at), closed.close_time
    from closed cross join lateral (
      select * from ${closedTables[resource]} as found
      where found.company_id = $1 and found.session_id = closed.id and found.updated_at > $5 and found.updated_at <= $4 offset 0
    ) as stored
    where closed.updated_at > $4 ${thatCounts(resource)} and not exists (
      select from closings as own where own.company_id = $1 and own.session_id = closed.id and own.close_time = closed.close_time
    )
  ) as stored`

const resources = Object.keys(closedTables) as ClosedResource[]

/** The closings of a station so far. */
interface ClosingHistory {
  /** When the session of the first closing, or an earlier one that was taken over, was created. Earlier changes are in no closing. */
  readonly beganAt: string
  readonly lastClosedAt: string | undefined
}

/**
 * When the station was last closed. A closing from a clock that was ahead and has been set back does not count: until its
 * time, no record would be late, and each closing would get a later time than it.
 */
export async function lastClosing(
  database: Queryable,
  { companyId, stationId }: ReportedSession,
  closedAt: string | null,
): Promise<string | undefined> {
  const now = Date.now()
  const isAhead = closedAt !== null && Date.parse(closedAt) > now + LATE_LOOKBACK_MS
  if (!isAhead) return closedAt ?? undefined
  const [row] = await database.query(
    'select max(close_time) from closings where company_id = $1 and station_id = $2 and close_time <= $3',
    [companyId, stationId, new Date(now).toISOString()],
  )
  return row?.[0] ?? undefined
}

function candidateValues({ companyId, id, stationId, record }: ReportedSession, history: ClosingHistory): unknown[] {
  const { beganAt, lastClosedAt } = history
  const lookback = lastClosedAt && new Date(Date.parse(lastClosedAt) - LATE_LOOKBACK_MS).toISOString()
  const since = lookback !== undefined && lookback > beganAt ? lookback : beganAt
  return [companyId, id, stationId, since, beganAt, record.openTime ?? record.createdAt]
}

/** What a closing of an open session would take now. Late records are found first, once: that reads all records of the company that changed. */
export async function unclosed(
  database: Queryable,
  session: ReportedSession,
  history: ClosingHistory,
): Promise<Picked> {
  const values = candidateValues(session, history)
  const late = resources.map(
    (resource) => `select * from (${lateCandidates(resource)}) as stored where ${isInNoClosing(resource)}`,
  )
  const rows = await database.query(`with ${closedSessions} ${late.join(' union all ')}`, values.slice(0, 5))
  const columns = [0, 1, 2, 3, 5].map((column) => rows.map((row) => row[column]))
  return {
    of: (resource) => `${closedSessions}, picked as materialized (
      select * from (${ownCandidates(resource, '$4')}) as stored where ${isInNoClosing(resource)}
      union all
      select resource, id, session_id, moment, true, is_in_drawer
      from unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::boolean[]) as late(resource, id, session_id, moment, is_in_drawer)
      where resource = '${resource}'
    )`,
    values: [...values.slice(0, 3), values[5], ...columns],
  }
}

/** Records of a session: all, or those that no closing took. */
export type RecordsOf = 'all' | 'unclosed'

/** The session's own records. */
export const ofSession = ({ companyId, id }: ReportedSession, which: RecordsOf): Picked => ({
  of: (resource) => `
    picked as materialized (
      select stored.id, stored.session_id, '' as moment, false as is_late, true as is_in_drawer
      from ${closedTables[resource]} as stored
      where stored.company_id = $1 and stored.session_id = $2 ${thatCounts(resource)}
        ${which === 'unclosed' ? `and ${isInNoClosing(resource)}` : ''}
    )`,
  values: [companyId, id],
})

/**
 * Gives a closing what it takes; another one cannot take it then. What was taken before is a conflict with the primary key. Looking it up by
 * `isInNoClosing` would become slower with each inserted row, where PostgreSQL believes that the table is small.
 */
export async function takeRecords(
  transaction: Queryable,
  session: ReportedSession,
  history: ClosingHistory,
  closingId: string,
): Promise<Picked> {
  await transaction.query(
    `with ${closedSessions}
     insert into closing_records (company_id, resource, record_id, closing_id, session_id, moment, is_late, is_in_drawer)
     select $1, resource, id, $7, session_id, moment, is_late, is_in_drawer
     from (${resources.map(candidates).join(' union all ')}) as candidate
     on conflict do nothing`,
    [...candidateValues(session, history), closingId],
  )
  return {
    of: (resource) => `
      picked as materialized (
        select record_id as id, session_id, moment, is_late, is_in_drawer from closing_records
        where company_id = $1 and closing_id = $2 and resource = '${resource}'
      )`,
    values: [session.companyId, closingId],
  }
}

interface LateRecord {
  readonly resource: ClosedResource
  readonly id: string
  readonly sessionId: string
  readonly occurredAt: string
}

/** The late records among those that were picked, the first ones by time, and their number. */
export async function lateRecords(
  database: Queryable,
  picked: Picked,
): Promise<{ lateCount: number; lateRecords: LateRecord[] }> {
  const late: LateRecord[] = []
  let lateCount = 0
  for (const resource of resources) {
    const rows = await database.query(
      `with ${picked.of(resource)}
       select id, session_id, moment, count(*) over () from picked where is_late order by moment, id limit ${LATE_LISTED}`,
      picked.values,
    )
    lateCount += rows[0]?.[3] ?? 0
    late.push(...rows.map(([id, sessionId, occurredAt]) => ({ resource, id, sessionId, occurredAt })))
  }
  late.sort((a, b) => (a.occurredAt < b.occurredAt ? -1 : 1))
  return { lateCount, lateRecords: late.slice(0, LATE_LISTED) }
}
