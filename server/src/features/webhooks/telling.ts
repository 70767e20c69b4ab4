// One server's calls to receivers: which recipient is next, how many at once, and what became of each.

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

/** Something to be sent: an event that is new, or a delivery that is due again. */
export interface Message<Delivery> {
  readonly event: EventText
  /** The event's number, of a new one; undefined of what is sent again. */
  readonly sequence: number | undefined
  /** The delivery that it belongs to, of what is sent again. */
  readonly delivery: Delivery | undefined
}

/** A trigger that this server tells. Times are those of `performance.now()`, which nobody puts back. */
export interface Recipient<Delivery> extends Addressee {
  readonly version: number
  readonly url: string
  readonly secret: string | undefined
  readonly patterns: readonly string[]
  readonly maxParallel: number
  /** Events up to here were read. */
  read: number
  /** Up to here they can be read, as far as is known. */
  settled: number
  /** There may be more to be read. */
  mayHaveMore: boolean
  /** New events in their order, and their characters. */
  readonly fresh: Message<Delivery>[]
  freshCharacters: number
  readonly due: Message<Delivery>[]
  /** Whether deliveries that are due were read and not all are done with. */
  dueLeft: number
  /** Numbers of new events that are not told yet, in their order. */
  readonly open: Set<number>
  calls: number
  failingSince: number | undefined
  heldUntil: number
  /** Failed or was slow the last time. */
  isSuspect: boolean
  /** What was sent last was new: then it is the turn of what is due. */
  wasFresh: boolean
  /** Nobody else has it until then. */
  leaseEnds: number
  lastNews: number
  /** Deliveries were put off, or done with, since its standing was written. */
  hasRetried: boolean
  /** About to be switched off: nothing more is sent. */
  isEnding: boolean
  /** Another's, changed, switched off or deleted: nothing more is sent. */
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

/** Makes the recipient of a trigger that was just leased until `leaseEnds`. */
export function recipientOf<Delivery>(leased: Leased, definition: Definition, leaseEnds: number): Recipient<Delivery> {
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

/** Events up to here are told: what a server that takes over need not look at. */
export function toldUpTo({ open, read }: Recipient<unknown>): number {
  const [first] = open
  return first === undefined ? read : first - 1
}

/** How many more events may be read ahead for it. */
export function roomOf({ fresh, freshCharacters, isSuspect }: Recipient<unknown>): number {
  const share = isSuspect ? 10 : 1
  return freshCharacters < WEBHOOK_QUEUE_CHARACTERS / share ? Math.max(0, WEBHOOK_QUEUE / share - fresh.length) : 0
}

/** Whether more is to be read for it: half of its room is free. */
export const isHungry = (recipient: Recipient<unknown>): boolean =>
  recipient.mayHaveMore && roomOf(recipient) >= WEBHOOK_QUEUE / (recipient.isSuspect ? 20 : 2)

interface Telling<Delivery> {
  /** Has what waits at a recipient sent when its turn comes. */
  offer(recipient: Recipient<Delivery>): void
  /** Lets go on who had to wait for something else than a call. */
  resume(): void
  /** Resolves when no call is under way any more. */
  ended(): Promise<void>
}

/**
 * Sends what recipients have, in turn: each as many at once as its trigger takes, a company and all together as many as
 * there is room for. Receivers that failed or were slow share a part of the room, so that those that are well find
 * theirs; a call that does not end in good time takes that part too. `call` makes one call and never throws; `undefined` is one that was broken off by us. `mayCall` says whether
 * anything may be begun now.
 */
export function telling<Delivery>(
  call: (recipient: Recipient<Delivery>, message: Message<Delivery>) => Promise<CallResult | undefined>,
  done: (recipient: Recipient<Delivery>, message: Message<Delivery>, result: CallResult | undefined) => void,
  mayCall: () => boolean,
): Telling<Delivery> {
  const ready = { well: new Set<Recipient<Delivery>>(), suspect: new Set<Recipient<Delivery>>() }
  const calls = { well: 0, suspect: 0 }
  /** Of each company the calls under way, and the characters that they send. */
  const byCompany = new Map<string, { calls: number; characters: number }>()
  /** Those whose company has no room left. */
  const behind = new Map<string, Set<Recipient<Delivery>>>()
  const underWay = new Set<Promise<void>>()

  function offer(recipient: Recipient<Delivery>): void {
    line(recipient).add(recipient)
    pump()
  }

  const line = ({ isSuspect }: Recipient<Delivery>) => (isSuspect ? ready.suspect : ready.well)

  function pump(): void {
    if (!mayCall()) return
    pass(ready.well, 'well')
    pass(ready.suspect, 'suspect')
  }

  function pass(waiting: Set<Recipient<Delivery>>, kind: 'well' | 'suspect'): void {
    // Who is put behind the others meanwhile is met again in the same round.
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

  /** Whether its company may have a further call; the last of these may be as long as an event is. */
  function hasRoom({ companyId }: Recipient<Delivery>): boolean {
    const { calls, characters } = byCompany.get(companyId) ?? { calls: 0, characters: 0 }
    return calls < WEBHOOK_COMPANY_CALLS && characters < WEBHOOK_COMPANY_CHARACTERS
  }

  function begin(recipient: Recipient<Delivery>, message: Message<Delivery>, kind: 'well' | 'suspect'): void {
    const { companyId } = recipient
    const own = byCompany.get(companyId) ?? { calls: 0, characters: 0 }
    const characters = charactersOf(message.event)
    let room = kind
    calls[room]++
    recipient.calls++
    const slow = setTimeout(() => {
      // It gives its place to others, who must not wait until it is given up.
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
}: Recipient<Delivery>): boolean {
  const now = performance.now()
  const isTold = !isEnding && !isOver && now < leaseEnds && now >= heldUntil
  return isTold && fresh.length + due.length > 0 && calls < maxParallel
}

/** What is due and what is new take turns, so that neither waits for all of the other. */
function next<Delivery>(recipient: Recipient<Delivery>): Message<Delivery> {
  const { fresh, due } = recipient
  recipient.wasFresh = due.length === 0 || (fresh.length > 0 && !recipient.wasFresh)
  if (!recipient.wasFresh) return due.shift() as Message<Delivery>
  const message = fresh.shift() as Message<Delivery>
  recipient.freshCharacters -= charactersOf(message.event)
  return message
}
