// Errors from the server, as the console's pages use them: the message, and the members that it is about.
import { text } from '../texts/shell.ts'
import type { MemberError, Problem, ProblemCode } from './schemas.ts'

/** A response that is not a success. `status` 0: the server could not be reached. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly errors: readonly MemberError[]
  readonly requestId: string | undefined
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    { message, code, errors = [], requestId }: ProblemBody,
    retryAfter: number | undefined = undefined,
  ) {
    super(message ?? text.answered(status))
    this.status = status
    this.code = code ?? 'unknown'
    this.errors = errors
    this.requestId = requestId
    this.retryAfter = retryAfter
  }

  get isUnreachable(): boolean {
    return this.status === 0
  }
}

/** Members of `application/problem+json` that the console reads. */
export type ProblemBody = Partial<Pick<Problem, 'message' | 'errors' | 'requestId'>> & {
  /** The console's own codes: no server answered; an input holds text that is no value of it. */
  readonly code?: ProblemCode | 'unreachable' | 'unreadable'
}

export const asProblem = (error: unknown): ApiProblem =>
  error instanceof ApiProblem
    ? error
    : new ApiProblem(-1, { message: error instanceof Error ? error.message : String(error) })

/** Messages by the pointer that they are about: `/billing/city` → "must be a string". */
export const messagesByPointer = (problem: ApiProblem | undefined): ReadonlyMap<string, string> =>
  new Map(problem?.errors.map(({ pointer, message }) => [pointer, message]))
