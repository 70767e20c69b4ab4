// Groups of sales can be reconciled: whatever they are grouped by, they add up to the orders, the refunds and the report of the session (docs/decisions/0074).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomOf } from '../faults/random.ts'
import type { Body } from './support/contract.ts'
import { until } from './support/program.ts'
import { made, report } from './support/report-groups.ts'
import { type Caller, sharedService } from './support/service.ts'
import { newTill } from './support/tills.ts'

const service = sharedService()

/** Cents of a decimal string, and millionths: costs and units have up to five decimals. */
const cents = (text: string | undefined) => Math.round(Number(text ?? 0) * 100)
const millionths = (text: string | number | undefined) => Math.round(Number(text ?? 0) * 1_000_000)
const money = (amount: number) => (amount / 100).toFixed(2)
const sumOf = (amounts: number[]) => amounts.reduce((sum, amount) => sum + amount, 0)

const seed = Math.floor(Math.random() * 2 ** 31)
const { below } = randomOf(seed, 'sales')
const oneOf = <T>(...values: T[]): T => values[below(values.length)] as T

/** Variants and their costs: of one product one variant has a cost, and one has none. */
interface Catalogue {
  readonly variants: readonly Body[]
  readonly costs: ReadonlyMap<string, number>
}
async function newCatalogue(call: Caller): Promise<Catalogue> {
  const p = await made(call, '/v1/product', { name: 'P' })
  const q = await made(call, '/v1/product', { name: 'Q' })
  const variants = [
    await made(call, '/v1/variant', { productId: p.id, costPrice: 3.217 }),
    await made(call, '/v1/variant', { productId: p.id }),
    await made(call, '/v1/variant', { productId: q.id, costPrice: 0.5 }),
  ]
  return { variants, costs: new Map(variants.flatMap(({ id, costPrice }) => (costPrice ? [[id, costPrice]] : []))) }
}

/** A random sale: products, custom sales, goods given in exchange, discounts, taxes, fees, delivery, a tip; in the last days. */
function randomSale({ variants }: Catalogue): Body {
  const price = () => money(1 + below(2_999))
  const taxes = () => oneOf([], [{ name: 'VAT', percentage: 10 }], [{ name: 'VAT', percentage: 20 }])
  const ids = () => oneOf<Body>({}, ...variants.map(({ productId, id: variantId }) => ({ productId, variantId })))
  const lines = Array.from({ length: 1 + below(3) }, (_, n) => ({
    name: 'Item',
    ...ids(),
    price: price(),
    taxes: taxes(),
    quantity: n > 0 && below(6) === 0 ? -1 : oneOf(1, 2, 0.35),
    discount: oneOf(undefined, { itemDiscount: { percentage: 10 } }),
    fee: oneOf(undefined, { amount: '0.25' }, [{ amount: 0.08 }, { amount: '0.02' }]),
  }))
  return {
    lineItems: lines,
    customSales: oneOf([], [{ name: 'Wrapping', price: price(), applyTaxes: true, taxes: taxes() }]),
    cartFees: oneOf(undefined, [{ amount: '0.50' }], [{ amount: '0.30' }, { amount: '1.00' }]),
    cartDiscount: oneOf(undefined, { percentage: 5 }),
    summary: { isTaxInclusive: oneOf(true, false), shippingTotal: oneOf('0.00', '4.90'), tip: { amount: oneOf('0.00', '1.50') } }, // biome-ignore format: one thought
    outletId: oneOf('north', 'south'),
    employee: oneOf('ann', 'bob', undefined),
    occurredAt: new Date(Date.now() - below(200) * 3_600_000).toISOString(),
    payments: [{ paymentMethod: 'cash', amount: '999.99' }],
  }
}

const amountsOf = (fees: any): number => sumOf([fees].flat().map((fee) => cents(String(fee?.amount ?? 0))))
const feesOf = ({ cartFees, lineItems }: Body): number =>
  sumOf([cartFees, ...lineItems.map(({ fee }: Body) => fee)].map(amountsOf))

