// Reports show sales, exactly and at once (docs/decisions/0020).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../src/core/ids.ts'
import type { Body } from './support/contract.ts'
import { writeCategories } from './support/event-reader.ts'
import { assertProblem } from './support/problem.ts'
import { dateIn, daysAgo, expectedProducts, expectedSales, writeOld } from './support/reports.ts'
import { type Caller, type Company, sharedService } from './support/service.ts'

const service = sharedService()

/** The body of a success. */
async function got(call: Caller, path: string): Promise<Body> {
  const { status, body, text } = await call('GET', path)
  assert.equal(status, 200, text)
  return body
}
/** The first report that is complete: on a busy machine the first request may run out of time. */
async function whole(call: Caller, path: string): Promise<Body> {
  for (;;) {
    const report = await got(call, path)
    if (report.isComplete) return report
  }
}
/** The texts of complete reports, one after another: a CSV does not say whether it is complete, but the ones before it do. */
async function texts(call: Caller, paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  while (found.length < paths.length) {
    const { body, text } = await call('GET', paths[found.length] as string)
    if (body?.isComplete !== false) found.push(text)
  }
  return found
}
const sales = (call: Caller, query = '') => whole(call, `/v1/reports/sales?${query}`)
const products = (call: Caller, query = '') => whole(call, `/v1/reports/products?${query}`)

async function made(call: Caller, path: string, body: Body): Promise<Body> {
  const reply = await call('POST', path, body)
  assert.equal(reply.status, 201, reply.text)
  return reply.body
}
const pay = (call: Caller, amount: string, more: Body = {}) =>
  made(call, '/v1/transaction', { amount, paymentMethod: 'cash', ...more })

/** Changes a company as its organization. */
async function change({ id, call }: Company, body: Body): Promise<void> {
  const { status, text } = await call('PATCH', `/v1/organization-api/companies/${id}`, body)
  assert.equal(status, 200, text)
}
const today = () => dateIn('UTC', new Date().toISOString())

test('a company without sales has a report of thirty empty days that end today', async () => {
  const { call } = await service.company()
  const report = await sales(call)
  const nothing = { sales: '0.00', salesCount: 0, refunds: '0.00', refundsCount: 0, net: '0.00', orders: 0 }
  const from = dateIn('UTC', daysAgo(29).toISOString())
  const heading = { currency: 'EUR', timezone: 'UTC', dayStartHour: 0, from, to: today(), isComplete: true }
  const { days, ...rest } = report
  assert.deepEqual(rest, { ...heading, totals: nothing, paymentMethods: [], otherCurrencies: [] })
  assert.equal(days.length, 30)
  assert.deepEqual(days.at(-1), { date: today(), ...nothing })
  assert.deepEqual(await products(call), { ...heading, data: [] })
})

test('a transaction counts by its type, its currency and its payment method', async () => {
  const { call } = await service.company()
  await pay(call, '10.00')
  await pay(call, '0.1', { type: 'sale', currency: 'EUR', paymentMethod: 'credit_card' })
  await pay(call, '0.2', { type: 'sale', paymentMethod: 'credit_card' })
  await pay(call, '-3.00', { type: 'refund' })
  await pay(call, '1.50', { type: 'refund', paymentMethod: 'store_credit' })
  await pay(call, '99', { type: 'void' })
  await pay(call, '98', { type: 'payout' })
  await pay(call, '7', { currency: 'CHF' })
  await pay(call, '2', { currency: 'CHF', type: 'refund' })
  await pay(call, '1000', { currency: 'JPY' })
  await pay(call, '5', { currency: 'USD', type: 'void' })
  const { totals, days, paymentMethods, otherCurrencies } = await sales(call)
  assert.deepEqual(totals, {
    sales: '10.30',
    salesCount: 3,
    refunds: '4.50',
    refundsCount: 2,
    net: '5.80',
    orders: 0,
  })
  assert.deepEqual(days.at(-1), { date: today(), ...totals })
  assert.deepEqual(paymentMethods, [
    { paymentMethod: 'cash', sales: '10.00', salesCount: 1 },
    { paymentMethod: 'credit_card', sales: '0.30', salesCount: 2 },
  ])
  assert.deepEqual(otherCurrencies, [
    { currency: 'CHF', sales: '7.00', refunds: '2.00' },
    { currency: 'JPY', sales: '1000', refunds: '0' },
  ])
})

