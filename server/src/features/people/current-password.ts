// Before signed-in users change how they sign in: their current password is checked like a sign-in, and again under the lock of the change.

import type { Database, Queryable } from '../../database/connect.ts'
import { notSignedIn } from '../../http/auth/session.ts'
import type { Call } from '../../http/route.ts'
import { wrongPassword } from './bodies.ts'
import { countTry, forgive, triedBy } from './login-throttle.ts'
import { isLasting, personOf } from './sign-ins.ts'
import { addressOf, isPassword, type User, userById } from './users.ts'

/** Checks the current password like a sign-in. Throws 400, and 429 after too many wrong ones. */
export async function checkCurrentPassword(
  database: Database,
  call: Call,
  user: User,
  password: string,
): Promise<void> {
  const tried = await triedBy(database, addressOf(user.email), call)
  await countTry(database, tried)
  if (!(await isPassword(password, user.passwordHash)))
    throw wrongPassword('/currentPassword', 'wrong', 'is not your password')
  await forgive(database, tried)
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
