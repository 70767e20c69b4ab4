// Computing a sale, as pure functions: sums add up to the smallest unit of the currency, whatever is sold and however it is rounded.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { exact, rounded, sumText } from '../src/core/exact.ts'
import { withComputed } from '../src/features/sales/amounts/checked-sums.ts'
import { quoted, refused } from './support/quoted.ts'

const guide = readFileSync(new URL('../../docs/guides/anatomy-of-a-sale.md', import.meta.url), 'utf8')
const units = (amount: string | undefined, digits = 2): bigint =>
  amount === undefined ? 0n : rounded(exact(amount), digits)
const total = <T>(items: readonly T[] | undefined, amountOf: (item: T) => string | undefined, digits = 2): bigint =>
  (items ?? []).reduce((sum, item) => sum + units(amountOf(item), digits), 0n)

/** The sale without any amount that can be computed. */
const bare = (sale: any): any =>
  JSON.parse(
    JSON.stringify(sale, (name, value) =>
      ['subTotal', 'total', 'totalTax', 'totalTaxes', 'discountTotal', 'balance'].includes(name) ? undefined : value,
    ),
  )

/** The body of the guide's order. */
const receipt = () => {
  const [, body = ''] = /ORDER=\$\(made \/v1\/order '(\{[\s\S]*?\n {4}\})'\)/.exec(guide) ?? []
  return JSON.parse(body.replaceAll(/"'\$(\w+)'"/g, '"$1"'))
}

