// What the operator of the service can do with users on the command line; no permission is checked.

import { notFound, Problem } from '../../core/problem.ts'
import type { Role } from '../../core/scope.ts'
import { type Database, namedValues, type Queryable } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { removeIdentities, removeVouchedIdentities } from './identities.ts'
import { dropLinks, makeLink } from './links.ts'
import { forgetCodes, forgetFailures } from './login-throttle.ts'
import { attachMember, type NewMember, refuseMember } from './members.ts'
import { holdPlace, type MemberPlace } from './memberships.ts'
import { removePasskeys } from './passkeys.ts'
import { removeSecondFactor } from './second-factor.ts'
import { removeUser, signOutAll } from './sign-ins.ts'
import { changeUser, createUser, type User, userByAddress } from './users.ts'
import { hasWayIn, lacksRequiredFactor } from './ways-in.ts'

/** A user as the operator lists them. */
interface UserRecord {
  readonly id: string
  readonly email: string
  readonly name?: string
  readonly hasPassword: boolean
  /** Whether codes of an app are on. */
  readonly hasSecondFactor: boolean
  readonly passkeys: number
  /** Whether the operator vouched for the second factor of the provider where the user signs in. */
  readonly hasVouchedIdentity: boolean
  readonly members: readonly { companyId?: string; organizationId?: string; role: Role }[]
  readonly createdAt: string
  readonly lastSignInAt?: string
}

/** What was removed together with a user's password or second factor, and what that means. */
interface Reset {
  readonly id: string
  readonly passkeysRemoved: number
  /** Whether a company or an organization of the user requires a second factor, and the user has none any more. */
  readonly lacksFactor: boolean
}

/** The same for a second factor. */
interface FactorReset extends Reset {
  readonly identitiesRemoved: number
  /** Whether the user can still sign in: there may be no password. */
  readonly hasWayIn: boolean
}

/** What a user is to be a member of. */
type MembershipPlace = { readonly companyId: string } | { readonly organizationId: string }

/** The person the operator makes a member. An existing account needs its id, or a password reset. */
interface Enrolled {
  readonly email: string
  readonly name?: string | undefined
  readonly role: Role
  readonly existing?: string | undefined
  readonly resetsPassword?: boolean | undefined
}

/**
 * Makes a person a member, and creates the user if there is none. Addresses are unverified, so an existing user becomes a member
 * only if `existing` is its id, or if `resetsPassword` ends its sign-ins and links; otherwise 409. Throws `not_found` for an
 * unknown place, and 409 for a member.
 */
export async function enrol(
  database: Database,
  { email, name, role, existing, resetsPassword = false }: Enrolled,
  where: MembershipPlace,
): Promise<NewMember & Partial<Reset> & { readonly opens: UserRecord['members'] | undefined }> {
  return retriedTransaction(database, async (transaction) => {
    const place = await placeOf(transaction, where)
    await holdPlace(transaction, place)
    const attach = (user: User) => attachMember(transaction, place, user, { role, madeBy: undefined })
    const user = await userByAddress(transaction, email, true)
    if (user === undefined) {
      if (existing !== undefined)
        throw new Problem('conflict', `No account has the e-mail address ${email}; leave out --existing.`)
      return { ...(await attach(await createUser(transaction, { email, name }))), opens: undefined }
    }
    await refuseMember(transaction, place, user.id, `The user ${email} is already a member.`)
    const opens = (await recordOf(transaction, user.id)).members
    if (existing !== undefined && existing !== user.id)
      throw new Problem(
        'conflict',
        `The account with the e-mail address ${email} has the id ${user.id}, not ${existing}.`,
      )
    if (existing === undefined && !resetsPassword) throw isThere(user, opens)
    if (!resetsPassword) return { ...(await attach(user)), opens }
    const { taken, passkeysRemoved } = await takePassword(transaction, user)
    const made = await attach(taken)
    return { ...made, opens, passkeysRemoved, lacksFactor: await lacksRequiredFactor(transaction, taken.id) }
  })
}

async function placeOf(transaction: Queryable, where: MembershipPlace): Promise<MemberPlace> {
  const companyId = 'companyId' in where ? where.companyId : undefined
  const [found] = await transaction.query(
    companyId === undefined
      ? 'select id from organizations where id = $1'
      : 'select organization_id from companies where id = $1',
    ['companyId' in where ? where.companyId : where.organizationId],
  )
  if (found === undefined)
    throw 'companyId' in where ? notFound('company', where.companyId) : notFound('organization', where.organizationId)
  return { companyId, organizationId: found[0] as string }
}

/** 409 that shows the account and both ways to proceed. */
function isThere({ id, email, name }: User, opens: UserRecord['members']): Problem {
  const called = name === undefined ? '' : ` (${name})`
  const what = opens.length === 0 ? 'no access' : `access to ${opens.map(openedBy).join(', ')}`
  return new Problem(
    'conflict',
    `The account ${id}${called} already has the e-mail address ${email}, and ${what}. Cashwrap has not verified that its user owns the address. ` +
      `Add --existing ${id} if you know the account is the right person's, or --reset-password to end its password and sign-ins and print a link.`,
  )
}