/** Refunds some of a sale. Returns the records, and the fees that they pay back. */
async function refundSome(
  call: Caller,
  order: Body,
  sale: Body,
  kind: number,
): Promise<{ refunds: Body[]; fees: number }> {
  const refunds: Body[] = []
  const refund = async (body: Body): Promise<boolean> => {
    const {
      status,
      body: reply,
      text,
    } = await call('POST', `/v1/sale/${order.id}/refund`, { ...body, sessionId: order.sessionId })
    // What is left of an exchange can be worth less than nothing.
    assert.ok(status === 201 || status === 409, text)
    if (status === 201) refunds.push(reply.refund)
    return status === 201
  }
  const isPart = kind === 1 && sale.cartFees !== undefined
  const tip = money(Math.min(100, cents(sale.summary.tip.amount)))
  const hasPart = isPart && (await refund({ lines: [], fees: '0.07', tip }))
  if (kind === 2) await refund({ lines: [{ lineItem: 0, restock: oneOf(true, false) }] })
  const hasRest = (kind === 2 || kind === 3) && (await refund({}))
  // A line comes back with its fee; goods given in exchange can stay.
  const lines = refunds.flatMap(({ lineItems }) => lineItems).filter(({ productId }) => productId !== 'custom-sale')
  const ofLines = sumOf(lines.map(({ position }) => amountsOf(sale.lineItems[position].fee)))
  const fees = ofLines + (hasPart ? 7 : 0) + (hasRest ? amountsOf(sale.cartFees) : 0)
  return { refunds, fees }
}

/** Sums in millionths that all groups of a report have together. */
const names = [
  ...['grossSales', 'discounts', 'netSales', 'tax', 'tips', 'shipping', 'fees', 'totalSales', 'cashRounding', 'quantity'],
  ...['refunded', 'refundedNet', 'refundedTax', 'refundedTips', 'refundedShipping', 'refundedFees', 'refundedCashRounding', 'refundedQuantity'],
] // biome-ignore format: a table
const costNames = ['cost', 'margin', 'refundedCost', 'grossProfit']
const allOf = ({ groups }: Body, those: readonly string[] = names): Record<string, number> =>
  Object.fromEntries(those.map((name) => [name, sumOf(groups.map((group: Body) => millionths(group[name])))]))

/** What the order of a sale and its refunds must add to sums, in millionths. */
function expectedOf(order: Body, refunds: readonly Body[], fees: readonly number[]): Record<string, number> {
  const { summary } = order
  const ofRefunds = (amountIn: (refund: Body) => string | undefined) =>
    sumOf(refunds.map((one) => millionths(amountIn(one))))
  const unitsOf = (lines: readonly Body[]) => sumOf(lines.map(({ quantity = 1 }) => millionths(quantity)))
  return {
    totalSales: millionths(summary.total),
    tips: millionths(summary.tip?.amount),
    shipping: millionths(summary.shippingTotal),
    fees: feesOf(order) * 10_000,
    cashRounding: millionths(summary.cashRounding),
    quantity: unitsOf([...order.lineItems, ...(order.customSales ?? [])]),
    refunded: ofRefunds(({ summary }) => summary.total),
    refundedTax: ofRefunds(({ summary }) => summary.totalTaxes),
    refundedTips: ofRefunds(({ summary }) => summary.tip?.amount),
    refundedShipping: ofRefunds(({ summary }) => summary.shippingTotal),
    refundedFees: sumOf([...fees]) * 10_000,
    refundedCashRounding: ofRefunds(({ summary }) => summary.cashRounding),
    refundedQuantity: unitsOf(refunds.flatMap(({ lineItems }) => lineItems)),
  }
}

/** What the lines of an order and its refunds must add to costs and profits, in millionths. */
function costsOf(order: Body, refunds: readonly Body[], { costs }: Catalogue): Record<string, number> {
  const net = ({ total, totalTax }: Body) =>
    millionths(total) - (order.summary.isTaxInclusive ? millionths(totalTax) : 0)
  const lines = order.lineItems.filter(({ variantId }: Body) => costs.has(variantId))
  const back = refunds.flatMap(({ lineItems }) => lineItems).filter(({ variantId }) => costs.has(variantId))
  const costOf = (some: readonly Body[]) =>
    sumOf(some.map(({ variantId, quantity }) => millionths(quantity * (costs.get(variantId) as number))))
  const cost = costOf(lines)
  const margin = sumOf(lines.map(net)) - cost
  const refundedCost = costOf(back.filter(({ action }) => action === 'RESTOCK'))
  return { cost, margin, refundedCost, grossProfit: margin - sumOf(back.map(net)) + refundedCost }
}

