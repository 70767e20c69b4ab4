// The primary's half of rate limits that hold for all workers together: it has the only bucket of each name, and lends its tokens.
import { bucketSize, fillMs, Generations, msToNext, refill, type TokenBucket } from '../http/auth/token-buckets.ts'

/** Milliseconds for which a worker may use tokens that it has borrowed. */
export const LOAN_MS = 10_000
/** Part of a second's tokens that a worker may borrow in advance, so that it rarely has to ask. */
const LOAN_PART = 1 / 100

/** What a worker asks for of one bucket. */
export interface Want {
  readonly limit: string
  readonly name: string
  /** Requests that wait for a token. */
  readonly waiting: number
  /** Borrowed tokens that it still has. */
  readonly still: number
}

/** What it gets. */
export interface Loan {
  readonly limit: string
  readonly name: string
  /** Tokens for requests that wait. */
  readonly granted: number
  /** Tokens for later requests. */
  readonly ahead: number
  /** Whole tokens that are left for all. */
  readonly rest: number
  /** Milliseconds to the next token, if fewer were granted than waited. */
  readonly nextMs: number
}

/** Tokens that a worker may still use, and until when. */
interface Lent {
  readonly tokens: number
  readonly until: number
}

interface LentBucket extends TokenBucket {
  /** By worker. */
  readonly lent: Map<number, Lent>
}

/**
 * Lends tokens to workers. A token leaves its bucket before any worker can use it, and a bucket fills only up to its
 * size less the tokens that are lent. Therefore all workers together never admit more than one process would. Unused
 * tokens expire, first in the worker, whose clock starts when it asks. Tokens are lent in advance only from the upper
 * half of a bucket: when they are scarce, no worker keeps tokens that it does not need.
 */
export class QuotaLender {
  readonly #perSecond: number
  readonly #now: () => number
  readonly #limits = new Map<string, Generations<LentBucket>>()

  constructor(perSecond: number, now = () => performance.now()) {
    this.#perSecond = perSecond
    this.#now = now
  }

  lend(worker: number, { limit, name, waiting, still }: Want): Loan {
    const at = this.#now()
    const bucket = this.#bucketOf(limit, name, at)
    bucket.lent.delete(worker)
    const size = bucketSize(this.#perSecond)
    refill(bucket, at, this.#perSecond, size - still - outside(bucket, at))
    const granted = Math.min(waiting, Math.max(0, Math.floor(bucket.tokens)))
    bucket.tokens -= granted
    const advance = Math.floor(this.#perSecond * LOAN_PART)
    const ahead = bucket.tokens - advance >= size / 2 ? advance : 0
    bucket.tokens -= ahead
    if (still + ahead > 0) bucket.lent.set(worker, { tokens: still + ahead, until: at + LOAN_MS })
    const nextMs = granted < waiting ? msToNext(bucket.tokens, this.#perSecond) : 0
    return { limit, name, granted, ahead, rest: Math.max(0, Math.floor(bucket.tokens)), nextMs }
  }

  #bucketOf(limit: string, name: string, at: number): LentBucket {
    let buckets = this.#limits.get(limit)
    if (buckets === undefined) {
      const size = bucketSize(this.#perSecond)
      const keptMs = Math.max(fillMs(this.#perSecond), LOAN_MS)
      buckets = new Generations<LentBucket>(keptMs, (made) => ({ tokens: size, at: made, lent: new Map() }))
      this.#limits.set(limit, buckets)
    }
    return buckets.of(name, at)
  }
}

/** The tokens of a bucket that workers may still use. */
function outside({ lent }: LentBucket, at: number): number {
  let tokens = 0
  for (const [worker, each] of lent)
    if (each.until > at) tokens += each.tokens
    else lent.delete(worker)
  return tokens
}
