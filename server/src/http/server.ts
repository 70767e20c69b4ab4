// Folds the routes into a Fastify server: authentication, body, query, answer, and one shape for every error.
import { randomUUID } from 'node:crypto'
import { maxHeaderSize, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { finished } from 'node:stream'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import { BODY_BYTES, REQUEST_DEADLINE_MS, REQUEST_READ_MS } from '../limits.ts'
import { authenticate, type Caller, type FindKey } from './authenticate.ts'
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
import { invalid, Problem, problemBody, unavailable } from './problem.ts'
import { queryReader } from './query.ts'
import type { Answer, Call, Route } from './route.ts'
import { Scope } from './scope.ts'

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
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    /** Milliseconds of the deadline that were spent on finding the key. */
    spentMs: number
  }
}

/** Characters from which on an answer is worth a buffer of its own. */
const LONG_ANSWER = 4096
const json = 'application/json; charset=utf-8'
const problemJson = 'application/problem+json; charset=utf-8'
const legacyDeprecation = '@1735689600' // RFC 9745; the older description's header name gave way with 2025
const nobody = Scope.grant('')
const noBody: ReadBody = { value: undefined, losses: [] }
const noQuery = {} // Fastify's reading of the query is not used

/** Builds the server; the caller listens and closes. */
export function createServer(parts: ServerParts): FastifyInstance {
  const { routes, log } = parts
  const server = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: BODY_BYTES,
    genReqId: requestId,
    requestIdHeader: false,
    exposeHeadRoutes: true,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: REQUEST_READ_MS,
    // Node would refuse a request without Host in its own words.
    http: { requireHostHeader: false },
    routerOptions: { querystringParser: () => noQuery, maxParamLength: 500 },
    clientErrorHandler: (error, socket) => answerUnread(error, socket),
    frameworkErrors: (error, request, reply) => answerError(error, request, reply as FastifyReply),
  })
  server.decorateRequest('caller', null)
  server.decorateRequest('spentMs', 0)
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
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined)
      done(new Problem('malformed_body', 'The request has no header Host.'))
    else if (request.is404) done(elsewhere(request.method, pathOf(request.url)))
    else done()
  })
  const logsEach = log.isLevelEnabled('debug')
  server.addHook('onResponse', (request, reply, done) => {
    const line = () => ({
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.caller && { companyId: request.caller.scope.companyId, keyId: request.caller.scope.keyId }),
    })
    if (logsEach) request.log.debug(line(), 'answered')
    else if (reply.elapsedTime > 1_000) request.log.warn(line(), 'answered slowly')
    done()
  })
  server.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  server.setNotFoundHandler(() => {})
  // An expectation that is not known may be passed over (RFC 9110); Node would answer 417 in its own words.
  server.server.on('checkExpectation', (request, response) => server.routing(request, response))
  const once = onlyOnce(parts.findKept, parts.seal)
  for (const route of routes) register(server, route, parts, once)
  return server
}

const fastifyPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

