// The sums that a company has: in buckets of time, which are quarters of an hour and blocks of 4, 16, … of them; which of them are dirty;
// and how far they go, as its cursor says.
import { notFound } from '../../../core/problem.ts'
import type { Queryable, Statement } from '../../../database/connect.ts'
import type { SourceName } from './sources.ts'

/** How many blocks of one size make one of the next. */
export const FAN_OUT = 4
/** The sizes of blocks in quarters, up to six weeks; stored sums have the same. */
export const BLOCK_SIZES = [4, 16, 64, 256, 1024, 4096] as const

/**
 * The format of stored sums, raised when what is summed, or how, changes. Servers of each format keep their own sums, and read no others.
 */
export const SUMS_FORMAT = 1

/** SQL: the rows of the company $1 in this format. */
export const ofFormat = `company_id = $1 and format = ${SUMS_FORMAT}`

/** A quarter (size 1) or block: it begins at quarter `number * size`. */
export interface TimeBucket {
  readonly size: number
  readonly number: number
}

/** The fewest buckets that fill the quarters from `first` to before `end`, without blocks whose sums cannot be used. */
export function cover(first: number, end: number, isUsable: (block: TimeBucket) => boolean): TimeBucket[] {
  const buckets: TimeBucket[] = []
  for (let at = first; at < end; ) {
    let bucket: TimeBucket = { size: 1, number: at }
    for (const size of BLOCK_SIZES) {
      if (at % size !== 0 || at + size > end) break
      const block = { size, number: at / size }
      if (isUsable(block)) bucket = block
    }
    buckets.push(bucket)
    at += bucket.size
  }
  return buckets
}

/** Days after which sums that were not updated are computed again: events are kept for 30. */
export const REPORT_UNREAD_DAYS = 28

/**
 * One snapshot for the statements of a transaction. Plans do not depend on values, and planning takes longer than running; but
 * Citus needs the company's value to choose the node.
 */
export const snapshotSettings = ({ isSharded }: Queryable, access: 'read only' | 'read write'): string =>
  `set transaction isolation level repeatable read, ${access}${isSharded ? '' : '; set local plan_cache_mode = force_generic_plan'}`

/** What reports need of a company. Its table is not distributed by company, unlike the others here. */
export const companySettings: Statement = {
  name: 'reports_company',
  text: 'select currency, timezone, day_start_hour from companies where id = $1',
}
/**
 * How far its sums go: whether the latest refresh left events, and whether there are any after the cursor. `min` reads the next
 * event of an index. For `exists`, PostgreSQL expects a third of all events and scans them, to the end if there is none.
 */
const cursor: Statement = {
  name: 'reports_cursor',
  text: `
  select asked_at > now() - interval '1 day', listed_from, has_unread,
    (select min(sequence) from events where company_id = $1 and sequence > position) is not null
  from sum_cursors
  where ${ofFormat} and position is not null and read_at > now() - make_interval(days => ${REPORT_UNREAD_DAYS})`,
}

/** A company's settings, and how far its sums go if it has any. Throws 404 if there is no such company. */
export async function readState(database: Queryable, companyId: string) {
  const [company] = await database.query(companySettings, [companyId])
  if (company === undefined) throw notFound('company', companyId)
  const [currency, timezone, dayStartHour] = company as [string | null, string | null, number | null]
  const [row] = await database.query(cursor, [companyId])
  const [isNoted, listedFrom, hasUnread, hasEvents] = (row ?? [false]) as [boolean, string, boolean, boolean]
  return {
    currency: currency ?? undefined,
    timezone,
    dayStartHour: dayStartHour ?? 0,
    isNoted,
    cursor: row && { listedFrom, hasUnread, hasEvents },
  }
}

/** Creates a company's cursor, or stores that its reports are in use. */
export async function noteRequest(database: Queryable, companyId: string): Promise<void> {
  // The default of the new row: if tables are distributed by company, the time must come from the coordinator.
  const text = `insert into sum_cursors (company_id, format) values ($1, ${SUMS_FORMAT}) on conflict (company_id, format) do update set asked_at = excluded.asked_at`
  await database.query({ name: 'reports_requested', text }, [companyId])
}

const dirty: Statement = {
  name: 'reports_dirty',
  text: `
  select stored.source, stored.size, number
  from unnest($2::text[]) as wanted(source) cross join unnest('{1, ${BLOCK_SIZES.join(', ')}}'::int[]) as block(size)
  cross join lateral (
    select * from sum_buckets as stored
    where ${ofFormat} and is_dirty and stored.source = wanted.source and stored.size = block.size
      and number between floor($3::int / block.size::float8)::int and floor(($4::int - 1) / block.size::float8)::int offset 0
  ) as stored`,
}

/** The dirty buckets of some sources from the quarter `first` to before `end`. */
export async function dirtyBuckets(
  database: Queryable,
  ...[companyId, sources, first, end]: [companyId: string, sources: readonly SourceName[], first: number, end: number]
): Promise<(TimeBucket & { readonly source: SourceName })[]> {
  const rows = await database.query(dirty, [companyId, sources, first, end])
  return rows.map(([source, size, number]) => ({ source, size, number }))
}
