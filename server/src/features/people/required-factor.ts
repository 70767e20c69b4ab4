// A required second factor (decision 58): which sign-ins have one, who needs one, and what a password alone must not
// change.

import { denied, Problem } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import type { Call } from '../../http/route.ts'
import { holdSignedIn } from './current-password.ts'
import { isLasting, personOf, tokenHash } from './sign-ins.ts'
import type { User } from './users.ts'

/** Notes that the user of a sign-in has shown a second factor since. */
export async function noteSecondFactor(transaction: Queryable, signInId: string): Promise<void> {
  await transaction.query('update sign_ins set has_second_factor = true where id = $1', [signInId])
}

/** SQL condition: the user $1 has a second factor other than the codes of an app. */
const hasOther = `(exists (select from passkeys where user_id = $1)
  or exists (select from identities where user_id = $1 and is_second_factor and is_current))`

const hasCodes = 'exists (select from second_factors where user_id = $1 and confirmed_at is not null)'

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
export async function lacksRequiredFactor(database: Queryable, userId: string): Promise<boolean> {
  const [row] = await database.query(`select 1 where ${isRequired} and not ${hasOther} and not ${hasCodes}`, [userId])
  return row !== undefined
}

/** Sign-ins of a user who no longer has a second factor count as made without one. */
export async function forgetSecondFactors(transaction: Queryable, userId: string): Promise<void> {
  await transaction.query(
    `update sign_ins set has_second_factor = false where user_id = $1 and not ${hasOther} and not ${hasCodes}`,
    [userId],
  )
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

/**
 * Whether a user has a second factor other than codes, and a company or an organization that the user can open requires
 * one. Then neither a password nor a link to a new one may add another factor, or remove this one. With codes, each
 * sign-in and each link asks for one.
 */
async function mustKeepFactors(database: Queryable, userId: string): Promise<boolean> {
  const [row] = await database.query(`select 1 where ${hasOther} and ${isRequired}`, [userId])
  return row !== undefined
}

/** Throws 403 if a second factor is required of a person who has one other than codes, but has signed in without it. */
export async function requireOwnFactor(database: Queryable, call: Call): Promise<void> {
  const { id, signInId } = personOf(call)
  const [own] = await database.query('select has_second_factor from sign_ins where id = $1', [signInId])
  if (own?.[0] !== true && (await mustKeepFactors(database, id)))
    throw denied(
      'own_factor_unused',
      'You signed in without your second factor, and a company or organization of yours requires it. Sign in with it first, such as with your passkey.',
      'second_factor_missing',
    )
}

/** The signed-in user as of `holdSignedIn`, before the ways to sign in are changed. Throws 403 as `requireOwnFactor` does. */
export async function holdToChangeFactors(transaction: Queryable, call: Call, checked?: User): Promise<User> {
  const user = await holdSignedIn(transaction, call, checked)
  await requireOwnFactor(transaction, call)
  return user
}

/**
 * Whether a link to a new password of a user needs more than a mailbox: the user has a factor other than codes, no codes that the link
 * would ask for, and one is required.
 */
export async function linkNeedsFactor(database: Queryable, userId: string): Promise<boolean> {
  const [row] = await database.query(`select 1 where ${hasOther} and not ${hasCodes} and ${isRequired}`, [userId])
  return row !== undefined
}

/** Whether a browser with a sign-in's token is signed in as a user, with a second factor. */
export async function showsFactor(database: Queryable, userId: string, token: string | undefined): Promise<boolean> {
  if (token === undefined) return false
  const [own] = await database.query(
    `select 1 from sign_ins as stored where hash = $1 and user_id = $2 and has_second_factor and ${isLasting}`,
    [tokenHash(token), userId],
  )
  return own !== undefined
}
