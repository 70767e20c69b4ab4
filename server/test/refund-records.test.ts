// Refunds that were written as records, with negative totals or amounts: what came back counts once, on orders, in reports and in X.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { succeeded } from './support/custom-tables.ts'
import { type Caller, sharedService } from './support/service.ts'
import { newTill } from './support/tills.ts'

const service = sharedService()

const cash = (amount: string) => [{ paymentMethod: 'cash', amount }]
const sell = async (call: Caller, body: object): Promise<any> =>
  succeeded(await call('POST', '/v1/sale', body), 201).order
const refund = async (call: Caller, { id }: { id: string }, body: object): Promise<any> =>
  succeeded(await call('POST', `/v1/sale/${id}/refund`, body), 201)

test('a refund in coins that was written as a record counts as what was paid, also with a negative total', async () => {
  const { call } = await service.company()
  const lineItems = [{ price: '5.01' }, { price: '5.01' }]
  const back = { productId: 'p', variantId: 'v', total: '5.01' }
  for (const sign of ['', '-']) {
    const order = await sell(call, { lineItems, payments: [{ paymentMethod: 'credit_card', amount: '10.02' }] })
    const summary = { total: `${sign}5.01`, cashRounding: sign ? '0.01' : '-0.01' }
    succeeded(
      await call('POST', '/v1/refund', { orderId: order.id, lineItems: [{ ...back, position: 0 }], summary }),
      201,
    )
    const money = { orderId: order.id, paymentMethod: 'cash', type: 'refund', amount: `${sign}5.00` }
    succeeded(await call('POST', '/v1/transaction', money), 201)
    const { returned, due } = succeeded(await call('GET', `/v1/order/${order.id}`))
    assert.deepEqual([returned, due], ['5.00', '0.00'])
    const { refund: rest, order: after } = await refund(call, order, {})
    assert.deepEqual([rest.summary.total, after.due, after.status], ['5.01', '0.00', 'refunded'])
  }
})

test('units and delivery of a refund that was written as a record with negative amounts do not come back again', async () => {
  const { call } = await service.company()
  const line = { productId: 'p', variantId: 'v', quantity: 2 }
  const order = await sell(call, { lineItems: [{ ...line, price: '4.50' }], summary: { shippingTotal: '3.00' }, payments: [{ paymentMethod: 'cash', amount: '12.00' }] }) // biome-ignore format: one thought
  const lineItems = [{ ...line, quantity: -1, total: '-4.50' }]
  const record = { orderId: order.id, lineItems, summary: { total: '-7.50', shippingTotal: '-3.00' } }
  succeeded(await call('POST', '/v1/refund', record), 201)
  const { returned, returnedQuantity, fulfilmentStatus } = succeeded(await call('GET', `/v1/order/${order.id}`))
  assert.deepEqual([returned, returnedQuantity, fulfilmentStatus], ['7.50', 1, 'partially-returned'])
  const { refund: rest, order: after } = await refund(call, order, {})
  assert.deepEqual([rest.lineItems[0].quantity, rest.summary.total, rest.summary.shippingTotal], [1, '4.50', undefined])
  assert.deepEqual([after.returnedQuantity, after.status], [2, 'refunded'])
})

test('goods given in exchange in a refund that was written with negative amounts did not come back, on its order and in X', async () => {
  const { call, made, opened, report } = await newTill(service)
  const sessionId = await opened()
  const mug = { productId: 'mug', variantId: 'v' }
  const cup = { productId: 'cup', variantId: 'v' }
  const forms = [
    [{ ...mug, quantity: -1, total: '-20.00' }, { ...cup, quantity: 2, total: '8.00' }],
    [{ ...mug, quantity: 1, total: '-20.00' }, { ...cup, quantity: -2, total: '8.00' }],
    [{ ...mug, quantity: -1, price: '20.00' }, { ...cup, quantity: 2, price: '4.00' }],
  ] // biome-ignore format: a table
  for (const lineItems of forms) {
    const order = await sell(call, { lineItems: [{ ...mug, quantity: 2, price: '20.00' }], payments: cash('40.00') })
    await made('/v1/refund', { orderId: order.id, sessionId, lineItems, summary: { total: '-12.00' } })
    const { returned, returnedQuantity } = succeeded(await call('GET', `/v1/order/${order.id}`))
    assert.deepEqual([returned, returnedQuantity], ['12.00', 1])
  }
  const { categories } = (await report(sessionId)).figures[0]
  assert.deepEqual([categories[0].refundedQuantity, categories[0].refunds], [3 * (1 - 2), '36.00'])
})

