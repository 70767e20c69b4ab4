// Makes a Fastify server from the routes: authentication, body, query, response, and one form for every error.

import { randomUUID } from 'node:crypto'
import { maxHeaderSize, type Server } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyHttpOptions, type FastifyInstance, type FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { fairSemaphore, type SemaphoreBounds } from '../concurrency/fair-semaphore.ts'
import { companyActivity } from '../concurrency/tenant-activity.ts'
import type { FindKept, Seal } from '../core/idempotency-claim.ts'
import { BODY_BYTES, REQUEST_DEADLINE_MS, SEMAPHORES } from '../core/limits.ts'
import { Problem } from '../core/problem.ts'
import { divided } from '../core/worker-share.ts'
import type { FindKey } from './auth/api-key.ts'
import { type RateLimitSettings, rateLimiter } from './auth/rate-limit.ts'
import type { FindSignIn } from './auth/sign-in.ts'
import { bodies } from './connection/body-memory.ts'
import { answerUnread, writeProblem } from './connection/client-errors.ts'
import { fairStart } from './connection/fair-start.ts'
import { hasOneHost, wrongHost } from './connection/host-header.ts'
import { type Pipelining, pipelining } from './connection/pipelining.ts'
import { answers } from './connection/response-memory.ts'
import {
  boundSockets,
  hasTooManyHeaders,
  type SocketLimits,
  socketLimits,
  tooManyHeaders,
} from './connection/socket-limits.ts'
import { waitsToContinue } from './connection/unread-body.ts'
import { allowingOrigins, answerPreflight, isPreflight } from './cors.ts'
import { answerError, logged, notJson } from './error-response.ts'
import { onlyOnce } from './idempotency.ts'
import { register } from './lifecycle.ts'
import { type Paths, pathOf, pathsOf, slashIgnoring } from './paths.ts'
import { readBody } from './read-body.ts'
import type { Shared } from './registered-route.ts'
import type { Route } from './route.ts'

/**
 * Bytes of all request bodies that are being read, wait or are handled; once parsed, typical ones take one to four
 * times as much.
 */
const BODIES_BYTES = divided(256 * 1024 * 1024, 64 * 1024 * 1024)
/**
 * Bytes of all responses that clients have not read yet: sixteen 16 MB pages, 64 streamed ones, or thousands of typical
 * ones. Half as much again for responses of one record.
 */
const ANSWERS_BYTES = divided(256 * 1024 * 1024, 64 * 1024 * 1024)

/** Bounds of the requests in progress; by default those of `core/limits.ts`. */
interface Bounds {
  readonly semaphores: Readonly<Record<'bulk' | 'list' | 'other', SemaphoreBounds>>
  readonly bodiesBytes: number
  readonly answersBytes: number
  readonly deadlineMs: number
}

/** What the server needs from the rest of the program. */
export interface ServerParts {
  readonly routes: readonly Route[]
  readonly findKey: FindKey
  /** Without it there are no sign-ins. */
  readonly findSignIn?: FindSignIn
  /** Called for each request that a key authorized. */
  readonly keyUsed: (keyId: string) => void
  /** Called with each request of a company's key that has ended; absent: they are not noted. */
  readonly keyRequested?: Shared['keyRequested']
  /** Called after each successful request of a company other than a GET. */
  readonly wrote?: (companyId: string) => void
  /** Looks up the kept response of an idempotency key. */
  readonly findKept: FindKept
  readonly seal: Seal
  readonly log: Logger
  /** Absent: requests are not limited. */
  readonly rateLimit?: RateLimitSettings | undefined
  /** Addresses and networks of reverse proxies whose forwarded addresses are trusted. */
  readonly trustProxy?: readonly string[] | undefined
  /** Origins whose pages may call private endpoints; by default none. */
  readonly corsOrigins?: readonly string[] | undefined
  /** Other limits of connections than those of `socket-limits.ts`. */
  readonly sockets?: Partial<SocketLimits> | undefined
  readonly bounds?: Partial<Bounds> | undefined
}

const noQuery = {} // Fastify's reading of the query is not used

/** Builds the server; the caller listens and closes. */
export function createServer(parts: ServerParts): FastifyInstance {
  const { routes, log } = parts
  const sockets = { ...socketLimits, ...parts.sockets }
  const server: FastifyInstance = Fastify({
    ...serverOptions(parts, sockets),
    clientErrorHandler: (error, socket) => answerUnread(pipelined, error, socket),
  })
  server.decorateRequest('caller', null)
  server.decorateRequest('spentMs', 0)
  server.decorateRequest('held', null)
  acceptBodies(server)
  const paths = pathsOf(routes)
  addHooks(server, log, { origins: new Set(parts.corsOrigins), paths })
  const pipelined = pipelining(server.routing, sockets.ahead)
  handleHttpEvents(server.server, pipelined, paths)
  boundSockets(server.server, sockets, log)
  const shared = sharedParts(parts)
  for (const route of routes) register(server, route, shared)
  return server
}

