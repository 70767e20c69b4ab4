// Orders and refunds that were written as records and leave open what their amounts mean: of the ways to read them, the first that adds up counts, in refunds, reports and X.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completedOrder } from '../src/features/sales/amounts/order-readings.ts'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { report } from './support/report-groups.ts'
import { refused, written } from './support/sales.ts'
import { type Caller, sharedService } from './support/service.ts'
import { newTill } from './support/tills.ts'

const service = sharedService()
const rate = { name: 'VAT', percentage: 20 }

const refund = (call: Caller, { id }: Body, body: object = {}) => call('POST', `/v1/sale/${id}/refund`, body)
/** Total and taxes of a refund. */
const sumsOf = async (call: Caller, order: Body, lines: object[]): Promise<string[]> => {
  const { summary } = succeeded(await refund(call, order, { lines }), 201).refund
  return [summary.total, summary.totalTaxes, ...summary.taxes.map(({ amount }: Body) => amount)]
}

test('an order that does not say whether its prices contain the tax is read as it adds up: parts of it come back at their prices, and reports have its tax once', async () => {
  const lines = (total: string, totalTax: string) =>
    ['cup', 'mug'].map((name) => ({ productId: name, name, price: total, total, totalTax, taxes: [{ ...rate, amount: totalTax }] })) // biome-ignore format: one thought
  for (const [lineItems, summary, parts, sums] of [
    [
      lines('12.00', '2.00'),
      { total: '24.00', totalTaxes: '4.00' },
      ['12.00', '2.00', '2.00'],
      ['20.00', '4.00', '24.00'],
    ],
    [
      lines('12.00', '2.40'),
      { total: '28.80', totalTaxes: '4.80' },
      ['14.40', '2.40', '2.40'],
      ['24.00', '4.80', '28.80'],
    ],
    // What adds up in no way is read as before: the tax is not in the prices.
    [
      lines('12.00', '2.00'),
      { total: '27.00', totalTaxes: '4.00' },
      ['14.00', '2.00', '2.00'],
      ['24.00', '4.00', '28.00'],
    ],
  ] as const) {
    // biome-ignore format: a table
    const { call } = await service.company()
    const order = await written(call, { lineItems, summary })
    const { groups } = await report(call, 'groupBy=employee')
    assert.deepEqual(groups.map(({ netSales, tax, totalSales }: Body) => [netSales, tax, totalSales]), [sums]) // biome-ignore format: one thought
    assert.deepEqual(await sumsOf(call, order, [{ lineItem: 0 }]), parts)
  }
})

test('a tax that only the summary names comes back with each part of the goods, if its rates are those of all lines', async () => {
  const { call } = await service.company()
  const goods = [{ name: 'Cup', price: '10.00', quantity: 2, total: '20.00' }, { name: 'Mug', price: '5.00', total: '5.00' }] // biome-ignore format: one thought
  const cup = [{ lineItem: 0, quantity: 1 }]
  const rest = [{ lineItem: 0 }, { lineItem: 1 }]
  const five = [{ ...rate, amount: '5.00' }]
  for (const [summary, first, last] of [
    [{ total: '30.00', totalTaxes: '5.00', taxes: five }, ['12.00', '2.00', '2.00'], ['18.00', '3.00', '3.00']],
    [{ total: '30.00', taxes: five }, ['12.00', '2.00', '2.00'], ['18.00', '3.00', '3.00']],
    [
      { total: '25.00', isTaxInclusive: true, totalTaxes: '4.17', taxes: [{ ...rate, amount: '4.17' }] },
      ['10.00', '1.67', '1.67'],
      ['15.00', '2.50', '2.50'],
    ],
    [{ total: '25.00', taxes: [{ ...rate, amount: '4.17' }] }, ['10.00', '1.67', '1.67'], ['15.00', '2.50', '2.50']],
  ] as const) {
    // biome-ignore format: a table
    const order = await written(call, { lineItems: goods, summary })
    assert.deepEqual([await sumsOf(call, order, cup), await sumsOf(call, order, rest)], [first, last])
    assert.equal(succeeded(await call('GET', `/v1/order/${order.id}`)).status, 'refunded')
  }
  // A till that rounds the tax of each line, and lists it alone.
  const small = ['Cup', 'Mug'].map((name) => ({ name, price: '0.52', total: '0.52' }))
  const rounded = await written(call, { lineItems: small, summary: { total: '1.24', taxes: [{ ...rate, amount: '0.20' }] } }) // biome-ignore format: one thought
  assert.deepEqual(await sumsOf(call, rounded, [{ lineItem: 0 }]), ['0.62', '0.10', '0.10'])
  // The tax is on delivery too, so no line has its rate: it comes back with the rest.
  const order = await written(call, { lineItems: goods, summary: { total: '36.00', shippingTotal: '5.00', totalTaxes: '6.00', taxes: [{ ...rate, amount: '6.00' }] } }) // biome-ignore format: one thought
  assert.deepEqual(await sumsOf(call, order, cup), ['10.00', '0.00'])
  assert.equal(succeeded(await refund(call, order), 201).refund.summary.totalTaxes, '6.00')
})

