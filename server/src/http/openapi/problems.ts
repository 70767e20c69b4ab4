// Errors in the reference: the problem's schema, the meaning of each code, and the statuses that a route can return.
import { maxHeaderSize, STATUS_CODES } from 'node:http'
import { type JsonSchema, string } from '../../core/json-schema.ts'
import { BODY_BYTES, BULK_ITEMS, HEADER_FIELDS, JSON_DEPTH, RECORD_CHARACTERS } from '../../core/limits.ts'
import { invalid, Problem, type ProblemCode, problemBody, problemStatus } from '../../core/problem.ts'
import { codeSchema, memberErrorSchema, reasonSchema } from '../../core/problem-schema.ts'
import { takesIdempotencyKey } from '../idempotency.ts'
import type { Route, Surface } from '../route.ts'
import type { MakeContent } from './examples.ts'

/** The meaning of each code for a caller. A code is listed once a route returns it. */
const meanings: { readonly [Code in ProblemCode]?: string } = {
  validation_failed: 'A member or a parameter is wrong, missing or unknown; `errors` names each one.',
  malformed_body: `The body is empty, is not JSON, or is nested deeper than ${JSON_DEPTH} levels; the message names the place. For a file: it does not have the form that the operation requires.`,
  too_many_items: `A bulk request contains more than ${BULK_ITEMS.toLocaleString('en')} items.`,
  conflicting_credentials: 'More than one key was sent.',
  missing_key: 'No key was sent, or not in the right header.',
  invalid_key: 'The key is mistyped, unknown, deleted or expired.',
  not_signed_in: 'The sign-in of the request has ended, or the request needs one and has none.',
  invalid_credentials: 'The e-mail address or the password is wrong; the response does not say which.',
  second_factor_required:
    'The password or link is right, and the account has a second factor: send the same request with `code`.',
  invalid_second_factor: 'The code of the second factor is wrong, has expired, or was used already.',
  invalid_passkey: 'The passkey is unknown, its response is wrong, or the request that it answers has expired.',
  invalid_sso:
    'The sign-in at the OpenID provider was begun in another browser, has expired, was used or was refused there, or no account is linked to the identity; the message says which.',
  invalid_link: 'The link was used, has expired or never existed; the message says how to get another.',
  permission_denied:
    'The key lacks the permission for the verb or is limited to other resources, or the user lacks the role; the company is suspended; the caller may not change this record; or a page of another site made the request with the user’s sign-in. The message says which.',
  second_factor_missing:
    'The company, its organization or a company of the organization requires a second factor, and the sign-in was made without: sign in with a passkey, or set one up if there is none.',
  key_not_bound: 'The key is not bound to an organization, or not to the one in the path.',
  plan_limit: 'The company has reached a limit of its plan; `errors` has `resource`, `limit` and `count`.',
  not_found: 'The record does not exist in the company of the key, or the path does not exist.',
  method_not_allowed: 'The path does not allow this method; the header `Allow` lists those that it allows.',
  request_timeout: 'The request arrived too slowly.',
  conflict:
    'Such a record already exists, or the current state does not allow the change; or the request of the `Idempotency-Key` was carried out, but its response can no longer be shown.',
  duplicate_item: 'In a bulk result: an earlier item names the same record.',
  version_mismatch: 'The record does not have the version that `If-Match`, or `ifMatch` of the item, requires.',
  idempotency_in_progress:
    'A request with this `Idempotency-Key` is in progress; send it again after the seconds in `Retry-After`.',
  idempotency_conflict: 'The `Idempotency-Key` was used for another method, path, query or body.',
  payload_too_large: `The body is larger than ${BODY_BYTES / 1024 / 1024} MB, or a file is larger than the operation allows; a record would be longer than ${RECORD_CHARACTERS.toLocaleString('en')} characters, or the response would be too long to be kept under the \`Idempotency-Key\`.`,
  unsupported_media_type: 'The body was not sent as `application/json`, or as the type that the operation names.',
  rate_limited:
    'The key or the sign-in, or the address if these are invalid, made too many requests, or there were too many wrong passwords; try again after the seconds in `Retry-After`.',
  headers_too_large: `Path, query and headers are larger than ${maxHeaderSize / 1024} KB, or more than ${HEADER_FIELDS} fields.`,
  internal_error: 'The service failed unexpectedly; its log has the details under the request id.',
  unavailable:
    'Too many requests are waiting, or the database or the OpenID provider cannot be reached; try again after the seconds in `Retry-After`.',
}

