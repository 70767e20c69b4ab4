// GET /v1/events: a company's events after a cursor, filtered, in pages that fit the memory; and POST /v1/events/custom (decisions §9).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STATEMENT_CHARACTERS } from '../src/core/limits.ts'
import { FEED_SCANNED } from '../src/features/events/pages.ts'
import { olderNames } from '../src/resources/automation-trigger.ts'
import { bodyOf, names, page, readOn } from './support/event-reader.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { type Company, sharedService } from './support/service.ts'

const service = sharedService()

/** A company with a category that was created, renamed and deleted, a customer, and a custom event. */
async function busyCompany(): Promise<Company & { categoryId: string; customerId: string }> {
  const company = await service.company()
  const { call } = company
  const { id: categoryId } = bodyOf(await call('POST', '/v1/category', { name: 'Tea', description: 'Hot' }))
  bodyOf(await call('PATCH', `/v1/category/${categoryId}`, { name: 'Teas', description: null, source: 'manual' }))
  const { id: customerId } = bodyOf(await call('POST', '/v1/customer', { firstName: 'Ann' }))
  bodyOf(await call('DELETE', `/v1/category/${categoryId}`))
  bodyOf(await call('POST', '/v1/events/custom', { name: 'shift.ended', data: { sales: 42 } }))
  return { ...company, categoryId, customerId }
}

test('an event shows its number, type, time, record as it was written, and for a change the former members', async () => {
  const { id, call, categoryId } = await busyCompany()
  const { data } = await page(call, '')
  const rows = await feed(service, id)
  assert.equal(data.length, 5)
  data.forEach((event, n) => {
    const { recordId, previous, ...row } = rows[n] as (typeof rows)[number]
    const expected = { ...row, ...(recordId !== '' && { recordId }), ...(previous && { previous }) }
    const { actor, ...rest } = event
    assert.equal(actor.type, 'key')
    assert.deepEqual(rest, expected)
  })
  const [created, updated, , deleted, custom] = data
  assert.deepEqual(Object.keys(created ?? {}), [
    'id',
    'sequence',
    'type',
    'createdAt',
    'resource',
    'recordId',
    'actor',
    'data',
  ])
  assert.deepEqual(updated?.previous, { name: 'Tea', description: 'Hot', source: null })
  assert.deepEqual([deleted?.type, deleted?.recordId, deleted?.data], ['category.deleted', categoryId, updated?.data])
  assert.deepEqual(Object.keys(custom ?? {}), ['id', 'sequence', 'type', 'createdAt', 'resource', 'actor', 'data'])
})

test('a reader that continues from nextCursor sees each event once, and later the new ones', async () => {
  const { call } = await busyCompany()
  const whole = (await page(call, '')).data
  for (const limit of [1, 2, 3, 5, 1000]) {
    const { events, cursor } = await readOn(call, '0', `limit=${limit}`)
    assert.deepEqual(events, whole)
    assert.deepEqual(await page(call, `after=${cursor}`), { data: [], nextCursor: cursor, hasMore: false })
  }
  const { cursor } = await readOn(call)
  await call('POST', '/v1/category', { name: 'Meanwhile' })
  assert.deepEqual(names((await readOn(call, cursor)).events), ['Meanwhile'])
})

test('the number of any event is a cursor, and limit=0 means the default', async () => {
  const { call } = await busyCompany()
  const { data } = await page(call, 'limit=0')
  for (const [n, { sequence }] of data.entries())
    assert.deepEqual((await page(call, `after=${sequence}`)).data, data.slice(n + 1))
})

test('a company without events has a cursor, and can continue from it', async () => {
  const { call } = await service.company()
  assert.deepEqual(await page(call, ''), { data: [], nextCursor: '0', hasMore: false })
  assert.deepEqual(await page(call, 'after=latest'), { data: [], nextCursor: '0', hasMore: false })
})

