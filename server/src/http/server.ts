// Folds the routes into a Fastify server: authentication, body, query, answer, and one shape for every error.
import { randomUUID } from 'node:crypto'
import { maxHeaderSize, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type Lane, type LaneBounds, lane } from '../lane.ts'
import {
  ANSWERS_BYTES,
  BODIES_BYTES,
  BODY_BYTES,
  LANES,
  LONG_ANSWER_BYTES,
  REQUEST_DEADLINE_MS,
  SMALL_BODY_BYTES,
} from '../limits.ts'
import { afterBody } from './after-body.ts'
import { type Answers, answers } from './answers.ts'
import { authenticate, type Caller, type FindKey, isLegacy } from './authenticate.ts'
import { type Bodies, bodies, declaredBytes, type Held, measured } from './bodies.ts'
import { continueWhenRead, waitsToContinue } from './continue.ts'
import { type Condition, cannotMatch, etagOf, isKnown, readCondition } from './etag.ts'
import {
  type Claim,
  contextOf,
  type FindKept,
  fingerprintOf,
  keyedMethods,
  type OnlyOnce,
  onlyOnce,
  readKey,
  type Seal,
} from './idempotency.ts'
import { type ReadBody, readJson } from './json.ts'
import { busy, invalid, late, Problem, problemBody, problemJson, unavailable } from './problem.ts'
import { queryReader } from './query.ts'
import { type RateLimiter, type RateLimitSettings, rateLimiter } from './rate-limit.ts'
import type { Answer, Call, LaneName, Route } from './route.ts'
import { Scope } from './scope.ts'
import { boundSockets, hasTooManyHeaders, type SocketLimits, socketLimits, tooManyHeaders } from './sockets.ts'
import { type Turns, turns } from './turns.ts'

/** What bounds the requests under way; those of `limits.ts` where not said. */
export interface Bounds {
  readonly lanes: Readonly<Record<'bulk' | 'list' | 'other', LaneBounds>>
  readonly bodiesBytes: number
  readonly answersBytes: number
  readonly deadlineMs: number
}

/** What the server needs of the rest of the house. */
export interface ServerParts {
  readonly routes: readonly Route[]
  readonly findKey: FindKey
  /** Told of each request that a key was let in with. */
  readonly keyUsed: (keyId: string) => void
  /** Looks up what was answered under an idempotency key. */
  readonly findKept: FindKept
  readonly seal: Seal
  readonly log: Logger
  /** Not there: requests are not limited. */
  readonly rateLimit?: RateLimitSettings | undefined
  /** Addresses and networks of reverse proxies whose word on who calls is taken. */
  readonly trustProxy?: readonly string[] | undefined
  /** Other limits of connections than those of limits.ts. */
  readonly sockets?: Partial<SocketLimits> | undefined
  readonly bounds?: Partial<Bounds> | undefined
}

/** What all routes share. */
interface Shared extends Pick<ServerParts, 'findKey' | 'keyUsed' | 'seal' | 'log'> {
  readonly once: OnlyOnce
  readonly limiter: RateLimiter | undefined
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
}

const json = 'application/json; charset=utf-8'
const legacyDeprecation = '@1735689600' // RFC 9745; the older description's header name gave way with 2025
/** Answers to one key are no other's: no cache between may show them, and one's own asks each time (RFC 9111, section 5.2.2). */
const ownAnswer = 'private, no-cache'
const variesBy = { company: 'x-api-key, apikey', organization: 'x-org-api-key' } as const
const noBody: ReadBody = { value: undefined, losses: [] }
const noQuery = {} // Fastify's reading of the query is not used