/** Adds amounts to those of the same names. */
function addTo(sums: Record<string, number>, amounts: Record<string, number>): void {
  for (const [name, amount] of Object.entries(amounts)) sums[name] = (sums[name] ?? 0) + amount
}

/** The other reports have the same sums: payments by day, products, and each customer. */
async function assertSameElsewhere(call: Caller, moved: Record<string, number>): Promise<void> {
  const sumsOf = async (groupBy: string, ...those: string[]) => allOf(await report(call, `groupBy=${groupBy}`), those)
  const { totals, days } = (await call('GET', '/v1/reports/sales')).body
  const { paid, refunded } = await sumsOf('paymentMethod', 'paid', 'refunded')
  assert.deepEqual({ paid, refunded }, moved)
  const ofDays = allOf({ groups: days }, ['sales', 'refunds'])
  assert.deepEqual(allOf({ groups: [totals] }, ['sales', 'refunds']), { sales: paid, refunds: refunded })
  assert.deepEqual(ofDays, { sales: paid, refunds: refunded })
  assert.equal((await sumsOf('outletId', 'count')).count, totals.orders * 1_000_000)
  const products = (await call('GET', '/v1/reports/products')).body.data
  const byProduct = (await report(call, 'groupBy=productId')).groups
  for (const { productId, total, quantity } of products) {
    const group = byProduct.find((one: Body) => one.productId === productId)
    assert.equal(millionths(total), millionths(group.grossSales) - millionths(group.discounts))
    assert.equal(quantity, group.quantity)
  }
  const known = (await report(call, 'groupBy=customerId')).groups.filter(({ customerId }: Body) => customerId !== null)
  for (const group of known) {
    const [spending] = (await call('GET', `/v1/reports/customers/${group.customerId}`)).body.spending
    for (const name of ['netSales', 'tax', 'tips', 'refunded', 'count']) assert.equal(spending[name], group[name], name)
  }
  assert.ok(products.length > 0 && known.length > 0)
}

