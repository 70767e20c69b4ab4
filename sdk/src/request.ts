// One request to the API: its attempts, their deadline, and which failures are tried again.
import { type ApiResponse, Call } from './call.ts'
import { ApiError, CashwrapError, ConnectionError, TimeoutError } from './errors.ts'
import { errorOf } from './generated/errors.ts'

/** What a client needs, and what its requests do unless they say otherwise. */
export interface ClientOptions extends RequestOptions {
  /** Where the service is, such as `https://pos.example.com`. */
  readonly baseUrl: string
  /** The key of a company: `posk_…`. */
  readonly apiKey?: string | undefined
  /** The key of an organization: `poso_…`. */
  readonly organizationKey?: string | undefined
  /** Sent in place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

/** What every method takes. */
export interface RequestOptions {
  /** Aborts the request: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for one attempt; 30,000 by default. */
  readonly timeoutMs?: number | undefined
  /** Milliseconds for all attempts together, with the waits between them; 120,000 by default. */
  readonly deadlineMs?: number | undefined
  /** How many times a request that failed is sent again; 6 by default, over 12 to 24 seconds if each fails at once. */
  readonly maxRetries?: number | undefined
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** What a write takes. */
export interface WriteOptions extends RequestOptions {
  /** Identifies the work, which is done once. Made by itself; set your own to repeat a write after a restart. */
  readonly idempotencyKey?: string | undefined
}

/** What a write of a version takes. */
export interface VersionOptions {
  /** The `etag` of the version that the write applies to; another version is a `VersionMismatchError`. */
  readonly ifMatch?: string | undefined
}

/** Bounds of a time; each may be absent. */
export type TimeBounds = { [Bound in 'gte' | 'lte' | 'gt' | 'lt']?: string | Date | undefined }

/** An operation of the API, with the ids of its path filled in. */
export interface Operation {
  readonly method: string
  readonly path: string
  readonly key?: 'company' | 'organization'
  /** Whether consecutive items of a bulk request that have the same `group` are carried out together. */
  readonly isGrouped?: boolean
  /** Whether it takes an idempotency key. */
  readonly isKeyed?: boolean
  /** Where the body is no JSON. With the type of all types, its Blob has its own. */
  readonly contentType?: string
  /** Whether the answer is a file, whatever its type. */
  readonly isFile?: boolean
}

/** Options of any method: besides those of requests, they are parameters of the query. */
export type AnyOptions = WriteOptions & VersionOptions & { readonly [parameter: string]: unknown }

/** The longest wait before the first retry; it doubles with each further one. */
const BACKOFF_MS = 500
const MOST_BACKOFF_MS = 8_000
/** What timers can hold. */
const LONGEST_MS = 2 ** 31 - 1
/** The work was not done, or by a repeatable request only once. 502 and 504 come from proxies. */
const passing = [408, 502, 503, 504]

/** The answer of a delete that an earlier attempt has done. */
const deleted = { statusCode: 200, message: 'The record is deleted.' }

/** Sends requests for all resources of a client. */
export class Core {
  readonly #client: ClientOptions
  readonly #fetch: typeof fetch

  constructor(client: ClientOptions) {
    // On a page, it may be empty: the page's own address.
    if (typeof client?.baseUrl !== 'string' || !/^(https?:\/\/|\/|$)/i.test(client.baseUrl))
      throw new TypeError('baseUrl must be the address of the service, such as http://127.0.0.1:8080.')
    this.#client = client
    this.#fetch = client.fetch ?? ((...request) => globalThis.fetch(...request))
  }

