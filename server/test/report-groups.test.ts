// Sales by dimensions are the sums of the records, per currency, as of the last answered write (docs/decisions/0030).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from '../src/core/csv-line.ts'
import type { Body } from './support/contract.ts'
import { assertProblem } from './support/problem.ts'
import { made, report } from './support/report-groups.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

/** Cents of a decimal string. */
const cents = (text: string | undefined) => Math.round(Number(text ?? 0) * 100)
const money = (amount: number) => (amount / 100).toFixed(2)

/** The lines of an order with their dimensions and sums in cents; what only the summary has is a line without a product. */
function linesOf({ lineItems = [], customSales = [], summary = {} }: Body): Body[] {
  const lines = [...lineItems, ...customSales].map((line: Body): Body => {
    const gross = cents(line.subTotal ?? line.total)
    const tax = cents(line.totalTax)
    const total = cents(line.total)
    const net = summary.isTaxInclusive ? total - tax : total
    const rate = line.taxes?.[0]?.percentage ?? null
    const { productId = null, variantId = null, quantity = 1 } = line
    return { productId, variantId, rate, gross, discount: gross - total, net, tax, tip: 0, quantity, count: 1 }
  })
  if (summary.tip) lines.push({ productId: null, variantId: null, rate: null, gross: 0, discount: 0, net: 0, tax: 0, tip: cents(summary.tip.amount), quantity: 0, count: 0 }) // biome-ignore format: a table
  return lines
}

/** What groups must say: one by one, from the records. */
function expected(
  orders: Body[],
  refunds: Body[],
  keysOf: (order: Body, line: Body) => Body,
  isByLine: boolean,
): Map<string, Body> {
  const groups = new Map<string, Body>()
  const add = (keys: Body, sums: Body) => {
    const group = groups.get(JSON.stringify(keys)) ?? {
      gross: 0,
      discount: 0,
      net: 0,
      tax: 0,
      tip: 0,
      quantity: 0,
      count: 0,
      refund: 0,
    }
    for (const [name, value] of Object.entries(sums))
      if (typeof value === 'number' && name in group) group[name] += value
    groups.set(JSON.stringify(keys), group)
  }
  const counts = ({ status }: Body) => status !== 'parked' && status !== 'cancelled'
  for (const order of orders.filter(counts))
    for (const [n, line] of linesOf(order).entries())
      add(
        { ...keysOf(order, line), currency: order.currency ?? 'EUR' },
        isByLine ? line : { ...line, count: n === 0 ? 1 : 0 },
      )
  for (const refund of refunds) {
    const order = orders.find(({ id }) => id === refund.orderId) ?? {}
    if (!counts(order)) continue
    const back = { ...order, sessionId: refund.sessionId, employee: refund.refundedBy }
    for (const line of linesOf(refund))
      add(
        { ...keysOf(back, line), currency: refund.currency ?? order.currency ?? 'EUR' },
        { refund: line.net + line.tax + line.tip },
      )
  }
  return groups
}

/** Groups of an answer in the same form. */
function listed({ groups, groupBy }: Body): Map<string, Body> {
  return new Map(
    groups.map((group: Body) => [
      JSON.stringify(Object.fromEntries([...groupBy, 'currency'].map((name: string) => [name, group[name]]))),
      {
        gross: cents(group.grossSales),
        discount: cents(group.discounts),
        net: cents(group.netSales),
        tax: cents(group.tax),
        tip: cents(group.tips),
        quantity: group.quantity,
        count: group.count,
        refund: cents(group.refunded),
      },
    ]),
  )
}

const product = (n: number) => `70000000000000000000000${n}`
const line = (n: number, quantity: number, rate: number) => ({
  productId: product(n % 3),
  variantId: `80000000000000000000000${n % 4}`,
  quantity,
  price: '10.00',
  subTotal: money(quantity * 1000),
  total: money(quantity * 1000 - 150),
  totalTax: money(rate * 7),
  taxes: [{ name: 'VAT', percentage: rate, amount: money(rate * 7) }],
})

