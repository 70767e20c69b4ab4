// Refunds of exchanges: sales in which the customer gave goods back for others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { succeeded } from './support/custom-tables.ts'
import { assertProblem } from './support/problem.ts'
import { shop, stockOf } from './support/sales.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

test('of an exchange, everything that was sold can come back, also beyond its total, and then it is refunded', async () => {
  const { call } = await service.company()
  const cash = (amount: string) => [{ paymentMethod: 'cash', amount }]
  const lineItems = [{ price: '10.00', quantity: -1 }, { price: '15.00' }, { price: '20.00' }, { price: '5.00' }]
  const sell = async (): Promise<string> =>
    `/v1/sale/${succeeded(await call('POST', '/v1/sale', { lineItems, payments: cash('30.00') }), 201).order.id}/refund`
  const path = await sell()
  const back = async (lineItem: number, amount: string) => {
    const { order } = succeeded(await call('POST', path, { lines: [{ lineItem }], payments: cash(amount) }), 201)
    return [order.status, order.returned, order.refunded, order.due]
  }
  assert.deepEqual(await back(2, '20.00'), ['partial-refund', '20.00', '20.00', '0.00'])
  assert.deepEqual(await back(1, '15.00'), ['partial-refund', '35.00', '35.00', '0.00'])
  const { message } = assertProblem(await call('POST', path, {}), 409, 'conflict')
  assert.match(message, /what is left comes to -5\.00\. Name the lines that come back\./)
  assert.deepEqual(await back(3, '5.00'), ['refunded', '40.00', '40.00', '0.00'])
  for (const body of [{}, { lines: [{ lineItem: 1 }] }]) assertProblem(await call('POST', path, body), 409, 'conflict')
  // What one line costs may be the whole total: the other lines are left.
  const other = await sell()
  const first = await call('POST', other, { lines: [{ lineItem: 1 }, { lineItem: 2 }], payments: cash('35.00') })
  assert.equal(succeeded(first, 201).order.status, 'partial-refund')
})

test('of an exchange, refunds that were written without lines count too: no more comes back than was sold', async () => {
  const { call } = await service.company()
  const cash = (amount: string) => [{ paymentMethod: 'cash', amount }]
  const lineItems = [{ price: '10.00', quantity: -1 }, { price: '15.00' }, { price: '20.00' }, { price: '5.00' }]
  const sold = succeeded(await call('POST', '/v1/sale', { lineItems, payments: cash('30.00') }), 201)
  const orderId = sold.order.id
  succeeded(await call('POST', '/v1/refund', { orderId, lineItems: [], summary: { total: '30.00' } }), 201)
  succeeded(await call('POST', '/v1/transaction', { orderId, type: 'refund', ...cash('30.00')[0] }), 201)
  const back = (lineItem: number, amount: string) =>
    call('POST', `/v1/sale/${orderId}/refund`, { lines: [{ lineItem }], payments: cash(amount) })
  const { message } = assertProblem(await back(2, '20.00'), 409, 'conflict')
  assert.match(message, /^Only 10\.00 of the sale is left, but this refund comes to 20\.00\.$/)
  assert.equal(succeeded(await back(3, '5.00'), 201).order.refunded, '35.00')
  assertProblem(await back(1, '15.00'), 409, 'conflict')
})

test('of an exchange whose cash was rounded, everything that was sold can come back', async () => {
  const { call } = await service.company()
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const cash = (amount: string) => [{ paymentMethod: 'cash', amount }]
  for (const [price, paid, back] of [
    ['12.02', '7.00', '12.00'],
    ['12.03', '7.05', '12.05'],
  ] as const) {
    const lineItems = [{ price: '10.00', quantity: -1 }, { price }, { price: '5.00' }]
    const { order } = succeeded(await call('POST', '/v1/sale', { lineItems, payments: cash(paid) }), 201)
    const refund = async (lineItem: number, amount: string) =>
      succeeded(await call('POST', `/v1/sale/${order.id}/refund`, { lines: [{ lineItem }], payments: cash(amount) }), 201) // biome-ignore format: one thought
    assert.equal((await refund(1, back)).refund.summary.total, price)
    const { refund: last, order: after } = await refund(2, '5.00')
    assert.deepEqual([last.summary.total, after.status], ['5.00', 'refunded'])
  }
})

test('of an exchange whose goods are all back, a refund without lines pays back the tip, delivery and fees that are left', async () => {
  const { call } = await service.company()
  const sold = succeeded(
    await call('POST', '/v1/sale', {
      lineItems: [{ price: '10.00', quantity: -1 }, { price: '15.00' }],
      cartFees: [{ amount: '0.50' }],
      summary: { tip: { amount: '2.00' }, shippingTotal: '4.00' },
      payments: [{ paymentMethod: 'cash', amount: '11.50' }],
    }),
    201,
  )
  const path = `/v1/sale/${sold.order.id}/refund`
  succeeded(await call('POST', path, { lines: [{ lineItem: 1 }], tip: '0.50' }), 201)
  const { refund, order, stock } = succeeded(await call('POST', path, {}), 201)
  assert.deepEqual([refund.lineItems, refund.summary.tip.amount, refund.summary.total, stock], [[], '1.50', '6.00', []])
  assert.deepEqual([order.status, order.returned, order.refunded, order.due], ['refunded', '21.50', '21.50', '0.00'])
  assert.equal(assertProblem(await call('POST', path, {}), 409, 'conflict').reason, 'sale_refunded')
})

