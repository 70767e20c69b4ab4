// What a person can open: the companies and organizations that the person is a member of, and all companies of the
// latter.

import { listOf, object, string } from '../../core/json-schema.ts'
import { PAGE_DEFAULT, PAGE_MAXIMUM } from '../../core/limits.ts'
import type { Person } from '../../core/scope.ts'
import { type Database, namedValues, type Queryable, type Row } from '../../database/connect.ts'
import { notOurs } from '../../engine/lists/list-cursor.ts'
import { containing } from '../../engine/lists/search-conditions.ts'
import { type Answer, type Call, json, type Route } from '../../http/route.ts'
import { companyMembers, ownRoute, type People } from './bodies.ts'

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

const shown = [
  ...(['id', 'name', 'status', 'role', 'organizationId', 'organizationName'] as const),
  ...(['currency', 'timezone', 'country'] as const),
]
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
  const data = some.map((row) => namedValues<OpenCompany>(row, shown))
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
