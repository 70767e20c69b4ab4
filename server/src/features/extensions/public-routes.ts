// Extensions that everyone can read without a key: the published list, and one extension of it (pos-api.md, Public
// endpoints).

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { idPattern, type JsonSchema, string } from '../../core/json-schema.ts'
import { notFound } from '../../core/problem.ts'
import type { Database } from '../../database/connect.ts'
import { documents } from '../../engine/documents.ts'
import type { Route } from '../../http/route.ts'
import { extension } from './extension.ts'
import { publicList, publicListParameters } from './public-list.ts'
import { publishedFinder } from './published.ts'

/** The chapter of the reference. */
export const publishedChapter = {
  'Published extensions':
    'Every extension whose `status` is `public`, of all organizations, for everyone: no key is needed, and a key that is sent is ignored.',
}

const offererSchema: JsonSchema = {
  title: 'ExtensionOrganization',
  description: 'The organization that offers the extension.',
  type: 'object',
  properties: {
    id: { type: 'string', pattern: idPattern, description: 'Identifies the organization.' },
    name: string('Public name of the organization.'),
    logo: string('An absolute http or https URL; absent if there is none.'),
    organization_alias: string('Its name in URLs.'),
  },
  required: ['id', 'name', 'organization_alias'],
}
const offerer = {
  id: '6740a1f2c3d4e5f6a7b8c9f0',
  name: 'Acme Payments',
  logo: 'https://example.com/acme.png',
  organization_alias: 'acme-payments',
}

const { record, example } = documents(extension)
const members = record.properties as Record<string, JsonSchema>
const needed = record.required as string[]
const { items, ...surfaces } = members.surfaces as JsonSchema
/** Surfaces with only the named members; further ones are not shown. */
const surfacesSchema = (title: string, required: readonly string[]): JsonSchema => ({
  ...surfaces,
  items: { ...(items as object), title, required, additionalProperties: false },
})
const shown: JsonSchema = {
  ...record,
  title: 'PublishedExtension',
  description: 'A public extension and the organization that offers it.',
  properties: { ...members, surfaces: surfacesSchema('PublishedSurface', ['id']), organization: offererSchema },
  required: [...needed, 'organization'],
}
const whole: JsonSchema = {
  ...shown,
  title: 'PublishedExtensionRead',
  description: 'A public extension, ready to be opened.',
  properties: {
    ...(shown.properties as object),
    surfaces: surfacesSchema('ResolvedSurface', ['id', 'platform', 'type', 'url']),
  },
  required: [...(shown.required as string[]), 'surfaces'],
}
const shownExample = { ...example, organization: offerer }

/** The routes; statements of the list wait in `lists`. */
export function publishedRoutes(database: Database, lists: FairSemaphore): Route[] {
  const list = publicList(database, lists)
  const find = publishedFinder(database)
  const common = {
    surface: 'public',
    tag: 'Published extensions',
    method: 'GET',
    semaphore: 'none',
  } as const satisfies Partial<Route>
  return [
    {
      ...common,
      path: '/v1/public/published-extensions',
      operationId: 'listPublishedExtensions',
      summary: 'List published extensions',
      description:
        'Ordered by the organization’s name, then by the extension’s, both case-insensitive, then by id. Without parameters, all extensions are returned, however many: a long list is streamed, and an extension that stays published meanwhile appears in it exactly once. With parameters, the answer is a page.',
      query: publicListParameters,
      takesIfNoneMatch: true,
      replies: {
        200: {
          description: 'The extensions, as a bare array.',
          schema: { title: 'PublishedExtensionList', type: 'array', items: shown },
          headers: {
            ETag: 'Changes exactly when the published list changes.',
            Link: 'The first, previous and next page (RFC 8288); without parameters, the whole list.',
            'X-Total-Count': 'The number of all extensions that match the parameters.',
          },
          example: [shownExample],
        },
      },
      handle: list,
    },
    {
      ...common,
      path: '/v1/public/published-extension/{extensionId}',
      operationId: 'readPublishedExtension',
      summary: 'Read a published extension',
      description:
        'Its surfaces are resolved: each has `id`, `platform`, `type` and `url`. A surface without a platform is for `all`, one without a type is a `link`, one without a URL opens the `website`; without a `website` either, it is left out.',
      replies: { 200: { description: 'The extension.', schema: whole, example: shownExample } },
      problems: ['not_found'],
      isRecord: true,
      handle: async ({ scope, params, isGone }) => {
        const id = params.extensionId as string
        const body = await find({ scope, id, isGone })
        if (body === undefined) throw notFound('published extension', id)
        return { status: 200, body, headers: { 'cache-control': 'no-cache' } }
      },
    },
  ]
}
