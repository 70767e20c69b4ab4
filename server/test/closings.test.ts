// Cash movements, session reports (X) and closings (Z): what they add up, and that each record is in one closing.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { newId } from '../src/core/ids.ts'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { testService } from './support/service.ts'

const service = testService()

async function shop() {
  const company = await service.company()
  const { call } = company
  const made = async (path: string, body: Body): Promise<Body> => succeeded(await call('POST', path, body), 201)
  const stationId: string = (await made('/v1/station', { name: 'Till 1', outletId: 'o', status: 'AVAILABLE' })).id
  const opened = async (body: Body = {}): Promise<string> =>
    (await made('/v1/session', { stationId, openTime: '2026-11-20T08:00:00Z', openingAmount: '100.00', ...body })).id
  const paid = (sessionId: string, amount: string, body: Body = {}) =>
    made('/v1/transaction', { sessionId, paymentMethod: 'cash', amount, ...body })
  const close = (sessionId: string, body?: Body) => call('POST', `/v1/session/${sessionId}/close`, body)
  const closed = async (sessionId: string, body?: Body): Promise<Body> => succeeded(await close(sessionId, body), 201)
  const report = async (id: string): Promise<Body> => succeeded(await call('GET', `/v1/session/${id}/report`))
  return { ...company, made, stationId, opened, paid, close, closed, report }
}

/** The receipt of the guide, its refund, and what else a day has; all in one session. */
async function day({ made, paid, opened }: Awaited<ReturnType<typeof shop>>) {
  const coffee = (await made('/v1/category', { name: 'Coffee' })).id
  const beans = (await made('/v1/product', { name: 'Beans', categories: [coffee] })).id
  const sessionId = await opened()
  const line = { productId: beans, variantId: 'v', price: '12.50' }
  await made('/v1/order', {
    ...{ sessionId, status: 'completed', employee: 'ann' },
    lineItems: [
      { ...line, quantity: 2, total: '20.25', taxes: [{ name: 'Tax', percentage: 5, amount: '1.01' }] },
      {
        ...{ productId: 'mug', variantId: 'm', quantity: 1, total: '13.50' },
        taxes: [{ name: 'Tax', percentage: 20, amount: '2.70' }],
      },
    ],
    summary: { total: '40.46', discountTotal: '6.25', totalTaxes: '3.71', tip: { amount: '3.00' } },
  })
  // Prices with tax, and a custom sale; another one whose lines name no tax.
  await made('/v1/order', {
    ...{ sessionId, status: 'completed' },
    customSales: [
      { name: 'Wrap', quantity: 0.5, price: '12.00', taxes: [{ name: 'Tax', percentage: 20, amount: '1.00' }] },
    ],
    summary: { total: '6.00', totalTaxes: '1.00', isTaxInclusive: true },
  })
  await made('/v1/order', {
    ...{ sessionId, status: 'completed', employee: 'bob', currency: 'JPY', lineItems: [{ ...line, total: '500' }] },
    summary: { total: '500', totalTaxes: '45', taxes: [{ name: 'Tax', percentage: 10, amount: '45' }] },
  })
  for (const status of ['pending', 'parked', 'cancelled'])
    await made('/v1/order', { sessionId, status, summary: { total: '999.00' } })
  await paid(sessionId, '25.46', { paymentMethod: 'credit_card', currency: 'EUR', type: 'sale' })
  await paid(sessionId, '15.00')
  await paid(sessionId, '6.00', { currency: 'EUR' })
  await paid(sessionId, '500', { currency: 'JPY' })
  await paid(sessionId, '7.00', { type: 'void' })
  await made('/v1/refund', {
    ...{ sessionId, orderId: 'x', refundedBy: 'ann', summary: { total: '10.63', totalTaxes: '0.51' } },
    lineItems: [{ ...line, quantity: 1, total: '10.12', taxes: [{ name: 'Tax', percentage: 5, amount: '0.51' }] }],
  })
  await paid(sessionId, '10.63', { type: 'refund' })
  const moved = (type: string, amount: string) => made('/v1/cash-movement', { sessionId, type, amount, reason: 'r' })
  await moved('pay-in', '5.00')
  await moved('pay-out', '2.50')
  await moved('drop', '50.00')
  await moved('drop', '0.10')
  await moved('float', '20.00')
  return { sessionId, coffee }
}

