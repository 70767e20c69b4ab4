// Rows of deliveries: what the delivery loop writes and reads again, with concurrent changes of a delivery.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STATEMENT_CHARACTERS } from '../src/core/limits.ts'
import type { Database, Statement } from '../src/database/connect.ts'
import { DELIVERIES_REWRITTEN_AT_ONCE, giveUp } from '../src/features/webhooks/actions.ts'
import {
  ATTEMPTS_KEPT,
  changeDeliveries,
  recordDeliveries,
  type TriggerKey,
} from '../src/features/webhooks/deliveries.ts'
import { readDue } from '../src/features/webhooks/reads.ts'
import type { Delivery } from '../src/resources/webhook-delivery.ts'
import { newReference } from './support/bodies.ts'
import { deliver, dueOf, failure, makeTrigger, newDelivery, someEvent } from './support/deliveries.ts'
import { feed } from './support/feed.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()
const past = '2020-11-21T09:30:00.000Z'
const later = '2126-11-21T09:30:00.000Z'

async function stored({ companyId, id }: Pick<Delivery, 'companyId' | 'id'>) {
  const [row] = await service.database.query(
    'select body, iso_time(next_at), tries from webhook_deliveries where company_id = $1 and id = $2',
    [companyId, id],
  )
  const [text, nextAt, tries] = row as [string, string | null, number]
  return { text, body: JSON.parse(text), nextAt, tries }
}

/** When the next delivery of a trigger is due. */
async function nextDue({ companyId, triggerId }: TriggerKey): Promise<string | null> {
  const [row] = await service.database.query(
    'select iso_time(min(next_at)) from webhook_deliveries where company_id = $1 and trigger_id = $2',
    [companyId, triggerId],
  )
  return row?.[0]
}

/** A trigger of a new company. */
async function own() {
  const company = await service.company()
  const { id } = await makeTrigger(company)
  return { company, id, key: { companyId: company.id, triggerId: id } }
}

test('a recorded delivery is stored as it is returned, with its due time exactly while it is pending', async () => {
  const { company, id, key } = await own()
  const event = await someEvent(service, company)
  const of = (about: object) => newDelivery(company, id, event, about)
  const rows = [
    of({}),
    of({ progress: { state: 'succeeded' }, attempts: [{ ...failure, status: 200, error: undefined }] }),
    of({ progress: { state: 'pending', nextAttemptAt: later }, attempts: [] }),
  ]
  const made = await recordDeliveries(service.database, rows)
  assert.deepEqual(
    made.map(({ state, attempts }) => [state, attempts.length]),
    [
      ['failed', 1],
      ['succeeded', 1],
      ['pending', 0],
    ],
  )
  for (const [n, delivery] of made.entries()) {
    const { text, nextAt, tries } = await stored(delivery)
    assert.equal(text, JSON.stringify(delivery))
    assert.deepEqual([nextAt, tries], [delivery.nextAttemptAt ?? null, rows[n]?.attempts.length])
  }
  assert.deepEqual(made[2]?.nextAttemptAt, later)
  assert.deepEqual([await nextDue(key), await nextDue({ ...key, triggerId: newReference() })], [later, null])
})

test('a receiver’s response is kept whatever it contains, and of many attempts the last ones', async () => {
  const { company, id } = await own()
  const attempts = Array.from({ length: ATTEMPTS_KEPT + 5 }, (_, n) => ({ ...failure, durationMs: n }))
  attempts.push({ ...failure, durationMs: 99, answer: 'a\u0000b\ud800c "\\u0000" \u{1f600}\u2028\u007f\b' })
  const delivery = await deliver(service, company, id, { attempts })
  const { body, tries } = await stored(delivery)
  assert.equal(body.attempts.length, ATTEMPTS_KEPT)
  assert.equal(body.attempts[0].durationMs, attempts.length - ATTEMPTS_KEPT)
  assert.equal(body.attempts.at(-1).answer, 'ab\ufffdc "\\u0000" \u{1f600}\u2028\u007f\b')
  assert.equal(tries, attempts.length)
})

