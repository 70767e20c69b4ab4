// The four routes of one record, shared by both path styles.
import { Problem } from '../core/problem.ts'
import type { Route } from '../http/route.ts'
import { closed, deletedSchema, documents } from './documents.ts'
import type { Operations } from './operations.ts'
import type { ItemResult, Written } from './record.ts'
import { spoken } from './resource.ts'

/** The differences between the styles. */
interface SingleStyle {
  /** Where records are created; one is at `{path}/{id}`. */
  readonly path: string
  readonly update: 'PUT' | 'PATCH'
  /** Makes operation ids and summaries differ from those of the other style. */
  readonly suffix: string
  readonly remark: string
  /** Whether a delete returns the id too. */
  readonly answersId: boolean
}

/** The written record, or the problem thrown: a single request has no other items. */
export function only(result: ItemResult): Written {
  if (result instanceof Problem) throw result
  return result
}

export function singleRoutes(operations: Operations, style: SingleStyle): Route[] {
  const { resource } = operations
  const { path, suffix, remark, answersId } = style
  const { record, create, update, example, words, type } = documents(resource)
  const { hasSecret } = resource
  // Single operations are batched, and wait there.
  const common = { surface: 'company', tag: resource.title, semaphore: 'none' } as const satisfies Partial<Route>
  const one = { ...common, path: `${path}/{id}` }
  const found = { 200: { description: 'The record.', schema: record, example } }
  const message = `The ${spoken(resource.name.one)} was deleted.`
  const deleted = (id: string) => ({ statusCode: 200, message, ...(answersId && { id }) })

  return [
    {
      ...common,
      method: 'POST',
      path,
      operationId: `create${type}${suffix}`,
      summary: `Create ${words.one}${remark}`,
      body: { schema: closed(create), example: resource.example },
      replies: { 201: { description: 'The stored record.', schema: record, example } },
      problems: ['conflict'],
      isRecord: true,
      tagged: resource.view?.conceal,
      hasSecret,
      handle: async ({ scope, body, claim, isGone }) => ({
        status: 201,
        body: only(await operations.create({ scope, value: body, claim, isGone })).text,
      }),
    },
    {
      ...one,
      method: 'GET',
      operationId: `read${type}${suffix}`,
      summary: `Read ${words.one}${remark}`,
      replies: found,
      problems: ['not_found'],
      isRecord: true,
      handle: async ({ scope, params, isGone }) => ({
        status: 200,
        body: await operations.read(scope, params.id as string, isGone),
      }),
    },
    {
      ...one,
      method: style.update,
      operationId: `update${type}${suffix}`,
      summary: `Update ${words.one}${remark}`,
      description:
        'Members that you send replace the stored ones; others keep their values; `null` clears an optional member.',
      body: { schema: closed(update), example: resource.example },
      replies: { 200: { description: 'The stored record.', schema: record, example } },
      problems: ['not_found', 'conflict'],
      isRecord: true,
      takesIfMatch: true,
      hasSecret,
      handle: async ({ scope, params, body, ifMatch, claim, isGone }) => ({
        status: 200,
        body: only(await operations.update({ scope, id: params.id as string, value: body, ifMatch, claim, isGone }))
          .text,
      }),
    },
    {
      ...one,
      method: 'DELETE',
      operationId: `delete${type}${suffix}`,
      summary: `Delete ${words.one}${remark}`,
      replies: {
        200: { description: 'The record was deleted.', schema: deletedSchema, example: deleted(String(example.id)) },
      },
      problems: ['not_found'],
      takesIfMatch: true,
      handle: async ({ scope, params, ifMatch, isGone }) => {
        const id = params.id as string
        only(await operations.remove({ scope, id, value: undefined, ifMatch, isGone }))
        return { status: 200, body: JSON.stringify(deleted(id)) }
      },
    },
  ]
}