/** Fastify's options. Fastify's own log makes a logger for each request and listens for its end, which costs a twelfth of a short response. */
function serverOptions({ log, routes, trustProxy = [] }: ServerParts, sockets: SocketLimits) {
  // For all requests but files, socket-limits.ts lowers this.
  const requestTimeout = Math.max(sockets.requestMs, sockets.fileMs)
  const ignoreSlash = slashIgnoring(routes)
  return {
    logger: false,
    bodyLimit: BODY_BYTES,
    genReqId: requestId,
    requestIdHeader: false,
    exposeHeadRoutes: true,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout,
    keepAliveTimeout: sockets.keepAliveMs,
    connectionTimeout: sockets.silenceMs,
    http: {
      // Node would refuse a request without Host with its own message.
      requireHostHeader: false,
      headersTimeout: Math.min(sockets.headersMs, sockets.requestMs),
      requestTimeout,
      connectionsCheckingInterval: sockets.checkMs,
    },
    trustProxy: trustProxy.length > 0 && [...trustProxy],
    // A longer part of a path than any id is an id that does not exist.
    routerOptions: { querystringParser: () => noQuery, maxParamLength: maxHeaderSize },
    rewriteUrl: ({ url = '' }) => ignoreSlash(url),
    frameworkErrors: (error, request, reply) => answerError(log, error, request, reply as FastifyReply),
  } satisfies FastifyHttpOptions<Server>
}

/** What a server accepts as a body: JSON, and on some routes a file. */
function acceptBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
        throw new Problem('unsupported_media_type', 'The body must not be compressed.')
      const read = readBody(request, body as Buffer)
      if (read instanceof Promise) read.then((value) => done(null, value), done)
      else done(null, read)
    } catch (error) {
      done(error as Error)
    }
  })
  // A route reads a file itself; elsewhere other types are not accepted. Many clients name a form's type for a POST without a body.
  server.addContentTypeParser('*', ({ headers, routeOptions }, _body, done) =>
    done(routeOptions.config.takesFile || headers['content-length'] === '0' ? null : notJson()),
  )
}

/** What is done with every request before and after its route, and with every error. */
function addHooks(
  server: FastifyInstance,
  log: Logger,
  cors: { readonly origins: ReadonlySet<string>; readonly paths: Paths },
): void {
  const allowOrigin = allowingOrigins(cors.origins)
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    // In a hook, so that the body of a refused request is not read.
    if (hasTooManyHeaders(request.raw)) done(tooManyHeaders())
    else if (!hasOneHost(request.raw)) done(wrongHost(request.raw))
    else if (isPreflight(request)) {
      const refusal = answerPreflight(cors, request, reply)
      if (refusal) done(refusal)
    } else if (request.is404) {
      allowOrigin(request, reply)
      // Some caches would keep a 404 after an upgrade that adds the path.
      reply.header('cache-control', 'no-store')
      done(cors.paths.wrongPath(request.method, pathOf(request.url)))
    } else done()
  })
  if (log.isLevelEnabled('debug'))
    server.addHook('onResponse', (request, reply, done) => {
      log.debug(logged(request, reply.statusCode, reply.elapsedTime), 'answered')
      done()
    })
  server.setErrorHandler((error, request, reply) => answerError(log, error, request, reply))
  server.setNotFoundHandler(() => {})
}

/** Handles the requests of each connection in order, and those that Node would answer by itself. */
function handleHttpEvents(server: Server, pipelined: Pipelining, paths: Paths): void {
  server.removeAllListeners('request').on('request', pipelined.take).once('draining', pipelined.endAll)
  server.on('checkContinue', (request, response) => {
    waitsToContinue(request)
    server.emit('request', request, response)
  })
  // An unknown expectation may be ignored (RFC 9110); Node would answer 417 with its own message.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  // Node would close the connection silently.
  server.on('connect', ({ method = '', url = '' }, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    pipelined.endBehind(socket, () => writeProblem(socket, paths.wrongPath(method, pathOf(url))))
  })
}

/** What the lifecycles of all routes share. */
function sharedParts(parts: ServerParts): Shared {
  const { log, rateLimit, bounds = {} } = parts
  const { semaphores = SEMAPHORES, bodiesBytes = BODIES_BYTES, answersBytes = ANSWERS_BYTES } = bounds
  const { deadlineMs = REQUEST_DEADLINE_MS } = bounds
  return {
    wrote: () => {},
    findSignIn: async () => undefined,
    keyRequested: undefined,
    ...parts,
    once: onlyOnce(parts.findKept, parts.seal, log),
    limiter: rateLimit && rateLimiter(rateLimit),
    semaphores: {
      bulk: fairSemaphore(semaphores.bulk, companyActivity),
      other: fairSemaphore(semaphores.other, companyActivity),
      none: undefined,
    },
    held: bodies(bodiesBytes),
    untaken: answers(answersBytes),
    begin: fairStart(companyActivity, deadlineMs),
    deadlineMs,
    corsOrigins: new Set(parts.corsOrigins),
  }
}

function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && /^[\x21-\x7e]{1,128}$/.test(sent) ? sent : randomUUID()
}
