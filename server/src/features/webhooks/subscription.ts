// A subscription is a trigger that this server has leased: a state machine that says what may be read and sent next.

import { divided } from '../../core/worker-share.ts'
import { type CallResult, isSuccess } from './call.ts'
import type { DueDelivery } from './deliveries.ts'
import type { LeasedTrigger, TriggerVersion } from './leases.ts'
import { type Addressee, charactersOf, type EventText, type SequencedEvent } from './message.ts'

/** Milliseconds after which a response counts as slow: such a receiver waits among those that fail. */
export const SLOW_MS = 2_000
/** Events that are prefetched for a trigger, and their characters, of one and of all: what is read during a call or two. */
const QUEUE = 200
const QUEUE_CHARACTERS = 1024 * 1024
const QUEUES_CHARACTERS = divided(64 * 1024 * 1024, 16 * 1024 * 1024)
/** Milliseconds that an idle trigger stays with its server, so that busy ones are not leased again each time. */
const UNUSED_MS = 5_000

/**
 * The states, each with what follows it:
 *
 * - `reading`: nothing is to be sent, and the feed may have more, which the next look reads. With matching events, or when
 *   a retry is due: `sending`. Without any: `idle`.
 * - `idle`: everything is read, sent and stored. When the company has written: `reading`; when a retry is due: `sending`.
 * - `sending`: messages wait, are in flight, or their results are not stored yet. It reads ahead while half of its capacity
 *   is free. When the last result is stored: `reading` or `idle`. When the receiver asks for a pause: `backing-off`. When
 *   the receiver is gone or has failed for days: `switching-off`.
 * - `backing-off`: no call begins until the pause that the receiver asked for is over; then `sending`, `reading` or `idle`.
 * - `switching-off`: no call begins any more, and the trigger is being switched off.
 * - `released`: no longer this server's, from any state: it was idle for some seconds, its trigger was changed, switched
 *   off or deleted, another server took it over, or this server stops. Results of calls in flight are still stored.
 *
 * It begins with `reading`, or with `backing-off` if another server stored the pause.
 */
type SubscriptionState = 'reading' | 'idle' | 'sending' | 'backing-off' | 'switching-off' | 'released'

const transitions: Readonly<Record<SubscriptionState, readonly SubscriptionState[]>> = {
  reading: ['idle', 'sending', 'backing-off', 'released'],
  idle: ['reading', 'sending', 'released'],
  sending: ['reading', 'idle', 'backing-off', 'switching-off', 'released'],
  'backing-off': ['reading', 'idle', 'sending', 'switching-off', 'released'],
  'switching-off': ['released'],
  released: [],
}

/** A trigger as its record says, with its secret opened. */
export interface SubscribedTrigger extends Addressee, TriggerVersion {
  readonly url: string
  readonly secret: string | undefined
  /** The former secrets, with which calls are also signed until a time. */
  readonly former: { readonly secrets: readonly string[]; readonly until: number } | undefined
  readonly patterns: readonly string[]
  readonly maxParallel: number
}

/** Something to be sent: a new event of the feed, or a delivery that is due again. */
export type Message =
  | { readonly event: SequencedEvent; readonly retry?: undefined }
  | { readonly event: EventText; readonly retry: DueDelivery }

/** Times are those of `performance.now()`, which is monotonic. */
export class Subscription {
  readonly trigger: SubscribedTrigger
  /** Events up to here were read. */
  readUpTo: number
  /** The cursor as it was read or stored last. */
  storedCursor: number
  /** Since when all calls have failed; undefined if the last one succeeded. */
  failingSince: number | undefined
  /** No call begins before; 0 if the receiver asked for no pause. */
  backoffUntil: number
  /** The last call failed or was slow. */
  isDegraded: boolean
  /** No other server has the trigger until then. */
  leaseEnds: number
  /** Deliveries were postponed or finished: the time at which the next one is due is to be looked up again. */
  dueTimeChanged = false
  unfinishedRetries = 0

  #state: SubscriptionState = 'reading'
  #mayHaveMore = true
  readonly #newEvents: SequencedEvent[] = []
  #newCharacters = 0
  readonly #retries: Message[] = []
  /** Numbers of new events whose results are not stored yet, in order. */
  readonly #unfinished = new Set<number>()
  #callsInFlight = 0
  #lastWasNew = false
  #lastEventAt: number
  /** Characters of new events that wait, of all subscriptions. */
  readonly #prefetched: { characters: number }
  /**
   * Whether no call begins, because a trigger of the company was changed. The next look finds out whether it is this
   * one.
   */
  readonly #isHeld: () => boolean

  constructor(
    trigger: SubscribedTrigger,
    { cursor, failingMs, backoffMs }: Pick<LeasedTrigger, 'cursor' | 'failingMs' | 'backoffMs'>,
    leaseEnds: number,
    prefetched: { characters: number },
    isHeld: () => boolean,
  ) {
    const now = performance.now()
    this.trigger = trigger
    this.readUpTo = cursor
    this.storedCursor = cursor
    this.failingSince = failingMs === null ? undefined : now - failingMs
    this.backoffUntil = backoffMs === null || backoffMs <= 0 ? 0 : now + backoffMs
    this.isDegraded = failingMs !== null
    this.leaseEnds = leaseEnds
    this.#lastEventAt = now
    this.#prefetched = prefetched
    this.#isHeld = isHeld
    this.#settle()
  }

