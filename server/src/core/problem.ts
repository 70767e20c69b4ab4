// The one shape of an error (RFC 9457, decisions §11), for whole responses and for items of a bulk result.
import { STATUS_CODES } from 'node:http'
import { RETRY_AFTER_SECONDS } from './limits.ts'
import type { Rule } from './rules.ts'
import type { Role } from './scope.ts'

/**
 * Characters of the pointers that one problem lists, besides the first, so that no response is many times as long as
 * its request.
 */
const POINTERS_LISTED_CHARACTERS = 64 * 1024

/** Every error code and its status. */
export const problemStatus = {
  validation_failed: 400,
  malformed_body: 400,
  too_many_items: 400,
  missing_key: 401,
  invalid_key: 401,
  not_signed_in: 401,
  invalid_credentials: 401,
  second_factor_required: 401,
  invalid_second_factor: 401,
  invalid_passkey: 401,
  invalid_sso: 401,
  invalid_link: 401,
  conflicting_credentials: 400,
  permission_denied: 403,
  second_factor_missing: 403,
  key_not_bound: 403,
  plan_limit: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  duplicate_item: 409,
  version_mismatch: 412,
  idempotency_conflict: 422,
  idempotency_in_progress: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
} as const

/** Why a request is answered 503 or 429, and with which of the two. */
export const reasons = {
  database_unreachable: 503,
  database_timeout: 503,
  database_full: 503,
  connections_in_use: 503,
  queue_full: 503,
  memory_full: 503,
  deadline: 503,
  contention: 503,
  slow_upload: 503,
  sums_incomplete: 503,
  draining: 503,
  not_migrated: 503,
  provider_unreachable: 503,
  files_unreachable: 503,
  key_rate: 429,
  address_rate: 429,
  password_guesses: 429,
} as const

export type Reason = keyof typeof reasons

/** The content type of an error response. */
export const problemJson = 'application/problem+json; charset=utf-8'

export type ProblemCode = keyof typeof problemStatus

/** One wrong member: its place (JSON pointer, or the parameter's name), what is wrong (a keyword), and a sentence. */
export interface MemberError {
  readonly in: 'body' | 'query' | 'header' | 'path'
  readonly pointer: string
  readonly code: string
  readonly message: string
  /** With `plan_limit`: what is limited, how many the plan allows, and how many there are; `limit` also with a bound of length. */
  readonly resource?: string
  readonly limit?: number
  readonly count?: number
  /** The format of JSON Schema that the member must have but does not. */
  readonly format?: string
  /** With `open_session`: the id of the session that is open at the station. */
  readonly id?: string
  /** With `suspended`: why, if the organization said so. */
  readonly reason?: string
}

/** A wrong member of a body; `limit` is the bound that its value is beyond. */
export const bodyError = (pointer: string, code: string, message: string, limit?: number): MemberError => ({
  in: 'body',
  pointer,
  code,
  message,
  ...(limit !== undefined && { limit }),
})

