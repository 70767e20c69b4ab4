// Orders as tills and web shops write them, with lines that leave something open: refunds, X, Z and reports read each in one way.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomOf } from '../faults/random.ts'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { report } from './support/report-groups.ts'
import { written } from './support/sales.ts'
import { type Caller, sharedService } from './support/service.ts'
import { newTill } from './support/tills.ts'

const service = sharedService()
const rate = { name: 'VAT', percentage: 20 }

test('a tax of lines that have different rates, which only the summary names, is at these in refunds, X and reports, with the net of its lines', async () => {
  for (const [price, isTaxInclusive, total, taxes, nets] of [
    ['10.00', undefined, '22.70', ['2.00', '0.70'], ['10.00', '10.00']],
    ['10.00', true, '20.00', ['1.67', '0.65'], ['8.33', '9.35']],
    ['10.00', undefined, '20.00', ['1.67', '0.65'], ['8.33', '9.35']],
  ] as const) {
    // biome-ignore format: a table
    const { call, opened, report: sessionReport } = await newTill(service)
    const sessionId = await opened()
    const lineItems = taxes.map((totalTax, n) => ({ productId: `p${n}`, name: 'Cup', price, totalTax }))
    const named = [{ ...rate, amount: taxes[0] }, { name: 'Low', percentage: 7, amount: taxes[1] }] // biome-ignore format: one thought
    const summary = { total, isTaxInclusive, taxes: named }
    const order = await written(call, { sessionId, lineItems, summary })
    for (const [lineItem, tax] of named.entries()) {
      const { refund: back } = succeeded(
        await call('POST', `/v1/sale/${order.id}/refund`, { sessionId, lines: [{ lineItem }] }),
        201,
      )
      assert.deepEqual(back.summary.taxes, [tax])
    }
    const [figures] = (await sessionReport(sessionId)).figures
    const rated = [[20, nets[0], taxes[0], nets[0], taxes[0]], [7, nets[1], taxes[1], nets[1], taxes[1]]] // biome-ignore format: one thought
    assert.deepEqual(
      figures.taxes.map(({ percentage, net, tax, refundedNet, refundedTax }: Body) => [percentage, net, tax, refundedNet, refundedTax]).toSorted(),
      rated,
    ) // biome-ignore format: one thought
    const { groups } = await report(call, 'groupBy=taxRate')
    assert.deepEqual(
      groups.map(({ taxRate, netSales, tax }: Body) => [taxRate, netSales, tax]).toSorted(),
      rated.map((sums) => sums.slice(0, 3)),
    )
  }
})

test('a line without a total costs its subtotal, or its price if the order adds up only then: in refunds, X and reports', async () => {
  for (const [summary, cost] of [
    [{ total: '24.00' }, '12.00'],
    [{ total: '30.00' }, '15.00'],
    [{ total: '27.00' }, '12.00'],
    [{ total: '36.00', taxes: [{ ...rate, amount: '6.00' }] }, '15.00'],
  ] as const) {
    // biome-ignore format: a table
    const { call, opened, report: sessionReport } = await newTill(service)
    const sessionId = await opened()
    const lineItems = ['cup', 'mug'].map((name) => ({ productId: name, name, price: '15.00', subTotal: '12.00' }))
    const order = await written(call, { sessionId, lineItems, summary })
    const { refund: back } = succeeded(
      await call('POST', `/v1/sale/${order.id}/refund`, { lines: [{ lineItem: 0 }] }),
      201,
    )
    assert.equal(back.lineItems[0].total, cost)
    const { groups } = await report(call, 'groupBy=productId')
    assert.deepEqual(
      groups.filter(({ productId }: Body) => productId).map(({ netSales }: Body) => netSales),
      [cost, cost],
    )
    const [{ categories }] = (await sessionReport(sessionId)).figures
    assert.equal(categories[0].sales, (Number(cost) * 2).toFixed(2))
  }
})

test('a discount that the totals of lines already have, and only the summary names, is taken off once in reports', async () => {
  const { call, opened, report: sessionReport } = await newTill(service)
  const sessionId = await opened()
  const lineItems = [{ productId: 'p', name: 'Cup', total: '30.00' }]
  const summary = { total: '36.00', discountTotal: '10.00', totalTaxes: '6.00' }
  await written(call, { sessionId, lineItems, summary })
  const { groups } = await report(call, 'groupBy=employee')
  const { grossSales, discounts, netSales, tax, totalSales } = groups[0]
  assert.deepEqual([grossSales, discounts, netSales, tax, totalSales], ['40.00', '10.00', '30.00', '6.00', '36.00'])
  const [figures] = (await sessionReport(sessionId)).figures
  assert.deepEqual([figures.sales, figures.discounts, figures.tax], ['36.00', '10.00', '6.00'])
})

