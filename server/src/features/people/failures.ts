// How often a password may be wrong, for an account and from a network: counted in PostgreSQL, so that no other server begins anew.
import { hash } from 'node:crypto'
import type { Queryable } from '../../database/connect.ts'
import { Problem } from '../../http/problem.ts'
import { ACCOUNT_FAILURES, FAILURES_MS, NETWORK_FAILURES } from '../../limits.ts'

/** Of an address only a digest: what was typed there may be anything, a password too. */
const accountName = (address: string): string => `account ${hash('sha256', address, 'base64url')}`
const networkName = (network: string): string => `network ${network}`

/**
 * Counts a try as a failure before it is looked at, so that many at once are not more than those one by one. Throws 429
 * where there were too many, whether there is such an account or not.
 */
export async function countTry(database: Queryable, address: string, network: string): Promise<void> {
  const now = Date.now()
  const since = new Date(now - FAILURES_MS).toISOString()
  const rows = await database.query(
    `with old as (
       delete from sign_in_failures where name in (
         select name from sign_in_failures where since <= $4 and name <> all ($1) order by since limit 100 for update skip locked)
     )
     insert into sign_in_failures as stored (name, failures, since)
     select name, 1, $2::timestamptz from unnest($1::text[]) as name
     on conflict (name) do update set
       failures = case when stored.since <= $4 then 1 else least(stored.failures, $3) + 1 end,
       since = case when stored.since <= $4 then excluded.since else stored.since end
     returning name, failures, (extract(epoch from since) * 1000)::bigint`,
    [
      [accountName(address), networkName(network)],
      new Date(now).toISOString(),
      Math.max(ACCOUNT_FAILURES, NETWORK_FAILURES),
      since,
    ],
  )
  for (const [name, failures, begun] of rows) {
    const isOfAccount = name.startsWith('account ')
    if (failures <= (isOfAccount ? ACCOUNT_FAILURES : NETWORK_FAILURES)) continue
    const seconds = Math.max(1, Math.ceil((begun + FAILURES_MS - now) / 1000))
    throw new Problem(
      'rate_limited',
      `There were too many wrong passwords ${isOfAccount ? 'for this account' : 'from this address'}. Try again in ${Math.ceil(seconds / 60)} minutes.`,
      [],
      { 'retry-after': String(seconds) },
    )
  }
}

/** Takes a try back that was none: the account begins anew, and the network has one failure fewer. */
export async function forgive(database: Queryable, address: string, network?: string): Promise<void> {
  await database.query('delete from sign_in_failures where name = $1', [accountName(address)])
  if (network !== undefined)
    await database.query('update sign_in_failures set failures = greatest(failures - 1, 0) where name = $1', [
      networkName(network),
    ])
}