/** Appends a step to a JSON pointer (RFC 6901). */
export const stepTo = (member: string, at = ''): string => `${at}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** An error that the caller gets instead of a result. Thrown for a whole request, returned for one item of many. */
export class Problem extends Error {
  override name = 'Problem'
  readonly code: ProblemCode
  readonly errors: readonly MemberError[]
  readonly headers: Readonly<Record<string, string>>
  /** The number of wrong members besides those in `errors`. */
  readonly unlisted: number
  /** Present with 503 and 429, and with a 409 or 403 about a rule. */
  readonly reason: Reason | Rule | undefined

  constructor(
    code: ProblemCode,
    message: string,
    errors: readonly MemberError[] = [],
    { headers = {}, unlisted = 0, reason }: Partial<Pick<Problem, 'headers' | 'unlisted' | 'reason'>> = {},
  ) {
    // Recording a stack trace takes longer than checking a body, and it is only read for a defect.
    const { stackTraceLimit } = Error
    if (code !== 'internal_error') Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.errors = errors
    this.headers = headers
    this.unlisted = unlisted
    this.reason = reason
  }

  get status(): number {
    return problemStatus[this.code]
  }
}

/** A result; if it is a problem, that is thrown. */
export function orThrow<T>(result: T | Problem): T {
  if (result instanceof Problem) throw result
  return result
}

/** Maximum errors listed in one response: enough to correct a form. */
export const ERRORS_LISTED = 100

/** 400 for wrong members; the message names the first and counts the rest, including unlisted ones. */
export function invalid(
  errors: readonly MemberError[],
  code: ProblemCode = 'validation_failed',
  unlisted = 0,
): Problem {
  const [first] = errors
  const pointer = first?.pointer ?? ''
  const whole = first?.in === 'body' ? 'The body ' : ''
  const where = pointer === '' ? whole : pointer.length > 200 ? `${pointer.slice(0, 200)}…: ` : `${pointer}: `
  const count = errors.length + unlisted
  const more = count > 1 ? ` (and ${count - 1} more)` : ''
  let left = POINTERS_LISTED_CHARACTERS
  const listed = errors.slice(0, ERRORS_LISTED).filter(({ pointer }, n) => {
    const isListed = n === 0 || pointer.length <= left
    if (isListed && n > 0) left -= pointer.length
    return isListed
  })
  return new Problem(code, `${where}${first?.message ?? 'is not valid'}${more}`, listed, {
    unlisted: count - listed.length,
  })
}

/** The same for the item at `at` in its request. */
export const under = (at: string | undefined, problem: Problem): Problem =>
  at === undefined || problem.errors.every(({ in: where }) => where !== 'body')
    ? problem
    : invalid(
        problem.errors.map((error) => (error.in === 'body' ? { ...error, pointer: at + error.pointer } : error)),
        problem.code,
        problem.unlisted,
      )

/** 409 for a rule of the shop, which it names for programs. */
export const conflict = (rule: Rule, message: string, errors: readonly MemberError[] = []): Problem =>
  new Problem('conflict', message, errors, { reason: rule })

/** 409 for a rule of the shop that one member of the body breaks. */
export const conflictAt = (pointer: string, code: string, rule: Rule, message: string): Problem =>
  conflict(rule, message, [bodyError(pointer, code, message)])

/** 403 with its rule for programs. */
export const denied = (
  rule: Rule,
  message: string,
  code: 'permission_denied' | 'second_factor_missing' = 'permission_denied',
): Problem => new Problem(code, message, [], { reason: rule })

/** 403 for a person whose role is lower than the needed one, which the rule names; `viewer` is the lowest. */
export const roleTooLow = (needed: Role, message: string): Problem =>
  denied(needed === 'owner' ? 'owner_required' : 'admin_required', message)

/**
 * 403 for a key that is limited to other resources than the needed one. `because`, such as "The sale has a new customer",
 * says why the resource is needed, if that is not the resource of the path.
 */
export const resourceDenied = (resources: ReadonlySet<string>, needed: string, because?: string): Problem =>
  denied(
    'resource_denied',
    `${because === undefined ? 'The' : `${because}, but the`} key has no access to ${needed}; it is limited to ${[...resources].join(', ')}.`,
  )

/** 404 for a record that does not exist or belongs to another company: the caller cannot distinguish the two (decisions §8). */
export const notFound = (what: string, id: string): Problem =>
  new Problem('not_found', `There is no ${what} with id ${JSON.stringify(id.slice(0, 100))}.`)

/** 503 with `Retry-After`: by default because the database cannot be reached. */
export const unavailable = (
  message = 'The database cannot be reached at the moment. Try again.',
  reason: Reason = 'database_unreachable',
): Problem =>
  new Problem('unavailable', message, [], { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) }, reason })

/** 503 with `Retry-After`, at once: the queue, or a memory budget, is full. Nothing was done. */
export const busy = (reason: Reason = 'queue_full'): Problem =>
  unavailable('Too many requests are waiting. Nothing was done; try again.', reason)

/** 503 with `Retry-After`: the request's deadline passed. */
export const deadlinePassed = (): Problem => unavailable('The request was not answered in time. Try again.', 'deadline')

/** The members that whole responses and bulk items share; of the wrong members the first `most`. */
export function itemProblem(problem: Problem, most = ERRORS_LISTED) {
  return {
    statusCode: problem.status,
    code: problem.code,
    message: problem.message,
    ...(problem.reason && { reason: problem.reason }),
    ...(problem.errors.length > 0 && { errors: problem.errors.slice(0, most) }),
  }
}

/** The body of an error response, `application/problem+json`. */
export function problemBody(problem: Problem, requestId: string): string {
  const title = STATUS_CODES[problem.status] ?? 'Error'
  const { statusCode, code, message, reason, errors } = itemProblem(problem)
  return JSON.stringify({
    type: `urn:cashwrap:problem:${code}`,
    title,
    status: statusCode,
    detail: message,
    statusCode,
    error: title,
    message,
    code,
    ...(reason && { reason }),
    requestId,
    ...(errors && { errors }),
  })
}