  /** Starts a request. */
  call<T>(operation: Operation, options: object = {}, body?: unknown): Call<T> {
    return new Call<T>(this.#send(operation, options as AnyOptions, body))
  }

  async #send<T>(operation: Operation, options: AnyOptions, body: unknown): Promise<ApiResponse<T>> {
    const set = this.settings(options)
    const [url, request] = this.#request(operation, options, body)
    const deadline = Date.now() + set.deadlineMs
    for (let attempts = 1, mayBeRepeated = false; ; attempts++)
      try {
        const response = await within(Math.min(set.timeoutMs, deadline - Date.now()), set.signal, async (stopped) => {
          // The body of a file is read later, when only the caller's own signal stops it.
          const signal = set.signal ? AbortSignal.any([stopped, set.signal]) : stopped
          const answer = await this.#answer(url, { ...request, signal })
          return { ...besides(answer), data: await bodyOf(answer, operation) }
        })
        return { ...response, data: response.data as T, attempts, mayBeRepeated }
      } catch (error) {
        if (!(error instanceof CashwrapError)) throw error
        error.attempts = attempts
        // An attempt whose answer was lost has deleted the record.
        if (mayBeRepeated && operation.method === 'DELETE' && error instanceof ApiError && error.code === 'not_found')
          return { ...besides(error), data: deleted as T, attempts, mayBeRepeated }
        const waitMs = waitBefore(attempts, error)
        if (attempts > set.maxRetries || !mayRepeat(operation, error) || Date.now() + waitMs > deadline) throw error
        mayBeRepeated ||= !(error instanceof ApiError) || error.status >= 500
        await sleep(waitMs, set.signal)
      }
  }

  /** Makes a request that is sent once; resolves to a success whose body is still to be read. */
  open(operation: Operation, options: AnyOptions): (signal: AbortSignal) => Promise<Response> {
    const [url, request] = this.#request(operation, options, undefined)
    return (signal) => this.#answer(url, { ...request, signal })
  }

  /** What applies to a request: its own options, else the client's, else the defaults. */
  settings({ signal, timeoutMs, deadlineMs, maxRetries }: RequestOptions) {
    const client = this.#client
    return {
      signal: signal ?? client.signal,
      timeoutMs: timeoutMs ?? client.timeoutMs ?? 30_000,
      deadlineMs: deadlineMs ?? client.deadlineMs ?? 120_000,
      maxRetries: maxRetries ?? client.maxRetries ?? 6,
    }
  }

  async #answer(url: string, request: RequestInit): Promise<Response> {
    const answer = await this.#fetch(url, request)
    if (answer.ok) return answer
    const body = await bodyOf(answer)
    throw errorOf(answer.status, answer.headers, typeof body === 'object' ? (body as object) : {})
  }

