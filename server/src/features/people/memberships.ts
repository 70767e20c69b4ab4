// Who has access to what: the members of a place as lists show them, and a person's role, checked again in the
// transaction that writes.

import { roleTooLow } from '../../core/problem.ts'
import { isAtLeast, type Person, type Role, roles, type Scope } from '../../core/scope.ts'
import { hasRow, namedValues, type Queryable, type Row } from '../../database/connect.ts'
import {
  atTimes,
  choice,
  dateTime,
  described,
  type Field,
  id,
  name,
  required,
  serverOwned,
} from '../../engine/field.ts'
import { resource } from '../../engine/resource.ts'
import { notSignedIn, secondFactorMissing } from '../../http/auth/sign-in.ts'
import { personEmail, personName, roleMeaning } from './bodies.ts'
import { lacksFactor, signInLasts } from './sign-ins.ts'
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
  if (!hasUser || !(await signInLasts(transaction, signInId))) throw notSignedIn()
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

const state =
  '`invited`: the invitation is not accepted yet, or the account has no password, passkey or identity to sign in with yet. `active`: the person can sign in.'
const userId = 'Id of the account. For an invitation: the id that an account created with the link gets.'
const email =
  'The address the account signs in with. For an invitation: what the owner typed, which is only a label. Addresses are unverified.'

/** Members of a company or of an organization, declared like resources; `called` marks what the person is called. */
export const memberOfPlace = (isCompany: boolean, called: <T>(field: Field<T>) => Field<T>) =>
  resource(
    {
      name: isCompany
        ? { one: 'member', many: 'members' }
        : { one: 'organization-member', many: 'organization-members' },
      title: 'Members',
      description: 'A person with access to a company, or to an organization and all its companies.',
      fields: {
        email: called(required(described(personEmail(), email))),
        name: called(personName()),
        role: required(choice(isCompany ? roles : ['admin', 'owner'], { description: roleMeaning })),
        userId: serverOwned(described(id(), userId)),
        state: serverOwned({ ...name(), schema: { type: 'string', enum: ['invited', 'active'], description: state } }),
        lastSignInAt: serverOwned(atTimes(dateTime({ description: 'When the person last signed in.' }))),
        expiresAt: serverOwned(atTimes(dateTime({ description: 'For an invitation: when its link expires.' }))),
      },
      remove: 'hard',
      list: { sort: ['email', 'name'], search: ['email', 'name'] },
      styleA: null,
      styleB: null,
      example: {
        email: 'ann@example.com',
        name: 'Ann Archer',
        role: 'admin',
        userId: '6740a1f2c3d4e5f6a7b8c9e1',
        state: 'invited',
      },
    },
    { showsCompany: false },
  )

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
      members.role, case when ${canSignIn} then 'active' else 'invited' end as state, members.created_at, members.updated_at, users.last_sign_in_at,
      null::timestamptz(3) as expires_at
    from members join users on users.id = members.user_id
    union all
    select id, user_id, company_id, organization_id, email, coalesce(name, ''), role, 'invited', created_at, updated_at, null, expires_at
    from invitations where used_at is null)`

/** Columns of the row `stored` that `memberOf` reads. */
export const memberColumns = `stored.id, stored.user_id, stored.email, nullif(stored.name, ''), stored.role, stored.state,
  iso_time(stored.created_at), iso_time(stored.updated_at), iso_time(stored.last_sign_in_at), iso_time(stored.expires_at)`

export const memberOf = (row: Row): MemberRecord =>
  namedValues(row, [
    ...(['id', 'userId', 'email', 'name', 'role', 'state', 'createdAt', 'updatedAt'] as const),
    ...(['lastSignInAt', 'expiresAt'] as const),
  ])

/** The record of an active member. */
export async function readMember(database: Queryable, id: string): Promise<MemberRecord> {
  const [row] = await database.query(`select ${memberColumns} from ${memberTable} as stored where stored.id = $1`, [id])
  return memberOf(row as Row)
}
