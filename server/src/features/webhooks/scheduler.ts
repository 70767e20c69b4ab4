// Schedules one server's calls: which subscription is next, and how many calls run at once. Companies take turns, and bad
// receivers do not take the capacity of good ones.

import { divided } from '../../core/worker-share.ts'
import { charactersOf } from './message.ts'
import type { Message, Subscription } from './subscription.ts'
import { SLOW_MS } from './subscription.ts'

/**
 * Concurrent calls of one server to healthy receivers, including those that turn out slow; of one company; and to
 * receivers that failed or were slow the last time.
 */
const CALLS = divided(400, 50)
const CALLS_MOST = divided(2_000, 250)
const COMPANY_CALLS = divided(100, 20)
const DEGRADED_CALLS = divided(200, 25)
/** Characters of events in a company's calls in progress, after which no call begins: each is in memory several times over. */
const COMPANY_CHARACTERS = 8 * 1024 * 1024

/** The two parts of the capacity. Receivers that failed or were slow the last time share the second one. */
type CallPool = 'healthy' | 'degraded'

const poolLimits: Readonly<Record<CallPool, number>> = { healthy: CALLS, degraded: DEGRADED_CALLS }

/** A company's calls in flight, the characters that they send, and its subscriptions that wait for their end. */
interface CompanyCalls {
  calls: number
  characters: number
  readonly waiting: Set<Subscription>
}

interface SchedulerParts {
  /** Makes one call and handles its result. Never throws. */
  readonly deliver: (subscription: Subscription, message: Message) => Promise<void>
  /** Whether calls may begin now. */
  readonly mayBegin: () => boolean
}

/**
 * Begins the calls of subscriptions in turn: of each as many at once as its trigger accepts, limited for each company,
 * for healthy and for degraded receivers, and for all together.
 */
export class Scheduler {
  readonly #parts: SchedulerParts
  readonly #ready = { healthy: new Set<Subscription>(), degraded: new Set<Subscription>() }
  readonly #inFlight = { healthy: 0, degraded: 0 }
  readonly #companies = new Map<string, CompanyCalls>()
  readonly #calls = new Set<Promise<void>>()

  constructor(parts: SchedulerParts) {
    this.#parts = parts
  }

  /** Puts a subscription that may have something to send at the end of the queue. */
  offer(subscription: Subscription): void {
    this.#ready[poolOf(subscription)].add(subscription)
    this.resume()
  }

  /** Begins as many calls as the capacity allows. */
  resume(): void {
    if (!this.#parts.mayBegin()) return
    this.#beginCalls('healthy')
    this.#beginCalls('degraded')
  }

  /** Resolves when no call is in flight. */
  async ended(): Promise<void> {
    await Promise.all(this.#calls)
  }

  #beginCalls(pool: CallPool): void {
    const ready = this.#ready[pool]
    // A subscription that is put at the end meanwhile is reached again in the same round.
    for (const subscription of ready) {
      if (this.#inFlight.healthy + this.#inFlight.degraded >= CALLS_MOST) return
      if (this.#inFlight[pool] >= poolLimits[pool]) return
      ready.delete(subscription)
      if (!subscription.canSend(performance.now())) continue
      const company = this.#companyOf(subscription)
      if (!hasCapacity(company)) {
        company.waiting.add(subscription)
        continue
      }
      const call = this.#run(subscription, company, pool).finally(() => this.#calls.delete(call))
      this.#calls.add(call)
      ready.add(subscription)
    }
  }

  /** One call from its begin to the release of its capacity. */
  async #run(subscription: Subscription, company: CompanyCalls, pool: CallPool): Promise<void> {
    const message = subscription.next()
    const characters = charactersOf(message.event)
    let counted = pool
    this.#inFlight[counted]++
    company.calls++
    company.characters += characters
    const slow = setTimeout(() => {
      // It frees its place for others, which must not wait until it times out.
      subscription.isDegraded = true
      this.#inFlight[counted]--
      counted = 'degraded'
      this.#inFlight[counted]++
      this.#ready.healthy.delete(subscription)
      this.offer(subscription)
    }, SLOW_MS)
    await this.#parts.deliver(subscription, message)
    clearTimeout(slow)
    this.#inFlight[counted]--
    company.calls--
    company.characters -= characters
    this.#offerWaiting(subscription.trigger.companyId, company)
    this.#ready.healthy.delete(subscription)
    this.#ready.degraded.delete(subscription)
    this.offer(subscription)
  }

  #companyOf({ trigger: { companyId } }: Subscription): CompanyCalls {
    const known = this.#companies.get(companyId)
    if (known !== undefined) return known
    const company = { calls: 0, characters: 0, waiting: new Set<Subscription>() }
    this.#companies.set(companyId, company)
    return company
  }

  /** Queues the subscriptions that waited for capacity of their company, which is forgotten when it has no calls. */
  #offerWaiting(companyId: string, { calls, waiting }: CompanyCalls): void {
    for (const subscription of waiting) this.#ready[poolOf(subscription)].add(subscription)
    waiting.clear()
    if (calls === 0) this.#companies.delete(companyId)
  }
}

const poolOf = ({ isDegraded }: Subscription): CallPool => (isDegraded ? 'degraded' : 'healthy')

/** Whether a company may make another call; the last one may exceed the limit by the length of its event. */
const hasCapacity = ({ calls, characters }: CompanyCalls): boolean =>
  calls < COMPANY_CALLS && characters < COMPANY_CHARACTERS
