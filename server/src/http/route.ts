// A route is data: method, path, allowed callers, input and output, and the handler. Server, reference and sweep tests
// are derived from the same list.

import type { IncomingHttpHeaders } from 'node:http'
import type { Condition } from '../core/etag.ts'
import type { Claim } from '../core/idempotency-claim.ts'
import type { IsGone } from '../core/is-gone.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import type { MemberError, ProblemCode } from '../core/problem.ts'
import type { Permission, Role, Scope } from '../core/scope.ts'
import type { Visit } from './auth/cookie.ts'
import type { FileBody, TakenFile } from './connection/streamed-body.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * The allowed callers. `company` and `organization`: a key of the company or organization, or a signed-in user who
 * names it. `person`: a signed-in user, and no key. `public`: any caller.
 */
export type Surface = 'company' | 'organization' | 'person' | 'public'

/** The permission of the verb (pos-api.md, Authentication 3). */
const permissionOf: Record<Method, Permission> = {
  GET: 'read',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
}

/**
 * The resource of a route, as keys that are limited to resources name it: the first word of its path, in the singular.
 * `/v1/api/categories/{id}` is of `category`.
 */
export const resourceOf = ({ path }: Pick<Route, 'path'>): string =>
  (/^\/v1\/(?:api\/)?([^/]+)/.exec(path)?.[1] ?? '').replace(/ies$/, 'y').replace(/s$/, '')

/** What decides who may call a route. */
interface Guarded extends Pick<Route, 'method' | 'permission'> {
  readonly forPeople?: Role | undefined
}

/** The permissions that a key needs for a route: the route's own, or that of its verb. */
export const neededPermissions = ({ method, permission = permissionOf[method] }: Guarded): readonly Permission[] =>
  typeof permission === 'string' ? [permission] : permission

/** The lowest role that a route needs: a viewer may call a route for which a key needs only `read`. */
export const neededRole = (route: Guarded): Role =>
  route.forPeople ?? (neededPermissions(route).every((needed) => needed === 'read') ? 'viewer' : 'admin')

/**
 * Where a request waits for its turn. `bulk` and `other`: before its handler, in its company's queue
 * (`fair-semaphore.ts`). `none`: it does not wait there, because its statements are batched (`concurrency/batcher.ts`)
 * or have a semaphore of their own (`engine/lists/list.ts`), or because it needs no connection.
 */
export type SemaphoreName = 'bulk' | 'other' | 'none'

/** The request as a handler sees it: checked as far as the route's schemas say. */
export interface Call {
  readonly scope: Scope
  readonly params: Readonly<Record<string, string>>
  /** Query parameters after the schemas: numbers and booleans converted, unset ones absent. */
  readonly query: Readonly<Record<string, any>>
  /** The JSON body; undefined where the route takes none. Its members are checked by the operation. */
  readonly body: unknown
  /** The body of a route that takes a file; undefined elsewhere. */
  readonly file: FileBody | undefined
  /** What parsing the body lost or PostgreSQL cannot store, by pointer. Only where `isBulk`; elsewhere it is refused. */
  readonly lossyValues: readonly MemberError[]
  /** Present when the request carries an Idempotency-Key: what the work has to write in its own transaction. */
  readonly claim: Claim | undefined
  /** The version of the record that `If-Match` requires; only where the route takes it. */
  readonly ifMatch: Condition | undefined
  /** Whether the caller already has this tag (`If-None-Match`), so that the response is 304. */
  readonly knows: (etag: string) => boolean
  /** `Last-Event-ID`; only where the route takes it. */
  readonly lastEventId: string | undefined
  /** The header fields as they were sent, with the key in `x-api-key`; only where the route takes a bearer token. */
  readonly headers: IncomingHttpHeaders | undefined
  /**
   * Authorizes the request again. Throws a problem if the key has become invalid: it was deleted or expired since the
   * request arrived, or its company is suspended. Synchronous while the key is cached. Used when something is read or
   * sent long after the request arrived.
   */
  readonly authorizeAgain: () => void | Promise<void>
  /** Path without query, for links. */
  readonly path: string
  /** The query as it was sent, for links. */
  readonly search: string
  /** Whether the caller accepts a response in this content coding (RFC 9110, section 12.5.3): `br`, `gzip`. */
  readonly accepts: (coding: string) => boolean
  /** The network that the request comes from, which is the tenant of requests without a key. */
  readonly network: () => string
  /** The calling browser: its cookie, address and name. */
  readonly visit: () => Visit
  /** Whether no client waits for the response: the deadline has passed, or the client has gone. Work that has not begun is skipped then. */
  readonly isGone: IsGone
  /**
   * Calls a function when the response has ended, whether or not the client received it; at once if it has already
   * ended.
   */
  readonly closed: (listener: () => void) => void
  /** Breaks the connection in the middle of a response that the client may no longer receive. */
  readonly cut: () => void
  /**
   * Announces the minimum length of the response in bytes as soon as it is known, so that it is counted while the rest
   * is made. Throws 503 `unavailable` when the memory budget has no space for it.
   */
  readonly expect: (bytes: number) => void
}

