// What becomes of anything that was thrown: the problem that the caller is told, and what the log says of it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { BODY_BYTES } from '../core/limits.ts'
import { Problem, problemBody, problemJson } from '../core/problem.ts'
import { afterBody } from './connection/after-body.ts'

/** What the log says of a request that was answered. */
export const logged = (request: FastifyRequest, status: number, ms: number) => ({
  requestId: request.id,
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
  const problem = problemOf(error, request.routeOptions?.bodyLimit)
  if (problem.status >= 500) logFault(log, problem, error, request)
  // Fastify would close the connection behind a body that it did not take.
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

/** When each reason of a 503 was last logged; there is a handful. */
const awayLogged = new Map<string, number>()

/** Logs a fault of ours; a reason why nothing can be done now only once a second, since then every request finds it so. */
function logFault(log: Logger, problem: Problem, error: unknown, request: FastifyRequest): void {
  // The caller hung up with the request half sent, which is no fault of ours.
  if (error !== undefined && request.raw.errored === error) return
  const isAway = problem.code === 'unavailable'
  // Nobody heard of it.
  if (isAway && request.raw.socket.destroyed) return
  if (isAway && Date.now() - (awayLogged.get(problem.message) ?? 0) < 1_000) return
  if (isAway) awayLogged.set(problem.message, Date.now())
  const cause = isAway ? ((problem.cause as Error | undefined)?.message ?? problem.message) : error
  log.error({ requestId: request.id, err: cause, route: request.routeOptions?.url }, problem.code)
}

/** 415 for a body of another type. */
export const notJson = (): Problem =>
  new Problem('unsupported_media_type', 'The body must be JSON, with the header content-type: application/json.')

const sizeOf = (bytes: number): string => (bytes < 1024 * 1024 ? `${bytes / 1024} KB` : `${bytes / 1024 / 1024} MB`)

/** What a caller is told of anything that was thrown; `most` is the largest body that it could have sent. */
function problemOf(error: unknown, most: number = BODY_BYTES): Problem {
  if (error instanceof Problem) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('payload_too_large', `The body is larger than ${sizeOf(most)}.`)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return notJson()
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Problem('not_found', 'There is nothing at this path; it is too long.')
    case 'FST_ERR_BAD_URL':
      return new Problem('not_found', 'There is nothing at this path; it is not a valid URL.')
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Problem('malformed_body', `The request cannot be read: ${(error as Error).message}.`)
  return new Problem('internal_error', 'Something went wrong in the service. It was logged under the request id.')
}
