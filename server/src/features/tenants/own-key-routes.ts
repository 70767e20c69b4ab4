// The keys of a company as its own people make and rotate them, in the console's settings (pos-api.md Authentication 2): no key makes another.
import type { Database } from '../../database/connect.ts'
import { listRoute, pageOf } from '../../engine/column-list.ts'
import { transacted } from '../../engine/idempotency.ts'
import type { Call, Route } from '../../http/route.ts'
import { deletionsHeard } from '../keys/key-store.ts'
import { creating, deletedKey, deleting, keyId, ofCompany, rotating } from './key-shapes.ts'
import { acting, key, makeKey, removeKey, wantedOf } from './keys.ts'
import { rotateKey, rotation } from './rotate.ts'

export function ownKeyRoutes(database: Database): Route[] {
  const many = { surface: 'company', tag: key.title, path: '/v1/keys', params: {}, forPeople: 'admin' } as const
  const one = { ...many, path: `${many.path}/{id}`, params: { id: keyId } } as const
  const owner = ({ scope }: Call) => ({ companyId: scope.companyId })

  return [
    listRoute(ofCompany, {
      ...many,
      operationId: 'listOwnKeys',
      summary: 'List the keys of one’s company',
      handle: (call) => pageOf(database, ofCompany, call.scope.companyId, call.query),
    }),
    {
      ...many,
      ...creating,
      operationId: 'createOwnKey',
      summary: 'Create a key of one’s company',
      handle: (call) => {
        const wanted = wantedOf(call.body)
        return transacted(database, call.claim, async (transaction) => ({
          status: 201,
          body: await makeKey(transaction, owner(call), wanted, await acting(transaction, call.scope)),
        }))
      },
    },
    {
      ...one,
      ...deleting,
      operationId: 'deleteOwnKey',
      summary: 'Delete a key of one’s company',
      problems: ['not_found'],
      handle: async (call) => {
        const id = call.params.id as string
        const answer = await transacted(database, undefined, async (transaction) => {
          await acting(transaction, call.scope)
          await removeKey(transaction, owner(call), id)
          return { status: 200, body: JSON.stringify(deletedKey(id)) }
        })
        await deletionsHeard()
        return answer
      },
    },
    {
      ...one,
      ...rotating,
      path: `${one.path}/rotate`,
      operationId: 'rotateOwnKey',
      summary: 'Rotate a key of one’s company',
      handle: async (call) => {
        const wanted = rotation.read(call.body)
        const answer = await transacted(database, call.claim, async (transaction) => {
          const giver = await acting(transaction, call.scope)
          return {
            status: 201,
            body: await rotateKey(transaction, owner(call), call.params.id as string, wanted, giver),
          }
        })
        await deletionsHeard()
        return answer
      },
    },
  ]
}
