// Sales by what orders consist of: payments, lines with costs, margins and discounts, and the value of the stock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { until } from './support/program.ts'
import { made, report } from './support/report-groups.ts'
import { sharedService } from './support/service.ts'
import { newTill } from './support/tills.ts'

const service = sharedService()

test('payments are grouped by method, also by what only their orders say', async () => {
  const { call } = await service.company()
  const { id: orderId } = await made(call, '/v1/order', { stationId: 'till-1', summary: { total: '15.00' } })
  const pay = (amount: string, paymentMethod: string, more: Body) =>
    made(call, '/v1/transaction', { amount, paymentMethod, ...more })
  await pay('10.00', 'cash', { orderId, outletId: 'here' })
  await pay('5.01', 'cash', { outletId: 'here' })
  await pay('2.00', 'cash', { orderId, type: 'refund' })
  await pay('7.00', 'credit_card', { type: 'void' })
  await pay('1000', 'cash', { currency: 'JPY' })
  const cash = { paymentMethod: 'cash', currency: 'EUR', paid: '15.01', refunded: '2.00', count: 2, average: '7.51' }
  const yen = { paymentMethod: 'cash', currency: 'JPY', paid: '1000', refunded: '0', count: 1, average: '1000' }
  assert.deepEqual((await report(call, 'groupBy=paymentMethod')).groups, [cash, yen])
  const { groups } = await report(call, 'groupBy=paymentMethod,stationId')
  assert.deepEqual(
    groups.map(({ stationId, paid, refunded }: Body) => [stationId, paid, refunded]),
    [
      ['till-1', '10.00', '2.00'],
      [null, '5.01', '0.00'],
      [null, '1000', '0'],
    ],
  )
})

test('lines have costs and margins by the cost of their variants, and categories by their products', async () => {
  const { call } = await service.company()
  const tea = await made(call, '/v1/product', { name: 'Tea', categories: ['hot', 'all'] })
  const green = await made(call, '/v1/variant', { productId: tea.id, costPrice: 1.25 })
  const black = await made(call, '/v1/variant', { productId: tea.id })
  const sold = (variantId: string, quantity: number, total: string) => ({
    productId: tea.id,
    variantId,
    quantity,
    total,
  })
  await made(call, '/v1/order', { lineItems: [sold(green.id, 3, '9.00'), sold(black.id, 1, '4.00')] })
  await made(call, '/v1/order', { currency: 'CHF', lineItems: [sold(green.id, 1, '5.00')] })
  const [own, francs] = (await report(call, 'groupBy=categoryId')).groups
  assert.deepEqual([own.categoryId, own.netSales, own.cost, own.margin], ['hot', '13.00', '3.75', '5.25'])
  assert.deepEqual(
    [francs.currency, francs.netSales, francs.cost, francs.margin],
    ['CHF', '5.00', undefined, undefined],
  )
  await call('PATCH', `/v1/variant/${green.id}`, { costPrice: 2 })
  assert.equal((await report(call, 'groupBy=productId')).groups[0].cost, '6.00')
})

test('a chunk of more products than are read at once is read whole, from the records and from its sums', async () => {
  const { id, call } = await service.company()
  const products = Array.from({ length: 11_000 }, (_, n) => ({ productId: `p${n}`, quantity: 1, total: `${n}.00` }))
  const occurredAt = new Date().toISOString()
  const items = Array.from({ length: 11 }, (_, n) => ({
    occurredAt,
    lineItems: products.slice(n * 1000, n * 1000 + 1000),
  }))
  assert.equal((await call('POST', '/v1/orders', { items })).body.summary.succeeded, 11)
  const { groups } = await report(call, 'groupBy=productId')
  const sold = new Map(groups.map(({ productId, netSales }: Body) => [productId, netSales]))
  assert.deepEqual(sold, new Map(products.map(({ productId, total }) => [productId, total])))
  await until('the chunk is summed', async () => {
    const rows = await service.database.query(
      `select from sum_buckets where company_id = $1 and size = 1 and not is_dirty and cardinality(product) > 1`,
      [id],
    )
    return rows.length > 0
  })
  assert.deepEqual((await report(call, 'groupBy=productId')).groups, groups)
})

