// Merges of open orders: lines and payments of one tab move to another in one transaction, and the empty tab is cancelled.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { report } from './support/report-groups.ts'
import { recordCounts, refused, shop, stockOf } from './support/sales.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

const tab = async (call: Caller, lineItems: object[], more: object = {}): Promise<Body> =>
  succeeded(await call('POST', '/v1/order', { status: 'parked', lineItems, ...more }), 201)

const merge = (call: Caller, to: Body, from: Body, headers = {}, query = '') =>
  call('POST', `/v1/sale/${to.id}/merge${query}`, { orderId: from.id }, headers)

const namesOf = ({ lineItems = [] }: Body) => lineItems.map(({ name }: Body) => name)

test('a merge moves lines, fees, notes and payments, cancels the other tab, and the result is completed as one sale', async () => {
  const { id, call } = await service.company()
  const { outletId, stationId, variantId } = await shop(call)
  const own = { outletId, stationId, receiptId: 'R-1', metadata: [{ key: 'table', value: '7' }] }
  const to = await tab(call, [{ name: 'Tea', price: '2.00' }], { ...own, summary: { tip: { amount: '1.00' } } })
  const shared = { cartFees: [{ name: 'Cover', amount: '0.50' }], notes: [{ message: 'No nuts' }] }
  const from = await tab(call, [{ variantId, name: 'Beans', price: '3.00', quantity: 2 }], { outletId, customSales: [{ name: 'Wrap', price: '1.00' }], balance: '7.00', ...shared }) // biome-ignore format: one thought
  const deposit = { orderId: from.id, type: 'sale', paymentMethod: 'credit_card', amount: '4.00', outletId }
  const paid = succeeded(await call('POST', '/v1/transaction', deposit), 201)
  const hold = succeeded(await call('POST', '/v1/transaction', { ...deposit, type: 'authorization', amount: '50.00' }), 201) // biome-ignore format: one thought
  const { order, cancelledOrder } = succeeded(await merge(call, to, from))
  assert.deepEqual([namesOf(order), order.customSales[0].name], [['Tea', 'Beans'], 'Wrap'])
  assert.deepEqual([order.cartFees, order.notes, order.summary], [from.cartFees, from.notes, to.summary])
  assert.deepEqual([order.receiptId, order.metadata, order.status, order.paid], ['R-1', to.metadata, 'parked', '4.00'])
  const { lineItems, customSales, status, cartFees, notes, balance } = cancelledOrder
  assert.deepEqual([lineItems, customSales, status], [[], [], 'cancelled'])
  // Nothing was refunded: the order shows no more of the payments that moved than one that never had any.
  const { paid: left, refunded: back, due, paymentStatus } = cancelledOrder
  for (const gone of [cartFees, notes, balance, left, back, due, paymentStatus]) assert.equal(gone, undefined)
  for (const one of [order, cancelledOrder]) assert.deepEqual(succeeded(await call('GET', `/v1/order/${one.id}`)), one)
  for (const one of [paid, hold])
    assert.equal(succeeded(await call('GET', `/v1/transaction/${one.id}`)).orderId, order.id)
  const types = (await feed(service, id)).map(({ type }) => type).slice(-4)
  assert.deepEqual(types, ['transaction.updated', 'transaction.updated', 'order.updated', 'order.updated'])
  assert.equal(await stockOf(call, variantId), 12)
  const sold = succeeded(await call('POST', `/v1/sale/${order.id}/complete`, { payments: [{ paymentMethod: 'cash' }] }))
  // 2.00 + 6.00 + 1.00, the fee and the tip, 4.00 of it paid.
  assert.deepEqual([sold.order.summary.total, sold.order.due, sold.transactions[0].amount], ['10.50', '0.00', '6.50'])
  assert.equal(await stockOf(call, variantId), 10)
  const { totals } = await report(call, '')
  assert.deepEqual([totals.orders, totals.sales], [1, '10.50'])
})