test('groups by any dimensions add up to the totals, delivery, fees and tips of the orders and refunds, and of the session', async (t) => {
  t.diagnostic(`seed ${seed}`)
  const { call, opened, report: sessionReport, id } = await newTill(service)
  assert.equal((await call('PATCH', '/v1/settings', { cashRounding: '0.05' })).status, 200)
  const sessionId = await opened({ openTime: new Date(Date.now() - 20 * 86_400_000).toISOString() })
  const customers = [await made(call, '/v1/customer', { email: 'a@example.com', tags: ['regular'] }), {}]
  const catalogue = await newCatalogue(call)
  const expected: Record<string, number> = {}
  const expectedCosts: Record<string, number> = {}
  const moved: Record<string, number> = {}
  let count = 0
  for (let n = 0; n < 50; n++) {
    const sale: Body = { ...randomSale(catalogue), sessionId, customerId: oneOf(...customers)?.id }
    const { status, body, text } = await call('POST', '/v1/sale', sale)
    // Goods given in exchange can be worth more than those that are bought.
    assert.ok(status === 201 || status === 400, text)
    if (status !== 201) continue
    const { order } = body
    addTo(moved, { paid: millionths(order.summary.total) + millionths(order.summary.cashRounding) })
    if (n % 10 === 9) {
      assert.equal((await call('PATCH', `/v1/order/${order.id}`, { status: 'cancelled' })).status, 200)
      continue
    }
    count++
    const { refunds, fees } = await refundSome(call, order, sale, n % 5)
    addTo(expected, expectedOf(order, refunds, [fees]))
    addTo(expectedCosts, costsOf(order, refunds, catalogue))
    const { refunded = 0, refundedCashRounding = 0 } = expectedOf(order, refunds, [])
    addTo(moved, { refunded: refunded + refundedCashRounding })
  }
  // Only roundings can cancel each other out.
  const { cashRounding, refundedCashRounding, ...sold } = { ...expected, ...expectedCosts }
  assert.ok(count > 25 && Object.values(sold).every((amount) => amount !== 0))

  const dimensions = [
    ...['outletId', 'stationId', 'sessionId', 'employee', 'customerId', 'tag', 'day', 'hour', 'weekday', 'week', 'month'],
    ...['productId', 'variantId', 'categoryId', 'taxRate', 'outletId,productId', 'employee,productId', 'employee,tag,hour'],
  ] // biome-ignore format: a table
  const assertExact = async () => {
    const whole = allOf(await report(call, 'groupBy=outletId'))
    assert.deepEqual({ ...whole, ...expected }, whole)
    for (const groupBy of dimensions) {
      const all = await report(call, `groupBy=${groupBy}&compare=previous`)
      assert.deepEqual(allOf(all), whole, groupBy)
      const hasCosts = /(product|variant|category)Id/.test(groupBy)
      if (hasCosts) assert.deepEqual(allOf(all, costNames), expectedCosts, groupBy)
    }
  }
  await assertExact()
  const left = `select from sum_buckets where company_id = $1 and is_dirty and (number + 1::bigint) * size * 900 < extract(epoch from now())`
  await until('all is summed', async () => (await service.database.query(left, [id])).length === 0)
  await assertExact()
  await assertSameElsewhere(call, moved)
  const byMonth = allOf(await report(call, 'groupBy=month&from=2025-12-01&to=2025-12-02'))
  assert.deepEqual(byMonth, allOf({ groups: [] }))
  const { figures } = await sessionReport(sessionId)
  const { sales, refunds, categories, ...others } = figures[0]
  const units = (name: string) => sumOf(categories.map((category: Body) => millionths(category[name])))
  const ofSession = { totalSales: sales, refunded: refunds, ...others }
  for (const name of ['totalSales', 'tips', 'shipping', 'cashRounding', 'refunded', 'refundedTips', 'refundedShipping', 'refundedCashRounding']) // biome-ignore format: one thought
    assert.equal(millionths(ofSession[name]), expected[name], name)
  for (const name of ['quantity', 'refundedQuantity']) assert.equal(units(name), expected[name], name)
  const rated = (await report(call, 'groupBy=taxRate')).groups.filter(({ taxRate }: Body) => taxRate !== null)
  assert.deepEqual(
    rated.map(({ taxRate, netSales, tax, refunded, refundedTax }: Body) => [taxRate, cents(netSales), tax, cents(refunded) - cents(refundedTax), refundedTax]).toSorted(), // biome-ignore format: one thought
    figures[0].taxes.map(({ percentage, net, tax, refundedNet, refundedTax }: Body) => [percentage, cents(net), tax, cents(refundedNet), refundedTax]).toSorted(), // biome-ignore format: one thought
  )
})

/** An order as a till or web shop writes it, whose summary names amounts that no line has. */
const half = { productId: 'p', variantId: 'v', quantity: 1 }
const vat = (percentage: number, amount: string) => ({ name: 'VAT', percentage, amount })
const untaxed = { ...half, subTotal: '10.00', total: '10.00' }
const oneTaxed = { ...untaxed, totalTax: '1.00', taxes: [vat(10, '1.00')] }
const onlyInSummary: Record<string, Body> = {
  'the tax on delivery': {
    lineItems: [{ ...half, subTotal: '10.00', total: '10.00', totalTax: '1.00', taxes: [vat(10, '1.00')] }],
    summary: { totalTaxes: '2.00', taxes: [vat(10, '1.00'), vat(20, '1.00')], shippingTotal: '5.00', total: '17.00' },
  },
  'the tax on delivery in a price that contains it': {
    lineItems: [{ ...half, subTotal: '11.00', total: '11.00', totalTax: '1.00', taxes: [vat(10, '1.00')] }],
    summary: { isTaxInclusive: true, totalTaxes: '2.00', taxes: [vat(10, '1.00'), vat(20, '1.00')], shippingTotal: '6.00', total: '17.00' },
  },
  'a discount on the cart beside one of a line': {
    lineItems: [{ ...half, subTotal: '10.00', discount: { itemDiscount: { amount: '1.00' } }, total: '9.00' }],
    cartDiscount: { amount: '2.00' },
    summary: { discountTotal: '3.00', total: '7.00' },
  },
  'a discount that only the cart names': {
    lineItems: [{ ...half, subTotal: '10.00', discount: { itemDiscount: { amount: '1.00' } }, total: '9.00' }],
    cartDiscount: { amount: '2.00' },
    summary: { discountTotal: '2.00', total: '7.00' },
  },
  'a tax that is rounded for the whole receipt, with another name': {
    lineItems: [half, half].map((line) => ({ ...line, total: '0.50', totalTax: '0.03', taxes: [{ ...vat(5, '0.03'), name: 'Sales tax' }] })),
    summary: { totalTaxes: '0.05', taxes: [vat(5, '0.05')], total: '1.05' },
  },
  'nothing: sums that were not filled in': {
    lineItems: [{ ...half, subTotal: '10.00', total: '9.00', totalTax: '1.00', taxes: [vat(10, '1.00')] }],
    summary: { totalTaxes: '0.00', discountTotal: '0.00', total: '10.00' },
  },
} // biome-ignore format: a table

