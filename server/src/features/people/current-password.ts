// When signed-in users change how they sign in, their current password is checked like a sign-in, and again under the
// lock of the change. Accounts without a password need a recent sign-in.

import type { Database, Queryable } from '../../database/connect.ts'
import { notSignedIn } from '../../http/auth/session.ts'
import type { Call } from '../../http/route.ts'
import { wrongPassword } from './bodies.ts'
import { FRESH_SIGN_IN_MS } from './limits.ts'
import { triedBy, trying } from './login-throttle.ts'
import { isLasting, personOf } from './sign-ins.ts'
import { addressOf, isPassword, type User, userById } from './users.ts'

/**
 * Checks the current password like a sign-in; if the account has none, checks that the sign-in is at most ten minutes
 * old. Throws 400, and 429 after too many wrong passwords.
 */
export async function checkCurrentPassword(
  database: Database,
  call: Call,
  user: User,
  password: string | undefined,
): Promise<void> {
  if (user.passwordHash === undefined) return requireFresh(database, personOf(call).signInId)
  if (password === undefined) throw wrongPassword('/currentPassword', 'required', 'is required')
  await trying(database, await triedBy(database, addressOf(user.email), call), async () => {
    if (!(await isPassword(password, user.passwordHash)))
      throw wrongPassword('/currentPassword', 'wrong', 'is not your password')
  })
}

async function requireFresh(database: Database, signInId: string): Promise<void> {
  const [fresh] = await database.query('select 1 from sign_ins where id = $1 and created_at > $2', [
    signInId,
    new Date(Date.now() - FRESH_SIGN_IN_MS).toISOString(),
  ])
  if (fresh === undefined)
    throw wrongPassword(
      '/currentPassword',
      'sign_in_again',
      `your account has no password: sign out, sign in again, and do this within ${FRESH_SIGN_IN_MS / 60_000} minutes`,
    )
}

/**
 * The signed-in user, locked for the transaction. Throws 401 if the sign-in has ended, and 400 if the password is no longer that of
 * `checked`, the user whose password was checked.
 */
export async function holdSignedIn(transaction: Queryable, call: Call, checked?: User): Promise<User> {
  const { id, signInId } = personOf(call)
  const user = await userById(transaction, id, true)
  const [lasting] = await transaction.query(`select 1 from sign_ins as stored where id = $1 and ${isLasting}`, [
    signInId,
  ])
  if (user === undefined || lasting === undefined) throw notSignedIn()
  // A concurrent request with the old password may have been faster.
  if (checked !== undefined && user.passwordHash !== checked.passwordHash)
    throw wrongPassword('/currentPassword', 'wrong', 'is no longer your password')
  return user
}
