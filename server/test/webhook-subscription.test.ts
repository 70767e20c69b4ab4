// The state machine of a subscription: whatever happens in whatever order, it keeps to its states and loses no event.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DueDelivery } from '../src/features/webhooks/deliveries.ts'
import type { SequencedEvent } from '../src/features/webhooks/message.ts'
import { scheduledDelay } from '../src/features/webhooks/results.ts'
import { type Message, Subscription } from '../src/features/webhooks/subscription.ts'

const trigger = {
  companyId: 'company',
  triggerId: 'trigger',
  version: 1,
  carriesRecords: true,
  url: 'http://127.0.0.1/',
  customTriggerName: undefined,
  ownTriggerId: undefined,
  secret: undefined,
  former: undefined,
  patterns: ['*'],
  maxParallel: 3,
}

function newSubscription({ cursor = 0, backoffMs = null as number | null } = {}) {
  const prefetched = { characters: 0 }
  const leaseEnds = performance.now() + 1_000_000
  return {
    prefetched,
    subscription: new Subscription(trigger, { cursor, failingMs: null, backoffMs }, leaseEnds, prefetched, () => false),
  }
}

const event = (sequence: number): SequencedEvent => ({
  id: `e${sequence}`,
  sequence,
  type: 'a.b',
  createdAt: '2026-11-21T09:30:00.000Z',
  resource: 'a',
  data: '{}',
})

const retry = (n: number) =>
  ({ event: event(-n), delivery: { id: `d${n}` }, version: 1, tries: 1 }) as unknown as DueDelivery

const result = (status: number, retryAfterMs?: number) => ({
  at: '2026-11-21T09:30:00.000Z',
  durationMs: 1,
  status,
  ...(retryAfterMs !== undefined && { retryAfterMs }),
})

test('a subscription reads, sends, and is idle when all results are stored', () => {
  const { subscription, prefetched } = newSubscription()
  const states = [subscription.state]
  const then = (step: () => unknown) => {
    step()
    states.push(subscription.state)
  }
  let message: Message | undefined
  then(() => subscription.addEvents([], { upTo: 4, hasMore: false }))
  then(() => subscription.expectEvents())
  then(() => subscription.addEvents([event(5), event(6)], { upTo: 6, hasMore: false }))
  for (const sequence of [5, 6]) {
    assert.equal(subscription.canSend(performance.now()), true)
    message = subscription.next()
    assert.equal(message.event.id, `e${sequence}`)
    then(() => subscription.endCall(result(200)))
    assert.equal(subscription.cursor(), sequence - 1)
    assert.equal(subscription.cursor(new Set([sequence])), sequence)
    then(() => subscription.finish(message as Message))
  }
  then(() => subscription.release())
  assert.deepEqual(states, 'reading idle reading sending sending sending sending idle released'.split(' '))
  assert.equal(prefetched.characters, 0)
})

test('a receiver that asks for a pause gets no call before it is over, also from the next server', () => {
  const now = performance.now()
  const { subscription } = newSubscription({ cursor: 4 })
  subscription.addEvents([event(5), event(6)], { upTo: 6, hasMore: false })
  const first = subscription.next()
  subscription.endCall(result(503, 60_000))
  subscription.finish(first)
  assert.equal(subscription.state, 'backing-off')
  assert.equal(subscription.canSend(now + 30_000), false)
  assert.equal(subscription.canSend(now + 90_000), true)
  assert.equal(subscription.state, 'sending')
  const { subscription: next } = newSubscription({ cursor: 5, backoffMs: 60_000 })
  next.addEvents([event(6)], { upTo: 6, hasMore: false })
  assert.deepEqual([next.state, next.canSend(now + 30_000)], ['backing-off', false])
  assert.equal(next.canSend(now + 90_000), true)
})

test('a subscription whose trigger is being switched off sends nothing more, and a released one queues nothing', () => {
  const { subscription, prefetched } = newSubscription()
  subscription.addEvents([event(1), event(2)], { upTo: 2, hasMore: true })
  subscription.next()
  subscription.endCall(result(410))
  subscription.switchOff()
  assert.deepEqual([subscription.canSend(performance.now()), subscription.needsEvents()], [false, false])
  subscription.expectEvents()
  assert.equal(subscription.state, 'switching-off')
  subscription.release()
  subscription.addEvents([event(3)], { upTo: 3, hasMore: true })
  assert.deepEqual([subscription.state, prefetched.characters, subscription.needsEvents()], ['released', 0, false])
  assert.throws(() => subscription.switchOff(), { message: /must not go from released to switching-off/ })
})

test('in any order of events, every new one is sent once and in order, and the cursor never passes an unfinished one', () => {
  let seed = 7
  const below = (n: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * n)
  }
  for (let round = 0; round < 300; round++) {
    const { subscription, prefetched } = newSubscription()
    const sent = [] as number[]
    const open = new Set<number>()
    let inFlight: Message[] = []
    let ended: Message[] = []
    let watermark = 0
    let retries = 0
    let now = performance.now()
    const steps = [
      () => {
        watermark += below(4)
        subscription.expectEvents()
      },
      () => {
        if (!subscription.needsEvents()) return
        const count = Math.min(below(3) + 1, watermark - subscription.readUpTo)
        const events = Array.from({ length: count }, (_, n) => event(subscription.readUpTo + n + 1))
        for (const { sequence } of events) open.add(sequence)
        const upTo = subscription.readUpTo + count
        subscription.addEvents(events, { upTo, hasMore: upTo < watermark })
      },
      () => subscription.addRetry(retry(++retries)),
      () => {
        if (!subscription.canSend(now)) return
        const message = subscription.next()
        inFlight.push(message)
        if (message.retry === undefined) sent.push(message.event.sequence)
      },
      () => {
        const [message] = inFlight.splice(below(inFlight.length), 1)
        if (message === undefined) return
        subscription.endCall(below(4) ? result(200) : result(503, below(2) ? below(50) : undefined))
        ended.push(message)
      },
      () => {
        for (const message of ended) {
          if (message.retry === undefined) open.delete(message.event.sequence)
          subscription.finish(message)
        }
        ended = []
      },
      () => {
        now += below(40)
        subscription.resume(now)
      },
    ]
    for (let n = 0; n < 100; n++) {
      steps[below(steps.length)]?.()
      assert.equal(subscription.cursor(), Math.min(subscription.readUpTo, ...[...open].map((sequence) => sequence - 1)))
      const isBusy = open.size + subscription.unfinishedRetries > 0
      if (subscription.state !== 'backing-off') assert.equal(subscription.state === 'sending', isBusy)
    }
    assert.deepEqual(
      sent,
      Array.from({ length: sent.length }, (_, n) => n + 1),
    )
    subscription.release()
    assert.equal(prefetched.characters, 0)
    inFlight = []
  }
})

test('there are nine retries, after the delays in the contract, each varied at random by up to a fifth', () => {
  const minute = 60
  const hour = 3600
  const seconds = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
  seconds.forEach((due, n) => {
    const parts = Array.from({ length: 1000 }, () => Number(scheduledDelay(n + 1)) / (1000 * due))
    const least = Math.min(...parts)
    const most = Math.max(...parts)
    assert.ok(least >= 0.8 && most <= 1.2, `${due} s: ${least} to ${most}`)
    assert.ok(least < 0.9 && most > 1.1, `${due} s does not vary: ${least} to ${most}`)
  })
  assert.equal(scheduledDelay(seconds.length + 1), undefined)
})