test('of an exchange, what goes back beyond what was paid is paid in cash if cash was, and otherwise its payments are asked for', async () => {
  const { call } = await service.company()
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const refunded = async (payments: object[], total: string) => {
    const lineItems = [{ price: '10.00', quantity: -1 }, { price: total }]
    const { order } = succeeded(await call('POST', '/v1/sale', { lineItems, payments }), 201)
    return call('POST', `/v1/sale/${order.id}/refund`, { lines: [{ lineItem: 1 }] })
  }
  const card = { paymentMethod: 'credit_card', amount: '3.00' }
  const cash = { paymentMethod: 'cash', amount: '3.00' } // biome-ignore format: one thought
  for (const [payments, total, back] of [
    [[cash], '13.00', [['cash', '13.00']]],
    [[cash], '13.02', [['cash', '13.00']]],
    [
      [card, cash],
      '16.00',
      [
        ['credit_card', '3.00'],
        ['cash', '13.00'],
      ],
    ],
    [
      [cash, card],
      '16.00',
      [
        ['cash', '13.00'],
        ['credit_card', '3.00'],
      ],
    ],
  ] as const) {
    const { transactions, order } = succeeded(await refunded([...payments], total), 201)
    assert.deepEqual(transactions.map(({ paymentMethod, amount }: any) => [paymentMethod, amount]), back) // biome-ignore format: one thought
    assert.equal(order.due, '0.00')
  }
  const { message, errors } = assertProblem(await refunded([card], '13.00'), 409, 'conflict')
  assert.match(message, /^This refund comes to 13\.00, 10\.00 more than is left of what was paid for the order\./)
  assert.deepEqual([errors[0].pointer, errors[0].limit], ['/payments', 13])
})

test('of a sale in which goods were only given, for a tip or delivery, a whole refund pays back what was paid, and the goods go out again', async () => {
  const { call } = await service.company()
  const { outletId, variantId } = await shop(call)
  for (const summary of [{ tip: { amount: '15.00' } }, { shippingTotal: '15.00' }]) {
    const before = await stockOf(call, variantId)
    const lineItems = [{ variantId, price: '10.00', quantity: -1 }]
    const sale = { outletId, lineItems, summary, payments: [{ paymentMethod: 'cash' }] }
    const sold = succeeded(await call('POST', '/v1/sale', sale), 201).order
    assert.deepEqual([sold.summary.total, sold.paid, await stockOf(call, variantId)], ['5.00', '5.00', before + 1])
    const path = `/v1/sale/${sold.id}/refund`
    const { refund, order } = succeeded(await call('POST', path), 201)
    assert.deepEqual(
      [refund.summary.total, order.refunded, order.due, order.status],
      ['5.00', '5.00', '0.00', 'refunded'],
    )
    assert.equal(await stockOf(call, variantId), before)
    assert.equal(assertProblem(await call('POST', path), 409, 'conflict').reason, 'sale_refunded')
  }
})

test('a tip of an exchange comes back whole, also the part that the goods given paid for: what the shop keeps is worth what it has', async () => {
  const { call } = await service.company()
  // 10.00 and a tip of 3.00 for a bag of 12.00 and 1.00.
  const lineItems = [
    { name: 'Bag', price: '12.00', quantity: -1 },
    { name: 'Cake', price: '10.00' },
  ]
  const sale = { lineItems, summary: { tip: { amount: '3.00' } }, payments: [{ paymentMethod: 'cash' }] }
  const { order } = succeeded(await call('POST', '/v1/sale', sale), 201)
  assert.deepEqual([order.summary.total, order.paid], ['1.00', '1.00'])
  const back = async (body: object) => {
    const { transactions, order: after } = succeeded(await call('POST', `/v1/sale/${order.id}/refund`, body), 201)
    return [transactions[0].amount, after.refunded, after.due, after.status]
  }
  // Without the tip, the shop would have paid out 2.00 for the bag.
  assert.deepEqual(await back({ lines: [], tip: '3.00' }), ['3.00', '3.00', '0.00', 'partial-refund'])
  assertProblem(await call('POST', `/v1/sale/${order.id}/refund`, { lines: [], tip: '0.01' }), 409, 'conflict')
  assert.deepEqual(await back({ lines: [{ lineItem: 1 }] }), ['10.00', '13.00', '0.00', 'refunded'])
  assertProblem(await call('POST', `/v1/sale/${order.id}/refund`, {}), 409, 'conflict')
})
