// Token buckets by name, of one rate and size: in the memory of this process, or borrowed from one that all workers share.

/** Seconds' worth of requests that may arrive at once (decisions §12). */
const RATE_LIMIT_BURST = 2
/** Buckets in one generation of one limit; there are at most two, of a few megabytes each. */
const RATED_BUCKETS = 50_000

/** Some buckets, all of one rate and size, by name. */
export interface Buckets {
  /** Takes one token. Returns the whole tokens that are left, or, when there was none, minus the seconds until there is one. */
  take(name: string): number | Promise<number>
  giveBack(name: string): void
}

/** The tokens at the time `at`; fractions count. */
export interface TokenBucket {
  tokens: number
  at: number
}

/** Tokens in a full bucket. */
export const bucketSize = (perSecond: number): number => Math.max(1, Math.floor(perSecond * RATE_LIMIT_BURST))

/** Milliseconds in which an empty bucket fills up. */
export const fillMs = (perSecond: number): number => (bucketSize(perSecond) / perSecond) * 1000

/** Seconds to wait, as clients see them: whole ones. */
export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

/** Milliseconds from `tokens` to the next whole one. */
export const msToNext = (tokens: number, perSecond: number): number =>
  ((Math.floor(tokens) + 1 - tokens) / perSecond) * 1000

/** Adds the tokens that came since, up to `size`. */
export function refill(bucket: TokenBucket, at: number, perSecond: number, size: number): void {
  bucket.tokens = Math.min(size, bucket.tokens + ((at - bucket.at) * perSecond) / 1000)
  bucket.at = at
}

/**
 * Values by name. Those that were not used for `keptMs` are dropped, a generation at a time. More than `RATED_BUCKETS`
 * in a generation end it early; a client that uses many names gains nothing by it, since each new name begins with a
 * full bucket anyway.
 */
export class Generations<Value> {
  readonly #keptMs: number
  readonly #make: (at: number) => Value
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()
  #begun: number | undefined

  constructor(keptMs: number, make: (at: number) => Value) {
    this.#keptMs = keptMs
    this.#make = make
  }

  of(name: string, at: number): Value {
    this.#begun ??= at
    if (at - this.#begun >= this.#keptMs || this.#young.size >= RATED_BUCKETS) {
      this.#old = this.#young
      this.#young = new Map()
      this.#begun = at
    }
    let value = this.#young.get(name)
    if (value === undefined) {
      value = this.#old.get(name) ?? this.#make(at)
      this.#young.set(name, value)
    }
    return value
  }
}

/** Buckets in the memory of this process; a full one needs none. */
export function tokenBuckets(perSecond: number, now: () => number): Buckets {
  const size = bucketSize(perSecond)
  const buckets = new Generations<TokenBucket>(fillMs(perSecond), (at) => ({ tokens: size, at }))
  const bucketOf = (name: string): TokenBucket => {
    const at = now()
    const bucket = buckets.of(name, at)
    refill(bucket, at, perSecond, size)
    return bucket
  }
  return {
    take(name) {
      const bucket = bucketOf(name)
      if (bucket.tokens < 1) return -wholeSeconds(msToNext(bucket.tokens, perSecond))
      bucket.tokens--
      return Math.floor(bucket.tokens)
    },
    giveBack(name) {
      const bucket = bucketOf(name)
      bucket.tokens = Math.min(size, bucket.tokens + 1)
    },
  }
}
