// The one way in which the console talks to the server: whose data, the token that proves the request is its own, and problems as errors.
import { text } from '../texts/shell.ts'
import { ApiProblem, type ProblemBody } from './problem.ts'

/** Whose data a request is about: a company's, an organization's, or only the person who is signed in. */
export type Whose = { readonly companyId: string } | { readonly organizationId: string } | 'person'

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent as JSON; a Blob is sent as it is, with its type. */
  readonly body?: unknown
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** Goes on though the page is closed. */
  readonly keepalive?: boolean
}

/** A success: what was answered, and its headers. */
interface Reply<T> {
  readonly data: T
  readonly headers: Headers
}

let csrfToken: string | undefined
/** Whose token it is: who signs in as another in a second tab must not write here in that one's name. */
let tokenUserId: string | undefined
const listeners = new Set<() => void>()

/** Keeps the token of the sign-in; it lives in this page's memory and nowhere else. */
export function setCsrfToken(token: string | undefined, userId?: string): void {
  csrfToken = token
  tokenUserId = userId
}

/** Hears whenever the server says that nobody is signed in any more. */
export function onSignedOut(heard: () => void): () => void {
  listeners.add(heard)
  return () => void listeners.delete(heard)
}

/** Tells whoever listens that nobody is signed in any more. */
export function tellSignedOut(): void {
  for (const heard of listeners) heard()
}

/** Path with the query's members that are set. */
export function urlOf(path: string, query: RequestOptions['query'] = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') parameters.set(name, String(value))
  const wanted = parameters.toString()
  return wanted === '' ? path : `${path}?${wanted}`
}

const ownerHeaders = (whose: Whose): Record<string, string> => {
  if (whose === 'person') return {}
  return 'companyId' in whose ? { 'x-company-id': whose.companyId } : { 'x-organization-id': whose.organizationId }
}

/** What the headers of a write say: whose data it is about, and that it is the console's own. */
export const writeHeaders = (whose: Whose): Record<string, string> => ({
  ...ownerHeaders(whose),
  ...(csrfToken !== undefined && { 'x-csrf-token': csrfToken }),
})

/** Tells who listens where nobody is signed in any more, and gives the problem back. */
export function told(problem: ApiProblem, path: string): ApiProblem {
  if (problem.status === 401 && path !== '/v1/console/sign-in' && !path.startsWith('/v1/console/link')) tellSignedOut()
  return problem
}

/** Sends a request and gives the response as it comes; throws `ApiProblem` for one that is no success or never came. */
export async function send(whose: Whose, path: string, options: RequestOptions = {}): Promise<Response> {
  const response = await attempt(whose, path, options)
  if (response.ok) return response
  const problem = await problemOf(response)
  if (!isAboutToken(problem) || !(await refreshToken())) throw told(problem, path)
  const again = await attempt(whose, path, options)
  if (again.ok) return again
  throw told(await problemOf(again), path)
}

/** Whether the server refused the token: the same person has signed in anew, in another tab. */
const isAboutToken = ({ status, errors }: ApiProblem): boolean =>
  status === 403 && errors.some(({ pointer }) => pointer === 'x-csrf-token')

/** Asks for the token of the sign-in as it is now; false where it is somebody else's. */
async function refreshToken(): Promise<boolean> {
  const response = await attempt('person', '/v1/console/sign-in', {})
  if (!response.ok) return false
  const { csrfToken: token, user } = (await response.json()) as { csrfToken: string; user: { id: string } }
  if (tokenUserId !== undefined && user.id !== tokenUserId) return false
  setCsrfToken(token, user.id)
  return true
}

async function attempt(
  whose: Whose,
  path: string,
  { method = 'GET', body, query, headers, signal, keepalive }: RequestOptions,
): Promise<Response> {
  const isRaw = body instanceof Blob
  try {
    return await fetch(urlOf(path, query), {
      method,
      headers: {
        ...(method === 'GET' ? ownerHeaders(whose) : writeHeaders(whose)),
        ...(body !== undefined && !isRaw && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
      ...(keepalive && { keepalive }),
      credentials: 'same-origin',
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiProblem(0, { code: 'unreachable', message: text.unreachableNow })
  }
}

/** Sends a request and reads its JSON answer. */
export async function request<T>(whose: Whose, path: string, options: RequestOptions = {}): Promise<Reply<T>> {
  const response = await send(whose, path, options)
  const body = await response.text()
  return { data: (body === '' ? undefined : JSON.parse(body)) as T, headers: response.headers }
}

/** The answer alone, for where its headers say nothing. */
export const get = async <T>(whose: Whose, path: string, options: RequestOptions = {}): Promise<T> =>
  (await request<T>(whose, path, options)).data

async function problemOf(response: Response): Promise<ApiProblem> {
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  try {
    return new ApiProblem(response.status, (await response.json()) as ProblemBody, retryAfter)
  } catch {
    return new ApiProblem(response.status, {}, retryAfter)
  }
}

/** A key under which the server does a write once, however often it is sent. */
export const newIdempotencyKey = (): string => crypto.randomUUID()
