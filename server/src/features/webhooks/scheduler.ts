// Schedules one server's calls: which subscription is next, and how many calls run at once. Companies take turns, and bad
// receivers do not take the capacity of good ones.

import { divided } from '../../core/worker-share.ts'
import { charactersOf } from './message.ts'
import type { Message, Subscription } from './subscription.ts'
import { SLOW_MS } from './subscription.ts'

/**
 * Concurrent calls of one server to healthy receivers; and to receivers that failed or were slow the last time. Of one
 * company there are at most `COMPANY_CALLS` of each. Calls that turn out slow count for neither, but for all together.
 */
const CALLS = divided(400, 50)
const CALLS_MOST = divided(2_000, 250)
const COMPANY_CALLS = divided(100, 20)
const COMPANY_CALLS_MOST = 2 * COMPANY_CALLS
const DEGRADED_CALLS = divided(200, 25)
/**
 * Calls that begin in one turn of the event loop: each takes half a millisecond with its result, and requests of other
 * companies wait for the turn to end.
 */
const CALLS_OF_TURN = 8
/** Characters of events in a company's calls in progress, after which no call begins: each is in memory several times over. */
const COMPANY_CHARACTERS = 8 * 1024 * 1024

/** The two parts of the capacity. Receivers that failed or were slow the last time share the second one. */
type CallPool = 'healthy' | 'degraded'

const pools: readonly CallPool[] = ['healthy', 'degraded']
/** What a call counts for: the part of the capacity with which it began, until it turns out slow. */
type CallCount = CallPool | 'slow'

const poolLimits: Readonly<Record<CallPool, number>> = { healthy: CALLS, degraded: DEGRADED_CALLS }

/** A company's calls in flight, the characters that they send, and its subscriptions that may have something to send. */
interface CompanyCalls {
  readonly companyId: string
  readonly calls: Record<CallCount, number>
  characters: number
  readonly ready: Readonly<Record<CallPool, Set<Subscription>>>
}

interface SchedulerParts {
  /** Makes one call and handles its result. Never throws. */
  readonly deliver: (subscription: Subscription, message: Message) => Promise<void>
  /** Whether calls may begin now. */
  readonly mayBegin: () => boolean
}

/**
 * Begins the calls of companies in turn, and of each company those of its subscriptions in turn: of a subscription as many
 * at once as its trigger accepts, limited for each company, for healthy and for degraded receivers, and for all together.
 */
export class Scheduler {
  readonly #parts: SchedulerParts
  /** Companies with subscriptions that are ready, and with capacity; the one that was served last is at the end. */
  readonly #turns = { healthy: new Set<CompanyCalls>(), degraded: new Set<CompanyCalls>() }
  readonly #inFlight: Record<CallCount, number> = { healthy: 0, degraded: 0, slow: 0 }
  readonly #companies = new Map<string, CompanyCalls>()
  readonly #calls = new Set<Promise<void>>()
  #begunInTurn = 0

  constructor(parts: SchedulerParts) {
    this.#parts = parts
  }

  /** Queues a subscription that may have something to send. */
  offer(subscription: Subscription): void {
    this.#queue(subscription)
    this.resume()
  }

