// A day of a till in currencies with no, two, three and four decimals: sales, refunds, cash rounding, reports and the
// closing, compared with sums in integers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { assertProblem } from './support/problem.ts'
import { sharedService } from './support/service.ts'
import { newTill } from './support/tills.ts'

const service = sharedService()

/** A part of units, rounded half up. */
const part = (units: bigint, times: number, of: number): bigint =>
  (2n * units * BigInt(times) + BigInt(of)) / (2n * BigInt(of))
const nearest = (units: bigint, coin: bigint): bigint => part(units, 1, Number(coin)) * coin

/** Currencies with the decimals of ISO 4217, two prices of each, its smallest coin, and what a customer hands over. */
const currencies = [
  { currency: 'HUF', decimals: 2, prices: ['1990.50', '12.50'], coin: '5.00', given: '1000.00' },
  { currency: 'LAK', decimals: 2, prices: ['25000.25', '1500.75'], coin: '500.00', given: '20000.00' },
  { currency: 'IQD', decimals: 3, prices: ['1990.505', '1.255'], coin: '0.250', given: '1000.000' },
  { currency: 'JPY', decimals: 0, prices: ['1990', '13'], coin: '5', given: '1000' },
  { currency: 'CLF', decimals: 4, prices: ['1.2345', '0.0101'], coin: '0.0005', given: '2.0000' },
] as const

/** A till in a currency, which has decimals whatever `Intl` says, and amounts in it as integers and texts. */
async function tillIn({ currency, decimals, coin }: (typeof currencies)[number]) {
  const till = await newTill(service)
  succeeded(await till.call('PATCH', `/v1/organization-api/companies/${till.id}`, { currency }))
  succeeded(await till.call('PATCH', '/v1/settings', { cashRounding: coin }))
  const scale = 10n ** BigInt(decimals)
  const units = (text: string): bigint => BigInt(text.replace('.', ''))
  const text = (units: bigint): string => {
    const size = units < 0n ? -units : units
    const fraction = decimals === 0 ? '' : `.${String(size % scale).padStart(decimals, '0')}`
    return `${units < 0n ? '-' : ''}${size / scale}${fraction}`
  }
  return { ...till, units, text, openingAmount: text(100n * scale) }
}

