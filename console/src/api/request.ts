// The console's only way to call the server: the data it is about, the CSRF token, and problems as errors.
import { text } from '../texts/shell.ts'
import { ApiProblem, type ProblemBody, suspensionOf } from './problem.ts'
import type { SignIn } from './schemas.ts'

/** A company’s data. */
export type CompanyScope = { readonly companyId: string }

/** The data that a request is about: a company's, an organization's, or only the signed-in user's. */
export type Scope = CompanyScope | { readonly organizationId: string } | 'person'

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent as JSON; a Blob is sent unchanged, with its type. */
  readonly body?: unknown
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** Continues even if the page is closed. */
  readonly keepalive?: boolean
}

/** A success: the body and the headers. */
interface Reply<T> {
  readonly data: T
  readonly headers: Headers
}

let csrfToken: string | undefined
/** The user of the token: when another user signs in in a second tab, this tab must not write in that user's name. */
let tokenUserId: string | undefined
const listeners = new Set<(isRemoved: boolean) => boolean>()
/**
 * Writes that wait until the user, who is asked to sign in again, has done so; undefined if no user is asked. A call sends
 * one again, and settles with its response.
 */
let waiting: (() => Promise<unknown>)[] | undefined
const factorListeners = new Set<() => void>()
const suspensionListeners = new Set<() => void>()
const roleListeners = new Set<() => void>()

/** Keeps the token of the sign-in, only in this page's memory. */
export function setCsrfToken(token: string | undefined, userId?: string): void {
  csrfToken = token
  tokenUserId = userId
}

/** Listens for responses that say that no user is signed in, or that the user was removed; `heard` returns whether the user is asked to sign in again. */
export function onSignedOut(heard: (isRemoved: boolean) => boolean): () => void {
  listeners.add(heard)
  return () => void listeners.delete(heard)
}

/** Listens for responses that say that a company or organization requires a second factor, which this sign-in lacks. */
export function onSecondFactorMissing(heard: () => void): void {
  factorListeners.add(heard)
}

/** Listens for responses that say that the company is suspended, other than to reading the company itself. */
export function onSuspended(heard: () => void): void {
  suspensionListeners.add(heard)
}

/** Listens for responses that say that the user's role allows less than the page offers: it was changed meanwhile. */
export function onRoleRefused(heard: () => void): void {
  roleListeners.add(heard)
}

/** Notifies the listeners that no user is signed in any longer. */
export function tellSignedOut(isRemoved = false): void {
  for (const heard of listeners) if (heard(isRemoved)) waiting ??= []
}

/** Sends the writes again that wait until the same user has signed in again; settles when each has its response. */
export async function tellSignedIn(): Promise<void> {
  const ready = waiting ?? []
  waiting = undefined
  await Promise.allSettled(ready.map((goOn) => goOn()))
}

/**
 * Runs a write. If it is refused because the sign-in has ended, nothing was done: it runs again once the same user has
 * signed in again, over the page. If it is aborted meanwhile, it does not.
 */
export async function untilSignedIn<T>(write: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  let attempt = write()
  for (;;) {
    try {
      return await attempt
    } catch (error) {
      const isSignedOut = error instanceof ApiProblem && ['missing_key', 'not_signed_in'].includes(error.code)
      const queue = waiting
      if (!isSignedOut || queue === undefined) throw error
      signal?.throwIfAborted()
      await new Promise<void>((goOn, stop) => {
        signal?.addEventListener('abort', () => stop(signal.reason), { once: true })
        queue.push(async () => {
          if (signal?.aborted) return
          attempt = write()
          goOn()
          await attempt
        })
      })
    }
  }
}

/** The path with those query parameters that are set. */
export function urlOf(path: string, query: RequestOptions['query'] = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') parameters.set(name, String(value))
  const wanted = parameters.toString()
  return wanted === '' ? path : `${path}?${wanted}`
}

const ownerHeaders = (scope: Scope): Record<string, string> => {
  if (scope === 'person') return {}
  return 'companyId' in scope ? { 'x-company-id': scope.companyId } : { 'x-organization-id': scope.organizationId }
}

/** Headers of a write: the data that it is about, and proof that it comes from the console. */
export const writeHeaders = (scope: Scope): Record<string, string> => ({
  ...ownerHeaders(scope),
  ...(csrfToken !== undefined && { 'x-csrf-token': csrfToken }),
})

/** Paths of signing in and out, whose refusals the pages that call them explain. */
const isOfSigningIn = (path: string): boolean =>
  path === '/v1/console/sign-in' || /^\/v1\/console\/(link|passkey-sign-in|sso)/.test(path)