describe('the quote of a sale', () => {
  it('of the receipt in the guide has exactly its numbers', () => {
    const sale = receipt()
    const { computed, checks, totals } = quoted(sale)
    assert.deepEqual(checks, [])
    assert.deepEqual(computed, sale)
    assert.deepEqual([totals.total, totals.due], ['40.46', '40.46'])
    assert.deepEqual(bare(quoted(bare(sale)).computed), bare(sale))
    const paid = quoted({
      ...bare(sale),
      payments: [
        { paymentMethod: 'credit_card', amount: '25.46', tip: { amount: '3.00' } },
        { paymentMethod: 'cash', amount: '20.00' },
      ],
    })
    assert.deepEqual(
      paid.computed.payments.map(({ amount, change }: any) => [amount, change]),
      [
        ['25.46', undefined],
        ['15.00', '5.00'],
      ],
    )
    assert.deepEqual(paid.totals, {
      total: '40.46',
      paid: '40.46',
      due: '0.00',
      change: '5.00',
      cashTotal: '15.00',
      cashRounding: '0.00',
    })
    const gross = quoted({ ...bare(sale), summary: { isTaxInclusive: true, tip: { amount: '3.00' } } }).computed
    assert.deepEqual(
      gross.lineItems.map(({ totalTax }: any) => totalTax),
      ['0.96', '2.25'],
    )
    assert.deepEqual([gross.summary.totalTaxes, gross.summary.total], ['3.21', '36.75'])
  })

  it('lists each amount that was sent and differs, and keeps those that are equal as they were sent', () => {
    const sale = {
      lineItems: [{ price: '10.0', quantity: 2, subTotal: '999.00', total: '20', taxes: [{ percentage: 10 }] }],
      summary: { total: '22.000', totalTaxes: '1.99' },
    }
    const { computed, checks } = quoted(sale)
    assert.deepEqual(checks, [
      { pointer: '/lineItems/0/subTotal', sent: '999.00', computed: '20.00' },
      { pointer: '/summary/totalTaxes', sent: '1.99', computed: '2.00' },
    ])
    assert.deepEqual([computed.lineItems[0].total, computed.summary.total], ['20', '22.000'])
    const { lineItems, summary } = withComputed<any>(sale, computed)
    assert.deepEqual([lineItems[0].subTotal, lineItems[0].totalTax, summary.totalTaxes], ['999.00', '2.00', '1.99'])
  })

  it('is exact at the limits of numbers and currencies', () => {
    const line = (price: string, quantity: number, currency = 'EUR') =>
      quoted({ currency, lineItems: [{ price, quantity }] }).computed.summary.total
    assert.equal(line('0.10', 3), '0.30')
    assert.equal(line('90071992547409.93', 1), '90071992547409.93')
    assert.equal(line('999999999999999', 1), '999999999999999.00')
    assert.equal(line('90071992547409.93', 1.000001), '90072082619402.48')
    assert.equal(line('12.50', 0.333333), '4.17')
    assert.equal(line('0.005', 1), '0.01')
    assert.equal(line('0.005', -1), '-0.01')
    assert.equal(line('0.50', 3, 'JPY'), '2')
    assert.equal(line('0.0125', 3, 'KWD'), '0.038')
    // ISO 4217 counts, and not everyday use, in which rupees and forints have no decimals.
    for (const currency of ['PKR', 'HUF', 'COP', 'IDR', 'XQX']) assert.equal(line('12.505', 1, currency), '12.51')
    assert.equal(line('1.00', 1e-300), '0.00')
    assert.deepEqual(refused({ lineItems: [{ price: '999999999999999', quantity: 2 }] }).slice(0, 1), [
      ['/lineItems/0/subTotal', 'maximum'],
    ])
    const tax = quoted({ lineItems: [{ price: '100.00', taxes: [{ percentage: 0.07 * 100 }] }] })
    assert.equal(tax.computed.summary.totalTaxes, '7.00')
  })

  it('divides a discount on the cart by the largest remainder, or as it was sent if that adds up', () => {
    const lines = (...prices: string[]) => prices.map((price) => ({ price }))
    const parts = (sale: object) =>
      quoted(sale).computed.lineItems.map(({ discount }: any) => discount?.cartDiscount.amount)
    const three = lines('10.00', '10.00', '10.00')
    assert.deepEqual(parts({ lineItems: three, cartDiscount: { amount: '10.00' } }), ['3.34', '3.33', '3.33'])
    assert.deepEqual(parts({ lineItems: lines('1', '3'), cartDiscount: { percentage: 100 } }), ['1.00', '3.00'])
    assert.deepEqual(parts({ lineItems: lines('1', '3'), cartDiscount: { amount: '99' } }), ['1.00', '3.00'])
    const sent = [{ price: '10', discount: { cartDiscount: { amount: '2' } } }, { price: '10' }]
    assert.deepEqual(parts({ lineItems: sent, cartDiscount: { amount: '2.00' } }), ['2', undefined])
    assert.deepEqual(
      parts({ lineItems: [{ price: '20' }, { price: '10', quantity: -1 }], cartDiscount: { amount: '5' } }),
      ['5.00', undefined],
    )
  })

  it('computes taxes on taxes by priority, with prices that contain them or not', () => {
    const taxes = [
      { name: 'Provincial', percentage: 10, compounding: true, priority: 2 },
      { name: 'Federal', percentage: 5, priority: 1 },
    ]
    const of = (isTaxInclusive: boolean, price: string) =>
      quoted({ lineItems: [{ price, taxes }], summary: { isTaxInclusive } }).computed
    assert.deepEqual(
      of(false, '100.00').lineItems[0].taxes.map(({ amount }: any) => amount),
      ['10.50', '5.00'],
    )
    assert.deepEqual(
      of(true, '115.50').lineItems[0].taxes.map(({ amount }: any) => amount),
      ['10.50', '5.00'],
    )
    assert.equal(of(true, '115.50').summary.total, '115.50')
  })

  it('rounds a tax on each line, or once for the receipt with lines that still add up', () => {
    const sale = { lineItems: [1, 2, 3].map(() => ({ price: '0.50', taxes: [{ name: 'VAT', percentage: 5 }] })) }
    assert.equal(quoted(sale).computed.summary.totalTaxes, '0.09')
    const { lineItems, summary } = quoted(sale, { taxRounding: 'receipt' }).computed
    assert.deepEqual(
      [lineItems.map(({ totalTax }: any) => totalTax), summary.totalTaxes],
      [['0.03', '0.03', '0.02'], '0.08'],
    )
  })

  it('takes the rates of a table where a line sends none, and whether prices contain tax', () => {
    const table = { id: 't1', name: 'Standard', isTaxInclusive: true, rates: [{ name: 'VAT', percentage: 20 }] }
    const taxTables = new Map([['beans', table]])
    const sale = {
      lineItems: [
        { productId: 'beans', price: '12.00' },
        { productId: 'beans', price: '1.00', taxes: [] },
      ],
    }
    const { lineItems, summary } = quoted(sale, { taxTables }).computed
    assert.deepEqual(lineItems[0].taxes, [
      { name: 'VAT', percentage: 20, taxTableId: 't1', taxTableName: 'Standard', amount: '2.00' },
    ])
    assert.deepEqual([lineItems[1].totalTax, summary.isTaxInclusive, summary.total], ['0.00', true, '13.00'])
    const others = new Map([
      ['beans', table],
      ['mug', { ...table, isTaxInclusive: false }],
    ])
    const mixed = { lineItems: [...sale.lineItems, { productId: 'mug', price: '1.00' }] }
    assert.deepEqual(refused(mixed, { taxTables: others }), [['/summary/isTaxInclusive', 'required']])
  })

  it('rounds the rest to the smallest coin where it is paid in cash, in the company’s currency only', () => {
    const paid = (currency: string, payments: object[]) =>
      quoted({ currency, lineItems: [{ price: '40.47' }], payments }, { cashRounding: '0.05' })
    const { totals, computed } = paid('EUR', [{ paymentMethod: 'cash', amount: '50.00' }])
    assert.deepEqual(totals, {
      total: '40.47',
      paid: '40.45',
      due: '0.00',
      change: '9.55',
      cashTotal: '40.45',
      cashRounding: '-0.02',
    })
    assert.deepEqual([computed.summary.cashRounding, computed.balance], ['-0.02', '0.00'])
    assert.equal(paid('EUR', [{ paymentMethod: 'credit_card', amount: '40.47' }]).totals.due, '0.00')
    assert.equal(paid('EUR', [{ paymentMethod: 'cash', amount: '20.00' }]).totals.due, '20.47')
    assert.equal(paid('CHF', []).totals.cashTotal, '40.47')
  })

  it('computes a sale without lines, or lines without prices, from the amounts that they have', () => {
    assert.deepEqual(quoted({ summary: { total: '25.00' } }).checks, [])
    assert.equal(quoted({ summary: { total: '25.00', tip: { amount: '5' } } }).computed.summary.subTotal, '20.00')
    const line = { total: '22.50', discount: { itemDiscount: { amount: '2.50' } } }
    assert.deepEqual(quoted({ lineItems: [line], summary: { subTotal: '25.00', total: '22.50' } }).checks, [])
    assert.equal(quoted({ summary: { subTotal: '20.00', totalTaxes: '1' } }).computed.summary.total, '21.00')
  })

  it('adds up to the smallest unit for any sale, and quotes itself without a check', () => {
    const amount = fc.integer({ min: 0, max: 10_000_000 }).map((n) => (n / 1000).toFixed(3))
    const rate = fc.oneof(
      fc.constantFrom(0, 5, 7.7, 8.875, 20),
      fc.integer({ min: 0, max: 100_000 }).map((n) => n / 1000),
    )
    const share = fc.oneof(fc.record({ amount }), fc.record({ percentage: rate }))
    const tax = fc.record(
      {
        name: fc.constantFrom('A', 'B'),
        percentage: rate,
        compounding: fc.boolean(),
        priority: fc.integer({ min: 1, max: 3 }),
      },
      { requiredKeys: ['name', 'percentage'] },
    )
    const line = fc.record(
      {
        price: amount,
        quantity: fc.integer({ min: -3_000_000, max: 9_000_000 }).map((n) => n / 1_000_000),
        taxes: fc.array(tax, { maxLength: 3 }),
        discount: fc.record({ itemDiscount: share }),
        fee: fc.record({ amount }),
      },
      { requiredKeys: ['price', 'quantity'] },
    )
    const custom = fc.record({ price: amount, applyTaxes: fc.boolean(), taxes: fc.array(tax, { maxLength: 2 }) })
    const sale = fc.record(
      {
        currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
        lineItems: fc.array(line, { maxLength: 8 }),
        customSales: fc.array(custom, { maxLength: 2 }),
        cartDiscount: share,
        cartFees: fc.array(fc.record({ amount }), { maxLength: 3 }),
        summary: fc.record({ isTaxInclusive: fc.boolean(), shippingTotal: amount, tip: share }, { requiredKeys: [] }),
        payments: fc.array(fc.record({ paymentMethod: fc.constantFrom('cash', 'credit_card'), amount }), {
          maxLength: 3,
        }),
      },
      { requiredKeys: ['currency', 'lineItems'] },
    )
    const way = fc.record({
      taxRounding: fc.constantFrom<'line' | 'receipt'>('line', 'receipt'),
      cashRounding: fc.constantFrom(undefined, '0.05'),
    })
    fc.assert(
      fc.property(sale, way, (sale, way) => {
        const { computed, totals } = quoted(sale, way)
        assertAddsUp(computed, totals)
        assert.deepEqual(
          quoted(computed, way).checks.filter(({ pointer }) => !/Discount|discount/.test(pointer)),
          [],
        )
      }),
      { numRuns: 400, seed: 20 },
    )
  })
})

