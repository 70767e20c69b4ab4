// Dispatches events to triggers: reads the feed for each, on one server at a time, and loses nothing when a server
// dies.
import { randomUUID } from 'node:crypto'
import { backgroundLoop, type Failed } from '../../concurrency/background-loop.ts'
import type { Seal } from '../../core/idempotency-claim.ts'
import {
  HELD_LOOK_MS,
  WEBHOOK_AFTER_FAILURE_MS,
  WEBHOOK_COMPANIES,
  WEBHOOK_DUE_LEAST_MS,
  WEBHOOK_DUE_MS,
  WEBHOOK_DUE_PAGE,
  WEBHOOK_LEASE_MS,
  WEBHOOK_LOOK_MS,
  WEBHOOK_PAGE,
  WEBHOOK_QUEUES_CHARACTERS,
  WEBHOOK_RENEWAL_MS,
  WEBHOOK_SAVE_MS,
  WEBHOOK_STOP_MS,
  WEBHOOK_SWEEP,
  WEBHOOK_SWEEP_MS,
  WEBHOOK_UNUSED_MS,
} from '../../core/limits.ts'
import type { Database } from '../../database/connect.ts'
import { listen } from '../../database/listen.ts'
import type { WriteNotifications } from '../events/write-notifications.ts'
import { type ActiveSubscription, activeSubscriptions } from './active-subscriptions.ts'
import { type CallResult, isSuccess, type Sender } from './call.ts'
import { type DueDelivery, due as dueDeliveries, type TriggerKey, triggerKey } from './deliveries.ts'
import { messageOf } from './message.ts'
import { type CallOutcome, savedResults } from './results.ts'
import { FAILING_MOST_MS, type Pause, pauseAfter } from './retry-schedule.ts'
import { type Message, needsEvents, roomOf, scheduler } from './scheduler.ts'
import { findBehind, leaseDue, lookAt, readEvents } from './trigger-leases.ts'
import { switchOff, triggerChannel } from './trigger-switch.ts'
import { matches } from './trigger-types.ts'

interface Dispatch {
  /** Starts no more calls, waits a moment for those under way, and releases the leases. */
  stop(): Promise<void>
}

/** What the dispatcher needs; `pause` replaces the schedule of decisions §9. */
interface Parts {
  readonly seal: Seal
  readonly sender: Sender
  readonly wakes: WriteNotifications
  readonly failed: Failed
  readonly pause?: Pause | undefined
}

/**
 * Dispatches until it is stopped. Each server handles the triggers it has leased, so that a trigger never gets more
 * calls than it accepts. Calls that a server made but did not store before it died are made again.
 */
