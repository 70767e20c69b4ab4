// Sales by dimensions are the sums of the records, per currency, as of the last answered write (docs/decisions/0030).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from '../src/core/csv-line.ts'
import { beginOfDay, dayNumber, hoursOfDay, zoneOf } from '../src/features/reports/local-days.ts'
import { periodOf, withPrevious } from '../src/features/reports/period.ts'
import { timeLabels } from '../src/features/reports/time-labels.ts'
import type { Body } from './support/contract.ts'
import { assertProblem } from './support/problem.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

async function made(call: Caller, path: string, body: Body): Promise<Body> {
  const reply = await call('POST', path, body)
  assert.equal(reply.status, 201, reply.text)
  return reply.body
}
const report = async (call: Caller, query: string): Promise<Body> => {
  for (;;) {
    const { status, body, text } = await call('GET', `/v1/reports/sales?${query}`)
    assert.equal(status, 200, text)
    if (body.isComplete) return body
  }
}

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
        ...{
          gross: cents(group.grossSales),
          discount: cents(group.discounts),
          net: cents(group.netSales),
          tax: cents(group.tax),
        },
        ...{ tip: cents(group.tips), quantity: group.quantity, count: group.count, refund: cents(group.refunded) },
      },
    ]),
  )
}

const product = (n: number) => `70000000000000000000000${n}`
const line = (n: number, quantity: number, rate: number, more: Body = {}) => ({
  ...{ productId: product(n % 3), variantId: `80000000000000000000000${n % 4}`, quantity, price: '10.00' },
  ...{ subTotal: money(quantity * 1000), total: money(quantity * 1000 - 150), totalTax: money(rate * 7) },
  ...{ taxes: [{ name: 'VAT', percentage: rate, amount: money(rate * 7) }], ...more },
})

