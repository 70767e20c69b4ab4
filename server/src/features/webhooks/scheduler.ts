// Schedules one server's calls to receivers: which subscription is next, and how many calls run at once.

import {
  WEBHOOK_CALLS,
  WEBHOOK_CALLS_MOST,
  WEBHOOK_COMPANY_CALLS,
  WEBHOOK_COMPANY_CHARACTERS,
  WEBHOOK_QUEUE,
  WEBHOOK_QUEUE_CHARACTERS,
  WEBHOOK_SLOW_MS,
  WEBHOOK_SUSPECT_CALLS,
} from '../../core/limits.ts'
import { type CallResult, isSuccess } from './call.ts'
import { type Addressee, charactersOf, type EventText } from './message.ts'
import type { Leased } from './trigger-leases.ts'

/** Something to be sent: a new event, or a delivery that is due again. */
export interface Message<Delivery> {
  readonly event: EventText
  /** The event's number if it is new; undefined for a retry. */
  readonly sequence: number | undefined
  /** The delivery of a retry. */
  readonly delivery: Delivery | undefined
}

/** A subscription: a trigger that this server calls. Times are those of `performance.now()`, which is monotonic. */
export interface Subscription<Delivery> extends Addressee {
  readonly version: number
  readonly url: string
  readonly secret: string | undefined
  readonly patterns: readonly string[]
  readonly maxParallel: number
  /** Events up to here were read. */
  read: number
  /** The watermark, as far as it is known. */
  settled: number
  /** There may be more to read. */
  mayHaveMore: boolean
  /** New events in order, and their characters. */
  readonly fresh: Message<Delivery>[]
  freshCharacters: number
  readonly due: Message<Delivery>[]
  /** The number of due deliveries that were read and are not finished. */
  dueLeft: number
  /** Numbers of new events in flight or waiting, in order. */
  readonly open: Set<number>
  calls: number
  failingSince: number | undefined
  heldUntil: number
  /** The last call failed or was slow. */
  isSuspect: boolean
  /** The last message sent was new: then a retry is next. */
  wasFresh: boolean
  /** No other server has it until then. */
  leaseEnds: number
  lastNews: number
  /** Deliveries were postponed or finished since its state was stored. */
  hasRetried: boolean
  /** About to be switched off: nothing more is sent. */
  isEnding: boolean
  /** Taken over, changed, switched off or deleted: nothing more is sent. */
  isOver: boolean
}

/** What a trigger's record says of it, with its secret opened. */
export interface Definition {
  readonly url: string
  readonly secret: string | undefined
  readonly patterns: readonly string[]
  readonly customTriggerName: string | undefined
  readonly ownTriggerId: string | undefined
  readonly maxParallel: number
}

/** Makes the subscription of a trigger that was just leased until `leaseEnds`. */
export function subscriptionOf<Delivery>(
  leased: Leased,
  definition: Definition,
  leaseEnds: number,
): Subscription<Delivery> {
  const { companyId, triggerId, version, carriesRecords, position, failingMs, heldMs } = leased
  const now = performance.now()
  return {
    companyId,
    triggerId,
    version,
    carriesRecords,
    ...definition,
    read: position,
    settled: position,
    mayHaveMore: true,
    fresh: [],
    freshCharacters: 0,
    due: [],
    dueLeft: 0,
    open: new Set(),
    calls: 0,
    failingSince: failingMs === null ? undefined : now - failingMs,
    heldUntil: heldMs === null ? 0 : now + heldMs,
    isSuspect: failingMs !== null,
    wasFresh: false,
    leaseEnds,
    lastNews: now,
    hasRetried: false,
    isEnding: false,
    isOver: false,
  }
}

/** Events up to here are finished: a server that takes over need not read them. */
export function cursorOf({ open, read }: Subscription<unknown>): number {
  const [first] = open
  return first === undefined ? read : first - 1
}

/** How many more events may be read ahead for it. */
export function roomOf({ fresh, freshCharacters, isSuspect }: Subscription<unknown>): number {
  const share = isSuspect ? 10 : 1
  return freshCharacters < WEBHOOK_QUEUE_CHARACTERS / share ? Math.max(0, WEBHOOK_QUEUE / share - fresh.length) : 0
}

/** Whether it needs more events: half of its capacity is free. */
export const needsEvents = (recipient: Subscription<unknown>): boolean =>
  recipient.mayHaveMore && roomOf(recipient) >= WEBHOOK_QUEUE / (recipient.isSuspect ? 20 : 2)

interface Telling<Delivery> {
  /** Schedules what waits at a subscription. */
  offer(recipient: Subscription<Delivery>): void
  /** Continues subscriptions that waited for something other than a call. */
  resume(): void
  /** Resolves when no call is under way. */
  ended(): Promise<void>
}

