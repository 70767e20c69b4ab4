// Members: who has access to a company or an organization, and the rules by which owners change that (decision 19).

import { newId } from '../../core/ids.ts'
import { conflict, denied, notFound, Problem } from '../../core/problem.ts'
import type { Person, Role } from '../../core/scope.ts'
import { hasRow, type Queryable, type Row, requireRow } from '../../database/connect.ts'
import { makeLink, takeBackLinks } from './links.ts'
import type { MemberPlace } from './memberships.ts'
import { removeUser } from './sign-ins.ts'
import { type User, userByAddress, userById } from './users.ts'
import { canSignIn, hasWayIn, isRequiredBy, linkNeedsFactor } from './ways-in.ts'

/** Members of one company or organization: more than any has, and a list that is read in a moment. */
const MEMBERS = 1_000

/** A stored membership. */
interface StoredMember {
  readonly id: string
  readonly userId: string
  readonly role: Role
}

/** SQL condition: the row `stored` of members belongs to the place $1, $2. */
export const ofPlace = '(stored.company_id = $1 or $1::text is null and stored.organization_id = $2)'
export const valuesOf = ({ companyId, organizationId }: MemberPlace) => [companyId ?? null, organizationId]

/**
 * Whether a person is an owner of everything that a user has access to, and signed in with a second factor if any of it
 * requires one: only then may the person act for that account.
 */
async function isOverUser(transaction: Queryable, { id, signInId }: Person, userId: string): Promise<boolean> {
  return !(await hasRow(
    transaction,
    `select 1 from members as member left join companies as company on company.id = member.company_id
     where member.user_id = $2 and (not exists (
         select from members as own where own.user_id = $1 and own.role = 'owner'
           and (own.company_id = member.company_id or own.organization_id = coalesce(member.organization_id, company.organization_id)))
       or ${isRequiredBy} and not exists (select from sign_ins where id = $3 and has_second_factor))
     limit 1`,
    [id, userId, signInId],
  ))
}

/** A new member, its account, and the path of the link that sets its password if it has none. */
export interface NewMember {
  readonly id: string
  readonly userId: string
  readonly link: string | undefined
}

/**
 * Makes the account `existing` a member at once, without an invitation. Only an owner of everything the account has access to, or of
 * a company whose organization it belongs to, may do that. The refusal is the same whether or not the address has an account.
 */
export async function addExisting(
  transaction: Queryable,
  place: MemberPlace,
  { email, role, existing }: { email: string; role: Role; existing: string },
  person: Person,
): Promise<NewMember> {
  const found = await userByAddress(transaction, email)
  const user = found?.id === existing ? await userById(transaction, existing, true) : undefined
  const mayAdd =
    user !== undefined &&
    ((await isOverUser(transaction, person, user.id)) || (await isOfOrganization(transaction, place, user.id)))
  if (!mayAdd)
    throw new Problem(
      'conflict',
      'No account of your own organization has this e-mail address and id, so it cannot be added at once. Leave out `existing` to invite the person with a link.',
    )
  return attachMember(transaction, place, user, { role, madeBy: person })
}

/** Makes an account a member. Throws 409 if it already is one. */
export async function attachMember(
  transaction: Queryable,
  place: MemberPlace,
  user: User,
  { role, madeBy }: { role: Role; madeBy: Person | undefined },
): Promise<NewMember> {
  await refuseMember(transaction, place, user.id, 'A user with this e-mail address is already a member.')
  await refuseFull(transaction, place)
  const id = newId()
  await insertMember(transaction, place, { id, user, role })
  // The maker of a link for this account may not own its new membership.
  await transaction.query('delete from sign_in_links where user_id = $1', [user.id])
  const isOver = madeBy === undefined || (await isOverUser(transaction, madeBy, user.id))
  const needsLink = isOver && !(await hasWayIn(transaction, user.id))
  return { id, userId: user.id, link: needsLink ? await makeLink(transaction, user.id, madeBy?.id) : undefined }
}

async function isOfOrganization(
  transaction: Queryable,
  { companyId, organizationId }: MemberPlace,
  userId: string,
): Promise<boolean> {
  const ofUser = 'select 1 from members where organization_id = $1 and user_id = $2'
  return companyId !== undefined && hasRow(transaction, ofUser, [organizationId, userId])
}

/** Throws 409 with the message if a user is a member of the place. */
export async function refuseMember(
  transaction: Queryable,
  place: MemberPlace,
  userId: string,
  message: string,
): Promise<void> {
  const ofUser = `select 1 from members as stored where ${ofPlace} and user_id = $3`
  if (await hasRow(transaction, ofUser, [...valuesOf(place), userId])) throw conflict('already_member', message)
}

