// Reports of sales show what returns and the rounding of cash change: units, costs, profit and money, to the cent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { made, report } from './support/report-groups.ts'
import { sharedService } from './support/service.ts'
import { newTill } from './support/tills.ts'

const service = sharedService()
const vat = [{ name: 'VAT', percentage: 20 }]

/** Members of the groups of a report. */
const shown = ({ groups }: Body, ...names: string[]) =>
  groups.map((group: Body) => Object.fromEntries(names.map((name) => [name, group[name]])))

test('the cost of returned goods falls with their sales, unless they are damaged, and so does the gross profit', async () => {
  const { call } = await service.company()
  const tea = await made(call, '/v1/product', { name: 'Tea' })
  const mug = await made(call, '/v1/product', { name: 'Mug' })
  const small = await made(call, '/v1/variant', { productId: tea.id, price: 10.01, costPrice: 4 })
  const large = await made(call, '/v1/variant', { productId: tea.id, price: 20.02 })
  const blue = await made(call, '/v1/variant', { productId: mug.id, price: 7.77, costPrice: 3.333 })
  const sold = async (...lineItems: Body[]) => (await made(call, '/v1/sale', { lineItems })).order.id
  const refund = (id: string, body: Body) => made(call, `/v1/sale/${id}/refund`, body)
  const first = await sold({ variantId: small.id, quantity: 3, taxes: vat }, { variantId: large.id, quantity: 1 })
  await refund(first, { lines: [{ lineItem: 0, quantity: 1 }] })
  await refund(first, { lines: [{ lineItem: 0, quantity: 1, restock: false }] })
  await refund(first, {})
  // A mug is given in exchange for tea, and the exchange is undone.
  const exchange = await sold({ variantId: small.id, quantity: 1 }, { variantId: blue.id, quantity: -1, price: '7.77' })
  await refund(exchange, {})
  await sold({ variantId: blue.id, quantity: 2 })
  const names = ['netSales', 'refundedNet', 'quantity', 'refundedQuantity', 'cost', 'margin', 'refundedCost', 'grossProfit'] // biome-ignore format: one thought
  const ofSmall = { netSales: '40.04', refundedNet: '40.04', quantity: 4, refundedQuantity: 4, cost: '16.00', margin: '24.04', refundedCost: '12.00', grossProfit: '-4.00' } // biome-ignore format: one thought
  const ofBlue = { netSales: '7.77', refundedNet: '-7.77', quantity: 1, refundedQuantity: -1, cost: '3.333', margin: '4.437', refundedCost: '-3.333', grossProfit: '8.874' } // biome-ignore format: one thought
  const ofLarge = { netSales: '20.02', refundedNet: '20.02', quantity: 1, refundedQuantity: 1, cost: undefined, margin: undefined, refundedCost: undefined, grossProfit: undefined } // biome-ignore format: one thought
  assert.deepEqual(shown(await report(call, 'groupBy=variantId'), ...names), [ofSmall, ofLarge, ofBlue])
  // The profit on a product is that of its variants with a cost.
  const ofTea = { ...ofSmall, netSales: '60.06', refundedNet: '60.06', quantity: 5, refundedQuantity: 5 }
  assert.deepEqual(shown(await report(call, 'groupBy=productId'), ...names), [ofTea, ofBlue])
  // Read from the records.
  assert.deepEqual(shown(await report(call, 'groupBy=employee,variantId'), ...names), [ofSmall, ofLarge, ofBlue])
})

