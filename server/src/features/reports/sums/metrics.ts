// What reports report about themselves, read at a scrape.
import type { Queryable } from '../../../database/connect.ts'
import { type Family, readFamily } from '../../../metrics/instruments.ts'
import { REPORT_UNASKED_DAYS } from './limits.ts'

/** How many companies' sums have events or moments left to do, and since when the oldest of them is behind. */
export async function reportFamilies(database: Queryable): Promise<Family[]> {
  const [row] = await database.query(
    `select count(*), coalesce(max(extract(epoch from now() - read_at)), 0)::float8
     from report_cursors where has_more and asked_at > now() - make_interval(days => ${REPORT_UNASKED_DAYS})`,
  )
  const [count = 0, seconds = 0] = (row ?? []).map(Number)
  return [
    readFamily(
      { name: 'cashwrap_report_companies_behind', help: 'Companies whose sums of reports are incomplete.' },
      count,
    ),
    readFamily(
      {
        name: 'cashwrap_report_lag_seconds',
        help: 'Since when the sums of the company that is furthest behind have been incomplete; 0 if none are.',
      },
      Math.max(0, seconds),
    ),
  ]
}
