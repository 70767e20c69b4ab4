// Limits how many requests a key may make, and how often an address may fail with keys: token buckets (decisions §12).
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, problemBody, problemJson, problemStatus, type Reason } from '../../core/problem.ts'
import { afterBody } from '../connection/unread-body.ts'
import { corsHeaders } from '../cors.ts'
import { countRefusal } from '../metrics.ts'
import { networkOf } from '../networks.ts'
import type { RateLimits } from './api-key.ts'
import { type Buckets, bucketSize, fillMs, msToNext, tokenBuckets, wholeSeconds } from './token-buckets.ts'

/** The operator's settings: requests a second for each key, and a monotonic clock in milliseconds. */
export interface RateLimitSettings {
  readonly perSecond: number
  readonly now?: () => number
  /** The buckets of a limit, where several processes share them; by default they are in the memory of this one. */
  readonly bucketsOf?: ((limit: string) => Buckets) | undefined
}

/** Returns the limits of one request. */
export type RateLimiter = (request: FastifyRequest, reply: FastifyReply) => RateLimits

/** What is limited, and what the client learns of it. */
interface Limited {
  readonly name: string
  readonly reason: Reason
  readonly buckets: Buckets
  readonly policy: string
  /** The text of a refusal before the request id. */
  readonly body: string
}

/**
 * Limits keys and failures. The headers are those of draft-ietf-httpapi-ratelimit-headers-11: `q` is the size of the
 * bucket, `w` the seconds in which it fills up, `r` the requests that can be made now, and `t` the seconds within which
 * no more than `r` can be made: the time to the next whole token, so that on a 429 `t` and `Retry-After` agree (section
 * 6 there).
 */
export function rateLimiter({ perSecond, now = () => performance.now(), bucketsOf }: RateLimitSettings): RateLimiter {
  const size = bucketSize(perSecond)
  const rate = `${perSecond.toLocaleString('en')} a second, ${size.toLocaleString('en')} at once`
  const limited = (name: string, reason: Reason, message: string): Limited => ({
    name,
    reason,
    buckets: bucketsOf?.(name) ?? tokenBuckets(perSecond, now),
    policy: `"${name}";q=${size};w=${Math.ceil(fillMs(perSecond) / 1000)}`,
    body: bodyWithoutId(`${message}; the limit is ${rate}.`, reason),
  })
  const ofKeys = limited('key', 'key_rate', 'There were too many requests with this key')
  const ofAddresses = limited(
    'address',
    'address_rate',
    'There were too many requests with invalid keys from this address',
  )
  // Below one request a second the bucket holds a single token, and the next one is a whole interval away.
  const toNext = wholeSeconds(msToNext(0, perSecond))

  const answerKey = (left: number, request: FastifyRequest, reply: FastifyReply): boolean => {
    if (left < 0) return refuse(request, reply, ofKeys, -left)
    reply.header('ratelimit-policy', ofKeys.policy)
    reply.header('ratelimit', `"key";r=${left};t=${toNext}`)
    return true
  }
  const answerAddress = (left: number, request: FastifyRequest, reply: FastifyReply): boolean =>
    left >= 0 || refuse(request, reply, ofAddresses, -left)

  return (request, reply) => ({
    admits(keyId) {
      const left = ofKeys.buckets.take(keyId)
      if (typeof left === 'number') return answerKey(left, request, reply)
      return left.then((found) => answerKey(found, request, reply))
    },
    mayFail() {
      const left = ofAddresses.buckets.take(networkOfClient(request))
      if (typeof left === 'number') return answerAddress(left, request, reply)
      return left.then((found) => answerAddress(found, request, reply))
    },
    forgive: () => ofAddresses.buckets.giveBack(networkOfClient(request)),
  })
}

/** The network that a request comes from. A forwarded value is used only when it is an address, else the proxy's own address. */
export const networkOfClient = (request: FastifyRequest): string =>
  networkOf(request.ip ?? '') ?? networkOf(request.socket.remoteAddress ?? '') ?? ''

/** A problem's text before the request id, which comes last: the rest is the same for each refusal. */
const bodyWithoutId = (message: string, reason: Reason): string =>
  problemBody(new Problem('rate_limited', message, [], { reason }), '').slice(0, -3)

/**
 * Answers 429 with the least work. It creates no Problem, and bypasses Fastify, whose bookkeeping costs a tenth of the
 * whole.
 */
function refuse(request: FastifyRequest, reply: FastifyReply, limited: Limited, seconds: number): false {
  const { name, reason, policy, body } = limited
  // A look-up can take longer than the request's deadline, after which the request was already answered.
  if (reply.sent) return false
  countRefusal(reason)
  const { id } = request
  const text = `${body}${JSON.stringify(id)}}`
  const retryAfter = String(seconds)
  const headers = [
    'x-request-id',
    id,
    'x-content-type-options',
    'nosniff',
    'content-type',
    problemJson,
    'content-length',
    String(text.length),
  ]
  headers.push('retry-after', retryAfter, 'ratelimit-policy', policy, 'ratelimit', `"${name}";r=0;t=${retryAfter}`)
  for (const name of ['cache-control', 'vary', 'deprecation', ...corsHeaders]) {
    const value = reply.getHeader(name)
    if (value !== undefined) headers.push(name, String(value))
  }
  reply.hijack()
  afterBody(request, reply, () => {
    reply.raw.writeHead(problemStatus.rate_limited, headers)
    reply.raw.end(text)
  })
  return false
}