/** What a membership gives access to, in words. */
export const openedBy = ({ companyId, organizationId, role }: UserRecord['members'][number]): string =>
  companyId ? `company ${companyId} (${role})` : `organization ${organizationId} (${role})`

/** Users, oldest first. */
export const listUsers = (database: Queryable): Promise<UserRecord[]> => recordsWhere(database, 'true', [])

/** An existing user. */
const recordOf = async (database: Queryable, id: string): Promise<UserRecord> =>
  (await recordsWhere(database, 'stored.id = $1', [id]))[0] as UserRecord

const userMembers = [
  ...(['id', 'email', 'name', 'hasPassword', 'hasSecondFactor', 'passkeys', 'hasVouchedIdentity'] as const),
  ...(['members', 'createdAt', 'lastSignInAt'] as const),
]

async function recordsWhere(database: Queryable, condition: string, values: unknown[]): Promise<UserRecord[]> {
  const rows = await database.query(
    `select stored.id, stored.email, stored.name, stored.password_hash is not null,
       exists (select from second_factors where user_id = stored.id and confirmed_at is not null),
       (select count(*)::int from passkeys where user_id = stored.id),
       exists (select from identities where user_id = stored.id and is_second_factor and is_current), coalesce((
         select json_agg(json_strip_nulls(json_build_object(
           'companyId', member.company_id, 'organizationId', member.organization_id, 'role', member.role))
           order by member.created_at, member.id)
         from members as member where member.user_id = stored.id), '[]'),
       iso_time(stored.created_at), iso_time(stored.last_sign_in_at)
     from users as stored where ${condition} order by stored.created_at, stored.id`,
    values,
  )
  return rows.map((row) => {
    const record = namedValues<UserRecord & { members: any }>(row, userMembers)
    return { ...record, members: JSON.parse(record.members) }
  })
}

/** The user with an address, locked. Throws `not_found`. */
async function held(transaction: Queryable, email: string) {
  const user = await userByAddress(transaction, email, true)
  if (user === undefined) throw new Problem('not_found', `There is no user with the address ${email}.`)
  return user
}

/** Deletes a user, with sign-ins, memberships and links. Throws `not_found`. */
export async function deleteUser(database: Database, email: string): Promise<{ id: string }> {
  return retriedTransaction(database, async (transaction) => {
    const { id } = await held(transaction, email)
    await removeUser(transaction, id)
    return { id }
  })
}

/**
 * Removes a user's password, passkeys and linked identities, signs the user out everywhere, and returns a link for a new password.
 * Throws `not_found`.
 */
export async function resetPassword(database: Database, email: string): Promise<Reset & { readonly link: string }> {
  return retriedTransaction(database, async (transaction) => {
    const { taken, passkeysRemoved } = await takePassword(transaction, await held(transaction, email))
    const { id } = taken
    const link = await makeLink(transaction, id)
    return { id, link, passkeysRemoved, lacksFactor: await lacksRequiredFactor(transaction, id) }
  })
}

/**
 * Turns a user's second factor off, removes the passkeys and the identities that are a second factor, and signs the user out everywhere: a lost device may be signed in. Throws
 * `not_found`, and 409 if there are none.
 */
export async function resetSecondFactor(database: Database, email: string): Promise<FactorReset> {
  return retriedTransaction(database, async (transaction) => {
    const { id } = await held(transaction, email)
    const hadCodes = await removeSecondFactor(transaction, id)
    const passkeysRemoved = await removePasskeys(transaction, id)
    const identitiesRemoved = await removeVouchedIdentities(transaction, id)
    if (!hadCodes && passkeysRemoved + identitiesRemoved === 0)
      throw new Problem('conflict', `The user ${email} has no second factor, and no passkey.`)
    await signOutAll(transaction, id)
    await forgetCodes(transaction, id)
    return {
      id,
      identitiesRemoved,
      hasWayIn: await hasWayIn(transaction, id),
      passkeysRemoved,
      lacksFactor: await lacksRequiredFactor(transaction, id),
    }
  })
}

/** Removes the password, the passkeys and linked identities, signs the user out everywhere, and invalidates links to and from the user. */
async function takePassword(
  transaction: Queryable,
  { passwordHash: _, ...taken }: User,
): Promise<{ taken: User; passkeysRemoved: number }> {
  await changeUser(transaction, taken)
  const passkeysRemoved = await removePasskeys(transaction, taken.id)
  await removeIdentities(transaction, taken.id)
  await signOutAll(transaction, taken.id)
  await dropLinks(transaction, taken.id)
  await forgetFailures(transaction, taken.email)
  return { taken, passkeysRemoved }
}