it('makes of returned lines exactly the negative of the sale', () => {
  const cents = fc.integer({ min: 0, max: 100_000 }).map((n) => (n / 100).toFixed(2))
  const line = fc.record({
    price: cents,
    quantity: fc.integer({ min: 1, max: 9_000 }),
    rate: fc.integer({ min: 0, max: 30 }),
  })
  const sales = fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 8 }),
    discount: fc.oneof(fc.record({ amount: cents }), fc.record({ percentage: fc.integer({ min: 0, max: 100 }) })),
    isTaxInclusive: fc.boolean(),
    taxRounding: fc.constantFrom<'line' | 'receipt'>('line', 'receipt'),
  })
  fc.assert(
    fc.property(sales, ({ lines, discount, isTaxInclusive, taxRounding }) => {
      const summaries = [1, -1].map((sign) => {
        const lineItems = lines.map(({ price, quantity, rate }) => ({
          price,
          quantity: (sign * quantity) / 1000,
          taxes: [{ percentage: rate }],
        }))
        const sale = { lineItems, cartDiscount: discount, summary: { isTaxInclusive } }
        const { subTotal, discountTotal, totalTaxes, total } = quoted(sale, { taxRounding }).computed.summary
        return [subTotal, discountTotal, totalTaxes, total].map((amount) => BigInt(sign) * units(amount))
      })
      assert.deepEqual(summaries[0], summaries[1])
    }),
    { numRuns: 200, seed: 20 },
  )
})

