// Folds the routes into a Fastify server: authentication, body, query, answer, and one shape for every error.
import { randomUUID } from 'node:crypto'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import { parse as parseQuery } from 'qs'
import { checker, unknownMember } from '../engine/schema.ts'
import { BODY_BYTES, REQUEST_DEADLINE_MS } from '../limits.ts'
import { authenticate, type Caller, type FindKey } from './authenticate.ts'
import { readJson } from './json.ts'
import { invalid, Problem, problemBody, unavailable } from './problem.ts'
import type { Answer, Route } from './route.ts'
import { Scope } from './scope.ts'

/** What the server needs of the rest of the house. */
export interface ServerParts {
  readonly routes: readonly Route[]
  readonly findKey: FindKey
  /** Told of each request that a key was let in with. */
  readonly keyUsed: (keyId: string) => void
  readonly log: Logger
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

const json = 'application/json; charset=utf-8'
const problemJson = 'application/problem+json; charset=utf-8'
const legacyDeprecation = '@1735689600' // RFC 9745; the older description's header name gave way with 2025
const nobody = Scope.grant('')

/** Builds the server; the caller listens and closes. */
export function createServer({ routes, findKey, keyUsed, log }: ServerParts): FastifyInstance {
  const server = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: BODY_BYTES,
    genReqId: requestId,
    requestIdHeader: false,
    exposeHeadRoutes: true,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: {
      querystringParser: (text) =>
        text === '' ? {} : parseQuery(text, { depth: 2, plainObjects: true, arrayLimit: 100 }),
      maxParamLength: 500,
    },
    clientErrorHandler(_error, socket) {
      if (!socket.writable) return void socket.destroy()
      const body = problemBody(
        new Problem('malformed_body', 'The request is not HTTP/1.1 as RFC 9112 has it.'),
        randomUUID(),
      )
      socket.end(
        `HTTP/1.1 400 Bad Request\r\ncontent-type: ${problemJson}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      )
    },
    frameworkErrors: (error, request, reply) => answerError(error, request, reply as FastifyReply),
  })
  server.decorateRequest('caller', null)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      // A delete needs no body; clients that always send the header send none with it.
      const isNothing = body.length === 0 && request.method === 'DELETE'
      done(null, isNothing ? undefined : readJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  const logsEach = log.isLevelEnabled('debug')
  server.addHook('onResponse', (request, reply, done) => {
    const line = () => ({
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.caller && { companyId: request.caller.scope.companyId, keyId: request.caller.keyId }),
    })
    if (logsEach) request.log.debug(line(), 'answered')
    else if (reply.elapsedTime > 1_000) request.log.warn(line(), 'answered slowly')
    done()
  })
  server.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  server.setNotFoundHandler((request, reply) =>
    answerError(
      new Problem('not_found', `There is nothing at ${request.url.split('?')[0]?.slice(0, 200)}.`),
      request,
      reply,
    ),
  )
  for (const route of routes) register(server, route, findKey, keyUsed)
  refuseOtherMethods(server, routes)
  return server
}

const fastifyPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

function register(server: FastifyInstance, route: Route, findKey: FindKey, keyUsed: (id: string) => void): void {
  const checkQuery = queryChecker(route)
  server.route({
    method: route.method,
    url: fastifyPath(route.path),
    onRequest: (request, reply, done) => {
      if (route.surface === 'public') return done()
      const admit = (caller: Caller) => {
        request.caller = caller
        keyUsed(caller.keyId)
        if (caller.isLegacy) reply.header('deprecation', legacyDeprecation)
        done()
      }
      const { headers, method } = request
      try {
        const caller = authenticate(findKey, { headers, method, path: route.path }, route.surface)
        if (caller instanceof Promise) caller.then(admit).catch(done)
        else admit(caller)
      } catch (error) {
        done(error as Error)
      }
    },
    handler: (request, reply) => {
      const at = request.url.indexOf('?')
      const query = checkQuery(request.query)
      if (route.body && request.body === undefined && route.method !== 'DELETE')
        throw new Problem('malformed_body', 'The body is empty; JSON is expected.')
      const answer = route.handle({
        scope: request.caller?.scope ?? nobody,
        params: request.params as Record<string, string>,
        query,
        body: request.body,
        path: at === -1 ? request.url : request.url.slice(0, at),
        search: at === -1 ? '' : request.url.slice(at + 1),
        keyId: request.caller?.keyId,
      })
      if (!(answer instanceof Promise)) return send(reply, answer)
      return withinDeadline(answer).then((settled) => send(reply, settled))
    },
  })
}

function send(reply: FastifyReply, { status, body, headers, contentType }: Answer): FastifyReply {
  reply.code(status)
  if (headers) reply.headers(headers)
  reply.header('content-type', contentType ?? json)
  return reply.send(body)
}

/** Rejects with 503 when the answer takes too long; whatever it was then goes on alone. */
function withinDeadline<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(unavailable('The database did not answer in time. Try again.')),
      REQUEST_DEADLINE_MS,
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

/** Checks and converts the query parameters of a route; throws `validation_failed` naming the wrong ones. */
function queryChecker({ query = {} }: Route): (sent: unknown) => Record<string, unknown> {
  const known = Object.keys(query)
  const check = checker({ type: 'object', properties: query }, 'query')
  return (sent) => {
    const parameters = sent as Record<string, unknown>
    const names = Object.keys(parameters)
    if (names.length === 0) return parameters
    const unknown = names.filter((name) => !Object.hasOwn(query, name))
    const errors = [
      ...unknown.map((name) => unknownMember(name, known, '', 'query')),
      ...check(parameters).map((error) => ({ ...error, pointer: error.pointer.slice(1) })),
    ]
    if (errors.length > 0) throw invalid(errors)
    return parameters
  }
}

/** 405 with `Allow` where a path exists and the method does not: Fastify alone would say 404. */
function refuseOtherMethods(server: FastifyInstance, routes: readonly Route[]): void {
  const allowed = Map.groupBy(routes, ({ path }) => fastifyPath(path))
  for (const [url, own] of allowed) {
    const methods: string[] = own.map(({ method }) => method)
    if (methods.includes('GET')) methods.push('HEAD')
    const others = server.supportedMethods.filter((method) => !methods.includes(method))
    const allow = methods.sort().join(', ')
    server.route({
      method: others,
      url,
      // In a hook, so that the body of a refused method is not read.
      onRequest: (request, _reply, done) =>
        done(
          new Problem('method_not_allowed', `${request.method} is not possible here, only ${allow}.`, [], { allow }),
        ),
      handler: () => {},
    })
  }
}

function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && /^[\x21-\x7e]{1,128}$/.test(sent) ? sent : randomUUID()
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error)
  if (problem.status >= 500) {
    const cause =
      problem.code === 'internal_error' ? error : ((problem.cause as Error | undefined)?.message ?? problem.message)
    request.log.error({ err: cause, route: request.routeOptions?.url }, problem.code)
  }
  return reply
    .code(problem.status)
    .headers({ ...problem.headers, 'x-request-id': request.id })
    .header('content-type', problemJson)
    .send(problemBody(problem, request.id))
}

/** What a caller is told of anything that was thrown. */
function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('payload_too_large', `The body is larger than ${BODY_BYTES / 1024 / 1024} MB.`, [], {
        connection: 'close',
      })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem(
        'unsupported_media_type',
        'The body must be JSON, with the header content-type: application/json.',
      )
    case 'FST_ERR_BAD_URL':
      return new Problem('not_found', 'There is nothing at this path; it is not a valid URL.')
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Problem('malformed_body', `The request cannot be read: ${(error as Error).message}.`)
  return new Problem('internal_error', 'Something went wrong in the service. It was logged under the request id.')
}
