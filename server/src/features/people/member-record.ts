// A member as lists show it: a membership with its user's name, or an open invitation.

import type { Role } from '../../core/scope.ts'
import type { Queryable, Row } from '../../database/connect.ts'

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
      members.role, users.password_hash is not null as is_active, members.created_at, members.updated_at, users.last_sign_in_at,
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
