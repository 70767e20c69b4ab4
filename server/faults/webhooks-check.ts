// Holds what receivers of webhooks were sent, and what the log says of it, against the events that there are.
import type { Findings } from './findings.ts'
import type { Manner, Receipt } from './receiver-process.ts'

/** An event that all triggers are to be told of. */
export interface ToldEvent {
  readonly id: string
  readonly sequence: number
  /** When its write was answered, where it was written after the last kill and told in peace; milliseconds since 1970. */
  readonly answeredAt?: number
}

/** A delivery as it stands in the log. */
export interface Logged {
  readonly eventId: string
  readonly state: string
  readonly attempts: number
  /** Whether it is to be sent again. */
  readonly isDue: boolean
}

/** A trigger, and all that there is of it. */
export interface ToldTrigger {
  readonly name: string
  readonly manner: Manner
  readonly receipts: readonly Receipt[]
  readonly log: readonly Logged[]
  /** How far it was told, as its row says. */
  readonly position: number
}

interface CheckedWebhooks {
  readonly events: readonly ToldEvent[]
  readonly triggers: readonly ToldTrigger[]
  /** Whether what failed again may still be waiting for its next call. */
  readonly mayWait: boolean
}

/** What it came to. */
export interface Tally {
  /** Calls at good receivers beyond the first of an event: in all, and the most for one event. */
  readonly again: { calls: number; most: number }
  /** Events at good receivers that came after a later one. */
  inversions: number
  /** Events of receivers that fail which still wait for their next call. */
  waiting: number
  /** Deliveries of dead receivers that stand pending. */
  pending: number
  /** Calls at receivers that hang. */
  hung: number
  /** Milliseconds from the answer of a write to the call at a good receiver, in peace, in ascending order. */
  readonly delays: number[]
}

/**
 * Milliseconds in which an event must be at a good receiver after its write was answered, beside receivers that are dead or
 * hang; far less than the 15 s that a call to one that hangs takes.
 */
export const toldWithinMs = 5_000

/** Finds events that are missing at a receiver or in the log, came out of order, or came too late. */
export function checkWebhooks(findings: Findings, { events, triggers, mayWait }: CheckedWebhooks): Tally {
  const tally: Tally = { again: { calls: 0, most: 0 }, inversions: 0, waiting: 0, pending: 0, hung: 0, delays: [] }
  for (const trigger of triggers) {
    const { manner, receipts } = trigger
    checkKnown(findings, trigger, events)
    const logged = Map.groupBy(trigger.log, ({ eventId }) => eventId)
    checkPosition(findings, trigger, events, logged)
    if (manner === 'hanging') tally.hung += receipts.length
    else if (manner === 'dead') tally.pending += checkDead(findings, trigger, events, logged)
    else tally.waiting += checkTaken(findings, trigger, events, logged, mayWait)
    if (manner === 'good') checkGood(findings, trigger, events, logged, tally)
    if (manner === 'hanging' && receipts.length === 0) findings.wrong.push(`${trigger.name} was never called`)
    if (manner === 'failing' && receipts.every(([, , isTaken]) => isTaken))
      findings.wrong.push(`${trigger.name} never failed`)
  }
  tally.delays.sort((a, b) => a - b)
  return tally
}

type ByEvent = ReadonlyMap<string, readonly Logged[]>

function checkKnown(findings: Findings, { name, receipts }: ToldTrigger, events: readonly ToldEvent[]): void {
  const known = new Set(events.map(({ id }) => id))
  const strange = new Set(receipts.map(([id]) => id).filter((id) => !known.has(id)))
  for (const id of strange) findings.wrong.push(`${name} was told of ${id}, which is no event of its company`)
}

/** What a trigger's position has passed stands in its log: nobody would look at it again. */
function checkPosition(
  findings: Findings,
  { name, position }: ToldTrigger,
  events: readonly ToldEvent[],
  logged: ByEvent,
): void {
  for (const { id, sequence } of events)
    if (sequence <= position && !logged.has(id))
      findings.lost.push(`event ${sequence} ${id}: ${name} was told up to ${position}, and its log has nothing of it`)
}

/** Each event stands as a delivery that was tried and will be again; gives how many do. */
function checkDead(findings: Findings, { name }: ToldTrigger, events: readonly ToldEvent[], logged: ByEvent): number {
  let pending = 0
  for (const { id, sequence } of events) {
    const isPending = (logged.get(id) ?? []).some(isTriedAgain)
    if (isPending) pending++
    else
      findings.lost.push(`event ${sequence} ${id}: no delivery to ${name}, which is dead, is pending with an attempt`)
  }
  return pending
}

const isTriedAgain = ({ state, attempts, isDue }: Logged) => state === 'pending' && attempts > 0 && isDue

/** Each event was taken, and the log says so; gives how many still wait for their next call. */
function checkTaken(
  findings: Findings,
  { name, manner, receipts }: ToldTrigger,
  events: readonly ToldEvent[],
  logged: ByEvent,
  mayWait: boolean,
): number {
  const taken = new Set(receipts.filter(([, , isTaken]) => isTaken).map(([id]) => id))
  let waiting = 0
  for (const { id, sequence } of events) {
    const log = logged.get(id) ?? []
    const isLogged = log.some(({ state }) => state === 'succeeded')
    // One may have been taken, the server killed before it wrote that down, and the next call have failed.
    if (!isLogged && mayWait && manner === 'failing' && log.some(isTriedAgain)) waiting++
    else if (!taken.has(id)) findings.lost.push(`event ${sequence} ${id} never reached ${name}`)
    else if (!isLogged) findings.wrong.push(`event ${sequence} ${id} was taken by ${name}, and its log does not say so`)
  }
  return waiting
}

/** The order, what came again, and how long it took. */
function checkGood(
  findings: Findings,
  { name, receipts }: ToldTrigger,
  events: readonly ToldEvent[],
  logged: ByEvent,
  tally: Tally,
): void {
  const known = new Map(events.map((event) => [event.id, event]))
  const times = new Map<string, number>()
  let last = 0
  for (const [id, at] of receipts) {
    const event = known.get(id)
    if (event === undefined) continue
    const count = (times.get(id) ?? 0) + 1
    times.set(id, count)
    const { sequence, answeredAt } = event
    if (count > 1) {
      tally.again.calls++
      tally.again.most = Math.max(tally.again.most, count)
      if (answeredAt !== undefined)
        findings.twice.push(`event ${sequence} ${id} came to ${name} ${count} times in peace`)
      continue
    }
    if (sequence < last) {
      tally.inversions++
      // One that had to be tried again comes later by right.
      if ((logged.get(id) ?? []).every(({ attempts }) => attempts < 2))
        findings.wrong.push(`event ${sequence} ${id} came to ${name} after ${last}`)
    }
    last = Math.max(last, sequence)
    if (answeredAt === undefined) continue
    const delay = at - answeredAt
    tally.delays.push(delay)
    if (delay > toldWithinMs)
      findings.wrong.push(`event ${sequence} ${id} came to ${name} only ${delay} ms after its write was answered`)
  }
}