test('a discount that makes a line’s total less by a rounded amount is that of the line, and no other line comes back for less', async () => {
  const { call, opened } = await newTill(service)
  const sessionId = await opened()
  const lineItems = [
    { productId: 'a', name: 'Cup', price: '20.00', total: '20.00' },
    { productId: 'b', name: 'Tea', price: '12.75', quantity: 0.5, total: '6.38' },
    { productId: 'c', name: 'Mug', price: '12.00', total: '10.00' },
  ]
  const order = await written(call, { sessionId, lineItems, summary: { discountTotal: '2.00', total: '36.38' } })
  const { refund } = succeeded(await call('POST', `/v1/sale/${order.id}/refund`, { lines: [{ lineItem: 0 }] }), 201)
  assert.equal(refund.summary.total, '20.00')
})

test('a line with two prices that adds up at its price has its discount once: in refunds and reports', async () => {
  const { call, opened } = await newTill(service)
  const sessionId = await opened()
  const discount = { itemDiscount: { amount: '3.00' } }
  const lineItems = [{ productId: 'p', name: 'Cup', price: '15.00', subTotal: '12.00', discount }]
  const order = await written(call, { sessionId, lineItems, summary: { discountTotal: '3.00', total: '12.00' } })
  const { groups } = await report(call, 'groupBy=employee')
  const { grossSales, discounts, totalSales } = groups[0]
  assert.deepEqual([grossSales, discounts, totalSales], ['15.00', '3.00', '12.00'])
  const { refund } = succeeded(await call('POST', `/v1/sale/${order.id}/refund`, { lines: [{ lineItem: 0 }] }), 201)
  assert.deepEqual([refund.summary.subTotal, refund.summary.discountTotal, refund.summary.total], ['15.00', '3.00', '12.00']) // biome-ignore format: one thought
})

test('an order and a refund without a total come to what their lines do, in X as in reports', async () => {
  const { call, made, opened, report: sessionReport } = await newTill(service)
  const sessionId = await opened()
  const vat = (amount?: string) => [{ name: 'VAT', percentage: 10, amount }]
  const cup = { productId: 'p', price: '10.00', taxes: vat('1.00') }
  const { id: orderId } = await made('/v1/order', { sessionId, status: 'completed', lineItems: [cup] })
  await made('/v1/order', { sessionId, status: 'completed', lineItems: [{ ...cup, taxes: vat() }] })
  await made('/v1/refund', { sessionId, orderId, summary: {}, lineItems: [{ ...cup, variantId: 'v', quantity: 1 }] })
  const { sales, refunds } = (await sessionReport(sessionId)).figures[0]
  const [{ totalSales, refunded }] = (await report(call, 'groupBy=sessionId')).groups
  assert.deepEqual([sales, refunds, totalSales, refunded], ['22.00', '11.00', '22.00', '11.00'])
})

const { below } = randomOf(20, 'orders')
const oneOf = <T>(...values: T[]): T => values[below(values.length)] as T
const maybe = <T>(value: T): T | undefined => oneOf(value, undefined)
const sumOf = (amounts: number[]) => amounts.reduce((sum, amount) => sum + amount, 0)

const decimals = { EUR: 2, JPY: 0, KWD: 3 } as const
type Currency = keyof typeof decimals
/** A text of units of a currency, and back in thousandths. */
const money = (units: number, currency: Currency) => (units / 10 ** decimals[currency]).toFixed(decimals[currency])
const thousandths = (text = '0') => Math.round(Number(text) * 1000)

/** An order that adds up, with the cash that was paid for it, and without some of the members that follow from others. */
function oddOrder(currency: Currency, coin: number): { order: Body; paid: string } {
  const isTaxInclusive = oneOf(true, false)
  const onAll = oneOf<number | undefined>(undefined, 20, 7, 0)
  const lines = Array.from({ length: 1 + below(3) }, () => {
    const price = 10 + below(3_000)
    const quantity = oneOf(1, 2, 3)
    const total = price * quantity - oneOf(0, 0, Math.floor((price * quantity) / 4))
    const percentage = onAll ?? oneOf(20, 7, 0)
    const tax = Math.round((total * percentage) / (isTaxInclusive ? 100 + percentage : 100))
    return { price, quantity, listed: price * quantity, total, percentage, tax }
  })
  const text = (units: number) => money(units, currency)
  const extras = { tip: oneOf(0, 2, 150), shipping: oneOf(0, 490), fee: oneOf(0, 50) }
  const tax = sumOf(lines.map(({ tax }) => tax))
  const total = sumOf([...lines.map(({ total }) => total), isTaxInclusive ? 0 : tax, ...Object.values(extras)])
  const named = (percentage: number, amount?: number) => ({ name: `VAT ${percentage}`, percentage, amount: amount === undefined ? undefined : text(amount) }) // biome-ignore format: one thought
  const rates = [...Map.groupBy(lines, ({ percentage }) => percentage)].map(([percentage, own]) => named(percentage, sumOf(own.map(({ tax }) => tax)))) // biome-ignore format: one thought
  const taxes = oneOf('whole', 'bare', 'open', 'summary')
  const price = oneOf('all', 'price', 'total', 'subTotal', 'both')
  const lineItems = lines.map((line, n) => ({
    productId: `p${n}`,
    quantity: line.quantity,
    price: ['all', 'price', 'both'].includes(price) ? text(line.price) : undefined,
    subTotal: ['all', 'subTotal'].includes(price) ? text(line.listed) : price === 'both' ? text(line.total) : undefined,
    total: ['all', 'total'].includes(price) ? text(line.total) : undefined,
    discount: price !== 'both' && line.listed > line.total ? { itemDiscount: { amount: text(line.listed - line.total) } } : undefined, // biome-ignore format: one thought
    totalTax: taxes === 'bare' ? text(line.tax) : undefined,
    taxes: { whole: [named(line.percentage, line.tax)], open: [named(line.percentage)], bare: undefined, summary: undefined }[taxes], // biome-ignore format: one thought
  }))
  const paid = coin === 0 || currency !== 'EUR' ? total : Math.round(total / coin) * coin
  const summary = {
    total: text(total),
    isTaxInclusive: maybe(isTaxInclusive),
    totalTaxes: maybe(text(tax)),
    taxes: taxes === 'whole' || taxes === 'open' ? maybe(rates) : rates,
    tip: { amount: text(extras.tip) },
    shippingTotal: text(extras.shipping),
    cashRounding: paid === total ? undefined : text(paid - total),
  }
  return { order: { currency, lineItems, cartFees: [{ amount: text(extras.fee) }], summary }, paid: text(paid) }
}