test('due deliveries are read with their events, the longest due first, and none of another trigger or company', async () => {
  const one = await own()
  const other = await own()
  const second = await makeTrigger(one.company)
  const pending = (nextAttemptAt: string) => ({ attempts: [], progress: { state: 'pending', nextAttemptAt } as const })
  const young = await deliver(service, one.company, one.id, pending('2020-11-21T09:30:01.000Z'))
  const old = await deliver(service, one.company, one.id, pending('2020-11-21T09:30:00.000Z'))
  await deliver(service, one.company, one.id, pending(later))
  await deliver(service, one.company, one.id)
  await deliver(service, one.company, second.id, pending(past))
  const theirs = await deliver(service, other.company, other.id, pending(past))
  const { ids, events } = await dueOf(service, one.key)
  assert.deepEqual(ids, [old.id, young.id])
  const [event] = events
  assert.ok(event)
  const { data, ...rest } = event
  const { firstName, id: recordId } = JSON.parse(data)
  assert.deepEqual(
    [rest.id, rest.type, rest.resource, rest.recordId, firstName],
    [old.eventId, 'customer.created', 'customer', recordId, 'Ann'],
  )
  assert.deepEqual((await dueOf(service, one.key, 1)).ids, [old.id])
  const both = await readDue(service.database, [other.key, one.key], 1)
  assert.deepEqual(both.map(({ delivery }) => delivery.id).toSorted(), [theirs.id, old.id].toSorted())
  assert.deepEqual((await dueOf(service, { companyId: other.company.id, triggerId: one.id })).ids, [])
})

test('an event of a change includes the former values, and one that is no longer kept is reported as missing', async () => {
  const { company, id, key } = await own()
  const { recordId } = await someEvent(service, company)
  await company.call('PATCH', `/v1/customer/${recordId}`, { firstName: 'Ann \u{1f600}' })
  const event = (await feed(service, company.id)).at(-1)
  assert.ok(event)
  const progress = { state: 'pending', nextAttemptAt: past } as const
  const gone = { feed: { sequence: event.sequence, createdAt: '2026-01-01T00:00:00.000Z' } }
  const rows = [newDelivery(company, id, event, { progress }), newDelivery(company, id, event, { progress, ...gone })]
  await recordDeliveries(service.database, rows)
  const { events } = await dueOf(service, key)
  assert.deepEqual(JSON.parse(events[0]?.previous ?? ''), { firstName: 'Ann' })
  assert.deepEqual(JSON.parse(events[0]?.data ?? ''), event.data)
  assert.equal(events[1], undefined)
})

test('texts too long to be read together are read one after the other, each completely', async () => {
  const { company, id, key } = await own()
  const notes = ['x'.repeat(900_000)]
  const rows = []
  for (let n = 0; n < 4; n++)
    rows.push(
      newDelivery(company, id, await someEvent(service, company, { notes: [...notes, ...notes] }), {
        attempts: [],
        progress: { state: 'pending', nextAttemptAt: past },
      }),
    )
  const made = await recordDeliveries(service.database, rows)
  const seen: string[] = []
  for (let round = 0; round < 10 && seen.length < made.length; round++) {
    const some = await readDue(service.database, [key], 100)
    const characters = some.reduce((sum, { event }) => sum + (event?.data.length ?? 0), 0)
    assert.ok(some.length > 0 && characters < STATEMENT_CHARACTERS + 2_000_000)
    for (const { event } of some) assert.equal(JSON.parse(event?.data ?? '').notes[1].length, 900_000)
    seen.push(...some.map(({ delivery }) => delivery.id))
    const done = some.map((row) => ({ ...row, attempt: failure, progress: { state: 'failed' } as const }))
    assert.deepEqual(
      await changeDeliveries(service.database, done),
      done.map(() => true),
    )
  }
  assert.deepEqual(
    seen,
    made.map((delivery) => delivery.id),
  )
})

