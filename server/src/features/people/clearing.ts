// Removes expired rows of people and keys: sign-ins and links that have ended, failures that no longer count, rotated
// keys.

import { CLEARED_ROWS, FAILURES_MS, LINK_MS } from '../../core/limits.ts'
import type { Database } from '../../database/connect.ts'
import { isLasting } from './sign-in-store.ts'
import { isKnown } from './trusted-devices.ts'

const ago = (ms: number): string => `now() - interval '${ms / 1000} seconds'`

/** Tables, their keys, and which rows have expired. Requests already refuse all of them. */
const past = [
  ['sign_ins', 'id', `not (${isLasting})`],
  ['known_browsers', 'id', `not (${isKnown})`],
  // For a while, a request for such a link is answered that it expired or was used.
  ['sign_in_links', 'hash', `stored.expires_at < ${ago(LINK_MS)}`],
  ['invitations', 'id', `stored.used_at is not null and stored.expires_at < ${ago(LINK_MS)}`],
  ['sign_in_failures', 'name', `stored.since < ${ago(FAILURES_MS)}`],
  ['api_keys', 'id', 'stored.delete_at < now()'],
] as const

/** One statement per table, at most some thousand rows: the rest is removed at the next run. */
export async function clearPast(database: Database, isOver: () => boolean = () => false): Promise<void> {
  for (const [table, key, condition] of past) {
    if (isOver()) return
    await database.query(
      `delete from ${table} where ${key} in (select ${key} from ${table} as stored where ${condition} limit $1)`,
      [CLEARED_ROWS],
    )
  }
}