test('a line with two tax rates comes back at both of them as it was sold: its net, and the tax at that rate', async () => {
  const { call } = await service.company()
  const taxes = [{ name: 'State', percentage: 5 }, { name: 'City', percentage: 2.5 }] // biome-ignore format: one thought
  for (const isTaxInclusive of [false, true]) {
    const lineItems = [{ productId: 'p', price: isTaxInclusive ? '107.50' : '100.00', quantity: 1, taxes }]
    const { order } = await made(call, '/v1/sale', { lineItems, summary: { isTaxInclusive } })
    await made(call, `/v1/sale/${order.id}/refund`, { payments: [] })
  }
  const names = ['taxRate', 'netSales', 'tax', 'refunded', 'refundedNet', 'refundedTax']
  assert.deepEqual(shown(await report(call, 'groupBy=taxRate'), ...names), [
    { taxRate: 2.5, netSales: '200.00', tax: '5.00', refunded: '205.00', refundedNet: '200.00', refundedTax: '5.00' },
    { taxRate: 5, netSales: '200.00', tax: '10.00', refunded: '210.00', refundedNet: '200.00', refundedTax: '10.00' },
  ])
})

test('the tax of a refund whose rates have no amounts is divided between them, and counts once, in reports and in X', async () => {
  const { made, opened, report: xOf, call } = await newTill(service)
  const sessionId = await opened()
  const taxes = [{ name: 'City', percentage: 5 }, { name: 'State', percentage: 20 }, { name: 'Levy', amount: '1.00' }] // biome-ignore format: one thought
  const lineItems = [{ productId: 'p', variantId: 'v', total: '10.00', totalTax: '3.51', taxes }]
  await made('/v1/refund', { sessionId, orderId: 'x', lineItems, summary: { total: '13.51', totalTaxes: '3.51' } })
  const { groups } = await report(call, 'groupBy=taxRate')
  const ofGroups = groups.map(({ taxRate, refundedTax, refundedNet }: Body) => [taxRate, refundedTax, refundedNet])
  const [ofX] = (await xOf(sessionId)).figures
  const taxesOfX = ofX.taxes.map(({ percentage = null, refundedTax, refundedNet }: Body) => [percentage, refundedTax, refundedNet]) // biome-ignore format: one thought
  const expected = [[null, '1.00', '10.00'], [5, '0.50', '10.00'], [20, '2.01', '10.00']] // biome-ignore format: a table
  for (const found of [ofGroups, taxesOfX])
    assert.deepEqual(found.toSorted(([a]: number[], [b]: number[]) => Number(a) - Number(b)), expected) // biome-ignore format: one thought
})

test('tax that a refund writes as a whole number is divided over its rates in the units of its currency', async () => {
  const { made, opened, report: xOf, call } = await newTill(service)
  const sessionId = await opened()
  const taxes = [
    { name: 'City', percentage: 5 },
    { name: 'State', percentage: 20 },
  ]
  for (const currency of ['EUR', 'JPY']) {
    const lineItems = [{ productId: 'p', variantId: 'v', total: '12', totalTax: '3', taxes }]
    await made('/v1/refund', {
      sessionId,
      orderId: 'x',
      currency,
      lineItems,
      summary: { total: '15', totalTaxes: '3' },
    })
  }
  const { groups } = await report(call, 'groupBy=taxRate')
  const ofGroups = groups.map(({ currency, taxRate, refundedTax }: Body) => [currency, taxRate, Number(refundedTax)])
  const { figures } = await xOf(sessionId)
  const ofX = figures.flatMap(({ currency, taxes }: Body) =>
    taxes.map(({ percentage, refundedTax }: Body) => [currency, percentage, Number(refundedTax)]),
  )
  for (const found of [ofGroups, ofX])
    assert.deepEqual(found.toSorted(), [['EUR', 20, 2.4], ['EUR', 5, 0.6], ['JPY', 20, 2], ['JPY', 5, 1]]) // biome-ignore format: a table
})