test('taxes of a summary without totalTaxes are tax in reports and in X', async () => {
  const { call, opened, report: sessionReport } = await newTill(service)
  const sessionId = await opened()
  const lineItems = [{ name: 'Cup', price: '20.00', total: '20.00' }]
  await written(call, { sessionId, lineItems, summary: { total: '24.00', taxes: [{ ...rate, amount: '4.00' }] } })
  await written(call, { sessionId, summary: { total: '12.00', taxes: [{ ...rate, amount: '2.00' }] } })
  const { groups } = await report(call, 'groupBy=employee')
  assert.deepEqual(
    groups.map(({ netSales, tax, totalSales }: Body) => [netSales, tax, totalSales]),
    [['30.00', '6.00', '36.00']],
  )
  const [figures] = (await sessionReport(sessionId)).figures
  assert.deepEqual([figures.sales, figures.tax, figures.taxes[0].tax], ['36.00', '6.00', '6.00'])
})

test('a discount on the cart that is in no line comes off each line that comes back, whether the line’s total is before it or not', async () => {
  const { call } = await service.company()
  const tax = { ...rate, amount: '2.00' }
  const both = [{ ...rate, amount: '4.00' }]
  for (const [line, summary] of [
    [{ total: '15.00' }, { total: '24.00', taxes: both }],
    [{ total: '10.00' }, { total: '24.00', taxes: both }],
    [{}, { total: '24.00', taxes: both }],
    [
      { total: '15.00', totalTax: '2.00', taxes: [tax] },
      { total: '24.00', totalTaxes: '4.00' },
    ],
  ] as const) {
    const lineItems = ['cup', 'mug'].map((name) => ({ productId: name, name, price: '15.00', ...line }))
    const order = await written(call, { lineItems, cartDiscount: { amount: '10.00' }, summary })
    for (const lineItem of [0, 1]) assert.deepEqual(await sumsOf(call, order, [{ lineItem }]), ['12.00', '2.00', '2.00']) // biome-ignore format: one thought
    assert.equal(succeeded(await call('GET', `/v1/order/${order.id}`)).status, 'refunded')
  }
})