/** A response: status, JSON text ready to send, and headers besides the content type. */
export interface Answer<Body = string> {
  readonly status: number
  readonly body: Body
  /** Sent instead of `body`, chunk by chunk as the client takes it; dropped when the client leaves, and cut off when it throws. */
  readonly stream?: AsyncIterable<string | Buffer>
  /** A list is sent as one header per value. */
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** Other than application/json. */
  readonly contentType?: string
}

/** A successful response whose text is ready, and one of a value as JSON. */
export const ok = (body: string, status = 200): Answer => ({ status, body })
export const json = (value: unknown, status = 200): Answer => ok(JSON.stringify(value), status)

/** A successful response in the reference. */
export interface ReplyDocument {
  readonly description: string
  readonly schema: JsonSchema
  /** Other than application/json. */
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly example?: unknown
}

export interface Route {
  readonly method: Method
  /** OpenAPI form: `/v1/customer/{id}`. */
  readonly path: string
  readonly surface: Surface
  /**
   * On a public route: a company's key in `x-api-key` is checked as on the company surface, and its company is the
   * call's scope. Without that header the route is as public as any other. For routes that are not in the reference.
   */
  readonly takesCompanyKey?: boolean
  /** The key may be a bearer token, a refusal says so, and pages of other sites are refused. The handler gets the request's headers. */
  readonly takesBearer?: boolean
  /** On the company and the organization surface: only a user with at least this role may call; a key gets 403. */
  readonly forPeople?: Role
  /**
   * If the database keeps companies apart: the statements of a company's caller also reach rows of no company, such as
   * accounts of people. Each such route is named in a test.
   */
  readonly reachesEverything?: true
  /** The permission or permissions that a key needs, if other than that of the verb. */
  readonly permission?: Permission | readonly Permission[] | undefined
  /**
   * Whether a key that is limited to resources may call, if that does not depend on the resource of the path. `always`:
   * the route shows and changes no records itself. `never`: it shows or changes records of any resource.
   */
  readonly limitedKeys?: 'always' | 'never'
  /** Only a key may call, since the route describes it. */
  readonly forKeys?: boolean
  /** On a public route: refused where the browser says that another site's page makes the request. */
  readonly isForOwnPages?: boolean
  /** What other APIs have in place of the word after `/v1/`, in the singular. */
  readonly alsoCalled?: readonly string[]
  /** Unique name in the reference and in generated clients. */
  readonly operationId: string
  /** Chapter of the reference. */
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** Path parameters by name for the reference; others are the id of a record. */
  readonly params?: Readonly<Record<string, JsonSchema>>
  /** Query parameters by name; any other is refused. */
  readonly query?: Readonly<Record<string, JsonSchema>>
  /** The list of the same records that has filters; the error about an unknown parameter names it. */
  readonly filteredList?: string
  /** The body for the reference; the operation checks it. */
  readonly body?: { readonly schema: JsonSchema; readonly example?: unknown; readonly isOptional?: boolean }
  /** In place of JSON the body is a file, which the handler reads as it arrives. An idempotency key is bound to the query too. */
  readonly takesFile?: TakenFile
  /** Largest body in bytes, if not `BODY_BYTES`: for bodies that need no key. */
  readonly bodyBytes?: number
  /** The body is a list of items, and each fails alone: a loss in one is that item's error. */
  readonly isBulk?: boolean
  /** A success is one record: the response has an ETag, and a reader that has the same version gets 304. */
  readonly isRecord?: boolean
  /**
   * The record without its secret, where the response has one: the text from which its ETag is computed, and what a dry run
   * shows. Computed from the response, of a bulk request from each record.
   */
  readonly tagged?: ((body: string) => string) | undefined
  /** A GET that sets the ETags of its responses itself, and calls `knows` before it reads anything. */
  readonly takesIfNoneMatch?: boolean
  /** The write may be bound to a version of the record, by `If-Match`. */
  readonly takesIfMatch?: boolean
  /** A stream that resumes after the header `Last-Event-ID`. */
  readonly takesLastEventId?: boolean
  /** Its response may be late on purpose, so it does not count as slow. */
  readonly isHeldBack?: boolean
  /** A success holds a secret: the response that is kept for retries is sealed. */
  readonly hasSecret?: boolean
  /** Where it waits; by default `bulk` where `isBulk`, and else `other`. */
  readonly semaphore?: SemaphoreName
  /** Milliseconds after which it is answered 503, if not `REQUEST_DEADLINE_MS`. */
  readonly deadlineMs?: number
  /** Its success first. */
  readonly replies: Readonly<Record<number, ReplyDocument>>
  /** Codes that the route returns besides those that every route of its surface can. */
  readonly problems?: readonly ProblemCode[]
  /** A page whose query is meant for its own script: the query is neither read nor refused. */
  readonly isPage?: boolean
  /** Left out of the reference: pages for people, and the reference itself. */
  readonly isHidden?: boolean
  /** A body of bytes is shared by several responses: it is counted against the memory budget only where `expect` is called. */
  readonly handle: (call: Call) => Answer | Answer<Buffer> | Promise<Answer | Answer<Buffer>>
}