/** Orders of some days, hours and places, and refunds of some. */
async function writeSales(call: Caller): Promise<{ orders: Body[]; refunds: Body[] }> {
  const customers = [
    await made(call, '/v1/customer', { email: 'a@example.com', tags: ['regular', 'staff'] }),
    await made(call, '/v1/customer', { email: 'b@example.com' }),
  ]
  const items = Array.from({ length: 60 }, (_, n) => ({
    outletId: `outlet-${n % 3}`,
    stationId: `till-${n % 4}`,
    sessionId: `session-${n % 5}`,
    employee: `e-${n % 2}`,
    ...(n % 7 !== 0 && { customerId: customers[n % 2]?.id }),
    ...(n % 10 === 0 && { currency: 'CHF' }),
    status: n % 9 === 0 ? 'parked' : 'completed',
    // Some six hours apart, over the end of summer time in Vienna and the end of a month.
    occurredAt: new Date(Date.parse('2025-10-20T00:05:00Z') + n * 5.7 * 3_600_000).toISOString(),
    lineItems: [line(n, 1 + (n % 3), n % 2 ? 20 : 10), ...(n % 4 === 0 ? [line(n + 1, 2, 20)] : [])],
    ...(n % 5 === 0 && {
      customSales: [
        { name: 'Wrapping', total: '3.00', totalTax: '0.50', taxes: [{ name: 'VAT', percentage: 20, amount: '0.50' }] },
      ],
    }),
    summary: { isTaxInclusive: n % 6 < 3, ...(n % 8 === 0 && { tip: { amount: '2.00' } }) },
  }))
  const { results } = (await call('POST', '/v1/orders', { items })).body
  const orders = results.map(({ data }: Body) => data)
  const refunds: Body[] = []
  for (const order of orders.filter((_: Body, n: number) => n % 6 === 1)) {
    const { isTaxInclusive } = order.summary
    const { total, totalTax } = order.lineItems[0]
    const summary = { isTaxInclusive, total: money(cents(total) + (isTaxInclusive ? 0 : cents(totalTax))) }
    refunds.push(
      await made(call, '/v1/refund', {
        orderId: order.id,
        lineItems: [order.lineItems[0]],
        summary,
        sessionId: 'session-back',
        refundedBy: 'e-9',
        occurredAt: new Date(Date.parse(order.occurredAt) + 7_200_000).toISOString(),
      }),
    )
  }
  return { orders, refunds }
}
const range = 'from=2025-10-18&to=2025-11-05'

test('groups by any dimensions are the sums of the orders and refunds, before and after changes, with sums kept and without', async () => {
  const company = await service.company()
  const { call } = company
  const { orders, refunds } = await writeSales(call)
  const place = (order: Body) => ({ outletId: order.outletId ?? null })
  const cases: [string, (order: Body, line: Body) => Body, boolean][] = [
    ['outletId', place, false],
    ['outletId,productId', (order, { productId }) => ({ ...place(order), productId }), true],
    ['variantId', (_, { variantId }) => ({ variantId }), true],
    [
      'stationId,sessionId,employee',
      ({ stationId = null, sessionId = null, employee = null }) => ({ stationId, sessionId, employee }),
      false,
    ],
    ['customerId', ({ customerId = null }) => ({ customerId }), false],
    ['taxRate,outletId', (order, { rate }) => ({ taxRate: rate, ...place(order) }), true],
    // Read from the records:
    ['employee,productId', ({ employee = null }, { productId }) => ({ employee, productId }), true],
    ['stationId,taxRate', ({ stationId = null }, { rate }) => ({ stationId, taxRate: rate }), true],
  ]
  const holds = async () => {
    for (const [groupBy, keysOf, isByLine] of cases)
      assert.deepEqual(
        listed(await report(call, `groupBy=${groupBy}&${range}`)),
        expected(orders, refunds, keysOf, isByLine),
        groupBy,
      )
  }
  await holds()
  // A refund takes the outlet and the customer of its order, and a product without a sale has its refund alone.
  const change = {
    outletId: 'outlet-9',
    stationId: 'till-9',
    customerId: null,
    lineItems: [line(5, 7, 20)],
    customSales: null,
  }
  assert.equal((await call('PATCH', `/v1/order/${orders[1]?.id}`, change)).status, 200)
  Object.assign(orders[1] as Body, change, { customerId: undefined, customSales: undefined })
  assert.equal((await call('DELETE', `/v1/refund/${refunds[1]?.id}`)).status, 200)
  refunds.splice(1, 1)
  assert.equal((await call('PATCH', `/v1/order/${orders[2]?.id}`, { occurredAt: '2025-09-01T00:00:00Z' })).status, 200)
  orders.splice(2, 1)
  // A cancelled order does not count, and neither does its refund.
  const cancelled = orders.find(({ id }) => id === refunds[2]?.orderId) as Body
  assert.equal((await call('PATCH', `/v1/order/${cancelled.id}`, { status: 'cancelled' })).status, 200)
  cancelled.status = 'cancelled'
  await holds()
})

test('a sale is in the groups requested after its answer, at any server, and another company sees nothing of it', async () => {
  const one = await service.company()
  const other = await service.company()
  const second = service.caller({ 'x-api-key': one.key }, (await service.second()).url)
  for (let n = 1; n <= 6; n++) {
    await made(n % 2 ? one.call : second, '/v1/order', {
      outletId: 'o',
      lineItems: [{ productId: 'p', total: '1.10' }],
    })
    const { groups } = await report(n % 3 ? one.call : second, 'groupBy=outletId,productId')
    assert.deepEqual(
      groups.map(({ count, netSales }: Body) => [count, netSales]),
      [[n, (n * 1.1).toFixed(2)]],
    )
  }
  for (const groupBy of ['productId', 'customerId', 'employee,productId', 'paymentMethod'])
    assert.deepEqual((await report(other.call, `groupBy=${groupBy}`)).groups, [])
})

