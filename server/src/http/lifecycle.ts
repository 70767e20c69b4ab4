// One route in the server: who may call, the body, the turn, the answer, each within its bounds.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Lane } from '../concurrency/fair-semaphore.ts'
import { type Condition, cannotMatch, etagOf, isKnown, readCondition } from '../core/etag.ts'
import type { Claim } from '../core/idempotency-claim.ts'
import { BODY_BYTES, LONG_ANSWER_BYTES, SMALL_BODY_BYTES, TEXT_HELD_BYTES } from '../core/limits.ts'
import { busy, invalid, late, Problem, unavailable } from '../core/problem.ts'
import { Scope } from '../core/scope.ts'
import { authenticate, type Caller, type FindKey, isLegacy, type RateLimits } from './auth/api-key.ts'
import { visitOf } from './auth/cookie.ts'
import { foreign } from './auth/csrf.ts'
import { networkOfClient, type RateLimiter } from './auth/rate-limit.ts'
import { asksByPerson, authenticatePerson, type FindSignIn, isBySignIn } from './auth/session.ts'
import { type Bodies, declaredBytes, type Held, measured } from './connection/body-memory.ts'
import { continueWhenRead } from './connection/expect-continue.ts'
import type { Begin } from './connection/fair-start.ts'
import type { Answers } from './connection/response-memory.ts'
import { admitText, type TextBody, textBody } from './connection/streamed-body.ts'
import { showedKey } from './connection/unauthenticated-connections.ts'
import { logged } from './error-response.ts'
import {
  contextOf,
  endFingerprint,
  fingerprintOf,
  type OnlyOnce,
  readKey,
  type Seal,
  takesIdempotencyKey,
} from './idempotency.ts'
import type { ReadBody } from './json.ts'
import { pathOf } from './paths.ts'
import { queryReader } from './query.ts'
import type { Answer, Call, LaneName, Route, Surface } from './route.ts'

/** What all routes share. */
export interface Shared {
  readonly findKey: FindKey
  readonly findSignIn: FindSignIn
  /** Told of each request that a key was let in with. */
  readonly keyUsed: (keyId: string) => void
  /** Told of each success of a request that was no GET, also when nobody hears its answer: the company may have written. */
  readonly wrote: (companyId: string) => void
  readonly seal: Seal
  readonly log: Logger
  readonly once: OnlyOnce
  readonly limiter: RateLimiter | undefined
  /** Lets a request of a tenant begin, in a turn of the event loop that has room for it. */
  readonly begin: Begin
  readonly lanes: Readonly<Record<LaneName, Lane | undefined>>
  readonly held: Bodies
  readonly untaken: Answers
  readonly deadlineMs: number
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    /** Milliseconds of the deadline that were spent on finding the key. */
    spentMs: number
    held: Held | null
  }
  interface FastifyContextConfig {
    takesText?: boolean
  }
}

const json = 'application/json; charset=utf-8'
const legacyDeprecation = '@1735689600' // RFC 9745; the older description's header name gave way with 2025
/**
 * Answers to one key are no other's: no cache between may show them, and one's own asks each time (RFC 9111, section 5.2.2).
 * Those of a person, and those with a secret, are kept by nobody: the browser may be another's next.
 */
const ownAnswer = 'private, no-cache'
const variesBy = {
  company: 'x-api-key, apikey, cookie, x-company-id',
  organization: 'x-org-api-key, cookie, x-organization-id',
  person: 'cookie',
} as const
const noQuery = {}
const noBody: ReadBody = { value: undefined, losses: [] }
const fastifyPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Whether a content coding is named without a quality of 0; what only `*` takes is sent as it is. */
const acceptsCoding = (header: string | string[] | undefined, coding: string): boolean =>
  String(header ?? '')
    .split(',')
    .some((part) => {
      const [name = '', quality = ''] = part.trim().toLowerCase().split(';')
      return name.trim() === coding && !/^\s*q=0(\.0*)?\s*$/.test(quality)
    })

