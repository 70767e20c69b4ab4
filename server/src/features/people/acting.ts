// Authorizes a person's request again in the transaction that writes, since it was authorized some time before.

import { Problem } from '../../core/problem.ts'
import { isAtLeast, type Person, type Role, roles, type Scope } from '../../core/scope.ts'
import type { Queryable } from '../../database/connect.ts'
import { notSignedIn } from '../../http/auth/session.ts'
import { isLasting } from './sign-in-store.ts'

/** What a user is a member of: a company with its organization, or the organization itself. */
export interface MemberPlace {
  readonly companyId: string | undefined
  readonly organizationId: string
}

/** Changes of members or keys of an organization, or of one of its companies, wait for each other. */
export async function holdPlace(transaction: Queryable, { organizationId }: MemberPlace): Promise<void> {
  await transaction.query('select 1 from organizations where id = $1 for no key update', [organizationId])
}

/**
 * The place of a call and its person, locked until the transaction ends: of two owners that remove each other, one
 * stays; taking a person's links back includes every link already made; a person that was removed meanwhile makes no
 * key. Throws 403 if the person no longer has the role, and 401 if the sign-in has ended since the request arrived.
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
