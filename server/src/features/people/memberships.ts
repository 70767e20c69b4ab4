// Who has access to what: the members of a place as lists show them, and a person's role, checked again in the
// transaction that writes.

import { roleTooLow } from '../../core/problem.ts'
import { isAtLeast, type Person, type Role, roles, type Scope } from '../../core/scope.ts'
import { hasRow, type Queryable, type Row } from '../../database/connect.ts'
import { notSignedIn, secondFactorMissing } from '../../http/auth/session.ts'
import { isLasting, lacksFactor } from './sign-ins.ts'
import { canSignIn } from './ways-in.ts'

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
 * The place of a call and its person, locked until the transaction ends: if two owners remove each other, one stays;
 * taking a person's links back includes every link already made; a person who was removed meanwhile cannot make a key.
 * Throws 403 if the person no longer has the role, or lacks a second factor that is now required, and 401 if the
 * sign-in has ended since the request arrived.
 */
export async function actingPlace(transaction: Queryable, scope: Scope, needed: Role): Promise<MemberPlace> {
  const companyId = scope.companyId || undefined
  const [found] =
    companyId === undefined
      ? [[scope.organizationId]]
      : await transaction.query('select organization_id from companies where id = $1', [companyId])
  const place = { companyId, organizationId: found?.[0] as string }
  await holdPlace(transaction, place)
  const { id, signInId } = scope.user as Person
  const hasUser = await hasRow(transaction, 'select 1 from users where id = $1 for share', [id])
  const lasts = await hasRow(transaction, `select 1 from sign_ins as stored where id = $1 and ${isLasting}`, [signInId])
  if (!hasUser || !lasts) throw notSignedIn()
  const [member] = await transaction.query(
    `select ${lacksFactor} from members as member join sign_ins as stored on stored.id = $5
     left join companies as company on company.id = $1 left join organizations as organization on organization.id = $2
     where member.user_id = $3 and member.role = any ($4) and (member.company_id = $1 or member.organization_id = $2) limit 1`,
    [companyId ?? null, place.organizationId, id, roles.filter((role) => isAtLeast(role, needed)), signInId],
  )
  if (member === undefined) throw roleTooLow(needed, `You no longer have the role ${needed} here.`)
  if (member[0]) throw secondFactorMissing(companyId === undefined ? 'organization' : 'company')
  return place
}

/** A member's record. */
interface MemberRecord {
  readonly id: string
  readonly userId: string
  readonly email: string
  readonly name?: string
  readonly role: Role
  readonly state: 'invited' | 'active'
  readonly createdAt: string
  readonly updatedAt: string
  readonly lastSignInAt?: string
  /** For an invitation: when its link expires. */
  readonly expiresAt?: string
}

/** Memberships and open invitations as one table, in SQL. */
export const memberTable = `(
    select members.id, members.user_id, members.company_id, members.organization_id, users.email, coalesce(users.name, '') as name,
      members.role, ${canSignIn} as is_active, members.created_at, members.updated_at, users.last_sign_in_at,
      null::timestamptz(3) as expires_at
    from members join users on users.id = members.user_id
    union all
    select id, user_id, company_id, organization_id, email, coalesce(name, ''), role, false, created_at, updated_at, null, expires_at
    from invitations where used_at is null)`

/** Columns of the row `stored` that `memberOf` reads. */
export const memberColumns = `stored.id, stored.user_id, stored.email, nullif(stored.name, ''), stored.role, stored.is_active,
  iso_time(stored.created_at), iso_time(stored.updated_at), iso_time(stored.last_sign_in_at), iso_time(stored.expires_at)`

export function memberOf(row: Row): MemberRecord {
  const [id, userId, email, name, role, isActive, createdAt, updatedAt, lastSignInAt, expiresAt] = row.map(
    (value) => value ?? undefined,
  )
  const state = isActive ? 'active' : 'invited'
  return { id, userId, email, name, role, state, createdAt, updatedAt, lastSignInAt, expiresAt }
}

/** The record of an active member. */
export async function readMember(database: Queryable, id: string): Promise<MemberRecord> {
  const [row] = await database.query(`select ${memberColumns} from ${memberTable} as stored where stored.id = $1`, [id])
  return memberOf(row as Row)
}
