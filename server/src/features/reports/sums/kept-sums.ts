// The sums that a company has, and how they are read: in buckets of time, which are quarters of an hour and blocks of 4, 16, … of them; which of
// them are dirty; and how far they go, as its cursor says. Those that were read before are in memory, under the version of their row.
import { LRUCache } from 'lru-cache'
import { eachInSlices, mapInSlices } from '../../../concurrency/time-slices.ts'
import { notFound } from '../../../core/problem.ts'
import { divided } from '../../../core/worker-share.ts'
import type { Queryable, Statement } from '../../../database/connect.ts'
import { type Entries, entriesOfText } from './entries.ts'
import { columns, type Query } from './records.ts'
import type { Facet, SourceName } from './sources.ts'

/** How many blocks of one size make one of the next. */
export const FAN_OUT = 4
/** The sizes of blocks in quarters, up to six weeks; stored sums have the same. */
export const BLOCK_SIZES = [4, 16, 64, 256, 1024, 4096] as const

/**
 * The format of stored sums, raised when what is summed, or how, changes. Servers of each format keep their own sums, and read no others.
 */
export const SUMS_FORMAT = 3

/** SQL: the rows of the company $1 in this format. */
export const ofFormat = `company_id = $1 and format = ${SUMS_FORMAT}`

/** A quarter (size 1) or block: it begins at quarter `number * size`. */
interface TimeBucket {
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
  companyId: string,
  sources: readonly SourceName[],
  first: number,
  end: number,
): Promise<(TimeBucket & { readonly source: SourceName })[]> {
  const rows = await database.query(dirty, [companyId, sources, first, end])
  return rows.map(([source, size, number]) => ({ source, size, number }))
}

/** Bytes of sums, compressed as they are stored, that one statement reads: some 1 MB of text. */
const REPORT_READ_BYTES = 128 * 1024
/** Bytes of sums that a server keeps in memory, divided among its workers: those of some hundred thousand entries. */
const REPORT_CACHE_BYTES = 32 * 1024 * 1024
const REPORT_CACHE_LEAST = 8 * 1024 * 1024

/** Entries of a facet of buckets in portions, by the version of the row. */
export type EntryCache = LRUCache<string, { readonly portions: readonly Entries[]; readonly bytes: number }>

/** The bytes of an entry of the cache, and of a character of its text in memory: numbers take 8, texts of keys some 80. */
const ENTRY_BYTES = 4_000
const BYTES_PER_CHARACTER = 2
export const entryCache = (): EntryCache =>
  new LRUCache({ maxSize: divided(REPORT_CACHE_BYTES, REPORT_CACHE_LEAST), sizeCalculation: ({ bytes }) => bytes })

/** A bucket with the label of its part of the period. */
type LabelledBucket = TimeBucket & { readonly label: number }

/** The rows that buckets of the source $2 have ($3 sizes, $4 numbers, $5 labels), and the stored bytes of a facet. */
const rowsOf = (facet: Facet['name']): Statement => ({
  name: `reports_rows_${facet}`,
  text: `
  select bucket.label, stored.* from unnest($3::int[], $4::int[], $5::int[]) as bucket(size, number, label)
  cross join lateral (
    select size, number, chunk, version, pg_column_size(${facet}) from sum_buckets
    where ${ofFormat} and source = $2 and size = bucket.size and number = bucket.number and version is not null offset 0
  ) as stored`,
})

/** The portions of a facet of rows of the source $2 ($3 sizes, $4 numbers, $5 chunks), each with the place of its row from 1. */
const portionsOf = (facet: Facet['name']): Statement => ({
  name: `reports_portions_${facet}`,
  text: `
  select place, portion from unnest($3::int[], $4::int[], $5::text[]) with ordinality as bucket(size, number, chunk, place)
  cross join lateral (
    select ${facet} from sum_buckets
    where ${ofFormat} and source = $2 and size = bucket.size and number = bucket.number and chunk = bucket.chunk offset 0
  ) as stored
  cross join unnest(${facet}) with ordinality as of(portion, nth)
  order by place, nth`,
})

/** What reading needs: statements of the company in one snapshot, and a check that throws if nobody waits any more. */
interface EntryReading {
  readonly cache: EntryCache
  readonly companyId: string
  readonly query: Query
  readonly check: () => void
}

/** Calls `add` with the entries of a facet of buckets, each with its label. */
export async function readEntries(
  { cache, companyId, query, check }: EntryReading,
  [source, facet]: readonly [source: SourceName, facet: Facet['name']],
  buckets: readonly LabelledBucket[],
  add: (label: number, entries: Entries) => Promise<void> | void,
): Promise<void> {
  const found = await query(rowsOf(facet), source, ...columns(buckets, 'size', 'number', 'label'))
  const rows = found.map(([label, size, number, chunk, version, bytes]) => {
    const key = `${version} ${facet}`
    return { label, size, number, chunk, bytes, key, known: cache.get(key)?.portions }
  })
  const addAll = (label: number, portions: readonly Entries[]) =>
    eachInSlices(portions, companyId, (entries) => add(label, entries), check)
  for (const { label, known } of rows) if (known) await addAll(label, known)
  let bytesBefore = 0
  const missing = rows.filter(({ known }) => known === undefined)
  const statements = Map.groupBy(missing, ({ bytes }) => {
    bytesBefore += bytes
    return Math.floor(bytesBefore / REPORT_READ_BYTES)
  })
  for (const some of statements.values()) {
    check()
    const read = await query(portionsOf(facet), source, ...columns(some, 'size', 'number', 'chunk'))
    const texts = Map.groupBy(read, ([place]) => place)
    for (const [n, { label, key }] of some.entries()) {
      const own = texts.get(n + 1) ?? []
      const portions = await mapInSlices(own, companyId, ([, text]) => entriesOfText(text))
      const bytes = own.reduce((sum, [, text]) => sum + text.length * BYTES_PER_CHARACTER, ENTRY_BYTES)
      cache.set(key, { portions, bytes })
      await addAll(label, portions)
    }
  }
}
