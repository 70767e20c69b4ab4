// The routes of members: of a company, and of an organization.

import { boolean, object, string } from '../../core/json-schema.ts'
import { orThrow } from '../../core/problem.ts'
import type { Role } from '../../core/scope.ts'
import { closed, deletedSchema, documents } from '../../engine/documents.ts'
import { serverOwned } from '../../engine/field.ts'
import { transacted } from '../../engine/idempotency.ts'
import { type Listed, listRoute, pageOf, shapesOf } from '../../engine/lists/column-list.ts'
import { bodySchema } from '../../engine/schema.ts'
import { type Call, json, type Route } from '../../http/route.ts'
import { exampleToken, type People } from './bodies.ts'
import { changeInvitedRole, invite, renewInvitation, type WantedMember, withdraw } from './invitations.ts'
import { mailInvitation, woken } from './mails.ts'
import { addExisting, changeRole, linkFor, removeMember } from './members.ts'
import { actingPlace, memberColumns, memberOf, memberOfPlace, memberTable, readMember } from './memberships.ts'
import { personOf } from './sign-ins.ts'

/** The chapter of members. */
export const memberChapter = {
  Members:
    'The people who can sign in to a company or an organization, and their roles. Owners change them in the console; no key can.',
}

const message = 'The member was removed; every server now refuses the person.'
const linked = string(
  'Path at the service’s address. The link works once, within 7 days, and is shown only here. Hand the link to the person in a way that only they can read; `isMailed` says whether the service mails it too. It proves nothing about an e-mail address: the account of the person who opens it becomes the member.',
)
const isMailed = boolean(
  'True if the link is also queued to be mailed to the address; absent without a mail server, or after many invitations within 15 minutes.',
)
const linkExample = `/console/link#token=${exampleToken}`

/** The routes of both. */
export const memberRoutes = (people: People): Route[] =>
  [true, false].flatMap((isCompany) => {
    const members = membersOf(isCompany)
    const routes = [listMembersRoute, createRoute, updateRoute, deleteRoute, linkRoute]
    return routes.map((route) => route(people, members))
  })

/** What the routes of a company's members and of an organization's members share and differ in. */
function membersOf(isCompany: boolean) {
  const member = memberOfPlace(isCompany, (field) => field)
  // Only the user can change the user's name.
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
  const [root, of, ofWhat] = isCompany
    ? (['/v1/members', 'Member', 'the company'] as const)
    : (['/v1/organization-api/members', 'OrganizationMember', 'the organization'] as const)
  const surface = isCompany ? ('company' as const) : ('organization' as const)
  const writing = { surface, tag: member.title, forPeople: 'owner' } as const satisfies Partial<Route>
  const reply = { description: 'The member.', schema: record, example }
  const made = {
    ...record,
    title: `New${of}`,
    properties: { ...(record.properties as object), link: linked, isMailed },
  }
  const placeId = ({ scope }: Call) => (isCompany ? scope.companyId : (scope.organizationId as string))
  return {
    change,
    listed,
    create,
    example,
    root,
    of,
    ofWhat,
    surface,
    writing,
    reply,
    made,
    placeId,
    isCompany,
    readWanted: bodySchema(member).create,
    readChange: bodySchema(change).update,
  }
}
type MembersOfPlace = ReturnType<typeof membersOf>

const listMembersRoute = (
  { database }: People,
  { listed, root, surface, of, ofWhat, isCompany, placeId }: MembersOfPlace,
): Route =>
  listRoute(listed, {
    path: root,
    surface,
    forPeople: 'admin',
    operationId: `list${of}s`,
    summary: `List the members of ${ofWhat}`,
    ...(isCompany && {
      description:
        'The company’s own members; the members of its organization also have access, and are in the organization’s list.',
    }),
    handle: (call) => pageOf(database, listed, placeId(call), call.query),
  })

