// A worker's half of rate limits that hold for all workers together: it admits requests with tokens that it has borrowed from the primary.
import { type Buckets, fillMs, Generations, wholeSeconds } from '../http/auth/token-buckets.ts'
import { LOAN_MS, type Loan, type Want } from './quota-lender.ts'

/** What this worker has of one bucket. */
interface Borrowed {
  /** Tokens that may be used until `until`. */
  left: number
  until: number
  /** The worker asks for more when at most this many are left. */
  low: number
  /** The tokens that the primary had left for all workers when it last lent some. */
  rest: number
  /** Until this time the primary has no tokens either. */
  refusedUntil: number
  /** When the primary was asked; undefined while it is not. */
  askedAt: number | undefined
  /** Requests that wait for an answer. */
  waiting: ((left: number) => void)[]
  /** How many of them the last message to the primary counted. */
  asked: number
}

/** The buckets of all limits. Asks about many names in one message, at the end of a turn of the event loop. */
export class BorrowedQuota {
  readonly #keptMs: number
  readonly #ask: (wants: readonly Want[]) => void
  readonly #now: () => number
  readonly #limits = new Map<string, Generations<Borrowed>>()
  /** Those that the primary was asked about, or will be, by limit and name. */
  readonly #asking = new Map<string, Borrowed>()
  #next: (() => Want)[] = []

  constructor(perSecond: number, ask: (wants: readonly Want[]) => void, now = () => performance.now()) {
    this.#keptMs = Math.max(fillMs(perSecond), LOAN_MS)
    this.#ask = ask
    this.#now = now
  }

  readonly bucketsOf = (limit: string): Buckets => ({
    take: (name) => this.#take(limit, name),
    giveBack: (name) => {
      this.#borrowed(limit, name).left++
    },
  })

  /** Takes over what the primary has lent. */
  receive(loans: readonly Loan[]): void {
    for (const loan of loans) this.#receive(loan)
  }

  #take(limit: string, name: string): number | Promise<number> {
    const own = this.#borrowed(limit, name)
    if (own.left > 0) {
      own.left--
      if (own.left < own.low) this.#askFor(limit, name, own)
      return own.rest + own.left
    }
    const waitMs = own.refusedUntil - this.#now()
    if (waitMs > 0) return -wholeSeconds(waitMs)
    this.#askFor(limit, name, own)
    return new Promise((resolve) => own.waiting.push(resolve))
  }

  #borrowed(limit: string, name: string): Borrowed {
    const at = this.#now()
    let names = this.#limits.get(limit)
    if (names === undefined) {
      names = new Generations(this.#keptMs, nothing)
      this.#limits.set(limit, names)
    }
    // One that is asked about must not be forgotten: requests wait for it.
    const asked = this.#asking.size > 0 ? this.#asking.get(`${limit} ${name}`) : undefined
    const own = asked ?? names.of(name, at)
    if (at >= own.until) own.left = 0
    return own
  }

  #askFor(limit: string, name: string, own: Borrowed): void {
    if (own.askedAt !== undefined) return
    own.askedAt = this.#now()
    this.#asking.set(`${limit} ${name}`, own)
    if (this.#next.length === 0) setImmediate(this.#send)
    this.#next.push(() => {
      own.asked = own.waiting.length
      return { limit, name, waiting: own.asked, still: own.left }
    })
  }

  readonly #send = (): void => {
    const wants = this.#next.map((want) => want())
    this.#next = []
    this.#ask(wants)
  }

  #receive({ limit, name, granted, ahead, rest, nextMs }: Loan): void {
    const key = `${limit} ${name}`
    const own = this.#asking.get(key)
    if (own?.askedAt === undefined) return
    this.#asking.delete(key)
    own.left += ahead
    own.low = ahead / 2
    own.rest = rest
    own.until = own.askedAt + LOAN_MS
    own.askedAt = undefined
    const asked = own.waiting.splice(0, own.asked)
    const later = own.waiting.splice(0)
    if (granted < asked.length) own.refusedUntil = this.#now() + nextMs
    for (const [index, resolve] of asked.entries())
      resolve(index < granted ? rest + own.left + granted - 1 - index : -wholeSeconds(nextMs))
    for (const resolve of later) Promise.resolve(this.#take(limit, name)).then(resolve)
  }
}

const nothing = (): Borrowed => ({
  left: 0,
  until: 0,
  low: 0,
  rest: 0,
  refusedUntil: 0,
  askedAt: undefined,
  waiting: [],
  asked: 0,
})
