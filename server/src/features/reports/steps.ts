// The steps of an aggregator: one statement each, which reads, adds and stores how far it has got, all or nothing.

import {
  REPORT_CHARACTERS,
  REPORT_EVENTS,
  REPORT_LESS,
  REPORT_ROWS,
  REPORT_ROWS_CLEARED,
  REPORT_STEP_MS,
  REPORT_TAIL_CHARACTERS,
  REPORT_TAIL_EVENTS,
  REPORT_UNREAD_DAYS,
  REPORT_UNREAD_HOURS,
} from '../../core/limits.ts'
import { isTimeout, type Queryable, type Statement } from '../../database/connect.ts'
import { sizeOf, storedSize } from '../events/pages.ts'
import { type Aggregator, aggregators, type ReportName, type ZoneParameters } from './aggregators.ts'
import { type Zone, zoneOf } from './local-days.ts'
import { factsOf, factsSeen, isConcerned, seenEvents } from './unaggregated-events.ts'

/** An aggregator of a company as it is stored. */
export interface Standing {
  readonly report: ReportName
  /** Increases with each step: a step from another version does nothing. */
  readonly version: number
  readonly state: 'clearing' | 'building' | 'ready'
  /** The key of the time zone whose days it sums by. */
  readonly timezone: string
  readonly position: number
  readonly frontierAt: string
  readonly frontierId: string
  /** Whether unread events may have been dropped. */
  readonly isTooOld: boolean
  /** Whether it was neither refreshed nor used for about a day. */
  readonly isUnread: boolean
  readonly isUnasked: boolean
  /** The number of the first event after its cursor, of any resource; undefined if there is none. */
  readonly next: number | undefined
  /** Whether more events follow its cursor than an answer reads. */
  readonly isLong: boolean
}

/** A company's aggregators and settings. */
interface Look {
  readonly standings: readonly Standing[]
  readonly currency: string | null
  readonly timezone: string | null
}

const resources = [...new Set(Object.values(aggregators).map(({ resource }) => `'${resource}'`))].join(', ')
const look: Statement = {
  name: 'reports_look',
  text: `
  select company.currency, company.timezone, reader.report, reader.version, reader.state,
    reader.timezone, reader.position, reader.frontier_at, reader.frontier_id,
    reader.read_at < now() - make_interval(days => ${REPORT_UNREAD_DAYS}),
    reader.read_at < now() - make_interval(hours => ${REPORT_UNREAD_HOURS}), reader.asked_at < now() - interval '1 day',
    -- A scalar subquery, so that it uses the index and never scans.
    (select min(sequence) from events where events.company_id = $1 and events.sequence > reader.position),
    (select count(*) > ${REPORT_TAIL_EVENTS} or coalesce(sum(size), 0) > ${REPORT_TAIL_CHARACTERS} from (
      select case when resource in (${resources}) then ${storedSize} else 0 end as size
      from events where events.company_id = $1 and events.sequence > reader.position
      order by sequence limit ${REPORT_TAIL_EVENTS + 1}
    ) as event)
  from companies as company
  left join report_readers as reader on reader.company_id = company.id
  where company.id = $1`,
}

/** The state of a company's aggregators; undefined if the company does not exist. */
export async function lookAt(database: Queryable, companyId: string): Promise<Look | undefined> {
  const rows = await database.query(look, [companyId])
  const [first] = rows
  if (first === undefined) return undefined
  const [currency, timezone] = first
  const standings = rows
    .filter((row) => row[2] !== null)
    .map((row): Standing => {
      const [
        report,
        version,
        state,
        timezone,
        position,
        frontierAt,
        frontierId,
        isTooOld,
        isUnread,
        isUnasked,
        next,
        isLong,
      ] = row.slice(2)
      const place = { position, frontierAt, frontierId }
      return {
        report,
        version,
        state,
        timezone,
        ...place,
        isTooOld,
        isUnread,
        isUnasked,
        next: next ?? undefined,
        isLong,
      }
    })
  return { standings, currency, timezone }
}

/**
 * The watermark: the number up to which all events of a company can be read by a later statement, or never will exist.
 */
export async function settledAt(database: Queryable, companyId: string): Promise<number> {
  const rows = await database.query(
    { name: 'reports_settled', text: 'select settled from events_settled(array[$1])' },
    [companyId],
  )
  return rows[0]?.[0]
}

