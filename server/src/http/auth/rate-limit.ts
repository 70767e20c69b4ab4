// Limits how many requests a key may make, and how often an address may fail with keys: token buckets in the memory of this process (decisions §12).
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, problemBody, problemJson, problemStatus } from '../../core/problem.ts'
import { afterBody } from '../connection/after-body.ts'
import type { RateLimits } from './api-key.ts'
import { networkOf } from './client-network.ts'

/** Seconds' worth of requests that may arrive at once (decisions §12). */
const RATE_LIMIT_BURST = 2
/** Buckets of keys, and as many of addresses, in one generation; there are at most two, of a few megabytes each. */
const RATED_BUCKETS = 50_000

/** The operator's settings: requests a second for each key, and a monotonic clock in milliseconds. */
export interface RateLimitSettings {
  readonly perSecond: number
  readonly now?: () => number
}

/** Returns the limits of one request. */
export type RateLimiter = (request: FastifyRequest, reply: FastifyReply) => RateLimits

interface Bucket {
  /** Requests that could be made at `at`; fractions count. */
  tokens: number
  at: number
}

/** Some buckets, all of one rate and size, by name. */
interface Buckets {
  /** Takes one token. Returns the whole tokens that are left, or, when there was none, minus the seconds until there is one. */
  take(name: string): number
  giveBack(name: string): void
}

/** What is limited, and what the client learns of it. */
interface Limited {
  readonly name: string
  readonly buckets: Buckets
  readonly policy: string
  /** The text of a refusal before the request id. */
  readonly body: string
}

/** Seconds from `tokens` to the next whole one. */
const secondsToNext = (tokens: number, perSecond: number): number =>
  Math.max(1, Math.ceil((Math.floor(tokens) + 1 - tokens) / perSecond))

/**
 * Buckets by name; a full one needs no memory. Those that were not used for the time in which they fill up are dropped,
 * a generation at a time. More than `RATED_BUCKETS` in a generation end it early; a client that uses many names gains
 * nothing by it, since each new name begins with a full bucket anyway.
 */
function tokenBuckets(perSecond: number, size: number, now: () => number): Buckets {
  const generationMs = (size / perSecond) * 1000
  let young = new Map<string, Bucket>()
  let old = young
  let begun = now()

  function bucketOf(name: string, at: number): Bucket {
    if (at - begun >= generationMs || young.size >= RATED_BUCKETS) {
      old = young
      young = new Map()
      begun = at
    }
    let bucket = young.get(name)
    if (bucket === undefined) {
      bucket = old.get(name) ?? { tokens: size, at }
      young.set(name, bucket)
    }
    bucket.tokens = Math.min(size, bucket.tokens + ((at - bucket.at) * perSecond) / 1000)
    bucket.at = at
    return bucket
  }

  return {
    take(name) {
      const bucket = bucketOf(name, now())
      if (bucket.tokens < 1) return -secondsToNext(bucket.tokens, perSecond)
      bucket.tokens--
      return Math.floor(bucket.tokens)
    },
    giveBack(name) {
      const bucket = bucketOf(name, now())
      bucket.tokens = Math.min(size, bucket.tokens + 1)
    },
  }
}

/**
 * Limits keys and failures. The headers are those of draft-ietf-httpapi-ratelimit-headers-11: `q` is the size of the
 * bucket, `w` the seconds in which it fills up, `r` the requests that can be made now, and `t` the seconds within which
 * no more than `r` can be made: those to the next whole token, so that on a 429 `t` and `Retry-After` are the same
 * moment (section 6 there).
 */
export function rateLimiter({ perSecond, now = () => performance.now() }: RateLimitSettings): RateLimiter {
  const size = Math.max(1, Math.floor(perSecond * RATE_LIMIT_BURST))
  const rate = `${perSecond.toLocaleString('en')} a second, ${size.toLocaleString('en')} at once`
  const limited = (name: string, message: string): Limited => ({
    name,
    buckets: tokenBuckets(perSecond, size, now),
    policy: `"${name}";q=${size};w=${Math.ceil(size / perSecond)}`,
    body: bodyWithoutId(`${message}; ${rate} are taken.`),
  })
  const ofKeys = limited('key', 'There were too many requests with this key')
  const ofAddresses = limited('address', 'There were too many requests with invalid keys from this address')
  // Below one request a second the bucket holds a single token, and the next one is a whole interval away.
  const toNext = secondsToNext(0, perSecond)

  return (request, reply) => ({
    admits(keyId) {
      const left = ofKeys.buckets.take(keyId)
      if (left < 0) return refuse(request, reply, ofKeys, -left)
      reply.header('ratelimit-policy', ofKeys.policy)
      reply.header('ratelimit', `"key";r=${left};t=${toNext}`)
      return true
    },
    mayFail() {
      const left = ofAddresses.buckets.take(networkOfClient(request))
      return left >= 0 || refuse(request, reply, ofAddresses, -left)
    },
    forgive: () => ofAddresses.buckets.giveBack(networkOfClient(request)),
  })
}

/** The network that a request comes from. A forwarded value is used only when it is an address, else the proxy's own address. */
export const networkOfClient = (request: FastifyRequest): string =>
  networkOf(request.ip ?? '') ?? networkOf(request.socket.remoteAddress ?? '') ?? ''

/** A problem's text before the request id, which comes last: the rest is the same for each refusal. */
const bodyWithoutId = (message: string): string => problemBody(new Problem('rate_limited', message), '').slice(0, -3)

/**
 * Answers 429 with the least work. It creates no Problem, since an error's stack costs more than everything else
 * together, and bypasses Fastify, whose bookkeeping costs a tenth of the whole.
 */
function refuse(request: FastifyRequest, reply: FastifyReply, { name, policy, body }: Limited, seconds: number): false {
  // A look-up can take longer than the request's deadline, which has answered it then.
  if (reply.sent) return false
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
  for (const name of ['cache-control', 'vary', 'deprecation']) {
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
