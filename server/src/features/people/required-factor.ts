// A required second factor (decision 58): which sign-ins have one, who needs one, and what a password alone must not change there.

import { Problem } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import type { Call } from '../../http/route.ts'
import { holdSignedIn } from './current-password.ts'
import { personOf } from './sign-ins.ts'
import type { User } from './users.ts'

/** Notes that the user of a sign-in has shown a second factor since. */
export async function noteSecondFactor(transaction: Queryable, signInId: string): Promise<void> {
  await transaction.query('update sign_ins set has_second_factor = true where id = $1', [signInId])
}

/** SQL condition: the user $1 has a second factor other than the codes of an app. */
const hasOther = `(exists (select from passkeys where user_id = $1)
  or exists (select from identities where user_id = $1 and is_second_factor))`

/** Sign-ins of a user who has no second factor any more count as made without one. */
export async function forgetSecondFactors(transaction: Queryable, userId: string): Promise<void> {
  await transaction.query(
    `update sign_ins set has_second_factor = false where user_id = $1 and not ${hasOther}
       and not exists (select from second_factors where user_id = $1 and confirmed_at is not null)`,
    [userId],
  )
}

/**
 * Whether a user has a second factor other than codes, and a company or an organization that the user opens requires one. Then neither a
 * password nor a link to one may add another factor, or remove that one. With codes, each sign-in and each link asks for one.
 */
export async function mustKeepFactors(database: Queryable, userId: string): Promise<boolean> {
  const [row] = await database.query(
    `select 1 from members as member
     left join companies as company on company.id = member.company_id
     left join organizations as organization on organization.id = coalesce(member.organization_id, company.organization_id)
     where member.user_id = $1 and ${hasOther}
       and (company.requires_second_factor or organization.requires_second_factor or exists (
         select from companies as own where own.organization_id = member.organization_id and own.requires_second_factor))
     limit 1`,
    [userId],
  )
  return row !== undefined
}

/**
 * The signed-in user as of `holdSignedIn`, before a way to sign in is added, or one other than codes is removed. Throws 403 where a second
 * factor is required, and the person has signed in without the one that they have.
 */
export async function holdToChangeFactors(transaction: Queryable, call: Call, checked?: User): Promise<User> {
  const user = await holdSignedIn(transaction, call, checked)
  const [own] = await transaction.query('select has_second_factor from sign_ins where id = $1', [
    personOf(call).signInId,
  ])
  if (own?.[0] !== true && (await mustKeepFactors(transaction, user.id)))
    throw new Problem(
      'second_factor_missing',
      'You signed in without your second factor, and a company or organization of yours requires it. Sign in with it first, such as with your passkey.',
    )
  return user
}
