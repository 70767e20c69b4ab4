// The routes of keys: those of a company, made by its organization, and the organization's own.
import type { Database, Queryable } from '../../database/connect.ts'
import { closed, deletedSchema } from '../../engine/documents.ts'
import type { Call, Route } from '../../http/route.ts'
import { deletionsHeard } from '../keys/key-store.ts'
import { findCompany } from './company-record.ts'
import { acting, key, keyColumns, keyOf, makeKey, removeKey, removeOrganizationKey, wantedOf } from './keys.ts'
import { organizationOf, transacted } from './organization-call.ts'
import { type Listed, listRoute, pageOf, shapesOf } from './pages.ts'

const listed = (owned: string): Listed => ({
  resource: key,
  table: 'api_keys',
  always: ['id', 'name', 'prefix', 'lastFour', 'permissions', 'createdAt'],
  columns: keyColumns,
  textOf: (row) => JSON.stringify(keyOf(row)),
  owned,
})
const ofCompany = listed('stored.company_id = $1')
const ofOrganization = listed('stored.organization_id = $1')

const message = 'The key was deleted; every server refuses it from now on.'
const gives =
  'It can be given the permissions that the key of the request has, and no others; one that expires makes none that opens for longer. An `Idempotency-Key` is answered again only to the key that it was first sent with.'
const deleted = (id: string) => ({ statusCode: 200, message, id })

export function keyRoutes(database: Database): Route[] {
  const { record, create: body, example } = shapesOf(ofCompany)
  const apiKey = { type: 'string', description: 'The value of the key. It is shown only here.' }
  const made = {
    ...record,
    title: 'NewKey',
    properties: { ...(record.properties as object), apiKey },
    required: [...(record.required as string[]), 'apiKey'],
  }
  const apiKeyExample = 'posk_4fTqQ1n0w6fM0hYd0Jb1r2c3S4e5V6x9Kd'
  const company = {
    surface: 'organization',
    tag: key.title,
    path: '/v1/organization-api/companies/{id}/keys',
    params: { id: { type: 'string', description: 'Id of the company.', examples: [example.companyId] } },
  } as const
  const organization = { ...company, path: '/v1/organization-api/keys', params: {} } as const
  const creating = {
    method: 'POST',
    body: { schema: closed(body), example: { name: 'Till', permissions: ['read', 'create'] } },
    replies: {
      201: { description: 'The key, with its value.', schema: made, example: { ...example, apiKey: apiKeyExample } },
    },
    hasSecret: true,
  } as const
  const deleting = {
    method: 'DELETE',
    replies: { 200: { description: 'It is deleted.', schema: deletedSchema, example: deleted(String(example.id)) } },
  } as const
  const keyId = { type: 'string', description: 'Id of the key.', examples: [String(example.id)] }

  /** The company of the path, as the owner of keys. Throws `not_found`. */
  async function companyOf(call: Call, connection: Queryable): Promise<{ companyId: string }> {
    return { companyId: (await findCompany(connection, organizationOf(call), call.params.id as string)).id }
  }

  return [
    {
      ...company,
      ...creating,
      operationId: 'createCompanyKey',
      summary: 'Create a key of a company',
      description: gives,
      problems: ['not_found'],
      handle: (call) => {
        const wanted = wantedOf(call.body)
        return transacted(database, call.claim, async (transaction) => {
          const giver = await acting(transaction, call.scope)
          return { status: 201, body: await makeKey(transaction, await companyOf(call, transaction), wanted, giver) }
        })
      },
    },
    listRoute(ofCompany, {
      ...company,
      operationId: 'listCompanyKeys',
      summary: 'List the keys of a company',
      problems: ['not_found'],
      handle: async (call) => pageOf(database, ofCompany, (await companyOf(call, database)).companyId, call.query),
    }),
    {
      ...company,
      ...deleting,
      path: `${company.path}/{keyId}`,
      params: { ...company.params, keyId },
      operationId: 'deleteCompanyKey',
      summary: 'Delete a key of a company',
      problems: ['not_found'],
      handle: async (call) => {
        const id = call.params.keyId as string
        await removeKey(database, await companyOf(call, database), id)
        await deletionsHeard()
        return { status: 200, body: JSON.stringify(deleted(id)) }
      },
    },
    {
      ...organization,
      ...creating,
      operationId: 'createOrganizationKey',
      summary: 'Create a key of the organization',
      description: gives,
      handle: (call) => {
        const wanted = wantedOf(call.body)
        const owner = { organizationId: organizationOf(call) }
        return transacted(database, call.claim, async (transaction) => ({
          status: 201,
          body: await makeKey(transaction, owner, wanted, await acting(transaction, call.scope)),
        }))
      },
    },
    listRoute(ofOrganization, {
      ...organization,
      operationId: 'listOrganizationKeys',
      summary: 'List the keys of the organization',
      handle: (call) => pageOf(database, ofOrganization, organizationOf(call), call.query),
    }),
    {
      ...organization,
      ...deleting,
      path: `${organization.path}/{id}`,
      params: { id: keyId },
      operationId: 'deleteOrganizationKey',
      summary: 'Delete a key of the organization',
      description:
        'The key of the request cannot delete itself, and the last key that does not expire and may create stays, so that the organization is never locked out.',
      problems: ['not_found', 'conflict'],
      handle: async (call) => {
        const answer = await transacted(database, undefined, async (transaction) => {
          const id = call.params.id as string
          await removeOrganizationKey(transaction, call.scope, id)
          return { status: 200, body: JSON.stringify(deleted(id)) }
        })
        await deletionsHeard()
        return answer
      },
    },
  ]
}
