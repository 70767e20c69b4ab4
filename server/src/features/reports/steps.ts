// What a reader does: one statement each, which reads and adds and says how far it has come, all or nothing.

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
import { type Zone, zoneOf } from './local-days.ts'
import { type Reader, type ReportName, readers, type ZoneParameters } from './readers.ts'
import { factsOf, factsSeen, isConcerned, seenEvents } from './tail.ts'

/** A reader of a company as it stands in the database. */
export interface Standing {
  readonly report: ReportName
  /** Grows with each step: a step from another version is none. */
  readonly version: number
  readonly state: 'clearing' | 'building' | 'ready'
  /** The key of the time zone by whose days it sums. */
  readonly timezone: string
  readonly position: number
  readonly frontierAt: string
  readonly frontierId: string
  /** Whether events may be gone that it has not read. */
  readonly isTooOld: boolean
  /** Whether it was not read on, and not asked for, since a day or so. */
  readonly isUnread: boolean
  readonly isUnasked: boolean
  /** The number of the first event behind its position, of any resource; undefined where there is none. */
  readonly next: number | undefined
  /** Whether more stands behind its position than an answer reads. */
  readonly isLong: boolean
}

/** A company's readers, and what they go by. */
interface Look {
  readonly standings: readonly Standing[]
  readonly currency: string | null
  readonly timezone: string | null
}

const resources = [...new Set(Object.values(readers).map(({ resource }) => `'${resource}'`))].join(', ')
const look: Statement = {
  name: 'reports_look',
  text: `
  select company.currency, company.timezone, reader.report, reader.version, reader.state,
    reader.timezone, reader.position, reader.frontier_at, reader.frontier_id,
    reader.read_at < now() - make_interval(days => ${REPORT_UNREAD_DAYS}),
    reader.read_at < now() - make_interval(hours => ${REPORT_UNREAD_HOURS}), reader.asked_at < now() - interval '1 day',
    -- As a value, so that it is looked up and never searched for.
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

/** How the readers of a company stand; undefined where there is no such company. */
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

/** The number up to which all events of a company are there for a later statement to read, or never will be. */
export async function settledAt(database: Queryable, companyId: string): Promise<number> {
  const rows = await database.query(
    { name: 'reports_settled', text: 'select settled from events_settled(array[$1])' },
    [companyId],
  )
  return rows[0]?.[0]
}

/** Makes readers that a company has not yet; the first step of each is to clear. */
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

/** Remembers that a company's reports are asked for. */
export async function noteAsked(database: Queryable, companyId: string): Promise<void> {
  await database.query(
    {
      name: 'reports_asked',
      text: `update report_readers set asked_at = now() where company_id = $1`,
    },
    [companyId],
  )
}

const mine = ({ report }: Reader) => `reader.company_id = $1 and reader.report = '${report}' and reader.version = $2`
const zoneAt = (number: number): ZoneParameters => ({ from: `$${number}`, ahead: `$${number + 1}` })

/** Whether there is more to do at once. What is lost with the machine is lost with how far it had come, and is added again: nothing waits for the disk. */
const answer = (hasMore: string) => `select ${hasMore}, set_config('synchronous_commit', 'off', true) from moved`

/** Reads events behind the position $3 up to $4, so many ($5) and of so many characters ($6) as one statement should. */
function followStatement(reader: Reader): Statement {
  return {
    name: `reports_follow_${reader.report}`,
    text: `
    with ${seenEvents(reader, { which: 'sequence > $3 and sequence <= $4', most: '$5::int', characters: '$6::int' })}, place as materialized (
      select case when count(*) < $5 and count(*) = (select count(*) from scanned) then $4
        else max(sequence) end as position
      from seen
    ), moved as (
      -- What is settled may fall back a little, a position never.
      update report_readers as reader set position = greatest(reader.position, place.position), version = reader.version + 1,
        read_at = case place.position when $4 then now() else reader.read_at end
      from place where ${mine(reader)} and reader.state <> 'clearing'
      returning reader.position, reader.frontier_at, reader.frontier_id
    ), ${factsSeen(reader, 'moved')}, ${reader.summing(zoneAt(7))}, ${reader.adding(true)}
    ${answer('position < $4')}`,
  }
}

/**
 * Adds records of the table, of those before the frontier ($4, $5) the newest ($6, $7), as they were at the position $3. The
 * statement sees them as they are: what events behind the position, so far as it sees these, did to them is taken back, for
 * whoever follows adds it.
 */
function buildStatement(reader: Reader): Statement {
  const { table, columns, reads, ofRow } = reader
  const size = reads.includes('body') ? sizeOf('body') : '0'
  return {
    // Without a name: a plan that is kept, and does not know the position, may read all events for those behind it.
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

/** Removes older sums; where there are none any more the records are added from $3 on. */
function clearStatement(reader: Reader): Statement {
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

/** Lets the sums be made anew, by the days of the time zone $3. */
const restartStatement = (reader: Reader): Statement => ({
  name: `reports_restart_${reader.report}`,
  text: `update report_readers as reader set version = version + 1, state = 'clearing', timezone = $3
    where ${mine(reader)} returning true`,
})

const each = <T>(make: (reader: Reader) => T) =>
  Object.fromEntries(Object.values(readers).map((reader) => [reader.report, make(reader)])) as Record<ReportName, T>
const statements = {
  follow: each(followStatement),
  build: each(buildStatement),
  clear: each(clearStatement),
  restart: each(restartStatement),
}

/** What a reader can do. */
type Step = keyof typeof statements

/**
 * What a reader has to do next so that all events up to a number are in its sums, and all records where `isBuilt` is not said
 * to be so; undefined when nothing.
 */
export function nextStep(
  { state, version, next, isTooOld, isUnread }: Standing,
  upTo: number,
  isBuilt = state === 'ready',
): Step | undefined {
  if (state === 'clearing') return 'clear'
  if (isTooOld) return 'restart'
  const isBehind = isUnread || (next !== undefined && next <= upTo)
  // In turns, so that the one need not wait until there is nothing more of the other.
  if (!isBuilt && (!isBehind || version % 2 === 0)) return 'build'
  return isBehind ? 'follow' : undefined
}

/** How many times less readers do at once whose steps took long, by company and report. */
const less = new Map<string, number>()

function remember(key: string, part: number): void {
  if (part > 1) less.set(key, part)
  else less.delete(key)
}

/**
 * Does a step from where the reader was seen, or nothing when it is not there any more; whether it has more to do at once.
 * `zone` is the one to sum by from a restart on. Throws what `isTimeout` tells when it took too long: it does less the next time.
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
  const days = readers[report].isByDay ? [from, ahead] : []
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
