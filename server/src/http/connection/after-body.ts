// Answers a request whose body nobody takes, so that its caller hears the answer instead of a broken connection.
import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isWaiting } from './expect-continue.ts'

/**
 * Calls `send` at the moment from which its answer is heard. A client that is still sending when the connection is closed
 * sees a broken connection and never the answer, so the rest is read and thrown away: behind the answer, or, when the client
 * asked that the connection be closed behind that, before it. The time in which a request must have come in
 * (`REQUEST_READ_MS`) bounds both. A client that waits for the word to go on is not sending.
 */
export function afterBody(request: FastifyRequest, reply: FastifyReply, send: () => void): void {
  if (request.raw.complete || reply.raw.shouldKeepAlive || isWaiting(request.raw)) send()
  else finished(request.raw.resume(), send)
}
