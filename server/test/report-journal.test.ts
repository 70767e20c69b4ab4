// The journal: the bookkeeping entries of each day and outlet, in which debits equal credits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { assertProblem } from './support/problem.ts'
import { made } from './support/report-groups.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

const vat = (percentage: number) => [{ name: 'VAT', percentage }]

/** A till of an outlet. */
async function till() {
  const { id: companyId, call } = await service.company()
  const { id: outletId } = await made(call, '/v1/outlet', { name: 'Main Street' })
  const { id: stationId } = await made(call, '/v1/station', { name: 'Till 1', outletId, status: 'IN_USE' })
  return { companyId, call, outletId, stationId }
}

/** The entries of a day or more. */
async function entriesOf(call: Caller, query = ''): Promise<Body[]> {
  for (;;) {
    const { isComplete, entries } = succeeded(await call('GET', `/v1/reports/journal?${query}`))
    if (!isComplete) continue
    for (const [, own] of Map.groupBy(entries as Body[], ({ day, outletId, currency }) =>
      [day, outletId, currency].join(),
    )) {
      const sumOf = (side: string) => own.reduce((sum, entry) => sum + Math.round(Number(entry[side]) * 1000), 0)
      assert.equal(sumOf('debit'), sumOf('credit'), JSON.stringify(own))
    }
    return entries
  }
}

/** The same as texts: the account, what it says besides, and the amount, which is below zero for a credit. */
const journal = async (call: Caller, query: string): Promise<string[]> =>
  (await entriesOf(call, query)).map(({ day, account, taxRate, paymentMethod, movementType, debit, credit }) =>
    [day.slice(8), account, taxRate ?? paymentMethod ?? movementType, Number(debit) > 0 ? debit : `-${credit}`]
      .filter((part) => part !== undefined && part !== null)
      .join(' '),
  )

test('a day has revenue and tax by rate, tips, payments by method, gift cards, cash movements and what was missing', async () => {
  const { call, outletId, stationId } = await till()
  const { id: giftCard } = await made(call, '/v1/product', { name: 'Gift card' })
  // 23:30 and 03:30 of one night belong to the day on which it began.
  const evening = '2026-10-24T21:30:00Z'
  const night = '2026-10-25T02:30:00Z'
  const { id: sessionId } = await made(call, '/v1/session', { stationId, openTime: '2026-10-24T08:00:00Z', openingAmount: '100.00' }) // biome-ignore format: one thought
  const sale = (body: Body) => made(call, '/v1/sale', { outletId, stationId, ...body })
  const { order } = await sale({
    occurredAt: evening,
    lineItems: [
      { productId: 'soup', name: 'Soup', price: '10.00', taxes: vat(10) },
      { productId: 'wine', name: 'Wine', price: '5.00', quantity: 2, taxes: vat(20) },
      { productId: giftCard, price: '50.00', taxes: [] },
    ],
    cartFees: [{ name: 'Cover', amount: '1.00' }],
    summary: { tip: { amount: '3.00' }, shippingTotal: '4.00' },
    payments: [{ paymentMethod: 'gift_card', amount: '20.00' }, { paymentMethod: 'cash' }],
  })
  const refund = { lines: [{ lineItem: 1, quantity: 1 }], occurredAt: night, payments: [{ paymentMethod: 'store_credit' }] } // biome-ignore format: one thought
  await made(call, `/v1/sale/${order.id}/refund`, refund)
  await sale({ occurredAt: night, lineItems: [{ name: 'Tea', price: '2.00', taxes: vat(20) }], payments: [] })
  await made(call, '/v1/cash-movement', { sessionId, type: 'pay-out', amount: '20.00', occurredAt: night })
  await made(call, '/v1/cash-movement', { sessionId, type: 'float', amount: '30.00', occurredAt: night })
  const expected = [
    ...['sales -50.00', 'sales 10 -10.00', 'sales 20 -7.00', 'tax 10 -1.00', 'tax 20 -1.40', 'tips -3.00'],
    ...['shipping -4.00', 'fees -1.00', 'payments cash 61.00', 'payments gift_card 20.00', 'payments store_credit -6.00'],
    ...['receivables 2.40', 'cash-movements float -30.00', 'cash-movements pay-out 20.00', 'drawer cash 10.00'],
  ] // biome-ignore format: a table
  const clock = 'timezone=Europe/Vienna&dayStartHour=4'
  const day = `from=2026-10-24&to=2026-10-24&${clock}`
  assert.deepEqual(await journal(call, day), expected.map((entry) => `24 ${entry}`)) // biome-ignore format: one thought
  const withCards = await journal(call, `${day}&giftCards=${giftCard}`)
  assert.deepEqual(withCards.filter((entry) => entry.endsWith(' -50.00')), ['24 gift-cards -50.00']) // biome-ignore format: one thought
  assert.deepEqual(await journal(call, `from=2026-10-25&to=2026-10-26&${clock}`), [])
})