test('each sale is in a report requested after its response, from any server', async () => {
  const { key, call } = await service.company()
  const other = service.caller({ 'x-api-key': key }, (await service.second()).url)
  for (let n = 1; n <= 20; n++) {
    await pay(n % 2 ? call : other, '1.01')
    assert.equal((await sales(n % 3 ? call : other)).totals.salesCount, n)
  }
})

test('a change and a deletion correct the day of the record, and reverting a change restores it', async () => {
  const { call } = await service.company()
  const { id } = await pay(call, '10.00')
  const totals = async () => (await sales(call)).totals
  const first = await totals()
  const steps: [Body, string, string][] = [
    [{ amount: '12.5' }, '12.50', '0.00'],
    [{ type: 'refund' }, '0.00', '12.50'],
    [{ type: 'void' }, '0.00', '0.00'],
    [{ type: null, currency: 'CHF' }, '0.00', '0.00'],
    [{ currency: null, notes: 'paid' }, '12.50', '0.00'],
    [{ amount: '10.00', paymentMethod: 'credit_card' }, '10.00', '0.00'],
  ]
  for (const [body, sold, refunded] of steps) {
    assert.equal((await call('PATCH', `/v1/transaction/${id}`, body)).status, 200)
    const { sales, refunds } = await totals()
    assert.deepEqual([sales, refunds], [sold, refunded], JSON.stringify(body))
  }
  assert.deepEqual(await totals(), first)
  assert.equal((await call('DELETE', `/v1/transaction/${id}`)).status, 200)
  assert.deepEqual(await sales(call).then(({ totals, paymentMethods }) => [totals.salesCount, paymentMethods]), [0, []])
})

test('orders count unless they are pending, parked or cancelled, and so do their lines', async () => {
  const { call } = await service.company()
  const product = await made(call, '/v1/product', { name: 'Tea' })
  const lineItems = [
    { productId: product.id, name: 'Old name', quantity: 2, total: '5.00' },
    { productId: 'theirs', name: 'Cake', quantity: 0.125, price: '8.00' },
    { productId: product.id, total: '0.50' },
    { name: 'Bag', total: '0.10' },
  ]
  const { id } = await made(call, '/v1/order', { lineItems, status: 'parked' })
  assert.deepEqual([(await sales(call)).totals.orders, (await products(call)).data], [0, []])
  const sold = [
    { productId: product.id, name: 'Tea', total: '5.50', quantity: 3 },
    { productId: 'theirs', name: 'Cake', total: '1.00', quantity: 0.125 },
  ]
  for (const [body, count, data] of [
    [{ status: 'completed' }, 1, sold],
    [{ status: 'cancelled' }, 0, []],
    [{ status: null }, 1, sold],
    [{ currency: 'CHF' }, 1, []],
    [{ currency: 'EUR', lineItems: [lineItems[1]] }, 1, [sold[1]]],
    [{ lineItems: null, customSales: [{ name: 'x' }] }, 1, []],
    [{ lineItems, status: 'refunded' }, 1, sold],
  ] as [Body, number, Body[]][]) {
    assert.equal((await call('PATCH', `/v1/order/${id}`, body)).status, 200)
    const report = [(await sales(call)).totals.orders, (await products(call)).data]
    assert.deepEqual(report, [count, data], JSON.stringify(body))
  }
  await call('DELETE', `/v1/order/${id}`)
  assert.deepEqual([(await sales(call)).totals.orders, (await products(call)).data], [0, []])
})