  get state(): SubscriptionState {
    return this.#state
  }

  // Reading.

  /** The company may have written: there may be events to read. */
  expectEvents(): void {
    this.#mayHaveMore = true
    this.#settle()
  }

  /** How many more events may be read ahead. */
  capacity(): number {
    const share = this.isDegraded ? 10 : 1
    if (this.#newCharacters >= QUEUE_CHARACTERS / share) return 0
    return Math.max(0, QUEUE / share - this.#newEvents.length)
  }

  /** Whether it is to be read for: there may be more, and half of its capacity is free. */
  needsEvents(): boolean {
    if (this.#isEnding || !this.#mayHaveMore) return false
    if (this.#prefetched.characters > QUEUES_CHARACTERS && this.#newEvents.length > 0) return false
    return this.capacity() >= QUEUE / (this.isDegraded ? 20 : 2)
  }

  /** Queues the matching events of a read that ended at `upTo`. */
  addEvents(events: readonly SequencedEvent[], { upTo, hasMore }: { upTo: number; hasMore: boolean }): void {
    if (this.#state === 'released') return
    this.readUpTo = upTo
    this.#mayHaveMore = hasMore
    if (events.length > 0) this.#lastEventAt = performance.now()
    for (const event of events) {
      this.#newEvents.push(event)
      this.#count(charactersOf(event))
      this.#unfinished.add(event.sequence)
    }
    this.#settle()
  }

  /** Queues a delivery that is due again; one whose event is no longer kept is only counted until its result is stored. */
  addRetry(retry: DueDelivery): void {
    this.unfinishedRetries++
    if (retry.event) this.#retries.push({ event: retry.event, retry })
    this.#settle()
  }

  // Sending.

  /** Whether a call may begin now. */
  canSend(now: number): boolean {
    this.resume(now)
    if (this.#state !== 'sending' || now >= this.leaseEnds || this.#isHeld()) return false
    return this.#newEvents.length + this.#retries.length > 0 && this.#callsInFlight < this.trigger.maxParallel
  }

  /** Takes the next message: its call begins. Retries and new events alternate, so that neither waits for all of the other. */
  next(): Message {
    this.#callsInFlight++
    this.#lastWasNew = this.#retries.length === 0 || (this.#newEvents.length > 0 && !this.#lastWasNew)
    if (!this.#lastWasNew) return this.#retries.shift() as Message
    const event = this.#newEvents.shift() as SequencedEvent
    this.#count(-charactersOf(event))
    return { event }
  }

  /** A call ended; without a result if it was aborted. */
  endCall(result: CallResult | undefined): void {
    this.#callsInFlight--
    if (result === undefined) return
    const now = performance.now()
    if (isSuccess(result)) this.failingSince = undefined
    else this.failingSince ??= now
    this.isDegraded = !isSuccess(result) || result.durationMs > SLOW_MS
    // Of concurrent calls, the longest pause that the receiver asked for applies.
    if (result.retryAfterMs !== undefined) this.backoffUntil = Math.max(this.backoffUntil, now + result.retryAfterMs)
    this.#settle()
  }

  /** Ends the pause that the receiver asked for, if it is over; whether it ended just now. */
  resume(now: number): boolean {
    if (this.#state !== 'backing-off' || now < this.backoffUntil) return false
    this.backoffUntil = 0
    this.#settle()
    return true
  }

  // Results.

  /** Events up to here are finished once the results of `written` are stored: a server that takes over begins behind it. */
  cursor(written?: ReadonlySet<number>): number {
    for (const sequence of this.#unfinished) if (!written?.has(sequence)) return sequence - 1
    return this.readUpTo
  }

  /** The result of a message was stored. */
  finish({ event, retry }: { event: EventText | undefined; retry?: DueDelivery | undefined }): void {
    if (retry !== undefined) this.unfinishedRetries--
    else this.#unfinished.delete((event as SequencedEvent).sequence)
    this.#settle()
  }

  /** Whether it was idle for a while, so that any server may have it. */
  isUnused(now: number): boolean {
    const isFinished = this.#unfinished.size + this.unfinishedRetries + this.#callsInFlight === 0 && !this.#mayHaveMore
    return isFinished && this.#state !== 'switching-off' && now - this.#lastEventAt > UNUSED_MS
  }

  /** Begins no more calls. The caller switches the trigger off, and then releases the subscription. */
  switchOff(): void {
    this.#enter('switching-off')
  }

  /** Drops everything that waits. */
  release(): void {
    this.#enter('released')
    this.#count(-this.#newCharacters)
    this.#newEvents.length = 0
    this.#retries.length = 0
  }

  get #isEnding(): boolean {
    return this.#state === 'switching-off' || this.#state === 'released'
  }

  #count(characters: number): void {
    this.#newCharacters += characters
    this.#prefetched.characters += characters
  }

  /** Enters the state that follows from what waits. `switching-off` and `released` are not left by it. */
  #settle(): void {
    if (this.#isEnding) return
    if (this.backoffUntil > 0) this.#enter('backing-off')
    else if (this.#unfinished.size + this.unfinishedRetries > 0) this.#enter('sending')
    else this.#enter(this.#mayHaveMore ? 'reading' : 'idle')
  }

  #enter(state: SubscriptionState): void {
    if (state === this.#state) return
    if (!transitions[this.#state].includes(state))
      throw new Error(`A subscription must not go from ${this.#state} to ${state}.`)
    this.#state = state
  }
}
