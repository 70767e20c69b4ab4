// What the operator of the service does with users on the command line: he needs nobody's leave.
import type { Database, Queryable, Row } from '../../database/connect.ts'
import { within } from '../../engine/settle.ts'
import { notFound, Problem } from '../../http/problem.ts'
import type { Role } from '../../http/scope.ts'
import { holdPlace } from './acting.ts'
import { addressOf } from './address.ts'
import { forget } from './failures.ts'
import { dropLinks, makeLink } from './links.ts'
import { addMember, type NewMember } from './members.ts'
import { signOutAll } from './sign-in-store.ts'
import { changeUser, userByAddress, userById } from './users.ts'

/** A user as the operator lists them. */
interface UserRecord {
  readonly id: string
  readonly email: string
  readonly name?: string
  readonly hasPassword: boolean
  readonly members: readonly { companyId?: string; organizationId?: string; role: Role }[]
  readonly createdAt: string
  readonly lastSignInAt?: string
}

/** What somebody is to be a member of. */
type Wanted = { readonly companyId: string } | { readonly organizationId: string }

/** Makes somebody a member, and a user where there is none. Throws `not_found` for the place, 409 for a member. */
export async function enrol(
  database: Database,
  wanted: { email: string; name?: string | undefined; role: Role },
  where: Wanted,
): Promise<NewMember> {
  return within(database, undefined, async (transaction) => {
    const companyId = 'companyId' in where ? where.companyId : undefined
    const [found] = await transaction.query(
      companyId === undefined
        ? 'select id from organizations where id = $1'
        : 'select organization_id from companies where id = $1',
      ['companyId' in where ? where.companyId : where.organizationId],
    )
    if (found === undefined)
      throw 'companyId' in where ? notFound('company', where.companyId) : notFound('organization', where.organizationId)
    const place = { companyId, organizationId: found[0] as string }
    await holdPlace(transaction, place)
    return addMember(transaction, place, wanted, undefined)
  })
}

/** Users, oldest first. */
export async function listUsers(database: Queryable): Promise<UserRecord[]> {
  const rows = await database.query(
    `select stored.id, stored.email, stored.name, stored.password_hash is not null, iso_time(stored.created_at),
       iso_time(stored.last_sign_in_at), coalesce((
         select json_agg(json_strip_nulls(json_build_object(
           'companyId', member.company_id, 'organizationId', member.organization_id, 'role', member.role))
           order by member.created_at, member.id)
         from members as member where member.user_id = stored.id), '[]')
     from users as stored order by stored.created_at, stored.id`,
  )
  return rows.map((row: Row) => {
    const [id, email, name, hasPassword, createdAt, lastSignInAt, members] = row.map((value) => value ?? undefined)
    return { id, email, name, hasPassword, members: JSON.parse(members), createdAt, lastSignInAt }
  })
}

/** The user with an address, held. Throws `not_found`. */
async function held(transaction: Queryable, email: string) {
  const found = await userByAddress(transaction, email)
  const user = found && (await userById(transaction, found.id, true))
  if (user === undefined) throw new Problem('not_found', `There is no user with the address ${email}.`)
  return user
}

/** Deletes a user, with sign-ins, memberships and links. Throws `not_found`. */
export async function deleteUser(database: Database, email: string): Promise<{ id: string }> {
  return within(database, undefined, async (transaction) => {
    const { id } = await held(transaction, email)
    await transaction.query('delete from users where id = $1', [id])
    return { id }
  })
}

/** Takes a user's password away, signs him out everywhere, and gives the path of a link to a new one. Throws `not_found`. */
export async function resetPassword(database: Database, email: string): Promise<{ id: string; link: string }> {
  return within(database, undefined, async (transaction) => {
    const { passwordHash: _, ...user } = await held(transaction, email)
    await changeUser(transaction, user)
    await signOutAll(transaction, user.id)
    await dropLinks(transaction, user.id)
    await forget(transaction, addressOf(user.email))
    return { id: user.id, link: await makeLink(transaction, user.id) }
  })
}
