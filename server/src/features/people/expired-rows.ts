// Removes what has expired of people: sign-ins, known browsers, links, counts of failures, and keys that were rotated.

import type { Database } from '../../database/connect.ts'
import { LINK_MS } from './links.ts'
import { FAILURES_MS } from './login-throttle.ts'
import { isKnown, isLasting } from './sign-ins.ts'
import { hasNoFactor } from './ways-in.ts'

/** Expired sign-ins, links and the like that one statement removes. */
const CLEARED_ROWS = 5_000

/** Days after its link expired until an invitation is removed; until then an owner can renew it. */
const UNACCEPTED_DAYS = 90

const ago = (ms: number): string => `now() - interval '${ms / 1000} seconds'`

/** Tables, their keys, and which rows have expired. Requests already refuse all of them. */
const past = [
  ['sign_ins', 'id', `not (${isLasting})`],
  ['removed_sign_ins', 'hash', 'stored.expires_at < now()'],
  ['known_browsers', 'id', `not (${isKnown})`],
  // For a while, a request for such a link is answered that it expired or was used.
  ['sign_in_links', 'hash', `stored.expires_at < ${ago(LINK_MS)}`],
  ['invitations', 'id', `stored.used_at is not null and stored.expires_at < ${ago(LINK_MS)}`],
  ['invitations', 'id', `stored.expires_at < now() - interval '${UNACCEPTED_DAYS} days'`],
  ['used_challenges', 'hash', 'stored.expires_at < now()'],
  ['sign_in_failures', 'name', `stored.since < ${ago(FAILURES_MS)}`],
  ['api_keys', 'id', 'stored.delete_at < now()'],
  // While mail is on, the sending loop gives them up a moment after they expire, and logs that.
  ['mails', 'id', "stored.expires_at < now() - interval '1 hour'"],
] as const

/**
 * SQL condition: the sign-in `stored` counts as made with a second factor, and its user has none. So does one by an OpenID
 * provider that the operator has replaced or no longer vouches for since, on some servers earlier than on others.
 */
const isRaised = `stored.has_second_factor and ${hasNoFactor('stored.user_id')}`

/** One statement per table, at most some thousand rows: the rest is removed at the next run. Lowers sign-ins too. */
export async function clearPast(database: Database, isOver: () => boolean = () => false): Promise<void> {
  for (const [table, key, condition] of past) {
    if (isOver()) return
    await database.query(
      `delete from ${table} where ${key} in (select ${key} from ${table} as stored where ${condition} limit $1)`,
      [CLEARED_ROWS],
    )
  }
  if (isOver()) return
  await database.query(
    `update sign_ins set has_second_factor = false where id in (select id from sign_ins as stored where ${isRaised} limit $1)`,
    [CLEARED_ROWS],
  )
}
