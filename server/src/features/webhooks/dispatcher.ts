// Dispatches events to triggers: leases them, reads the feed for each, calls their receivers and hands over the results.
// Nothing is lost when a server dies.
import { randomUUID } from 'node:crypto'
import { type BackgroundLoop, backgroundLoop, type Failed } from '../../concurrency/background-loop.ts'
import type { Seal } from '../../core/idempotency-claim.ts'
import type { Database } from '../../database/connect.ts'
import type { WriteNotifications } from '../events/write-notifications.ts'
import type { CallResult, Sender, WebhookCall } from './call.ts'
import { AFTER_FAILURE_MS, leaseCompanies, leaseDue, leaseEndsFrom, RENEWAL_MS } from './leases.ts'
import { messageOf } from './message.ts'
import { countAttempt } from './metrics.ts'
import { LOOK_MS, PendingCompanies } from './pending-companies.ts'
import { readDue, readPages } from './reads.ts'
import { ResultWriter, type RetryDelay, scheduledDelay } from './results.ts'
import { Scheduler } from './scheduler.ts'
import type { Message, Subscription } from './subscription.ts'
import { matchesPattern, Subscriptions } from './subscriptions.ts'
import { switchOff } from './triggers.ts'

/** Milliseconds between two looks for due deliveries while there are looks for events anyway. */
const DUE_LEAST_MS = 100
/** Due deliveries that one look reads for a trigger. */
const DUE_PAGE = 50
/** Milliseconds that the server waits for calls in progress when it ends. */
const STOP_MS = 3_000

/** What the dispatcher needs; `retryDelay` replaces the schedule of decisions §9. */
interface DispatcherParts {
  /** Reads events and deliveries, with only their companies in reach; by default the database. */
  readonly reads?: Database | undefined
  readonly seal: Seal
  readonly sender: Sender
  readonly notifications: WriteNotifications
  readonly failed: Failed
  readonly retryDelay?: RetryDelay | undefined
}

/**
 * Dispatches from its creation until it is stopped. Each server handles the triggers that it has leased, so that a
 * trigger never gets more calls than it accepts. Calls that a server made but did not store before it died are made again.
 */
export class Dispatcher {
  readonly #serverId = randomUUID()
  readonly #database: Database
  /** Reads events and deliveries, with only their companies in reach. */
  readonly #reads: Database
  readonly #parts: DispatcherParts
  readonly #companies: PendingCompanies
  readonly #subscriptions: Subscriptions
  readonly #scheduler: Scheduler
  readonly #results: ResultWriter
  readonly #looking: BackgroundLoop
  readonly #switchingOff: BackgroundLoop
  /** Subscriptions that may have more to read, and those whose triggers are being switched off, with the reason. */
  readonly #readers = new Set<Subscription>()
  readonly #toSwitchOff = new Map<Subscription, string>()
  readonly #aborting = new AbortController()
  #isStopping = false
  #lastLook = 0
  #lastDueLook = 0
  #lastRelease = performance.now()