test('a gift with a tax in a refund that was written with negative amounts came back with its tax, on its order, in reports and in X', async () => {
  const { call, made, opened, report } = await newTill(service)
  const sessionId = await opened()
  const taxed = (amount: string) => ({ taxes: [{ name: 'Deposit', percentage: 19, amount }] })
  const gift = { productId: 'mug', variantId: 'v', price: '0.00' }
  // Tills write the price of a gift in its refund too, or leave it out.
  for (const [n, price] of ['0.00', undefined].entries()) {
    const order = await sell(call, { lineItems: [{ ...gift, ...taxed('0.25') }], payments: cash('0.25') })
    const lineItems = [{ ...gift, price, quantity: -1, total: '0.00', totalTax: '-0.25', ...taxed('-0.25') }]
    await made('/v1/refund', { orderId: order.id, sessionId, lineItems, summary: { total: '-0.25' } })
    assert.equal(succeeded(await call('GET', `/v1/order/${order.id}`)).returnedQuantity, 1)
    const { groups } = succeeded(await call('GET', '/v1/reports/sales?groupBy=sessionId'))
    const { refunded, refundedFees } = groups.find(
      (group: { sessionId: string | null }) => group.sessionId === sessionId,
    )
    const { categories, taxes } = (await report(sessionId)).figures[0]
    assert.deepEqual([refunded, refundedFees], [taxes[0].refundedTax, '0.00'])
    assert.deepEqual([taxes[0].refundedTax, categories[0].refundedQuantity], [['0.25', '0.50'][n], n + 1])
  }
})

test('taxes that only the summary of such a refund has count by their signs in X, since goods given in exchange have taxes too', async () => {
  const { made, opened, report } = await newTill(service)
  const sessionId = await opened()
  const lineItems = [
    { productId: 'mug', variantId: 'v', quantity: -1, total: '-20.00' },
    { productId: 'cup', variantId: 'v', quantity: 1, total: '8.00' },
  ]
  const taxes = [{ name: 'VAT', percentage: 10, amount: '-2.00' }, { name: 'VAT', percentage: 20, amount: '1.60' }] // biome-ignore format: one thought
  await made('/v1/refund', {
    orderId: 'x',
    sessionId,
    lineItems,
    summary: { totalTaxes: '-0.40', taxes, total: '-12.40' },
  })
  const { figures } = await report(sessionId)
  assert.deepEqual(
    figures[0].taxes.map(({ percentage, refundedTax }: { percentage: number; refundedTax: string }) => [
      percentage,
      refundedTax,
    ]),
    [
      [10, '2.00'],
      [20, '-1.60'],
    ],
  )
})

test('a refund line without units reduces the price of its line: no goods come back, and they are worth less when they do', async () => {
  const { call } = await service.company()
  const chair = { productId: 'chair', variantId: 'v', name: 'Chair' }
  const taxes = [{ name: 'VAT', percentage: 19 }]
  const order = await sell(call, { lineItems: [{ ...chair, price: '100.00', quantity: 2, taxes }], payments: [] })
  const amounts = { total: '4.00', totalTax: '0.76', taxes: [{ name: 'VAT', percentage: 19, amount: '0.76' }] }
  const discount = { reason: 'Cash discount 2 %', summary: { total: '4.76', totalTaxes: '0.76' } }
  const reduced = { orderId: order.id, lineItems: [{ ...chair, quantity: 0, ...amounts }], ...discount }
  succeeded(await call('POST', '/v1/refund', reduced), 201)
  const bank = { payments: [{ paymentMethod: 'bank_transfer' }] }
  const { order: paid } = succeeded(await call('POST', `/v1/sale/${order.id}/payments`, bank), 201)
  assert.deepEqual([paid.paid, paid.due, paid.paymentStatus, paid.fulfilmentStatus], ['233.24', '0.00', 'paid', 'fulfilled']) // biome-ignore format: one thought
  const parts = []
  for (const quantity of [1, undefined]) parts.push(await refund(call, order, { lines: [{ lineItem: 0, quantity }] }))
  assert.deepEqual(
    parts.map(({ refund: { summary }, transactions }: any) => [
      summary.total,
      summary.totalTaxes,
      transactions[0].amount,
    ]),
    [
      ['119.00', '19.00', '119.00'],
      ['114.24', '18.24', '114.24'],
    ],
  )
  assert.deepEqual([parts[1].order.due, parts[1].order.status], ['0.00', 'refunded'])
  const [{ refundedTax, tax }] = succeeded(await call('GET', '/v1/reports/taxes')).groups
  assert.deepEqual([tax, refundedTax], ['38.00', '38.00'])
})
