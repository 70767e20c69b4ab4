// Invitations: a link offers a membership, and the account that accepts it becomes the member, whatever its address (decision 19).

import { isId, newId } from '../../core/ids.ts'
import { conflict } from '../../core/problem.ts'
import { type Person, type Role, roles } from '../../core/scope.ts'
import { hasRow, type Queryable } from '../../database/connect.ts'
import { invalidLink, isToken, LINK_MS, linkPath, newToken, tokenHash } from './links.ts'
import { insertMember, ofPlace, refuseFull, refuseMember, valuesOf } from './members.ts'
import { holdPlace, type MemberPlace } from './memberships.ts'
import { addressOf, type User } from './users.ts'

/** Number of companies that an invitation link names. If there are more, it shows how many. */
const INVITATION_COMPANIES = 20

/** The person an owner invites, and the role offered. */
export interface WantedMember {
  readonly email: string
  readonly name?: string | undefined
  readonly role: Role
}

/** An invitation with a valid link. */
export interface Invitation {
  readonly id: string
  readonly place: MemberPlace
  readonly role: Role
  /** What the owner typed. Only a label, since the address is unverified. */
  readonly email: string
  readonly name: string | undefined
  /** The id that an account created with the link gets. */
  readonly userId: string
  readonly expiresAt: string
  readonly invitedBy: { readonly id: string; readonly email: string; readonly name?: string }
}

/** What an invitation gives access to, as its recipient sees it. */
interface InvitationPlaces {
  readonly organizationName: string
  readonly companyName?: string
  /** Names of the companies; only the first ones if there are many. */
  readonly companies: readonly string[]
  readonly companyCount: number
}

/** SQL condition: the person who made the latest link is still an owner of the place. */
const byOwner = `exists (
  select from members as own where own.user_id = stored.invited_by and own.role = 'owner'
    and (own.company_id = stored.company_id or own.organization_id = coalesce(stored.organization_id, company.organization_id)))`

/**
 * Invites a person; returns the id and the link's path. Throws 409 for an address that is in the place's own list of
 * members, and for the person's own: an owner of an organization has access to all of its companies.
 */
export async function invite(
  transaction: Queryable,
  place: MemberPlace,
  { email, name, role }: WantedMember,
  person: Person,
): Promise<{ id: string; link: string }> {
  const address = addressOf(email)
  if (await hasRow(transaction, 'select from users where id = $1 and address = $2', [person.id, address]))
    throw conflict('already_member', 'This is your own e-mail address, and you have access already.')
  const [listed] = await transaction.query(
    `select 'member' from members as stored join users on users.id = stored.user_id where ${ofPlace} and users.address = $3
     union all select 'invited' from invitations as stored where ${ofPlace} and stored.address = $3 and stored.used_at is null
     limit 1`,
    [...valuesOf(place), address],
  )
  if (listed !== undefined)
    throw listed[0] === 'member'
      ? conflict('already_member', 'A member with this e-mail address is already in the list.')
      : conflict(
          'already_invited',
          'This e-mail address is already invited. Renew the link of that invitation instead.',
        )
  await refuseFull(transaction, place)
  const id = newId()
  const token = newToken()
  const now = Date.now()
  await transaction.query(
    `insert into invitations (id, company_id, organization_id, role, email, address, name, user_id, hash, invited_by, created_at, updated_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12)`,
    [
      ...[id, place.companyId ?? null, place.companyId === undefined ? place.organizationId : null, role],
      ...[email, address, name ?? null, newId(), tokenHash(token), person.id],
      ...[new Date(now).toISOString(), new Date(now + LINK_MS).toISOString()],
    ],
  )
  return { id, link: linkPath(token) }
}

/** Gives an invitation a new link, valid for seven days. Undefined if the place has no such invitation. */
export async function renewInvitation(
  transaction: Queryable,
  place: MemberPlace,
  id: string,
  person: Person,
): Promise<string | undefined> {
  if (!isId(id)) return undefined
  const token = newToken()
  const now = Date.now()
  const isRenewed = await hasRow(
    transaction,
    `update invitations as stored set hash = $4, invited_by = $5, updated_at = $6, expires_at = $7
     where ${ofPlace} and id = $3 and used_at is null returning 1`,
    [
      ...[...valuesOf(place), id, tokenHash(token), person.id],
      ...[new Date(now).toISOString(), new Date(now + LINK_MS).toISOString()],
    ],
  )
  return isRenewed ? linkPath(token) : undefined
}

