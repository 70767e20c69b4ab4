// The routes of members: of a company, and of an organization.
import type { Database } from '../../database/connect.ts'
import { type Listed, listRoute, pageOf, shapesOf } from '../../engine/column-list.ts'
import { closed, deletedSchema, documents } from '../../engine/documents.ts'
import { atTimes, choice, dateTime, type Field, id, name, required, serverOwned } from '../../engine/field.ts'
import { transacted } from '../../engine/idempotency.ts'
import { resource } from '../../engine/resource.ts'
import { bodySchema, checked } from '../../engine/schema.ts'
import type { Call, Route } from '../../http/route.ts'
import type { Role } from '../../http/scope.ts'
import { actingPlace } from './acting.ts'
import { personEmail, personName } from './body.ts'
import { memberColumns, memberOf, memberTable, readMember } from './member-record.ts'
import { addMember, changeRole, linkFor, removeMember, rolesOf, type WantedMember } from './members.ts'
import { personOf } from './sign-in-routes.ts'

const state = 'invited: the person has no password yet; active: has one.'

/** Members of a company or of an organization, declared as resources are; `called` says of what the person is called whose it is. */
const memberOfPlace = (isCompany: boolean, called: <T>(field: Field<T>) => Field<T>) =>
  resource(
    {
      name: isCompany
        ? { one: 'member', many: 'members' }
        : { one: 'organization-member', many: 'organization-members' },
      title: 'Members',
      description: 'A person who may open a company, or an organization and all its companies.',
      fields: {
        email: called(required(personEmail())),
        name: called(personName()),
        role: required(choice(...rolesOf(isCompany))),
        userId: serverOwned(id()),
        state: serverOwned({ ...name(), schema: { type: 'string', enum: ['invited', 'active'], description: state } }),
        lastSignInAt: serverOwned(atTimes(dateTime({ description: 'When the person signed in last.' }))),
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

/** The chapter of members. */
export const memberChapter = {
  Members:
    'Who may sign in to a company or an organization, and as what. Changed by owners, in the console; nobody’s key does it.',
}

const message = 'The member was removed; every server refuses the person from now on.'
const linked = {
  type: 'string',
  description:
    'Path at the service’s address where the person chooses a password, once, within 7 days. It is shown only here, and no mail is sent: hand it on.',
}
const linkExample = '/console/link#token=b3J8sQ1n0w6fM0hYd0Jb1r2c3S4e5V6x9Kd7Lm8No9P'

/** The routes of both. */
export const memberRoutes = (database: Database): Route[] => [...routesOf(database, true), ...routesOf(database, false)]

function routesOf(database: Database, isCompany: boolean): Route[] {
  const member = memberOfPlace(isCompany, (field) => field)
  // What a user is called is the user's own to change.
  const change = memberOfPlace(isCompany, serverOwned)
  const listed: Listed = {
    resource: member,
    table: memberTable,
    always: ['id', 'userId', 'email', 'role', 'state', 'createdAt', 'updatedAt'],
    columns: memberColumns,
    textOf: (row) => JSON.stringify(memberOf(row)),
    owned: isCompany ? 'stored.company_id = $1' : 'stored.organization_id = $1',
  }
  const { record, create, example } = shapesOf(listed)
  const { create: readWanted } = bodySchema(member)
  const { update: readChange } = bodySchema(change)
  const [root, of, ofWhat] = isCompany
    ? (['/v1/members', 'Member', 'the company'] as const)
    : (['/v1/organization-api/members', 'OrganizationMember', 'the organization'] as const)
  const surface = isCompany ? ('company' as const) : ('organization' as const)
  const writing = { surface, tag: member.title, forPeople: 'owner' } as const
  const reply = { description: 'The member.', schema: record, example }
  const made = { ...record, title: `New${of}`, properties: { ...(record.properties as object), link: linked } }
  const placeId = ({ scope }: Call) => (isCompany ? scope.companyId : (scope.organizationId as string))
  return [
    listRoute(listed, {
      path: root,
      surface,
      forPeople: 'admin',
      operationId: `list${of}s`,
      summary: `List the members of ${ofWhat}`,
      ...(isCompany && {
        description: 'Its own; the members of its organization may open it too, and stand in the organization’s list.',
      }),
      handle: (call) => pageOf(database, listed, placeId(call), call.query),
    }),
    {
      ...writing,
      method: 'POST',
      path: root,
      operationId: `create${of}`,
      summary: `Make somebody a member of ${ofWhat}`,
      description:
        'Where nobody has the address a user is made, with `name`, and `link` is answered. A user who is there already, and belongs to others too, is added by an owner of all of those, or by the operator. Since nobody proves an address, who has it is named by 409 `conflict` first, and added when the request says `existing`.',
      query: {
        existing: {
          type: 'string',
          maxLength: 24,
          description: 'Id of the user who has the address already, as 409 tells it: yes, that one is meant.',
        },
      },
      body: { schema: closed(create), example: { email: 'ann@example.com', name: 'Ann Archer', role: 'admin' } },
      replies: {
        201: {
          description: 'The member, and the link where the person has no password yet.',
          schema: made,
          example: { ...example, link: linkExample },
        },
      },
      problems: ['conflict'],
      hasSecret: true,
      handle: (call) => {
        const wanted = checked(readWanted(call.body)).set as unknown as WantedMember
        return transacted(database, call.claim, async (transaction) => {
          const place = await actingPlace(transaction, call.scope, 'owner')
          const { id, link } = await addMember(transaction, place, wanted, personOf(call), call.query.existing)
          const body = JSON.stringify({ ...(await readMember(transaction, id)), link })
          return { status: 201, body }
        })
      },
    },
    {
      ...writing,
      method: 'PATCH',
      path: `${root}/{id}`,
      operationId: `update${of}`,
      summary: `Give a member of ${ofWhat} another role`,
      description:
        'What the person is called is the person’s own to change, and ignored here. It holds with the next request, on every server. The last owner who can sign in stays one.',
      body: { schema: closed(documents(change).update), example: { role: 'owner' } },
      replies: { 200: reply },
      problems: ['not_found', 'conflict'],
      handle: (call) => {
        const { role } = checked(readChange(call.body)).set as { role?: Role }
        const id = call.params.id as string
        return transacted(database, call.claim, async (transaction) => {
          await changeRole(transaction, await actingPlace(transaction, call.scope, 'owner'), id, role)
          return { status: 200, body: JSON.stringify(await readMember(transaction, id)) }
        })
      },
    },
    {
      ...writing,
      method: 'DELETE',
      path: `${root}/{id}`,
      operationId: `delete${of}`,
      summary: `Remove a member of ${ofWhat}`,
      description:
        'It holds with the next request, on every server. A user who is a member of nothing else is deleted. The last owner who can sign in stays. Keys that the person made stay: look through them.',
      replies: {
        200: {
          description: 'It is removed.',
          schema: deletedSchema,
          example: { statusCode: 200, message, id: String(example.id) },
        },
      },
      problems: ['not_found', 'conflict'],
      handle: (call) => {
        const id = call.params.id as string
        return transacted(database, undefined, async (transaction) => {
          await removeMember(transaction, await actingPlace(transaction, call.scope, 'owner'), id)
          return { status: 200, body: JSON.stringify({ statusCode: 200, message, id }) }
        })
      },
    },
    {
      ...writing,
      method: 'POST',
      path: `${root}/{id}/link`,
      operationId: `link${of}`,
      summary: `Make a new link for a member of ${ofWhat}`,
      description:
        'By it the person chooses a password, and a forgotten one is replaced. Older links stop working; the present password goes on until the link is used.',
      replies: {
        201: {
          description: 'The link.',
          schema: { title: 'MemberLink', type: 'object', properties: { link: linked }, required: ['link'] },
          example: { link: linkExample },
        },
      },
      problems: ['not_found', 'conflict'],
      hasSecret: true,
      handle: (call) =>
        transacted(database, call.claim, async (transaction) => {
          const place = await actingPlace(transaction, call.scope, 'owner')
          const link = await linkFor(transaction, place, call.params.id as string, personOf(call))
          return { status: 201, body: JSON.stringify({ link }) }
        }),
    },
  ]
}
