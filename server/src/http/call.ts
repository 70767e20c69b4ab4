// What a route's handler receives: the request, checked as far as the route's declaration says.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Condition, isKnown } from '../core/etag.ts'
import type { Claim } from '../core/idempotency-claim.ts'
import { LONG_ANSWER_BYTES } from '../core/limits.ts'
import { busy, deadlinePassed } from '../core/problem.ts'
import { Scope } from '../core/scope.ts'
import { visitOf } from './auth/cookie.ts'
import { networkOfClient } from './auth/rate-limit.ts'
import type { Answers } from './connection/response-memory.ts'
import type { FileBody } from './connection/streamed-body.ts'
import type { ReadBody } from './json.ts'
import type { Call, Route } from './route.ts'

/** The results of the steps before the handler. */
interface StepResults {
  readonly route: Route
  readonly path: string
  readonly query: Call['query']
  readonly read: ReadBody
  readonly file: FileBody | undefined
  readonly claim: Claim | undefined
  readonly ifMatch: Condition | undefined
  readonly authorizeAgain: Call['authorizeAgain']
  /** By `performance.now()`. */
  readonly deadline: number
  readonly untaken: Answers
}

/** The tenant in whose turn a request waits: its company, its organization's key or its user; empty for all requests without a key. */
export const tenantOf = ({ caller }: FastifyRequest): string => caller?.scope.companyId || caller?.scope.actorId || ''

/** Makes the call. */
export function callOf(request: FastifyRequest, reply: FastifyReply, found: StepResults): Call {
  const { route, path, query, read, file, claim, ifMatch, authorizeAgain, deadline, untaken } = found
  const isShort = route.isRecord === true
  return {
    scope: request.caller?.scope ?? Scope.nobody,
    params: request.params as Record<string, string>,
    query,
    body: read.value,
    file,
    lossyValues: read.lossyValues,
    claim,
    ifMatch,
    knows: (etag) => isKnown(request.headers['if-none-match'] ?? '', etag),
    lastEventId: route.takesLastEventId ? request.headers['last-event-id']?.toString() : undefined,
    headers: route.takesBearer ? request.headers : undefined,
    authorizeAgain,
    path,
    search: request.url.slice(path.length + 1),
    accepts: (coding) => acceptsCoding(request.headers['accept-encoding'], coding),
    network: () => networkOfClient(request),
    visit: () => visitOf(request),
    isGone: () => performance.now() >= deadline || request.raw.socket.destroyed,
    closed: (listener) => {
      if (reply.raw.closed) listener()
      else reply.raw.once('close', listener)
    },
    cut: () => void reply.raw.destroy(),
    expect: (bytes) => {
      if (reply.raw.closed) throw deadlinePassed()
      const tenant = tenantOf(request)
      const isLong = bytes > LONG_ANSWER_BYTES
      // A streamed response may be long and then short.
      if (!isLong) untaken.free(reply.raw)
      // A response of unknown length also does not begin while others fill the memory budget.
      const hasRoom = isLong ? untaken.hold(tenant, bytes, isShort, reply.raw) : untaken.isOpen(tenant, isShort)
      if (!hasRoom) throw busy('memory_full')
    },
  }
}

/**
 * Whether a header names a content coding with a quality other than 0. A `*` alone gets a response without a coding.
 */
const acceptsCoding = (header: string | string[] | undefined, coding: string): boolean =>
  String(header ?? '')
    .split(',')
    .some((part) => {
      const [name = '', quality = ''] = part.trim().toLowerCase().split(';')
      return name.trim() === coding && !/^\s*q=0(\.0*)?\s*$/.test(quality)
    })
