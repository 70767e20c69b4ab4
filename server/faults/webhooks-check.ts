// Compares the calls at receivers of webhooks, and the log, with the events.
import type { Findings } from './findings.ts'
import type { Manner, Receipt } from './receiver-process.ts'

/** An event that all triggers must receive. */
export interface ToldEvent {
  readonly id: string
  readonly sequence: number
  /** When its write was answered, if it was written after the last kill; milliseconds since 1970. */
  readonly answeredAt?: number
}

/** A delivery in the log. */
export interface Logged {
  readonly eventId: string
  readonly state: string
  readonly attempts: number
  /** Whether it is to be sent again. */
  readonly isDue: boolean
}

/** A trigger, with everything that belongs to it. */
export interface ToldTrigger {
  readonly name: string
  readonly manner: Manner
  readonly receipts: readonly Receipt[]
  readonly log: readonly Logged[]
  /** Its cursor in the feed. */
  readonly position: number
}

interface CheckedWebhooks {
  readonly events: readonly ToldEvent[]
  readonly triggers: readonly ToldTrigger[]
  /** Whether a delivery that failed again may still be waiting for its next call. */
  readonly mayWait: boolean
  /** How much later events may come on a loaded machine. */
  readonly slackMs: number
}

/** The result. */
export interface Tally {
  /** Calls at good receivers beyond the first of an event: in total, and the maximum for one event. */
  readonly again: { calls: number; most: number }
  /** Events at good receivers that arrived after a later one. */
  inversions: number
  /** Events of failing receivers that still wait for their next call. */
  waiting: number
  /** Pending deliveries of dead receivers. */
  pending: number
  /** Calls at receivers that hang. */
  hung: number
  /** Milliseconds from a write's response to the call at a good receiver, without kills. In ascending order. */
  readonly delays: number[]
}

/**
 * Milliseconds within which a good receiver must get an event after the write's response, beside dead or hanging
 * receivers; far less than the 15 s that a call to a hanging one takes. On a loaded machine, `slackMs` is added.
 */
export const toldWithinMs = 5_000

/** Finds events that are missing at a receiver or in the log, out of order, or late. */
export function checkWebhooks(findings: Findings, { events, triggers, mayWait, slackMs }: CheckedWebhooks): Tally {
  const tally: Tally = { again: { calls: 0, most: 0 }, inversions: 0, waiting: 0, pending: 0, hung: 0, delays: [] }
  for (const trigger of triggers) {
    const { manner, receipts } = trigger
    checkKnown(findings, trigger, events)
    const logged = Map.groupBy(trigger.log, ({ eventId }) => eventId)
    checkPosition(findings, trigger, events, logged)
    if (manner === 'hanging') tally.hung += receipts.length
    else if (manner === 'dead') tally.pending += checkDead(findings, trigger, events, logged)
    else tally.waiting += checkTaken(findings, trigger, events, logged, mayWait)
    if (manner === 'good') checkGood(findings, trigger, { events, logged, tally, withinMs: toldWithinMs + slackMs })
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
  for (const id of strange) findings.wrong.push(`${name} received ${id}, which is not an event of its company`)
}

/** Everything before a trigger's cursor is in its log: it would not be read again. */
function checkPosition(
  findings: Findings,
  { name, position }: ToldTrigger,
  events: readonly ToldEvent[],
  logged: ByEvent,
): void {
  for (const { id, sequence } of events)
    if (sequence <= position && !logged.has(id))
      findings.lost.push(
        `event ${sequence} ${id}: ${name} is dispatched up to ${position}, and its log has nothing of it`,
      )
}

/** Each event is a delivery that was tried and will be retried; returns how many are. */
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

/** Each event was accepted, and the log says so; returns how many still wait for their next call. */
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
    // One may have been accepted, the server killed before it recorded that, and the next call have failed.
    if (!isLogged && mayWait && manner === 'failing' && log.some(isTriedAgain)) waiting++
    else if (!taken.has(id)) findings.lost.push(`event ${sequence} ${id} never reached ${name}`)
    else if (!isLogged) findings.wrong.push(`event ${sequence} ${id} was taken by ${name}, and its log does not say so`)
  }
  return waiting
}

/** The order, the duplicates, and the delays. */
function checkGood(
  findings: Findings,
  { name, receipts }: ToldTrigger,
  told: { events: readonly ToldEvent[]; logged: ByEvent; tally: Tally; withinMs: number },
): void {
  const { events, logged, tally, withinMs } = told
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
      // A retried one may arrive later.
      if ((logged.get(id) ?? []).every(({ attempts }) => attempts < 2))
        findings.wrong.push(`event ${sequence} ${id} came to ${name} after ${last}`)
    }
    last = Math.max(last, sequence)
    if (answeredAt === undefined) continue
    const delay = at - answeredAt
    tally.delays.push(delay)
    if (delay > withinMs)
      findings.wrong.push(`event ${sequence} ${id} came to ${name} only ${delay} ms after its write was answered`)
  }
}
