// What an organization's key can do with its extensions, and with the organization's public record (decisions §10).

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import type { Database } from '../../database/connect.ts'
import { closed, deletedSchema, documents, pageSchema } from '../../engine/documents.ts'
import { richAnswer } from '../../engine/lists/page-answer.ts'
import { type Call, json, ok, type Route } from '../../http/route.ts'
import { extension } from './extension.ts'
import { changeOrganization, organization, readOrganization } from './organization.ts'
import { ownList, ownListParameters, readExtension } from './own-list.ts'
import { publishedChapter, publishedRoutes } from './public-routes.ts'
import { extensionWrites } from './writes.ts'

/** The chapters of the reference. */
export const extensionChapters: Readonly<Record<string, string>> = {
  [organization.title]: organization.description,
  [extension.title]: extension.description,
  ...publishedChapter,
}

/** All routes of extensions; statements of lists wait in `lists`. */
export function extensionRoutes(database: Database, lists: FairSemaphore): Route[] {
  return [...organizationRoutes(database), ...ownRoutes(database, lists), ...publishedRoutes(database, lists)]
}

/** The organization of the key. */
const ownerOf = ({ scope }: Pick<Call, 'scope'>): string => scope.organizationId as string

function organizationRoutes(database: Database): Route[] {
  const { record, update, example } = documents(organization)
  const common = {
    surface: 'organization',
    tag: organization.title,
    path: '/v1/organization-api/organization',
  } as const satisfies Partial<Route>
  return [
    {
      ...common,
      method: 'GET',
      operationId: 'readOrganization',
      summary: 'Read the organization of the key',
      replies: { 200: { description: 'The organization.', schema: record, example } },
      isRecord: true,
      handle: async (call) => ok(await readOrganization(database, ownerOf(call))),
    },
    {
      ...common,
      method: 'PATCH',
      operationId: 'updateOrganization',
      summary: 'Update the organization of the key',
      description: 'Changes take effect at once in its published extensions and in their order.',
      body: { schema: closed(update), example: organization.example },
      replies: { 200: { description: 'The stored record.', schema: record, example } },
      problems: ['conflict'],
      isRecord: true,
      takesIfMatch: true,
      handle: (call) => {
        const { body: value, ifMatch, claim } = call
        return changeOrganization(database, { id: ownerOf(call), value, ifMatch, claim })
      },
    },
  ]
}

const { record, create, update, example } = documents(extension)
const many = {
  surface: 'organization',
  tag: extension.title,
  path: '/v1/organization-api/extensions',
} as const satisfies Partial<Route>
const one = { ...many, path: `${many.path}/{id}` }
const stored = { description: 'The stored record.', schema: record, example }

const itemOf = (call: Call) => {
  const { params, body: value, ifMatch, claim } = call
  return { organizationId: ownerOf(call), id: params.id, value, ifMatch, claim }
}

function ownRoutes(database: Database, lists: FairSemaphore): Route[] {
  const writes = extensionWrites(database)
  const list = ownList(database, lists)
  return [
    {
      ...many,
      method: 'POST',
      operationId: 'createExtension',
      summary: 'Create an extension',
      body: { schema: closed(create), example: extension.example },
      replies: { 201: stored },
      isRecord: true,
      handle: (call) => writes.create(itemOf(call)),
    },
    {
      ...many,
      method: 'GET',
      semaphore: 'none',
      operationId: 'listExtensions',
      summary: 'List extensions',
      description: 'The extensions of the key’s organization, in creation order.',
      query: ownListParameters,
      replies: {
        200: {
          description: 'A page of records, and the number of all matches.',
          schema: pageSchema(record),
          example: { data: [example], meta: { count: 1, skip: 0, limit: 100 } },
        },
      },
      handle: async (call) => richAnswer(await list(call)),
    },
    ...recordRoutes(database, writes),
  ]
}

function recordRoutes(database: Database, writes: ReturnType<typeof extensionWrites>): Route[] {
  const deleted = (id: string) => ({ statusCode: 200, message: 'The extension was deleted.', id })
  return [
    {
      ...one,
      method: 'GET',
      operationId: 'readExtension',
      summary: 'Read an extension',
      replies: { 200: { ...stored, description: 'The record.' } },
      problems: ['not_found'],
      isRecord: true,
      handle: async (call) => ok(await readExtension(database, ownerOf(call), call.params.id ?? '')),
    },
    {
      ...one,
      method: 'PATCH',
      operationId: 'updateExtension',
      summary: 'Update an extension',
      description:
        'Members that you send replace the stored ones; others keep their values; `null` clears an optional member.',
      body: { schema: closed(update), example: extension.example },
      replies: { 200: stored },
      problems: ['not_found'],
      isRecord: true,
      takesIfMatch: true,
      handle: (call) => writes.update(itemOf(call)),
    },
    {
      ...one,
      method: 'DELETE',
      operationId: 'deleteExtension',
      summary: 'Delete an extension',
      replies: {
        200: { description: 'It is deleted.', schema: deletedSchema, example: deleted(String(example.id)) },
      },
      problems: ['not_found'],
      takesIfMatch: true,
      handle: async (call) => {
        await writes.remove(itemOf(call))
        return json(deleted(call.params.id as string))
      },
    },
  ]
}
