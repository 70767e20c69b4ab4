// Cash movements, session reports (X) and closings (Z): what they add up, what they never change, and what they refuse.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { STATEMENT_CHARACTERS } from '../src/core/limits.ts'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { report as salesReport } from './support/report-groups.ts'
import { sharedService } from './support/service.ts'
import { dayAt, newTill } from './support/tills.ts'

const service = sharedService()

test('a closing can be booked: sales are nets, taxes, tips and delivery, and payments are sales and what cash was rounded by', async () => {
  const till = await newTill(service)
  succeeded(await till.call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const sessionId = await till.opened({ openTime: undefined })
  const taxes = [{ name: 'VAT', percentage: 8.1 }]
  const sell = (price: string, summary: Body) =>
    till.made('/v1/sale', {
      sessionId,
      lineItems: [{ name: 'Tea', price, taxes }],
      summary,
      payments: [{ paymentMethod: 'cash', amount: '50.00' }],
    })
  // 3.33 + 0.27 = 3.60, 3.34 + 0.27 + 1.00 + 4.90 = 9.51, 6.66 + 0.54 + 0.02 = 7.22
  await sell('3.33', {})
  const { order } = await sell('3.34', { tip: { amount: '1.00' }, shippingTotal: '4.90' })
  await sell('6.66', { tip: { amount: '0.02' } })
  await till.made(`/v1/sale/${order.id}/refund`, { sessionId })
  const { figures } = await till.closed(sessionId)
  const { payments, taxes: rates, employees, categories, movements, ...sums } = figures[0]
  assert.deepEqual(sums, {
    currency: 'EUR',
    late: false,
    sales: '20.33',
    salesCount: 3,
    discounts: '0.00',
    tax: '1.08',
    tips: '1.02',
    shipping: '4.90',
    cashRounding: '-0.03',
    refunds: '9.51',
    refundsCount: 1,
    voids: '0.00',
    voidsCount: 0,
    refundedTips: '1.00',
    refundedShipping: '4.90',
    refundedCashRounding: '-0.01',
  })
  // 13.33 + 1.08 + 1.02 + 4.90 = 20.33, and 20.33 − 0.03 = 20.30. The refund of a sale: 3.34 + 0.27 + 1.00 + 4.90 = 9.51, and 9.51 − 0.01 = 9.50
  assert.deepEqual(rates, [
    { name: 'VAT', percentage: 8.1, net: '13.33', tax: '1.08', refundedNet: '3.34', refundedTax: '0.27' },
  ])
  assert.deepEqual(payments, [
    { paymentMethod: 'cash', sales: '20.30', salesCount: 3, refunds: '9.50', refundsCount: 1 },
  ])
})

test('a report adds up a session by currency, method, tax, employee and category, and says what the drawer should hold', async () => {
  const till = await newTill(service)
  const { sessionId, coffee } = await dayAt(till)
  const { figures, balances, openingAmount, lateCount, lateRecords, asOf, ...rest } = await till.report(sessionId)
  assert.deepEqual(rest, { stationId: till.stationId, sessionId, openTime: '2026-11-20T08:00:00.000Z' })
  assert.deepEqual([openingAmount, lateCount, lateRecords], ['100.00', 0, []])
  assert.ok(asOf <= new Date().toISOString())
  assert.equal(figures.length, 2)
  const [euro, yen] = figures
  assert.deepEqual(euro, {
    currency: 'EUR',
    late: false,
    sales: '46.46',
    salesCount: 2,
    discounts: '6.25',
    tax: '4.71',
    tips: '3.00',
    shipping: '0.00',
    cashRounding: '0.00',
    refunds: '10.63',
    refundsCount: 1,
    voids: '7.00',
    voidsCount: 1,
    refundedTips: '0.00',
    refundedShipping: '0.00',
    refundedCashRounding: '0.00',
    payments: [
      { paymentMethod: 'cash', sales: '21.00', salesCount: 2, refunds: '10.63', refundsCount: 1 },
      { paymentMethod: 'credit_card', sales: '25.46', salesCount: 1, refunds: '0.00', refundsCount: 0 },
    ],
    taxes: [
      { name: 'Tax', percentage: 20, net: '18.50', tax: '3.70', refundedNet: '0.00', refundedTax: '0.00' },
      { name: 'Tax', percentage: 5, net: '20.25', tax: '1.01', refundedNet: '10.12', refundedTax: '0.51' },
    ],
    employees: [
      { sales: '6.00', salesCount: 1, refunds: '0.00', refundsCount: 0 },
      { employee: 'ann', sales: '40.46', salesCount: 1, refunds: '10.63', refundsCount: 1 },
    ],
    categories: [
      { quantity: 1.5, sales: '19.50', refundedQuantity: 0, refunds: '0.00' },
      { categoryId: coffee, name: 'Coffee', quantity: 2, sales: '20.25', refundedQuantity: 1, refunds: '10.12' },
    ],
    movements: [
      { type: 'drop', amount: '50.10', count: 2 },
      { type: 'float', amount: '20.00', count: 1 },
      { type: 'pay-in', amount: '5.00', count: 1 },
      { type: 'pay-out', amount: '2.50', count: 1 },
    ],
  })
  assert.deepEqual(
    [yen.currency, yen.sales, yen.taxes],
    ['JPY', '500', [{ name: 'Tax', percentage: 10, net: '455', tax: '45', refundedNet: '0', refundedTax: '0' }]],
  )
  // 100 + 21 − 10.63 + 5 − 2.50 − 50.10 + 20
  assert.deepEqual(balances, [
    { currency: 'EUR', paymentMethod: 'cash', expected: '82.77' },
    { currency: 'EUR', paymentMethod: 'credit_card', expected: '25.46' },
    { currency: 'JPY', paymentMethod: 'cash', expected: '500' },
  ])
})

test('refunds that were written with negative amounts count by their size, as on orders and in reports of sales', async () => {
  const till = await newTill(service)
  const product = (await till.made('/v1/product', { name: 'Tea', categories: ['hot'] })).id
  const summary = { total: '14.50', totalTaxes: '2.00', tip: { amount: '1.50' }, shippingTotal: '4.00' }
  const tax = (amount: string) => ({ taxes: [{ name: 'Tax', percentage: 20, amount }] })
  const tea = { productId: product, variantId: 'v', quantity: 1, total: '10.00', totalTax: '2.00', ...tax('2.00') }
  const voucher = { productId: 'voucher', variantId: 'v', quantity: 1, total: '-3.00' }
  /** The figures of a session in which a refund was written, and what its order and the report of sales say. */
  async function shown(back: Body, sign: '' | '-') {
    const sessionId = await till.opened()
    const order = await till.made('/v1/order', { sessionId, lineItems: [tea, voucher], status: 'completed', summary })
    await till.made('/v1/refund', { orderId: order.id, sessionId, refundedBy: 'ann', ...back })
    const money = { orderId: order.id, paymentMethod: 'cash', type: 'refund', amount: `${sign}14.45` }
    await till.made('/v1/transaction', { sessionId, ...money })
    const { returned } = succeeded(await till.call('GET', `/v1/order/${order.id}`))
    const { groups } = await salesReport(till.call, 'groupBy=sessionId')
    const { sessionId: _, ...sums } = groups.find((group: Body) => group.sessionId === sessionId)
    return { figures: (await till.closed(sessionId)).figures, returned, sums }
  }
  const minus = (amount: string) => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`)
  const positive = { lineItems: [tea, voucher], summary: { ...summary, cashRounding: '-0.05' } }
  const amounts = { total: '-14.50', totalTaxes: '-2.00', tip: { amount: '-1.50' }, shippingTotal: '-4.00' }
  const negative = {
    lineItems: [tea, voucher].map((line) => ({ ...line, total: minus(line.total), ...('taxes' in line && { totalTax: '-2.00', ...tax('-2.00') }) })), // biome-ignore format: one thought
    summary: { ...amounts, cashRounding: '0.05' },
  }
  const expected = await shown(positive, '')
  const { refunds, refundedTips, refundedShipping, refundedCashRounding, taxes, categories } = expected.figures[0]
  assert.deepEqual(
    [refunds, refundedTips, refundedShipping, refundedCashRounding, taxes[0].refundedNet, taxes[0].refundedTax],
    ['14.50', '1.50', '4.00', '-0.05', '10.00', '2.00'],
  )
  assert.deepEqual(
    categories.map(({ refunds, refundedQuantity }: Body) => [refunds, refundedQuantity]),
    [['7.00', 2]],
  )
  const { refunded, refundedTips: tips, refundedShipping: shipping } = expected.sums
  assert.deepEqual([expected.returned, refunded, tips, shipping], ['14.45', refunds, refundedTips, refundedShipping])
  assert.deepEqual(await shown(negative, '-'), expected)
  // Only the summary is negative, or only quantities and amounts of lines.
  assert.deepEqual(await shown({ ...positive, summary: negative.summary }, '-'), expected)
  const taken = negative.lineItems.map((line) => ({ ...line, quantity: -1 }))
  assert.deepEqual(await shown({ lineItems: taken, summary: positive.summary }, ''), expected)
})

test('a session can be reported and closed whatever further members its lines have', async () => {
  const { opened, made, report, closed } = await newTill(service)
  const sessionId = await opened()
  const lineItems = ['A1', { shelf: 3 }, '', null].map((position) => ({ productId: 'p', total: '1.00', position }))
  await made('/v1/order', { sessionId, status: 'completed', lineItems, summary: { total: '4.00' } })
  const { figures } = await report(sessionId)
  assert.deepEqual([figures[0].sales, figures[0].categories[0].sales], ['4.00', '4.00'])
  assert.deepEqual((await closed(sessionId)).figures, figures)
})

test('a closing has the figures of the report and what was counted, closes the session, and is never changed', async () => {
  const till = await newTill(service)
  const { id: companyId, call, close, closed, report } = till
  const { sessionId } = await dayAt(till)
  const { figures, balances } = await report(sessionId)
  const z = await closed(sessionId, {
    counted: { cash: '82.70', gift_card: '5.00' },
    countedIn: { JPY: { cash: '510' } },
    closedBy: 'ann',
    closingNote: 'A coin is missing',
  })
  assert.deepEqual([z.number, z.figures, z.closedBy, z.closingNote], [1, figures, 'ann', 'A coin is missing'])
  const [cash, card, yen] = balances
  assert.deepEqual(z.balances, [
    { ...cash, counted: '82.70', difference: '-0.07' },
    card,
    { currency: 'EUR', paymentMethod: 'gift_card', expected: '0.00', counted: '5.00', difference: '5.00' },
    { ...yen, counted: '510', difference: '10' },
  ])
  const session = succeeded(await call('GET', `/v1/session/${sessionId}`))
  assert.deepEqual(
    [session.closeTime, session.closingAmount, session.closingAmounts, session.closedBy, session.closingNote],
    [z.closeTime, '82.70', { cash: '82.70', gift_card: '5.00' }, 'ann', 'A coin is missing'],
  )
  const events = await feed(service, companyId, sessionId)
  assert.deepEqual(
    events.slice(-2).map(({ type, data }) => [type, data]),
    ['session.updated', 'session.closed'].map((type) => [type, session]),
  )
  assertProblem(await close(sessionId), 409, 'conflict')

  for (const list of ['orders', 'transactions', 'refunds', 'cash-movements', 'sessions']) {
    const { data } = succeeded(await call('GET', `/v1/${list}`))
    succeeded(await call('DELETE', `/v1/${list}`, { items: data.map(({ id }: Body) => ({ id })) }))
  }
  assert.deepEqual(succeeded(await call('GET', `/v1/closing/${z.id}`)), z)
  assert.deepEqual(
    succeeded(await call('GET', `/v1/closings?stationId=${till.stationId}&sessionId=${sessionId}`)).data,
    [z],
  )
  assert.deepEqual(succeeded(await call('GET', '/v1/closings?stationId=another')).data, [])
  const closedFrom = (time: string) => call('GET', `/v1/closings?sortBy=closeTime&closeTime[gte]=${time}`)
  assert.deepEqual(succeeded(await closedFrom(z.closeTime)).data, [z])
  assert.deepEqual(succeeded(await closedFrom('2999-01-01')).data, [])
  for (const method of ['PATCH', 'PUT', 'DELETE']) assertProblem(await call(method, `/v1/closing/${z.id}`, {}), 405)
})

test('a till whose clock is ahead opens, sells and is closed like any other', async () => {
  const till = await newTill(service)
  const ahead = new Date(Date.now() + 3_600_000).toISOString()
  const sessionId = await till.opened({ openTime: ahead })
  const payments = [{ paymentMethod: 'cash', amount: '3.00' }]
  const { order } = await till.made('/v1/sale', {
    stationId: till.stationId,
    lineItems: [{ name: 'Tea', price: '3.00' }],
    payments,
  })
  assert.equal(order.sessionId, sessionId)
  const closing = await till.closed(sessionId)
  assert.deepEqual([closing.openTime, closing.lateCount, closing.figures[0].sales], [ahead, 0, '3.00'])
  assert.ok(closing.closeTime < ahead)
})

test('a session that is opened again after its closing begins with what was counted, and gets a second closing', async () => {
  const { call, opened, paid, closed, report } = await newTill(service)
  const id = await opened()
  await paid(id, '10.00')
  await closed(id, { counted: { cash: '109.00' } })
  succeeded(await call('PATCH', `/v1/session/${id}`, { closeTime: null }))
  await paid(id, '5.00')
  assert.equal((await report(id)).openingAmount, '109.00')
  const z = await closed(id, { counted: { cash: '114.00' } })
  assert.deepEqual([z.number, z.figures[0].payments[0].sales, z.balances[0].difference], [2, '5.00', '0.00'])
  // The report of the closed session has all of its records, from the cash that it was opened with.
  const x = await report(id)
  assert.deepEqual([x.figures[0].payments[0].sales, x.openingAmount, x.balances[0].expected], ['15.00', '100.00', '115.00']) // biome-ignore format: one thought
})

test('what is counted in the company’s currency is on the session, whichever member counts it', async () => {
  const { call, opened, closed } = await newTill(service)
  const id = await opened()
  const all = { EUR: { cash: '99.00' }, USD: { cash: '5.00' } }
  await closed(id, { counted: { card: '1.00' }, countedIn: all })
  const { closingAmount, closingAmounts } = succeeded(await call('GET', `/v1/session/${id}`))
  assert.deepEqual([closingAmount, closingAmounts], ['99.00', { card: '1.00', cash: '99.00' }])
})

test('the second closing of a session says only what its own request said, and so does the session', async () => {
  const { call, opened, closed } = await newTill(service)
  const id = await opened()
  await closed(id, { counted: { cash: '99.00', card: '1.00' }, closedBy: 'ann', closingNote: 'One is missing' })
  succeeded(await call('PATCH', `/v1/session/${id}`, { closeTime: null }))
  const z = await closed(id, { counted: { card: '0.00' }, closedBy: 'bob' })
  assert.deepEqual([z.closedBy, z.closingNote], ['bob', undefined])
  const { closedBy, closingNote, closingAmount, closingAmounts } = succeeded(await call('GET', `/v1/session/${id}`))
  assert.deepEqual([closedBy, closingNote, closingAmount, closingAmounts], ['bob', undefined, undefined, { card: '0.00' }]) // biome-ignore format: one thought
  // A first closing keeps what the till has stored.
  const other = await opened()
  succeeded(await call('PATCH', `/v1/session/${other}`, { closingNote: 'Busy' }))
  assert.equal((await closed(other)).closingNote, 'Busy')
})

test('a session of hundreds of employees and payment methods is closed, and its figures stay short and complete', async () => {
  const { call, opened, closed } = await newTill(service)
  const sessionId = await opened()
  const each = Array.from({ length: 800 }, (_, n) => n)
  const orders = each.map((n) => ({ sessionId, employee: `e${n}`, summary: { total: '0.01' } }))
  const payments = each.map((n) => ({ sessionId, paymentMethod: `m${n}`, amount: '0.01' }))
  for (const [path, items] of Object.entries({ orders, transactions: payments }))
    assert.equal(succeeded(await call('POST', `/v1/${path}`, { items })).summary.succeeded, 800)
  const [{ employees, payments: methods, sales }] = (await closed(sessionId)).figures
  assert.deepEqual([employees.length, methods.length, sales], [501, 501, '8.00'])
  assert.deepEqual(employees[0], { sales: '3.00', salesCount: 300, refunds: '0.00', refundsCount: 0 })
  assert.equal(methods.find(({ paymentMethod }: Body) => paymentMethod === 'other').sales, '3.00')
})

test('a session is reported and closed also if its orders are together longer than one statement returns', async () => {
  const { made, opened, report, closed } = await newTill(service)
  const sessionId = await opened()
  const taxes = [{ name: 'VAT', percentage: 20, amount: '2.00' }]
  const lineItems = [{ price: '10.00', engraving: 'x'.repeat(STATEMENT_CHARACTERS / 8) }]
  const order = { sessionId, status: 'completed', lineItems, summary: { total: '12.00', taxes } }
  for (let n = 0; n < 12; n++) await made('/v1/order', order)
  const { figures } = await report(sessionId)
  assert.deepEqual([figures[0].sales, figures[0].salesCount, figures[0].taxes[0].net], ['144.00', 12, '120.00'])
  assert.deepEqual((await closed(sessionId)).figures, figures)
})

test('wrong amounts are 400 at their member, and another company’s sessions and closings are unknown', async () => {
  const { id: companyId, call, made, opened, close, closed } = await newTill(service)
  const id = await opened()
  for (const [body, pointer] of [
    [{ counted: { cash: 5 } }, '/counted/cash'],
    [{ counted: '5.00' }, '/counted'],
    [{ countedIn: { usd: { cash: '5.00' } } }, '/countedIn/usd'],
    [{ counted: { cash: '2.00' }, countedIn: { EUR: { cash: '1.00' } } }, '/countedIn/EUR/cash'],
    [{ countedIn: { USD: { cash: '5,00' } } }, '/countedIn/USD/cash'],
    [{ counted: { '': '5.00' } }, '/counted/'],
    [{ countedIn: { USD: { ['m'.repeat(101)]: '5.00' } } }, `/countedIn/USD/${'m'.repeat(101)}`],
    [{ countedIn: { USD: null } }, '/countedIn/USD'],
    [{ counted: { cash: '2.00', Cash: '1.00' } }, '/counted/Cash'],
    [{ countedIn: { USD: { CASH: '2.00', cash: '1.00' } } }, '/countedIn/USD/cash'],
    [{ count: {} }, '/count'],
  ] as const) {
    const { errors } = assertProblem(await close(id, body), 400)
    assert.equal(errors?.[0]?.pointer, pointer)
  }
  const movement = { sessionId: id, type: 'drop', amount: '5.00' }
  for (const [member, value] of [
    ['amount', '0.00'],
    ['amount', '-5.00'],
    ['type', 'theft'],
    ['sessionId', undefined],
    ['occurredAt', '2999-01-01T00:00:00Z'],
  ] as const) {
    const { errors } = assertProblem(await call('POST', '/v1/cash-movement', { ...movement, [member]: value }), 400)
    assert.equal(errors?.[0]?.pointer, `/${member}`)
    if (member === 'amount') assert.deepEqual([errors?.[0]?.code, errors?.[0]?.limit], ['exclusiveMinimum', 0])
  }
  await made('/v1/cash-movement', movement)
  const foreign = await service.company()
  assertProblem(await foreign.call('GET', `/v1/session/${id}/report`), 404)
  assertProblem(await foreign.call('POST', `/v1/session/${id}/close`), 404)
  const creator = await service.keyFor(companyId, ['read', 'create'])
  assertProblem(await creator.call('POST', `/v1/session/${id}/close`), 403)
  const z = await closed(id)
  assertProblem(await foreign.call('GET', `/v1/closing/${z.id}`), 404)
  assert.deepEqual(succeeded(await foreign.call('GET', '/v1/closings')).data, [])
})

test('the calls of the guide work as they are typed, and answer what it says', {
  skip: spawnSync('curl', ['--version']).error && 'No curl is found: `apt-get install curl`.',
}, async () => {
  const { key } = await service.company()
  const guide = readFileSync(new URL('../../docs/guides/closing-the-till.md', import.meta.url), 'utf8')
  const blocks = [...guide.matchAll(/^ {4}\S.*\n(?: {4}.*\n)*/gm)].map(([text]) => text.replace(/^ {4}/gm, ''))
  const isResponse = (block: string) => block.startsWith('{')
  const typed = blocks.filter((block) => !isResponse(block)).join('\n')
  const { stdout } = await promisify(execFile)(
    '/bin/sh',
    ['-ec', typed.replace('http://127.0.0.1:8080', service.url)],
    {
      env: { ...process.env, KEY: key },
    },
  )
  const balances = blocks
    .filter(isResponse)
    .flatMap((block) => block.match(/\{"currency":"EUR","paymentMethod"[^}]*\}/g) ?? [])
  assert.equal(balances.length, 4)
  for (const text of [...balances, '"code":"conflict"', '{"type":"float","amount":"20.00","count":1}'])
    assert.ok(stdout.includes(text), text)
})