test('returns of goods that were sold before the period have their cost, and no sales', async () => {
  const { call } = await service.company()
  const { id: productId } = await made(call, '/v1/product', { name: 'Tea' })
  const { id: variantId } = await made(call, '/v1/variant', { productId, costPrice: 4 })
  const line = { productId, variantId, quantity: 2, total: '20.00' }
  const order = await made(call, '/v1/order', { occurredAt: '2026-01-31T12:00:00Z', lineItems: [line] })
  const back = { orderId: order.id, occurredAt: '2026-02-01T12:00:00Z', summary: { total: '20.00' } }
  await made(call, '/v1/refund', { ...back, lineItems: [line] })
  const names = ['netSales', 'refundedNet', 'refundedQuantity', 'cost', 'margin', 'refundedCost', 'grossProfit']
  assert.deepEqual(shown(await report(call, 'groupBy=variantId&from=2026-02-01&to=2026-02-02'), ...names), [
    { netSales: '0.00', refundedNet: '20.00', refundedQuantity: 2, cost: '0.00', margin: '0.00', refundedCost: '8.00', grossProfit: '-12.00' }, // biome-ignore format: one thought
  ])
})

test('a refund that was written with negative amounts or units brings back as many units as with positive ones', async () => {
  const { call } = await service.company()
  const line = { productId: 'p', variantId: 'v', quantity: 2 }
  const { id: orderId } = await made(call, '/v1/order', { lineItems: [{ ...line, total: '20.00' }] })
  const refund = (quantity: number, total: string) =>
    made(call, '/v1/refund', { orderId, lineItems: [{ ...line, quantity, price: '10.00', total }], summary: { total } })
  await refund(2, '20.00')
  await refund(2, '-20.00')
  await refund(-2, '-20.00')
  const [group] = shown(await report(call, 'groupBy=outletId'), 'refundedNet', 'refundedQuantity')
  assert.deepEqual(group, { refundedNet: '60.00', refundedQuantity: 6 })
})

test('with the rounding of cash, sales minus refunds are the money that was paid and paid back, also later and at another till', async () => {
  const { call, opened, report: sessionReport } = await newTill(service)
  assert.equal((await call('PATCH', '/v1/settings', { cashRounding: '0.05' })).status, 200)
  const sessionId = await opened({ openTime: new Date().toISOString() })
  const sold = async (price: string, payments: Body[]) =>
    (await made(call, '/v1/sale', { sessionId, lineItems: [{ productId: 'p', price, quantity: 2 }], payments })).order
      .id
  const cash = [{ paymentMethod: 'cash', amount: '50.00' }]
  const rounded = await sold('5.04', cash)
  const late = await sold('5.02', [])
  await sold('5.01', [{ paymentMethod: 'credit_card' }])
  assert.equal((await call('POST', `/v1/sale/${late}/payments`, { sessionId, payments: cash })).status, 201)
  await made(call, `/v1/sale/${rounded}/refund`, { sessionId, lines: [{ lineItem: 0, quantity: 1 }] })
  await made(call, `/v1/sale/${late}/refund`, { sessionId })
  const names = ['totalSales', 'cashRounding', 'refunded', 'refundedCashRounding']
  const all = { totalSales: '30.14', cashRounding: '0.03', refunded: '15.08', refundedCashRounding: '0.02' }
  for (const groupBy of ['sessionId', 'outletId', 'day', 'customerId', 'employee,tag'])
    assert.deepEqual(shown(await report(call, `groupBy=${groupBy}`), ...names), [all], groupBy)
  // Rounding belongs to no line.
  const ofLines = shown(await report(call, 'groupBy=productId'), 'productId', 'cashRounding', 'refundedCashRounding')
  assert.deepEqual(ofLines.toSorted((one: Body) => (one.productId ? -1 : 1)), [
    { productId: 'p', cashRounding: '0.00', refundedCashRounding: '0.00' },
    { productId: null, cashRounding: '0.03', refundedCashRounding: '0.02' },
  ]) // biome-ignore format: a table
  const paid = shown(await report(call, 'groupBy=paymentMethod'), 'paymentMethod', 'paid', 'refunded')
  assert.deepEqual(paid, [
    { paymentMethod: 'cash', paid: '20.15', refunded: '15.10' },
    { paymentMethod: 'credit_card', paid: '10.02', refunded: '0.00' },
  ])
  const { cashRounding, refundedCashRounding } = (await sessionReport(sessionId)).figures[0]
  assert.deepEqual([cashRounding, refundedCashRounding], [all.cashRounding, all.refundedCashRounding])
})