test('what a line without a subtotal costs before its discount is rounded as its total is', async () => {
  const { call } = await service.company()
  const line = { productId: 'cheese', price: '25.84', quantity: 0.333, discount: { itemDiscount: { amount: '1.60' } } }
  await made(call, '/v1/order', { lineItems: [{ ...line, total: '7.00' }], summary: { discountTotal: '1.60' } })
  const [{ grossSales, discounts, netSales }] = (await report(call, 'groupBy=productId')).groups
  assert.deepEqual([grossSales, discounts, netSales], ['8.60', '1.60', '7.00'])
})

test('refunds of lines without a product, and of custom sales, are in the group of their sales', async () => {
  const { call } = await service.company()
  const lineItems = [{ name: 'Repair', price: '20.00' }, { name: 'Parts', price: '5.00' }, { productId: '1', variantId: 'v', price: '1.00' }] // biome-ignore format: one thought
  const { order } = await made(call, '/v1/sale', { lineItems, customSales: [{ name: 'Wrap', price: '2.00' }] })
  await made(call, `/v1/sale/${order.id}/refund`, {})
  const { groups } = await report(call, 'groupBy=productId')
  assert.deepEqual(
    groups.map(({ productId, netSales, refunded }: Body) => [productId, netSales, refunded]),
    [
      [null, '27.00', '27.00'],
      ['1', '1.00', '1.00'],
    ],
  )
})

test('what only the summary says counts in a line without a product', async () => {
  const { call } = await service.company()
  const summary = {
    subTotal: '20.00',
    discountTotal: '2.00',
    totalTaxes: '3.00',
    isTaxInclusive: true,
    tip: { amount: '1.00' },
    total: '19.00',
  }
  await made(call, '/v1/order', { summary })
  await made(call, '/v1/order', { lineItems: [{ productId: 'p', price: '10.00', quantity: 2 }], summary })
  const sums = {
    grossSales: '20.00',
    discounts: '2.00',
    netSales: '15.00',
    tax: '3.00',
    tips: '1.00',
    refunded: '0.00',
  }
  const [none, named] = (await report(call, 'groupBy=productId')).groups.toReversed()
  assert.deepEqual([none.productId, named.productId].sort(), [null, 'p'].sort())
  const { groups } = await report(call, 'groupBy=outletId')
  assert.deepEqual(groups, [
    {
      outletId: null,
      outletName: null,
      currency: 'EUR',
      grossSales: '40.00',
      discounts: '4.00',
      netSales: '30.00',
      tax: '6.00',
      tips: '2.00',
      shipping: '0.00',
      fees: '0.00',
      totalSales: '38.00',
      cashRounding: '0.00',
      refunded: '0.00',
      refundedNet: '0.00',
      refundedTax: '0.00',
      refundedTips: '0.00',
      refundedShipping: '0.00',
      refundedFees: '0.00',
      refundedCashRounding: '0.00',
      quantity: 2,
      refundedQuantity: 0,
      count: 2,
      average: '15.00',
    },
  ])
  const { id: orderId } = await made(call, '/v1/order', { outletId: 'o', summary })
  await made(call, '/v1/refund', { orderId, lineItems: [], summary: { total: '19.00' } })
  const back = (await report(call, 'groupBy=outletId')).groups.find(({ outletId }: Body) => outletId === 'o')
  assert.deepEqual(
    { ...sums, refunded: '19.00' },
    Object.fromEntries(Object.keys(sums).map((name) => [name, back[name]])),
  )
})

test('a sale whose lines have no amounts counts with its total, as its refund and X do', async () => {
  const { call, opened, made, report: sessionReport } = await newTill(service)
  const sessionId = await opened()
  const summary = { total: '12.50', tip: { amount: '1.00' }, shippingTotal: '2.00', totalTaxes: '1.50' }
  const lineItems = [{ productId: 'p', variantId: 'v', quantity: 2 }]
  const { order } = await made('/v1/sale', { sessionId, lineItems, summary })
  await made('/v1/order', { sessionId, status: 'completed', lineItems, cartDiscount: { amount: '1.00' }, summary: { total: '9.00' } }) // biome-ignore format: one thought
  // What lines name beside their amounts counts with them.
  const named = [{ productId: 'p', totalTax: '2.00', discount: { cartDiscount: { amount: '1.00' } } }]
  await made('/v1/order', { sessionId, status: 'completed', lineItems: named, summary: { total: '11.00' } })
  await made('/v1/refund', { orderId: order.id, sessionId, lineItems, summary })
  for (const groupBy of ['outletId', 'productId', 'taxRate']) {
    const { groups } = await report(call, `groupBy=${groupBy}`)
    const sumOf = (name: string) => groups.reduce((sum: number, group: Body) => sum + Number(group[name]), 0)
    assert.deepEqual(
      ['grossSales', 'discounts', 'netSales', 'tax', 'totalSales', 'refunded', 'quantity'].map(sumOf),
      [28, 2, 26, 3.5, 32.5, 12.5, 5],
    )
  }
  const [figures] = (await sessionReport(sessionId)).figures
  assert.deepEqual([figures.sales, figures.refunds], ['32.50', '12.50'])
})

