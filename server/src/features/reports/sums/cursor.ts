// The cursor of a company's reports as requests see it, and what is dirty at a moment.

import { notFound } from '../../../core/problem.ts'
import type { Queryable, Statement } from '../../../database/connect.ts'
import { BLOCK_SIZES } from './buckets.ts'
import { isAllScanned, isOutdated, touchedBy } from './dirty.ts'
import { REPORT_UNREAD_DAYS } from './limits.ts'
import type { SourceName } from './sources.ts'

const settings: Statement = { name: 'reports_company', text: 'select currency, timezone from companies where id = $1' }
/** A separate statement: if tables are distributed by company, the cursor is on the coordinator. */
const feed: Statement = {
  name: 'reports_cursor',
  text: `
  select coalesce(asked_at > now() - interval '1 day', false), position, listed_from from report_feeds
  where company_id = $1 and read_at > now() - make_interval(days => ${REPORT_UNREAD_DAYS})`,
}

/** A company's settings, and how far its sums go if it has any. Throws 404 if there is no such company. */
export async function lookAt(database: Queryable, companyId: string) {
  const [company] = await database.query(settings, [companyId])
  if (company === undefined) throw notFound('company', companyId)
  const [currency, timezone] = company as [string | null, string | null]
  const [row] = await database.query(feed, [companyId])
  const [isNoted, position, listedFrom] = (row ?? [false, null, '']) as [boolean, number | null, string]
  return { currency: currency ?? undefined, timezone, isNoted, cursor: position === null ? undefined : { position, listedFrom } } // biome-ignore format: one thought
}

/** Creates a company's cursor, or stores that its reports are in use. */
export async function noteRequest(database: Queryable, companyId: string): Promise<void> {
  // The default of the new row: if tables are distributed by company, the time must come from the coordinator.
  const text =
    'insert into report_feeds (company_id) values ($1) on conflict (company_id) do update set asked_at = excluded.asked_at'
  await database.query({ name: 'reports_requested', text }, [companyId])
}

/** A chunk or block that is dirty, or a clean block that is not summed to its end. */
export interface Unfinished {
  readonly source: SourceName
  readonly size: number
  readonly number: number
  readonly chunk: string
  /** The records of a chunk when it was last summed; null if it never was. */
  readonly records: number | null
  /** The quarter up to which a clean block is summed. */
  readonly upTo: number | null
}

const isInPeriod = (number: string) =>
  `${number} between floor($4::int / block.size::float8)::int and floor(($5::int - 1) / block.size::float8)::int`
const unfinished: Statement = {
  name: 'reports_unfinished',
  text: `
  with ${touchedBy('sequence > $2')}
  select stored.source, stored.size, number, chunk, records, case when not ${isOutdated} then up_to end
  from unnest($3::text[]) as wanted(source) cross join unnest('{1, ${BLOCK_SIZES.join(', ')}}'::int[]) as block(size)
  cross join lateral (
    select * from report_buckets as stored
    where company_id = $1 and (${isOutdated} or up_to is not null) and stored.source = wanted.source and stored.size = block.size
      and ${isInPeriod('stored.number + 0')} offset 0
  ) as stored
  where not exists (
    select from touched where (touched.source, touched.size, touched.number, touched.chunk) = (stored.source, stored.size, stored.number, stored.chunk)
  )
  union all
  select source, size, number, chunk, records, null
  from touched as block where source = any ($3) and ${isInPeriod('number')}
  union all
  select null, 0, 0, '', ${isAllScanned}::int, null`,
}

/**
 * What is unfinished of some sources from the quarter `first` to before `end`, and whether all events were examined.
 */
export async function unfinishedOf(
  database: Queryable,
  position: number,
  ...[companyId, names, first, end]: [companyId: string, names: readonly SourceName[], first: number, end: number]
): Promise<{ readonly unfinished: readonly Unfinished[]; readonly isAll: boolean }> {
  const rows = await database.query(unfinished, [companyId, position, names, first, end])
  const all = rows.map(
    ([source, size, number, chunk, records, upTo]): Unfinished => ({ source, size, number, chunk, records, upTo }),
  )
  return { isAll: all.pop()?.records === 1, unfinished: all }
}
