// Errors from the server, as the console's pages use them: the message, and the members that it is about.
import { text as problems } from '../texts/problems.ts'
import { text } from '../texts/shell.ts'
import type { MemberError, Problem, ProblemCode } from './schemas.ts'

/** A text of the console for a word of the API, if it has one. */
const textFor = <Value>(texts: Readonly<Record<string, Value>>, word: string | undefined): Value | undefined =>
  word !== undefined && Object.hasOwn(texts, word) ? texts[word] : undefined

/** What a problem says as a whole, by its reason or its code; undefined if only the API says it. */
const saidOf = (
  { reason, code, message, errors = [] }: ProblemBody,
  retryAfter: number | undefined,
): string | undefined =>
  (reason === 'password_guesses' && retryAfter !== undefined
    ? problems.passwordGuesses(Math.ceil(retryAfter / 60))
    : undefined) ??
  textFor(problems.reasons, reason) ??
  textFor(problems.busy, reason) ??
  textFor(problems.places, missingPlace(code, message)) ??
  textFor(problems.codes, code) ??
  textFor(problems.signIn, code) ??
  // What is wrong with a member is said there.
  (errors.length === 0 ? withDetail(textFor(problems.refusals, code), message) : undefined)

/** The company or organization of a request, where the user has lost it: not the record that the page is about. */
const missingPlace = (code: string | undefined, message: string | undefined): string | undefined =>
  code === 'not_found' ? /^There is no (company|organization) with id /.exec(message ?? '')?.[1] : undefined

/** A text, and the API's sentence, which names what is missing. */
const withDetail = (said: string | undefined, message: string | undefined): string | undefined =>
  said && message ? `${said} (${message})` : said

/** The usual messages about a member, in the language of the console; all others are the API's, in English. */
function translated(error: MemberError, problem: string | undefined): string {
  const { code, pointer, format, limit, count, reason, message } = error
  const { wrong } = text
  if (code === 'suspended') return [text.suspended, reason].filter(Boolean).join(': ')
  // An error about the whole says which members it needs, and a conflict why the member is needed.
  if (code === 'required' && pointer !== '' && problem === 'validation_failed') return wrong.required
  if (format !== undefined) return wrong.formats[format as keyof typeof wrong.formats] ?? message
  if (code === 'open_session') return wrong.openSession
  if (code === 'plan_limit' && limit !== undefined && count !== undefined) return problems.planLimit(limit, count)
  // Only a line of a sale has the units that are left.
  if (code === 'stock' && limit !== undefined) return problems.stockShort(Number(pointer.split('/').at(-1)) + 1, limit)
  if (code === 'minLength' && limit === 1) return wrong.empty
  if (code === 'minLength' && limit !== undefined) return wrong.tooShort(limit)
  if (code === 'maxLength' && limit !== undefined) return wrong.tooLong(limit)
  return (limit !== undefined && textFor(problems.members, code)?.(limit)) || textFor(problems.values, code) || message
}

/** A response that is not a success. `status` 0: the server could not be reached. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly errors: readonly MemberError[]
  readonly requestId: string | undefined
  /** Whether the user's account was deleted, so that no password signs them in again. */
  readonly isRemoved: boolean
  /** Whether the role of the user, or what is left of it, does not allow the request. */
  readonly isAboutRole: boolean
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined

  constructor(status: number, body: ProblemBody, retryAfter: number | undefined = undefined) {
    const { message, code, errors = [], requestId, reason } = body
    const rule = textFor(problems.reasons, reason)
    const [first] = errors
    // The limit of a plan, which is said as a whole and about the one item.
    const whole = first !== undefined && first.message === message ? translated(first, code) : message
    super(saidOf(body, retryAfter) ?? whole ?? text.answered(status))
    this.status = status
    this.code = code ?? 'unknown'
    // A rule that one member breaks has the same sentence there.
    const saidAt = (error: MemberError) => (error.message === message && rule) || translated(error, code)
    this.errors = errors.map((error) => ({ ...error, message: saidAt(error) }))
    this.requestId = requestId
    this.isRemoved = status === 401 && reason === 'membership_removed'
    this.isAboutRole =
      status === 403 && ['admin_required', 'owner_required', 'membership_removed'].includes(reason ?? '')
    this.retryAfter = retryAfter
  }

  get isUnreachable(): boolean {
    return this.status === 0
  }
}

/** Members of `application/problem+json` that the console reads. */
export type ProblemBody = Partial<Pick<Problem, 'message' | 'reason' | 'errors' | 'requestId'>> & {
  /** The console's own codes: no server answered; an input holds text that is no value of it. */
  readonly code?: ProblemCode | 'unreachable' | 'unreadable'
}

/** The problem of an item of a bulk result. */
export type ItemProblem = Pick<Problem, 'statusCode' | 'message'> & Partial<Pick<Problem, 'code' | 'reason' | 'errors'>>

export const asProblem = (error: unknown): ApiProblem =>
  error instanceof ApiProblem
    ? error
    : new ApiProblem(-1, { message: error instanceof Error ? error.message : String(error) })

/** What became of one item of a bulk request, in the language of the console. */
export function itemMessage({ statusCode, ...body }: ItemProblem): string {
  const { errors, message } = new ApiProblem(statusCode, body)
  return errors[0]?.message ?? message
}

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