  /** A request that can be sent any number of times: the URL, and the rest. */
  #request(operation: Operation, options: AnyOptions, body: unknown): [string, RequestInit] {
    const { method, path, key, isKeyed, contentType = 'application/json' } = operation
    const { signal, timeoutMs, deadlineMs, maxRetries, headers, idempotencyKey, ifMatch, ...query } = options
    const { baseUrl, apiKey, organizationKey } = this.#client
    const sent = new Headers()
    const own = {
      'x-api-key': key === 'company' ? apiKey : undefined,
      'x-org-api-key': key === 'organization' ? organizationKey : undefined,
      'content-type': body === undefined ? undefined : contentType === '*/*' ? (body as Blob).type : contentType,
      'idempotency-key': isKeyed ? (idempotencyKey ?? newKey()) : undefined,
      'if-match': ifMatch,
    }
    // The caller's headers replace the SDK's, in any case.
    for (const some of [own, this.#client.headers ?? {}, headers ?? {}])
      for (const [name, value] of Object.entries(some)) if (value !== undefined) sent.set(name, value)
    const url = baseUrl.replace(/\/+$/, '') + path + queryOf(query)
    // A redirect would take the key to another server.
    const request: RequestInit = { method, headers: sent, redirect: 'manual' }
    if (body !== undefined) request.body = contentType === 'application/json' ? jsonOf(body) : (body as Blob)
    // Throws a TypeError for what can never be sent, such as to a wrong URL: `fetch` would fail as if the connection had.
    void new Request(url, request)
    return [url, request]
  }
}

/** A new idempotency key. `crypto.randomUUID` is missing on pages without https. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** An id as a segment of a path. */
export function segment(id: string): string {
  if (typeof id === 'string' && !/^\.{0,2}$/.test(id)) return encodeURIComponent(id)
  throw new TypeError(`An id must be a text that is not empty, not ${JSON.stringify(id)}.`)
}

/** A body as JSON, which has no number for NaN: it would become null, and clear the member. */
const jsonOf = (body: unknown): string =>
  JSON.stringify(body, (name, value) => {
    if (typeof value !== 'number' || Number.isFinite(value)) return value
    throw new TypeError(`${name} must be a finite number, not ${value}.`)
  })

/**
 * A query: members of objects in brackets, arrays as repeated parameters, whose values may contain commas. Throws for an
 * empty array: the service would take it for a filter that was not sent, and return all records.
 */
function queryOf(query: object, name = (member: string) => member): string {
  const parts = Object.entries(query).flatMap(([member, value]): string | string[] => {
    if (value === undefined || value === null) return []
    if (Array.isArray(value) && value.length === 0)
      throw new TypeError(
        `${member} must not be an empty array, which would filter nothing. Leave it out for all records.`,
      )
    if (Array.isArray(value) && value.length > 1) return value.map((one) => queryOf({ [member]: one }, name).slice(1))
    const text = value instanceof Date ? value.toISOString() : value
    if (typeof text !== 'object' || Array.isArray(text))
      return [`${encodeURIComponent(name(member))}=${encodeURIComponent(String(text))}`]
    return queryOf(text, (bound) => `${member}[${bound}]`).slice(1) || []
  })
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

/** The value of a JSON body, the stream of a file of any size, the text of a short one or of a proxy's error. */
async function bodyOf(answer: Response, { isFile }: Pick<Operation, 'isFile'> = {}): Promise<unknown> {
  const type = answer.headers.get('content-type') ?? ''
  if (answer.ok && isFile) return answer.body
  const text = await answer.text()
  if (/[/+]json\b/.test(type)) return JSON.parse(text)
  if (!answer.ok || /^text\/csv\b/.test(type)) return text
  throw new ApiError(answer.status, answer.headers, { detail: 'This is no answer of Cashwrap: is baseUrl right?' })
}

const besides = ({ status, headers }: Pick<Response, 'status' | 'headers'>) => ({
  status,
  headers,
  requestId: headers.get('x-request-id') ?? undefined,
  etag: headers.get('etag') ?? undefined,
  isReplay: headers.has('idempotent-replayed'),
})

/** Whether a request may be sent again after a failure. One that is not repeatable only if the first was not carried out. */
export function mayRepeat({ method, isKeyed }: Operation, error: unknown): boolean {
  const isRepeatable = isKeyed === true || method === 'GET' || method === 'DELETE'
  if (!(error instanceof ApiError)) return isRepeatable && error instanceof CashwrapError
  if (error.status === 429) return true
  return isRepeatable && (passing.includes(error.status) || error.code === 'idempotency_in_progress')
}

/**
 * Milliseconds before the next attempt: what the server asks for, and a wait that grows. Half of it is random, so that
 * clients do not return together; the other half is not, so that all waits together outlast the restart of a server.
 */
export function waitBefore(attempts: number, error: unknown): number {
  const asked = (error instanceof ApiError && error.retryAfterMs) || 0
  return asked + ((1 + Math.random()) / 2) * Math.min(MOST_BACKOFF_MS, BACKOFF_MS * 2 ** (attempts - 1))
}

/** Why a connection failed: in Node, the error of `fetch` has the reason as its cause. */
function reasonOf(error: unknown): string {
  const { message, code } = ((error as Error).cause ?? error) as { message?: string; code?: string }
  return message || code || String(error)
}

/** Does work that is aborted by a signal or after a time; its failure is an error of this package, or the signal's reason. */
export async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stopping = new AbortController()
  const stop = () => stopping.abort(signal?.reason)
  const late = new TimeoutError(`No answer came within ${ms} ms.`)
  const timer = setTimeout(() => stopping.abort(late), Math.min(ms, LONGEST_MS))
  signal?.addEventListener('abort', stop)
  try {
    signal?.throwIfAborted()
    return await work(stopping.signal)
  } catch (error) {
    if (stopping.signal.aborted) throw stopping.signal.reason
    if (signal?.aborted || error instanceof CashwrapError) throw error
    throw new ConnectionError(`The connection failed, or broke before the answer was complete: ${reasonOf(error)}`, {
      cause: error,
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

/** Waits, unless the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
  })
}