test('an attempt is recorded with the next state of the delivery, and counted', async () => {
  const { company, id, key } = await own()
  const progress = { state: 'pending', nextAttemptAt: past } as const
  await deliver(service, company, id, { attempts: [failure], progress })
  const [first] = await readDue(service.database, [key], 10)
  assert.ok(first)
  const next = { state: 'pending', nextAttemptAt: later } as const
  assert.deepEqual(await changeDeliveries(service.database, [{ ...first, attempt: failure, progress: next }]), [true])
  const again = await stored(first.delivery)
  assert.deepEqual(
    [again.body.state, again.body.attempts.length, again.body.nextAttemptAt, again.nextAt, again.tries],
    ['pending', 2, later, later, 2],
  )
  assert.deepEqual(Object.keys(again.body), Object.keys(first.delivery))
  assert.ok(again.body.updatedAt > first.delivery.updatedAt)
  assert.deepEqual((await dueOf(service, key)).ids, [])
})

test('an attempt at a concurrently changed delivery is added, and keeps the other change', async () => {
  const { company, id, key } = await own()
  await deliver(service, company, id, { progress: { state: 'pending', nextAttemptAt: past } })
  const [read] = await readDue(service.database, [key], 10)
  assert.ok(read)
  assert.equal(await giveUp(service.database, key), true)
  const attempt = { ...failure, status: 200, durationMs: 7 }
  assert.deepEqual(await changeDeliveries(service.database, [{ ...read, attempt, progress: { state: 'succeeded' } }]), [
    false,
  ])
  const { body, nextAt, tries } = await stored(read.delivery)
  assert.deepEqual([body.state, body.attempts.length, nextAt, tries], ['failed', 2, null, 1])
  assert.equal(body.attempts[1].durationMs, 7)
})

test('for long due texts the database sends hardly more than one read needs', async () => {
  const { company, id, key } = await own()
  const event = await someEvent(service, company, { notes: ['x'.repeat(900_000), 'x'.repeat(900_000)] })
  const progress = { state: 'pending', nextAttemptAt: past } as const
  const rows = Array.from({ length: 20 }, () => newDelivery(company, id, event, { attempts: [], progress }))
  await recordDeliveries(service.database, rows)
  // Rows that this side of the connection discards are not counted.
  const all = { query: ({ text }: Statement, values: unknown[]) => service.database.query({ text }, values) }
  const some = await readDue(all as Database, [key], 100)
  assert.ok(some.length >= 1 && some.length < 12, String(some.length))
})

test('all pending deliveries of a trigger are given up, and neither their texts nor other triggers change', async () => {
  const { company, id, key } = await own()
  const second = await makeTrigger(company)
  const progress = { state: 'pending', nextAttemptAt: later } as const
  const attempts = [{ ...failure, answer: '<a href="/x">\u{1f600}\u2028\u007f\b\\u0041</a>' }]
  const pending = await deliver(service, company, id, { progress, attempts })
  const done = await deliver(service, company, id, { progress: { state: 'succeeded' } })
  const theirs = await deliver(service, company, second.id, { progress })
  assert.equal(await giveUp(service.database, key), true)
  const { text, body, nextAt } = await stored(pending)
  const { nextAttemptAt: _, ...rest } = pending
  assert.equal(text, JSON.stringify({ ...rest, state: 'failed', updatedAt: body.updatedAt }))
  assert.equal(nextAt, null)
  assert.deepEqual((await stored(done)).body, done)
  assert.deepEqual((await stored(theirs)).body, theirs)
})

test('of very many pending deliveries a step gives up a part, and says that there are more', async () => {
  const { company, id, key } = await own()
  const event = await someEvent(service, company)
  const attempts = Array.from({ length: ATTEMPTS_KEPT }, () => ({ ...failure, answer: 'x'.repeat(4096) }))
  const progress = { state: 'pending', nextAttemptAt: past } as const
  const rows = Array.from({ length: DELIVERIES_REWRITTEN_AT_ONCE + 1 }, () =>
    newDelivery(company, id, event, { attempts, progress }),
  )
  await recordDeliveries(service.database, rows)
  assert.equal(await giveUp(service.database, key), false)
  assert.equal((await readDue(service.database, [key], rows.length)).length, 1)
  assert.equal(await giveUp(service.database, key), true)
  assert.equal(await nextDue(key), null)
})