test('parts of a split that are merged again cost the same as the whole', async () => {
  const { call } = await service.company()
  const order = await tab(call, [{ name: 'Menu', price: '9.99', quantity: 3 }], { cartDiscount: { percentage: 10 }, summary: { isTaxInclusive: true, tip: { percentage: 10 } } }) // biome-ignore format: one thought
  const part = { lines: [{ lineItem: 0, quantity: 1 }] }
  const { newOrder } = succeeded(await call('POST', `/v1/sale/${order.id}/split`, part), 201)
  const merged = succeeded(await merge(call, order, newOrder)).order
  assert.deepEqual(merged.lineItems.map(({ quantity }: Body) => quantity), [2, 1]) // biome-ignore format: one thought
  const { summary } = succeeded(await call('POST', `/v1/sale/${order.id}/complete?dryRun=true`)).order
  // 29.97 less 3.00, and 10 % of 26.97.
  assert.equal(summary.total, '29.67')
})

test('returned goods keep their amount when they are split off and merged again', async () => {
  const { call } = await service.company()
  const lines = [{ name: 'Mug', price: '9.00' }, { name: 'Old mug', price: '3.75', quantity: -1 }] // biome-ignore format: one thought
  const totalOf = async ({ id }: Body) => succeeded(await call('POST', `/v1/sale/${id}/complete?dryRun=true`)).order.summary.total // biome-ignore format: one thought
  for (const moved of [0, 1]) {
    const whole = await tab(call, lines, { cartDiscount: { label: 'Regular', percentage: 10 } })
    assert.equal(await totalOf(whole), '4.35')
    const { order, newOrder } = succeeded(await call('POST', `/v1/sale/${whole.id}/split`, { lines: [{ lineItem: moved }] }), 201) // biome-ignore format: one thought
    const [sold, returned] = moved === 0 ? [newOrder, order] : [order, newOrder]
    assert.deepEqual([await totalOf(sold), await totalOf(returned)], ['8.10', '-3.75'])
    assert.deepEqual([sold.cartDiscount, returned.cartDiscount], [whole.cartDiscount, undefined])
    const merged = succeeded(await merge(call, order, newOrder)).order
    assert.deepEqual([merged.cartDiscount, await totalOf(merged)], [whole.cartDiscount, '4.35'])
  }
})

test('returned goods with a cart discount are not merged with goods that are sold, beside which they would lose it', async () => {
  const { call } = await service.company()
  const discount = { cartDiscount: { percentage: 10 } }
  const returned = await tab(call, [{ name: 'Old mug', price: '3.75', quantity: -1 }], discount)
  const sold = await tab(call, [{ name: 'Mug', price: '9.00' }], discount)
  for (const [to, from, which] of [
    [returned, sold, 'order'],
    [sold, returned, 'other order'],
  ] as const) {
    // biome-ignore format: one thought
    const reply = await merge(call, to, from)
    refused(reply, 409, 'conflict', '/orderId')
    assert.match(reply.body.message, new RegExp(`^The ${which} only takes goods back`))
  }
  const labelled = { cartDiscount: { ...discount.cartDiscount, label: 'Regular' } }
  const { order } = succeeded(await merge(call, returned, await tab(call, [{ name: 'Old cup', price: '1.00', quantity: -1 }], labelled))) // biome-ignore format: one thought
  assert.deepEqual(order.cartDiscount, discount.cartDiscount)
})

test('an absent discount or tip equals one that is zero', async () => {
  const { call } = await service.company()
  const nothing = { cartDiscount: { percentage: 0 }, summary: { tip: { percentage: 0 } } }
  const line = (name: string) => [{ name, price: '1.00' }]
  const to = await tab(call, line('Tea'))
  succeeded(await merge(call, to, await tab(call, line('Cake'), nothing)))
  const { order } = succeeded(await merge(call, await tab(call, line('Soup'), nothing), to))
  assert.deepEqual(namesOf(order), ['Soup', 'Tea', 'Cake'])
})

test('concurrent merges, in both directions, and repeated merges keep each line exactly once', async () => {
  const { call } = await service.company()
  const tabs = await Promise.all(['A', 'B', 'C'].map((name) => tab(call, [{ name, price: '1.00' }])))
  const [a, b, c] = tabs as [Body, Body, Body]
  const once = { 'idempotency-key': 'merge-1' }
  const replies = await Promise.all([merge(call, a, b, once), merge(call, a, b, once), merge(call, b, a), merge(call, c, b), merge(call, a, c)]) // biome-ignore format: one thought
  assert.ok(replies.every(({ status }) => status === 200 || status === 409), replies.map(({ text }) => text).join('\n')) // biome-ignore format: one thought
  const open: Body[] = succeeded(await call('GET', '/v1/orders?status=parked')).data
  const all: Body[] = succeeded(await call('GET', '/v1/orders')).data
  assert.ok(open.length >= 1 && open.length < 3)
  assert.deepEqual(all.flatMap(namesOf).sort(), ['A', 'B', 'C'])
  assert.deepEqual(open.flatMap(namesOf).sort(), ['A', 'B', 'C'])
})