const digitsOf = { EUR: 2, JPY: 0, KWD: 3 } as const

/** The rules of the guide, on any computed sale. */
function assertAddsUp(sale: any, totals: any) {
  const digits = digitsOf[sale.currency as keyof typeof digitsOf]
  const { summary, lineItems, customSales = [] } = sale
  const of = (amount?: string) => units(amount, digits)
  const sumOf = <T>(items: readonly T[], amountOf: (item: T) => string | undefined) => total(items, amountOf, digits)
  const items = [...lineItems, ...customSales]
  for (const { subTotal, discount, total } of lineItems)
    assert.equal(of(total), of(subTotal) - of(discount?.itemDiscount?.amount) - of(discount?.cartDiscount?.amount))
  for (const { totalTax, taxes } of items)
    if (taxes)
      assert.equal(
        of(totalTax),
        sumOf<any>(taxes, ({ amount }) => amount),
      )
  const cart = sumOf<any>(lineItems, ({ discount }) => discount?.cartDiscount?.amount)
  if (sale.cartDiscount) assert.equal(of(sale.cartDiscount.amount), cart)
  if (items.length === 0) return
  assert.equal(
    of(summary.subTotal),
    sumOf<any>(lineItems, ({ subTotal }) => subTotal) + sumOf<any>(customSales, ({ total }) => total),
  )
  assert.equal(
    of(summary.discountTotal),
    cart + sumOf<any>(lineItems, ({ discount }) => discount?.itemDiscount?.amount),
  )
  assert.equal(
    of(summary.totalTaxes),
    sumOf<any>(items, ({ totalTax }) => totalTax),
  )
  assert.equal(
    of(summary.totalTaxes),
    sumOf<any>(summary.taxes ?? [], ({ amount }) => amount),
  )
  const added = summary.isTaxInclusive ? 0n : of(summary.totalTaxes)
  // Fees of the cart are rounded once.
  const cartFees = sumText((sale.cartFees ?? []).map(({ amount }: any) => amount), digits) // biome-ignore format: one thought
  const fees = sumOf<any>(lineItems, ({ fee }) => fee?.amount) + of(cartFees)
  assert.equal(
    of(summary.total),
    of(summary.subTotal) -
      of(summary.discountTotal) +
      added +
      of(summary.shippingTotal) +
      fees +
      of(summary.tip?.amount),
  )
  assert.equal(of(totals.total) + of(totals.cashRounding) - of(totals.paid), of(totals.due))
  assert.equal(
    of(totals.paid),
    sumOf<any>(sale.payments ?? [], ({ amount }) => amount),
  )
  assert.equal(
    of(totals.change),
    sumOf<any>(sale.payments ?? [], ({ change }) => change),
  )
}
