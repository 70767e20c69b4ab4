// Splits of open orders: lines go to a new order in one transaction, so that a tab is paid in parts by item.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { refused, shop, stockOf } from './support/sales.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

/** A tab of a shop, with 10 % off the cart. */
async function tab(call: Caller, more: object = {}) {
  const { outletId, stationId, variantId } = await shop(call)
  const taxes = [{ name: 'VAT', percentage: 20 }]
  const order = succeeded(
    await call('POST', '/v1/order', {
      status: 'parked',
      receiptId: 'R-1',
      outletId,
      stationId,
      metadata: [{ key: 'table', value: '7' }],
      lineItems: [
        { variantId, price: '3.00', quantity: 3, taxes, discount: { itemDiscount: { percentage: 50 } } },
        { name: 'Tea', price: '2.00', subTotal: '2.00', taxes },
      ],
      customSales: [{ name: 'Wrap', price: '1.00', quantity: 0.5 }],
      cartDiscount: { label: 'Regular', percentage: 10 },
      summary: { isTaxInclusive: true, tip: { amount: '1.00' } },
      ...more,
    }),
    201,
  )
  return { order, path: `/v1/sale/${order.id}/split`, variantId, outletId }
}

const unitsOf = ({ lineItems = [], customSales = [] }: Body) =>
  [...lineItems, ...customSales].map(({ name = 'Beans', quantity = 1 }: Body) => `${quantity} ${name}`)

test('lines of a tab go to a new order, whole or in part; both are completed, and stock and money are those of one sale', async () => {
  const { id, call } = await service.company()
  const { order, path, variantId, outletId } = await tab(call, { balance: '9.00' })
  const deposit = { orderId: order.id, type: 'sale', paymentMethod: 'credit_card', amount: '2.00', outletId }
  succeeded(await call('POST', '/v1/transaction', deposit), 201)
  const lines = [{ customSale: 0, quantity: 0.2 }, { lineItem: 0, quantity: 1 }, { lineItem: 1 }]
  const made = succeeded(await call('POST', path, { lines, receiptId: 'R-1-2' }), 201)
  assert.deepEqual(unitsOf(made.newOrder), ['1 Beans', '1 Tea', '0.2 Wrap'])
  assert.deepEqual(unitsOf(made.order), ['2 Beans', '0.3 Wrap'])
  const { status, receiptId, stationId, metadata, cartDiscount, summary, paid } = made.newOrder
  assert.deepEqual([status, receiptId, stationId, metadata], ['parked', 'R-1-2', order.stationId, order.metadata])
  assert.deepEqual([cartDiscount, summary, paid], [order.cartDiscount, { isTaxInclusive: true }, undefined])
  assert.deepEqual([made.order.receiptId, made.order.summary, made.order.paid], ['R-1', order.summary, '2.00'])
  assert.equal(made.order.balance, undefined)
  for (const one of [made.order, made.newOrder])
    assert.deepEqual(succeeded(await call('GET', `/v1/order/${one.id}`)), one)
  assert.equal(await stockOf(call, variantId), 12)
  const types = (await feed(service, id)).filter(({ type }) => type.startsWith('order.')).map(({ type }) => type)
  assert.deepEqual(types, ['order.created', 'order.updated', 'order.created', 'order.updated'])
  const complete = async (one: Body) =>
    succeeded(await call('POST', `/v1/sale/${one.id}/complete`, { payments: [{ paymentMethod: 'cash' }] })).order
  // 3.00 less 10 %, 0.30 and the tip; 3.50 less 10 %, and 0.20: no custom sale has a part of the discount.
  assert.deepEqual([(await complete(made.order)).summary.total, (await complete(made.newOrder)).summary.total], ['4.00', '3.35']) // biome-ignore format: one thought
  assert.equal(await stockOf(call, variantId), 9)
})