export function startDispatcher(
  database: Database,
  { seal, sender, wakes, failed, pause = pauseAfter }: Parts,
): Dispatch {
  const me = randomUUID()
  const recipients = activeSubscriptions({ seal, failed, followed: (companyId) => void woken.add(companyId) })
  /** Companies that may have new events; and companies whose new events are blocked by an older write. */
  const woken = new Set<string>()
  const heldUp = new Set<string>()
  /** Companies known to have no triggers, while this server listens for new triggers. */
  const without = new Set<string>()
  /** Subscriptions that may have more to read, and those whose state is to be stored. */
  const hungry = new Set<ActiveSubscription>()
  const dirty = new Set<ActiveSubscription>()
  const outcomes: CallOutcome[] = []
  const stopping = new AbortController()
  let isStopping = false
  const calls = scheduler<DueDelivery>(call, done, () => !isStopping && outcomes.length < 2_000)

  /** How often triggers have changed, or may have. */
  let changes = 0
  const hearing = listen(database, triggerChannel, {
    heard(companyId) {
      changes++
      without.delete(companyId)
      wake(companyId)
    },
    missed() {
      changes++
      without.clear()
    },
  })
  const deaf = wakes.listen((companyId) => (companyId === undefined ? wakeAll() : wake(companyId)))

  function wake(companyId: string): void {
    if (without.has(companyId) && hearing.isAlive) return
    woken.add(companyId)
    lookSoon()
  }

  // Under many writes, companies that come within some milliseconds are looked at together.
  const lookSoon = () => looking.schedule(Math.max(0, lastLook + WEBHOOK_LOOK_MS - performance.now()))

  function wakeAll(): void {
    for (const companyId of recipients.companies()) woken.add(companyId)
    sweepFrom = start
    sweeping.schedule(0)
  }

  // Reading.

  let lastLook = 0
  let lastDue = 0
  const looking = backgroundLoop(
    async () => {
      lastLook = performance.now()
      await giveBack()
      const companies = [...new Set([...woken, ...heldUp])].slice(0, WEBHOOK_COMPANIES)
      for (const companyId of companies) {
        woken.delete(companyId)
        heldUp.delete(companyId)
      }
      try {
        if (companies.length > 0) await lookFor(companies)
        if (lastLook - lastDue >= WEBHOOK_DUE_LEAST_MS) await lookForDue()
        await readNew()
      } catch (error) {
        for (const companyId of companies) woken.add(companyId)
        throw error
      }
      if (woken.size + hungry.size > 0) return WEBHOOK_LOOK_MS
      return heldUp.size > 0 ? HELD_LOOK_MS : WEBHOOK_DUE_MS
    },
    failed,
    WEBHOOK_AFTER_FAILURE_MS,
  )

  /** Leases the free triggers of companies, and drops those that are no longer ours. */
  async function lookFor(companies: readonly string[]): Promise<void> {
    const leaseEnds = performance.now() + WEBHOOK_LEASE_MS - WEBHOOK_RENEWAL_MS / 2
    const changesBefore = changes
    const known = companies.flatMap((companyId) => recipients.of(companyId))
    const look = await lookAt(database, me, companies, known)
    for (const key of look.lost) recipients.forget(recipients.find(key))
    for (const leased of look.leased) recipients.follow(leased, leaseEnds)
    for (const companyId of companies) {
      const settled = look.settled.get(companyId)
      // If the company got a trigger meanwhile, the look may have missed it.
      if (settled === undefined && changes === changesBefore) without.add(companyId)
      for (const recipient of recipients.of(companyId)) {
        recipient.settled = Math.max(recipient.settled, settled ?? 0)
        expectMore(recipient)
      }
    }
  }

  async function lookForDue(): Promise<void> {
    lastDue = performance.now()
    const busy = [...recipients.all()].filter(({ dueLeft }) => dueLeft > 0)
    const leased = await leaseDue(database, me, {
      most: 100,
      but: [...busy.map(({ triggerId }) => triggerId), ...recipients.unopened],
    })
    const due = leased.flatMap(
      (one) => recipients.follow(one, lastDue + WEBHOOK_LEASE_MS - WEBHOOK_RENEWAL_MS / 2) ?? [],
    )
    for (const recipient of recipients.all()) {
      if (recipient.heldUntil === 0 || recipient.heldUntil > lastDue) continue
      recipient.heldUntil = 0
      calls.offer(recipient)
    }
    if (due.length === 0) return
    for (const stored of await dueDeliveries(database, due, WEBHOOK_DUE_PAGE)) {
      const recipient = recipients.find(stored.delivery)
      if (recipient === undefined) continue
      recipient.dueLeft++
      if (stored.event) recipient.due.push({ event: stored.event, delivery: stored, sequence: undefined })
      else
        outcomes.push({
          recipient,
          message: { event: undefined, delivery: stored, sequence: undefined },
          result: noEvent(),
        })
    }
    for (const recipient of due) {
      // Nothing was due after all: the time is looked up again.
      if (recipient.dueLeft === 0) touch(recipient, true)
      calls.offer(recipient)
    }
  }

  /** Reads new events for subscriptions with room; those of a company at the same number share a read. */
  async function readNew(): Promise<void> {
    const groups = new Map<string, ActiveSubscription[]>()
    for (const recipient of hungry) {
      // The others are read at the next look: one statement takes only `WEBHOOK_COMPANIES` groups.
      if (groups.size === WEBHOOK_COMPANIES) break
      hungry.delete(recipient)
      if (recipient.isOver || !needsEvents(recipient)) continue
      if (recipients.characters > WEBHOOK_QUEUES_CHARACTERS && recipient.fresh.length > 0) continue
      const key = `${recipient.companyId} ${recipient.read} ${recipient.settled}`
      groups.set(key, [...(groups.get(key) ?? []), recipient])
    }
    if (groups.size === 0) return
    const readers = [...groups.values()]
    const wanted = readers.map((group) => {
      const [{ companyId, read, settled }] = group as [ActiveSubscription]
      for (const recipient of group) recipient.mayHaveMore = false
      const patterns = [...new Set(group.flatMap(({ patterns }) => patterns))]
      return { companyId, after: read, settled, patterns, most: Math.min(WEBHOOK_PAGE, ...group.map(roomOf)) }
    })
    const found = await readEvents(database, wanted).catch((error) => {
      for (const recipient of readers.flat()) expectMore(recipient)
      throw error
    })
    for (const [n, group] of readers.entries()) {
      const { events, upTo, hasMore, isHeld } = found[n] as (typeof found)[number]
      for (const recipient of group) {
        recipient.read = upTo
        if (hasMore) expectMore(recipient)
        else if (isHeld) heldUp.add(recipient.companyId)
        const mine = events.filter(({ type }) => matches(recipient.patterns, type))
        if (mine.length > 0) recipient.lastNews = performance.now()
        for (const event of mine) recipients.add(recipient, event)
        if (mine.length > 0) calls.offer(recipient)
      }
    }
  }

  function expectMore(recipient: ActiveSubscription): void {
    recipient.mayHaveMore = true
    hungry.add(recipient)
  }

  /** Drops a subscription that was changed or taken over; it may still be ours in its new form. */
  function lose(recipient: ActiveSubscription): void {
    recipients.forget(recipient)
    wake(recipient.companyId)
  }

  // Calls.

  async function call(
    recipient: ActiveSubscription,
    { event, sequence }: Message<DueDelivery>,
  ): Promise<CallResult | undefined> {
    if (sequence !== undefined) recipients.taken(event)
    const { url, secret } = recipient
    const request = { url, secret, id: event.id, body: messageOf(event, recipient) }
    return sender.call(request, stopping.signal).catch((error) => {
      if (!stopping.signal.aborted) failed(error)
      return undefined
    })
  }

  function done(recipient: ActiveSubscription, message: Message<DueDelivery>, result: CallResult | undefined): void {
    if (result === undefined) return
    outcomes.push({ recipient, message, result })
    const now = performance.now()
    if (isSuccess(result)) recipient.failingSince = undefined
    else recipient.failingSince ??= now
    if (result.retryAfterMs !== undefined) recipient.heldUntil = now + result.retryAfterMs
    saving.schedule(WEBHOOK_SAVE_MS)
    if (needsEvents(recipient)) {
      hungry.add(recipient)
      lookSoon()
    }
  }

  // Results.

  function touch(recipient: ActiveSubscription, hasRetried = false): void {
    dirty.add(recipient)
    recipient.hasRetried ||= hasRetried
    saving.schedule(WEBHOOK_SAVE_MS)
  }

  let lastRenewal = performance.now()
  const saving = backgroundLoop(
    async () => {
      const now = performance.now()
      if (now - lastRenewal >= WEBHOOK_RENEWAL_MS) {
        lastRenewal = now
        for (const recipient of recipients.all()) dirty.add(recipient)
      }
      await save()
      return outcomes.length > 0 ? 0 : WEBHOOK_RENEWAL_MS
    },
    failed,
    WEBHOOK_AFTER_FAILURE_MS,
  )

  const isIdle = ({ open, dueLeft, calls, mayHaveMore, lastNews, companyId }: ActiveSubscription, now: number) =>
    open.size + dueLeft + calls === 0 && !mayHaveMore && !woken.has(companyId) && now - lastNews > WEBHOOK_UNUSED_MS

  let lastGivenBack = performance.now()
  /** Releases idle subscriptions: between two looks, so that the next look finds them free whatever comes meanwhile. */
  async function giveBack(): Promise<void> {
    const now = performance.now()
    if (now - lastGivenBack < WEBHOOK_RENEWAL_MS) return
    lastGivenBack = now
    const idle = [...recipients.all()].filter((recipient) => isIdle(recipient, now))
    if (idle.length === 0) return
    for (const recipient of idle) recipients.forget(recipient)
    await savedResults(database, me, { pause, outcomes: [], recipients: idle, areReleased: true })
  }

  async function save(areReleased = false): Promise<void> {
    const part = outcomes.slice(0, 500)
    const now = performance.now()
    const touched = new Set(part.map(({ recipient }) => recipient).filter(({ isOver }) => !isOver))
    for (const recipient of areReleased ? recipients.all() : dirty) if (!recipient.isOver) touched.add(recipient)
    dirty.clear()
    if (part.length + touched.size === 0) return
    const saved = await savedResults(database, me, {
      pause,
      outcomes: part,
      recipients: [...touched],
      areReleased,
    }).catch((error) => {
      for (const recipient of touched) dirty.add(recipient)
      throw error
    })
    outcomes.splice(0, part.length)
    for (const { recipient, message } of part) if (message.delivery !== undefined) recipient.dueLeft--
    const leaseEnds = now + WEBHOOK_LEASE_MS - WEBHOOK_RENEWAL_MS / 2
    for (const recipient of touched) {
      recipient.hasRetried = false
      if (saved.has(triggerKey(recipient))) recipient.leaseEnds = leaseEnds
      else lose(recipient)
      calls.offer(recipient)
    }
    for (const { recipient, result } of part) {
      if (recipient.isOver) continue
      const failedFor = now - (recipient.failingSince ?? now)
      if (result.status === 410) end(recipient, 'The receiver answered 410 Gone.')
      else if (failedFor > FAILING_MOST_MS) end(recipient, 'Every call failed for 5 days.')
    }
    calls.resume()
  }

  // Switching off. In a loop of its own, since it may give up many deliveries: results and leases of others do not wait
  // for it.

  const ends = new Map<ActiveSubscription, string>()
  const ending = backgroundLoop(
    async () => {
      for (const [recipient, reason] of ends) {
        // A trigger that was changed meanwhile is judged by its new calls.
        if (!recipient.isOver && (await switchOff(database, recipient, reason))) wakes.wake(recipient.companyId)
        recipients.forget(recipient)
        ends.delete(recipient)
      }
      return WEBHOOK_RENEWAL_MS
    },
    failed,
    WEBHOOK_AFTER_FAILURE_MS,
  )

  function end(recipient: ActiveSubscription, reason: string): void {
    recipient.isEnding = true
    ends.set(recipient, reason)
    ending.schedule(0)
  }

  // Events without a notification: the server that wrote them, or that dispatched them, died.

  const start: TriggerKey = { companyId: '', triggerId: '' }
  let sweepFrom = start
  let isFirstSweep = true
  const sweeping = backgroundLoop(
    async () => {
      const { companies, last } = await findBehind(database, sweepFrom, WEBHOOK_SWEEP)
      for (const companyId of companies) {
        without.delete(companyId)
        wake(companyId)
      }
      sweepFrom = last ?? start
      if (last === undefined) isFirstSweep = false
      return isFirstSweep ? 0 : WEBHOOK_SWEEP_MS
    },
    failed,
    WEBHOOK_AFTER_FAILURE_MS,
  )

  looking.schedule(0)
  saving.schedule(WEBHOOK_RENEWAL_MS)
  sweeping.schedule(0)
  return {
    async stop() {
      isStopping = true
      deaf()
      await Promise.all([looking.stop(), sweeping.stop(), ending.stop(), hearing.close()])
      const timer = setTimeout(() => stopping.abort(), WEBHOOK_STOP_MS)
      await calls.ended()
      clearTimeout(timer)
      await saving.stop()
      try {
        while (outcomes.length > 0) await save()
        await save(true)
      } catch (error) {
        // Results that were not stored are sent again once the leases have expired.
        failed(error)
      }
    },
  }
}

/** The result of a delivery whose event is no longer kept. */
const noEvent = (): CallResult => ({
  at: new Date().toISOString(),
  durationMs: 0,
  error: 'The event is no longer kept.',
})