test('products are sorted by total or by quantity, the largest first, up to the requested number', async () => {
  const { call } = await service.company()
  const lineItems = [5, 3, 4, 1, 2].map((n) => ({ productId: `p${n}`, quantity: 10 - n, total: `${n}.00` }))
  await made(call, '/v1/order', { lineItems })
  const listed = async (query: string) => (await products(call, query)).data.map(({ productId }: Body) => productId)
  assert.deepEqual(await listed(''), ['p5', 'p4', 'p3', 'p2', 'p1'])
  assert.deepEqual(await listed('sortBy=quantity&limit=2'), ['p1', 'p2'])
  assert.deepEqual(await listed('sortBy=total&limit=0'), await listed(''))
})

test('a product without a record has the name of its last line, also if hundreds of orders came after it', async () => {
  const { call } = await service.company()
  const order = (productId: string, name: string) => ({
    status: 'completed',
    lineItems: [{ productId, name, quantity: 1, total: '2.00' }],
  })
  const earlier = new Date(Date.now() - 60_000).toISOString()
  await made(call, '/v1/order', { ...order('beans', 'Beans'), occurredAt: earlier })
  await made(call, '/v1/order', order('beans', 'Coffee beans'))
  const items = Array.from({ length: 250 }, () => order('tea', 'Tea'))
  assert.equal((await call('POST', '/v1/orders', { items })).body.summary.succeeded, items.length)
  const { data } = await products(call)
  assert.deepEqual(
    data.map(({ productId, name }: Body) => [productId, name]),
    [
      ['tea', 'Tea'],
      ['beans', 'Coffee beans'],
    ],
  )
})

test('the first thousand lines of an order are summed', async () => {
  const { call } = await service.company()
  const lineItems = Array.from({ length: 1002 }, (_, n) => ({ productId: n < 1000 ? 'first' : 'last', quantity: 1 }))
  await made(call, '/v1/order', { lineItems })
  assert.deepEqual((await products(call)).data, [{ productId: 'first', total: '0.00', quantity: 1000 }])
})

test('a report contains all of a bulk request', async () => {
  const { call } = await service.company()
  const items = Array.from({ length: 1000 }, (_, n) => ({ amount: `${n}.001`, paymentMethod: `m${n % 150}` }))
  assert.equal((await call('POST', '/v1/transactions', { items })).body.summary.succeeded, 1000)
  const { totals, paymentMethods } = await sales(call)
  assert.deepEqual([totals.sales, totals.salesCount], ['499501.00', 1000])
  assert.equal(paymentMethods.length, 100)
})

test('beside a write that stays open for long a complete report still says that it is complete', async () => {
  const { id, call } = await service.company()
  await sales(call)
  await service.database.transaction(async (transaction) => {
    await writeCategories(transaction, id, 'open')
    const items = Array.from({ length: 1000 }, () => ({ amount: '1.00', paymentMethod: 'cash' }))
    assert.equal((await call('POST', '/v1/transactions', { items })).body.summary.succeeded, 1000)
    const { isComplete, totals } = await got(call, '/v1/reports/sales')
    assert.deepEqual([isComplete, totals.sales], [true, '1000.00'])
  })
})

/** Records of all hours of some weeks, including a clock change in Vienna and one in New York. */
function manyOld(): { transactions: Body[]; orders: Body[] } {
  const begin = Date.parse('2025-10-20T00:07:00.000Z')
  const times = Array.from({ length: 24 * 16 }, (_, n) =>
    new Date(begin + n * 3_600_000 + (n % 60) * 1000).toISOString(),
  )
  const transactions = times.map((createdAt, n) => ({
    id: newId(Date.parse(createdAt)),
    amount: `${n}.${n % 100}`,
    paymentMethod: ['cash', 'card'][n % 2],
    createdAt,
    ...(n % 7 === 0 && { type: 'refund' }),
    ...(n % 11 === 0 && { currency: 'CHF' }),
  }))
  const orders = times.map((createdAt, n) => ({
    id: newId(Date.parse(createdAt)),
    fromService: false,
    createdAt,
    ...(n % 5 === 0 && { status: 'parked' }),
    lineItems: [{ productId: `p${n % 13}`, quantity: n % 4, total: `${n}.5` }],
  }))
  return { transactions, orders }
}

