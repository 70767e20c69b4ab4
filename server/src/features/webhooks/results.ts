// The only place where results of calls are written: deliveries, and with them the state of their subscriptions. It
// also decides what follows a failed call: a retry, the end of the delivery, or the end of the subscription.

import { type BackgroundLoop, backgroundLoop, type Failed } from '../../concurrency/background-loop.ts'
import type { Database } from '../../database/connect.ts'
import { attemptByCompany } from '../../database/one-company.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import type { Attempt } from '../../resources/webhook-delivery.ts'
import { type CallResult, isSuccess } from './call.ts'
import {
  changeDeliveries,
  type DeliveryChange,
  type DueDelivery,
  type NewDelivery,
  type Progress,
  recordDeliveries,
  triggerKey,
} from './deliveries.ts'
import {
  AFTER_FAILURE_MS,
  leaseEndsFrom,
  lockTriggers,
  RENEWAL_MS,
  type StoredState,
  saveDue,
  saveStates,
} from './leases.ts'
import type { Message, Subscription } from './subscription.ts'

/** Milliseconds for which results are collected before they are stored: what a killed server had not stored is sent twice. */
const SAVE_MS = 40

const second = 1_000
const minute = 60_000
const hour = 3_600_000

/** Milliseconds after each failure in turn (decisions §9); after the last one, the delivery has failed. */
const delays = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
/** Milliseconds that a trigger may fail without a success before it is switched off. */
const failingMostMs = 5 * 24 * hour

/** The delay before the next attempt in milliseconds, or undefined if there is none. `calls` is the number of attempts made so far; a redelivery resets it to 0. */
export type RetryDelay = (calls: number) => number | undefined

/** The schedule of retries. Delays vary at random by a fifth, so that calls do not all return at once to a receiver that was down. */
export const scheduledDelay: RetryDelay = (calls) => {
  const delay = delays[calls - 1]
  return delay === undefined ? undefined : delay * (0.8 + 0.4 * Math.random())
}

/** Why a trigger is switched off after a result, as a sentence; undefined if it is not. */
function switchOffReason({ failingSince }: Subscription, { status }: CallResult, now: number): string | undefined {
  if (status === 410) return 'The receiver answered 410 Gone.'
  return now - (failingSince ?? now) > failingMostMs ? 'Every call failed for 5 days.' : undefined
}

/** The result of a message. Without an event if that is no longer kept: then no call was made, and none will be. */
interface MessageResult {
  readonly subscription: Subscription
  readonly message: Message | { readonly event: undefined; readonly retry: DueDelivery }
  readonly result: CallResult
}

interface ResultWriterParts {
  readonly serverId: string
  readonly retryDelay: RetryDelay
  readonly failed: Failed
  /** The subscriptions whose leases are renewed. */
  readonly renewed: () => Iterable<Subscription>
  /** The states of subscriptions were stored, and their leases renewed: calls may begin. */
  readonly stored: (subscriptions: readonly Subscription[]) => void
  /** Another server has the trigger of a subscription, or the trigger was changed. */
  readonly lost: (subscription: Subscription) => void
  /** The trigger of a subscription is to be switched off. */
  readonly switchOff: (subscription: Subscription, reason: string) => void
}

/** Collects the results of one server for some milliseconds, and writes them together. */
export class ResultWriter {
  readonly #database: Database
  readonly #parts: ResultWriterParts
  readonly #unwritten: MessageResult[] = []
  readonly #touched = new Set<Subscription>()
  readonly #writing: BackgroundLoop
  #lastRenewal = performance.now()

  constructor(database: Database, parts: ResultWriterParts) {
    this.#database = database
    this.#parts = parts
    this.#writing = backgroundLoop(() => this.#writeOrRenew(), parts.failed, AFTER_FAILURE_MS)
    this.#writing.schedule(RENEWAL_MS)
  }

  /** Whether no call should begin, because too many earlier results wait to be written. */
  get isFull(): boolean {
    return this.#unwritten.length >= 2_000
  }

  add(result: MessageResult): void {
    this.#unwritten.push(result)
    this.#writing.schedule(SAVE_MS)
  }