const createRoute = (
  { database, outbox }: People,
  { writing, root, of, ofWhat, create, made, example, readWanted }: MembersOfPlace,
): Route => ({
  ...writing,
  method: 'POST',
  path: root,
  operationId: `create${of}`,
  summary: `Invite a person to ${ofWhat}`,
  description:
    'Always answers with a `link`, whether or not the address has an account: the address is only a label. The person who opens the link signs in with their own account, or creates one under any free address, and that account becomes the member. 409 `conflict`: a member or an invitation in this list already has the address.',
  query: {
    existing: {
      type: 'string',
      maxLength: 24,
      description:
        'Adds the account with this id and e-mail address at once, without a link. The account must have access only to what you own, or belong to the organization of the company.',
    },
  },
  body: { schema: closed(create), example: { email: 'ann@example.com', name: 'Ann Archer', role: 'admin' } },
  replies: {
    201: {
      description: 'The invitation, as the list of members shows it, with its link.',
      schema: made,
      example: { ...example, link: linkExample },
    },
  },
  problems: ['conflict'],
  hasSecret: true,
  handle: (call) => {
    const wanted = orThrow(readWanted(call.body)).set as unknown as WantedMember
    const done = transacted(database, call.claim, async (transaction) => {
      const place = await actingPlace(transaction, call.scope, 'owner')
      const { existing } = call.query
      const { id, link } =
        existing === undefined
          ? await invite(transaction, place, wanted, personOf(call))
          : await addExisting(transaction, place, { ...wanted, existing }, personOf(call))
      const mailed =
        existing === undefined && (await mailInvitation(transaction, outbox, place, { link, email: wanted.email }))
      const body = JSON.stringify({ ...(await readMember(transaction, id)), link, ...mailed })
      return { status: 201, body }
    })
    return woken(done)
  },
})

const updateRoute = (
  { database }: People,
  { writing, root, of, ofWhat, change, reply, readChange }: MembersOfPlace,
): Route => ({
  ...writing,
  method: 'PATCH',
  path: `${root}/{id}`,
  operationId: `update${of}`,
  summary: `Change the role of a member of ${ofWhat}`,
  description:
    'The change takes effect with the next request, on every server. `name` is ignored: only the person can change it. The last owner who can sign in stays an owner.',
  body: { schema: closed(documents(change).update), example: { role: 'owner' } },
  replies: { 200: reply },
  problems: ['not_found', 'conflict'],
  handle: (call) => {
    const { role } = orThrow(readChange(call.body)).set as { role?: Role }
    const id = call.params.id as string
    return transacted(database, call.claim, async (transaction) => {
      const place = await actingPlace(transaction, call.scope, 'owner')
      if (!(await changeInvitedRole(transaction, place, id, role))) await changeRole(transaction, place, id, role)
      return json(await readMember(transaction, id))
    })
  },
})

const deleteRoute = ({ database }: People, { writing, root, of, ofWhat, example }: MembersOfPlace): Route => ({
  ...writing,
  method: 'DELETE',
  path: `${root}/{id}`,
  operationId: `delete${of}`,
  summary: `Remove a member of ${ofWhat}, or withdraw an invitation`,
  description:
    'The removal takes effect with the next request, on every server. A user without another membership is deleted. The last owner who can sign in cannot be removed. Keys that the person created stay: review them.',
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
      const place = await actingPlace(transaction, call.scope, 'owner')
      if (!(await withdraw(transaction, place, id))) await removeMember(transaction, place, id)
      return json({ statusCode: 200, message, id })
    })
  },
})

const linkRoute = ({ database, outbox }: People, { writing, root, of, ofWhat }: MembersOfPlace): Route => ({
  ...writing,
  method: 'POST',
  path: `${root}/{id}/link`,
  operationId: `link${of}`,
  summary: `Make a new link for a member of ${ofWhat}`,
  description:
    'Renews the link of an invitation for 7 days. For a member, makes a link to set a new password; the current password works until the link is used. Older links stop working.',
  replies: {
    201: {
      description: 'The link.',
      schema: object('MemberLink', { link: linked, isMailed }, ['link']),
      example: { link: linkExample },
    },
  },
  problems: ['not_found', 'conflict'],
  hasSecret: true,
  handle: (call) =>
    woken(
      transacted(database, call.claim, async (transaction) => {
        const place = await actingPlace(transaction, call.scope, 'owner')
        const id = call.params.id as string
        const renewed = await renewInvitation(transaction, place, id, personOf(call))
        const { email } = renewed === undefined ? { email: '' } : await readMember(transaction, id)
        const mailed = await mailInvitation(transaction, outbox, place, { link: renewed, email })
        const link = renewed ?? (await linkFor(transaction, place, id, personOf(call)))
        return json({ link, ...mailed }, 201)
      }),
    ),
})
