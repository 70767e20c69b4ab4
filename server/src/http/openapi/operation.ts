// One route in the reference: parameters, body, responses, and the key that it needs.

import { idPattern, type JsonSchema, withBareDate } from '../../core/json-schema.ts'
import { IDEMPOTENCY_KEY_CHARACTERS } from '../../core/limits.ts'
import { legacyPrefix } from '../auth/api-key.ts'
import type { TakenFile } from '../connection/streamed-body.ts'
import { takesIdempotencyKey as isKeyed } from '../idempotency.ts'
import { neededPermissions, type ReplyDocument, type Route, resourceOf } from '../route.ts'
import type { Hoist } from './components.ts'
import type { MakeContent, Shape } from './examples.ts'
import { headerReferences, rateLimitHeaders, responseName, statusesOf } from './problems.ts'

/** The headers that keys come in. */
export const securitySchemes = {
  companyKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The key of a company.' },
  organizationKey: { type: 'apiKey', in: 'header', name: 'x-org-api-key', description: 'The key of an organization.' },
  legacyKey: {
    type: 'apiKey',
    in: 'header',
    name: 'apiKey',
    description: `Deprecated: the older name of \`x-api-key\`, read under \`${legacyPrefix}\` only.`,
  },
  signIn: {
    type: 'apiKey',
    in: 'cookie',
    name: 'cashwrap_sign_in',
    description:
      'The cookie of a user who is signed in to the console; over https `__Host-cashwrap_sign_in`. It is used where no key is sent. The header `x-company-id`, or for an organization `x-organization-id`, names the one that the request applies to; a write also needs `x-csrf-token`, the `csrfToken` that the sign-in returned.',
  },
}

/** The headers of responses of many operations. */
export const headers = {
  'X-Request-Id': {
    description: 'The id of the request, as sent in `x-request-id` or else generated. Each of its log lines has it.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds to wait before you try again.',
    schema: { type: 'integer', format: 'int32', examples: [1] },
  },
  ETag: {
    description: 'The version of the record. It changes exactly when the response for the record changes.',
    schema: { type: 'string', examples: ['"Zv2sXmMqT1c0q3yFhW8h5g"'] },
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the kept response of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  'Dry-Run': {
    description: '`true` when the request was a dry run (`dryRun=true`): nothing was stored.',
    schema: { type: 'string', const: 'true' },
  },
  RateLimit: {
    description:
      'While requests are limited: `r`, the requests that the key can make now, and `t`, the seconds within which it cannot make more (draft-ietf-httpapi-ratelimit-headers-11). Each server counts for itself: where several share the load, the numbers are those of the server that answers.',
    schema: { type: 'string', examples: ['"key";r=1999;t=1'] },
  },
  'RateLimit-Policy': {
    description:
      'While requests are limited: `q`, the most requests that a key can accumulate, and `w`, the seconds that this takes.',
    schema: { type: 'string', examples: ['"key";q=2000;w=2'] },
  },
  Deprecation: {
    description: 'Present when the key was sent in the deprecated header `apiKey` (RFC 9745).',
    schema: { type: 'string', examples: ['@1735689600'] },
  },
}

/** The headers that requests of many operations take. */
export const headerParameters = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Any text that identifies this operation, such as a UUID. A request that is sent again with the same key within 24 hours is not carried out twice: it gets the first response again.',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: IDEMPOTENCY_KEY_CHARACTERS,
      pattern: '^[\\x20-\\x7e]+$',
      examples: ['5f1c1c0e-6b7a-4f3e-9d0a-2b8d5a3e7c41'],
    },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` of the version that the change applies to; several separated by commas, or `*`.',
    schema: { type: 'string' },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` that the caller has. If the record still has it, the response is 304 without a body.',
    schema: { type: 'string' },
  },
  'x-company-id': {
    name: 'x-company-id',
    in: 'header',
    required: true,
    description: 'The id of the company that the request applies to. The user must be a member of it.',
    schema: { type: 'string', pattern: idPattern, examples: ['6740a1f2c3d4e5f6a7b8c900'] },
  },
  'x-organization-id': {
    name: 'x-organization-id',
    in: 'header',
    required: true,
    description: 'The id of the organization that the request applies to. The user must be a member of it.',
    schema: { type: 'string', pattern: idPattern, examples: ['6740a1f2c3d4e5f6a7b8c901'] },
  },
  'x-csrf-token': {
    name: 'x-csrf-token',
    in: 'header',
    required: true,
    description: 'The `csrfToken` that the sign-in returned.',
    schema: { type: 'string', examples: ['mXq0k3rVd1u2yHh6vJ8sT4wZbE5nCfGaLpQxRiYoKtM'] },
  },
  'Last-Event-ID': {
    name: 'Last-Event-ID',
    in: 'header',
    description:
      'The `id` of the last event that the caller has: the stream continues after it. Takes precedence over `after`.',
    schema: { type: 'string' },
  },
}

const isLegacy = ({ surface, path }: Route) => surface === 'company' && path.startsWith(legacyPrefix)

/** Where a route accepts its key, or a user's sign-in; one of them is enough. */
export function schemesOf(route: Route): (keyof typeof securitySchemes)[] {
  if (route.surface === 'public') return route.takesCompanyKey ? ['companyKey'] : []
  if (route.surface === 'person' || route.forPeople !== undefined) return ['signIn']
  const key = route.surface === 'organization' ? (['organizationKey'] as const) : (['companyKey'] as const)
  return [...key, ...(isLegacy(route) ? (['legacyKey'] as const) : []), ...(route.forKeys ? [] : ['signIn' as const])]
}