  /** Begins as many calls as the capacity allows. */
  resume(): void {
    if (!this.#parts.mayBegin()) return
    for (const pool of pools) this.#beginCalls(pool)
  }

  /** Resolves when no call is in flight. */
  async ended(): Promise<void> {
    await Promise.all(this.#calls)
  }

  #beginCalls(pool: CallPool): void {
    // A company that is put at the end meanwhile is reached again in the same round.
    for (const company of this.#turns[pool]) {
      if (this.#begunInTurn >= CALLS_OF_TURN) return
      if (callsOf(this.#inFlight) >= CALLS_MOST) return
      if (this.#inFlight[pool] >= poolLimits[pool]) return
      // It may have as many calls as are free, and always one, so that places remain for others. Until then its turn waits.
      if (company.calls[pool] >= Math.max(1, poolLimits[pool] - this.#inFlight[pool])) continue
      this.#turns[pool].delete(company)
      if (!hasCapacity(company, pool)) continue
      const subscription = takeFirst(company.ready[pool])
      if (subscription === undefined) this.#forgetUnused(company)
      else this.#begin(subscription, company, pool)
    }
  }

  #begin(subscription: Subscription, company: CompanyCalls, pool: CallPool): void {
    if (this.#begunInTurn++ === 0)
      setImmediate(() => {
        this.#begunInTurn = 0
        this.resume()
      })
    const call = this.#run(subscription, company, pool).finally(() => this.#calls.delete(call))
    this.#calls.add(call)
    this.#queue(subscription)
  }

  /** One call from its begin to the release of its capacity. */
  async #run(subscription: Subscription, company: CompanyCalls, pool: CallPool): Promise<void> {
    const message = subscription.next()
    const characters = charactersOf(message.event)
    let counted: CallCount = pool
    this.#count(company, counted, 1)
    company.characters += characters
    const slow = setTimeout(() => {
      // It frees its place for others, which must not wait until it times out.
      subscription.isDegraded = true
      if (pool === 'healthy') {
        this.#count(company, pool, -1)
        counted = 'slow'
        this.#count(company, counted, 1)
      }
      this.offer(subscription)
    }, SLOW_MS)
    await this.#parts.deliver(subscription, message)
    clearTimeout(slow)
    this.#count(company, counted, -1)
    company.characters -= characters
    this.#queueTurns(company)
    this.offer(subscription)
  }

  #count({ calls }: CompanyCalls, count: CallCount, change: 1 | -1): void {
    this.#inFlight[count] += change
    calls[count] += change
  }

  /** Puts a subscription at the end of its company's queue for one pool, and takes it out of that for the other. */
  #queue(subscription: Subscription): void {
    const company = this.#companyOf(subscription)
    company.ready.healthy.delete(subscription)
    company.ready.degraded.delete(subscription)
    company.ready[poolOf(subscription)].add(subscription)
    this.#queueTurns(company)
  }

  /** Puts a company at the end of the turns, unless it is waiting for its turn, nothing is ready, or it has no capacity. */
  #queueTurns(company: CompanyCalls): void {
    for (const pool of pools)
      if (company.ready[pool].size > 0 && hasCapacity(company, pool)) this.#turns[pool].add(company)
  }

  #companyOf({ trigger: { companyId } }: Subscription): CompanyCalls {
    const known = this.#companies.get(companyId)
    if (known !== undefined) return known
    const ready = { healthy: new Set<Subscription>(), degraded: new Set<Subscription>() }
    const company = { companyId, calls: { healthy: 0, degraded: 0, slow: 0 }, characters: 0, ready }
    this.#companies.set(companyId, company)
    return company
  }

  #forgetUnused(company: CompanyCalls): void {
    if (callsOf(company.calls) > 0 || pools.some((pool) => company.ready[pool].size > 0)) return
    for (const pool of pools) this.#turns[pool].delete(company)
    this.#companies.delete(company.companyId)
  }
}

/** Takes the first subscription that can send now. Those before it are dropped: they are offered again when they can. */
function takeFirst(ready: Set<Subscription>): Subscription | undefined {
  const now = performance.now()
  for (const subscription of ready) {
    ready.delete(subscription)
    if (subscription.canSend(now)) return subscription
  }
  return undefined
}

const callsOf = ({ healthy, degraded, slow }: Readonly<Record<CallCount, number>>): number => healthy + degraded + slow

const poolOf = ({ isDegraded }: Subscription): CallPool => (isDegraded ? 'degraded' : 'healthy')

/** Whether a company may make another call; the last one may exceed the limit by the length of its event. */
const hasCapacity = ({ calls, characters }: CompanyCalls, pool: CallPool): boolean =>
  calls[pool] < COMPANY_CALLS && callsOf(calls) < COMPANY_CALLS_MOST && characters < COMPANY_CHARACTERS
