// Errors as the reference shows them: the problem's schema, what each code means, and which statuses a route can answer.
import { maxHeaderSize, STATUS_CODES } from 'node:http'
import type { JsonSchema } from '../../core/json-schema.ts'
import { BODY_BYTES, BULK_ITEMS, HEADER_FIELDS, JSON_DEPTH, RECORD_CHARACTERS } from '../../core/limits.ts'
import { invalid, Problem, type ProblemCode, problemBody, problemStatus } from '../../core/problem.ts'
import { codeSchema, memberErrorSchema } from '../../core/problem-schema.ts'
import { takesIdempotencyKey } from '../idempotency.ts'
import type { Route, Surface } from '../route.ts'
import type { Hoist } from './components.ts'

/** What each code tells a caller. A code stands here once something answers with it. */
const meanings: { readonly [Code in ProblemCode]?: string } = {
  validation_failed: 'A member or a parameter is wrong, missing or unknown; `errors` names each one.',
  malformed_body: `The body is empty, is not JSON, or is nested deeper than ${JSON_DEPTH} levels; the place is told. Of a file: it is not what the operation takes.`,
  too_many_items: `A bulk request holds more than ${BULK_ITEMS.toLocaleString('en')} items.`,
  conflicting_credentials: 'More than one key was sent.',
  missing_key: 'No key was sent, or not in the header that belongs here.',
  invalid_key: 'The key is mistyped, unknown, deleted or expired.',
  not_signed_in: 'A request by sign-in whose sign-in has ended, or that needs one and has none.',
  invalid_credentials: 'The e-mail address or the password is wrong; which of them is not told.',
  invalid_link: 'The link was used, has expired, or never was one; the message says how to get another.',
  permission_denied:
    'The key lacks the permission that the verb needs, or the person the role; its company is suspended; what it asks for is not its own to change; or another site made a request by sign-in. The message says which.',
  key_not_bound: 'The key is bound to no organization, or to another one than the path names.',
  plan_limit: 'The company has as many of these as its plan allows; `errors` tells `resource`, `limit` and `count`.',
  not_found: 'There is no such record in the company of the key, or no such path.',
  method_not_allowed: 'The path does not take this method; the header `Allow` lists those that it takes.',
  request_timeout: 'The request came in too slowly.',
  conflict:
    'There is such a record already, or what there is speaks against the change; or the work of the `Idempotency-Key` was done, but its answer cannot be shown any more.',
  duplicate_item: 'In a bulk result: an earlier item names the same record.',
  version_mismatch: 'The record is another version than `If-Match`, or `ifMatch` of the item, asks for.',
  idempotency_in_progress:
    'A request under this `Idempotency-Key` is under way; send it again after the seconds in `Retry-After`.',
  idempotency_conflict: 'The `Idempotency-Key` was used for another method, path or body.',
  payload_too_large: `The body is larger than ${BODY_BYTES / 1024 / 1024} MB, or as a file than the operation says; a record would be longer than ${RECORD_CHARACTERS.toLocaleString('en')} characters, or the answer would be too long to be kept under the \`Idempotency-Key\`.`,
  unsupported_media_type: 'The body is not sent as `application/json`, or as the type that the operation names.',
  rate_limited:
    'The key or the sign-in, or with invalid ones the address, made more requests than are taken, or there were too many wrong passwords; try again after the seconds in `Retry-After`.',
  headers_too_large: `Path, query and headers are larger than ${maxHeaderSize / 1024} KB, or more than ${HEADER_FIELDS} fields.`,
  internal_error: 'A fault of the service; it was logged under the request id.',
  unavailable:
    'Too much waits already, or the database cannot be reached; try again after the seconds in `Retry-After`.',
}

/** The codes that are explained, with their statuses, lowest first. */
const explained = (Object.keys(meanings) as ProblemCode[]).sort((a, b) => problemStatus[a] - problemStatus[b])