test('delivery and fees of records are in sums of their own, also where only the total has them', async () => {
  const { call } = await service.company()
  const fees = { cartFees: [{ name: 'Card', amount: 0.5 }, 'none'], lineItems: [{ productId: 'p', total: '3.00', fee: { amount: '0.25' } }] } // biome-ignore format: one thought
  const { id } = await made(call, '/v1/order', { ...fees, summary: { shippingTotal: '4.00', total: '7.75' } })
  await made(call, '/v1/order', { cartFees: [{ amount: '1.00' }], summary: { shippingTotal: '2.00', total: '13.00' } })
  await made(call, '/v1/refund', { orderId: id, lineItems: [{ productId: 'p', variantId: 'v', total: '-3.00' }], summary: { shippingTotal: '-4.00', total: '-7.75' } }) // biome-ignore format: one thought
  const shown = async (groupBy: string) =>
    (await report(call, `groupBy=${groupBy}`)).groups.map(
      ({ netSales, shipping, fees, totalSales, refunded, refundedShipping, refundedFees }: Body) =>
        [netSales, shipping, fees, totalSales, refunded, refundedShipping, refundedFees], // biome-ignore format: one thought
    )
  assert.deepEqual(await shown('day'), [['13.00', '6.00', '1.75', '20.75', '7.75', '4.00', '0.75']])
  assert.deepEqual(await shown('productId'), [
    ['10.00', '6.00', '1.75', '17.75', '4.75', '4.00', '0.75'],
    ['3.00', '0.00', '0.00', '3.00', '3.00', '0.00', '0.00'],
  ])
  await call('PATCH', `/v1/order/${id}`, { cartFees: [] })
  assert.deepEqual((await shown('day'))[0][2], '1.25')
})

test('a negative tip, which is a rebate, counts against the sale, and against its refund', async () => {
  const { call } = await service.company()
  const sold = { lineItems: [{ price: '10.00' }], summary: { tip: { amount: '-3.00' } } }
  const { order } = await made(call, '/v1/sale', sold)
  await made(call, `/v1/sale/${order.id}/refund`, {})
  const [{ tips, totalSales, refunded, refundedTips, refundedFees }] = (await report(call, 'groupBy=day')).groups
  assert.deepEqual([tips, totalSales, refunded, refundedTips, refundedFees], ['-3.00', '7.00', '7.00', '-3.00', '0.00'])
})

test('what rounding took off a price does not count as a discount; what the price was lowered by does', async () => {
  const { call } = await service.company()
  const customSales = [{ name: 'Repair', price: '35.50', quantity: 0.25 }]
  assert.equal((await call('POST', '/v1/sale', { customSales })).status, 201)
  const lineItems = [{ productId: 'p', price: '3.333', quantity: 3, total: '10.00' }]
  await made(call, '/v1/order', { lineItems, customSales: [{ price: '5.00', total: '4.00' }] })
  const [all] = (await report(call, 'groupBy=outletId')).groups
  assert.deepEqual([all.grossSales, all.discounts, all.netSales], ['23.88', '1.00', '22.88'])
})

