// Style A of pos-api.md: prefix /v1/api, update by PUT, bare arrays with Link headers.

import { Problem } from '../http/problem.ts'
import type { Call, Route } from '../http/route.ts'
import { closed, deletedSchema, documents } from './documents.ts'
import { links } from './links.ts'
import { plainParameters } from './list.ts'
import type { Operations, Outcome, Written } from './operations.ts'
import { spoken } from './resource.ts'

/** The written record, or the problem thrown: a single request has no other item to go on with. */
export function only(outcome: Outcome): Written {
  if (outcome instanceof Problem) throw outcome
  return outcome
}

/** What a single delete answers in words. */
export const deletedMessage = (name: string): string => `The ${spoken(name)} was deleted.`

/** The Style A routes of a resource: one set for each path spelling of the contract, and the list. */
export function styleA(operations: Operations): Route[] {
  const { resource } = operations
  if (resource.styleA === null) return []
  const { one, list } = resource.styleA
  const { title, name } = resource
  const { record, create, update, example, words, type } = documents(resource)
  const common = { surface: 'company', tag: title } as const

  const spelling = (path: string, suffix: string, style: string): Route[] => [
    {
      ...common,
      method: 'POST',
      path: `/v1/api/${path}`,
      operationId: `create${type}A${suffix}`,
      summary: `Create ${words.one} (${style})`,
      body: { schema: closed(create), example: resource.example },
      replies: { 201: { description: 'The stored record.', schema: record, example } },
      problems: ['conflict'],
      handle: async ({ scope, body }) => ({
        status: 201,
        body: only(await operations.create({ scope, value: body })).text,
      }),
    },
    {
      ...common,
      method: 'GET',
      path: `/v1/api/${path}/{id}`,
      operationId: `read${type}A${suffix}`,
      summary: `Read ${words.one} (${style})`,
      replies: { 200: { description: 'The record.', schema: record, example } },
      problems: ['not_found'],
      handle: async ({ scope, params }) => ({ status: 200, body: await operations.read(scope, params.id as string) }),
    },
    {
      ...common,
      method: 'PUT',
      path: `/v1/api/${path}/{id}`,
      operationId: `update${type}A${suffix}`,
      summary: `Update ${words.one} (${style})`,
      description: 'Members sent replace the stored ones; members not sent stay; `null` clears an optional one.',
      body: { schema: closed(update), example: resource.example },
      replies: { 200: { description: 'The stored record.', schema: record, example } },
      problems: ['not_found', 'conflict'],
      handle: async ({ scope, params, body }) => ({
        status: 200,
        body: only(await operations.update({ scope, id: params.id as string, value: body })).text,
      }),
    },
    {
      ...common,
      method: 'DELETE',
      path: `/v1/api/${path}/{id}`,
      operationId: `delete${type}A${suffix}`,
      summary: `Delete ${words.one} (${style})`,
      replies: {
        200: {
          description: 'It is deleted.',
          schema: deletedSchema,
          example: { statusCode: 200, message: deletedMessage(name.one) },
        },
      },
      problems: ['not_found'],
      handle: async ({ scope, params }) => {
        only(await operations.remove({ scope, id: params.id as string, value: undefined }))
        return { status: 200, body: JSON.stringify({ statusCode: 200, message: deletedMessage(name.one) }) }
      },
    },
  ]

  const all: Route = {
    ...common,
    method: 'GET',
    path: `/v1/api/${list}`,
    operationId: `list${type}A`,
    summary: `List ${words.many} (Style A)`,
    description: 'In the order in which they were created.',
    query: plainParameters(resource),
    replies: {
      200: {
        description: 'A page of records, as a bare array.',
        schema: { type: 'array', items: record },
        headers: {
          Link: 'The first, previous and next page (RFC 8288).',
          'X-Total-Count': 'The number of all records, with `total=true`.',
        },
        example: [example],
      },
    },
    handle: async (call: Call) => {
      const page = await operations.list(call.scope, { parameters: call.query, wantsCount: call.query.total === true })
      return {
        status: 200,
        body: `[${page.texts.join(',')}]`,
        headers: { link: links(call, page), ...(page.count !== undefined && { 'x-total-count': String(page.count) }) },
      }
    },
  }
  return [
    ...one.flatMap((path, n) =>
      n === 0 ? spelling(path, '', 'Style A') : spelling(path, String(n + 1), `Style A, /${path}`),
    ),
    all,
  ]
}
