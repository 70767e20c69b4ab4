// A route is data: method, path, who may call, what goes in and out, and the function that answers. Server, reference and sweep tests fold over the same list.

import type { Condition } from '../core/etag.ts'
import type { Claim } from '../core/idempotency-claim.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import type { MemberError, ProblemCode } from '../core/problem.ts'
import type { Permission, Role, Scope } from '../core/scope.ts'
import type { Visit } from './auth/cookie.ts'
import type { TakenText, TextBody } from './connection/streamed-body.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call: a company's key, an organization's key, or in place of either a person who is signed in and says which one is
 * meant; a person who is signed in, and no key; or anybody.
 */
export type Surface = 'company' | 'organization' | 'person' | 'public'

/** What the verb needs (pos-api.md, Authentication 3). */
const permissionOf: Record<Method, Permission> = {
  GET: 'read',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
}

/** The permission that a key needs for a route: the route's own, or that of its verb. */
export const neededPermission = ({
  method,
  permission,
}: {
  readonly method: Method
  readonly permission?: Permission | undefined
}): Permission => permission ?? permissionOf[method]

/**
 * Where a request waits for its turn. `bulk` and `other`: before its handler, in a line of its company (`fair-semaphore.ts`).
 * `none`: not there, because its statements are gathered (`concurrency/batcher.ts`) or have a lane of their own (`engine/list.ts`),
 * or because it needs no connection.
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
  /** The body of a route that takes text; undefined elsewhere. */
  readonly text: TextBody | undefined
  /** What of the body parsing lost or storage cannot hold, by pointer; none but where `isBulk`, elsewhere it is refused. */
  readonly losses: readonly MemberError[]
  /** There when the request carries an Idempotency-Key: what the work has to write in its own transaction. */
  readonly claim: Claim | undefined
  /** The version of the record that `If-Match` asks for; none but where the route takes it. */
  readonly ifMatch: Condition | undefined
  /** Whether the caller has what bears this tag already, by `If-None-Match`: then 304 is the answer. */
  readonly knows: (etag: string) => boolean
  /** `Last-Event-ID`; none but where the route takes it. */
  readonly lastEventId: string | undefined
  /**
   * Throws the problem that the key is answered by now: it was deleted or expired since the request came, or its company is
   * suspended. At once while the key is in memory. For what is answered long after it was asked.
   */
  readonly recheck: () => void | Promise<void>
  /** Path without query, for links. */
  readonly path: string
  /** Query as it was sent, for links. */
  readonly search: string
  /** Whether the caller takes an answer in this content coding (RFC 9110, section 12.5.3): `br`, `gzip`. */
  readonly accepts: (coding: string) => boolean
  /** The network that the request comes from: in whose line those wait who come without a key. */
  readonly network: () => string
  /** The browser that calls: its cookie, address and name. */
  readonly visit: () => Visit
  /** Whether nobody hears the answer any more: the deadline has passed, or the caller has gone. What has not begun by then is left. */
  readonly isGone: () => boolean
  /** Calls a function when the answer is over, taken or not; at once when it is. */
  readonly closed: (listener: () => void) => void
  /** Breaks the connection in the middle of an answer that nobody may hear any more. */
  readonly cut: () => void
  /**
   * Tells how many bytes the answer will have at least, as soon as that is known, so that they are counted while the
   * rest of it is made. Throws 503 `unavailable` when there is no room for them.
   */
  readonly expect: (bytes: number) => void
}

/** An answer: status, JSON text ready to send, and headers besides the content type. */
export interface Answer<Body = string> {
  readonly status: number
  readonly body: Body
  /** Sent instead of `body`, piece by piece as it is taken; left when the caller goes, and cut off when it throws. */
  readonly stream?: AsyncIterable<string | Buffer>
  /** One that is a list is sent once for each. */
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** Other than application/json. */
  readonly contentType?: string
}

/** A successful answer as the reference shows it. */
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
   * On a public route: a company's key in `x-api-key` is checked as on the company surface, and its company is the call's
   * scope. Without that header the route is public as all others. For routes that the reference does not show.
   */
  readonly takesCompanyKey?: boolean
  /** On the company and the organization surface: only a person may call, with this role at least; a key is answered 403. */
  readonly forPeople?: Role
  /** The permission that a key needs, if it is not that of the verb. */
  readonly permission?: Permission
  /** There only a key may call, since the route is about it. */
  readonly forKeys?: boolean
  /** On a public route: refused where the browser says that another site's page makes the request. */
  readonly isForOwnPages?: boolean
  /** Unique name in the reference and in generated clients. */
  readonly operationId: string
  /** Chapter of the reference. */
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** Path parameters by name for the reference; one that is not here is the id of a record. */
  readonly params?: Readonly<Record<string, JsonSchema>>
  /** Query parameters by name; any other is refused. */
  readonly query?: Readonly<Record<string, JsonSchema>>
  /** Body for the reference; its check is the operation's. */
  readonly body?: { readonly schema: JsonSchema; readonly example?: unknown; readonly isOptional?: boolean }
  /** In place of JSON the body is a file, which the handler reads as it comes. An idempotency key is bound to the query too. */
  readonly takesText?: TakenText
  /** Largest body in bytes, where not `BODY_BYTES`: of what anybody may send. */
  readonly bodyBytes?: number
  /** The body is a list of items, each of which fails alone: what is lost of one is that item's error. */
  readonly isBulk?: boolean
  /** A success is one record: it is answered with an ETag, and a reader who has it already with 304. */
  readonly isRecord?: boolean
  /** The text that the record's ETag is made of, where its answer is another; made of the answer. */
  readonly tagged?: ((body: string) => string) | undefined
  /** A GET whose answers have ETags of their own, and which asks `knows` before it reads anything. */
  readonly takesIfNoneMatch?: boolean
  /** The write may be bound to a version of the record, by `If-Match`. */
  readonly takesIfMatch?: boolean
  /** A stream that goes on behind the header `Last-Event-ID`. */
  readonly takesLastEventId?: boolean
  /** Its answer may come late on purpose, so that it is no slow one. */
  readonly isHeldBack?: boolean
  /** A success holds a secret: what is kept of it for retries is sealed. */
  readonly hasSecret?: boolean
  /** Where it waits; by itself `bulk` where `isBulk`, and else `other`. */
  readonly semaphore?: SemaphoreName
  /** Milliseconds after which it is answered 503, where not `REQUEST_DEADLINE_MS`. */
  readonly deadlineMs?: number
  /** Its success first. */
  readonly replies: Readonly<Record<number, ReplyDocument>>
  /** Codes that the route answers besides those that every route of its surface can. */
  readonly problems?: readonly ProblemCode[]
  /** A page whose query is for the program in it: nothing of it is read, or refused. */
  readonly isPage?: boolean
  /** Left out of the reference: pages for people, and the reference itself. */
  readonly isHidden?: boolean
  /** A body of bytes is one that several answers share: it is counted among the answers only where `expect` is told of it. */
  readonly handle: (call: Call) => Answer | Answer<Buffer> | Promise<Answer | Answer<Buffer>>
}