test('a discount that only discountTotal names comes off the lines: as their totals say, else each by its part', async () => {
  const { call } = await service.company()
  const taxes = [{ ...rate, amount: '4.00' }]
  const all = { discountTotal: '10.00', total: '24.00', taxes }
  const bare = { discountTotal: '10.00', total: '20.00' }
  for (const [of, summary, parts] of [
    [[{}, {}], all, ['12.00', '12.00']],
    [[{ total: '15.00' }, { total: '15.00' }], all, ['12.00', '12.00']],
    [[{ total: '10.00' }, { total: '10.00' }], bare, ['10.00', '10.00']],
    [[{ total: '13.00' }, { total: '7.00' }], all, ['15.60', '8.40']],
    [[{ total: '13.00' }, { total: '7.00' }], bare, ['13.00', '7.00']],
    [[{ total: '12.00', discount: { itemDiscount: { amount: '3.00' } } }, { total: '15.00' }], bare, ['8.89', '11.11']],
    // What was named in a line is not named twice.
    [[{ total: '5.00', discount: { itemDiscount: { amount: '10.00' } } }, { total: '15.00' }], bare, ['5.00', '15.00']],
    // An order that does not add up with the discount either keeps its prices.
    [[{}, {}], { discountTotal: '10.00', total: '40.00' }, ['15.00', '15.00']],
  ] as const) {
    // biome-ignore format: a table
    const lineItems = of.map((line, n) => ({ productId: `p${n}`, name: `Cup ${n}`, price: '15.00', ...line }))
    const order = await written(call, { lineItems, summary })
    let discounted = 0
    for (const [n, total] of parts.entries()) {
      const { summary: back } = succeeded(await refund(call, order, { lines: [{ lineItem: n }] }), 201).refund
      assert.equal(back.total, total, JSON.stringify([of, summary]))
      discounted += Number(back.discountTotal)
    }
    const isWhole = summary.total !== '40.00'
    assert.equal(succeeded(await call('GET', `/v1/order/${order.id}`)).status === 'refunded', isWhole)
    assert.equal(discounted, isWhole ? 10 : 0, JSON.stringify([of, summary]))
  }
})

test('the tax of an order is at the same rate, with the same net, where it is sold and where it comes back: in X and in reports', async () => {
  const tax = { ...rate, amount: '2.00' }
  const both = { ...rate, amount: '4.00' }
  const lines = (line: object) => ['cup', 'mug'].map((name) => ({ productId: name, name, ...line }))
  const contained = { price: '12.00', total: '12.00', totalTax: '2.00', taxes: [tax] }
  const added = { price: '10.00', total: '10.00' }
  const total = '24.00'
  for (const { extras = '0.00', ...order } of [
    { lineItems: lines(contained), summary: { total, totalTaxes: '4.00' } },
    { lineItems: lines(contained), summary: { total } },
    { lineItems: lines(contained), summary: { total, totalTaxes: '4.00', isTaxInclusive: true } },
    { lineItems: lines({ ...added, totalTax: '2.00', taxes: [tax] }), summary: { total, totalTaxes: '4.00' } },
    { lineItems: lines(added), summary: { total, taxes: [both] } },
    { lineItems: lines({ price: '12.00' }), summary: { total, totalTaxes: '4.00', taxes: [both] } },
    // Discounts of which no line has its part, beside the taxes of lines.
    {
      cartDiscount: { amount: '6.00' },
      lineItems: lines({ ...contained, price: '15.00', total: '15.00' }),
      summary: { total },
    },
    {
      lineItems: lines({ price: '15.00', total: '15.00', totalTax: '2.00', taxes: [tax] }),
      summary: { total, discountTotal: '10.00', totalTaxes: '4.00' },
    },
    // Lines whose totals have what is not in their prices.
    { lineItems: lines({ price: '9.00', total: '10.00' }), summary: { total, taxes: [both] } },
    { lineItems: lines({ price: '9.00', total: '12.00' }), summary: { total, taxes: [both] } },
    // Lines without totals, with discounts; or with a tax whose rate only the summary names.
    {
      lineItems: lines({
        ...contained,
        price: '15.00',
        total: undefined,
        discount: { itemDiscount: { amount: '3.00' } },
      }),
      summary: { total, discountTotal: '6.00' },
    },
    {
      lineItems: lines({ ...contained, price: undefined, subTotal: '12.00', total: undefined }),
      summary: { total, isTaxInclusive: true },
    },
    { lineItems: lines({ ...added, totalTax: '2.00' }), summary: { total, totalTaxes: '4.00', taxes: [both] } },
    { lineItems: lines({ price: '12.00', totalTax: '2.00' }), summary: { total, taxes: [both] } },
    // Lines that name a rate, but not its amount.
    { lineItems: lines({ ...added, taxes: [rate] }), summary: { total } },
    { lineItems: lines({ ...added, taxes: [rate] }), summary: { total, totalTaxes: '4.00' } },
    { lineItems: lines({ price: '12.00', taxes: [rate] }), summary: { total } },
    { lineItems: lines({ ...added, totalTax: '2.00', taxes: [rate] }), summary: { total, totalTaxes: '4.00' } },
    { customSales: lines({ ...added, taxes: [rate] }), summary: { total, isTaxInclusive: false } },
    { lineItems: lines({ price: '15.00' }), summary: { total, discountTotal: '10.00', taxes: [both] } },
    { customSales: lines({ price: '12.00' }), summary: { total, taxes: [both], isTaxInclusive: true } },
    // With a discount on the cart, delivery, a tip and fees, of which any JSON is stored.
    {
      lineItems: lines({ ...contained, fee: [{ name: 'Deposit', amount: 0.25 }, { amount: 'free' }, 7, null] }),
      cartFees: [{ name: 'Bag', amount: '0.50' }],
      summary: { total: '30.00', totalTaxes: '4.00', shippingTotal: '4.00', tip: { amount: '1.00' } },
      extras: '6.00',
    },
    {
      lineItems: lines({ ...added, fee: { amount: '0.25' } }),
      cartFees: [{ amount: '0.50' }],
      summary: { total: '30.00', taxes: [both], shippingTotal: '4.00', tip: { amount: '1.00' } },
      extras: '6.00',
    },
  ]) {
    const { call, opened, report: sessionReport } = await newTill(service)
    const sessionId = await opened()
    const sold = await written(call, { sessionId, ...order })
    succeeded(await refund(call, sold, { sessionId }), 201)
    const [{ taxes, tax: all }] = (await sessionReport(sessionId)).figures
    assert.equal(all, '4.00', JSON.stringify(order))
    const shown = taxes.map(({ percentage, net, tax }: Body) => [percentage, net, tax])
    assert.deepEqual(shown, [[20, '20.00', '4.00']], JSON.stringify(order))
    const { groups } = await report(call, 'groupBy=taxRate')
    const atRate = groups.map(({ taxRate, netSales, tax, refunded }: Body) => [taxRate, netSales, tax, refunded])
    const others = ['0.00', '0.00', extras]
    assert.deepEqual(atRate, [[20, '20.00', '4.00', total], ...(extras === '0.00' ? [] : [[null, ...others]])], JSON.stringify(order)) // biome-ignore format: one thought
  }
})