test('fees that are finer than the currency are booked as they were paid', async () => {
  const { call, stationId } = await till()
  await made(call, '/v1/sale', {
    stationId,
    lineItems: [{ name: 'Tea', price: '10.00', fee: [{ amount: '0.004' }, { amount: '0.003' }] }],
    cartFees: [{ amount: '0.005' }, { amount: '0.005' }, { amount: '0.005' }],
    payments: [{ paymentMethod: 'cash' }],
  })
  const booked = (await journal(call, '')).map((entry) => entry.slice(3))
  assert.deepEqual(booked, ['sales -10.00', 'fees -0.03', 'payments cash 10.03'])
})

/** A till with sessions that are opened and closed some minutes ago, and the sums of what its drawers have on all days: the test may run at midnight. */
async function drawer() {
  const { companyId, call, outletId, stationId } = await till()
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const open = async (openingAmount: string, minutes: number, query = ''): Promise<string> =>
    (await made(call, `/v1/session${query}`, { stationId, openTime: ago(minutes), openingAmount })).id
  const close = (id: string, counted?: Body) => made(call, `/v1/session/${id}/close`, { counted })
  const sell = (price: string, paymentMethod: string, minutes: number) => made(call, '/v1/sale', { outletId, stationId, occurredAt: ago(minutes), lineItems: [{ name: 'Tea', price }], payments: [{ paymentMethod }] }) // biome-ignore format: one thought
  const changes = async () => {
    const sums = new Map<string, number>()
    for (const entry of await journal(call, '')) {
      const [, account = '', ...rest] = entry.split(' ')
      const key = [account, ...rest.slice(0, -1)].join(' ')
      sums.set(key, (sums.get(key) ?? 0) + Number(rest.at(-1)))
    }
    return Object.fromEntries([...sums].filter(([key, sum]) => /over-short|drawer|payments/.test(key) && sum !== 0))
  }
  return { companyId, call, stationId, open, close, sell, changes }
}

test('a surplus is taken back once the late sale whose cash was counted arrives, and what is missing stays', async () => {
  const { call, open, close, sell, changes } = await drawer()
  const first = await open('100.00', 120)
  await sell('10.00', 'cash', 100)
  await close(first, { cash: '115.00' })
  assert.deepEqual(await changes(), { 'payments cash': 10, 'over-short cash': -5, 'drawer cash': 5 })
  const second = await open('115.00', 0)
  await sell('8.00', 'cash', 90)
  const pay = { sessionId: first, type: 'pay-out', amount: '3.00', occurredAt: new Date(Date.now() - 80 * 60_000) }
  await made(call, '/v1/cash-movement', pay)
  await sell('7.00', 'credit_card', 0)
  await close(second, { cash: '113.00', credit_card: '7.50' })
  assert.deepEqual(await changes(), {
    'payments cash': 18,
    'payments credit_card': 7,
    'over-short cash': 2,
    'over-short credit_card': -0.5,
    'drawer cash': -5,
    'drawer credit_card': 0.5,
  })
})

test('late cash is taken back only where it was counted, even by a closing that counts nothing', async () => {
  const cash = 'payments cash'
  const counts = [
    [undefined, { cash: '115.00' }, { [cash]: 15 }],
    [{ cash: '115.00' }, undefined, { [cash]: 15 }],
    [{ credit_card: '0.00' }, { cash: '114.00' }, { [cash]: 15, 'over-short cash': 1, 'drawer cash': -1 }],
  ] as const
  for (const [before, after, expected] of counts) {
    const { open, close, sell, changes } = await drawer()
    const first = await open('100.00', 120)
    await sell('10.00', 'cash', 100)
    await close(first, before)
    const second = await open('115.00', 0)
    await sell('5.00', 'cash', 90)
    await close(second, after)
    assert.deepEqual(await changes(), expected)
  }
})

test('a surplus is taken back if the session was counted only after it was reopened', async () => {
  const { call, open, close, sell, changes } = await drawer()
  const first = await open('100.00', 120)
  await sell('10.00', 'cash', 100)
  await close(first)
  succeeded(await call('PATCH', `/v1/session/${first}`, { closeTime: null }))
  await close(first, { cash: '115.00' })
  assert.deepEqual(await changes(), { 'payments cash': 10, 'over-short cash': -5, 'drawer cash': 5 })
  const second = await open('115.00', 0)
  await sell('5.00', 'cash', 90)
  await close(second, { cash: '115.00' })
  assert.deepEqual(await changes(), { 'payments cash': 15 })
})

