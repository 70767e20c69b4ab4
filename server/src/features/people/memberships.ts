// Who has access to what: the members of a place as lists show them, a person's role, checked again in the transaction that
// writes, and what a person can open: the person's companies and organizations, and all companies of the latter.

import { listOf, object, string } from '../../core/json-schema.ts'
import { PAGE_DEFAULT, PAGE_MAXIMUM } from '../../core/limits.ts'
import { roleTooLow } from '../../core/problem.ts'
import { isAtLeast, type Person, type Role, roles, type Scope } from '../../core/scope.ts'
import { type Database, hasRow, namedValues, type Queryable, type Row } from '../../database/connect.ts'
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
import { positionOf } from '../../engine/lists/column-list.ts'
import { writeCursor } from '../../engine/lists/list-cursor.ts'
import { containing } from '../../engine/lists/search-conditions.ts'
import { resource } from '../../engine/resource.ts'
import { notSignedIn, secondFactorMissing } from '../../http/auth/sign-in.ts'
import { type Answer, type Call, json, type Route } from '../../http/route.ts'
import { companyMembers, ownRoute, type People, personEmail, personName, roleMeaning } from './bodies.ts'
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

/** Organizations, and companies, that a sign-in lists; the list of companies shows more. */
const OWN_PLACES = 100

type OpenCompany = Record<keyof typeof companyMembers, unknown>

/** A user's memberships by name, at most `OWN_PLACES` of each kind. */
export async function ownPlaces(database: Queryable, userId: string) {
  const [organizations, companies] = await Promise.all([
    database.query(
      `select place.id, place.name, member.role
       from members as member join organizations as place on place.id = member.organization_id
       where member.user_id = $1 order by place.name collate "und-x-icu", place.id limit $2`,
      [userId, OWN_PLACES],
    ),
    database.query(
      `select place.id, place.name, member.role, place.organization_id, place.currency, place.timezone, place.country, place.status
       from members as member join companies as place on place.id = member.company_id
       where member.user_id = $1 order by place.name collate "und-x-icu", place.id limit $2`,
      [userId, OWN_PLACES],
    ),
  ])
  const ofCompany = ['id', 'name', 'role', 'organizationId', 'currency', 'timezone', 'country', 'status'] as const
  return {
    organizations: organizations.map((row) => namedValues<OpenCompany>(row, ['id', 'name', 'role'])),
    companies: companies.map((row) => namedValues<OpenCompany>(row, ofCompany)),
  }
}

const openCompanyMembers = [
  ...(['id', 'name', 'status', 'role', 'organizationId', 'organizationName'] as const),
  ...(['currency', 'timezone', 'country'] as const),
]
const openCompanies = `
  with own as materialized (
    select company_id, organization_id, role from members where user_id = $1
  ), opened as (
    select own.company_id as id, own.role from own where own.company_id is not null
    union all
    select company.id, own.role from own join companies as company on company.organization_id = own.organization_id
    join organizations as head on head.id = own.organization_id
    where not head.requires_second_factor or exists (select from sign_ins where id = $6 and has_second_factor)
  ), best as (
    select id, (array['viewer', 'admin', 'owner'])[max(array_position(array['viewer', 'admin', 'owner'], role))] as role from opened group by id
  )
  select stored.id, stored.name, stored.status, best.role, stored.organization_id, organization.name,
    stored.currency, stored.timezone, stored.country
  from best join companies as stored on stored.id = best.id
  join organizations as organization on organization.id = stored.organization_id
  where ($2::text is null or upper(stored.name collate "und-x-icu") like upper($2::text collate "und-x-icu"))
    and ($3::text is null or (stored.name collate "und-x-icu", stored.id) > ($3::text collate "und-x-icu", $4::text collate "C"))
  order by stored.name collate "und-x-icu", stored.id limit $5`

/** The route of all companies that a person has access to: an organization may have thousands. */
export function placeRoutes({ database }: People): Route[] {
  return [
    {
      ...ownRoute,
      method: 'GET',
      path: '/v1/console/companies',
      operationId: 'listOpenCompanies',
      summary: 'List the companies that the person has access to',
      description:
        'Ordered by name: the companies that the person is a member of, and all companies of the person’s organizations, except of those that require a second factor while the sign-in has none.',
      query: {
        search: { type: 'string', maxLength: 500, description: 'Part of the name, case-insensitive.' },
        limit: {
          type: 'integer',
          minimum: 0,
          maximum: PAGE_MAXIMUM,
          default: PAGE_DEFAULT,
          description: 'Maximum number of companies to return; 0 means the default.',
        },
        cursor: { type: 'string', maxLength: 8_192, description: 'Continues after a page: its `meta.nextCursor`.' },
      },
      replies: {
        200: {
          description: 'A page of companies.',
          schema: object('OpenCompanies', {
            data: {
              ...listOf(
                object(
                  'OpenCompany',
                  Object.fromEntries(openCompanyMembers.map((name) => [name, companyMembers[name]])),
                  [...['id', 'name', 'status', 'role', 'organizationId', 'organizationName']],
                ),
              ),
              description: 'The companies of the page, by name.',
            },
            meta: {
              ...object(
                'OpenCompaniesMeta',
                {
                  nextCursor: string('Send it as `cursor` for the next page; absent on the last.'),
                },
                [],
              ),
              description: 'Where to continue.',
            },
          }),
          example: {
            data: [
              {
                id: '6740a1f2c3d4e5f6a7b8c900',
                name: 'Corner Shop',
                status: 'active',
                role: 'owner',
                organizationId: '6740a1f2c3d4e5f6a7b8c901',
                organizationName: 'Corner Shops',
                currency: 'EUR',
              },
            ],
            meta: {},
          },
        },
      },
      handle: (call) => openCompaniesPage(database, call),
    },
  ]
}

async function openCompaniesPage(database: Database, { scope, query }: Call): Promise<Answer> {
  const { search, cursor } = query
  const limit = query.limit || PAGE_DEFAULT
  const after = cursor === undefined ? undefined : positionOf(cursor, 'name', 'asc', 0)
  const { id: userId, signInId } = scope.user as Person
  const pattern = search === undefined || search === '' ? null : containing(search)
  const rows = await database.query(openCompanies, [userId, pattern, after?.value, after?.id, limit + 1, signInId])
  const data = rows.slice(0, limit).map((row) => namedValues<OpenCompany>(row, openCompanyMembers))
  const nextCursor =
    rows.length > limit ? writeCursor('name', 'asc', { fields: {} }, JSON.stringify(data.at(-1))) : undefined
  return json({ data, meta: { nextCursor } })
}