const problemSchema: JsonSchema = {
  title: 'Problem',
  description: 'The body of every error answer (RFC 9457).',
  type: 'object',
  properties: {
    type: { type: 'string', format: 'uri', description: 'The code as a URN.' },
    title: { type: 'string', description: 'The status in words.' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What went wrong, for people.' },
    statusCode: { type: 'integer', description: 'The same as `status`.' },
    error: { type: 'string', description: 'The same as `title`.' },
    message: { type: 'string', description: 'The same as `detail`.' },
    code: codeSchema,
    requestId: { type: 'string', description: 'The same as the header `x-request-id`.' },
    errors: { type: 'array', items: memberErrorSchema, description: 'Each wrong member of the request.' },
  },
  required: ['type', 'title', 'status', 'detail', 'statusCode', 'error', 'message', 'code', 'requestId'],
}

const ofEachKey: readonly ProblemCode[] = [
  'conflicting_credentials',
  'missing_key',
  'invalid_key',
  'permission_denied',
  'rate_limited',
  'not_signed_in',
  'not_found',
]

/** The codes that a route can answer: those that follow from its surface and body, and its own. */
export function codesOf({
  method,
  surface,
  body,
  takesText,
  takesIfMatch,
  hasSecret,
  problems = [],
}: Route): ProblemCode[] {
  const ofSurface: Record<Surface, ProblemCode[]> = {
    public: ['rate_limited'],
    person: ['not_signed_in', 'permission_denied', 'rate_limited'],
    company: [...ofEachKey],
    organization: [...ofEachKey, 'key_not_bound'],
  }
  const ofBody: ProblemCode[] =
    body || takesText ? ['malformed_body', 'payload_too_large', 'unsupported_media_type'] : []
  const ofVersion: ProblemCode[] = takesIfMatch ? ['version_mismatch'] : []
  const ofKey: ProblemCode[] = takesIdempotencyKey({ method, surface })
    ? ['idempotency_in_progress', 'idempotency_conflict', ...(hasSecret ? ['conflict' as const] : [])]
    : []
  return [
    ...['validation_failed' as const, ...ofSurface[surface], ...ofBody, ...problems, ...ofVersion, ...ofKey],
    ...['internal_error' as const, 'unavailable' as const],
  ]
}

/** Their statuses, lowest first. */
export const statusesOf = (route: Route): number[] =>
  [...new Set(codesOf(route).map((code) => problemStatus[code]))].sort((a, b) => a - b)

/** `BadRequest`: the name among the components of the answer with a status. */
export const responseName = (status: number): string => (STATUS_CODES[status] ?? 'Error').replaceAll(/[^A-Za-z]/g, '')

/** The headers of every answer to a known key while requests are limited. */
export const rateLimitHeaders = ['RateLimit', 'RateLimit-Policy']

/** References to headers among the components. */
export const carried = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Codes that come with the seconds to wait. */
const toRetry: ReadonlySet<ProblemCode> = new Set(['unavailable', 'idempotency_in_progress', 'rate_limited'])

/** The error answers of some routes by name, one a status, as all operations share them. */
export function problemResponses(routes: readonly Route[], hoist: Hoist): Record<string, object> {
  const byStatus = Object.groupBy(new Set(routes.flatMap(codesOf)), (code) => problemStatus[code])
  const schema = hoist(problemSchema)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes]) => [
      responseName(Number(status)),
      {
        description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
        headers: carried(
          'X-Request-Id',
          ...(codes.some((code) => toRetry.has(code)) ? ['Retry-After'] : []),
          ...rateLimitHeaders,
        ),
        content: { 'application/problem+json': { schema, example: exampleOf(codes[0] as ProblemCode) } },
      },
    ]),
  )
}

function exampleOf(code: ProblemCode): unknown {
  const problem =
    code === 'validation_failed'
      ? invalid([{ in: 'body', pointer: '/email', code: 'format', message: 'must be an e-mail address' }])
      : new Problem(code, meanings[code] ?? '')
  return JSON.parse(problemBody(problem, '0b9cf6f4-6c3e-4a53-9d0c-6a0b8c9d1e2f'))
}

/** The codes as a Markdown table. */
export const codeTable = (): string =>
  [
    '| code | status | meaning |',
    '|---|---|---|',
    ...explained.map((code) => `| \`${code}\` | ${problemStatus[code]} | ${meanings[code]} |`),
  ].join('\n')