/** Throws 409 if a place has reached the limit of members and invitations. */
export async function refuseFull(transaction: Queryable, place: MemberPlace): Promise<void> {
  const [count] = await transaction.query(
    `select (select count(*) from members as stored where ${ofPlace})
       + (select count(*) from invitations as stored where ${ofPlace} and used_at is null)`,
    valuesOf(place),
  )
  if ((count as Row)[0] >= MEMBERS)
    throw conflict('members_full', `The limit of ${MEMBERS} members and invitations is reached. Remove one first.`)
}

/** Stores a membership under an id. An organization without a contact for onboarding gets its first owner as that. */
export async function insertMember(
  transaction: Queryable,
  { companyId, organizationId }: MemberPlace,
  { id, user, role }: { id: string; user: Pick<User, 'id' | 'email'>; role: Role },
): Promise<void> {
  const ofOrganization = companyId === undefined
  await transaction.query(
    `insert into members (id, user_id, company_id, organization_id, role, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6)`,
    [id, user.id, companyId ?? null, ofOrganization ? organizationId : null, role, new Date().toISOString()],
  )
  if (ofOrganization && role === 'owner') await makeOrganizationOwner(transaction, organizationId, user.email)
}

/** Stores an organization's first owner, in whose name it onboards, if it has none. */
async function makeOrganizationOwner(transaction: Queryable, organizationId: string, email: string): Promise<void> {
  await transaction.query(
    `insert into organization_owners (organization_id, id, email, created_at)
     select $1, $2, $3, $4::timestamptz where not exists (select from organization_owners where organization_id = $1)`,
    [organizationId, newId(), email, new Date().toISOString()],
  )
}

/** A member of a place, locked with its user. Throws `not_found`. */
async function holdMember(transaction: Queryable, place: MemberPlace, id: string): Promise<StoredMember> {
  const statement = `select user_id, role from members as stored where ${ofPlace} and id = $3`
  const [userId, role] = await requireRow(transaction, 'member', id, statement, [...valuesOf(place), id])
  if ((await userById(transaction, userId, true)) === undefined) throw notFound('member', id)
  return { id, userId, role }
}

/** Changes a member's role. Throws `not_found`, and 409 for the last owner who can sign in. */
export async function changeRole(
  transaction: Queryable,
  place: MemberPlace,
  id: string,
  role: Role | undefined,
): Promise<void> {
  const member = await holdMember(transaction, place, id)
  if (role === undefined || member.role === role) return
  if (member.role === 'owner') await leaveOwners(transaction, place, member)
  await transaction.query('update members set role = $2, updated_at = $3 where id = $1', [
    id,
    role,
    new Date().toISOString(),
  ])
}

/**
 * Removes a member, and a user without any other membership, so that the address is free again. Throws `not_found`, and
 * 409 for the last owner who can sign in.
 */
export async function removeMember(transaction: Queryable, place: MemberPlace, id: string): Promise<void> {
  const member = await holdMember(transaction, place, id)
  if (member.role === 'owner') await leaveOwners(transaction, place, member)
  await transaction.query('delete from members where id = $1', [id])
  const isElsewhere = await hasRow(transaction, 'select 1 from members where user_id = $1 limit 1', [member.userId])
  if (!isElsewhere) await removeUser(transaction, member.userId)
}

/** Requires another owner who can sign in. Invalidates the links that the former owner gave away. */
async function leaveOwners(transaction: Queryable, place: MemberPlace, { id, userId }: StoredMember): Promise<void> {
  const hasOther = await hasRow(
    transaction,
    `select 1 from members as stored join users on users.id = stored.user_id
     where (company_id = $1 or organization_id = $2) and role = 'owner' and stored.id <> $3
       and ${canSignIn}
     limit 1`,
    [...valuesOf(place), id],
  )
  if (!hasOther)
    throw conflict('last_owner', 'This is the last owner who can sign in; make another member an owner first.')
  await takeBackLinks(transaction, userId)
}

/**
 * A new link for a member, in place of older ones. Throws `not_found`, 403 for a user with other memberships, 409 for
 * oneself, and for a user whose passkey a link must not replace.
 */
export async function linkFor(transaction: Queryable, place: MemberPlace, id: string, person: Person): Promise<string> {
  const { userId } = await holdMember(transaction, place, id)
  // A minute at an unlocked browser must not be enough to get a password.
  if (userId === person.id)
    throw conflict('own_account', 'This is your own account; change your password with your current password.')
  if (!(await isOverUser(transaction, person, userId)))
    throw denied(
      'member_elsewhere',
      'This user is also a member elsewhere. Only a person who is an owner there too, and has signed in with a second factor where one is required, can make a link, or the operator with `cashwrap user reset-password`.',
    )
  if (await linkNeedsFactor(transaction, userId))
    throw conflict(
      'factor_protected',
      'This person has a passkey, or another second factor that a link must not replace: a company or organization of theirs requires one. They sign in with it; if it is lost, the operator runs `cashwrap user reset-password`.',
    )
  return makeLink(transaction, userId, person.id)
}