  /** Marks a trigger, so that the time at which its next delivery is due is looked up again. */
  touchDueTime(subscription: Subscription): void {
    subscription.dueTimeChanged = true
    this.#touched.add(subscription)
    this.#writing.schedule(SAVE_MS)
  }

  /** Stores the state of subscriptions without unwritten results, so that any server may lease their triggers. */
  async release(subscriptions: readonly Subscription[]): Promise<void> {
    const failures = await attemptByCompany(this.#database, subscriptions, companyOf, async (own) => {
      const states = own.map((subscription) => stateOf(subscription, { isReleased: true }))
      await writeResults(this.#database, this.#parts, [], states)
    })
    for (const { error } of failures) throw error
  }

  /** Writes what is left, and releases `subscriptions`. */
  async stop(subscriptions: () => Iterable<Subscription>): Promise<void> {
    await this.#writing.stop()
    while (this.#unwritten.length > 0) await this.#write()
    await this.release([...subscriptions()])
  }

  async #writeOrRenew(): Promise<number> {
    const now = performance.now()
    if (now - this.#lastRenewal >= RENEWAL_MS) {
      this.#lastRenewal = now
      for (const subscription of this.#parts.renewed()) this.#touched.add(subscription)
    }
    await this.#write()
    return this.#unwritten.length > 0 ? 0 : RENEWAL_MS
  }

  async #write(): Promise<void> {
    const results = this.#unwritten.slice(0, 500)
    const stateOnly = [...this.#touched].filter(isKept)
    this.#touched.clear()
    const subscriptions = [...new Set([...results.map(({ subscription }) => subscription), ...stateOnly])]
    if (subscriptions.length === 0) return
    const failures = await attemptByCompany(this.#database, subscriptions, companyOf, async (own) => {
      const share = new Set(own)
      await this.#writeShare(
        results.filter(({ subscription }) => share.has(subscription)),
        own.filter(isKept),
      )
    })
    // They are written after those of others, so that a company whose node is down does not delay the rest.
    const failed = new Set(failures.flatMap(({ items }) => items))
    const left = results.filter(({ subscription }) => failed.has(subscription))
    this.#forget(left)
    this.#unwritten.push(...left)
    for (const { error } of failures) throw error
  }

  /** Writes results and the states of subscriptions, all or nothing: of one company, or of all together. */
  async #writeShare(results: readonly MessageResult[], subscriptions: readonly Subscription[]): Promise<void> {
    const leaseEnds = leaseEndsFrom(performance.now())
    const bySubscription = Map.groupBy(results, ({ subscription }) => subscription)
    const states = subscriptions.map((subscription) =>
      stateOf(subscription, { results: bySubscription.get(subscription) }),
    )
    for (const subscription of subscriptions) subscription.dueTimeChanged = false
    const ours = await writeResults(this.#database, this.#parts, results, states).catch((error) => {
      for (const subscription of subscriptions) {
        this.touchDueTime(subscription)
        // While a company's node is down, no more results of it are collected.
        if (this.#database.isSharded) subscription.leaseEnds = 0
      }
      throw error
    })
    this.#forget(results)
    for (const { subscription, message, result } of results) this.#finish(subscription, message, result)
    for (const [n, subscription] of subscriptions.entries())
      if (ours.has(triggerKey(subscription.trigger))) {
        subscription.leaseEnds = leaseEnds
        subscription.storedCursor = (states[n] as StoredState).cursor
      } else this.#parts.lost(subscription)
    this.#parts.stored(subscriptions)
  }

  /** Takes results from those that are still to be written, which keep their order. */
  #forget(some: readonly MessageResult[]): void {
    const gone = new Set(some)
    const left = this.#unwritten.splice(0).filter((result) => !gone.has(result))
    this.#unwritten.push(...left)
  }

  #finish(subscription: Subscription, message: MessageResult['message'], result: CallResult): void {
    if (subscription.state !== 'released' && subscription.state !== 'switching-off') {
      const reason = switchOffReason(subscription, result, performance.now())
      if (reason !== undefined) this.#parts.switchOff(subscription, reason)
    }
    subscription.finish(message)
  }
}

/**
 * Writes results, and the states of subscriptions without them: all or nothing. Returns the keys (`triggerKey`) of the
 * triggers that are still this server's. PostgreSQL may lose the last transactions when it crashes: the same calls are then
 * made again, as promised.
 */
