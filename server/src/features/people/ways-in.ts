// The ways to sign in to an account and its second factors: what it has, what is required of it (decision 58), and what
// its person cannot remove.

import { conflict, Problem } from '../../core/problem.ts'
import { hasRow, type Queryable } from '../../database/connect.ts'

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
export const mustKeepFactors = (database: Queryable, userId: string): Promise<boolean> =>
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