test('each filter selects exactly the events that it names, and nextCursor is after the excluded ones', async () => {
  const { call, categoryId, customerId } = await busyCompany()
  const { data: all } = await page(call, '')
  const last = String(all.at(-1)?.sequence)
  const typed = async (query: string) => {
    const { data, nextCursor, hasMore } = await page(call, query)
    assert.deepEqual([nextCursor, hasMore], [last, false])
    return data.map(({ type }) => type)
  }
  const ofCategory = ['category.created', 'category.updated', 'category.deleted']
  for (const [query, expected] of [
    ['type=category.updated', ['category.updated']],
    ['type=category.*', ofCategory],
    ['type=cat*', ofCategory],
    ['type=customer.created,category.created', ['category.created', 'customer.created']],
    ['type=customer.*,category.deleted', ['customer.created', 'category.deleted']],
    ['type=*', all.map(({ type }) => type)],
    ['type=custom.*', ['custom.shift.ended']],
    ['type=custom.shift_ended', []],
    ['type=custo_*', []],
    ['type=order.*', []],
    ['resource=custom', ['custom.shift.ended']],
    ['resource=customer', ['customer.created']],
    ['resource=nothing', []],
    [`recordId=${customerId}`, ['customer.created']],
    [`recordId=${categoryId}&type=*.deleted`.replace('*.deleted', 'category.d*'), ['category.deleted']],
    [`recordId=${categoryId}&resource=customer`, []],
    [
      `recordId=${customerId}, ${categoryId}&type=customer.created, category.d*`,
      ['customer.created', 'category.deleted'],
    ],
    [
      `recordId=${customerId},unknown,${categoryId}`,
      [...ofCategory.slice(0, 2), 'customer.created', 'category.deleted'],
    ],
    // Many generated clients repeat the parameter.
    [
      `recordId=${customerId}&type=customer.created&recordId=unknown,${categoryId}&type=category.d*`,
      ['customer.created', 'category.deleted'],
    ],
    ['since=2999-01-01', []],
    ['since=2026-01-01T00:00:00Z&resource=customer', ['customer.created']],
  ] as const)
    assert.deepEqual(await typed(query), expected, query)
  const middle = all[2]?.createdAt
  const since = all.filter(({ createdAt }) => createdAt >= middle).map(({ type }) => type)
  assert.deepEqual(await typed(`since=${middle}`), since)
})

test('a filtered reader pages like an unfiltered one', async () => {
  const { call } = await busyCompany()
  for (let n = 0; n < 10; n++)
    await call('POST', `/v1/${n % 2 ? 'customer' : 'category'}`, { name: `${n}`, firstName: `${n}` })
  const { events } = await readOn(call, '0', 'limit=2&type=category.created')
  const all = (await page(call, '')).data
  assert.deepEqual(
    events,
    all.filter(({ type }) => type === 'category.created'),
  )
})

test('a page that examined the maximum number of events says that there are more, and the next one continues', async () => {
  const { id, call } = await service.company()
  await service.database.query(
    `insert into events (company_id, id, type, created_at, resource, record_id, data)
     select $1, lpad(n::text, 24, '0'), case when n > $2 then 'x.last' else 'x.first' end, now(), 'x', n::text, '{}'
     from generate_series(1, $2 + 10) as n`,
    [id, FEED_SCANNED],
  )
  const first = await page(call, 'type=x.last')
  assert.deepEqual([first.data, first.hasMore], [[], true])
  const second = await page(call, `type=x.last&after=${first.nextCursor}`)
  assert.deepEqual([second.data.length, second.hasMore], [10, false])
  assert.equal(second.nextCursor, String(second.data.at(-1)?.sequence))
  // A filter that finds events reads no further than it must.
  const found = await page(call, 'type=x.first&limit=1000')
  assert.deepEqual([found.data.length, found.hasMore], [1000, true])
  assert.equal(found.nextCursor, String(found.data.at(-1)?.sequence))
})

test('long events make a page shorter, and none is left out', async () => {
  const { call } = await service.company()
  const long = 'x'.repeat(STATEMENT_CHARACTERS / 4)
  for (let n = 0; n < 6; n++)
    bodyOf(await call('POST', '/v1/events/custom', { name: `long.${n}`, data: { long: `${long}${n}` } }))
  const first = await page(call, '')
  assert.ok(first.data.length < 6 && first.hasMore)
  const { events } = await readOn(call, '0', 'limit=100')
  assert.deepEqual(
    events.map(({ type }) => type),
    [0, 1, 2, 3, 4, 5].map((n) => `custom.long.${n}`),
  )
  for (const [n, { data }] of events.entries()) assert.equal(data.long, `${long}${n}`)
})

test('another company sees none of the events, also by their numbers and ids', async () => {
  const { categoryId } = await busyCompany()
  const { call } = await service.company()
  for (const query of [
    '',
    'after=',
    'type=',
    'recordId=',
    'after=0',
    `recordId=${categoryId}`,
    'type=*',
    'since=2020-01-01',
  ])
    assert.deepEqual((await page(call, query)).data, [])
})