function register(
  server: FastifyInstance,
  route: Route,
  { findKey, keyUsed, seal }: ServerParts,
  once: OnlyOnce,
): void {
  const readQuery = queryReader(route.query)
  const isKeyed = keyedMethods.has(route.method)
  const status = Number(Object.keys(route.replies)[0])
  server.route({
    method: route.method,
    url: fastifyPath(route.path),
    onRequest: (request, reply, done) => {
      if (route.surface === 'public') return done()
      const admit = (caller: Caller) => {
        request.caller = caller
        keyUsed(caller.scope.keyId as string)
        if (caller.isLegacy) reply.header('deprecation', legacyDeprecation)
        done()
      }
      const { headers, method } = request
      try {
        const caller = authenticate(findKey, { headers, method, path: route.path }, route.surface)
        if (!(caller instanceof Promise)) return admit(caller)
        const begun = performance.now()
        withinDeadline(caller)
          .then((found) => {
            request.spentMs = performance.now() - begun
            admit(found)
          })
          .catch(done)
      } catch (error) {
        done(error as Error)
      }
    },
    handler: (request, reply) => {
      const path = pathOf(request.url)
      const search = request.url.slice(path.length + 1)
      const query = readQuery(search)
      const { value: body, losses } = (request.body as ReadBody | undefined) ?? noBody
      if (route.body && body === undefined && route.method !== 'DELETE')
        throw new Problem('malformed_body', 'The body is empty; JSON is expected.')
      if (losses.length > 0 && !route.isBulk) throw invalid(losses)
      const claim = claimOf(request, path, body)
      const call: Call = {
        scope: request.caller?.scope ?? nobody,
        params: request.params as Record<string, string>,
        query,
        body,
        losses,
        claim,
        ifMatch: ifMatchOf(request),
        path,
        search,
      }
      const answer = claim ? once(claim, () => route.handle(call)) : route.handle(call)
      if (!(answer instanceof Promise)) return send(request, reply, answer)
      return withinDeadline(answer, request.spentMs).then((settled) => send(request, reply, settled))
    },
  })

  /** What the work has to write so that it is done once; undefined without an Idempotency-Key. */
  function claimOf({ raw, caller }: FastifyRequest, path: string, body: unknown): Claim | undefined {
    if (!isKeyed || caller === null) return undefined
    const key = readKey(raw)
    if (key === undefined) return undefined
    const { ownerId } = caller
    const claim = { ownerId, key, fingerprint: fingerprintOf(route.method, path, body), status }
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

  function send(request: FastifyRequest, reply: FastifyReply, { status, body, headers, contentType }: Answer) {
    reply.code(status)
    if (headers) reply.headers(headers)
    if (route.isRecord) {
      const etag = etagOf(body)
      reply.header('etag', etag)
      const known = route.method === 'GET' ? request.headers['if-none-match'] : undefined
      if (known !== undefined && isKnown(known, etag)) return reply.code(304).send()
    }
    reply.header('content-type', contentType ?? json)
    // A long text is turned into bytes once, instead of being measured first and turned afterwards.
    return reply.send(body.length > LONG_ANSWER ? Buffer.from(body) : body)
  }
}

/** Rejects with 503 when the answer takes too long; whatever it was then goes on alone. */
function withinDeadline<T>(answer: Promise<T>, spentMs = 0): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(unavailable('The database did not answer in time. Try again.')),
      REQUEST_DEADLINE_MS - spentMs,
    )
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

/** Answers what never became a request. */
function answerUnread({ code }: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || code === 'ECONNRESET') return void socket.destroy()
  const id = randomUUID()
  const problem = unread(code)
  const body = problemBody(problem, id)
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `content-type: ${problemJson}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
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

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error)
  if (problem.status >= 500) logFault(problem, error, request)
  // Fastify would close the connection behind a body that it did not take. A client that is still sending would then see
  // a broken connection and never the answer, so the rest is read and thrown away: behind the answer, or, when the client
  // asked that the connection be closed behind that, before it.
  reply.removeHeader('connection')
  const send = () =>
    void reply
      .code(problem.status)
      .headers({ ...problem.headers, 'x-request-id': request.id })
      .header('content-type', problemJson)
      .send(problemBody(problem, request.id))
  if (request.raw.complete || reply.raw.shouldKeepAlive) send()
  else finished(request.raw.resume(), send)
  return reply
}

let awayLogged = 0

/** Logs a fault of ours; that the database is away only once a second, since then every request finds it so. */
function logFault(problem: Problem, error: unknown, request: FastifyRequest): void {
  const isAway = problem.code === 'unavailable'
  if (isAway && Date.now() - awayLogged < 1_000) return
  if (isAway) awayLogged = Date.now()
  const cause = isAway ? ((problem.cause as Error | undefined)?.message ?? problem.message) : error
  request.log.error({ err: cause, route: request.routeOptions?.url }, problem.code)
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
