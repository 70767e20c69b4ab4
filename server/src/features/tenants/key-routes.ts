// The routes of keys: those of a company, made by its organization, and the organization's own.
import type { Database, Queryable } from '../../database/connect.ts'
import { listRoute, pageOf } from '../../engine/column-list.ts'
import { transacted } from '../../engine/idempotency.ts'
import type { Call, Route } from '../../http/route.ts'
import { organizationOf } from '../../http/scope.ts'
import { deletionsHeard } from '../keys/key-store.ts'
import { findCompany } from './company-record.ts'
import { creating, deletedKey, deleting, keyId, ofCompany, ofOrganization, rotating } from './key-shapes.ts'
import { acting, key, makeKey, removeKey, removeOrganizationKey, wantedOf } from './keys.ts'
import { rotateKey, rotation } from './rotate.ts'

const gives =
  'It can be given the permissions that the key of the request has, and no others; one that expires makes none that opens for longer. An `Idempotency-Key` is answered again only to the key that it was first sent with.'
export function keyRoutes(database: Database): Route[] {
  const company = {
    surface: 'organization',
    tag: key.title,
    path: '/v1/organization-api/companies/{id}/keys',
    params: { id: { type: 'string', description: 'Id of the company.', examples: ['6740a1f2c3d4e5f6a7b8c900'] } },
  } as const
  const organization = { ...company, path: '/v1/organization-api/keys', params: {} } as const
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
        const answer = await transacted(database, undefined, async (transaction) => {
          await acting(transaction, call.scope)
          await removeKey(transaction, await companyOf(call, transaction), id)
          return { status: 200, body: JSON.stringify(deletedKey(id)) }
        })
        await deletionsHeard()
        return answer
      },
    },
    {
      ...company,
      ...rotating,
      path: `${company.path}/{keyId}/rotate`,
      params: { ...company.params, keyId },
      operationId: 'rotateCompanyKey',
      summary: 'Rotate a key of a company',
      handle: async (call) => {
        const wanted = rotation.read(call.body)
        const answer = await transacted(database, call.claim, async (transaction) => {
          const giver = await acting(transaction, call.scope)
          const owner = await companyOf(call, transaction)
          return { status: 201, body: await rotateKey(transaction, owner, call.params.keyId as string, wanted, giver) }
        })
        await deletionsHeard()
        return answer
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
          return { status: 200, body: JSON.stringify(deletedKey(id)) }
        })
        await deletionsHeard()
        return answer
      },
    },
    {
      ...organization,
      ...rotating,
      path: `${organization.path}/{id}/rotate`,
      params: { id: keyId },
      operationId: 'rotateOrganizationKey',
      summary: 'Rotate a key of the organization',
      handle: async (call) => {
        const wanted = rotation.read(call.body)
        const owner = { organizationId: organizationOf(call) }
        const answer = await transacted(database, call.claim, async (transaction) => {
          const giver = await acting(transaction, call.scope)
          const id = call.params.id as string
          return { status: 201, body: await rotateKey(transaction, owner, id, wanted, giver, call.scope.keyId) }
        })
        await deletionsHeard()
        return answer
      },
    },
  ]
}
