// The routes of keys: a company's, created by its organization or by its members, and an organization's. The record and
// the bodies are the same for all owners.

import { string } from '../../core/json-schema.ts'
import type { ProblemCode } from '../../core/problem.ts'
import { organizationOf, type Scope } from '../../core/scope.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { closed, deletedSchema } from '../../engine/documents.ts'
import { transacted } from '../../engine/idempotency.ts'
import { type Listed, listRoute, pageOf, shapesOf } from '../../engine/lists/column-list.ts'
import { type Call, json, ok, type Route } from '../../http/route.ts'
import { deletionsHeard } from '../keys/key-cache.ts'
import { type KeyOwner, keyColumns, keyOf } from '../keys/key-store.ts'
import { findCompany } from './companies.ts'
import {
  giverOf,
  key,
  makeKey,
  removeKey,
  removeOrganizationKey,
  rotateKey,
  rotation,
  wantedOf,
} from './key-administration.ts'

/** An expired key is gone, though its row may still exist. */
const listed = (owned: string): Listed => ({
  resource: key,
  table: 'api_keys',
  always: ['id', 'name', 'prefix', 'lastFour', 'permissions', 'createdAt'],
  columns: keyColumns,
  textOf: (row) => JSON.stringify(keyOf(row)),
  owned: `${owned} and (stored.delete_at is null or stored.delete_at > now())`,
})
const ofCompany = listed('stored.company_id = $1')
const ofOrganization = listed('stored.organization_id = $1')

const { record, create: body, example } = shapesOf(ofCompany)
const apiKey = string('The value of the key. It is shown only here.')
const apiKeyExample = 'posk_4fTqQ1n0w6fM0hYd0Jb1r2c3S4e5V6x9Kd'
const made = {
  ...record,
  title: 'NewKey',
  properties: { ...(record.properties as object), apiKey },
  required: [...(record.required as string[]), 'apiKey'],
}

const message = 'The key was deleted; every server now refuses it.'
/** The answer of a delete. */
const deletedKey = (id: string) => ({ statusCode: 200, message, id })

const creating = {
  method: 'POST',
  body: { schema: closed(body), example: { name: 'Till', permissions: ['read', 'create'] } },
  replies: {
    201: { description: 'The key, with its value.', schema: made, example: { ...example, apiKey: apiKeyExample } },
  },
  hasSecret: true,
} as const satisfies Partial<Route>

const deleting = {
  method: 'DELETE',
  replies: { 200: { description: 'It is deleted.', schema: deletedSchema, example: deletedKey(String(example.id)) } },
} as const satisfies Partial<Route>

const rotating = {
  method: 'POST',
  description:
    'Creates a key with the same name, permissions, resources and expiry, and deletes the old one: at once, or at `deleteOldAt`, so that there is time to distribute the new key. Until then the old key shows `deleteAt`; after that it is refused.',
  body: rotation.document,
  replies: {
    201: {
      description: 'The new key, with its value.',
      schema: {
        ...made,
        title: 'RotatedKey',
        properties: { ...made.properties, replaces: string('Id of the old key.') },
        required: [...made.required, 'replaces'],
      },
      example: { ...example, apiKey: apiKeyExample, replaces: '6740a1f2c3d4e5f6a7b8c9cf' },
    },
  },
  problems: ['not_found', 'conflict'],
  hasSecret: true,
} as const satisfies Partial<Route>

/** The path parameter that names a key. */
const keyId = string('Id of the key.', String(example.id))

/** The owner of the keys of some routes, and what differs between owners. */
interface KeyRouteOwner {
  readonly at: Pick<Route, 'surface' | 'path' | 'params' | 'forPeople' | 'reachesEverything'>
  /** The path parameter that names a key. */
  readonly parameter: 'id' | 'keyId'
  /** As in `createCompanyKey`. */
  readonly type: string
  /** As in "Create a key of a company". */
  readonly owner: string
  readonly listed: Listed
  /** Throws `not_found` where `problems` says so. */
  readonly ownerOf: (call: Call, connection: Queryable) => Promise<KeyOwner>
  readonly problems: readonly ProblemCode[]
  /** Additional documentation of creating a key. */
  readonly makes?: Pick<Route, 'description'>
  readonly remove: (transaction: Queryable, owner: KeyOwner, id: string, scope: Scope) => Promise<void>
  /** Additional documentation of deleting a key, and the refusals. */
  readonly keeps?: Pick<Route, 'description' | 'problems'>
}