test('splits of one order at once, and repeated ones, move each line once', async () => {
  const { call } = await service.company()
  const { order, path } = await tab(call)
  const once = { 'idempotency-key': 'split-1' }
  const body = { lines: [{ lineItem: 0, quantity: 1 }] }
  const replies = await Promise.all([call('POST', path, body, once), call('POST', path, body, once), call('POST', path, body)]) // biome-ignore format: one thought
  assert.ok(replies.every(({ status }) => status === 201 || status === 409))
  const again = succeeded(await call('POST', path, body, once), 201)
  const orders: Body[] = succeeded(await call('GET', '/v1/orders?status=parked')).data
  assert.equal(orders.length, 3)
  assert.ok(orders.some(({ id }) => id === again.newOrder.id))
  const units = orders.flatMap(({ lineItems }) => lineItems).filter(({ variantId }) => variantId !== undefined)
  assert.deepEqual(units.map(({ quantity }) => quantity), [1, 1, 1]) // biome-ignore format: one thought
  const { etag } = await call('GET', `/v1/order/${order.id}`).then(({ headers }) => ({ etag: headers.get('etag') as string })) // biome-ignore format: one thought
  succeeded(await call('PATCH', `/v1/order/${order.id}`, { customerNote: 'Table 8' }))
  assertProblem(await call('POST', path, { lines: [{ lineItem: 1 }] }, { 'if-match': etag }), 412, 'version_mismatch')
  const dry = succeeded(await call('POST', `${path}?dryRun=true`, { lines: [{ lineItem: 1 }] }), 201)
  assert.deepEqual(unitsOf(dry.newOrder), ['1 Tea'])
  assert.equal(succeeded(await call('GET', '/v1/orders')).meta.count, 3)
})

test('a split that is wrong, or would divide amounts of the till, is refused with its place, and nothing changes', async () => {
  const { call } = await service.company()
  const { order, path } = await tab(call)
  const split = async (lines: unknown, at = path) => call('POST', at, { lines })
  refused(await split([]), 400, 'validation_failed', '/lines')
  refused(await split([{}]), 400, 'validation_failed', '/lines/0')
  refused(await split([{ lineItem: 0, customSale: 0 }]), 400, 'validation_failed', '/lines/0')
  refused(await split([{ lineItem: 2 }]), 400, 'validation_failed', '/lines/0/lineItem')
  refused(await split([{ lineItem: 0, qty: 1 }]), 400, 'validation_failed', '/lines/0/qty')
  refused(await split([{ lineItem: 0 }, { lineItem: 0, quantity: 1 }]), 400, 'validation_failed', '/lines/1/lineItem')
  refused(await split([{ lineItem: 0, quantity: 4 }]), 400, 'validation_failed', '/lines/0/quantity')
  refused(await split([{ lineItem: 0, quantity: 0 }]), 400, 'validation_failed', '/lines/0/quantity')
  refused(await split([{ lineItem: 0 }, { lineItem: 1 }, { customSale: 0 }]), 400, 'validation_failed', '/lines')
  refused(await split([{ lineItem: 1, quantity: 0.5 }]), 409, 'conflict', '/lines/0/quantity')
  for (const more of [{ summary: { total: '9.00' } }, { cartDiscount: { amount: '1.00' } }]) {
    const own = await tab(call, more)
    refused(await split([{ lineItem: 0 }], own.path), 409, 'conflict', '/lines')
  }
  const done = (await tab(call, { status: 'completed' })).path
  assert.equal(assertProblem(await split([{ lineItem: 0 }], done), 409, 'conflict').reason, 'order_not_open')
  assertProblem(await split([{ lineItem: 0 }], '/v1/sale/6740a1f2c3d4e5f6a7b8c9d5/split'), 404, 'not_found')
  assert.deepEqual(succeeded(await call('GET', `/v1/order/${order.id}`)), order)
})

