// A member as lists show it: the membership with what its user is called.
import type { Queryable, Row } from '../../database/connect.ts'
import type { Role } from '../../http/scope.ts'

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
}

/** What stands for a table of them. */
export const memberTable = `(
    select members.*, users.email, coalesce(users.name, '') as name, users.password_hash is not null as is_active, users.last_sign_in_at
    from members join users on users.id = members.user_id)`

/** Columns of it as `stored` that `memberOf` reads. */
export const memberColumns = `stored.id, stored.user_id, stored.email, nullif(stored.name, ''), stored.role, stored.is_active,
  iso_time(stored.created_at), iso_time(stored.updated_at), iso_time(stored.last_sign_in_at)`

export function memberOf(row: Row): MemberRecord {
  const [id, userId, email, name, role, isActive, createdAt, updatedAt, lastSignInAt] = row.map(
    (value) => value ?? undefined,
  )
  return { id, userId, email, name, role, state: isActive ? 'active' : 'invited', createdAt, updatedAt, lastSignInAt }
}

/** The record of a member who is there. */
export async function readMember(database: Queryable, id: string): Promise<MemberRecord> {
  const [row] = await database.query(`select ${memberColumns} from ${memberTable} as stored where stored.id = $1`, [id])
  return memberOf(row as Row)
}
