// The names of a company's keys and people, for pages that say who made a change: events name them by id.
import { type JsonSchema, object, string } from '../../core/json-schema.ts'
import { isAtLeast } from '../../core/scope.ts'
import type { Database } from '../../database/connect.ts'
import { json, type Route } from '../../http/route.ts'

/** A company has some tens of keys and people; beyond these, the newest are named. */
const MOST_ACTORS = 2_000

const schema: JsonSchema = object('Actors', {
  data: {
    type: 'array',
    description: 'The keys and the people, in no particular order.',
    items: object(
      'Actor',
      {
        type: { enum: ['key', 'user'], description: 'An API key, or a user who can sign in.' },
        id: string('The `actor.id` of events.'),
        name: string(
          'Display name; for a user without one, the e-mail address. A viewer gets no addresses, and no names of the organization’s keys.',
        ),
      },
      ['type', 'id'],
    ),
  },
})

const statement = {
  name: 'console_actors',
  text: `
    with place as (select id, organization_id from companies where id = $1)
    select type, id, name from (
      select 'key' as type, key.id, case when $2::boolean or key.company_id is not null then key.name end as name,
        key.created_at from place
      join api_keys as key on key.company_id = place.id or key.organization_id = place.organization_id
      where key.delete_at is null or key.delete_at > now()
      union all
      select distinct 'user', person.id, coalesce(person.name, case when $2::boolean then person.email end),
        person.created_at from place
      join members as member on member.company_id = place.id or member.organization_id = place.organization_id
      join users as person on person.id = member.user_id
    ) as actor order by created_at desc limit ${MOST_ACTORS}`,
}

export const actorRoutes = (database: Database): Route[] => [
  {
    method: 'GET',
    path: '/v1/console/actors',
    surface: 'company',
    forPeople: 'viewer',
    reachesEverything: true,
    operationId: 'listActors',
    tag: 'Console',
    summary: 'List the names of keys and people',
    description:
      'The keys of the company and of its organization, and the people who can open the company: the names of the actors of events. Keys that were deleted and people who were removed are not among them.',
    replies: {
      200: {
        description: 'The names.',
        schema,
        example: { data: [{ type: 'key', id: '6740a1f2c3d4e5f6a7b8c902', name: 'Till' }] },
      },
    },
    handle: async ({ scope }) => {
      const rows = await database.query(statement, [scope.companyId, isAtLeast(scope.user?.role ?? 'viewer', 'admin')])
      return json({ data: rows.map(([type, id, name]) => ({ type, id, ...(name !== null && { name }) })) })
    },
  },
]