test('a surplus is taken back if the clock was ahead at the count', async () => {
  const { companyId, open, close, sell, changes } = await drawer()
  const first = await open('100.00', 120)
  await sell('10.00', 'cash', 100)
  await close(first, { cash: '115.00' })
  const inAYear = new Date(Date.now() + 365 * 24 * 60 * 60 * 1000).toISOString()
  for (const table of ['closings', 'sessions'])
    await service.database.query(
      `update ${table} set body = jsonb_set(body::jsonb, '{closeTime}', to_jsonb($2::text))::json where company_id = $1`,
      [companyId, inAYear],
    )
  await service.database.query('update closing_numbers set closed_at = $2 where company_id = $1', [companyId, inAYear])
  assert.deepEqual(await changes(), { 'payments cash': 10 })
  const second = await open('115.00', 0)
  await sell('5.00', 'cash', 90)
  await close(second, { cash: '115.00' })
  // The surplus itself is on a day in a year.
  assert.deepEqual(await changes(), { 'payments cash': 15, 'over-short cash': 5, 'drawer cash': -5 })
})

test('the journal keeps a till’s past entries at their outlet when the till moves to another one', async () => {
  const { companyId, call, open, close, sell, stationId } = await drawer()
  const session = await open('100.00', 120)
  await sell('10.00', 'cash', 100)
  await made(call, '/v1/cash-movement', { sessionId: session, type: 'pay-out', amount: '3.00' })
  const { outletId } = await close(session, { cash: '106.50' })
  await sell('5.00', 'cash', 90)
  await close(await open('106.50', 0))
  const before = await entriesOf(call)
  assert.deepEqual([...new Set(before.map((entry) => entry.outletId))], [outletId])
  const { id } = await made(call, '/v1/outlet', { name: 'Market' })
  succeeded(await call('PATCH', `/v1/station/${stationId}`, { outletId: id }))
  assert.deepEqual(await entriesOf(call), before)
  // A closing from before closings had their outlet is at that of the till.
  await service.database.query(`update closings set body = (body::jsonb - 'outletId')::json where company_id = $1`, [companyId]) // biome-ignore format: one thought
  const after = await entriesOf(call)
  assert.deepEqual([...new Set(after.map((entry) => entry.outletId))].sort(), [outletId, id].sort())
})

test('cash of a session that another one took over is neither over nor missing at the closing that contains it', async () => {
  const { open, close, sell, changes } = await drawer()
  await close(await open('100.00', 180), { cash: '100.00' })
  await open('100.00', 120)
  await sell('50.00', 'cash', 100)
  const second = await open('150.00', 0, '?takeOver=true')
  await sell('10.00', 'cash', 0)
  await close(second, { cash: '160.00' })
  assert.deepEqual(await changes(), { 'payments cash': 60 })
})

test('a line with two rates is revenue once, money at another outlet is a receivable of each, and CSV has the same entries', async () => {
  const { call, outletId } = await till()
  const { id: other } = await made(call, '/v1/outlet', { name: '=North, "new"' })
  const { id: stationId } = await made(call, '/v1/station', { name: 'Till 2', outletId: other, status: 'IN_USE' })
  const taxes = [{ name: 'State', percentage: 5 }, { name: 'City', percentage: 2.5 }] // biome-ignore format: one thought
  const occurredAt = '2026-10-24T12:00:00Z'
  const { order } = await made(call, '/v1/sale', { outletId, occurredAt, lineItems: [{ name: 'Mug', price: '100.00', taxes }], payments: [] }) // biome-ignore format: one thought
  await made(call, `/v1/sale/${order.id}/payments`, { stationId, occurredAt, payments: [{ paymentMethod: 'cash' }] })
  const day = 'from=2026-10-24&to=2026-10-24'
  const ofFirst = ['sales 100.00', 'sales 2.5 -100.00', 'sales 5 -100.00', 'tax 2.5 -2.50', 'tax 5 -5.00', 'receivables 107.50'] // biome-ignore format: one thought
  const ofOther = ['payments cash 107.50', 'receivables -107.50']
  assert.deepEqual(await journal(call, day), [...ofFirst, ...ofOther].map((entry) => `24 ${entry}`)) // biome-ignore format: one thought
  const { headers, text } = await call('GET', `/v1/reports/journal?${day}&format=csv`)
  assert.equal(headers.get('content-disposition'), 'attachment; filename="journal.csv"')
  const lines = text.split('\n')
  assert.equal(lines[0], 'day,outletId,outletName,currency,account,taxRate,paymentMethod,movementType,debit,credit')
  assert.equal(lines[2], `2026-10-24,${outletId},Main Street,EUR,sales,2.5,,,0.00,100.00`)
  assert.equal(lines.at(-2), `2026-10-24,${other},"'=North, ""new""",EUR,receivables,,,,0.00,107.50`)
  assertProblem(await call('GET', '/v1/reports/journal?from=2026-10-25&to=2026-10-24'), 400, 'validation_failed')
})