  constructor(database: Database, parts: DispatcherParts) {
    const { seal, notifications, failed } = parts
    this.#database = database
    this.#reads = parts.reads ?? database
    this.#parts = parts
    this.#looking = backgroundLoop(() => this.#look(), failed, AFTER_FAILURE_MS)
    this.#switchingOff = backgroundLoop(() => this.#switchOffTriggers(), failed, AFTER_FAILURE_MS)
    this.#subscriptions = new Subscriptions({ seal, failed, added: (companyId) => this.#companies.add([companyId]) })
    this.#companies = new PendingCompanies(this.#database, {
      notifications,
      failed,
      subscribed: () => this.#subscriptions.companies(),
      triggersChanged: (companyId) => this.#subscriptions.hold(companyId),
      found: () => this.#lookSoon(),
    })
    this.#results = new ResultWriter(this.#database, {
      serverId: this.#serverId,
      retryDelay: parts.retryDelay ?? scheduledDelay,
      failed,
      renewed: () => this.#subscriptions.all(),
      lost: (subscription) => this.#lose(subscription),
      stored: (subscriptions) => {
        for (const subscription of subscriptions) this.#scheduler.offer(subscription)
        this.#scheduler.resume()
      },
      switchOff: (subscription, reason) => this.#switchOff(subscription, reason),
    })
    this.#scheduler = new Scheduler({
      deliver: (subscription, message) => this.#deliver(subscription, message),
      mayBegin: () => !this.#isStopping && !this.#results.isFull,
    })
    this.#looking.schedule(0)
  }

  /** Begins no more calls, waits a moment for those in flight, and releases the leases. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all([this.#companies.stop(), this.#looking.stop(), this.#switchingOff.stop()])
    const timer = setTimeout(() => this.#aborting.abort(), STOP_MS)
    await this.#scheduler.ended()
    clearTimeout(timer)
    // Results that cannot be stored are sent again once the leases have expired.
    await this.#results.stop(() => this.#subscriptions.all()).catch(this.#parts.failed)
  }

  // One look: lease, read, and offer what was read to the scheduler. Each step is a statement or two for all companies.

  async #look(): Promise<number> {
    this.#lastLook = performance.now()
    await this.#releaseUnused()
    const companies = this.#companies.take()
    // Errors of companies whose node is down; the others continue.
    const errors: unknown[] = []
    try {
      if (companies.length > 0) errors.push(...(await this.#leaseCompanies(companies)))
      if (this.#lastLook - this.#lastDueLook >= DUE_LEAST_MS)
        await this.#readRetries().catch((error) => errors.push(error))
      errors.push(...(await this.#readEvents()))
    } catch (error) {
      this.#companies.add(companies)
      throw error
    }
    for (const error of errors) throw error
    return this.#readers.size > 0 ? LOOK_MS : this.#companies.pauseMs()
  }

  /** Looks in some milliseconds, so that under many writes, many companies are handled in one look. */
  #lookSoon(): void {
    this.#looking.schedule(Math.max(0, this.#lastLook + LOOK_MS - performance.now()))
  }

  /**
   * Leases the free triggers of companies, and drops those that are no longer ours. Returns the errors of companies for
   * which it failed; the next look includes them again.
   */
  async #leaseCompanies(companies: readonly string[]): Promise<unknown[]> {
    const begun = performance.now()
    const leaseEnds = leaseEndsFrom(begun)
    const { triggerChanges } = this.#companies
    const known = companies.flatMap((companyId) => [...this.#subscriptions.of(companyId)].map(({ trigger }) => trigger))
    const { lost, leased, withTriggers, failures } = await leaseCompanies(
      this.#database,
      this.#serverId,
      companies,
      known,
    )
    const failed = new Set(failures.flatMap(({ items }) => items))
    this.#companies.add(failed)
    for (const key of lost) this.#subscriptions.release(this.#subscriptions.find(key))
    for (const one of leased) this.#subscriptions.add(one, leaseEnds)
    for (const companyId of companies) {
      if (!withTriggers.has(companyId) && failed.has(companyId)) continue
      if (!withTriggers.has(companyId)) this.#companies.setWithoutTriggers(companyId, triggerChanges)
      const mayCall = !failed.has(companyId) && this.#subscriptions.endHold(companyId, begun)
      for (const subscription of this.#subscriptions.of(companyId)) {
        if (mayCall) this.#scheduler.offer(subscription)
        subscription.expectEvents()
        this.#readers.add(subscription)
      }
    }
    return failures.map(({ error }) => error)
  }

  /** Leases triggers with deliveries that are due again, and reads these; ends the pauses that are over. */
  async #readRetries(): Promise<void> {
    const now = performance.now()
    this.#lastDueLook = now
    const busy = [...this.#subscriptions.all()].filter(({ unfinishedRetries }) => unfinishedRetries > 0)
    const but = [...busy.map(({ trigger }) => trigger.triggerId), ...this.#subscriptions.unopened]
    const leased = await leaseDue(this.#database, this.#serverId, { most: 100, but })
    const due = leased.flatMap((one) => this.#subscriptions.add(one, leaseEndsFrom(now)) ?? [])
    for (const subscription of this.#subscriptions.all())
      if (subscription.resume(now)) this.#scheduler.offer(subscription)
    if (due.length === 0) return
    const triggers = due.map(({ trigger }) => trigger)
    for (const retry of await readDue(this.#reads, triggers, DUE_PAGE)) {
      const subscription = this.#subscriptions.find(retry.delivery)
      if (subscription === undefined) continue
      subscription.addRetry(retry)
      const { event } = retry
      if (event === undefined) this.#results.add({ subscription, message: { event, retry }, result: noEvent() })
    }
    for (const subscription of due) {
      // Nothing was due after all.
      if (subscription.unfinishedRetries === 0) this.#results.touchDueTime(subscription)
      this.#scheduler.offer(subscription)
    }
  }

  /** Reads ahead for the subscriptions with capacity. Returns why it failed for some, which remain readers. */
  async #readEvents(): Promise<unknown[]> {
    for (const subscription of this.#readers) if (!subscription.needsEvents()) this.#readers.delete(subscription)
    const { pages, failures } = await readPages(this.#reads, this.#readers)
    for (const [subscription, page] of pages) {
      const { companyId, patterns } = subscription.trigger
      const events = page.events.filter(({ type }) => matchesPattern(patterns, type))
      // Those that were read go behind those that did not get a page.
      if (page.upTo > subscription.readUpTo || !page.hasMore) this.#readers.delete(subscription)
      subscription.addEvents(events, page)
      if (page.hasMore) this.#readers.add(subscription)
      if (page.isBlocked && !page.hasMore) this.#companies.addBlocked(companyId)
      if (events.length > 0) this.#scheduler.offer(subscription)
    }
    return failures.map(({ error }) => error)
  }

  // One call: prepare, call, handle the result.

  async #deliver(subscription: Subscription, message: Message): Promise<void> {
    const call = prepare(subscription, message)
    const result = await this.#parts.sender.call(call, this.#aborting.signal).catch((error) => {
      if (!this.#aborting.signal.aborted) this.#parts.failed(error)
      return undefined
    })
    this.#handle(subscription, message, result)
  }

  /** Hands the result over to be written, and reads further events if there is capacity. */
  #handle(subscription: Subscription, message: Message, result: CallResult | undefined): void {
    subscription.endCall(result)
    if (result === undefined) return
    countAttempt(result)
    this.#results.add({ subscription, message, result })
    if (!subscription.needsEvents()) return
    this.#readers.add(subscription)
    this.#lookSoon()
  }

  // The end of subscriptions.

  /**
   * Releases idle subscriptions between two looks, so that the next look finds them free, whatever happens meanwhile.
   */
  async #releaseUnused(): Promise<void> {
    const now = performance.now()
    if (now - this.#lastRelease < RENEWAL_MS) return
    this.#lastRelease = now
    const unused = [...this.#subscriptions.all()].filter(
      (subscription) => subscription.isUnused(now) && !this.#companies.isWritten(subscription.trigger.companyId),
    )
    if (unused.length === 0) return
    for (const subscription of unused) this.#subscriptions.release(subscription)
    await this.#results.release(unused)
  }

  /** Drops a subscription that was changed or taken over; this server may lease the changed trigger again. */
  #lose(subscription: Subscription): void {
    this.#subscriptions.release(subscription)
    this.#companies.wake(subscription.trigger.companyId)
  }

  #switchOff(subscription: Subscription, reason: string): void {
    subscription.switchOff()
    this.#toSwitchOff.set(subscription, reason)
    this.#switchingOff.schedule(0)
  }

  /** Switches triggers off: in a loop of its own, since each may give up many deliveries. */
  async #switchOffTriggers(): Promise<number> {
    for (const [subscription, reason] of [...this.#toSwitchOff]) {
      const { trigger, state } = subscription
      try {
        // A trigger that was changed meanwhile is judged by its new calls.
        if (state === 'switching-off' && (await switchOff(this.#database, trigger, reason)))
          this.#parts.notifications.wake(trigger.companyId)
      } catch (error) {
        // It is tried again in the next round; meanwhile the others are switched off.
        this.#parts.failed(error)
        continue
      }
      this.#subscriptions.release(subscription)
      this.#toSwitchOff.delete(subscription)
    }
    return RENEWAL_MS
  }
}

function prepare({ trigger }: Subscription, { event }: Message): WebhookCall {
  const { url, secret, former } = trigger
  const formerSecrets = former && performance.now() < former.until ? former.secrets : []
  const traceparent = event.traceparent ?? undefined
  return { url, secret, formerSecrets, id: event.id, body: messageOf(event, trigger), traceparent }
}

/** The result of a delivery whose event is no longer kept. */
const noEvent = (): CallResult => ({
  at: new Date().toISOString(),
  durationMs: 0,
  error: 'The event is no longer kept.',
})