for (const [what, order] of Object.entries(onlyInSummary))
  test(`groups and X add up to the total and taxes of an order if only its summary has ${what}`, async () => {
    const { call, opened, report: sessionReport } = await newTill(service)
    const sessionId = await opened()
    await made(call, '/v1/order', { ...order, sessionId })
    const whole = allOf(await report(call, 'groupBy=outletId'))
    assert.equal(whole.totalSales, millionths(order.summary.total))
    for (const groupBy of ['productId', 'taxRate', 'outletId,productId', 'customerId', 'employee,productId'])
      assert.deepEqual(allOf(await report(call, `groupBy=${groupBy}`)), whole, groupBy)
    const taxes = (order.summary.taxes ?? order.lineItems[0].taxes ?? []).map((tax: Body) => [tax.percentage, tax.amount]) // biome-ignore format: one thought
    const { groups } = await report(call, 'groupBy=taxRate')
    const rated = groups.filter(({ tax }: Body) => cents(tax) !== 0).map(({ taxRate, tax }: Body) => [taxRate, tax])
    assert.deepEqual(rated.toSorted(), taxes)
    assert.ok(
      groups.every(({ totalSales }: Body) => cents(totalSales) !== 0),
      'no group is empty',
    )
    const { figures } = await sessionReport(sessionId)
    assert.deepEqual(
      figures[0].taxes.map(({ percentage, tax }: Body) => [percentage, tax]),
      taxes,
    )
  })

test('tax of an order whose rates do not add up has no rate in X, as in reports', async () => {
  const { call, opened, report: sessionReport } = await newTill(service)
  const sessionId = await opened()
  const summary = { totalTaxes: '3.00', taxes: [vat(20, '1.00')], total: '13.00' }
  await made(call, '/v1/order', { lineItems: [oneTaxed], summary, sessionId })
  const { taxes } = (await sessionReport(sessionId)).figures[0]
  const rated = [[null, '2.00'], [10, '1.00']] // biome-ignore format: a table
  assert.deepEqual(taxes.map(({ percentage = null, tax }: Body) => [percentage, tax]).toSorted(), rated) // biome-ignore format: one thought
  const { groups } = await report(call, 'groupBy=taxRate')
  assert.deepEqual(groups.map(({ taxRate, tax }: Body) => [taxRate, tax]).toSorted(), rated) // biome-ignore format: one thought
})

