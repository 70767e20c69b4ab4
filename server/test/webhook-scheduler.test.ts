// The scheduler of webhook calls: what hangs at one company leaves capacity to the others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Scheduler } from '../src/features/webhooks/scheduler.ts'
import { SLOW_MS, Subscription } from '../src/features/webhooks/subscription.ts'

/** A subscription with events to send. */
function withEvents(companyId: string, isDegraded = false): Subscription {
  const trigger = {
    companyId,
    triggerId: 'trigger',
    version: 1,
    carriesRecords: true,
    url: 'http://127.0.0.1/',
    customTriggerName: undefined,
    ownTriggerId: undefined,
    secret: undefined,
    former: undefined,
    patterns: ['*'],
    maxParallel: 1,
  }
  const lease = { cursor: 0, failingMs: isDegraded ? 1 : null, backoffMs: null }
  const leaseEnds = performance.now() + 1_000_000
  const subscription = new Subscription(trigger, lease, leaseEnds, { characters: 0 }, () => false)
  const event = { id: 'e', sequence: 1, type: 'a.b', createdAt: '2026-11-21T09:30:00.000Z', resource: 'a', data: '{}' }
  subscription.addEvents([event], { upTo: 1, hasMore: false })
  return subscription
}

/** A scheduler whose calls hang, those of the company `released` until `release`; `called` are their companies. */
function hangingCalls() {
  const called: string[] = []
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const scheduler = new Scheduler({
    deliver: ({ trigger }) => {
      called.push(trigger.companyId)
      return trigger.companyId === 'released' ? promise : new Promise(() => {})
    },
    mayBegin: () => true,
  })
  const allBegun = async () => {
    for (let before = -1; before < called.length; await nextTurn()) before = called.length
  }
  return { called, scheduler, allBegun, release }
}

test('receivers of a company that begin to hang, however many, leave capacity to those of others that failed before', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { called, scheduler, allBegun } = hangingCalls()
  for (let n = 0; n < 1_000; n++) scheduler.offer(withEvents('hanging'))
  for (let n = 0; n < 5; n++) {
    await allBegun()
    t.mock.timers.tick(SLOW_MS)
  }
  await allBegun()
  assert.equal(called.length, 200)
  scheduler.offer(withEvents('other', true))
  assert.equal(called.at(-1), 'other')
})

test('failing receivers of two companies that hang, however many, leave capacity to those of a third', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { called, scheduler, allBegun } = hangingCalls()
  for (const companyId of ['one', 'two']) for (let n = 0; n < 150; n++) scheduler.offer(withEvents(companyId, true))
  await allBegun()
  assert.ok(called.length >= 130, `${called.length}`)
  scheduler.offer(withEvents('recovered', true))
  await allBegun()
  assert.equal(called.at(-1), 'recovered')
})

test('a company takes the places that calls of others free, while its own calls hang', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { called, scheduler, allBegun, release } = hangingCalls()
  for (let n = 0; n < 150; n++) scheduler.offer(withEvents('hanging', true))
  for (let n = 0; n < 67; n++) scheduler.offer(withEvents('released', true))
  await allBegun()
  const own = () => called.filter((companyId) => companyId === 'hanging').length
  assert.ok(own() < 100, `${own()}`)
  release()
  await allBegun()
  assert.equal(own(), 100)
})
