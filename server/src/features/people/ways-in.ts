// The ways to sign in to an account and its second factors: what it has, what is required of it (decision 58), what its
// person cannot remove, and what they show before they change one.

import type { Seal } from '../../core/idempotency-claim.ts'
import { conflict, denied, Problem } from '../../core/problem.ts'
import { type Database, hasRow, type Queryable } from '../../database/connect.ts'
import { notSignedIn } from '../../http/auth/sign-in.ts'
import type { Call } from '../../http/route.ts'
import { type People, wrongPassword } from './bodies.ts'
import { tryingCode, tryingPassword } from './login-throttle.ts'
import { secondFactorOf, spendCode } from './second-factor.ts'
import { ownUser, personOf, signInLasts } from './sign-ins.ts'
import { isPassword, type User, userById } from './users.ts'

/** SQL condition: the row of `users` has a password, a passkey or an identity at the operator's provider of today. */
export const canSignIn = `(users.password_hash is not null
  or exists (select from passkeys where passkeys.user_id = users.id)
  or exists (select from identities where identities.user_id = users.id and identities.is_current))`

/** Whether an account can sign in. */
export const hasWayIn = (database: Queryable, userId: string): Promise<boolean> =>
  hasRow(database, `select 1 from users where id = $1 and ${canSignIn}`, [userId])

/** After a way was removed from an account whose row is locked. Throws 409 if it was the only one. */
export async function requireWayIn(transaction: Queryable, userId: string): Promise<void> {
  if (!(await hasWayIn(transaction, userId)))
    throw conflict(
      'only_way_in',
      'This is your only way to sign in. Choose a password, or add another way, and then remove this one.',
    )
}

/** SQL condition: a user has a second factor other than the codes of an app. */
const hasOther = (userId: string): string => `(exists (select from passkeys where user_id = ${userId})
  or exists (select from identities where user_id = ${userId} and is_second_factor and is_current))`

const hasCodes = (userId: string): string =>
  `exists (select from second_factors where user_id = ${userId} and confirmed_at is not null)`

/** SQL condition: a user has no second factor. */
export const hasNoFactor = (userId: string): string => `(not ${hasOther(userId)} and not ${hasCodes(userId)})`

/**
 * SQL condition: a second factor is required of the person with the membership `member`, joined with `company`. An
 * organization gives access to all of its companies, so what one of them requires counts.
 */
export const isRequiredBy = `(company.requires_second_factor
  or exists (select from organizations as head
    where head.id = coalesce(member.organization_id, company.organization_id) and head.requires_second_factor)
  or exists (select from companies as own where own.organization_id = member.organization_id and own.requires_second_factor))`

/** SQL condition: a place that the user $1 opens requires a second factor. */
const isRequired = `exists (
  select from members as member left join companies as company on company.id = member.company_id
  where member.user_id = $1 and ${isRequiredBy})`

/** Whether a company or an organization that a user opens requires a second factor, and the user has none. */
export const lacksRequiredFactor = (database: Queryable, userId: string): Promise<boolean> =>
  hasRow(database, `select 1 where ${isRequired} and ${hasNoFactor('$1')}`, [userId])

/**
 * Whether a user has a second factor other than codes, and a company or an organization that the user can open requires
 * one. Then neither a password nor a link to a new one may add another factor, or remove this one. With codes, each
 * sign-in and each link asks for one.
 */
const mustKeepFactors = (database: Queryable, userId: string): Promise<boolean> =>
  hasRow(database, `select 1 where ${hasOther('$1')} and ${isRequired}`, [userId])

/**
 * Whether a link to a new password of a user needs more than a mailbox: the user has a factor other than codes, no codes that the link
 * would ask for, and one is required.
 */
export const linkNeedsFactor = (database: Queryable, userId: string): Promise<boolean> =>
  hasRow(database, `select 1 where ${hasOther('$1')} and not ${hasCodes('$1')} and ${isRequired}`, [userId])

/** Sign-ins of a user who no longer has a second factor count as made without one. */
export async function forgetSecondFactors(transaction: Queryable, userId: string): Promise<void> {
  await transaction.query(`update sign_ins set has_second_factor = false where user_id = $1 and ${hasNoFactor('$1')}`, [
    userId,
  ])
}

/**
 * After a factor other than codes was removed from a user: sign-ins of a user without any count as made without one. Throws 409 if it
 * was the last one and one is required: a minute at an unlocked browser would be enough to remove it, and a password to add another.
 */
export async function keepOneFactor(transaction: Queryable, userId: string): Promise<void> {
  if (await lacksRequiredFactor(transaction, userId))
    throw new Problem(
      'conflict',
      'A company or organization of yours requires a second factor, and this is your last one. Add another first.',
    )
  await forgetSecondFactors(transaction, userId)
}

/** Milliseconds after a sign-in in which an account without a password changes how it signs in: the sign-in is the proof. */
const FRESH_SIGN_IN_MS = 10 * 60 * 1000

/** What the person sends along with the change. */
interface Reauthentication {
  readonly currentPassword?: string | undefined
  readonly code?: string | undefined
}

/** The signed-in user, whose password and code were checked. Throws as `checkCurrentPassword` and `checkOwnCode` do. */
export async function reauthenticate(
  { database, seal }: Pick<People, 'database' | 'seal'>,
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
  await tryingPassword(database, user.email, call, async () => {
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
  await tryingCode(database, { ...user, code }, call, async (transaction) => {
    const { id } = await holdSignedIn(transaction, call, user)
    if ((await spendCode(transaction, seal, id, code)) === false) throw wrongCode()
  })
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
