// Style B of pos-api.md: prefix /v1, update by PATCH, bulk on the plural path with a result for each item, lists in data and meta.
import type { JsonSchema } from '../core/json-schema.ts'
import type { Call, Route } from '../http/route.ts'
import { bulk, carriedBy } from './bulk.ts'
import { bulkResultExample, bulkResultSchema, bulkSchema, upsertBulkSchema } from './bulk-documents.ts'
import { documents, pageReply } from './documents.ts'
import { richParameters } from './lists/list-parameters.ts'
import { richAnswer } from './lists/page-answer.ts'
import type { Operations } from './operations.ts'
import { etagsParameter } from './record-etag.ts'
import { singleRoutes } from './single.ts'
import { pairMembers } from './upsert.ts'
import { bulkUpsert, pairExample, upsertMode, upsertRoute, upserts } from './upsert-routes.ts'

/** The Style B routes of a resource: single, bulk, and the list. */
export function styleB(operations: Operations): Route[] {
  const { resource } = operations
  if (resource.styleB === null) return []
  const { one, many } = resource.styleB
  const upsert = pairMembers(resource).length > 0 ? upserts(operations) : undefined
  return [
    ...singleRoutes(operations, { path: `/v1/${one}`, update: 'PATCH', suffix: '', remark: '', answersId: true }),
    ...(upsert ? [upsertRoute(operations, upsert, one)] : []),
    listB(operations, many, etagsParameter),
    ...bulkRoutes(operations, many, upsert),
  ]
}

/** The routes that create, update and delete many records. */
function bulkRoutes(
  operations: Operations,
  many: string,
  upsert: ReturnType<typeof upserts> | undefined,
): readonly Route[] {
  const { resource, createMany, updateMany, removeMany, once } = operations
  const { record, create, update, example, words, types } = documents(resource)
  const plural = { surface: 'company', tag: resource.title, path: `/v1/${many}` } as const
  const shown = { hasSecret: resource.hasSecret, tagged: resource.projection?.mask }
  const bulkReply = (withRecord: boolean, takesUpserts = false) => ({
    200: {
      description: 'The result of each item, in the order of the request.',
      schema: takesUpserts
        ? bulkResultSchema(record, upsertMode.counts, { title: create.title, members: upsertMode.members })
        : bulkResultSchema(withRecord ? record : undefined),
      example: bulkResultExample(example, withRecord),
    },
  })
  const carried =
    (run: Parameters<typeof carriedBy>[0], hasIds: boolean): Route['handle'] =>
    (call) =>
      bulk(call, { hasIds, showsRecord: true, tagged: shown.tagged, carry: carriedBy(run, once) })
  const createAll = carried(createMany, false)

  return [
    {
      ...plural,
      ...shown,
      method: 'POST',
      operationId: `create${types}`,
      summary: `Create many ${words.many}`,
      query: { ...(upsert && upsertMode.query), ...etagsParameter },
      body: {
        schema: upsert ? upsertBulkSchema(documents(resource), pairExample(resource)) : bulkSchema(create, false),
        example: { items: [{ ...resource.example, clientRef: 'row-1' }] },
      },
      replies: bulkReply(true, upsert !== undefined),
      problems: ['too_many_items'],
      isBulk: true,
      handle: (call) =>
        upsert && call.query.mode === 'upsert' ? bulkUpsert(call, operations, upsert) : createAll(call),
    },
    {
      ...plural,
      ...shown,
      method: 'PATCH',
      operationId: `update${types}`,
      summary: `Update many ${words.many}`,
      query: etagsParameter,
      body: { schema: bulkSchema(update, true), example: { items: [{ id: example.id, ...resource.example }] } },
      replies: bulkReply(true),
      problems: ['too_many_items'],
      isBulk: true,
      handle: carried(updateMany, true),
    },
    {
      ...plural,
      method: 'DELETE',
      operationId: `delete${types}`,
      summary: `Delete many ${words.many}`,
      body: { schema: bulkSchema(undefined, true), example: { items: [{ id: example.id }] } },
      replies: bulkReply(false),
      problems: ['too_many_items'],
      isBulk: true,
      handle: (call) => bulk(call, { hasIds: true, showsRecord: false, carry: carriedBy(removeMany, once) }),
    },
  ]
}

/** The Style B list of a resource, with `further` parameters. */
export function listB(
  { resource, list }: Pick<Operations, 'resource' | 'list'>,
  many: string,
  further: Readonly<Record<string, JsonSchema>> = {},
): Route {
  const { record, example, words, types } = documents(resource)
  return {
    surface: 'company',
    tag: resource.title,
    path: `/v1/${many}`,
    method: 'GET',
    semaphore: 'none',
    operationId: `list${types}`,
    summary: `List ${words.many}`,
    query: { ...richParameters(resource), ...further },
    replies: pageReply(record, example),
    handle: async ({ scope, query, isGone, expect }: Call) =>
      richAnswer(await list(scope, { parameters: query, wantsCount: true, isGone, expect })),
  }
}

/** The Style B list of records that people read from the newest on, such as imports; `filters` replace parameters by name. */
export function newestFirst(
  { resource, list }: Pick<Operations, 'resource' | 'list'>,
  many: string,
  filters: Record<string, JsonSchema>,
): Route {
  const parameters = richParameters(resource)
  return {
    ...listB(
      {
        resource,
        list: (scope, request) => list(scope, { ...request, parameters: { sortOrder: 'desc', ...request.parameters } }),
      },
      many,
    ),
    description: 'The newest first.',
    query: { ...parameters, sortOrder: { ...parameters.sortOrder, default: 'desc' }, ...filters },
  }
}
