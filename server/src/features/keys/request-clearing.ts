// Bounds the log of keys: by age, by company and in total, and removes what is about deleted keys.
import type { Database } from '../../database/connect.ts'

/** Days for which a request of a key is kept. */
const KEPT_DAYS = 30
/** Requests kept for one company, whatever the number of its keys. */
const OF_COMPANY = 20_000
/** Requests kept for all companies: some 250 MB. */
const IN_ALL = 1_000_000
/** Rows of one statement: some 50 ms. */
const ROWS_CLEARED = 5_000

/**
 * Removes what is beyond the bounds, the oldest first, in small batches, which several processes share; stops between two
 * batches when `isOver`. The total bound comes first, so that slow steps cannot prevent it.
 */
export async function clearKeyRequests(
  database: Database,
  isOver: () => boolean = () => false,
  { inAll = IN_ALL, ofCompany = OF_COMPANY, rows = ROWS_CLEARED } = {},
): Promise<void> {
  async function remove(which: string, values: unknown[] = []): Promise<void> {
    for (let found = rows; found === rows && !isOver(); ) {
      const [batch] = await database.query(
        `with gone as (
           delete from key_requests where ctid = any (array(
             select ctid from key_requests where ${which} limit $1 for update skip locked)) returning 1
         ) select count(*)::int from gone`,
        [rows, ...values],
      )
      found = batch?.[0]
    }
  }
  const [beyond] = await database.query('select at from key_requests order by at desc offset $1 limit 1', [inAll])
  if (beyond !== undefined) await remove('at <= $2 order by at', beyond)
  await remove(`at < now() - interval '${KEPT_DAYS} days' order by at`)
  if (isOver()) return
  const counts = await database.query(
    `select company_id, key_id, count(*)::int, exists (
       select 1 from api_keys as key where key.id = stored.key_id and key.company_id = stored.company_id
     ) from key_requests as stored group by 1, 2`,
  )
  const companies = new Map<string, number>()
  for (const [companyId, keyId, count, isKnown] of counts)
    if (isKnown) companies.set(companyId, (companies.get(companyId) ?? 0) + count)
    else await remove('company_id = $2 and key_id = $3', [companyId, keyId])
  for (const [companyId, count] of companies)
    if (count > ofCompany && !isOver()) {
      const [oldest] = await database.query(
        'select at from key_requests where company_id = $1 order by at desc offset $2 limit 1',
        [companyId, ofCompany],
      )
      if (oldest !== undefined) await remove('company_id = $2 and at <= $3', [companyId, ...oldest])
    }
}