/** Refunds an order: each line and then the rest, or all at once. Returns its refunds. */
async function refundParts(call: Caller, { id, lineItems }: Body, sessionId: string): Promise<Body[]> {
  const refunds: Body[] = []
  const parts = oneOf(true, false) ? lineItems.map((_: Body, lineItem: number) => ({ lines: [{ lineItem }] })) : []
  for (const part of [...parts, {}]) {
    if ((await call('GET', `/v1/order/${id}`)).body.status === 'refunded') break
    refunds.push(succeeded(await call('POST', `/v1/sale/${id}/refund`, { ...part, sessionId }), 201).refund)
  }
  return refunds
}

test('whatever an order leaves open, its refunds are paid back what was paid, with its tip, delivery and taxes; X, Z and reports agree', async () => {
  for (const coin of [0, 5, 100, 0, 5, 100]) {
    const { call, opened, report: sessionReport, closed } = await newTill(service)
    if (coin > 0) succeeded(await call('PATCH', '/v1/settings', { cashRounding: money(coin, 'EUR') }))
    const sessionId = await opened({ openTime: new Date().toISOString() })
    for (let n = 0; n < 12; n++) {
      const { order: odd, paid } = oddOrder(oneOf('EUR', 'JPY', 'KWD'), coin)
      const order = await written(call, { ...odd, sessionId }, paid)
      const refunds = await refundParts(call, order, sessionId)
      const back = (amountOf: (refund: Body) => string | undefined) => sumOf(refunds.map((one) => thousandths(amountOf(one)))) // biome-ignore format: one thought
      const { status, refunded } = succeeded(await call('GET', `/v1/order/${order.id}`))
      const { total, tip, shippingTotal } = order.summary
      assert.deepEqual([status, thousandths(refunded)], ['refunded', thousandths(paid)], JSON.stringify(odd))
      assert.equal(back(({ summary }) => summary.total), thousandths(total), JSON.stringify(odd)) // biome-ignore format: one thought
      assert.equal(back(({ summary }) => summary.tip?.amount), thousandths(tip.amount), JSON.stringify(odd)) // biome-ignore format: one thought
      assert.equal(back(({ summary }) => summary.shippingTotal), thousandths(shippingTotal), JSON.stringify(odd)) // biome-ignore format: one thought
    }
    const { figures } = await sessionReport(sessionId)
    const { groups: whole } = await report(call, 'groupBy=sessionId')
    const { groups: rates } = await report(call, 'groupBy=taxRate')
    for (const { currency, sales, tips, shipping, tax, refunds, refundedTips, refundedShipping, taxes } of figures) {
      const sums = whole.find((group: Body) => group.currency === currency)
      if (sums === undefined) continue
      const { totalSales, refunded, tips: ofOrders, shipping: delivery, tax: ofRates } = sums
      assert.deepEqual(
        [sales, refunds, tips, refundedTips, shipping, refundedShipping, tax],
        [totalSales, refunded, ofOrders, sums.refundedTips, delivery, sums.refundedShipping, ofRates],
      )
      for (const { taxRate, netSales, tax, refundedTax: back } of rates.filter(
        (group: Body) => group.currency === currency && group.taxRate !== null,
      )) {
        // biome-ignore format: one thought
        const { net, tax: own, refundedNet, refundedTax } = taxes.find(({ percentage }: Body) => percentage === taxRate)
        assert.deepEqual([net, own, refundedNet, refundedTax, back], [netSales, tax, netSales, tax, tax])
      }
    }
    assert.deepEqual((await closed(sessionId)).figures, figures)
  }
})