test('an invalid cursor, type, time or number is refused by name', async () => {
  const { call } = await service.company()
  for (const [query, pointer] of [
    ['after=x', 'after'],
    ['after=-1', 'after'],
    ['after=1.5', 'after'],
    ['after=1e3', 'after'],
    ['after=1234567890123456', 'after'],
    ['after=1&after=2', 'after'],
    ['after=now', 'after'],
    ['recordId=one,', 'recordId'],
    [`recordId=${'x'.repeat(65)}`, 'recordId'],
    [`recordId=${Array.from({ length: 101 }, (_, n) => n)}`, 'recordId'],
    ['recordId=0&'.repeat(101), 'recordId'],
    ['type=customer', 'type'],
    ['type=customer.*,', 'type'],
    ['type=cust*mer.created', 'type'],
    ['type=**', 'type'],
    [`type=${Array.from({ length: 51 }, (_, n) => `a.${n}`).join(',')}`, 'type'],
    ['resource=customer,product', 'resource'],
    ['since=yesterday', 'since'],
    ['since=2026-02-30', 'since'],
    ['limit=1001', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=x', 'limit'],
    ['wait=31', 'wait'],
    ['wait=-1', 'wait'],
    ['wait=0.5', 'wait'],
    ['cursor=1', 'cursor'],
    ['skip=1', 'skip'],
  ]) {
    const reply = await call('GET', `/v1/events?${query}`)
    const { errors } = assertProblem(reply, 400, 'validation_failed', query)
    assert.equal(errors[0].pointer, pointer, query)
  }
})

test('a type that no event has is refused with the type that was probably meant, and each such suggestion works as a filter', async () => {
  const { call } = await service.company()
  for (const [name, meant] of [
    ...[
      ...Object.entries(olderNames),
      ['customer_created', 'customer.created'],
      ['taxTableUpdated', 'tax-table.updated'],
    ],
    ...[
      ['customer', 'customer.*'],
      ['Orders', 'order.*'],
      ['order.', 'order.*'],
      ['tax_table', 'tax-table.*'],
      ['payment', 'transaction.*'],
      // With a point too: an event that no resource has, but one that is called otherwise here.
      ['sale.created', 'order.created'],
      ['sales.*', 'order.*'],
      ['payments.cre*', 'transaction.cre*'],
      ['webhook.deleted', 'automation-trigger.deleted'],
      ['taxTable.updated', 'tax-table.updated'],
      ['Customer.Created', 'customer.created'],
      ['order.complete', 'order.completed'],
      ['orders/create', 'order.created'],
      ['inventory.changed', 'inventory.stock_changed'],
      ['sale.shipped', 'order.*'],
      ['custom-table-rows.*', 'custom-table-row.*'],
      ['customTableRow.created', 'custom-table-row.created'],
      // The path by which rows are written.
      ['custom-table-data.created', 'custom-table-row.created'],
      // Records that raise no events.
      ['closing.created', 'session.closed'],
      ['closings.*', 'session.closed'],
      ['inventory-history.created', 'inventory.stock_changed'],
      ['nonsense', undefined],
    ],
  ]) {
    const { errors } = assertProblem(await call('GET', `/v1/events?type=${name}`), 400, 'validation_failed', name)
    const hint = meant === undefined ? 'types look like customer.created or customer.*' : `did you mean ${meant}?`
    assert.equal(errors[0].message, `is not an event type; ${hint}`)
    if (meant !== undefined) assert.equal((await call('GET', `/v1/events?type=${meant}`)).status, 200)
  }
  // What a later version may have, and prefixes.
  for (const name of [
    'nonsense.created',
    'constructor.created',
    'order.shipped',
    'order.re',
    'order*',
    'ord*',
    'automation-trigger.test',
  ])
    assert.equal((await call('GET', `/v1/events?type=${name}`)).status, 200, name)
})

test('a resource that has another name in events is refused with that name: nothing would ever match it', async () => {
  const { call } = await service.company()
  for (const [name, meant] of [
    ['customers', 'customer'],
    ['Customer', 'customer'],
    ['taxTable', 'tax-table'],
    ['inventories', 'inventory'],
    ['sale', 'order'],
    ['payments', 'transaction'],
    ['stock', 'inventory'],
    ['locations', 'outlet'],
    ['taxes', 'tax-table'],
    ['custom-tables', 'custom-table'],
    ['customTableValue', 'custom-table-value'],
    ['custom-table-data', 'custom-table-row'],
  ])
    for (const path of ['events', 'events/stream']) {
      const reply = await call('GET', `/v1/${path}?resource=${name}`)
      const [error] = assertProblem(reply, 400, 'validation_failed', name).errors
      assert.deepEqual([error.pointer, error.message.endsWith(`did you mean ${meant}?`)], ['resource', true])
    }
})

test('a cursor beyond all numbers is refused: the database may be an older one, and its events would be missed', async () => {
  const { call } = await service.company()
  const [row] = await service.database.query('select event_position()')
  const { message } = assertProblem(await call('GET', `/v1/events?after=${row?.[0] + 1}`), 400, 'validation_failed')
  assert.match(message, /the service has no later event/)
  // Numbers of others count: a company that has written nothing since is not refused.
  assert.deepEqual(await page(call, `after=${row?.[0]}`), { data: [], nextCursor: String(row?.[0]), hasMore: false })
})

test('a custom event is returned as the feed shows it, with its data as sent', async () => {
  const { call } = await service.company()
  const data = { n: 1.5, deep: [{ a: null }], ключ: '\u2028"\\', __proto__x: {} }
  const reply = await call('POST', '/v1/events/custom', { name: 'a.b_c-1', data })
  assert.equal(reply.status, 201)
  assert.deepEqual(reply.body.data, data)
  assert.deepEqual([reply.body.type, reply.body.resource], ['custom.a.b_c-1', 'custom'])
  assert.equal(`[${reply.text}]`, JSON.stringify((await page(call, '')).data))
})

test('a custom event is created once under its Idempotency-Key, also by two concurrent requests', async () => {
  const { call } = await service.company()
  const send = (body: object) => call('POST', '/v1/events/custom', body, { 'idempotency-key': 'k' })
  const first = await send({ name: 'a', data: {} })
  const again = await send({ name: 'a', data: {} })
  assert.deepEqual([again.status, again.text], [201, first.text])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assertProblem(await send({ name: 'b', data: {} }), 422, 'idempotency_conflict')
  const other = () => call('POST', '/v1/events/custom', { name: 'c', data: {} }, { 'idempotency-key': 'other' })
  const both = await Promise.all([other(), other()])
  assert.ok(both.every(({ status }) => status === 201 || status === 409))
  assert.deepEqual(
    (await page(call, '')).data.map(({ type }) => type),
    ['custom.a', 'custom.c'],
  )
})

test('a custom event with an invalid name or data is refused by member, and creates nothing', async () => {
  const { call } = await service.company()
  for (const [body, pointer] of [
    [{}, '/name'],
    [{ name: 'a' }, '/data'],
    [{ data: {} }, '/name'],
    [{ name: '', data: {} }, '/name'],
    [{ name: 'A', data: {} }, '/name'],
    [{ name: 'a b', data: {} }, '/name'],
    [{ name: 'a\n', data: {} }, '/name'],
    [{ name: 'a*', data: {} }, '/name'],
    [{ name: 'é', data: {} }, '/name'],
    [{ name: 'a'.repeat(101), data: {} }, '/name'],
    [{ name: 1, data: {} }, '/name'],
    [{ name: 'a', data: [] }, '/data'],
    [{ name: 'a', data: 'x' }, '/data'],
    [{ name: 'a', data: null }, '/data'],
    [{ name: 'a', data: { a: '\u0000' } }, '/data/a'],
    [{ name: 'a', data: {}, type: 'b' }, '/type'],
    [{ nam: 'a', data: {} }, '/nam'],
  ] as const) {
    const { errors } = assertProblem(await call('POST', '/v1/events/custom', body), 400, 'validation_failed')
    assert.ok(
      errors.some((error: { pointer: string }) => error.pointer === pointer),
      `${JSON.stringify(body)}: ${JSON.stringify(errors)}`,
    )
  }
  const long = { name: 'a', data: Object.fromEntries([0, 1, 2].map((n) => [n, 'x'.repeat(1_000_000)])) }
  assertProblem(await call('POST', '/v1/events/custom', long), 413, 'payload_too_large')
  assert.deepEqual((await page(call, '')).data, [])
  assert.equal((await call('POST', '/v1/events/custom', { name: 'a'.repeat(100), data: {} })).status, 201)
})
