// Browsers in which a user signed in before: there the password may be mistyped even while others guess at the account
// elsewhere.

import { newId } from '../../core/ids.ts'
import { KNOWN_BROWSER_MS, KNOWN_BROWSERS_OF_USER } from '../../core/limits.ts'
import type { Queryable } from '../../database/connect.ts'
import { isToken, newToken, tokenHash } from './sign-in-store.ts'

/** SQL condition: the row `stored` still makes a browser known. */
export const isKnown = `stored.seen_at > now() - interval '${KNOWN_BROWSER_MS / 1000} seconds'`

/** The id of a browser known to the user with an address; undefined if it is unknown, or there is no such user. */
export async function knownBrowser(
  database: Queryable,
  token: string | undefined,
  address: string,
): Promise<string | undefined> {
  if (token === undefined || !isToken(token)) return undefined
  const [row] = await database.query(
    `select stored.id from known_browsers as stored
     where stored.hash = $1 and ${isKnown} and stored.user_id = (select id from users where address = $2)`,
    [tokenHash(token), address],
  )
  return row?.[0]
}

/**
 * Makes a browser known to the user that signs in there, and returns its token: a new one each time, so that a token
 * planted or copied before is worthless afterwards. Users that already knew the browser keep it, each under the same
 * id, even if a copy of its cookie is used first; a copy gives no access, only tries of its own.
 */
export async function rememberBrowser(
  transaction: Queryable,
  { userId, signInId, before }: { userId: string; signInId: string; before: string | undefined },
): Promise<string> {
  const token = newToken()
  const hash = tokenHash(token)
  if (before !== undefined && isToken(before))
    await transaction.query('update known_browsers set hash = $2 where hash = $1', [tokenHash(before), hash])
  await transaction.query(
    `insert into known_browsers (id, hash, user_id, sign_in_id, seen_at) values ($1, $2, $3, $4, $5)
     on conflict (hash, user_id) do update set sign_in_id = excluded.sign_in_id, seen_at = excluded.seen_at`,
    [newId(), hash, userId, signInId, new Date().toISOString()],
  )
  await transaction.query(
    `delete from known_browsers where id in (
       select id from known_browsers where user_id = $1 order by seen_at desc, id desc offset $2
     )`,
    [userId, KNOWN_BROWSERS_OF_USER],
  )
  return token
}