test('rates of a summary that are not quite those of its lines are at no line: in its refunds, X and reports', async () => {
  const { call, opened, report: sessionReport } = await newTill(service)
  const sessionId = await opened()
  const lineItems = ['cup', 'mug'].map((name) => ({ productId: name, name, price: '10.00', total: '10.00' }))
  const taxes = [{ ...rate, amount: '4.01' }]
  const order = await written(call, { sessionId, lineItems, summary: { total: '24.01', taxes } })
  assert.deepEqual(await sumsOf(call, order, [{ lineItem: 0 }]), ['10.00', '0.00'])
  const [figures] = (await sessionReport(sessionId)).figures
  assert.deepEqual(figures.taxes.map(({ percentage, net, tax }: Body) => [percentage, net, tax]), [[20, '0.00', '4.01']]) // biome-ignore format: one thought
  const { groups } = await report(call, 'groupBy=taxRate')
  assert.deepEqual(
    groups.map(({ taxRate, netSales, tax }: Body) => [taxRate, netSales, tax]),
    [
      [null, '20.00', '0.00'],
      [20, '0.00', '4.01'],
    ],
  )
})

test('lines may leave out the name or the percentage of a rate that the summary has: a part comes back at what it cost', async () => {
  const { call } = await service.company()
  for (const own of [{ percentage: 20 }, { name: 'VAT' }]) {
    const taxes = [{ ...own, amount: '2.00' }]
    const lineItems = ['cup', 'mug'].map((name) => ({ name, price: '15.00', total: '10.00', taxes }))
    const summary = { total: '24.00', totalTaxes: '4.00', taxes: [{ ...rate, amount: '4.00' }] }
    const order = await written(call, { lineItems, summary })
    assert.deepEqual(await sumsOf(call, order, [{ lineItem: 0 }]), ['12.00', '2.00', '2.00'])
    assert.deepEqual(await sumsOf(call, order, [{ lineItem: 1 }]), ['12.00', '2.00', '2.00'])
  }
  // Beside a discount that only discountTotal names.
  const lineItems = ['cup', 'mug'].map((name) => ({ name, price: '15.00', total: '15.00', taxes: [{ name: 'VAT', amount: '2.00' }] })) // biome-ignore format: one thought
  const summary = { total: '24.00', discountTotal: '10.00', totalTaxes: '4.00', taxes: [{ ...rate, amount: '4.00' }] }
  const order = await written(call, { lineItems, summary })
  assert.deepEqual(await sumsOf(call, order, [{ lineItem: 0 }]), ['12.00', '2.00', '2.00'])
})

