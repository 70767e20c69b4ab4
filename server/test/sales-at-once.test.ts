// Many sales: in a session, under one key, from many tills at once, in one request, and of many lines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { succeeded } from './support/custom-tables.ts'
import { assertProblem } from './support/problem.ts'
import { lineOf, recordCounts, refused, shop, stockOf } from './support/sales.ts'
import { type Reply, sharedService } from './support/service.ts'

const service = sharedService()

test('a sale belongs to the open session of its station, and not to one that was closed before it', async () => {
  const { call } = await service.company()
  const { stationId, outletId } = await shop(call)
  const closeTime = '2026-01-01T20:00:00.000Z'
  const closed = succeeded(await call('POST', '/v1/session', { stationId, closeTime }), 201).id
  const line = { lineItems: [{ name: 'Coffee', price: '3.00' }], outletId, stationId }
  const none = succeeded(await call('POST', '/v1/sale', line), 201)
  assert.equal(none.order.sessionId, undefined)
  refused(await call('POST', '/v1/sale', { ...line, sessionId: closed }), 409, 'conflict', '/sessionId')
  const late = { ...line, sessionId: closed, occurredAt: '2026-01-01T19:00:00Z' }
  assert.equal(succeeded(await call('POST', '/v1/sale', late), 201).order.sessionId, closed)
  const open = succeeded(await call('POST', '/v1/session', { stationId }), 201).id
  assert.equal(succeeded(await call('POST', '/v1/sale', line), 201).order.sessionId, open)
  assert.equal(
    succeeded(await call('POST', '/v1/sale', { ...line, sessionId: 'elsewhere' }), 201).order.sessionId,
    'elsewhere',
  )
})

test('a sale that is repeated under its key is made once, also while the first one is made', async () => {
  const { call } = await service.company()
  const { outletId, variantId } = await shop(call)
  const body = { outletId, ...lineOf(variantId), payments: [{ paymentMethod: 'cash', amount: '25.00' }] }
  const send = () => call('POST', '/v1/sale', body, { 'idempotency-key': 'till-1-sale-7' })
  const replies = await Promise.all(Array.from({ length: 8 }, send))
  const made = replies.filter(({ status }) => status === 201)
  assert.ok(made.length > 0)
  for (const reply of replies) if (reply.status !== 201) assertProblem(reply, 409, 'idempotency_in_progress')
  assert.equal(new Set(made.map(({ text }) => text)).size, 1)
  assert.equal((await send()).text, made[0]?.text)
  assert.deepEqual(await recordCounts(call), [1, 1, 0, 2])
  assert.equal(await stockOf(call, variantId), 10)
  const refusal = await call(
    'POST',
    '/v1/sale',
    { ...body, ...lineOf(variantId, 99) },
    { 'idempotency-key': 'too-many' },
  )
  assertProblem(refusal, 409, 'conflict')
  // A refused sale keeps no key.
  assert.equal((await call('POST', '/v1/sale', body, { 'idempotency-key': 'too-many' })).status, 201)
})

test('32 tills sell one popular variant at once: all of its stock is sold, and no unit more', async () => {
  const { call } = await service.company()
  const { outletId, variantId } = await shop(call, 20)
  const replies = await Promise.all(
    Array.from({ length: 32 }, () => call('POST', '/v1/sale', { outletId, ...lineOf(variantId, 1) })),
  )
  const statuses = Map.groupBy(replies, ({ status }) => status)
  assert.deepEqual([statuses.get(201)?.length, statuses.get(409)?.length], [20, 12])
  assert.equal(await stockOf(call, variantId), 0)
  assert.equal((await recordCounts(call))[0], 20)
})

test('many sales in one request: a refused one leaves nothing and takes nothing from the others', async () => {
  const { call } = await service.company()
  const { outletId, variantId } = await shop(call, 10)
  const sale = (quantity: number, more: object = {}) => ({ outletId, ...lineOf(variantId, quantity), ...more })
  const items = [
    sale(4),
    // Takes the first line's units only if it also gets the second line's.
    {
      outletId,
      lineItems: [
        { variantId, quantity: 5, price: '1.00' },
        { variantId, quantity: 5, price: '1.00' },
      ],
    },
    sale(1, { customer: { firstName: 'Ann', email: 'no address' } }),
    sale(1, { payments: [{ paymentMethod: 'cash', amount: 'much' }] }),
    sale(6, { clientRef: 'last', customer: { firstName: 'Bob' } }),
    sale(1),
  ]
  const { summary, results } = succeeded(await call('POST', '/v1/sales', { items }))
  assert.deepEqual([summary.total, summary.succeeded, summary.failed], [6, 2, 4])
  assert.deepEqual(
    results.map(({ status, error }: { status: string; error?: Reply['body'] }) => error?.errors[0].pointer ?? status),
    [
      'success',
      '/items/1/lineItems/1',
      '/items/2/customer/email',
      '/items/3/payments/0/amount',
      'success',
      '/items/5/lineItems/0',
    ],
  )
  assert.equal(results[4].clientRef, 'last')
  assert.equal(results[4].data.order.customerId, results[4].data.customer.id)
  assert.equal(await stockOf(call, variantId), 0)
  assert.deepEqual(await recordCounts(call), [2, 0, 1, 3])
})

test('a large sale of 1,000 lines and 100 payments is made', async () => {
  const { call } = await service.company()
  const { outletId, variantId } = await shop(call, 5_000)
  const lineItems = Array.from({ length: 1_000 }, () => ({ variantId, quantity: 2, price: '1.00' }))
  const payments = Array.from({ length: 100 }, () => ({ paymentMethod: 'gift_card', amount: '10.00' }))
  const { transactions, stock } = succeeded(await call('POST', '/v1/sale', { outletId, lineItems, payments }), 201)
  assert.deepEqual([transactions.length, stock.length, await stockOf(call, variantId)], [100, 1_000, 3_000])
})