/** A company with these records, and the days of them that are reported. */
async function companyWithOld() {
  const company = await service.company()
  const { transactions, orders } = manyOld()
  await writeOld(service, company.id, 'transactions', transactions)
  await writeOld(service, company.id, 'orders', orders)
  return { company, transactions, orders, period: { from: '2025-10-22', to: '2025-11-04' } }
}

test('records from before the first report are in it, on the days of the company’s time zone, also where clocks change; a later change corrects its own day', async () => {
  const { company, period, transactions, orders } = await companyWithOld()
  const { id, call } = company
  const query = `from=${period.from}&to=${period.to}`
  const holds = async (timezone: string) => {
    const counting = { currency: 'EUR', timezone, ...period }
    assert.deepEqual(await sales(call, query), await expectedSales(service, id, counting), timezone)
    const { data, isComplete } = await products(call, `${query}&limit=100`)
    const listed = new Map(data.map(({ productId, quantity, total }: Body) => [productId, { quantity, total }]))
    assert.deepEqual([listed, isComplete], [await expectedProducts(service, id, counting), true], timezone)
  }
  // The next test has those of New York and Kathmandu.
  for (const timezone of ['Europe/Vienna', 'Australia/Lord_Howe', 'Pacific/Apia']) {
    await change(company, { timezone })
    await holds(timezone)
  }
  // A change of an old record corrects its own day.
  for (const [method, path, body] of [
    ['PATCH', `transaction/${transactions[90]?.id}`, { amount: '1000000.000001' }],
    ['DELETE', `transaction/${transactions[91]?.id}`],
    ['PATCH', `order/${orders[90]?.id}`, { status: 'completed' }],
    ['DELETE', `order/${orders[91]?.id}`],
  ] as [string, string, Body?][])
    assert.equal((await call(method, `/v1/${path}`, body)).status, 200)
  await holds('Pacific/Apia')
  const one = await sales(call, 'from=2025-10-26&to=2025-10-26')
  assert.deepEqual([one.days.length, one.from, one.to], [1, '2025-10-26', '2025-10-26'])
})

test('a report in a time zone that the request names is that of a company there, in sums, groups, products and CSV', async () => {
  const { company, period } = await companyWithOld()
  const { id, call } = company
  const paths = ['sales?', 'sales?groupBy=day,hour&compare=previous&', 'products?', 'payments?', 'taxes?', 'sales?groupBy=day&format=csv&'].map((path) => `/v1/reports/${path}from=${period.from}&to=${period.to}`) // biome-ignore format: one thought
  await sales(call, `from=${period.from}&to=${period.to}`)
  for (const timezone of ['Asia/Kathmandu', 'America/New_York']) {
    await change(company, { timezone: 'Europe/Vienna' })
    const named = await texts(call, paths.map((path) => `${path}&timezone=${timezone}`)) // biome-ignore format: one thought
    const counting = { currency: 'EUR', timezone, ...period }
    const report = JSON.parse(named[0] as string)
    assert.deepEqual(report, await expectedSales(service, id, counting))
    const elsewhere = await call('GET', paths[0] as string)
    assert.notDeepEqual(report.days, elsewhere.body.days)
    await change(company, { timezone })
    assert.deepEqual(named, await texts(call, paths))
  }
  assert.equal((await sales(call, 'timezone=europe/vienna')).timezone, 'Europe/Vienna')
  for (const timezone of ['Vienna', '+01:00', 'Mars/Olympus', 'a'.repeat(101)]) {
    const wrong = await call('GET', `/v1/reports/sales?timezone=${encodeURIComponent(timezone)}`)
    assert.equal(assertProblem(wrong, 400, 'validation_failed').errors[0].pointer, 'timezone')
  }
})

