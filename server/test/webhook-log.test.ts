// The log of a trigger (decisions §9): its deliveries are listed and read in both styles, only by its own company.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordDeliveries } from '../src/features/webhooks/deliveries.ts'
import type { Body } from './support/contract.ts'
import { deliver, failure, logs, makeTrigger, newDelivery, someEvent } from './support/deliveries.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()
const [styleB, styleA] = logs
const idsOf = (records: Body[]) => records.map(({ id }) => id)

/** A company with a trigger and that many deliveries of one event, oldest first. */
async function stocked(count: number) {
  const company = await service.company()
  const { id } = await makeTrigger(company)
  const event = await someEvent(service, company)
  const rows = Array.from({ length: count }, () => newDelivery(company, id, event))
  return { company, id, call: company.call, event, all: await recordDeliveries(service.database, rows) }
}

test('a delivery is read in both styles as it is listed, with its attempts', async () => {
  const { id, call, company } = await stocked(0)
  const attempts = [failure, { at: failure.at, error: 'The connection was refused.', durationMs: 3 }]
  const delivery = await deliver(service, company, id, { attempts })
  assert.deepEqual(delivery.attempts, attempts)
  for (const at of logs) {
    const { status, body, headers } = await call('GET', `${at(id)}/${delivery.id}`)
    assert.equal(status, 200)
    assert.deepEqual(body, delivery)
    assert.equal(headers.get('etag'), null)
  }
  assert.deepEqual((await call('GET', styleA(id))).body, [delivery])
  assert.deepEqual((await call('GET', styleB(id))).body, {
    data: [delivery],
    meta: { count: 1, skip: 0, limit: 100 },
  })
})

test('the bare list shows the newest first, and Link leads through all of it', async () => {
  const { id, call, all } = await stocked(7)
  const seen: Body[] = []
  let path: string | undefined = `${styleA(id)}?limit=3&total=true`
  for (let page = 0; path !== undefined && page < 9; page++) {
    const { status, body, headers } = await call('GET', path)
    assert.deepEqual([status, headers.get('x-total-count')], [200, '7'])
    seen.push(...body)
    path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  }
  assert.deepEqual(seen, all.toReversed())
})

test('the list in data and meta shows the newest first by default, and a cursor leads through all of it', async () => {
  const { id, call, all } = await stocked(7)
  for (const order of ['', '&sortOrder=desc', '&sortOrder=asc']) {
    const seen: Body[] = []
    let cursor = ''
    for (let page = 0; page < 9; page++) {
      const { status, body, text } = await call('GET', `${styleB(id)}?limit=3${order}${cursor}`)
      assert.deepEqual([status, body.meta?.count], [200, cursor === '' ? 7 : undefined], text)
      seen.push(...body.data)
      if (body.meta.nextCursor === undefined) break
      cursor = `&cursor=${body.meta.nextCursor}`
    }
    assert.deepEqual(seen, order.endsWith('asc') ? all : all.toReversed())
  }
  assert.deepEqual(idsOf((await call('GET', `${styleB(id)}?skip=2&limit=1`)).body.data), [all[4]?.id])
})

test('the list is filtered by state, type and id of the event, and times', async () => {
  const { id, call, company, event, all } = await stocked(1)
  const done = await deliver(service, company, id, { progress: { state: 'succeeded' } })
  const nextAttemptAt = '2126-01-01T00:00:00.000Z'
  const typed = { eventType: 'order.completed', progress: { state: 'pending', nextAttemptAt } } as const
  const pending = await deliver(service, company, id, typed)
  const failed = all[0]
  assert.ok(failed)
  await service.database.query(
    `update webhook_deliveries set body = (replace(body::text, $3, '2020-01-02T03:04:05.000Z'))::json where company_id = $1 and id = $2`,
    [company.id, failed.id, failed.createdAt],
  )
  const listed = async (query: string) => {
    const { status, body, text } = await call('GET', `${styleB(id)}?${query}`)
    assert.equal(status, 200, text)
    assert.equal(body.meta.count, body.data.length)
    return idsOf(body.data)
  }
  for (const [query, expected] of [
    ['state=failed', [failed.id]],
    ['state=succeeded', [done.id]],
    ['state=pending', [pending.id]],
    ['eventType=order.completed', [pending.id]],
    ['eventType=customer.created', [done.id, failed.id]],
    [`eventId=${event.id}`, [failed.id]],
    [`eventId=${noId}`, []],
    ['createdAt[gte]=2020-01-02T03:04:05Z&createdAt[lt]=2020-01-03', [failed.id]],
    ['createdAt[gt]=2020-01-02T03:04:05Z', [pending.id, done.id]],
    ['updatedAt[lte]=2020-01-02T05:04:05%2B02:00', [failed.id]],
    ['state=succeeded&eventType=order.completed', []],
  ] as const)
    assert.deepEqual(await listed(query), expected, query)
})

