// Who has access to what: a place's members as lists show them, the companies and organizations that a person can open,
// and a person's role, checked again in the transaction that writes.

import { PAGE_DEFAULT, PAGE_MAXIMUM } from '../../core/limits.ts'
import { roleTooLow } from '../../core/problem.ts'
import { isAtLeast, type Person, type Role, roles, type Scope } from '../../core/scope.ts'
import type { Database, Queryable, Row } from '../../database/connect.ts'
import { notOurs } from '../../engine/list-cursor.ts'
import { containing } from '../../engine/search-conditions.ts'
import { notSignedIn, secondFactorMissing } from '../../http/auth/session.ts'
import { type Answer, type Call, json, type Route } from '../../http/route.ts'
import { companyMembers, listOf, object, string, title } from './bodies.ts'
import { OWN_PLACES } from './limits.ts'
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
  await lastingUser(transaction, scope.user as Person)
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

const members = (row: Row, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name, n) => (row[n] === null ? [] : [[name, row[n]]])))

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
  const ofCompany = ['id', 'name', 'role', 'organizationId', 'currency', 'timezone', 'country', 'status']
  return {
    organizations: organizations.map((row) => members(row, ['id', 'name', 'role'])),
    companies: companies.map((row) => members(row, ofCompany)),
  }
}

const shown: readonly (keyof typeof companyMembers)[] = [
  'id',
  'name',
  'status',
  'role',
  'organizationId',
  'organizationName',
  'currency',
  'timezone',
  'country',
]
/** Compares two roles. */
const rank = (column: string) => `array_position(array['viewer', 'admin', 'owner'], ${column})`

const list = `
  with own as materialized (
    select company_id, organization_id, role from members where user_id = $1
  ), opened as (
    select own.company_id as id, own.role from own where own.company_id is not null
    union all
    select company.id, own.role from own join companies as company on company.organization_id = own.organization_id
    join organizations as head on head.id = own.organization_id
    where not head.requires_second_factor or exists (select from sign_ins where id = $6 and has_second_factor)
  ), best as (
    select id, (array['viewer', 'admin', 'owner'])[max(${rank('role')})] as role from opened group by id
  )
  select stored.id, stored.name, stored.status, best.role, stored.organization_id, organization.name,
    stored.currency, stored.timezone, stored.country
  from best join companies as stored on stored.id = best.id
  join organizations as organization on organization.id = stored.organization_id
  where ($2::text is null or upper(stored.name collate "und-x-icu") like upper($2::text collate "und-x-icu"))
    and ($3::text is null or (stored.name collate "und-x-icu", stored.id) > ($3::text collate "und-x-icu", $4::text collate "C"))
  order by stored.name collate "und-x-icu", stored.id limit $5`

/** The route of all companies that a person has access to: an organization may have thousands. */
export function placeRoutes(database: Database): Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/console/companies',
      surface: 'person',
      tag: title,
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
                object('OpenCompany', Object.fromEntries(shown.map((name) => [name, companyMembers[name]])), [
                  ...['id', 'name', 'status', 'role', 'organizationId', 'organizationName'],
                ]),
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
      handle: (call) => page(database, call),
    },
  ]
}

async function page(database: Database, { scope, query }: Call): Promise<Answer> {
  const { search, cursor } = query
  const limit = query.limit || PAGE_DEFAULT
  const [name, id] = cursor === undefined ? [null, null] : positionOf(cursor)
  const { id: userId, signInId } = scope.user as Person
  const pattern = search === undefined || search === '' ? null : containing(search)
  const rows = await database.query(list, [userId, pattern, name, id, limit + 1, signInId])
  const some = rows.slice(0, limit)
  const last = rows.length > limit ? (some.at(-1) as Row) : undefined
  const nextCursor = last && Buffer.from(JSON.stringify([last[1], last[0]])).toString('base64url')
  const data = some.map((row) => members(row, shown))
  return json({ data, meta: { ...(nextCursor !== undefined && { nextCursor }) } })
}

/** The name and id after which a page continues. Throws 400 for a cursor of another origin. */
function positionOf(cursor: string): [string, string] {
  try {
    const [name, id, ...more] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isOurs = [name, id].every(
      (part) => typeof part === 'string' && part.isWellFormed() && !part.includes('\u0000'),
    )
    if (isOurs && more.length === 0) return [name, id]
  } catch {
    // Falls through.
  }
  throw notOurs()
}