/** Builds the server; the caller listens and closes. */
export function createServer(parts: ServerParts): FastifyInstance {
  const { routes, log, rateLimit, trustProxy = [], bounds = {} } = parts
  const { lanes = LANES, bodiesBytes = BODIES_BYTES, answersBytes = ANSWERS_BYTES } = bounds
  const { deadlineMs = REQUEST_DEADLINE_MS } = bounds
  const sockets = { ...socketLimits, ...parts.sockets }
  const server = Fastify({
    // Fastify's own log makes a logger for each request and listens for its end, which costs a twelfth of a short answer.
    logger: false,
    bodyLimit: BODY_BYTES,
    genReqId: requestId,
    requestIdHeader: false,
    exposeHeadRoutes: true,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: sockets.requestMs,
    keepAliveTimeout: sockets.keepAliveMs,
    connectionTimeout: sockets.silenceMs,
    http: {
      // Node would refuse a request without Host in its own words.
      requireHostHeader: false,
      headersTimeout: Math.min(sockets.headersMs, sockets.requestMs),
      requestTimeout: sockets.requestMs,
      connectionsCheckingInterval: sockets.checkMs,
    },
    trustProxy: trustProxy.length > 0 && [...trustProxy],
    routerOptions: { querystringParser: () => noQuery, maxParamLength: 500 },
    clientErrorHandler: (error, socket) => answerUnread(inTurn, error, socket),
    frameworkErrors: (error, request, reply) => answerError(log, error, request, reply as FastifyReply),
  })
  server.decorateRequest('caller', null)
  server.decorateRequest('spentMs', 0)
  server.decorateRequest('held', null)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
        throw new Problem('unsupported_media_type', 'The body must not be compressed.')
      // A delete needs no body; clients that always send the header send none with it.
      const isNothing = body.length === 0 && request.method === 'DELETE'
      done(null, isNothing ? undefined : readJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  const elsewhere = wrongPath(routes)
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    // In a hook, so that the body of a request that nobody takes is not read.
    if (hasTooManyHeaders(request.raw)) done(tooManyHeaders())
    else if (request.raw.httpVersion === '1.1' && request.headers.host === undefined)
      done(new Problem('malformed_body', 'The request has no header Host.'))
    else if (request.is404) done(elsewhere(request.method, pathOf(request.url)))
    else done()
  })
  if (log.isLevelEnabled('debug'))
    server.addHook('onResponse', (request, reply, done) => {
      log.debug(logged(request, reply.statusCode, reply.elapsedTime), 'answered')
      done()
    })
  server.setErrorHandler((error, request, reply) => answerError(log, error, request, reply))
  server.setNotFoundHandler(() => {})
  const inTurn = turns(server.routing, sockets.ahead)
  server.server.removeAllListeners('request').on('request', inTurn.take)
  server.server.on('checkContinue', (request, response) => {
    waitsToContinue(request)
    // As with all others: drain.ts marks the last answers of connections there.
    server.server.emit('request', request, response)
  })
  // An expectation that is not known may be passed over (RFC 9110); Node would answer 417 in its own words.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response))
  // Node would close the connection without a word.
  server.server.on('connect', ({ method = '', url = '' }, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    if (!inTurn.endBehind(socket)) writeProblem(socket, elsewhere(method, pathOf(url)))
  })
  boundSockets(server.server, sockets, log)
  const shared: Shared = {
    ...parts,
    once: onlyOnce(parts.findKept, parts.seal, log),
    limiter: rateLimit && rateLimiter(rateLimit),
    lanes: { bulk: lane(lanes.bulk), other: lane(lanes.other), none: undefined },
    held: bodies(bodiesBytes),
    untaken: answers(answersBytes),
    deadlineMs,
  }
  for (const route of routes) register(server, route, shared)
  return server
}

/** What the log says of a request that was answered. */
const logged = (request: FastifyRequest, status: number, ms: number) => ({
  requestId: request.id,
  method: request.method,
  route: request.routeOptions.url,
  status,
  ms: Math.round(ms * 10) / 10,
  ...(request.caller && { companyId: request.caller.scope.companyId, keyId: request.caller.scope.keyId }),
})

const fastifyPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** The line that a request stands in: its company's, or its organization key's, or that of all who need no key. */
const lineOf = ({ caller }: FastifyRequest): string => caller?.scope.companyId || caller?.scope.keyId || ''

