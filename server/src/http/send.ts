// Sends a route's response: status, headers, ETag and 304, a stream or a text, and counts the memory of a long one until the client takes it.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, isKnown } from '../core/etag.ts'
import { LONG_ANSWER_BYTES } from '../core/limits.ts'
import { busy, unavailable } from '../core/problem.ts'
import { tenantOf } from './call.ts'
import type { Answers } from './connection/response-memory.ts'
import type { Answer, Route } from './route.ts'

const json = 'application/json; charset=utf-8'

/** Sends a response. Throws 503 where the memory budget has no space for a long one. */
export function send(
  route: Route,
  untaken: Answers,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer | Answer<Buffer>,
) {
  const { status, body, headers, contentType, stream } = answer
  // A long text becomes bytes once, instead of being measured first and encoded later.
  const isLong = typeof body === 'string' && body.length > LONG_ANSWER_BYTES
  const sent = isLong ? bytesOf(body) : body
  if (isLong) count(route, untaken, request, reply, sent.length)
  reply.code(status)
  if (headers)
    reply.headers(
      headers.vary ? { ...headers, vary: [reply.getHeader('vary') ?? [], headers.vary].flat().join(', ') } : headers,
    )
  // The answer of a dry run is no version of a stored record, so it gets no ETag.
  if (route.isRecord && !reply.hasHeader('dry-run')) {
    const etag = etagOf(route.tagged?.(body as string) ?? (body as string))
    reply.header('etag', etag)
    const known = route.method === 'GET' ? request.headers['if-none-match'] : undefined
    if (known !== undefined && isKnown(known, etag)) return reply.code(304).send()
  }
  if (status === 304) return reply.send()
  reply.header('content-type', contentType ?? json)
  // HEAD would read a whole stream only to drop it. An empty stream keeps the length in the headers.
  if (stream && request.method === 'HEAD') {
    endStream(answer)
    return reply.send(Readable.from([]))
  }
  if (stream) return reply.send(Readable.from(stream))
  return reply.send(sent)
}

/** Ends the stream of a response that is not sent, so that it releases its source. */
export function endStream({ stream }: Pick<Answer, 'stream'>): void {
  stream?.[Symbol.asyncIterator]().return?.()
}

/**
 * A text as bytes. Nearly all characters take one byte each, so they are written into a buffer of that size and an
 * eighth more. Measuring them first would take as long as writing. A character takes at most 4 bytes: if fewer are
 * left, the text may not have fitted.
 */
function bytesOf(text: string): Buffer {
  const space = Buffer.allocUnsafe(text.length + (text.length >> 3) + 4)
  const length = space.write(text)
  return length + 4 <= space.length ? space.subarray(0, length) : Buffer.from(text)
}

/**
 * Counts a long response until the client takes it. A write cannot be undone: the client learns that its response was
 * lost.
 */
function count(route: Route, untaken: Answers, request: FastifyRequest, reply: FastifyReply, bytes: number): void {
  const isWritten = route.method !== 'GET'
  if (untaken.hold(tenantOf(request), bytes, route.isRecord === true || isWritten, reply.raw)) return
  const why = 'Too many responses are waiting to be read, so there is no room for this one.'
  throw isWritten ? unavailable(why, 'memory_full') : busy('memory_full')
}