test('lines without totals are rounded to units of their currency, as in a quote: reports have the total of the order', async () => {
  const { call } = await service.company()
  const halves = (price: string, total: string, currency: string) =>
    written(call, { currency, lineItems: [{ name: 'Cheese', price, quantity: 0.5 }], summary: { total } })
  await halves('24.25', '12.13', 'EUR')
  await halves('24.253', '12.127', 'KWD')
  await halves('2733', '1367', 'JPY')
  const { groups } = await report(call, 'groupBy=employee')
  assert.deepEqual(groups.map(({ totalSales }: Body) => totalSales).toSorted(), ['12.127', '12.13', '1367'])
})

test('amounts without a currency are in units of the company’s: reports and X have the same total', async () => {
  const { id, call, opened, report: sessionReport } = await newTill(service)
  succeeded(await call('PATCH', `/v1/organization-api/companies/${id}`, { currency: 'JPY' }))
  const sessionId = await opened({ openingAmount: '0' })
  const lineItems = [{ productId: 'cheese', name: 'Cheese', price: '2733', quantity: 0.5 }]
  succeeded(await call('POST', '/v1/order', { sessionId, status: 'completed', lineItems }), 201)
  const { groups } = await report(call, 'groupBy=productId')
  const [{ categories }] = (await sessionReport(sessionId)).figures
  assert.deepEqual([groups[0].netSales, categories[0].sales], ['1367', '1367'])
})

test('an order with a discount in no line, and taxes that are a cent off, is read as it adds up without its rates', async () => {
  const { call } = await service.company()
  const tax = { ...rate, amount: '1.99' }
  const lineItems = ['cup', 'mug'].map((name) => ({ name, price: '15.00', total: '12.00', totalTax: '1.99', taxes: [tax] })) // biome-ignore format: one thought
  await written(call, { lineItems, summary: { total: '24.00', discountTotal: '6.00', totalTaxes: '3.98' } })
  const { groups } = await report(call, 'groupBy=taxRate')
  assert.deepEqual(
    groups.map(({ taxRate, netSales, tax, totalSales }: Body) => [taxRate, netSales, tax, totalSales]),
    [[20, '20.02', '3.98', '24.00']],
  )
})

test('lines without amounts come back only with the whole sale, whose refund is worth its goods and no fees', async () => {
  const { call } = await service.company()
  const ids = { productId: 'p', variantId: 'v' }
  const summary = { total: '30.00', totalTaxes: '5.00', shippingTotal: '3.00' }
  const order = await written(call, { lineItems: [{ ...ids, quantity: 2 }, ids], summary })
  const part = await refund(call, order, { lines: [{ lineItem: 0, quantity: 1 }] })
  refused(part, 409, 'conflict', '/lines/0/lineItem')
  assert.equal(part.body.errors[0].code, 'unpriced')
  const bare = await written(call, { summary })
  for (const one of [order, bare]) {
    const { refund: whole, order: after } = succeeded(await refund(call, one), 201)
    const { subTotal, totalTaxes, shippingTotal, total } = whole.summary
    assert.deepEqual([subTotal, totalTaxes, shippingTotal, total], ['22.00', '5.00', '3.00', '30.00'])
    assert.deepEqual([after.status, after.due], ['refunded', '0.00'])
  }
  const { groups } = await report(call, 'groupBy=employee')
  assert.deepEqual(
    groups.map(({ refunded, refundedShipping, refundedFees }: Body) => [refunded, refundedShipping, refundedFees]),
    [['60.00', '6.00', '0.00']],
  )
})