/** The codes that are explained, with their statuses, lowest first. */
const explained = (Object.keys(meanings) as ProblemCode[]).sort((a, b) => problemStatus[a] - problemStatus[b])

const problemSchema: JsonSchema = {
  title: 'Problem',
  description: 'The body of every error response (RFC 9457).',
  type: 'object',
  properties: {
    type: { type: 'string', format: 'uri', description: 'The code as a URN.' },
    title: string('Reason phrase of the status.'),
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: string('What went wrong, for people.'),
    statusCode: { type: 'integer', description: 'The same as `status`.' },
    error: string('The same as `title`.'),
    message: string('The same as `detail`.'),
    code: codeSchema,
    reason: reasonSchema,
    requestId: string('The same as the header `x-request-id`.'),
    errors: { type: 'array', items: memberErrorSchema, description: 'Each wrong member of the request.' },
  },
  required: ['type', 'title', 'status', 'detail', 'statusCode', 'error', 'message', 'code', 'requestId'],
}

const ofEachKey: readonly ProblemCode[] = [
  'conflicting_credentials',
  'missing_key',
  'invalid_key',
  'permission_denied',
  'second_factor_missing',
  'rate_limited',
  'not_signed_in',
  'not_found',
]

/** The codes that a route can return: those that follow from its surface and body, and its own. */
export function codesOf({
  method,
  surface,
  body,
  takesFile,
  takesCompanyKey,
  takesIfMatch,
  hasSecret,
  problems = [],
}: Route): ProblemCode[] {
  const ofSurface: Record<Surface, ProblemCode[]> = {
    public: takesCompanyKey ? [...ofEachKey] : ['rate_limited'],
    person: ['not_signed_in', 'permission_denied', 'rate_limited'],
    company: [...ofEachKey],
    organization: [...ofEachKey, 'key_not_bound'],
  }
  const ofBody: ProblemCode[] =
    body || takesFile ? ['malformed_body', 'payload_too_large', 'unsupported_media_type'] : []
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

/** `BadRequest`: the component name of the response with a status. */
export const responseName = (status: number): string => (STATUS_CODES[status] ?? 'Error').replaceAll(/[^A-Za-z]/g, '')

/** The headers of every response to a valid key while requests are limited. */
export const rateLimitHeaders = ['RateLimit', 'RateLimit-Policy']

/** References to headers among the components. */
export const headerReferences = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Codes whose responses say how many seconds to wait. */
const toRetry: ReadonlySet<ProblemCode> = new Set(['unavailable', 'idempotency_in_progress', 'rate_limited'])

/** The error responses of some routes by name, one per status, as all operations share them. */
export function problemResponses(routes: readonly Route[], content: MakeContent): Record<string, object> {
  const byStatus = Object.groupBy(new Set(routes.flatMap(codesOf)), (code) => problemStatus[code])
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes]) => [
      responseName(Number(status)),
      {
        description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
        headers: headerReferences(
          'X-Request-Id',
          ...(codes.some((code) => toRetry.has(code)) ? ['Retry-After'] : []),
          ...rateLimitHeaders,
        ),
        content: content({
          contentType: 'application/problem+json',
          schema: problemSchema,
          example: exampleOf(codes[0] as ProblemCode),
        }),
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