function register(server: FastifyInstance, route: Route, shared: Shared): void {
  const { findKey, keyUsed, seal, log, once, limiter, lanes, held, untaken } = shared
  const wait = lanes[route.lane ?? (route.isBulk ? 'bulk' : 'other')]
  const deadlineMs = route.deadlineMs ?? shared.deadlineMs
  const readQuery = queryReader(route.query)
  const isKeyed = keyedMethods.has(route.method)
  const isShort = route.isRecord === true
  const status = Number(Object.keys(route.replies)[0])
  server.route({
    method: route.method,
    url: fastifyPath(route.path),
    onRequest: (request, reply, done) => {
      if (route.surface === 'public') return done()
      reply.header('cache-control', ownAnswer).header('vary', variesBy[route.surface])
      const admit = (caller: Caller | undefined) => {
        // A limit has answered.
        if (caller === undefined) return
        request.caller = caller
        keyUsed(caller.scope.keyId as string)
        done()
      }
      const { headers, method } = request
      if (isLegacy(headers, route.surface, route.path)) reply.header('deprecation', legacyDeprecation)
      try {
        const limits = limiter?.(request, reply)
        const caller = authenticate(findKey, { headers, method, path: route.path }, route.surface, limits)
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
        const bytes = declaredBytes(request)
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
      const { value: body, losses } = (request.body as ReadBody | undefined) ?? noBody
      if (route.body && body === undefined && route.method !== 'DELETE')
        throw new Problem('malformed_body', 'The body is empty; JSON is expected.')
      if (losses.length > 0 && !route.isBulk) throw invalid(losses)
      const claim = claimOf(request, path, { value: body, losses })
      const line = lineOf(request)
      const begun = performance.now()
      const deadline = begun + deadlineMs - request.spentMs
      const isGone = () => performance.now() >= deadline || request.raw.socket.destroyed
      const call: Call = {
        scope: request.caller?.scope ?? Scope.nobody,
        params: request.params as Record<string, string>,
        query,
        body,
        losses,
        claim,
        ifMatch: ifMatchOf(request),
        path,
        search,
        isGone,
        expect: (bytes) => {
          if (reply.raw.closed) throw late()
          // Even where nothing is known of this one, it is not begun while others fill the room.
          const hasRoom =
            bytes > LONG_ANSWER_BYTES ? untaken.hold(line, bytes, isShort, reply.raw) : untaken.isOpen(line, isShort)
          if (!hasRoom) throw busy()
        },
      }
      const handle = () => {
        if (route.surface !== 'public') call.expect(0)
        return route.handle(call)
      }
      const inTurn = () => (wait ? wait({ line, isGone }, async () => handle()) : handle())
      // Bytes that all answers share are no answer to a write.
      const answer = claim ? once(claim, inTurn as () => Promise<Answer>, isGone) : inTurn()
      if (!(answer instanceof Promise)) return send(request, reply, answer)
      request.held?.during(answer)
      return withinDeadline(answer, deadline - begun).then((settled) => {
        const ms = performance.now() - begun
        if (ms > 1_000) log.warn(logged(request, settled.status, ms), 'answered slowly')
        return send(request, reply, settled)
      })
    },
  })

  /** What the work has to write so that it is done once; undefined without an Idempotency-Key. */
  function claimOf({ raw, caller }: FastifyRequest, path: string, { value, losses }: ReadBody): Claim | undefined {
    if (!isKeyed || caller === null) return undefined
    const key = readKey(raw)
    if (key === undefined) return undefined
    const { ownerId } = caller
    const claim = { ownerId, key, fingerprint: fingerprintOf(route.method, path, value, losses), status }
    return route.hasSecret ? { ...claim, seal: (text) => seal.close(text, contextOf(claim)) } : claim
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
    if (headers) reply.headers(headers)
    if (route.isRecord) {
      const etag = etagOf(body as string)
      reply.header('etag', etag)
      const known = route.method === 'GET' ? request.headers['if-none-match'] : undefined
      if (known !== undefined && isKnown(known, etag)) return reply.code(304).send()
    }
    reply.header('content-type', contentType ?? json)
    // HEAD would read a whole stream in order to throw it away.
    if (stream) return reply.send(request.method === 'HEAD' ? '' : Readable.from(stream))
    return reply.send(sent)
  }

  /** Counts a long answer until it is taken. What was written cannot be undone; the caller hears that he is not told. */
  function count(request: FastifyRequest, reply: FastifyReply, bytes: number): void {
    const isWritten = route.method !== 'GET'
    if (untaken.hold(lineOf(request), bytes, isShort || isWritten, reply.raw)) return
    throw isWritten ? unavailable('Too many answers wait to be taken, so there is no room for this one.') : busy()
  }
}

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

/** What a request for something that is not there is told: 405 with `Allow` when only its method is wrong, else 404. */
function wrongPath(routes: readonly Route[]): (method: string, path: string) => Problem {
  const paths = [...Map.groupBy(routes, ({ path }) => path)].map(([path, own]) => {
    const methods = own.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    const parts = path.split(/\{\w+\}/).map((part) => RegExp.escape(part))
    return { pattern: new RegExp(`^${parts.join('[^/]*')}$`), allow: methods.sort().join(', ') }
  })
  return (method, path) => {
    const known = paths.find(({ pattern }) => pattern.test(path))
    if (known === undefined) return new Problem('not_found', `There is nothing at ${path.slice(0, 200)}.`)
    const { allow } = known
    return new Problem('method_not_allowed', `${method} is not possible here, only ${allow}.`, [], { allow })
  }
}

/** The path of a URL, without its query. */
function pathOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? url : url.slice(0, at)
}