/**
 * Sends the messages of subscriptions in turn: each as many at once as its trigger accepts, limited for each company
 * and for all together. Receivers that failed or were slow share a part of the capacity, so that healthy ones always
 * find theirs; a call that takes too long is moved to that part. `call` makes one call and never throws; `undefined` is
 * a call that we aborted. `mayCall` says whether a call may begin now.
 */
export function scheduler<Delivery>(
  call: (recipient: Subscription<Delivery>, message: Message<Delivery>) => Promise<CallResult | undefined>,
  done: (recipient: Subscription<Delivery>, message: Message<Delivery>, result: CallResult | undefined) => void,
  mayCall: () => boolean,
): Telling<Delivery> {
  const ready = { well: new Set<Subscription<Delivery>>(), suspect: new Set<Subscription<Delivery>>() }
  const calls = { well: 0, suspect: 0 }
  /** The calls under way of each company, and the characters that they send. */
  const byCompany = new Map<string, { calls: number; characters: number }>()
  /** Subscriptions whose company has no capacity left. */
  const behind = new Map<string, Set<Subscription<Delivery>>>()
  const underWay = new Set<Promise<void>>()

  function offer(recipient: Subscription<Delivery>): void {
    line(recipient).add(recipient)
    pump()
  }

  const line = ({ isSuspect }: Subscription<Delivery>) => (isSuspect ? ready.suspect : ready.well)

  function pump(): void {
    if (!mayCall()) return
    pass(ready.well, 'well')
    pass(ready.suspect, 'suspect')
  }

  function pass(waiting: Set<Subscription<Delivery>>, kind: 'well' | 'suspect'): void {
    // A subscription that is put at the end meanwhile is reached again in the same round.
    for (const recipient of waiting) {
      if (calls.well + calls.suspect >= WEBHOOK_CALLS_MOST) return
      if (calls[kind] >= (kind === 'well' ? WEBHOOK_CALLS : WEBHOOK_SUSPECT_CALLS)) return
      waiting.delete(recipient)
      if (!canCall(recipient)) continue
      if (!hasRoom(recipient)) {
        const others = behind.get(recipient.companyId) ?? new Set()
        behind.set(recipient.companyId, others.add(recipient))
        continue
      }
      begin(recipient, next(recipient), kind)
      waiting.add(recipient)
    }
  }

  /** Whether its company may make another call; the last of these may be as long as an event is. */
  function hasRoom({ companyId }: Subscription<Delivery>): boolean {
    const { calls, characters } = byCompany.get(companyId) ?? { calls: 0, characters: 0 }
    return calls < WEBHOOK_COMPANY_CALLS && characters < WEBHOOK_COMPANY_CHARACTERS
  }

  function begin(recipient: Subscription<Delivery>, message: Message<Delivery>, kind: 'well' | 'suspect'): void {
    const { companyId } = recipient
    const own = byCompany.get(companyId) ?? { calls: 0, characters: 0 }
    const characters = charactersOf(message.event)
    let room = kind
    calls[room]++
    recipient.calls++
    const slow = setTimeout(() => {
      // It frees its place for others, which must not wait until it times out.
      recipient.isSuspect = true
      calls[room]--
      room = 'suspect'
      calls[room]++
      ready.well.delete(recipient)
      offer(recipient)
    }, WEBHOOK_SLOW_MS)
    own.calls++
    own.characters += characters
    byCompany.set(companyId, own)
    const work = call(recipient, message).then((result) => {
      underWay.delete(work)
      clearTimeout(slow)
      calls[room]--
      recipient.calls--
      own.calls--
      own.characters -= characters
      if (own.calls === 0) byCompany.delete(companyId)
      if (result) recipient.isSuspect = !isSuccess(result) || result.durationMs > WEBHOOK_SLOW_MS
      done(recipient, message, result)
      for (const other of behind.get(companyId) ?? []) line(other).add(other)
      behind.delete(companyId)
      ready.well.delete(recipient)
      ready.suspect.delete(recipient)
      offer(recipient)
    })
    underWay.add(work)
  }

  return {
    offer,
    resume: pump,
    async ended() {
      await Promise.all(underWay)
    },
  }
}

function canCall<Delivery>({
  fresh,
  due,
  calls,
  maxParallel,
  isEnding,
  isOver,
  leaseEnds,
  heldUntil,
}: Subscription<Delivery>): boolean {
  const now = performance.now()
  const isTold = !isEnding && !isOver && now < leaseEnds && now >= heldUntil
  return isTold && fresh.length + due.length > 0 && calls < maxParallel
}

/** Retries and new events alternate, so that neither waits for all of the other. */
function next<Delivery>(recipient: Subscription<Delivery>): Message<Delivery> {
  const { fresh, due } = recipient
  recipient.wasFresh = due.length === 0 || (fresh.length > 0 && !recipient.wasFresh)
  if (!recipient.wasFresh) return due.shift() as Message<Delivery>
  const message = fresh.shift() as Message<Delivery>
  recipient.freshCharacters -= charactersOf(message.event)
  return message
}
