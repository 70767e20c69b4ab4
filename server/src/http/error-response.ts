// Turns anything that was thrown into a problem for the caller and a line for the log.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { causeOf, PassingReasons } from '../core/failure-log.ts'
import { BODY_BYTES } from '../core/limits.ts'
import { Problem, problemBody, problemJson } from '../core/problem.ts'
import { bearerChallenge } from './auth/bearer.ts'
import { afterBody } from './connection/unread-body.ts'
import { countRefusal } from './metrics.ts'
import { namingParameters } from './query.ts'
import { traceMember } from './request-trace.ts'

/** The log line of an answered request. */
export const logged = (request: FastifyRequest, status: number, ms: number) => ({
  requestId: request.id,
  ...traceMember(request.raw),
  method: request.method,
  route: request.routeOptions.url,
  status,
  ms: Math.round(ms * 10) / 10,
  ...(request.caller && {
    companyId: request.caller.scope.companyId,
    keyId: request.caller.scope.keyId,
    userId: request.caller.scope.user?.id,
  }),
})

/** Answers a request with what was thrown. */
export function answerError(log: Logger, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { bodyLimit, config } = request.routeOptions ?? {}
  const problem = namingParameters(problemOf(error, bodyLimit), config?.parameters)
  if (problem.reason !== undefined) countRefusal(problem.reason)
  if (problem.status >= 500) logFault(log, problem, error, request)
  if (problem.status === 401 && request.routeOptions?.config.takesBearer)
    reply.header('www-authenticate', bearerChallenge)
  // Fastify would close the connection after a body that it did not read.
  reply.removeHeader('connection')
  const send = () =>
    void reply
      .code(problem.status)
      .headers({ ...problem.headers, 'x-request-id': request.id, 'x-content-type-options': 'nosniff' })
      .header('content-type', problemJson)
      .send(problemBody(problem, request.id))
  afterBody(request, reply, send)
  return reply
}

const reasons = new PassingReasons()

function logFault(log: Logger, problem: Problem, error: unknown, request: FastifyRequest): void {
  // The client closed the connection in the middle of its request, which is no internal error.
  if (error !== undefined && request.raw.errored === error) return
  const isAway = problem.code === 'unavailable'
  // No client received it.
  if (isAway && request.raw.socket.destroyed) return
  if (isAway && !reasons.isDue(problem)) return
  const err = isAway ? causeOf(problem) : error
  // A defect is in the service itself, and should be reported to its makers.
  const what = isAway
    ? `request answered 503: ${problem.reason}`
    : 'request failed unexpectedly (500); report this line'
  log.error({ requestId: request.id, ...traceMember(request.raw), err, route: request.routeOptions?.url }, what)
}

/** 415 for a body of another type. */
export const notJson = (): Problem =>
  new Problem('unsupported_media_type', 'The body must be JSON, with the header content-type: application/json.')

const sizeOf = (bytes: number): string => (bytes < 1024 * 1024 ? `${bytes / 1024} KB` : `${bytes / 1024 / 1024} MB`)

/** The problem for anything that was thrown; `most` is the largest body that the route accepts. */
function problemOf(error: unknown, most: number = BODY_BYTES): Problem {
  if (error instanceof Problem) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('payload_too_large', `The body must not be larger than ${sizeOf(most)}.`)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return notJson()
    case 'FST_ERR_BAD_URL':
      return new Problem('not_found', 'The path must be percent-encoded UTF-8; write % itself as %25.')
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Problem('malformed_body', `The request cannot be read: ${(error as Error).message}.`)
  return new Problem('internal_error', 'The service failed unexpectedly. Its log has the details under the request id.')
}