test('a report adds up a session by currency, method, tax, employee and category, and says what the drawer should hold', async () => {
  const till = await shop()
  const { sessionId, coffee } = await day(till)
  const { figures, balances, openingAmount, lateCount, lateRecords, asOf, ...rest } = await till.report(sessionId)
  assert.deepEqual(rest, { stationId: till.stationId, sessionId, openTime: '2026-11-20T08:00:00.000Z' })
  assert.deepEqual([openingAmount, lateCount, lateRecords], ['100.00', 0, []])
  assert.ok(asOf <= new Date().toISOString())
  assert.equal(figures.length, 2)
  const [euro, yen] = figures
  assert.deepEqual(euro, {
    ...{ currency: 'EUR', late: false, sales: '46.46', salesCount: 2, discounts: '6.25', tax: '4.71', tips: '3.00' },
    ...{ refunds: '10.63', refundsCount: 1, voids: '7.00', voidsCount: 1 },
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
    ['JPY', '500', [{ name: 'Tax', percentage: 10, net: '0', tax: '45', refundedNet: '0', refundedTax: '0' }]],
  )
  // 100 + 21 − 10.63 + 5 − 2.50 − 50.10 + 20
  assert.deepEqual(balances, [
    { currency: 'EUR', paymentMethod: 'cash', expected: '82.77' },
    { currency: 'EUR', paymentMethod: 'credit_card', expected: '25.46' },
    { currency: 'JPY', paymentMethod: 'cash', expected: '500' },
  ])
})

test('a closing has the figures of the report and what was counted, closes the session, and is never changed', async () => {
  const till = await shop()
  const { id: companyId, call, close, closed, report } = till
  const { sessionId } = await day(till)
  const { figures, balances } = await report(sessionId)
  const z = await closed(sessionId, {
    counted: { cash: '82.70', gift_card: '5.00' },
    countedIn: { JPY: { cash: '510' } },
    ...{ closedBy: 'ann', closingNote: 'A coin is missing' },
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
  for (const method of ['PATCH', 'PUT', 'DELETE']) assertProblem(await call(method, `/v1/closing/${z.id}`, {}), 405)
})

test('a late record is in the next closing of its station, marked, and its money is not expected in the drawer again', async () => {
  const { call, stationId, made, opened, paid, closed, report } = await shop()
  const first = await opened()
  await paid(first, '10.00')
  const z1 = await closed(first, { counted: { cash: '113.00' } })
  const second = await opened({ openTime: undefined })
  // An offline sale that names the closed session; one that names the open one; and cash taken after the session was closed.
  const within = '2026-11-20T12:00:00.000Z'
  const a = await paid(first, '3.00', { occurredAt: within })
  const b = await paid(second, '4.00', { occurredAt: within })
  const c = await paid(first, '5.00')
  await paid(second, '20.00')
  const order = await made('/v1/order', { sessionId: first, occurredAt: within, summary: { total: '3.00' } })
  const x = await report(second)
  const z2 = await closed(second, { counted: { cash: '125.00' } })
  assert.deepEqual([z2.figures, z2.lateRecords], [x.figures, x.lateRecords])
  assert.deepEqual(
    z2.figures.map(({ late, sales, payments }: Body) => [late, sales, payments[0].sales]),
    [
      [false, '0.00', '20.00'],
      [true, '3.00', '12.00'],
    ],
  )
  assert.deepEqual(z2.balances, [
    { currency: 'EUR', paymentMethod: 'cash', expected: '125.00', counted: '125.00', difference: '0.00' },
  ])
  assert.equal(z2.lateCount, 4)
  const named = new Map(z2.lateRecords.map((late: Body) => [late.id, late]))
  assert.deepEqual([...named.keys()].sort(), [a.id, b.id, c.id, order.id].sort())
  assert.deepEqual(named.get(a.id), { resource: 'transaction', id: a.id, sessionId: first, occurredAt: within })
  // Nothing is taken twice, whatever changes; a session that was closed without a closing is in the next one.
  succeeded(await call('PATCH', `/v1/transaction/${a.id}`, { amount: '3.33' }))
  const third = await opened()
  await paid(third, '7.00')
  succeeded(await call('PATCH', `/v1/session/${third}`, { closeTime: new Date().toISOString() }))
  const fourth = await opened()
  await closed(fourth)
  const { data } = succeeded(await call('GET', `/v1/closings?stationId=${stationId}&sortBy=number`))
  assert.deepEqual(
    data.map(({ number, lateCount }: Body) => [number, lateCount]),
    [
      [1, 0],
      [2, 4],
      [3, 1],
    ],
  )
  assert.deepEqual([data[0], data[2].lateRecords[0].sessionId], [z1, third])
})

test('an order counts in the closing that comes after it was completed, and a station’s first closing begins with its session', async () => {
  const { call, made, opened, paid, closed } = await shop()
  const before = await opened({ closeTime: '2026-11-19T18:00:00Z' })
  await paid(before, '1.00')
  const first = await opened()
  const order = await made('/v1/order', { sessionId: first, status: 'parked', summary: { total: '9.00' } })
  const z1 = await closed(first)
  assert.deepEqual([z1.lateCount, z1.figures[0].salesCount], [0, 0])
  succeeded(await call('PATCH', `/v1/order/${order.id}`, { status: 'completed' }))
  const z2 = await closed(await opened())
  assert.deepEqual(
    z2.lateRecords.map(({ id }: Body) => id),
    [order.id],
  )
})

test('records without a session are in no closing, whatever else they name, until they get one', async () => {
  const { call, made, stationId, opened, closed } = await shop()
  const sessionId = await opened()
  const order = await made('/v1/order', { stationId, status: 'completed', summary: { total: '5.00' } })
  const payment = await made('/v1/transaction', { orderId: order.id, paymentMethod: 'cash', amount: '5.00' })
  const first = await closed(sessionId)
  assert.deepEqual([first.figures[0].salesCount, first.figures[0].payments, first.lateCount], [0, [], 0])
  for (const path of [`/v1/order/${order.id}`, `/v1/transaction/${payment.id}`])
    succeeded(await call('PATCH', path, { sessionId }))
  const next = await closed(await opened({ openTime: '2026-11-21T08:00:00Z' }))
  assert.deepEqual(
    next.figures.filter(({ late }: Body) => late).map(({ sales, payments }: Body) => [sales, payments[0].sales]),
    [['5.00', '5.00']],
  )
  assert.equal(next.lateCount, 2)
})

test('a session that is opened again after its closing begins with what was counted, and gets a second closing', async () => {
  const { call, opened, paid, closed, report } = await shop()
  const id = await opened()
  await paid(id, '10.00')
  await closed(id, { counted: { cash: '109.00' } })
  succeeded(await call('PATCH', `/v1/session/${id}`, { closeTime: null }))
  await paid(id, '5.00')
  assert.equal((await report(id)).openingAmount, '109.00')
  const z = await closed(id, { counted: { cash: '114.00' } })
  assert.deepEqual([z.number, z.figures[0].payments[0].sales, z.balances[0].difference], [2, '5.00', '0.00'])
  // The report of the closed session has all of its records.
  assert.equal((await report(id)).figures[0].payments[0].sales, '15.00')
})

test('a session is closed once, however many ask at once, and numbers of a station have no gaps', async () => {
  const { call, stationId, opened, close } = await shop()
  succeeded(await call('PATCH', '/v1/settings', { oneOpenSession: false }))
  const ids = [await opened(), await opened(), await opened()]
  const headers = { 'idempotency-key': 'close-0' }
  const replies = await Promise.all([
    ...ids.flatMap((id) => [close(id), close(id), close(id)]),
    ...[0, 1].map(() => call('POST', `/v1/session/${ids[0]}/close`, {}, headers)),
  ])
  assert.deepEqual([...new Set(replies.map(({ status }) => status))].sort(), [201, 409])
  const { data } = succeeded(await call('GET', `/v1/closings?stationId=${stationId}&sortBy=number`))
  assert.deepEqual(
    data.map(({ number }: Body) => number),
    [1, 2, 3],
  )
  const keyed = { 'idempotency-key': 'close-1' }
  const last = await opened()
  const [one, again] = [0, 1].map(() => call('POST', `/v1/session/${last}/close`, {}, keyed))
  const settled = [await one, await again].filter((reply) => reply?.status === 201)
  const retried = await call('POST', `/v1/session/${last}/close`, {}, keyed)
  assert.equal(retried.text, settled[0]?.text)
})

test('what is paid at the moment of a closing is in it or in the next one: never in both, never in none', async () => {
  const { id: companyId, call, opened, paid, closed } = await shop()
  let session = await opened()
  const payments: Promise<Body>[] = []
  for (let round = 0; round < 4; round++) {
    payments.push(...Array.from({ length: 15 }, () => paid(session, '0.01')))
    await closed(session)
    session = await opened()
  }
  const all = await Promise.all(payments)
  // A payment that is written before a closing and committed after it.
  const pending = newId()
  await service.database.transaction(async (transaction) => {
    const times = { createdAt: new Date().toISOString(), updatedAt: new Date().toISOString() }
    const record = { id: pending, companyId, sessionId: session, paymentMethod: 'cash', amount: '0.01', ...times }
    await transaction.query('insert into transactions (company_id, id, body) values ($1, $2, $3)', [
      ...[companyId, pending, JSON.stringify(record)],
    ])
    assert.ok(!(await closed(session)).lateRecords.some(({ id }: Body) => id === pending))
  })
  session = await opened()
  assert.ok((await closed(session)).lateRecords.some(({ id }: Body) => id === pending))
  const { data } = succeeded(await call('GET', '/v1/closings'))
  const figures: Body[] = data.flatMap((z: Body) => z.figures)
  const counts = figures.flatMap((of) => of.payments).map(({ salesCount }: Body) => salesCount)
  assert.equal(
    counts.reduce((sum: number, count: number) => sum + count, 0),
    all.length + 1,
  )
  const late = data.flatMap((z: Body) => z.lateRecords.map(({ id }: Body) => id))
  assert.equal(new Set(late).size, late.length)
})

test('a sale that is made offline and arrives when no session is open belongs to the session of its time, and to the next closing', async () => {
  const { made, stationId, opened, closed } = await shop()
  const first = await opened()
  await closed(first)
  const sale = { stationId, lineItems: [{ quantity: 1, total: '3.00' }], summary: { total: '3.00' } }
  const payments = [{ paymentMethod: 'cash', amount: '3.00' }]
  const within = await made('/v1/sale', { ...sale, payments, occurredAt: '2026-11-20T12:00:00Z' })
  const before = await made('/v1/sale', { ...sale, payments, occurredAt: '2026-11-20T07:59:59Z' })
  assert.deepEqual([within.order.sessionId, before.order.sessionId], [first, undefined])
  const { figures, balances } = await closed(await opened())
  assert.deepEqual(
    figures.map(({ late, sales }: Body) => [late, sales]),
    [
      [false, '0.00'],
      [true, '3.00'],
    ],
  )
  assert.equal(balances[0].expected, '100.00')
})

test('a void at the moment of the closing is either before it, and not in it, or refused', async () => {
  const { call, made, stationId, opened, close } = await shop()
  for (let round = 0; round < 4; round++) {
    const id = await opened()
    const { order } = await made('/v1/sale', {
      summary: { total: '3.00' },
      ...{
        stationId,
        lineItems: [{ quantity: 1, total: '3.00' }],
        payments: [{ paymentMethod: 'cash', amount: '3.00' }],
      },
    })
    const [z, voided] = await Promise.all([close(id), call('POST', `/v1/sale/${order.id}/void`)])
    assert.ok([200, 409].includes(voided.status), voided.text)
    const is = { sales: z.body.figures[0].salesCount, expected: z.body.balances[0].expected }
    assert.deepEqual(is, voided.status === 200 ? { sales: 0, expected: '100.00' } : { sales: 1, expected: '103.00' })
  }
})

test('a session of hundreds of employees and payment methods is closed, and its figures stay short and complete', async () => {
  const { call, opened, closed } = await shop()
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

test('wrong amounts are 400 at their member, and another company’s sessions and closings are unknown', async () => {
  const { id: companyId, call, made, opened, close, closed } = await shop()
  const id = await opened()
  for (const [body, pointer] of [
    [{ counted: { cash: 5 } }, '/counted/cash'],
    [{ counted: '5.00' }, '/counted'],
    [{ countedIn: { usd: { cash: '5.00' } } }, '/countedIn/usd'],
    [{ countedIn: { USD: { cash: '5,00' } } }, '/countedIn/USD/cash'],
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