/** Notifies the listeners of problems that concern more than the request, and returns it: how the user is signed in, the role, or a suspension. */
export function reported(problem: ApiProblem, path: string): ApiProblem {
  if (problem.status === 401 && !isOfSigningIn(path)) tellSignedOut(problem.isRemoved)
  // On the user's own pages the message says it.
  if (problem.code === 'second_factor_missing' && !path.startsWith('/v1/console/'))
    for (const heard of factorListeners) heard()
  if (problem.isAboutRole) for (const heard of roleListeners) heard()
  if (suspensionOf(problem) !== undefined && path !== '/v1/company') for (const heard of suspensionListeners) heard()
  return problem
}

/** Sends a request and returns the raw response. Throws `ApiProblem` for a failure or no response. */
export function send(scope: Scope, path: string, options: RequestOptions = {}): Promise<Response> {
  const isWrite = (options.method ?? 'GET') !== 'GET' && !isOfSigningIn(path)
  const sent = () => withToken(scope, path, options)
  return isWrite ? untilSignedIn(sent, options.signal) : sent()
}

/** Sends a request, and again if only its CSRF token is out of date. */
async function withToken(scope: Scope, path: string, options: RequestOptions): Promise<Response> {
  const response = await attempt(scope, path, options)
  if (response.ok) return response
  const problem = await problemOf(response)
  if (!isAboutToken(problem) || !(await refreshToken())) throw reported(problem, path)
  const again = await attempt(scope, path, options)
  if (again.ok) return again
  throw reported(await problemOf(again), path)
}

/** Whether the server refused the token because the same user has signed in again in another tab. */
const isAboutToken = ({ status, errors }: ApiProblem): boolean =>
  status === 403 && errors.some(({ pointer }) => pointer === 'x-csrf-token')

/** Reads the token of the current sign-in; false if another user is signed in. */
async function refreshToken(): Promise<boolean> {
  const response = await attempt('person', '/v1/console/sign-in', {})
  if (!response.ok) return false
  const { csrfToken: token, user } = (await response.json()) as SignIn
  if (tokenUserId !== undefined && user.id !== tokenUserId) return false
  setCsrfToken(token, user.id)
  return true
}

async function attempt(
  scope: Scope,
  path: string,
  { method = 'GET', body, query, headers, signal, keepalive }: RequestOptions,
): Promise<Response> {
  const isRaw = body instanceof Blob
  try {
    return await fetch(urlOf(path, query), {
      method,
      headers: {
        ...(method === 'GET' ? ownerHeaders(scope) : writeHeaders(scope)),
        ...(body !== undefined && !isRaw && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
      ...(keepalive && { keepalive }),
      credentials: 'same-origin',
    })
  } catch (error) {
    throw unanswered(error, signal)
  }
}

const unreachable = () => new ApiProblem(0, { code: 'unreachable', message: text.unreachableNow })

/** The error of a request without a complete answer; the page's own abort stays what it is. */
const unanswered = (error: unknown, signal: AbortSignal | undefined): unknown =>
  signal?.aborted ? error : unreachable()

/** Whether the server answers. */
export const isReachable = (): Promise<boolean> =>
  fetch('/v1/public/health').then(
    ({ ok }) => ok,
    () => false,
  )

/** Sends a request and reads its JSON response; the caller names its type, which is never inferred. */
export async function request<T = unknown>(
  scope: Scope,
  path: string,
  options: RequestOptions = {},
): Promise<NoInfer<Reply<T>>> {
  const response = await send(scope, path, options)
  const body = await response.text().catch((error) => {
    throw unanswered(error, options.signal)
  })
  return { data: (body === '' ? undefined : JSON.parse(body)) as T, headers: response.headers }
}

/** Only the body, for callers that need no headers. */
export const get = async <T = unknown>(scope: Scope, path: string, options: RequestOptions = {}): Promise<NoInfer<T>> =>
  (await request<T>(scope, path, options)).data

async function problemOf(response: Response): Promise<ApiProblem> {
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  try {
    return new ApiProblem(response.status, (await response.json()) as ProblemBody, retryAfter)
  } catch {
    // A proxy whose server is starting or away answers in its place.
    if ([502, 503, 504].includes(response.status)) return unreachable()
    return new ApiProblem(response.status, {}, retryAfter)
  }
}

/**
 * A key with which the server performs a write only once, however often it is sent. `crypto.randomUUID` is missing on pages
 * without https, such as those of a server in a shop's own network.
 */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
