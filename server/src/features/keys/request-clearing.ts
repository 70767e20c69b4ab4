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
/** Key of the advisory lock, so that one process at a time removes; any number with no other use. */
const lockKey = 7_270_115_418

/**
 * Removes what is beyond the bounds, the oldest first, in small batches. Stops between two batches when `isOver`, or if
 * another process is removing: that process continues to the end. The total bound comes first, so that slow steps
 * cannot prevent it.
 */
export async function clearKeyRequests(
  database: Database,
  isOver: () => boolean = () => false,
  { inAll = IN_ALL, ofCompany = OF_COMPANY, rows = ROWS_CLEARED } = {},
): Promise<void> {
  let isElsewhere = false
  const isDone = () => isElsewhere || isOver()
  const remove = async (which: string, values: unknown[] = []) => {
    if (!isDone()) isElsewhere = !(await removeInBatches(database, which, values, rows, isDone))
  }
  const [beyond] = await database.query('select at from key_requests order by at desc offset $1 limit 1', [inAll])
  if (beyond !== undefined) await remove('at <= $2 order by at', beyond)
  await remove(`at < now() - interval '${KEPT_DAYS} days' order by at`)
  if (isDone()) return
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
    if (count > ofCompany && !isDone()) {
      const [oldest] = await database.query(
        'select at from key_requests where company_id = $1 order by at desc offset $2 limit 1',
        [companyId, ofCompany],
      )
      if (oldest !== undefined) await remove('company_id = $2 and at <= $3', [companyId, ...oldest])
    }
}

/** Removes the rows of a condition; false if another process removes meanwhile. */
async function removeInBatches(
  database: Database,
  which: string,
  values: readonly unknown[],
  rows: number,
  isDone: () => boolean,
): Promise<boolean> {
  for (let found = rows; found === rows && !isDone(); ) {
    const [batch] = await database.query(
      // Rows that were found count, whether or not they were removed: another process may have just removed what this
      // snapshot shows.
      `with turn as materialized (select pg_try_advisory_xact_lock(${lockKey}) as is_ours), found as materialized (
         select ctid as place from key_requests where ${which} limit $1
       ), gone as (
         delete from key_requests where (select is_ours from turn) and ctid = any (array(select place from found))
       )
       select (select count(*)::int from found) from turn where is_ours`,
      [rows, ...values],
    )
    if (batch === undefined) return false
    found = batch[0]
  }
  return true
}
