// Errors from the server, as the console's pages use them: the message, and the members that it is about.
import { text } from '../texts/shell.ts'
import type { MemberError, Problem, ProblemCode } from './schemas.ts'

/** The most usual messages about a member, in the language of the console; all others are the API's, in English. */
function translated(error: MemberError, problem: string | undefined): string {
  const { code, pointer, format, limit, reason, message } = error
  const { wrong } = text
  if (code === 'suspended') return [text.suspended, reason].filter(Boolean).join(': ')
  // An error about the whole says which members it needs, and a conflict why the member is needed.
  if (code === 'required' && pointer !== '' && problem === 'validation_failed') return wrong.required
  if (format !== undefined) return wrong.formats[format as keyof typeof wrong.formats] ?? message
  if (code === 'open_session') return wrong.openSession
  if (code === 'minLength' && limit === 1) return wrong.empty
  if (code === 'minLength' && limit !== undefined) return wrong.tooShort(limit)
  return code === 'maxLength' && limit !== undefined ? wrong.tooLong(limit) : message
}

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
    this.errors = errors.map((error) => ({ ...error, message: translated(error, code) }))
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

/** The problem without its errors about a member, which is being corrected, and about the whole; undefined if none is left. */
export function withoutErrorsOf(problem: ApiProblem, member: string): ApiProblem | undefined {
  const isAbout = ({ pointer }: { readonly pointer: string }) =>
    pointer === '' || pointer === `/${member}` || pointer.startsWith(`/${member}/`)
  if (!problem.errors.some(isAbout)) return problem
  const errors = problem.errors.filter((error) => !isAbout(error))
  const { status, message, code, requestId } = problem
  return errors.length === 0 ? undefined : new ApiProblem(status, { message, code, errors, requestId } as ProblemBody)
}

/** Why a company is suspended, if that is the problem; empty if no reason was given. */
export function suspensionOf({ status, errors }: ApiProblem): string | undefined {
  const error = status === 403 ? errors.find(({ code }) => code === 'suspended') : undefined
  return error && (error.reason ?? '')
}

/** Messages by the pointer that they are about: `/billing/city` → "must be a string". */
export const messagesByPointer = (problem: ApiProblem | undefined): ReadonlyMap<string, string> =>
  new Map(problem?.errors.map(({ pointer, message }) => [pointer, message]))