/** Creates missing aggregators of a company; the first step of each is to clear. */
export async function begin(database: Queryable, companyId: string, reports: readonly ReportName[], zone: Zone) {
  await database.query(
    {
      name: 'reports_begin',
      text: `insert into report_readers (company_id, report, timezone) select $1, report, $3 from unnest($2::text[]) as report
        on conflict do nothing`,
    },
    [companyId, reports, zone.key],
  )
}

/** Stores that a company's reports are in use. */
export async function noteAsked(database: Queryable, companyId: string): Promise<void> {
  await database.query(
    {
      name: 'reports_asked',
      text: `update report_readers set asked_at = now() where company_id = $1`,
    },
    [companyId],
  )
}

const mine = ({ report }: Aggregator) =>
  `reader.company_id = $1 and reader.report = '${report}' and reader.version = $2`
const zoneAt = (number: number): ZoneParameters => ({ from: `$${number}`, ahead: `$${number + 1}` })

/**
 * Whether there is more to do at once. The transaction need not wait for the disk: a step lost in a crash is lost with
 * its cursor, and is done again.
 */
const answer = (hasMore: string) => `select ${hasMore}, set_config('synchronous_commit', 'off', true) from moved`

/** Reads events after the cursor $3 up to $4: at most $5 events of $6 characters. */
function followStatement(reader: Aggregator): Statement {
  return {
    name: `reports_follow_${reader.report}`,
    text: `
    with ${seenEvents(reader, { which: 'sequence > $3 and sequence <= $4', most: '$5::int', characters: '$6::int' })}, place as materialized (
      select case when count(*) < $5 and count(*) = (select count(*) from scanned) then $4
        else max(sequence) end as position
      from seen
    ), moved as (
      -- The watermark may move backwards; a cursor must not.
      update report_readers as reader set position = greatest(reader.position, place.position), version = reader.version + 1,
        read_at = case place.position when $4 then now() else reader.read_at end
      from place where ${mine(reader)} and reader.state <> 'clearing'
      returning reader.position, reader.frontier_at, reader.frontier_id
    ), ${factsSeen(reader, 'moved')}, ${reader.summing(zoneAt(7))}, ${reader.adding(true)}
    ${answer('position < $4')}`,
  }
}

/**
 * Adds records before the backfill cursor ($4, $5), newest first ($6 rows, $7 characters). It adds them as they were at
 * the cursor $3. The statement sees their current state: changes by events after the cursor that it also sees are
 * subtracted, since they will be added when those events are read.
 */
function buildStatement(reader: Aggregator): Statement {
  const { table, columns, reads, ofRow } = reader
  const size = reads.includes('body') ? sizeOf('body') : '0'
  return {
    // Unnamed: a cached plan, which does not know the cursor, may read all events to find those after it.
    text: `
    with page as materialized (
      select *, sum(size) over (order by created_at desc, id desc) - size as before
      from (
        select created_at, id, ${reads.join(', ')}, ${size} as size from ${table}
        where company_id = $1 and (created_at, id) < ($4, $5) order by created_at desc, id desc limit $6::int
      ) as item
    ), taken as materialized (
      select * from page where before <= $7::int
    ), border as materialized (
      select created_at, id from taken
      where (select count(*) from taken) = $6 or (select count(*) from taken) < (select count(*) from page)
      order by created_at, id limit 1
    ), moved as (
      update report_readers as reader set version = reader.version + 1,
        state = case when border.id is null then 'ready' else 'building' end,
        frontier_at = coalesce(border.created_at, ''), frontier_id = coalesce(border.id, '')
      from (values (1)) as one left join border on true where ${mine(reader)} and reader.state = 'building'
      returning reader.frontier_at, reader.frontier_id
    ), ahead as materialized (
      select type, record_id, data, previous from events
      where company_id = $1 and sequence > $3 and ${isConcerned(reader)}
    ), fact as materialized (
      select 1 as sign, created_at, id as record_id, ${ofRow.map((value, n) => `${value} as ${columns[n]}`).join(', ')}
      from taken, moved
      union all
      select -sign, created_at, record_id, ${columns.join(', ')} from (${factsOf(reader, 'ahead')}
      ) as told, moved
      where (created_at, record_id) >= (frontier_at, frontier_id) and (created_at, record_id) < ($4, $5)
    ), ${reader.summing(zoneAt(8))}, ${reader.adding(false)}
    ${answer(`frontier_at <> ''`)}`,
  }
}

