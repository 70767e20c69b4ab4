// Requests that rate limits count, and what they say of a limit, for tests of services with a rate of five a second.
import assert from 'node:assert/strict'
import { assertProblem } from './problem.ts'
import type { Caller, Reply } from './service.ts'

/** The burst of a key: twice its rate. */
export const size = 10

/** The header with which a proxy names a client. */
export const from = (address: string) => ({ 'x-forwarded-for': address })

/** A request that counts. */
export const list = (call: Caller, headers = {}) => call('GET', '/v1/products', undefined, headers)

/** The numbers of `RateLimit: "key";r=9;t=1`. */
export function limitOf({ headers }: Reply): { name: string | undefined; left: number; seconds: number } {
  const [, name, left, seconds] = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? []
  return { name, left: Number(left), seconds: Number(seconds) }
}

/** Checks everything that a refusal must contain, and returns the seconds that it asks to wait. */
export function assertRefused(reply: Reply, name: 'key' | 'address' = 'key'): number {
  assertProblem(reply, 429, 'rate_limited')
  const seconds = Number(reply.headers.get('retry-after'))
  assert.ok(Number.isInteger(seconds) && seconds >= 1, reply.headers.get('retry-after') ?? 'no Retry-After')
  assert.deepEqual(limitOf(reply), { name, left: 0, seconds })
  assert.equal(reply.headers.get('ratelimit-policy'), `"${name}";q=${size};w=2`)
  return seconds
}