const makes = {
  description:
    'The new key can have only permissions of the requesting key; a key that expires cannot create one that is valid for longer. The answer stored under an `Idempotency-Key` is returned only to the key that sent it first.',
}

/**
 * A company's members create its keys in the console's settings (pos-api.md Authentication 2): no key of the company
 * creates another.
 */
const own: KeyRouteOwner = {
  // The rights of the person are looked up again, and accounts are of no company.
  at: { surface: 'company', path: '/v1/keys', params: {}, forPeople: 'admin', reachesEverything: true },
  parameter: 'id',
  type: 'OwnKey',
  owner: 'your company',
  listed: ofCompany,
  remove: removeKey,
  problems: [],
  ownerOf: async ({ scope }) => ({ companyId: scope.companyId }),
}

const ofCompanies: KeyRouteOwner = {
  at: {
    surface: 'organization',
    path: '/v1/organization-api/companies/{id}/keys',
    params: { id: string('Id of the company.', '6740a1f2c3d4e5f6a7b8c900') },
  },
  parameter: 'keyId',
  type: 'CompanyKey',
  owner: 'a company',
  listed: ofCompany,
  remove: removeKey,
  makes,
  problems: ['not_found'],
  ownerOf: async (call, connection) => ({
    companyId: (await findCompany(connection, organizationOf(call), call.params.id as string)).id,
  }),
}

const ofOrganizations: KeyRouteOwner = {
  at: { surface: 'organization', path: '/v1/organization-api/keys', params: {} },
  parameter: 'id',
  type: 'OrganizationKey',
  owner: 'the organization',
  listed: ofOrganization,
  makes,
  problems: [],
  remove: removeOrganizationKey,
  ownerOf: async (call) => ({ organizationId: organizationOf(call) }),
  keeps: {
    description:
      'A key cannot delete itself. The last key that may create and does not expire cannot be deleted either, so that the organization is never locked out.',
    problems: ['not_found', 'conflict'],
  },
}

/** All routes of keys. */
export const keyRoutes = (database: Database): Route[] =>
  [own, ofCompanies, ofOrganizations].flatMap((of) => routesOf(database, of))

function routesOf(database: Database, of: KeyRouteOwner): Route[] {
  const { at, parameter, type, owner, listed, ownerOf, problems, makes, remove, keeps } = of
  const many = { ...at, tag: key.title, problems }
  const one = { ...many, path: `${at.path}/{${parameter}}`, params: { ...at.params, [parameter]: keyId } }
  const idOf = ({ params }: Call) => params[parameter] as string

  return [
    {
      ...many,
      ...creating,
      ...makes,
      operationId: `create${type}`,
      summary: `Create a key of ${owner}`,
      handle: (call) => {
        const wanted = wantedOf(call.body)
        return transacted(database, call.claim, async (transaction) => {
          const owner = await ownerOf(call, transaction)
          const giver = await giverOf(transaction, call.scope, owner)
          return ok(await makeKey(transaction, owner, wanted, giver), 201)
        })
      },
    },
    listRoute(listed, {
      ...many,
      operationId: `list${type}s`,
      summary: `List the keys of ${owner}`,
      handle: async (call) => {
        const found = await ownerOf(call, database)
        return pageOf(database, listed, 'companyId' in found ? found.companyId : found.organizationId, call.query)
      },
    }),
    {
      ...one,
      ...deleting,
      problems: ['not_found'],
      ...keeps,
      operationId: `delete${type}`,
      summary: `Delete a key of ${owner}`,
      handle: async (call) => {
        const id = idOf(call)
        const answer = await transacted(database, undefined, async (transaction) => {
          const owner = await ownerOf(call, transaction)
          await giverOf(transaction, call.scope, owner)
          await remove(transaction, owner, id, call.scope)
          return json(deletedKey(id))
        })
        await deletionsHeard()
        return answer
      },
    },
    {
      ...one,
      ...rotating,
      path: `${one.path}/rotate`,
      operationId: `rotate${type}`,
      summary: `Rotate a key of ${owner}`,
      handle: async (call) => {
        const wanted = rotation.read(call.body)
        const answer = await transacted(database, call.claim, async (transaction) => {
          const owner = await ownerOf(call, transaction)
          const giver = await giverOf(transaction, call.scope, owner)
          return ok(await rotateKey(transaction, owner, idOf(call), wanted, giver, call.scope.keyId), 201)
        })
        await deletionsHeard()
        return answer
      },
    },
  ]
}
