// Whether a person may still do what he asked for, at the moment at which it is written: he was let in some time before.

import { Problem } from '../../core/problem.ts'
import { isAtLeast, type Person, type Role, roles, type Scope } from '../../core/scope.ts'
import type { Queryable } from '../../database/connect.ts'
import { notSignedIn } from '../../http/auth/session.ts'
import { isLasting } from './sign-in-store.ts'

/** What somebody is a member of: a company with its organization, or the organization itself. */
export interface MemberPlace {
  readonly companyId: string | undefined
  readonly organizationId: string
}

/** Whoever changes members or keys of an organization, or of one of its companies, waits for the others. */
export async function holdPlace(transaction: Queryable, { organizationId }: MemberPlace): Promise<void> {
  await transaction.query('select 1 from organizations where id = $1 for no key update', [organizationId])
}

/**
 * The place of a call and its person, held until the transaction ends, so that of two owners who remove each other one is
 * left, whoever takes the links of a person back sees each that was made, and nobody makes a key who was removed meanwhile.
 * Throws 403 where the person has not the role any more, and 401 where the sign-in ended, whatever was so when the request came.
 */
export async function actingPlace(transaction: Queryable, scope: Scope, needed: Role): Promise<MemberPlace> {
  const companyId = scope.companyId || undefined
  const [found] =
    companyId === undefined
      ? [[scope.organizationId]]
      : await transaction.query('select organization_id from companies where id = $1', [companyId])
  const place = { companyId, organizationId: found?.[0] as string }
  await holdPlace(transaction, place)
  const { id } = await lastingUser(transaction, scope.user as Person)
  const [member] = await transaction.query(
    `select 1 from members where user_id = $3 and role = any ($4) and (company_id = $1 or organization_id = $2) limit 1`,
    [companyId ?? null, place.organizationId, id, roles.filter((role) => isAtLeast(role, needed))],
  )
  if (member === undefined) throw new Problem('permission_denied', `You no longer have the role ${needed} here.`)
  return place
}

/** The signed-in user, locked for the transaction. Throws 401 if the sign-in has ended since the request arrived. */
export async function lastingUser(
  transaction: Queryable,
  { id, signInId }: Person,
): Promise<{ id: string; email: string }> {
  const [user] = await transaction.query('select email from users where id = $1 for share', [id])
  const [lasting] = await transaction.query(`select 1 from sign_ins as stored where id = $1 and ${isLasting}`, [
    signInId,
  ])
  if (user === undefined || lasting === undefined) throw notSignedIn()
  return { id, email: user[0] }
}