test('a trigger’s log contains nothing of the company’s other triggers, and gives no access to their deliveries', async () => {
  const { call, company, all } = await stocked(1)
  const { id: other } = await makeTrigger(company)
  for (const at of logs) {
    const { text } = await call('GET', at(other))
    assert.ok(!text.includes(all[0]?.id as string), text)
    const body = assertProblem(await call('GET', `${at(other)}/${all[0]?.id}`), 404, 'not_found')
    assert.match(body.message, /webhook delivery/)
  }
})

test('a missing, deleted or another company’s trigger has no log, and its deliveries are not found', async () => {
  const { id, call, all } = await stocked(1)
  const deleted = await stocked(1)
  await deleted.call('DELETE', `/v1/automation-trigger/${deleted.id}`)
  const { call: stranger } = await service.company()
  for (const at of logs)
    for (const [caller, trigger, delivery] of [
      [call, noId, all[0]?.id],
      [call, 'x', all[0]?.id],
      [deleted.call, deleted.id, deleted.all[0]?.id],
      [stranger, id, all[0]?.id],
    ] as const) {
      for (const path of [at(trigger), `${at(trigger)}/${delivery}`]) {
        const { message } = assertProblem(await caller('GET', path), 404, 'not_found', path)
        assert.equal(message, `There is no automation trigger with id ${JSON.stringify(trigger)}.`)
      }
    }
})

test('another company’s deliveries cannot be read through one’s own trigger, in any form of the id', async () => {
  const { all } = await stocked(1)
  const own = await stocked(0)
  for (const at of logs)
    for (const delivery of [all[0]?.id, noId, 'x', 'redeliver', '%00', '%F0%9F%98%80'])
      assertProblem(await own.call('GET', `${at(own.id)}/${delivery}`), 404, 'not_found')
})

test('an unknown parameter or an invalid value is refused by name', async () => {
  const { id, call } = await stocked(0)
  for (const [path, pointer] of [
    [`${styleB(id)}?triggerId=${id}`, 'triggerId'],
    [`${styleB(id)}?state=done`, 'state'],
    [`${styleB(id)}?sortOrder=up`, 'sortOrder'],
    [`${styleB(id)}?sortBy=state`, 'sortBy'],
    [`${styleB(id)}?limit=1001`, 'limit'],
    [`${styleB(id)}?createdAt[gte]=yesterday`, 'createdAt[gte]'],
    [`${styleB(id)}?cursor=x`, 'cursor'],
    [`${styleA(id)}?state=failed`, 'state'],
    [`${styleA(id)}?skip=-1`, 'skip'],
    [`${styleA(id)}?cursor=x`, 'cursor'],
  ] as const) {
    const { errors } = assertProblem(await call('GET', path), 400, 'validation_failed', path)
    assert.equal(errors[0].pointer, pointer)
  }
  const others = await stocked(2)
  const { nextCursor } = (await others.call('GET', `${styleB(others.id)}?limit=1`)).body.meta
  assertProblem(await others.call('GET', `${styleB(others.id)}?sortOrder=asc&cursor=${nextCursor}`), 400)
})

test('the log needs the permission to read, and its actions the permission to create', async () => {
  const { id, company, all } = await stocked(1)
  const reading = await service.keyFor(company.id, ['read'])
  const writing = await service.keyFor(company.id, ['create'])
  for (const at of logs) {
    assert.equal((await reading.call('GET', at(id))).status, 200)
    assertProblem(await writing.call('GET', at(id)), 403, 'permission_denied')
    const again = `${at(id)}/${all[0]?.id}/redeliver`
    assertProblem(await reading.call('POST', again), 403, 'permission_denied')
    assert.equal((await writing.call('POST', again)).status, 200)
  }
})

test('deliveries are not a resource: no key creates, changes or deletes them', async () => {
  const { id, call, all } = await stocked(1)
  for (const at of logs)
    for (const [method, path] of [
      ['POST', at(id)],
      ['PATCH', `${at(id)}/${all[0]?.id}`],
      ['PUT', `${at(id)}/${all[0]?.id}`],
      ['DELETE', `${at(id)}/${all[0]?.id}`],
    ] as const)
      assertProblem(await call(method, path, method === 'DELETE' ? undefined : {}), 405, 'method_not_allowed')
  assert.deepEqual((await call('GET', styleA(id))).body, all)
})