test('only an amount below the smallest unit of the currency is rounding, whichever way a till rounds', async () => {
  const { call } = await service.company()
  const sold = (currency: string | undefined, price: string, total: string, quantity = 1) =>
    made(call, '/v1/order', { currency, lineItems: [{ price, quantity, total }], summary: { total } })
  await sold('EUR', '10.40', '10')
  await sold('EUR', '10.395', '10.39')
  await sold('EUR', '0.125', '0.120')
  await sold('JPY', '3.50', '10', 3)
  await sold('JPY', '3.50', '9', 3)
  await sold('KWD', '1.2345', '1.234')
  await sold('KWD', '1.239', '1.23')
  const { groups } = await report(call, 'groupBy=outletId')
  assert.deepEqual(
    groups.map(({ currency, grossSales, discounts }: Body) => [currency, grossSales, discounts]).sort(),
    [
      ['EUR', '20.915', '0.405'],
      ['JPY', '21', '2'],
      ['KWD', '2.473', '0.009'],
    ],
  )
  // Without a currency, the total says how finely it is paid.
  const other = await service.company()
  const summary = { total: '10.00' }
  await made(other.call, '/v1/order', { lineItems: [{ price: '10.40', total: '10' }], summary })
  const [all] = (await report(other.call, 'groupBy=outletId')).groups
  assert.deepEqual([all.grossSales, all.discounts], ['10.40', '0.40'])
})

test('the amount by which a sale was rounded to whole units is not a discount, if the sale says that nothing was discounted', async () => {
  const { call } = await service.company()
  /** As sales in forints were stored before they had fillér, and as tills store them that have none. */
  const sold = (price: string, total: string, more: Body) =>
    made(call, '/v1/order', {
      currency: 'HUF',
      customSales: [{ price, quantity: 1, total }],
      summary: { total, ...more },
    })
  await sold('12.50', '13', { discountTotal: '0' })
  await sold('662.67', '662', { discountTotal: '0.00' })
  await sold('12.50', '12.00', { discountTotal: '0' })
  await sold('12.50', '12', { discountTotal: '0.50' })
  await sold('12.50', '10', { discountTotal: '0' })
  await sold('12.50', '12', {})
  const [all] = (await report(call, 'groupBy=outletId')).groups
  assert.deepEqual([all.grossSales, all.discounts, all.netSales], ['725.00', '4.00', '721.00'])
  // A sale computes the `subTotal` that a till leaves out, which has fillér.
  const lineItems = [{ productId: 'tea', price: '33.30', quantity: 3, total: '100' }]
  await made(call, '/v1/sale', { currency: 'HUF', lineItems, summary: { total: '100' } })
  const { groups } = await report(call, 'groupBy=productId')
  const tea = groups.find(({ productId }: Body) => productId === 'tea')
  assert.deepEqual([tea.grossSales, tea.discounts, tea.netSales], ['100.00', '0.00', '100.00'])
})

test('the value of the stock is that of its units at cost and at current prices, by outlet', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const product = await made(call, '/v1/product', { name: 'Tea' })
  const outlet = await made(call, '/v1/outlet', { name: 'Main Street' })
  const stocked = async (variant: Body, outletId: string, stock: number) => {
    const { id: variantId } = await made(call, '/v1/variant', { productId: product.id, ...variant })
    await made(call, '/v1/inventory', { variantId, outletId, stock })
  }
  await stocked({ manageStock: true, costPrice: 1.1, price: 3, salePrice: 2.5, isOnSale: true }, outlet.id, 10)
  await stocked({ manageStock: true, price: 4 }, outlet.id, 0.5)
  await stocked({ manageStock: true, costPrice: 2, allowBackorder: true }, 'elsewhere', -3)
  await stocked({ manageStock: true, costPrice: 2, price: 5 }, 'elsewhere', 1)
  await stocked({ costPrice: 100 }, outlet.id, 7)
  // On sale without a reduced price: it has no current price, as in the range of its product and in a sale.
  await stocked({ manageStock: true, price: 9, isOnSale: true }, outlet.id, 2)
  const here = { levels: 3, units: 12.5, cost: '11.00', retail: '27.00' }
  const there = { levels: 1, units: 1, cost: '2.00', retail: '5.00' }
  const { body } = await call('GET', '/v1/reports/stock-value')
  assert.deepEqual(body, {
    currency: 'EUR',
    totals: { levels: 4, units: 13.5, cost: '13.00', retail: '32.00' },
    outlets: [
      { outletId: outlet.id, outletName: 'Main Street', ...here },
      { outletId: 'elsewhere', ...there },
    ],
  })
  const none = { levels: 0, units: 0, cost: '0.00', retail: '0.00' }
  assert.deepEqual((await other.call('GET', '/v1/reports/stock-value')).body, {
    currency: 'EUR',
    totals: none,
    outlets: [],
  })
})