for (const what of ['the tax on delivery', 'the tax on delivery in a price that contains it'])
  test(`a refund of ${what} pays back that tax and no fee, computed or written as a record`, async () => {
    const { call, opened, report: sessionReport } = await newTill(service)
    const customer = await made(call, '/v1/customer', { email: 'a@example.com' })
    const sale = onlyInSummary[what] as Body
    for (const isRecord of [true, false]) {
      const sessionId = await opened({ openTime: new Date().toISOString() })
      const order = { ...sale, status: 'completed', customerId: customer.id, sessionId }
      const { id: orderId } = await made(call, '/v1/order', order)
      await made(call, '/v1/transaction', { orderId, paymentMethod: 'cash', amount: sale.summary.total })
      if (isRecord) await made(call, '/v1/refund', { ...sale, orderId, sessionId })
      else await made(call, `/v1/sale/${orderId}/refund`, { sessionId })
      const { taxes } = (await sessionReport(sessionId)).figures[0]
      assert.deepEqual(
        taxes.map(({ percentage, tax, refundedTax }: Body) => [percentage, tax, refundedTax]),
        [
          [10, '1.00', '1.00'],
          [20, '1.00', '1.00'],
        ],
      )
      assert.equal((await call('POST', `/v1/session/${sessionId}/close`)).status, 201)
    }
    const { groups } = await report(call, 'groupBy=sessionId')
    assert.deepEqual(
      groups.map(({ refunded, refundedShipping, refundedFees }: Body) => [refunded, refundedShipping, refundedFees]),
      groups.map(() => ['17.00', sale.summary.shippingTotal, '0.00']),
    )
    const { spending } = (await call('GET', `/v1/reports/customers/${customer.id}`)).body
    assert.equal(spending[0].spent, '0.00')
  })

const twenty = (tax: string) => ({ totalTaxes: tax, taxes: [vat(20, tax)] })
/** Sales with taxes that no line has, the refunds before that of the rest, and what the rest pays back of these taxes. */
const rests: Record<string, [sale: Body, before: Body[], tax: string]> = {
  'the whole sale': [{ lineItems: [untaxed], summary: { ...twenty('2.00'), total: '12.00' } }, [], '2.00'],
  'the whole sale, with tax in prices': [
    { lineItems: [untaxed], summary: { ...twenty('1.67'), isTaxInclusive: true, total: '10.00' } },
    [],
    '1.67',
  ],
  'a sale with a fee that is taxed': [
    {
      lineItems: [oneTaxed],
      cartFees: [{ amount: '2.00' }],
      summary: { totalTaxes: '1.40', taxes: [vat(10, '1.00'), vat(20, '0.40')], total: '13.40' },
    },
    [],
    '0.40',
  ],
  'a sale after its delivery': [
    {
      lineItems: [oneTaxed],
      summary: { totalTaxes: '2.00', taxes: [vat(10, '1.00'), vat(20, '1.00')], shippingTotal: '5.00', total: '17.00' },
    },
    [{ lines: [], shippingTotal: '5.00' }],
    '1.00',
  ],
  'a sale after half of its goods': [
    { lineItems: [{ ...untaxed, quantity: 2 }], summary: { ...twenty('2.00'), total: '12.00' } },
    [{ lines: [{ lineItem: 0, quantity: 1 }] }],
    '2.00',
  ],
}
for (const [what, [sale, before, tax]] of Object.entries(rests))
  test(`the refund of the rest of ${what} pays back the taxes that no line has as taxes, not as fees`, async () => {
    const { call, opened, report: sessionReport } = await newTill(service)
    const sessionId = await opened({ openTime: new Date().toISOString() })
    const { id: orderId } = await made(call, '/v1/order', { ...sale, status: 'completed', sessionId })
    await made(call, '/v1/transaction', { orderId, paymentMethod: 'cash', amount: sale.summary.total })
    for (const body of [...before, {}]) await made(call, `/v1/sale/${orderId}/refund`, { ...body, sessionId })
    const { taxes } = (await sessionReport(sessionId)).figures[0]
    assert.equal(taxes.find(({ percentage }: Body) => percentage === 20).refundedTax, tax)
    const whole = allOf(await report(call, 'groupBy=outletId'))
    assert.deepEqual([whole.refunded, whole.refundedFees], [millionths(sale.summary.total), whole.fees])
    const { groups } = await report(call, 'groupBy=taxRate')
    const rated = groups.filter(({ taxRate }: Body) => taxRate !== null)
    assert.deepEqual(
      rated.map((group: Body) => [group.taxRate, group.tax, group.refundedTax]).toSorted(),
      taxes.map((rate: Body) => [rate.percentage, rate.tax, rate.refundedTax]).toSorted(),
    )
  })