test('a sale to a customer with several tags counts in the group of each of the first twenty, and beside any other dimension', async () => {
  const { call } = await service.company()
  const tagged = async (tags: string[]) => (await made(call, '/v1/customer', { firstName: 'Ada', tags })).id
  const many = Array.from({ length: 22 }, (_, n) => `tag-${n + 1}`)
  const customers = [
    await tagged(['staff', 'regular']),
    await tagged(['regular']),
    await tagged([]),
    await tagged(many),
  ]
  for (const [n, customerId] of [...customers, undefined].entries())
    await made(call, '/v1/order', {
      customerId,
      employee: 'e',
      lineItems: [{ productId: 'p', total: `${10 ** n}.00` }],
    })
  const expected = new Map<string | null, string>([['staff', '1.00'], ['regular', '11.00'], [null, '10100.00']]) // biome-ignore format: a table
  for (const tag of many.slice(0, 20)) expected.set(tag, '1000.00')
  for (const groupBy of ['tag', 'tag,day', 'tag,employee,productId']) {
    const { groups } = await report(call, `groupBy=${groupBy}`)
    assert.deepEqual(new Map(groups.map(({ tag, netSales }: Body) => [tag, netSales])), expected, groupBy)
  }
})

test('groups as CSV have a line each, and no text of them is a formula', async () => {
  const { call } = await service.company()
  await made(call, '/v1/order', {
    employee: '=1+1',
    lineItems: [{ productId: 'p', quantity: -2, total: '-3.00', price: '1.50' }],
  })
  const { status, text, headers } = await call('GET', '/v1/reports/sales?groupBy=employee,weekday&format=csv')
  assert.equal(status, 200, text)
  assert.match(headers.get('content-type') ?? '', /^text\/csv/)
  const [title, sale, end] = text.split('\n')
  assert.equal(
    title,
    'employee,employeeName,weekday,currency,grossSales,discounts,netSales,tax,tips,shipping,fees,totalSales,cashRounding,refunded,refundedNet,refundedTax,refundedTips,refundedShipping,refundedFees,refundedCashRounding,quantity,refundedQuantity,count,average',
  )
  assert.ok(
    sale?.startsWith(csvLine(['=1+1']).trim()) &&
      sale.endsWith(
        ',EUR,-3.00,0.00,-3.00,0.00,0.00,0.00,0.00,-3.00,0.00,0.00,0.00,0.00,0.00,0.00,0.00,0.00,-2,0,1,-3.00',
      ),
    sale,
  )
  assert.equal(end, '')
})

test('taxes, payments and customers are groups under names of their own', async () => {
  const { call } = await service.company()
  const { id: customerId } = await made(call, '/v1/customer', { email: 'a@example.com' })
  await made(call, '/v1/order', { customerId, lineItems: [line(1, 1, 20)] })
  await made(call, '/v1/transaction', { amount: '8.50', paymentMethod: 'cash' })
  for (const [path, groupBy] of [
    ['taxes', 'taxRate'],
    ['payments', 'paymentMethod'],
    ['customers', 'customerId'],
  ] as const) {
    await report(call, `groupBy=${groupBy}`)
    const { status, body, text } = await call('GET', `/v1/reports/${path}?compare=previous`)
    assert.equal(status, 200, text)
    assert.equal(body.groups.length, 1)
    assert.deepEqual(body, await report(call, `groupBy=${groupBy}&compare=previous`))
  }
})

test('dimensions that are unknown, too many, repeated or do not go together are refused at groupBy', async () => {
  const { call } = await service.company()
  const cases: [string, string, RegExp][] = [
    ['groupBy=colour', 'groupBy', /the dimensions are outletId/],
    ['groupBy=outletId,', 'groupBy', /the dimensions are/],
    ['groupBy=outletId,outletId', 'groupBy', /twice/],
    ['groupBy=outletId,day,hour,tag', 'groupBy', /at most 3/],
    ...['productId', 'variantId', 'categoryId', 'taxRate'].map((name): [string, string, RegExp] => [
      `groupBy=paymentMethod,${name}`,
      'groupBy',
      /leave one out/,
    ]),
    ['compare=previous', 'compare', /needs groupBy/],
    ['format=csv', 'format', /needs groupBy/],
    ['groupBy=day&compare=next', 'compare', /previous/],
    ['groupBy=day&from=2026-01-02&to=2026-01-01', 'from', /must not be later/],
  ]
  for (const [query, pointer, message] of cases) {
    const { errors } = assertProblem(await call('GET', `/v1/reports/sales?${query}`), 400, 'validation_failed')
    assert.deepEqual([errors[0].in, errors[0].pointer], ['query', pointer], query)
    assert.match(errors[0].message, message)
  }
})