test('the parts of a line add up to it exactly, and parts of a line that takes goods back are below zero', async () => {
  const { call } = await service.company()
  const partsOf = async (all: number, quantity: number) => {
    const lineItems = [{ name: 'Gold', price: '80.00', quantity: all }, { name: 'Box' }]
    const { id } = succeeded(await call('POST', '/v1/order', { status: 'pending', lineItems }), 201)
    return call('POST', `/v1/sale/${id}/split`, { lines: [{ lineItem: 0, quantity }] })
  }
  // biome-ignore format: a table
  for (const [all, part, rest] of [[0.3, 0.1, 0.2], [1, 0.3333333, 0.6666667], [1.0000001, 1, 0.0000001], [1, 1e-7, 0.9999999], [-3, -1, -2]] as const) {
    const { order, newOrder } = succeeded(await partsOf(all, part), 201)
    assert.deepEqual([newOrder.lineItems[0].quantity, order.lineItems[0].quantity], [part, rest])
  }
  for (const [all, part, code] of [
    [-3, 1, 'range'],
    [-3, -4, 'range'],
    [3, -1, 'exclusiveMinimum'],
    [3, 4, 'maximum'],
  ] as const) {
    // biome-ignore format: a table
    const [error] = assertProblem(await partsOf(all, part), 400, 'validation_failed').errors ?? []
    assert.deepEqual([error?.pointer, error?.code], ['/lines/0/quantity', code])
  }
})

test('a split can set members of the new order: null leaves one out, and at another till it has no session of the first one', async () => {
  const { call } = await service.company()
  const { order, path, outletId } = await tab(call, { customerId: 'guest-1', employee: 'anne' })
  const station = { name: 'Till 2', outletId, status: 'IN_USE' }
  const { id: stationId } = succeeded(await call('POST', '/v1/station', station), 201)
  const open = async (of: string) => succeeded(await call('POST', '/v1/session', { stationId: of, openTime: '2026-11-21T08:00:00Z' }), 201).id // biome-ignore format: one thought
  const sessionId = await open(order.stationId)
  const another = await open(stationId)
  succeeded(await call('PATCH', `/v1/order/${order.id}`, { sessionId }))
  const split = async (more: object) =>
    succeeded(await call('POST', path, { lines: [{ lineItem: 0, quantity: 0.5 }], ...more }), 201).newOrder
  const kept = await split({})
  const cleared = await split({ customerId: null, employee: null, metadata: null })
  const moved = await split({ stationId })
  const membersOf = ({ customerId, employee, metadata, stationId, sessionId }: Body) => [customerId, employee, metadata, stationId, sessionId] // biome-ignore format: one thought
  assert.deepEqual(membersOf(kept), ['guest-1', 'anne', order.metadata, order.stationId, sessionId])
  assert.deepEqual(membersOf(cleared), [undefined, undefined, undefined, order.stationId, sessionId])
  assert.deepEqual(membersOf(moved), ['guest-1', 'anne', order.metadata, stationId, undefined])
  const sale = await call('POST', `/v1/sale/${moved.id}/complete`, { payments: [{ paymentMethod: 'cash' }] })
  assert.equal(succeeded(sale).order.sessionId, another)
})

test('a tip that has only a percentage is in both orders, so that their sum is the total of the whole; one with an amount stays', async () => {
  const { call } = await service.company()
  const totalsOf = async (tip: object) => {
    const lineItems = [{ name: 'Menu', price: '10.00', quantity: 2 }, { name: 'Tea', price: '5.00' }] // biome-ignore format: one thought
    const order = { status: 'pending', lineItems, summary: { tip } }
    const { id } = succeeded(await call('POST', '/v1/order', order), 201)
    const made = succeeded(await call('POST', `/v1/sale/${id}/split`, { lines: [{ lineItem: 0, quantity: 1 }] }), 201)
    const totals: string[] = []
    for (const one of [made.order, made.newOrder]) {
      const sale = await call('POST', `/v1/sale/${one.id}/complete`, { payments: [{ paymentMethod: 'cash' }] })
      totals.push(succeeded(sale).order.summary.total)
    }
    return totals
  }
  assert.deepEqual(await totalsOf({ percentage: 10 }), ['16.50', '11.00'])
  assert.deepEqual(await totalsOf({ amount: '2.50', percentage: 10 }), ['17.50', '10.00'])
})
