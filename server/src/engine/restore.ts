// Taking back a soft delete, `POST …/{id}/restore`: for resources whose deleted records people ask for again.
import type { Route } from '../http/route.ts'
import { documents } from './documents.ts'
import type { Operations } from './operations.ts'
import { bodySchema, checked } from './schema.ts'
import { only } from './single.ts'

const readNothing = bodySchema({ fields: {}, requireOneOf: [] }).create

/** The routes that restore a record, one for each path of it. */
export function restoreRoutes({ resource, restore }: Pick<Operations, 'resource' | 'restore'>): Route[] {
  const { record, example, words, type } = documents(resource)
  const { styleA, styleB } = resource
  const paths = [
    ...(styleB ? [{ path: `/v1/${styleB.one}`, suffix: '', remark: '' }] : []),
    ...(styleA?.one ?? []).map((name, n) => ({
      path: `/v1/api/${name}`,
      suffix: n === 0 ? 'A' : `A${n + 1}`,
      remark: n === 0 ? ' (Style A)' : ` (Style A, /${name})`,
    })),
  ]
  return paths.map(
    ({ path, suffix, remark }): Route => ({
      surface: 'company',
      tag: resource.title,
      // Gathered as all single writes are, and waits there.
      lane: 'none',
      method: 'POST',
      // It changes a record that is there, so it is an update, whatever its verb.
      permission: 'update',
      path: `${path}/{id}/restore`,
      operationId: `restore${type}${suffix}`,
      summary: `Restore ${words.one}${remark}`,
      description:
        'Takes a delete back: `isDeleted` becomes false, and the event is that of an update. A record that is not deleted is answered as it is. Takes no body.',
      replies: { 200: { description: 'The record.', schema: record, example } },
      problems: ['not_found'],
      isRecord: true,
      takesIfMatch: true,
      handle: async ({ scope, params, body, ifMatch, claim, isGone }) => {
        checked(readNothing(body ?? {}))
        const item = { scope, id: params.id as string, value: undefined, ifMatch, claim, isGone }
        return { status: 200, body: only(await restore(item)).text }
      },
    }),
  )
}
