// The body of a request as JSON, with the digest that an idempotency key is bound to. A short body is read at once, a
// long one in slices with other work in between.
import type { FastifyRequest } from 'fastify'
import { atOnce, inSlices } from '../concurrency/time-slices.ts'
import { deadlinePassed } from '../core/problem.ts'
import { SMALL_BODY_BYTES } from './connection/body-memory.ts'
import { beginFingerprint } from './idempotency.ts'
import { type ReadBody, readingBody } from './json.ts'
import { pathOf } from './paths.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    isBulk?: boolean
  }
}

/** Reads a body; returns a promise if it is long. */
export function readBody(request: FastifyRequest, body: Buffer): ReadBody | Promise<ReadBody> {
  const { isBulk = false } = request.routeOptions.config
  if (body.length <= SMALL_BODY_BYTES) return atOnce(readingBody(body, isBulk))
  const { socket } = request.raw
  return inSlices(readingAll(request, body, isBulk), request.caller?.scope.companyId ?? '', () => {
    if (socket.destroyed) throw deadlinePassed()
  })
}

function* readingAll(request: FastifyRequest, body: Buffer, isBulk: boolean): Generator<undefined, ReadBody> {
  const read = yield* readingBody(body, isBulk, (bytes) => request.held?.grow(bytes))
  if (request.headers['idempotency-key'] === undefined) return read
  return { ...read, begun: yield* beginFingerprint(request.method, pathOf(request.url), read.value) }
}