test('an order that adds up in no way pauses after each way to read it, so that a long one delays other requests no longer than a sale of its length', () => {
  const summary = { total: '9.00', taxes: [{ ...rate, amount: '4.00' }] }
  const reading = completedOrder({ lineItems: [{ price: '1.00' }], summary }, { currency: 'EUR', taxRounding: 'line' })
  assert.equal([...reading].length, 6)
})

test('a refund that was written with negative lines and a positive total took its units back once', async () => {
  const { call } = await service.company()
  const line = { productId: 'p', variantId: 'v', price: '10.00' }
  const order = await written(call, { lineItems: [{ ...line, quantity: 3, total: '30.00' }], summary: { total: '30.00' } }) // biome-ignore format: one thought
  const back = { ...line, quantity: -1, total: '-10.00' }
  succeeded(
    await call('POST', '/v1/refund', { orderId: order.id, lineItems: [back], summary: { total: '10.00' } }),
    201,
  )
  succeeded(await call('POST', '/v1/transaction', { orderId: order.id, type: 'refund', paymentMethod: 'cash', amount: '10.00' }), 201) // biome-ignore format: one thought
  assert.equal(succeeded(await call('GET', `/v1/order/${order.id}`)).returnedQuantity, 1)
  const { refund: rest, order: after } = succeeded(await refund(call, order, { lines: [{ lineItem: 0 }] }), 201)
  assert.deepEqual([rest.lineItems[0].quantity, rest.summary.total], [2, '20.00'])
  assert.deepEqual([after.returnedQuantity, after.status, after.due], [3, 'refunded', '0.00'])
})

test('a refund of an order without a total pays back no more than was paid', async () => {
  const { call } = await service.company()
  const lineItems = [{ name: 'Cup', price: '60.00', quantity: 2 }]
  const order = succeeded(await call('POST', '/v1/order', { status: 'completed', lineItems }), 201)
  const payment = { orderId: order.id, type: 'sale', paymentMethod: 'cash', amount: '70.00' }
  succeeded(await call('POST', '/v1/transaction', payment), 201)
  const paidBack: string[] = []
  for (const lines of [[{ lineItem: 0, quantity: 1 }], undefined]) {
    const { refund: one } = succeeded(await refund(call, order, { lines }), 201)
    paidBack.push(one.summary.total, ...one.payment.map(({ amount }: Body) => amount))
  }
  assert.deepEqual(paidBack, ['60.00', '10.00', '60.00', '60.00'])
})

test('a line without any amount leaves the price of the others as it is, and its own comes back with the rest', async () => {
  const { call } = await service.company()
  const lineItems = [{ name: 'Cup', price: '10.00', taxes: [rate] }, { name: 'Gift' }]
  for (const [total, rest] of [
    ['12.00', undefined],
    ['15.00', ['3.00', '3.00']],
  ] as const) {
    // biome-ignore format: a table
    const payments = [{ paymentMethod: 'cash', amount: total }]
    const { order } = succeeded(await call('POST', '/v1/sale', { lineItems, summary: { total }, payments }), 201)
    refused(await refund(call, order, { lines: [{ lineItem: 1 }] }), 409, 'conflict', '/lines/0/lineItem')
    assert.deepEqual(await sumsOf(call, order, [{ lineItem: 0 }]), ['12.00', '2.00', '2.00'])
    if (rest === undefined) continue
    const { summary } = succeeded(await refund(call, order), 201).refund
    assert.deepEqual([summary.subTotal, summary.total], rest)
  }
  const { groups } = await report(call, 'groupBy=employee')
  assert.equal(groups[0].refundedFees, '0.00')
})