/** Changes an invitation's role. False if the place has no such invitation. */
export async function changeInvitedRole(
  transaction: Queryable,
  place: MemberPlace,
  id: string,
  role: Role | undefined,
): Promise<boolean> {
  if (!isId(id)) return false
  return hasRow(
    transaction,
    `update invitations as stored set role = coalesce($4, role),
       updated_at = case when role = coalesce($4, role) then updated_at else $5::timestamptz end
     where ${ofPlace} and id = $3 and used_at is null returning 1`,
    [...valuesOf(place), id, role ?? null, new Date().toISOString()],
  )
}

/** Withdraws an invitation. False if the place has no such invitation. */
export async function withdraw(transaction: Queryable, place: MemberPlace, id: string): Promise<boolean> {
  const open = `delete from invitations as stored where ${ofPlace} and id = $3 and used_at is null returning 1`
  return isId(id) && hasRow(transaction, open, [...valuesOf(place), id])
}

/** The invitation with a link's token; undefined if there is none. Throws 401 if the link is used, expired or void. */
export async function findInvitation(database: Queryable, token: string): Promise<Invitation | undefined> {
  if (!isToken(token)) return undefined
  const [row] = await database.query(
    `select stored.id, stored.company_id, coalesce(stored.organization_id, company.organization_id), stored.role,
       stored.email, stored.name, stored.user_id, iso_time(stored.expires_at), stored.expires_at > now(),
       stored.used_at is not null, ${byOwner}, inviter.id, inviter.email, inviter.name
     from invitations as stored left join companies as company on company.id = stored.company_id
     left join users as inviter on inviter.id = stored.invited_by
     where stored.hash = $1`,
    [tokenHash(token)],
  )
  if (row === undefined) return undefined
  const [id, companyId, organizationId, role, email, name, userId, expiresAt, isLasting, isUsed, isGood, ...by] =
    row.map((value) => value ?? undefined)
  if (isUsed) throw invalidLink('This link was already used.')
  if (!isLasting) throw invalidLink(`This link expired at ${expiresAt}.`)
  if (!isGood) throw invalidLink('This link is not valid: the person who made it is no longer an owner.')
  const [inviterId, inviterEmail, inviterName] = by
  return {
    id,
    place: { companyId, organizationId },
    role,
    email,
    name,
    userId,
    expiresAt,
    invitedBy: { id: inviterId, email: inviterEmail, ...(inviterName !== undefined && { name: inviterName }) },
  }
}

/** Names of what an invitation gives access to. */
export async function placesOf(database: Queryable, { place }: Invitation): Promise<InvitationPlaces> {
  const { companyId, organizationId } = place
  const rows = await database.query(
    `select organization.name, company.name, count(company.id) over ()
     from organizations as organization left join companies as company
       on company.organization_id = organization.id and ($2::text is null or company.id = $2)
     where organization.id = $1 order by company.name collate "und-x-icu", company.id limit $3`,
    [organizationId, companyId ?? null, INVITATION_COMPANIES],
  )
  const [organizationName, companyName, companyCount] = rows[0] as [string, string | null, number]
  return {
    organizationName,
    ...(companyId !== undefined && companyName !== null && { companyName }),
    companies: rows.flatMap(([, name]) => name ?? []),
    companyCount: Number(companyCount),
  }
}

/**
 * Marks an invitation as used, and locks it and its place: of two concurrent requests one succeeds, the other gets 401.
 * An invitation that is withdrawn or changed meanwhile cannot be accepted.
 */
export async function spendInvitation(transaction: Queryable, token: string): Promise<Invitation> {
  const found = await findInvitation(transaction, token)
  if (found !== undefined) await holdPlace(transaction, found.place)
  const [spent] = await transaction.query(
    'update invitations set used_at = $2 where hash = $1 and used_at is null and expires_at > now() returning role',
    [tokenHash(token), new Date().toISOString()],
  )
  const [role] = spent ?? []
  if (found === undefined || !roles.includes(role)) throw invalidLink('This link was used or withdrawn a moment ago.')
  const [good] = await transaction.query(
    `select ${byOwner} from invitations as stored left join companies as company on company.id = stored.company_id where stored.id = $1`,
    [found.id],
  )
  if (good?.[0] !== true) throw invalidLink('This link is not valid: the person who made it is no longer an owner.')
  return { ...found, role }
}

/** Makes an account, whose row is locked, the member that a used invitation offers. Throws 409 if it is already a member of the place. */
export async function joinBy(
  transaction: Queryable,
  { id, place, role }: Invitation,
  user: Pick<User, 'id' | 'email'>,
): Promise<void> {
  await refuseMember(transaction, place, user.id, 'Your account is already a member here.')
  await insertMember(transaction, place, { id, user, role })
  // An owner who made a password link for this account may not own its new membership.
  await transaction.query('delete from sign_in_links where user_id = $1 and used_at is null', [user.id])
}