/** The callers of a route, in a sentence. */
function neededBy(route: Route): string {
  const { surface, forPeople, takesCompanyKey } = route
  if (surface === 'public') return takesCompanyKey ? 'Needs no key, but accepts a company’s key.' : 'Needs no key.'
  if (surface === 'person') return 'Requires a signed-in user.'
  if (forPeople !== undefined)
    return `Requires a signed-in user with at least the role \`${forPeople}\`; not available to keys.`
  const [first, ...others] = neededPermissions(route).map((needed) => `\`${needed}\``)
  const permissions = others.length === 0 ? `permission ${first}` : `permissions ${[first, ...others].join(' and ')}`
  return `The key needs the ${permissions}${neededOfLimited(route)}.`
}

/** What a key that is limited to resources needs besides, as the end of a sentence. */
function neededOfLimited(route: Route): string {
  if (route.surface !== 'company' || route.limitedKeys === 'always') return ''
  if (route.limitedKeys === 'never') return ' for all resources'
  return ` for \`${resourceOf(route)}\``
}

/** The Operation Object of a route. */
export function operation(route: Route, hoist: Hoist, content: MakeContent) {
  const { tag, summary, description, operationId, surface, body, takesFile, replies } = route
  const key = neededBy(route)
  const parameters = parametersOf(route, hoist)
  const success = (reply: ReplyDocument) => ({
    description: reply.description,
    headers: {
      ...headerReferences(
        'X-Request-Id',
        ...(route.isRecord ? ['ETag'] : []),
        ...(isKeyed(route) ? ['Idempotent-Replayed'] : []),
        ...(route.query?.dryRun ? ['Dry-Run'] : []),
        ...(surface === 'public' ? [] : rateLimitHeaders),
        ...(isLegacy(route) ? ['Deprecation'] : []),
      ),
      ...headersOf(reply),
    },
    content: content(reply),
  })
  return {
    tags: [tag],
    summary,
    description: description === undefined ? key : `${description}\n\n${key}`,
    operationId,
    security: [
      // A public route needs none.
      ...(route.takesCompanyKey ? [{}] : []),
      ...schemesOf(route).map((scheme) => ({ [scheme]: [] })),
    ],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: !body.isOptional, content: content(body) } }),
    ...(takesFile && { requestBody: { required: true, content: content(fileOf(takesFile)) } }),
    responses: {
      ...Object.fromEntries(Object.entries(replies).map(([status, reply]) => [status, success(reply)])),
      ...(isReadRecord(route) && {
        304: { description: 'The caller has this version already.', headers: headerReferences('X-Request-Id', 'ETag') },
      }),
      ...Object.fromEntries(
        statusesOf(route).map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }]),
      ),
    },
  }
}

const fileOf = ({ contentType, description, example }: TakenFile): Shape =>
  contentType === '*'
    ? { contentType: '*/*', schema: { type: 'string', format: 'binary', description } }
    : { contentType, schema: { type: 'string', description }, example }

const isReadRecord = ({ isRecord, takesIfNoneMatch, method }: Route) =>
  (isRecord === true || takesIfNoneMatch === true) && method === 'GET'

function headersOf({ headers: own = {} }: ReplyDocument) {
  const header = (name: string, description: string) => ({
    description,
    schema: name.endsWith('-Count') ? { type: 'integer', format: 'int64' } : { type: 'string' },
  })
  return Object.fromEntries(Object.entries(own).map(([name, description]) => [name, header(name, description)]))
}

const reference = (name: keyof typeof headerParameters) => ({ $ref: `#/components/parameters/${name}` })

const idParameter: JsonSchema = {
  type: 'string',
  pattern: idPattern,
  description: 'Id of the record. If it does not exist or does not have this form, the response is 404.',
  examples: ['6740a1f2c3d4e5f6a7b8c9d0'],
}

/** The schema of an array that is sent as one text with commas. The server checks the text. */
function separated({ examples, ...items }: JsonSchema): JsonSchema {
  const values = (examples as string[] | undefined)?.map((text) => text.split(','))
  return { type: 'array', items, ...(values && { examples: values }) }
}

/** The headers of a route that only a sign-in may call. Where a key is accepted too, only calls without one need them. */
function signInHeaders(route: Route): (keyof typeof headerParameters)[] {
  const { surface, method } = route
  if (schemesOf(route).some((scheme) => scheme !== 'signIn') || surface === 'public') return []
  return [
    ...(surface === 'person' ? [] : [`x-${surface}-id` as const]),
    ...(method === 'GET' ? [] : ['x-csrf-token' as const]),
  ]
}

function parametersOf(route: Route, hoist: Hoist): object[] {
  const { path, params = {}, query = {}, takesIfMatch } = route
  const parameter = (
    place: 'path' | 'query',
    name: string,
    { description, 'x-required': isNeeded, 'x-separated': isSeparated, ...schema }: JsonSchema,
  ) => ({
    name,
    in: place,
    ...(description !== undefined && { description }),
    ...((place === 'path' || isNeeded === true) && { required: true }),
    ...(schema.type === 'object' && { style: 'deepObject', explode: true }),
    ...(isSeparated === true && { style: 'form', explode: false }),
    ...(schema.type === 'array' && { style: 'form', explode: true }),
    schema: hoist(isSeparated === true ? separated(schema) : withBareDate(schema)),
  })
  return [
    ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => parameter('path', name, params[name] ?? idParameter)),
    ...Object.entries(query).map(([name, schema]) => parameter('query', name, schema)),
    ...signInHeaders(route).map(reference),
    ...(isKeyed(route) ? [reference('Idempotency-Key')] : []),
    ...(takesIfMatch ? [reference('If-Match')] : []),
    ...(isReadRecord(route) ? [reference('If-None-Match')] : []),
    ...(route.takesLastEventId ? [reference('Last-Event-ID')] : []),
  ]
}
