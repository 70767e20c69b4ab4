// Bounds the log of keys: by age, by company and in total, and removes what is about deleted keys.
import type { Database } from '../../database/connect.ts'

/** Days for which a request of a key is kept. */
const KEPT_DAYS = 30
/** Requests kept for one company, whatever the number of its keys. */
const OF_COMPANY = 20_000
/** Requests kept for all companies: some 250 MB. */
const IN_ALL = 1_000_000

/** Removes what is beyond the bounds, the oldest first. */
export async function clearKeyRequests(database: Database): Promise<void> {
  await database.query(
    `delete from key_requests as stored where at < now() - interval '${KEPT_DAYS} days'
       or not exists (select 1 from api_keys as key where key.id = stored.key_id and key.company_id = stored.company_id)`,
  )
  const companies: unknown[][] = await database.query('select company_id, count(*)::int from key_requests group by 1')
  for (const [companyId, count] of companies as [string, number][])
    if (count > OF_COMPANY)
      await database.query(
        `delete from key_requests where company_id = $1 and at <= (
           select at from key_requests where company_id = $1 order by at desc offset $2 limit 1)`,
        [companyId, OF_COMPANY],
      )
  const total = companies.reduce((sum, [, count]) => sum + Math.min(count as number, OF_COMPANY), 0)
  if (total > IN_ALL)
    await database.query(
      'delete from key_requests where at <= (select at from key_requests order by at desc offset $1 limit 1)',
      [IN_ALL],
    )
}
