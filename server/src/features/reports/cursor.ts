// The cursor of a company's reports as requests see it, and what is dirty at a moment.

import type { Queryable, Statement } from '../../database/connect.ts'
import { BLOCK_SIZES } from './buckets.ts'
import { isAllScanned, storedAt, touchedBy } from './dirty.ts'
import { REPORT_UNREAD_DAYS } from './limits.ts'
import type { ReportName } from './sources.ts'

const look: Statement = {
  name: 'reports_look',
  text: `
  select currency, timezone, coalesce(asked_at > now() - interval '1 day', false), position, listed_from
  from companies as company
  left join report_cursors as cursor
    on cursor.company_id = company.id and read_at > now() - make_interval(days => ${REPORT_UNREAD_DAYS})
  where company.id = $1`,
}

/** A company's settings, and how far its sums go if it has any; undefined if there is no such company. */
export async function lookAt(database: Queryable, companyId: string) {
  const [row] = await database.query(look, [companyId])
  if (row === undefined) return undefined
  const [currency, timezone, isNoted, position, listedFrom] = row as [string | null, string | null, boolean, number | null, string] // biome-ignore format: one thought
  return { currency: currency ?? undefined, timezone, isNoted, cursor: position === null ? undefined : { position, listedFrom } } // biome-ignore format: one thought
}

/** Creates a company's cursor, or stores that its reports are in use. */
export async function noteRequest(database: Queryable, companyId: string): Promise<void> {
  const text = `insert into report_cursors (company_id) values ($1) on conflict (company_id) do update set asked_at = now()`
  await database.query({ name: 'reports_requested', text }, [companyId])
}

/** A dirty chunk or block. */
export interface Dirty {
  readonly report: ReportName
  readonly size: number
  readonly number: number
  readonly chunk: string
  /** The records of a chunk when it was last summed; null if it never was. */
  readonly records: number | null
}

const isInPeriod =
  'number between floor($4::int / block.size::float8)::int and floor(($5::int - 1) / block.size::float8)::int'
const dirty: Statement = {
  name: 'reports_dirty',
  text: `
  with ${touchedBy('sequence > $2')}
  select stored.report, stored.size, number, chunk, records
  from unnest($3::text[]) as wanted(report) cross join unnest('{1, ${BLOCK_SIZES.join(', ')}}'::int[]) as block(size)
  cross join lateral (
    select * from report_sums as stored
    where company_id = $1 and is_dirty and stored.report = wanted.report and stored.size = block.size and ${isInPeriod} offset 0
  ) as stored
  union
  select block.report, block.size, block.number, block.chunk, case when stored.company_id is null then 0 else records end
  from touched as block left join ${storedAt('block.report', 'block.size', 'block.number')} on stored.chunk = block.chunk
  where block.report = any ($3) and block.${isInPeriod}
  union all
  select null, 0, 0, '', ${isAllScanned}::int`,
}

/** What is dirty of some reports from the quarter `first` to before `end`; whether all events were looked at. */
export async function dirtyOf(
  database: Queryable,
  position: number,
  ...[companyId, reports, first, end]: [companyId: string, reports: readonly ReportName[], first: number, end: number]
): Promise<{ readonly dirty: readonly Dirty[]; readonly isAll: boolean }> {
  const rows = await database.query(dirty, [companyId, position, reports, first, end])
  const all = rows.map(([report, size, number, chunk, records]): Dirty => ({ report, size, number, chunk, records }))
  return { isAll: all.pop()?.records === 1, dirty: all }
}