/** The line that a request stands in: its company's, or that of its organization's key or of its person, or that of all who need no key. */
const lineOf = ({ caller }: FastifyRequest): string => caller?.scope.companyId || caller?.scope.actorId || ''

/** What a request is checked as: where a route may be called for a company or without, its headers say which. */
const surfaceOf = ({ surface, takesCompanyKey }: Route, request: FastifyRequest): Surface =>
  takesCompanyKey && (request.headers['x-api-key'] !== undefined || asksByPerson(request)) ? 'company' : surface

/** Adds a route to the server. */
export function register(server: FastifyInstance, route: Route, shared: Shared): void {
  const { findKey, findSignIn, keyUsed, wrote, begin, seal, log, once, limiter, lanes, held, untaken } = shared
  const wait = lanes[route.lane ?? (route.isBulk ? 'bulk' : 'other')]
  const deadlineMs = route.deadlineMs ?? shared.deadlineMs
  const readQuery = route.isPage ? () => noQuery : queryReader(route.query)
  const isKeyed = takesIdempotencyKey(route)
  const isShort = route.isRecord === true
  const status = Number(Object.keys(route.replies)[0])
  server.route({
    method: route.method,
    ...(route.bodyBytes !== undefined && { bodyLimit: route.bodyBytes }),
    url: fastifyPath(route.path),
    config: { takesText: route.takesText !== undefined, isBulk: route.isBulk === true },
    onRequest: (request, reply, done) => {
      const surface = surfaceOf(route, request)
      // Also on what is answered without a key: a cache must not give that to one that comes with a key.
      if (route.takesCompanyKey) reply.header('vary', 'x-api-key, cookie, x-company-id')
      if (surface === 'public') return done(route.isForOwnPages ? foreign(request) : undefined)
      if (isBySignIn(request, surface)) reply.header('cache-control', 'no-store')
      else reply.header('cache-control', route.hasSecret ? 'no-store' : ownAnswer)
      if (!route.takesCompanyKey) reply.header('vary', variesBy[surface])
      const admit = (caller: Caller | undefined) => {
        // A limit has answered.
        if (caller === undefined) return
        request.caller = caller
        showedKey(request.raw.socket)
        if (caller.scope.keyId !== undefined) keyUsed(caller.scope.keyId)
        begin(lineOf(request), request, done)
      }
      if (isLegacy(request.headers, surface, route.path)) reply.header('deprecation', legacyDeprecation)
      try {
        const limits = limiter?.(request, reply)
        const caller = callerOf(request, surface, limits)
        if (!(caller instanceof Promise)) return admit(caller)
        const begun = performance.now()
        withinDeadline(caller, deadlineMs)
          .then((found) => {
            request.spentMs = performance.now() - begun
            admit(found)
          })
          .catch(done)
      } catch (error) {
        done(error as Error)
      }
    },
    ...(route.method !== 'GET' && {
      preParsing: (request, reply, payload, done) => {
        const { takesText } = route
        const bytes = declaredBytes(request)
        if (takesText) {
          try {
            admitText(request.raw, takesText)
            request.held = held.hold(lineOf(request), TEXT_HELD_BYTES, reply.raw)
          } catch (error) {
            return done(error as Error)
          }
          return done(null, payload)
        }
        // Fastify reads nothing of it and answers 413.
        if (bytes !== undefined && bytes > BODY_BYTES) return done(null, payload)
        let body = payload
        try {
          if (bytes !== 0) {
            const counted = held.hold(lineOf(request), bytes ?? SMALL_BODY_BYTES, reply.raw)
            request.held = counted
            if (bytes === undefined) body = measured(payload, () => counted.grow(BODY_BYTES)) as typeof payload
          }
        } catch (error) {
          return done(error as Error)
        }
        continueWhenRead(request.raw, body, reply.raw)
        done(null, body)
      },
    }),
    handler: (request, reply) => {
      const path = pathOf(request.url)
      const search = request.url.slice(path.length + 1)
      const query = readQuery(search)
      const read = (request.body as ReadBody | undefined) ?? noBody
      const { value: body, losses } = read
      if (route.body && !route.body.isOptional && body === undefined && route.method !== 'DELETE')
        throw new Problem('malformed_body', 'The body is empty; JSON is expected.')
      if (losses.length > 0 && !route.isBulk) throw invalid(losses)
      const isDigested = request.headers['idempotency-key'] !== undefined
      const text = route.takesText && textBody(request.raw, reply.raw, { most: route.takesText.bytes, isDigested })
      const claim = claimOf(request, path, read, text)
      const line = lineOf(request)
      const begun = performance.now()
      const deadline = begun + deadlineMs - request.spentMs
      const isGone = () => performance.now() >= deadline || request.raw.socket.destroyed
      const call: Call = {
        scope: request.caller?.scope ?? Scope.nobody,
        params: request.params as Record<string, string>,
        query,
        body,
        text,
        losses,
        claim,
        ifMatch: ifMatchOf(request),
        knows: (etag) => isKnown(request.headers['if-none-match'] ?? '', etag),
        lastEventId: route.takesLastEventId ? request.headers['last-event-id']?.toString() : undefined,
        recheck: () => recheck(request),
        path,
        search,
        accepts: (coding) => acceptsCoding(request.headers['accept-encoding'], coding),
        network: () => networkOfClient(request),
        visit: () => visitOf(request),
        isGone,
        closed: (listener) => {
          if (reply.raw.closed) listener()
          else reply.raw.once('close', listener)
        },
        cut: () => void reply.raw.destroy(),
        expect: (bytes) => {
          if (reply.raw.closed) throw late()
          const isLong = bytes > LONG_ANSWER_BYTES
          // A streamed one may be long and then short.
          if (!isLong) untaken.free(reply.raw)
          // Even where nothing is known of this one, it is not begun while others fill the room.
          const hasRoom = isLong ? untaken.hold(line, bytes, isShort, reply.raw) : untaken.isOpen(line, isShort)
          if (!hasRoom) throw busy()
        },
      }
      const handle = () => {
        if (request.caller !== null) call.expect(0)
        return route.handle(call)
      }
      const inTurn = () => (wait ? wait({ line, isGone }, async () => handle()) : handle())
      // Bytes that all answers share are no answer to a write.
      const begin = () => (claim ? once(claim, inTurn as () => Promise<Answer>, isGone) : inTurn())
      // Its body may have taken minutes to come in: the key may be deleted by now, or the person no member any more. Not behind
      // `once`, which would answer again what others were answered.
      const stillIn = route.method !== 'GET' && request.caller !== null ? recheck(request) : undefined
      const answer = stillIn ? stillIn.then(begin) : begin()
      if (text && answer instanceof Promise) answer.then(text.leave, text.leave)
      const companyId = call.scope.companyId
      if (route.method !== 'GET' && companyId !== '' && answer instanceof Promise)
        answer.then(
          ({ status }) => status < 300 && wrote(companyId),
          () => {},
        )
      if (!(answer instanceof Promise)) return send(request, reply, answer)
      request.held?.during(answer)
      return withinDeadline(answer, deadline - begun).then((settled) => {
        const ms = performance.now() - begun
        if (ms > 1_000 && !route.isHeldBack) log.warn(logged(request, settled.status, ms), 'answered slowly')
        return send(request, reply, settled)
      })
    },
  })

  /** What the work has to write so that it is done once; undefined without an Idempotency-Key. */
  function claimOf(
    { raw, caller }: FastifyRequest,
    path: string,
    { value, losses, begun }: ReadBody,
    text: TextBody | undefined,
  ): Claim | undefined {
    if (!isKeyed || caller === null) return undefined
    const key = readKey(raw)
    if (key === undefined) return undefined
    const { ownerId, scope } = caller
    const asker = route.hasSecret ? scope.actorId : undefined
    if (text) return textClaim({ ownerId, key, status }, `${route.method} ${raw.url}`, text)
    const fingerprint = begun
      ? endFingerprint(begun, losses, asker)
      : fingerprintOf(route.method, path, value, losses, asker)
    const claim = { ownerId, key, fingerprint, status }
    return route.hasSecret ? { ...claim, seal: (text) => seal.close(text, contextOf(claim)) } : claim
  }

  /** Lets a request in, by its key or by its sign-in; undefined: a limit has answered it. */
  function callerOf(request: FastifyRequest, surface: Surface, limits?: RateLimits) {
    if (isBySignIn(request, surface)) return authenticatePerson(findSignIn, request, route, surface, limits)
    const { headers, method } = request
    const { path, forPeople, permission } = route
    return authenticate(findKey, { headers, method, path, forPeople, permission }, surface, limits)
  }

  /** As at the request's beginning, but that it counts against no limit; a person who was let in hears of his removal, not 404. */
  function recheck(request: FastifyRequest): void | Promise<void> {
    const caller = callerOf(request, surfaceOf(route, request))
    if (!(caller instanceof Promise)) return
    return caller.then(
      () => {},
      (error) => {
        if (!(error instanceof Problem) || error.code !== 'not_found') throw error
        throw new Problem('permission_denied', 'You are no member here any more; that was ended just now.')
      },
    )
  }

  function ifMatchOf({ headers, method }: FastifyRequest): Condition | undefined {
    const sent = headers['if-match']
    if (sent === undefined || method === 'GET' || method === 'HEAD') return undefined
    if (!route.takesIfMatch) throw cannotMatch(route.isBulk ?? false)
    const read = readCondition(sent, { in: 'header', pointer: 'if-match' })
    if (typeof read === 'object' && 'message' in read) throw invalid([read])
    return read
  }

  function send(request: FastifyRequest, reply: FastifyReply, answer: Answer | Answer<Buffer>) {
    const { status, body, headers, contentType, stream } = answer
    // A long text is turned into bytes once, instead of being measured first and turned afterwards.
    const isLong = typeof body === 'string' && body.length > LONG_ANSWER_BYTES
    const sent = isLong ? Buffer.from(body) : body
    if (isLong) count(request, reply, sent.length)
    reply.code(status)
    if (headers)
      reply.headers(
        headers.vary ? { ...headers, vary: [reply.getHeader('vary') ?? [], headers.vary].flat().join(', ') } : headers,
      )
    if (route.isRecord) {
      const etag = etagOf(route.tagged?.(body as string) ?? (body as string))
      reply.header('etag', etag)
      const known = route.method === 'GET' ? request.headers['if-none-match'] : undefined
      if (known !== undefined && isKnown(known, etag)) return reply.code(304).send()
    }
    if (status === 304) return reply.send()
    reply.header('content-type', contentType ?? json)
    // HEAD would read a whole stream in order to throw it away.
    if (stream && request.method === 'HEAD') {
      stream[Symbol.asyncIterator]().return?.()
      return reply.send('')
    }
    if (stream) return reply.send(Readable.from(stream))
    return reply.send(sent)
  }

  /** Counts a long answer until it is taken. What was written cannot be undone; the caller hears that he is not told. */
  function count(request: FastifyRequest, reply: FastifyReply, bytes: number): void {
    const isWritten = route.method !== 'GET'
    if (untaken.hold(lineOf(request), bytes, isShort || isWritten, reply.raw)) return
    throw isWritten ? unavailable('Too many answers wait to be taken, so there is no room for this one.') : busy()
  }
}

/** A claim of which the fingerprint is known once the body has been read. */
const textClaim = (claim: Omit<Claim, 'fingerprint'>, request: string, text: TextBody): Claim => ({
  ...claim,
  get fingerprint() {
    return fingerprintOf(request, '', text.digest(), [])
  },
})

/** Rejects with 503 when the answer takes too long; whatever it was then goes on alone. */
function withinDeadline<T>(answer: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms)
    answer.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
