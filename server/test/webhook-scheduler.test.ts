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

test('receivers of a company that begin to hang, however many, leave capacity to those of others that failed before', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const called: string[] = []
  const scheduler = new Scheduler({
    deliver: ({ trigger }) => {
      called.push(trigger.companyId)
      return new Promise(() => {})
    },
    mayBegin: () => true,
  })
  for (let n = 0; n < 1_000; n++) scheduler.offer(withEvents('hanging'))
  const allBegun = async () => {
    for (let before = -1; before < called.length; await nextTurn()) before = called.length
  }
  for (let n = 0; n < 5; n++) {
    await allBegun()
    t.mock.timers.tick(SLOW_MS)
  }
  await allBegun()
  assert.equal(called.length, 200)
  scheduler.offer(withEvents('other', true))
  assert.equal(called.at(-1), 'other')
})