/** Orders of some days, hours and places, and refunds of some. */
async function writeSales(call: Caller): Promise<{ orders: Body[]; refunds: Body[] }> {
  const customers = [
    await made(call, '/v1/customer', { email: 'a@example.com', tags: ['regular', 'staff'] }),
    await made(call, '/v1/customer', { email: 'b@example.com' }),
  ]
  const items = Array.from({ length: 60 }, (_, n) => ({
    ...{
      outletId: `outlet-${n % 3}`,
      stationId: `till-${n % 4}`,
      sessionId: `session-${n % 5}`,
      employee: `e-${n % 2}`,
    },
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

test('groups of time follow the company’s time zone; the hour that comes twice is one group', async () => {
  const company = await service.company()
  const { call, id } = company
  assert.equal((await call('PATCH', `/v1/organization-api/companies/${id}`, { timezone: 'Europe/Vienna' })).status, 200)
  // 2025-10-26: 3:00 is 2:00 again at 01:00 UTC. The last one is on the next day in Vienna.
  const times = [
    '2025-10-26T00:30:00Z',
    '2025-10-26T01:30:00Z',
    '2025-10-26T02:00:00Z',
    '2025-10-26T22:59:59.999Z',
    '2025-10-26T23:00:00Z',
  ]
  const items = times.map((occurredAt) => ({ occurredAt, lineItems: [{ productId: 'p', total: '1.00' }] }))
  assert.equal((await call('POST', '/v1/orders', { items })).body.summary.succeeded, 5)
  const counts = async (groupBy: string) => {
    const { groups } = await report(call, `groupBy=${groupBy}&from=2025-10-25&to=2025-10-28`)
    return groups.map((group: Body) => [...groupBy.split(',').map((name) => group[name]), group.count])
  }
  assert.deepEqual(await counts('hour'), [
    [0, 1],
    [2, 2],
    [3, 1],
    [23, 1],
  ])
  assert.deepEqual(await counts('day'), [
    ['2025-10-26', 4],
    ['2025-10-27', 1],
  ])
  assert.deepEqual(await counts('week,weekday'), [
    ['2025-W43', 7, 4],
    ['2025-W44', 1, 1],
  ])
  assert.deepEqual(await counts('month,productId'), [['2025-10', 'p', 5]])
  // From the records, the same.
  assert.deepEqual(await counts('hour,tag'), [
    [0, null, 1],
    [2, null, 2],
    [3, null, 1],
    [23, null, 1],
  ])
})

test('labels cover each quarter of an hour of a period once, in any time zone', () => {
  for (const [name, from, to] of [
    ['Europe/Vienna', '2025-03-28', '2025-04-02'],
    ['America/Sao_Paulo', '2018-11-02', '2018-11-06'],
    ['Australia/Lord_Howe', '2025-10-03', '2025-10-07'],
    ['Pacific/Apia', '2011-12-28', '2012-01-02'],
  ] as const) {
    const zone = zoneOf(name)
    const period = periodOf({ from, to }, zone)
    for (const timed of [[], ['hour'], ['week', 'hour'], ['month']] as const) {
      const { segments, values } = timeLabels(zone, timed, period)
      assert.deepEqual([segments[0]?.first, segments.at(-1)?.end], [period.first, period.end])
      segments.forEach(({ first, end, label }, n) => {
        assert.ok(first < end && values[label] !== undefined)
        assert.equal(first, segments[n - 1]?.end ?? first)
      })
    }
  }
  const changed = hoursOfDay(zoneOf('Europe/Vienna'), dayNumber('2025-10-26')).map(({ hour }) => hour)
  assert.deepEqual(changed.slice(0, 5), [0, 1, 2, 3, 4])
})

test('the period before has the same weekdays and, for a day that is not over, ends at the same time of day', () => {
  const zone = zoneOf('Europe/Vienna')
  const now = Date.parse('2025-11-05T14:20:00Z')
  const quarter = Math.floor(now / 900_000)
  for (const [from, to, days] of [
    ['2025-11-05', '2025-11-05', 7],
    ['2025-10-30', '2025-11-05', 7],
    ['2025-10-07', '2025-11-05', 35],
  ] as const) {
    const { previous } = withPrevious(periodOf({ from, to }, zone, now), zone, now)
    assert.equal(previous?.days, days)
    assert.equal(previous?.first, beginOfDay(zone, dayNumber(from) - days))
    // 35 days before, clocks in Vienna were an hour ahead.
    assert.equal(previous?.end, quarter + 1 - days * 96 - (days === 35 ? 4 : 0))
  }
  const over = withPrevious(periodOf({ from: '2025-11-01', to: '2025-11-04' }, zone, now), zone, now).previous
  assert.equal(over?.end, beginOfDay(zone, dayNumber('2025-10-29')))
})

test('with compare=previous each group has the sums of the period before', async () => {
  const { call } = await service.company()
  const order = (occurredAt: string, productId: string, total: string) =>
    made(call, '/v1/order', { occurredAt, lineItems: [{ productId, total }] })
  await order('2025-10-20T08:00:00Z', 'both', '5.00')
  await order('2025-10-13T23:59:00Z', 'both', '3.00')
  await order('2025-10-14T00:00:00Z', 'before', '1.00')
  await order('2025-10-06T08:00:00Z', 'both', '100.00')
  const { previous, groups } = await report(call, 'groupBy=productId&compare=previous&from=2025-10-20&to=2025-10-21')
  assert.deepEqual(previous, { from: '2025-10-13', to: '2025-10-14' })
  const sums = groups.map((group: Body) => [
    group.productId,
    group.netSales,
    group.count,
    group.previous.netSales,
    group.previous.count,
  ])
  assert.deepEqual(sums, [
    ['both', '5.00', 1, '3.00', 1],
    ['before', '0.00', 0, '1.00', 1],
  ])
  const daily = await report(call, 'groupBy=day&compare=previous&from=2025-10-20&to=2025-10-21')
  assert.deepEqual(
    daily.groups.map((group: Body) => [group.day, group.netSales, group.previous.netSales]),
    [
      ['2025-10-20', '5.00', '3.00'],
      ['2025-10-21', '0.00', '1.00'],
    ],
  )
})

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
      currency: 'EUR',
      grossSales: '40.00',
      discounts: '4.00',
      netSales: '30.00',
      tax: '6.00',
      tips: '2.00',
      refunded: '0.00',
      quantity: 2,
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

test('what rounding took off a price is no discount, and what a price was lowered by is', async () => {
  const { call } = await service.company()
  const customSales = [{ name: 'Repair', price: '35.50', quantity: 0.25 }]
  assert.equal((await call('POST', '/v1/sale', { customSales })).status, 201)
  const lineItems = [{ productId: 'p', price: '3.333', quantity: 3, total: '10.00' }]
  await made(call, '/v1/order', { lineItems, customSales: [{ price: '5.00', total: '4.00' }] })
  const [all] = (await report(call, 'groupBy=outletId')).groups
  assert.deepEqual([all.grossSales, all.discounts, all.netSales], ['23.88', '1.00', '22.88'])
})

test('only what is less than the smallest unit of the currency is rounding, whichever way a till rounds', async () => {
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
      ['JPY', '20.5', '1.5'],
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

test('a sale is in the groups requested after its answer, at any server, and another company sees nothing of it', async () => {
  const [one, other] = [await service.company(), await service.company()]
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
    'employee,weekday,currency,grossSales,discounts,netSales,tax,tips,refunded,quantity,count,average',
  )
  assert.ok(
    sale?.startsWith(csvLine(['=1+1']).trim()) && sale.endsWith(',EUR,-3.00,0.00,-3.00,0.00,0.00,0.00,-2,1,-3.00'),
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

test('the value of the stock is that of its units at cost and at current prices, by outlet', async () => {
  const [{ call }, other] = [await service.company(), await service.company()]
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
  const here = { levels: 2, units: 10.5, cost: '11.00', retail: '27.00' }
  const there = { levels: 1, units: 1, cost: '2.00', retail: '5.00' }
  const { body } = await call('GET', '/v1/reports/stock-value')
  assert.deepEqual(body, {
    ...{ currency: 'EUR', totals: { levels: 3, units: 11.5, cost: '13.00', retail: '32.00' } },
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
      /leave out one/,
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
