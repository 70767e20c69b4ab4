// Undoes a soft delete, `POST …/{id}/restore`, for resources that allow restoring deleted records.

import { orThrow } from '../core/problem.ts'
import { ok, type Route } from '../http/route.ts'
import { mustBeEmpty } from './body.ts'
import { documents } from './documents.ts'
import type { Operations } from './operations.ts'
import { spellingsOf } from './style-a.ts'

/** The routes that restore a record, one for each of its paths. */
export function restoreRoutes({ resource, restore }: Pick<Operations, 'resource' | 'restore'>): Route[] {
  const { record, example, words, type } = documents(resource)
  const { styleB } = resource
  const paths = [...(styleB ? [{ path: `/v1/${styleB.one}`, suffix: '', remark: '' }] : []), ...spellingsOf(resource)]
  return paths.map(
    ({ path, suffix, remark }): Route => ({
      surface: 'company',
      tag: resource.title,
      // Batched like all single writes, and queued in the batcher.
      semaphore: 'none',
      method: 'POST',
      // It changes an existing record, so it needs the permission for updates although the verb is POST.
      permission: 'update',
      path: `${path}/{id}/restore`,
      operationId: `restore${type}${suffix}`,
      summary: `Restore ${words.one}${remark}`,
      description:
        'Restores a deleted record: `isDeleted` becomes false, and an update event is sent. A record that is not deleted is returned unchanged. The request takes no body.',
      replies: { 200: { description: 'The record.', schema: record, example } },
      problems: ['not_found'],
      isRecord: true,
      takesIfMatch: true,
      handle: async ({ scope, params, body, ifMatch, claim, isGone }) => {
        mustBeEmpty({ body })
        const item = { scope, id: params.id as string, value: undefined, ifMatch, claim, isGone }
        return ok(orThrow(await restore(item)).text)
      },
    }),
  )
}
