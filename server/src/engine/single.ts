// The four routes of one record, shared by both path styles.
import { orThrow } from '../core/problem.ts'
import { json, ok, type Route } from '../http/route.ts'
import { closed, type Documents, deletedSchema, documents } from './documents.ts'
import type { Operations } from './operations.ts'
import { type Resource, spoken } from './resource.ts'

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

/** What the four routes share. */
interface SingleParts {
  readonly operations: Operations
  readonly resource: Resource
  readonly style: SingleStyle
  readonly documents: Documents
  /** Single operations are batched, and wait in the batcher. */
  readonly common: Pick<Route, 'surface' | 'tag' | 'semaphore'>
}

/** The routes that create, read, update and delete one record. */
export function singleRoutes(operations: Operations, style: SingleStyle): Route[] {
  const { resource } = operations
  const parts: SingleParts = {
    operations,
    resource,
    style,
    documents: documents(resource),
    common: { surface: 'company', tag: resource.title, semaphore: 'none' },
  }
  return [createRoute(parts), readRoute(parts), updateRoute(parts), deleteRoute(parts)]
}

function createRoute({ operations, resource, style, documents, common }: SingleParts): Route {
  const { record, create, example, words, type } = documents
  return {
    ...common,
    method: 'POST',
    path: style.path,
    operationId: `create${type}${style.suffix}`,
    summary: `Create ${words.one}${style.remark}`,
    body: { schema: closed(create), example: resource.example },
    replies: { 201: { description: 'The stored record.', schema: record, example } },
    problems: ['conflict'],
    isRecord: true,
    tagged: resource.projection?.mask,
    hasSecret: resource.hasSecret,
    handle: async ({ scope, body, claim, isGone }) =>
      ok(orThrow(await operations.create({ scope, value: body, claim, isGone })).text, 201),
  }
}

function readRoute({ operations, style, documents, common }: SingleParts): Route {
  const { record, example, words, type } = documents
  return {
    ...common,
    method: 'GET',
    path: `${style.path}/{id}`,
    operationId: `read${type}${style.suffix}`,
    summary: `Read ${words.one}${style.remark}`,
    replies: { 200: { description: 'The record.', schema: record, example } },
    problems: ['not_found'],
    isRecord: true,
    handle: async ({ scope, params, isGone }) => ok(await operations.read(scope, params.id as string, isGone)),
  }
}

function updateRoute({ operations, resource, style, documents, common }: SingleParts): Route {
  const { record, update, example, words, type } = documents
  return {
    ...common,
    method: style.update,
    path: `${style.path}/{id}`,
    operationId: `update${type}${style.suffix}`,
    summary: `Update ${words.one}${style.remark}`,
    description:
      'Members that you send replace the stored ones; others keep their values; `null` clears an optional member.',
    body: { schema: closed(update), example: resource.example },
    replies: { 200: { description: 'The stored record.', schema: record, example } },
    problems: ['not_found', 'conflict'],
    isRecord: true,
    takesIfMatch: true,
    hasSecret: resource.hasSecret,
    handle: async ({ scope, params, body, ifMatch, claim, isGone }) =>
      ok(
        orThrow(await operations.update({ scope, id: params.id as string, value: body, ifMatch, claim, isGone })).text,
      ),
  }
}

function deleteRoute({ operations, resource, style, documents, common }: SingleParts): Route {
  const { example, words, type } = documents
  const message = `The ${spoken(resource.name.one)} was deleted.`
  const deleted = (id: string) => ({ statusCode: 200, message, ...(style.answersId && { id }) })
  return {
    ...common,
    method: 'DELETE',
    path: `${style.path}/{id}`,
    operationId: `delete${type}${style.suffix}`,
    summary: `Delete ${words.one}${style.remark}`,
    replies: {
      200: { description: 'The record was deleted.', schema: deletedSchema, example: deleted(String(example.id)) },
    },
    problems: ['not_found'],
    takesIfMatch: true,
    handle: async ({ scope, params, ifMatch, isGone }) => {
      const id = params.id as string
      orThrow(await operations.remove({ scope, id, value: undefined, ifMatch, isGone }))
      return json(deleted(id))
    },
  }
}
