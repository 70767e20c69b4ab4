// Actions on a trigger's deliveries (decisions §9): redeliver, redeliver all that failed, replay, test; in both styles, once under a key, never of another company's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DELIVERIES_REWRITTEN, giveUp } from '../src/features/webhooks/actions.ts'
import { changeDeliveries, recordDeliveries } from '../src/features/webhooks/deliveries.ts'
import { readDue } from '../src/features/webhooks/reads.ts'
import type { Body } from './support/contract.ts'
import { deliver, dueOf, failure, makeTrigger, newDelivery, someEvent, triggers } from './support/deliveries.ts'
import { type FeedRow, feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

const long = '2020-01-01T00:00:00.000Z'
const far = { progress: { state: 'pending', nextAttemptAt: '2126-01-01T00:00:00.000Z' } } as const
const done = { progress: { state: 'succeeded' } } as const

/** A company with a trigger. */
async function stocked(body: Body = {}) {
  const company = await service.company()
  const trigger = await makeTrigger(company, body)
  return { company, call: company.call, id: trigger.id, key: { companyId: company.id, triggerId: trigger.id }, trigger }
}

/** Whether the trigger is due for dispatch now, and its cursor. */
async function triggerRow(id: string): Promise<{ isDue: boolean; position: number }> {
  const [row] = await service.database.query(
    'select coalesce(due_at <= now(), false), position from automation_triggers where id = $1',
    [id],
  )
  return { isDue: row?.[0], position: row?.[1] }
}

const stopped = (id: string) =>
  service.database.query(
    `update automation_triggers set body = (replace(body::text, '"isActive":true', '"isActive":false'))::json where id = $1`,
    [id],
  )
const without = ({ updatedAt: _, state: __, nextAttemptAt: ___, ...rest }: Body) => rest

for (const at of triggers) {
  const style = at.startsWith('/v1/api/') ? 'Style A' : 'Style B'

  test(`${style}: a delivery, failed, pending or done, is sent again at once, with the same event and all its attempts`, async () => {
    for (const about of [{}, far, done]) {
      const { company, call, id, key } = await stocked()
      const before = await deliver(service, company, id, about)
      const other = await deliver(service, company, id, about)
      assert.deepEqual(await dueOf(service, key), { ids: [], events: [] })
      const { status, body } = await call('POST', `${at}/${id}/deliveries/${before.id}/redeliver`)
      assert.equal(status, 200)
      assert.deepEqual(without(body), without(before))
      assert.deepEqual([body.state, body.attempts.length], ['pending', 1])
      assert.ok(body.nextAttemptAt <= new Date().toISOString() && body.updatedAt >= before.updatedAt)
      const [sent, ...rest] = await readDue(service.database, [key], 10)
      assert.deepEqual([sent?.delivery, sent?.event?.id, sent?.tries, rest], [body, before.eventId, 0, []])
      assert.deepEqual((await call('GET', `${at}/${id}/deliveries/${before.id}`)).body, body)
      assert.deepEqual((await call('GET', `${at}/${id}/deliveries/${other.id}`)).body, other)
      assert.ok((await triggerRow(id)).isDue)
    }
  })

  test(`${style}: all deliveries that failed since a time are sent again, the oldest first, and no others`, async () => {
    const { company, call, id, key } = await stocked()
    const other = await makeTrigger(company)
    const first = await deliver(service, company, id)
    const second = await deliver(service, company, id)
    await deliver(service, company, id, done)
    await deliver(service, company, id, far)
    await deliver(service, company, other.id)
    const old = await deliver(service, company, id)
    await service.database.query(
      `update webhook_deliveries set body = (replace(body::text, $3, '2020-01-02T03:04:05.000Z'))::json where company_id = $1 and id = $2`,
      [company.id, old.id, old.createdAt],
    )
    const ask = async (since: string) => {
      const { status, body, text } = await call('POST', `${at}/${id}/redeliver`, { since })
      assert.equal(status, 200, text)
      return body
    }
    assert.deepEqual(await ask('2126-01-01'), { count: 0, hasMore: false })
    assert.equal((await triggerRow(id)).isDue, false)
    assert.deepEqual(await ask('2020-01-02T03:04:05.001Z'), { count: 2, hasMore: false })
    assert.deepEqual((await dueOf(service, key)).ids, [first.id, second.id])
    assert.deepEqual(await ask('2020-01-02T05:04:05+02:00'), { count: 1, hasMore: false })
    assert.deepEqual((await dueOf(service, key)).ids, [first.id, second.id, old.id])
    assert.deepEqual((await dueOf(service, { ...key, triggerId: other.id })).ids, [])
    assert.ok((await triggerRow(id)).isDue)
    assert.equal((await triggerRow(other.id)).isDue, false)
  })

  test(`${style}: a replay goes back to just before the first event since a time, and never forward`, async () => {
    const { company, call, id } = await stocked()
    const { company: neighbour } = await stocked()
    const events: FeedRow[] = []
    for (let n = 0; n < 3; n++) {
      await someEvent(service, neighbour)
      events.push(await someEvent(service, company))
    }
    const times = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z', '2026-11-03T00:00:00.000Z']
    for (const [n, event] of events.entries())
      await service.database.query('update events set created_at = $1 where company_id = $2 and sequence = $3', [
        times[n],
        company.id,
        event.sequence,
      ])
    await service.database.query('delete from events where company_id = $1 and type not like $2', [
      company.id,
      'customer.%',
    ])
    const [end] = await service.database.query('select event_position()')
    await service.database.query('update automation_triggers set position = $2 where id = $1', [id, end?.[0]])
    const { position: newest } = await triggerRow(id)
    const ask = async (since: string) => {
      const { status, body, text } = await call('POST', `${at}/${id}/replay`, { since })
      assert.equal(status, 200, text)
      assert.deepEqual(await triggerRow(id), { isDue: true, position: body.position })
      return body
    }
    const before = (n: number) => ({ position: (events[n]?.sequence as number) - 1 })
    assert.deepEqual(await ask('2126-01-01'), { position: newest })
    assert.deepEqual(await ask('2026-11-02T00:00:00.001Z'), before(2))
    assert.deepEqual(await ask('2026-11-02T01:00:00+01:00'), before(1))
    assert.deepEqual(await ask('2026-11-03'), before(1))
    assert.deepEqual(await ask('2000-01-01'), before(0))
  })

  test(`${style}: a test event is due at once, contains the trigger without its secret, and is not in the feed`, async () => {
    const { company, call, id, key, trigger } = await stocked({
      apiKey: 'whsec_c2VjcmV0c2VjcmV0',
      customTriggerName: 'Zäp',
    })
    const events = await feed(service, company.id)
    const { status, body } = await call('POST', `${at}/${id}/test`)
    assert.equal(status, 201)
    assert.deepEqual(
      [body.triggerId, body.eventType, body.sequence, body.state, body.attempts],
      [id, 'automation-trigger.test', undefined, 'pending', []],
    )
    assert.deepEqual((await call('GET', `${at}/${id}/deliveries/${body.id}`)).body, body)
    const [sent] = await readDue(service.database, [key], 10)
    const { data, ...event } = sent?.event ?? { data: '' }
    assert.deepEqual(event, {
      id: body.eventId,
      type: 'automation-trigger.test',
      createdAt: body.nextAttemptAt,
      resource: 'automation-trigger',
      recordId: id,
    })
    const shown = JSON.parse(data)
    assert.deepEqual([shown.id, shown.customTriggerName, shown.triggerUrl], [id, 'Zäp', trigger.triggerUrl])
    const [row] = await service.database.query(
      `select string_agg(to_json(stored)::text, '') from webhook_deliveries as stored where company_id = $1`,
      [company.id],
    )
    assert.ok(!row?.[0].includes('c2VjcmV0'), row?.[0])
    assert.deepEqual(await feed(service, company.id), events)
    assert.ok((await triggerRow(id)).isDue)
  })

  test(`${style}: a trigger that is switched off gets 409, and nothing is sent to it`, async () => {
    const { company, call, id, key } = await stocked()
    const delivery = await deliver(service, company, id)
    const row = await triggerRow(id)
    await stopped(id)
    for (const [action, body] of [
      [`deliveries/${delivery.id}/redeliver`],
      ['redeliver', { since: long }],
      ['replay', { since: long }],
      ['test'],
    ] as const) {
      const { message } = assertProblem(await call('POST', `${at}/${id}/${action}`, body), 409, 'conflict')
      assert.match(message, /inactive.*isActive/)
    }
    assert.deepEqual((await dueOf(service, key)).ids, [])
    assert.deepEqual(await triggerRow(id), row)
    assert.deepEqual((await call('GET', `${at}/${id}/deliveries`)).status, 200)
  })

  test(`${style}: nothing is sent for a missing trigger or delivery, or another company’s`, async () => {
    const { company, call, id, key } = await stocked()
    const delivery = await deliver(service, company, id)
    const own = await stocked()
    for (const [caller, path, what] of [
      [own.call, `${id}/deliveries/${delivery.id}/redeliver`, 'automation trigger'],
      [own.call, `${id}/redeliver`, 'automation trigger'],
      [own.call, `${id}/replay`, 'automation trigger'],
      [own.call, `${id}/test`, 'automation trigger'],
      [own.call, `${own.id}/deliveries/${delivery.id}/redeliver`, 'webhook delivery'],
      [call, `${id}/deliveries/${noId}/redeliver`, 'webhook delivery'],
      [call, `${id}/deliveries/x/redeliver`, 'webhook delivery'],
      [call, `${id}/deliveries/%00/redeliver`, 'webhook delivery'],
      [call, `${noId}/deliveries/${delivery.id}/redeliver`, 'automation trigger'],
      [call, `x/test`, 'automation trigger'],
      [call, `%00/test`, 'automation trigger'],
    ] as const) {
      const body = /\/(redeliver|replay)$/.test(path) && !path.includes('deliveries') ? { since: long } : undefined
      const { message } = assertProblem(await caller('POST', `${at}/${path}`, body), 404, 'not_found', path)
      assert.ok(message.startsWith(`There is no ${what} with id`), message)
    }
    assert.deepEqual((await dueOf(service, key)).ids, [])
    assert.deepEqual((await dueOf(service, own.key)).ids, [])
    assert.equal((await triggerRow(id)).isDue, false)
  })

  test(`${style}: a body with other members is refused by name, and nothing is sent`, async () => {
    const { company, call, id, key } = await stocked()
    const delivery = await deliver(service, company, id)
    for (const action of ['redeliver', 'replay'])
      for (const [body, pointer, code] of [
        [{}, '/since', 'required'],
        [{ since: null }, '/since', 'required'],
        [{ since: 5 }, '/since', 'type'],
        [{ since: 'yesterday' }, '/since', 'format'],
        [{ since: '2026-02-30' }, '/since', 'format'],
        [{ since: long, until: long }, '/until', 'unknown'],
        [{ sinse: long }, '/sinse', 'unknown'],
        [[long], '', 'type'],
      ] as const) {
        const { errors } = assertProblem(await call('POST', `${at}/${id}/${action}`, body), 400, 'validation_failed')
        assert.ok(
          errors.some((error: Body) => error.pointer === pointer && error.code === code),
          JSON.stringify(errors),
        )
      }
    for (const action of ['test', `deliveries/${delivery.id}/redeliver`]) {
      const { errors } = assertProblem(await call('POST', `${at}/${id}/${action}`, { url: 'x' }), 400)
      assert.deepEqual([errors[0].pointer, errors[0].code], ['/url', 'unknown'])
      assertProblem(await call('POST', `${at}/${id}/${action}`, []), 400, 'validation_failed')
    }
    assert.deepEqual((await dueOf(service, key)).ids, [])
    for (const action of ['test', `deliveries/${delivery.id}/redeliver`])
      assert.ok((await call('POST', `${at}/${id}/${action}`, {})).status < 300)
  })

  test(`${style}: under an Idempotency-Key each is done once, at two servers and concurrently, with the same response`, async () => {
    const { company, call, id, key } = await stocked()
    const elsewhere = service.caller({ 'x-api-key': company.key }, (await service.second()).url)
    const delivery = await deliver(service, company, id)
    for (const [action, body] of [
      [`deliveries/${delivery.id}/redeliver`],
      ['redeliver', { since: long }],
      ['replay', { since: long }],
      ['test'],
    ] as const) {
      const path = `${at}/${id}/${action}`
      const under = { 'idempotency-key': action }
      const first = await Promise.all([call('POST', path, body, under), elsewhere('POST', path, body, under)])
      const good = first.filter(({ status }) => status < 300)
      assert.ok(good.length >= 1, first[0].text)
      for (const { status, body: problem } of first)
        if (status >= 300) assert.deepEqual([status, problem.code], [409, 'idempotency_in_progress'])
      // Repeating the work under the key would change the response.
      await giveUp(service.database, key)
      for (const caller of [call, elsewhere]) {
        const again = await caller('POST', path, body, under)
        assert.deepEqual([again.status, again.text], [good[0]?.status, good[0]?.text])
        assert.equal(again.headers.get('idempotent-replayed'), 'true')
      }
      assert.deepEqual((await dueOf(service, key)).ids, [])
    }
    const { body: all } = await call('GET', `${at}/${id}/deliveries`)
    assert.equal((all.data ?? all).length, 2)
  })
}

test('one delivery that many requests redeliver at once is due once, and a call that ends meanwhile is added to it', async () => {
  const { company, call, id, key } = await stocked()
  const past = { state: 'pending', nextAttemptAt: long } as const
  const { id: delivery } = await deliver(service, company, id, { progress: past })
  const [running] = await readDue(service.database, [key], 10)
  assert.ok(running)
  const attempt = { ...failure, status: 200 }
  const asked = Array.from({ length: 8 }, (_, n) =>
    call('POST', `${triggers[n % 2]}/${id}/deliveries/${delivery}/redeliver`),
  )
  const written = changeDeliveries(service.database, [{ ...running, attempt, progress: { state: 'succeeded' } }])
  for (const { status, text } of await Promise.all(asked)) assert.equal(status, 200, text)
  await written
  const [again, ...rest] = await readDue(service.database, [key], 10)
  assert.deepEqual(rest, [])
  assert.deepEqual(
    [again?.delivery.id, again?.delivery.state, again?.delivery.attempts.map(({ status }) => status)],
    [delivery, 'pending', [503, 200]],
  )
})

test('a delivery whose event is no longer kept is not sent again: singly it is an error, among others it is left out', async () => {
  const { company, call, id, key } = await stocked()
  const gone = await deliver(service, company, id)
  const kept = await deliver(service, company, id)
  await service.database.query('delete from events where company_id = $1 and id = $2', [company.id, gone.eventId])
  const { message } = assertProblem(
    await call('POST', `${triggers[0]}/${id}/deliveries/${gone.id}/redeliver`),
    409,
    'conflict',
  )
  assert.match(message, /no longer kept/)
  const { body } = await call('POST', `${triggers[0]}/${id}/redeliver`, { since: long })
  assert.deepEqual(body, { count: 1, hasMore: false })
  assert.deepEqual((await dueOf(service, key)).ids, [kept.id])
})

test('a redelivery of a long-finished delivery, or of a test, is sent like the first time', async () => {
  const { call, id, key } = await stocked()
  const { body: sent } = await call('POST', `${triggers[0]}/${id}/test`)
  const [first] = await readDue(service.database, [key], 10)
  assert.ok(first)
  await changeDeliveries(service.database, [
    { ...first, attempt: { ...failure, status: 200 }, progress: { state: 'succeeded' } },
  ])
  await call('POST', `${triggers[1]}/${id}/deliveries/${sent.id}/redeliver`)
  const [again] = await readDue(service.database, [key], 10)
  assert.deepEqual(again?.event, first.event)
})

test('of very many failed deliveries a request takes the oldest, says that there are more, and the next ones take those', async () => {
  const { company, call, id, key } = await stocked()
  const event = await someEvent(service, company)
  const attempts = Array.from({ length: 10 }, () => failure)
  const rows = Array.from({ length: DELIVERIES_REWRITTEN + 2 }, () => newDelivery(company, id, event, { attempts }))
  const made = await recordDeliveries(service.database, rows)
  const path = `${triggers[0]}/${id}/redeliver`
  assert.deepEqual((await call('POST', path, { since: long })).body, { count: DELIVERIES_REWRITTEN, hasMore: true })
  assert.deepEqual((await call('POST', path, { since: long })).body, { count: 2, hasMore: false })
  assert.deepEqual((await call('POST', path, { since: long })).body, { count: 0, hasMore: false })
  assert.deepEqual(
    (await dueOf(service, key, 3)).ids,
    made.slice(0, 3).map((delivery) => delivery.id),
  )
})