/** Removes older sums; once none are left, records are added from $3 on. */
function clearStatement(reader: Aggregator): Statement {
  const gone = reader.sums.map(
    (table, n) => `gone${n} as (
      delete from ${table} where company_id = $1 and ctid = any (
        array(select ${table}.ctid from ${table}, held where company_id = $1 limit ${REPORT_ROWS_CLEARED})
      ) returning 1
    )`,
  )
  const isEmpty = reader.sums.map((_, n) => `not exists (select from gone${n})`).join(' and ')
  return {
    name: `reports_clear_${reader.report}`,
    text: `
    with held as materialized (
      select from report_readers as reader where ${mine(reader)} and state = 'clearing' for no key update
    ), ${gone.join(', ')}
    update report_readers as reader set version = version + 1, state = case when ${isEmpty} then 'building' else state end,
      position = $3, read_at = now(), frontier_at = default, frontier_id = default
    where ${mine(reader)} and state = 'clearing'
    returning true`,
  }
}

/** Restarts the sums, by the days of the time zone $3. */
const restartStatement = (reader: Aggregator): Statement => ({
  name: `reports_restart_${reader.report}`,
  text: `update report_readers as reader set version = version + 1, state = 'clearing', timezone = $3
    where ${mine(reader)} returning true`,
})

const each = <T>(make: (reader: Aggregator) => T) =>
  Object.fromEntries(Object.values(aggregators).map((reader) => [reader.report, make(reader)])) as Record<ReportName, T>
const statements = {
  follow: each(followStatement),
  build: each(buildStatement),
  clear: each(clearStatement),
  restart: each(restartStatement),
}

/** The steps of an aggregator. */
type Step = keyof typeof statements

/**
 * The next step until its sums have all events up to a number; undefined if there is none. The sums need all records
 * too, unless `isBuilt`.
 */
export function nextStep(
  { state, version, next, isTooOld, isUnread }: Standing,
  upTo: number,
  isBuilt = state === 'ready',
): Step | undefined {
  if (state === 'clearing') return 'clear'
  if (isTooOld) return 'restart'
  const isBehind = isUnread || (next !== undefined && next <= upTo)
  // Alternately, so that neither waits until the other is finished.
  if (!isBuilt && (!isBehind || version % 2 === 0)) return 'build'
  return isBehind ? 'follow' : undefined
}

/** How much smaller the steps of slow aggregators are, by company and report. */
const less = new Map<string, number>()

function remember(key: string, part: number): void {
  if (part > 1) less.set(key, part)
  else less.delete(key)
}

/**
 * Does a step from the state that was seen, or nothing if that has changed; returns whether there is more to do at
 * once. `zone` is the time zone after a restart. Throws an error that `isTimeout` recognizes if it took too long: the
 * next step is smaller.
 */
export async function take(
  database: Queryable,
  companyId: string,
  step: Step,
  { report, version, position, frontierAt, frontierId, timezone }: Standing,
  { settled, zone }: { readonly settled: number; readonly zone: Zone },
): Promise<boolean> {
  const key = `${companyId} ${report}`
  const part = less.get(key) ?? 1
  const most = (whole: number) => Math.ceil(whole / part)
  const { from, ahead } = zoneOf(timezone)
  const days = aggregators[report].isByDay ? [from, ahead] : []
  const values = {
    follow: [position, settled, most(REPORT_EVENTS), most(REPORT_CHARACTERS), ...days],
    build: [position, frontierAt, frontierId, most(REPORT_ROWS), most(REPORT_CHARACTERS), ...days],
    clear: [settled],
    restart: [zone.key],
  }
  const begun = performance.now()
  try {
    const [row] = await database.query(statements[step][report], [companyId, version, ...values[step]])
    const tookMs = performance.now() - begun
    remember(key, tookMs > REPORT_STEP_MS ? part * 2 : tookMs < REPORT_STEP_MS / 4 ? part / 2 : part)
    return row?.[0] ?? false
  } catch (error) {
    if (isTimeout(error)) remember(key, part * REPORT_LESS)
    throw error
  }
}
