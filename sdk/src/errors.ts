// What a call can reject with: an error response, a request without an answer, or the caller's own abort reason.
import type { MemberError, Problem, ProblemCode } from './generated/types.ts'

/** The part of a bulk write that an error leaves behind. */
interface Unfinished {
  /** The results that are known. */
  readonly results: readonly unknown[]
  /** How many items have no result: they were not sent, or their answer was lost. */
  readonly unknown: number
  /** Goes on, with the same idempotency keys. */
  retryFailed(): Promise<unknown>
}

/** What all errors of this package extend. */
export class CashwrapError extends Error {
  /** How many times the request was sent. */
  attempts = 1
  /** Of a bulk method: what was done so far. `error.bulk.retryFailed()` goes on. */
  bulk?: Unfinished
}

/** No answer came: the connection failed, or the answer was cut off. A write may have been done. */
export class ConnectionError extends CashwrapError {
  override name = 'ConnectionError'
}

/** No answer came in time. A write may have been done. */
export class TimeoutError extends CashwrapError {
  override name = 'TimeoutError'
}

/** A webhook call that is not genuine, or too old. */
export class SignatureError extends CashwrapError {
  override name = 'SignatureError'
}

/** An error response. Each code has a class of its own, such as `NotFoundError` for `not_found`. */
export class ApiError extends CashwrapError {
  override name = 'ApiError'
  readonly status: number
  /** What went wrong, for programs; `unknown` if the response is no problem document, such as that of a proxy. */
  readonly code: ProblemCode | 'unknown'
  /** With 503 and 429: why. */
  readonly reason: Problem['reason']
  /** Each wrong member of the request, with its JSON pointer. */
  readonly errors: readonly MemberError[]
  /** The id of the request in the service's log. */
  readonly requestId: string | undefined
  readonly headers: Headers
  /** Milliseconds that the response asks to wait before the next attempt. */
  readonly retryAfterMs: number | undefined

  constructor(status: number, headers: Headers, problem: Partial<Problem>) {
    super(problem.detail ?? `The response has the status ${status} and is not of the API.`)
    this.status = status
    this.code = problem.code ?? 'unknown'
    this.reason = problem.reason
    this.errors = problem.errors ?? []
    this.requestId = problem.requestId ?? headers.get('x-request-id') ?? undefined
    this.headers = headers
    this.retryAfterMs = retryAfterMs(headers.get('retry-after'))
  }
}

/** `Retry-After` as milliseconds: it contains seconds or a date. */
function retryAfterMs(value: string | null): number | undefined {
  const ms = /^\d+$/.test(value ?? '') ? Number(value) * 1000 : Date.parse(value ?? '') - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}
