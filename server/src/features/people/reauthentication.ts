// What signed-in people show before they change how they sign in: their current password, checked like a sign-in and
// again under the lock of the change, or a recent sign-in where there is none; a code; and the factor that is required.

import type { Seal } from '../../core/idempotency-claim.ts'
import { denied } from '../../core/problem.ts'
import { type Database, hasRow, type Queryable } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { notSignedIn } from '../../http/auth/sign-in.ts'
import type { Call } from '../../http/route.ts'
import { wrongPassword } from './bodies.ts'
import { codeTriedBy, triedBy, trying } from './login-throttle.ts'
import { secondFactorOf, spendCode } from './second-factor.ts'
import { ownUser, personOf, signInLasts } from './sign-ins.ts'
import { addressOf, isPassword, type User, userById } from './users.ts'
import { mustKeepFactors } from './ways-in.ts'

/** Milliseconds after a sign-in in which an account without a password changes how it signs in: the sign-in is the proof. */
const FRESH_SIGN_IN_MS = 10 * 60 * 1000

/** What the person sends along with the change. */
interface Reauthentication {
  readonly currentPassword?: string | undefined
  readonly code?: string | undefined
}

/** The signed-in user, whose password and code were checked. Throws as `checkCurrentPassword` and `checkOwnCode` do. */
export async function reauthenticate(
  database: Database,
  seal: Seal,
  call: Call,
  { currentPassword, code }: Reauthentication,
): Promise<User> {
  const user = await ownUser(database, call)
  await checkCurrentPassword(database, call, user, currentPassword)
  await checkOwnCode(database, seal, call, user, code)
  return user
}

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
  const after = new Date(Date.now() - FRESH_SIGN_IN_MS).toISOString()
  if (!(await hasRow(database, 'select 1 from sign_ins where id = $1 and created_at > $2', [signInId, after])))
    throw wrongPassword(
      '/currentPassword',
      'sign_in_again',
      `your account has no password: sign out, sign in again, and do this within ${FRESH_SIGN_IN_MS / 60_000} minutes`,
    )
}

/** Requires a code of a user whose second factor is on. Throws 400 without one or with a wrong one, and 429 after too many. */
async function checkOwnCode(database: Database, seal: Seal, call: Call, user: User, code: string | undefined) {
  if ((await secondFactorOf(database, user.id)) === undefined) return
  if (code === undefined) throw wrongPassword('/code', 'required', 'is required while the second factor is on')
  await trying(database, await codeTriedBy(database, user, call, code), () =>
    retriedTransaction(database, async (transaction) => {
      const { id } = await holdSignedIn(transaction, call, user)
      if ((await spendCode(transaction, seal, id, code)) === false) throw wrongCode()
    }),
  )
}

/** 400, since the person stays signed in. */
export const wrongCode = () => wrongPassword('/code', 'wrong', 'is wrong, has expired, or was used already')

/**
 * The signed-in user, locked for the transaction. Throws 401 if the sign-in has ended, and 400 if the password is no longer that of
 * `checked`, the user whose password was checked.
 */
export async function holdSignedIn(transaction: Queryable, call: Pick<Call, 'scope'>, checked?: User): Promise<User> {
  const { id, signInId } = personOf(call)
  const user = await userById(transaction, id, true)
  if (user === undefined || !(await signInLasts(transaction, signInId))) throw notSignedIn()
  // A concurrent request with the old password may have been faster.
  if (checked !== undefined && user.passwordHash !== checked.passwordHash)
    throw wrongPassword('/currentPassword', 'wrong', 'is no longer your password')
  return user
}

/** The same, before the ways to sign in are changed. Throws 403 as `requireOwnFactor` does. */
export async function holdToChangeFactors(transaction: Queryable, call: Call, checked?: User): Promise<User> {
  const user = await holdSignedIn(transaction, call, checked)
  await requireOwnFactor(transaction, call)
  return user
}

/** Throws 403 if a second factor is required of a person who has one other than codes, but has signed in without it. */
export async function requireOwnFactor(database: Queryable, call: Call): Promise<void> {
  const { id, signInId } = personOf(call)
  const hasShown = await hasRow(database, 'select 1 from sign_ins where id = $1 and has_second_factor', [signInId])
  if (!hasShown && (await mustKeepFactors(database, id)))
    throw denied(
      'own_factor_unused',
      'You signed in without your second factor, and a company or organization of yours requires it. Sign in with it first, such as with your passkey.',
      'second_factor_missing',
    )
}