for (const one of currencies)
  test(`a day in ${one.currency} is exact in ${one.decimals} decimals: sales, refunds, cash, reports and the closing`, async () => {
    const { call, made, opened, closed, report, stationId, units, text, openingAmount } = await tillIn(one)
    const sessionId = await opened({ openingAmount })
    const [weighed, piece] = one.prices
    const at = { sessionId, stationId, outletId: 'o' }
    const rate = (percentage: number) => [{ name: 'VAT', percentage }]

    // A third of a kilogram and three pieces, with tax on top, paid in cash.
    const lines = [part(units(weighed), 333, 1000), 3n * units(piece)] as const
    const taxes = [part(lines[0], 27, 100), part(lines[1], 5, 100)] as const
    const total = lines[0] + lines[1] + taxes[0] + taxes[1]
    const cash = nearest(total, units(one.coin))
    const sold = await made('/v1/sale', {
      ...at,
      check: 'strict',
      lineItems: [
        { productId: 'weighed', price: weighed, quantity: 0.333, taxes: rate(27) },
        { productId: 'piece', price: piece, quantity: 3, taxes: rate(5) },
      ],
      payments: [{ paymentMethod: 'cash', amount: one.given }],
    })
    assert.deepEqual(
      sold.order.lineItems.map(({ subTotal, total, totalTax }: Body) => [subTotal, total, totalTax]),
      [0, 1].map((n) => [text(lines[n] as bigint), text(lines[n] as bigint), text(taxes[n] as bigint)]),
    )
    assert.deepEqual(
      [sold.order.summary.total, sold.order.summary.cashRounding ?? text(0n), sold.order.paid, sold.order.due],
      [text(total), text(cash - total), text(cash), text(0n)],
    )
    assert.equal(sold.order.paymentMethods[0].change, text(units(one.given) - cash))

    // The same weighed product, with the tax in its price, paid by card: to the unit, whatever the coins.
    const included = part(units(weighed), 27, 127)
    await made('/v1/sale', {
      ...at,
      check: 'strict',
      lineItems: [{ productId: 'weighed', price: weighed, quantity: 1, taxes: rate(27) }],
      summary: { isTaxInclusive: true, total: weighed },
      payments: [{ paymentMethod: 'credit_card', amount: weighed }],
    })

    // One piece comes back, and then what is left, with what was rounded in cash: together exactly what was paid.
    const path = `/v1/sale/${sold.order.id}/refund`
    const first = units(piece) + part(taxes[1], 1, 3)
    const firstCash = nearest(first, units(one.coin))
    const backOf = async (body: Body) => {
      const { refund, transactions, order } = await made(path, { sessionId, ...body })
      const { total, cashRounding = text(0n) } = refund.summary
      return [total, cashRounding, transactions[0].amount, order.refunded, order.due]
    }
    assert.deepEqual(
      await backOf({ lines: [{ lineItem: 1, quantity: 1 }] }),
      [first, firstCash - first, firstCash, firstCash, 0n].map(text),
    )
    const rest = { total: total - first, cash: cash - firstCash }
    assert.deepEqual(await backOf({}), [rest.total, rest.cash - rest.total, rest.cash, cash, 0n].map(text))

    const reported = async (path: string): Promise<Body> => succeeded(await call('GET', `/v1/reports/${path}`))
    const { totals } = await reported('sales')
    const paid = cash + units(weighed)
    assert.deepEqual([totals.sales, totals.refunds, totals.net], [paid, cash, units(weighed)].map(text))
    const sums = ({ grossSales, discounts, netSales, tax, tips, shipping, fees, totalSales, refunded }: Body) => [grossSales, discounts, netSales, tax, tips, shipping, fees, totalSales, refunded] // biome-ignore format: one thought
    const gross = lines[0] + lines[1] + units(weighed)
    const tax = taxes[0] + taxes[1] + included
    const expected = [gross, 0n, gross - included, tax, 0n, 0n, 0n, gross - included + tax, total].map(text)
    const { groups } = await reported('sales?groupBy=outletId')
    assert.deepEqual(groups.map(sums), [expected])
    const csv = (await call('GET', '/v1/reports/sales?groupBy=outletId&format=csv')).text
    assert.ok(csv.includes([one.currency, ...expected.slice(0, -1)].join(',')), csv)
    const rates = (await reported('taxes')).groups.filter(({ taxRate }: Body) => taxRate !== null)
    assert.deepEqual(Object.fromEntries(rates.map(({ taxRate, netSales, tax }: Body) => [taxRate, [netSales, tax]])), {
      27: [lines[0] + units(weighed) - included, taxes[0] + included].map(text),
      5: [lines[1], taxes[1]].map(text),
    })

    const { figures, balances } = await report(sessionId)
    const [{ sales, tax: taxed, refunds, discounts }] = figures
    assert.deepEqual([sales, taxed, refunds, discounts], [total + units(weighed), tax, total, 0n].map(text))
    const counted = text(units(openingAmount) - 1n)
    const z = await closed(sessionId, { counted: { cash: counted } })
    assert.deepEqual([z.figures, balances.length], [figures, 2])
    assert.deepEqual(z.balances, [
      { currency: one.currency, paymentMethod: 'cash', expected: openingAmount, counted, difference: text(-1n) },
      { currency: one.currency, paymentMethod: 'credit_card', expected: weighed },
    ])
  })

test('a sale in forints that was rounded to whole units is refused if it is strict, and else stored with checks; its refund is what it came to', async () => {
  const { call, made, id } = await newTill(service)
  succeeded(await call('PATCH', `/v1/organization-api/companies/${id}`, { currency: 'HUF' }))
  const sale = {
    lineItems: [{ productId: 'tea', price: '1990', quantity: 0.333, total: '663' }],
    summary: { total: '663' },
    payments: [{ paymentMethod: 'cash', amount: '663' }],
  }
  assertProblem(await call('POST', '/v1/sale', { ...sale, check: 'strict' }), 400, 'validation_failed')
  const { order } = await made('/v1/sale', sale)
  assert.deepEqual(
    order.checks.map(({ pointer, sent, computed }: Body) => [pointer, sent, computed]),
    [
      ['/lineItems/0/total', '663', '662.67'],
      ['/summary/total', '663', '662.67'],
    ],
  )
  const { refund, order: after } = await made(`/v1/sale/${order.id}/refund`, {})
  assert.deepEqual([refund.summary.total, after.refunded, after.due], ['663.00', '663.00', '0.00'])
})