function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && /^[\x21-\x7e]{1,128}$/.test(sent) ? sent : randomUUID()
}

/** Answers what never became a request; behind requests that did, nothing but their own answers is heard. */
function answerUnread(inTurn: Turns, { code }: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || code === 'ECONNRESET') return void socket.destroy()
  if (!inTurn.endBehind(socket)) writeProblem(socket, unread(code))
}

/** Answers past the server, and ends the connection. */
function writeProblem(socket: Socket, problem: Problem): void {
  const id = randomUUID()
  const body = problemBody(problem, id)
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `content-type: ${problemJson}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    ...Object.entries(problem.headers).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function unread(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('headers_too_large', `Path, query and headers are larger than ${maxHeaderSize / 1024} KB.`)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('request_timeout', 'The request came too slowly.')
  return new Problem('malformed_body', 'The request is not HTTP/1.1 as RFC 9112 has it.')
}

function answerError(log: Logger, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error)
  if (problem.status >= 500) logFault(log, problem, error, request)
  // Fastify would close the connection behind a body that it did not take.
  reply.removeHeader('connection')
  const send = () =>
    void reply
      .code(problem.status)
      .headers({ ...problem.headers, 'x-request-id': request.id })
      .header('content-type', problemJson)
      .send(problemBody(problem, request.id))
  afterBody(request, reply, send)
  return reply
}

/** When each reason of a 503 was last logged; there is a handful. */
const awayLogged = new Map<string, number>()

/** Logs a fault of ours; a reason why nothing can be done now only once a second, since then every request finds it so. */
function logFault(log: Logger, problem: Problem, error: unknown, request: FastifyRequest): void {
  const isAway = problem.code === 'unavailable'
  // Nobody heard of it.
  if (isAway && request.raw.socket.destroyed) return
  if (isAway && Date.now() - (awayLogged.get(problem.message) ?? 0) < 1_000) return
  if (isAway) awayLogged.set(problem.message, Date.now())
  const cause = isAway ? ((problem.cause as Error | undefined)?.message ?? problem.message) : error
  log.error({ requestId: request.id, err: cause, route: request.routeOptions?.url }, problem.code)
}

/** What a caller is told of anything that was thrown. */
function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('payload_too_large', `The body is larger than ${BODY_BYTES / 1024 / 1024} MB.`)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem(
        'unsupported_media_type',
        'The body must be JSON, with the header content-type: application/json.',
      )
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Problem('not_found', 'There is nothing at this path; it is too long.')
    case 'FST_ERR_BAD_URL':
      return new Problem('not_found', 'There is nothing at this path; it is not a valid URL.')
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Problem('malformed_body', `The request cannot be read: ${(error as Error).message}.`)
  return new Problem('internal_error', 'Something went wrong in the service. It was logged under the request id.')
}