test('a day that a time zone skipped is a day without sales', async () => {
  const company = await service.company()
  await change(company, { timezone: 'Pacific/Apia' })
  const query = 'from=2011-12-30&to=2011-12-30'
  const { days, totals, isComplete } = await sales(company.call, query)
  assert.deepEqual(days, [{ date: '2011-12-30', ...totals }])
  assert.deepEqual([totals.salesCount, totals.orders, isComplete], [0, 0, true])
  assert.deepEqual((await products(company.call, query)).data, [])
})

test('records without a currency count in the company’s current currency', async () => {
  const company = await service.company()
  await pay(company.call, '10')
  await pay(company.call, '5', { currency: 'EUR' })
  assert.equal((await sales(company.call)).totals.sales, '15.00')
  await change(company, { currency: 'JPY' })
  const { currency, totals, otherCurrencies } = await sales(company.call)
  assert.deepEqual([currency, totals.sales], ['JPY', '10'])
  assert.deepEqual(otherCurrencies, [{ currency: 'EUR', sales: '5.00', refunds: '0.00' }])
  await change(company, { currency: null })
  const without = await sales(company.call)
  // A cleared one becomes the default.
  assert.deepEqual([without.currency, without.totals.sales], ['USD', '10.00'])
})

test('an invalid period, a too long one and one without dates are refused by the parameter’s name', async () => {
  const { call } = await service.company()
  const cases: [string, string, RegExp][] = [
    ['from=2026-02-30', 'from', /a date that exists/],
    ['to=yesterday', 'to', /a date that exists/],
    ['from=2026-01-02&to=2026-01-01', 'from', /must not be later/],
    ['from=9999-01-01', 'from', /must not be later/],
    ['from=2024-01-01&to=2025-01-01', 'from', /367 days/],
    ['from=2026-01-01T00:00:00Z', 'from', /a date that exists/],
  ]
  for (const path of ['sales', 'products'])
    for (const [query, pointer, message] of cases) {
      const { errors } = assertProblem(await call('GET', `/v1/reports/${path}?${query}`), 400, 'validation_failed')
      assert.equal(errors[0].pointer, pointer)
      assert.match(errors[0].message, message)
    }
  for (const query of ['limit=101', 'limit=-1', 'sortBy=name', 'limit=x'])
    assertProblem(await call('GET', `/v1/reports/products?${query}`), 400, 'validation_failed')
  for (const query of ['from=2024-01-01&to=2024-12-31', 'to=0000-01-01', 'from=9999-12-31&to=9999-12-31'])
    for (const path of ['sales', 'products']) assert.ok(await got(call, `/v1/reports/${path}?${query}`))
})

test('reports of one day in turn, by outlet and without, are answered from the same sums, also of amounts of 15 digits', async () => {
  const { call } = await service.company()
  // Of an odd number of decimals, too large for a double: so a cached sum takes half a byte more or less.
  await pay(call, '999999999999999.125')
  await made(call, '/v1/order', { lineItems: [{ productId: 'p', quantity: 1, total: '2.50' }], status: 'completed' })
  const today = new Date().toISOString().slice(0, 10)
  const reports = ['', '&groupBy=outletId', '&groupBy=outletId,day', '&groupBy=paymentMethod'].map((query) => `/v1/reports/sales?from=${today}${query}`) // biome-ignore format: one thought
  for (let round = 0; round < 4; round++)
    for (const reply of await Promise.all(reports.map((path) => call('GET', path))))
      assert.equal(reply.status, 200, reply.text)
})

test('a report shows nothing of another company', async () => {
  const one = await service.company()
  const two = await service.company()
  await pay(one.call, '10')
  await made(one.call, '/v1/order', { lineItems: [{ productId: 'p', total: '1' }] })
  assert.equal((await sales(two.call)).totals.salesCount, 0)
  assert.deepEqual((await products(two.call)).data, [])
  assert.equal((await sales(one.call)).totals.salesCount, 1)
})
