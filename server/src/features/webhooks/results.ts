// Stores the results of calls: their deliveries and how far each trigger has got, in one transaction.
import type { Database } from '../../database/connect.ts'
import { retryOnConflict } from '../../engine/bisect-on-error.ts'
import { type CallResult, isSuccess } from './call.ts'
import {
  change,
  type DeliveryChange,
  type DueDelivery,
  type NewDelivery,
  type Progress,
  record,
  type TriggerKey,
  triggerKey,
} from './deliveries.ts'
import type { Attempt } from './delivery.ts'
import type { EventText } from './message.ts'
import type { Pause } from './retry-schedule.ts'
import { cursorOf, type Message, type Subscription } from './scheduler.ts'
import { lockTriggers, type Standing, saveDue, saveStandings } from './trigger-leases.ts'

/** A call that was made. */
export interface CallOutcome {
  readonly recipient: Subscription<DueDelivery>
  /** Without its event if that is no longer kept: then no call was made, and none will be. */
  readonly message: Omit<Message<DueDelivery>, 'event'> & { readonly event: EventText | undefined }
  readonly result: CallResult
}

/** What is to be stored. */
interface Unsaved {
  readonly pause: Pause
  readonly outcomes: readonly CallOutcome[]
  /** Subscriptions whose state is stored, and whether they are released. */
  readonly recipients: readonly Subscription<DueDelivery>[]
  readonly areReleased: boolean
}

/**
 * Stores all or nothing; returns the keys (`company trigger`) of subscriptions that are still this server's. PostgreSQL
 * may lose the last transaction when the machine dies: the same calls are then made again, as promised.
 */
export function savedResults(
  database: Database,
  me: string,
  { pause, outcomes, recipients, areReleased }: Unsaved,
): Promise<Set<string>> {
  for (const { recipient, message, result } of outcomes) {
    if (message.sequence !== undefined) recipient.open.delete(message.sequence)
    if (message.delivery !== undefined || !isSuccess(result)) recipient.hasRetried = true
  }
  const all = [...new Set([...recipients, ...outcomes.map(({ recipient }) => recipient)])]
  const retried = inOrder(all.filter(({ hasRetried }) => hasRetried))
  // If another server now has the trigger, only the time of its next due delivery is written.
  const isOurs = new Set(recipients.map(triggerKey))
  const others = retried.filter((recipient) => !isOurs.has(triggerKey(recipient)))
  return retryOnConflict(() =>
    database.transaction(async (transaction) => {
      await transaction.query('set local synchronous_commit = off')
      const active = retried.length > 0 ? await lockTriggers(transaction, retried) : new Set()
      // Calls that were under way while the trigger was switched off are its last ones.
      const pauseOf = ({ recipient }: CallOutcome): Pause =>
        active.has(triggerKey(recipient)) ? pause : () => undefined
      const made = outcomes.flatMap((outcome) => newDelivery(outcome, pauseOf(outcome)))
      const changed = outcomes.flatMap((outcome) => changeOf(outcome, pauseOf(outcome)))
      if (made.length > 0) await record(transaction, made)
      if (changed.length > 0) await change(transaction, changed)
      if (others.length > 0) await saveDue(transaction, others)
      const standings = inOrder(recipients).map((recipient) => standingOf(recipient, areReleased))
      return new Set((await saveStandings(transaction, me, standings)).map(triggerKey))
    }),
  )
}

/** In the order in which all code locks triggers. */
const inOrder = <K extends TriggerKey>(keys: readonly K[]): K[] =>
  [...keys].sort((a, b) => (triggerKey(a) < triggerKey(b) ? -1 : 1))

function standingOf(recipient: Subscription<DueDelivery>, isReleased: boolean): Standing {
  const { companyId, triggerId, version, failingSince, heldUntil, hasRetried } = recipient
  const now = performance.now()
  return {
    companyId,
    triggerId,
    version,
    position: cursorOf(recipient),
    failingMs: failingSince === undefined ? null : Math.round(now - failingSince),
    heldMs: heldUntil > now ? Math.round(heldUntil - now) : null,
    hasRetried,
    isReleased,
  }
}

const attemptOf = ({ at, status, error, durationMs, answer }: CallResult): Attempt => ({
  at,
  ...(status !== undefined && { status }),
  ...(error !== undefined && { error }),
  durationMs,
  ...(answer !== undefined && { answer }),
})

/**
 * What becomes of a delivery after a call, by default after a pause. A receiver that asked for a longer pause gets it;
 * one that is gone is not called again.
 */
function progressOf(result: CallResult, pause: number | undefined): Progress {
  if (isSuccess(result)) return { state: 'succeeded' }
  if (pause === undefined || result.status === 410) return { state: 'failed' }
  const ms = Math.max(pause, result.retryAfterMs ?? 0)
  return { state: 'pending', nextAttemptAt: new Date(Date.now() + ms).toISOString() }
}

function newDelivery({ recipient, message, result }: CallOutcome, pause: Pause): NewDelivery[] {
  const { event, sequence, delivery } = message
  if (delivery !== undefined || sequence === undefined || event === undefined) return []
  const { companyId, triggerId } = recipient
  return [
    {
      companyId,
      triggerId,
      eventId: event.id,
      eventType: event.type,
      feed: { sequence, createdAt: event.createdAt },
      attempts: [attemptOf(result)],
      progress: progressOf(result, pause(1)),
    },
  ]
}

function changeOf({ message, result }: CallOutcome, pause: Pause): DeliveryChange[] {
  const { delivery } = message
  if (delivery === undefined) return []
  return [
    {
      ...delivery,
      attempt: attemptOf(result),
      progress: progressOf(result, message.event && pause(delivery.tries + 1)),
    },
  ]
}