function writeResults(
  database: Database,
  { serverId, retryDelay }: Pick<ResultWriterParts, 'serverId' | 'retryDelay'>,
  results: readonly MessageResult[],
  states: readonly StoredState[],
): Promise<Set<string>> {
  // Another server may have these triggers now: of their state, only the time at which the next delivery is due is written.
  const others = results.filter((result) => changesDueTime(result) && result.subscription.state === 'released')
  const foreign = others.map(({ subscription }) => subscription.trigger)
  const rescheduled = [...states.filter(({ dueTimeChanged }) => dueTimeChanged), ...foreign]
  return retriedTransaction(database, async (transaction) => {
    await transaction.query('set local synchronous_commit = off')
    const active = rescheduled.length > 0 ? await lockTriggers(transaction, rescheduled) : new Set()
    // Calls that were in flight while the trigger was switched off are its last ones.
    const delayOf = ({ subscription }: MessageResult): RetryDelay =>
      active.has(triggerKey(subscription.trigger)) ? retryDelay : () => undefined
    const made = results.flatMap((result) => newDelivery(result, delayOf(result)))
    const changed = results.flatMap((result) => deliveryChange(result, delayOf(result)))
    if (made.length > 0) await recordDeliveries(transaction, made)
    if (changed.length > 0) await changeDeliveries(transaction, changed)
    if (foreign.length > 0) await saveDue(transaction, foreign)
    return new Set((await saveStates(transaction, serverId, states)).map(triggerKey))
  })
}

const companyOf = ({ trigger }: Subscription): string => trigger.companyId

/** Whether the state of a subscription is still this server's to store. */
const isKept = ({ state }: Subscription): boolean => state !== 'released'

const changesDueTime = ({ message, result }: MessageResult): boolean =>
  message.retry !== undefined || !isSuccess(result)

/** The state of a subscription once these results of it are written. */
function stateOf(
  subscription: Subscription,
  { results = [], isReleased = false }: { results?: readonly MessageResult[] | undefined; isReleased?: boolean },
): StoredState {
  const { trigger, failingSince, backoffUntil, dueTimeChanged, storedCursor } = subscription
  const { companyId, triggerId, version } = trigger
  const now = performance.now()
  const written = results.flatMap(({ message }) => (message.retry === undefined ? [message.event.sequence] : []))
  return {
    companyId,
    triggerId,
    version,
    isReleased,
    storedCursor,
    cursor: subscription.cursor(new Set(written)),
    failingMs: failingSince === undefined ? null : Math.round(now - failingSince),
    backoffMs: backoffUntil > now ? Math.round(backoffUntil - now) : null,
    dueTimeChanged: dueTimeChanged || results.some(changesDueTime),
  }
}

const attemptOf = ({ retryAfterMs: _, ...attempt }: CallResult): Attempt => attempt

/**
 * What happens next with a delivery after a call. If the call failed, the next one is made after the longer of `delay`
 * and the `Retry-After` of the response. There is none if `delay` is undefined or the receiver is gone.
 */
function progressAfter(result: CallResult, delay: number | undefined): Progress {
  if (isSuccess(result)) return { state: 'succeeded' }
  if (delay === undefined || result.status === 410) return { state: 'failed' }
  const ms = Math.max(delay, result.retryAfterMs ?? 0)
  return { state: 'pending', nextAttemptAt: new Date(Date.now() + ms).toISOString() }
}

function newDelivery({ subscription, message, result }: MessageResult, delayAfter: RetryDelay): NewDelivery[] {
  if (message.retry !== undefined) return []
  const { companyId, triggerId } = subscription.trigger
  const { id: eventId, type: eventType, sequence, createdAt } = message.event
  const feed = { sequence, createdAt }
  const progress = progressAfter(result, delayAfter(1))
  return [{ companyId, triggerId, eventId, eventType, feed, attempts: [attemptOf(result)], progress }]
}

function deliveryChange(
  { message: { event, retry }, result }: MessageResult,
  delayAfter: RetryDelay,
): DeliveryChange[] {
  if (retry === undefined) return []
  const progress = progressAfter(result, event && delayAfter(retry.tries + 1))
  return [{ ...retry, attempt: attemptOf(result), progress }]
}