test('a merge supports If-Match and dry runs', async () => {
  const { call } = await service.company()
  const to = await tab(call, [{ name: 'Tea', price: '1.00' }])
  const from = await tab(call, [{ name: 'Cake', price: '1.00' }])
  const etag = (await call('GET', `/v1/order/${to.id}`)).headers.get('etag') as string
  const before = await recordCounts(call)
  assert.deepEqual(namesOf(succeeded(await merge(call, to, from, {}, '?dryRun=true')).order), ['Tea', 'Cake'])
  assert.deepEqual(await recordCounts(call), before)
  succeeded(await call('PATCH', `/v1/order/${to.id}`, { customerNote: 'Table 8' }))
  assertProblem(await merge(call, to, from, { 'if-match': etag }), 412, 'version_mismatch')
  assert.deepEqual(namesOf(succeeded(await call('GET', `/v1/order/${from.id}`))), ['Cake'])
})

test('orders that differ in a value for all lines, or have amounts from the till, are not merged, and nothing changes', async () => {
  const { call } = await service.company()
  const lines = [{ name: 'Tea', price: '1.00' }]
  const to = await tab(call, lines, { cartDiscount: { percentage: 10 } })
  const tried = async (more: object, mine: Body = to) => merge(call, mine, await tab(call, lines, more))
  const same = { cartDiscount: { percentage: 10 } }
  for (const [more, code] of [
    [{}, 'differs'],
    [{ ...same, currency: 'CHF' }, 'differs'],
    [{ ...same, summary: { isTaxInclusive: true } }, 'differs'],
    [{ ...same, summary: { isTaxInclusive: false } }, 'differs'],
    [{ ...same, summary: { tip: { percentage: 10 } } }, 'differs'],
    [{ ...same, parkReduceStock: true }, 'differs'],
    [{ ...same, summary: { total: '1.00' } }, 'amounts'],
    [{ ...same, summary: { tip: { amount: '1.00' } } }, 'amounts'],
    [{ ...same, summary: { shippingTotal: '1.00' } }, 'amounts'],
  ] as const) {
    const reply = await tried(more)
    refused(reply, 409, 'conflict', '/orderId')
    assert.equal(reply.body.errors[0].code, code)
  }
  const withTotal = { ...same, summary: { total: '1.00' } }
  assert.match((await tried(withTotal)).body.message, /^The other order has summary.total, /)
  const ofFirst = await tried({}, await tab(call, lines, withTotal))
  refused(ofFirst, 409, 'conflict', '')
  assert.match(ofFirst.body.message, /^The order has summary.total, /)
  const offShelf = (outletId: string) => ({ ...same, parkReduceStock: true, outletId })
  const elsewhere = await tried(offShelf('outlet-2'), await tab(call, lines, offShelf('outlet-1')))
  refused(elsewhere, 409, 'conflict', '/orderId')
  assert.equal(elsewhere.body.errors[0].code, 'differs')
  const empty = await merge(call, to, await tab(call, [], same))
  refused(empty, 409, 'conflict', '/orderId')
  assert.equal(empty.body.errors[0].code, 'minItems')
  const sold = await tried({ ...same, status: 'completed' })
  refused(sold, 409, 'conflict', '/orderId')
  assert.equal(sold.body.reason, 'order_not_open')
  assert.match(sold.body.message, /^The other order’s status is "completed"; only a pending or parked order/)
  refused(await merge(call, to, to), 400, 'validation_failed', '/orderId')
  refused(await merge(call, to, { id: '6740a1f2c3d4e5f6a7b8c9d5' }), 404, 'not_found', '/orderId')
  refused(await call('POST', `/v1/sale/${to.id}/merge`, {}), 400, 'validation_failed', '/orderId')
  assertProblem(await merge(call, { id: '6740a1f2c3d4e5f6a7b8c9d5' }, to), 404, 'not_found')
  assert.deepEqual(succeeded(await call('GET', `/v1/order/${to.id}`)), to)
})
