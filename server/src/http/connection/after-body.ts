// Answers a request whose body is not read, so that its client gets the response instead of a broken connection.
import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isWaiting } from './expect-continue.ts'

/**
 * Calls `send` at the moment from which the client can receive the response. A client that is still sending when the
 * connection closes sees a broken connection and never the response, so the rest is read and dropped: after the
 * response, or, when the client asked to close the connection, before it. `REQUEST_READ_MS` bounds both. A client that
 * waits for "100 Continue" is not sending. The response is sent at the end of this turn of the event loop, after the
 * requests that arrived with it have been read: a flood of refusals then costs three fifths of the processor time.
 */
export function afterBody(request: FastifyRequest, reply: FastifyReply, send: () => void): void {
  if (request.raw.complete || reply.raw.shouldKeepAlive || isWaiting(request.raw)) setImmediate(send)
  else finished(request.raw.resume(), send)
}
