// Each record is in one closing: a late record in the next one, marked, and a record made at the moment of a closing in
// that one or the next.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../src/core/ids.ts'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { assertProblem } from './support/problem.ts'
import { sharedService } from './support/service.ts'
import { newTill } from './support/tills.ts'

const service = sharedService()

test('a late record is in the next closing of its station, marked, and its money is not expected in the drawer again', async () => {
  const { call, stationId, made, opened, paid, closed, report } = await newTill(service)
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
  const { call, made, opened, paid, closed } = await newTill(service)
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

test('the first closing of a station has the records of all sessions that were taken over before', async () => {
  const { made, paid, stationId, closed, report } = await newTill(service)
  const takenOver = async () => (await made('/v1/session?takeOver=true', { stationId })).id as string
  const first = await takenOver()
  const early = await paid(first, '10.00')
  const second = await takenOver()
  const between = await paid(second, '7.00')
  const third = await takenOver()
  await paid(third, '5.00')
  const x = await report(third)
  const z1 = await closed(third)
  assert.deepEqual([z1.figures, z1.lateRecords], [x.figures, x.lateRecords])
  assert.deepEqual(
    z1.lateRecords.map(({ id, sessionId }: Body) => [id, sessionId]),
    [
      [early.id, first],
      [between.id, second],
    ],
  )
  assert.deepEqual(
    [z1.number, ...z1.figures.map(({ late, payments }: Body) => [late, payments[0].sales])],
    [1, [false, '5.00'], [true, '17.00']],
  )
  const z2 = await closed(await takenOver())
  assert.deepEqual([z2.number, z2.lateCount], [2, 0])
})

test('a station that only took sessions over for years has the late records of the last 31 days in its reports and its first closing', async () => {
  const { id: companyId, made, paid, stationId, closed, report } = await newTill(service)
  const takenOver = async () => (await made('/v1/session?takeOver=true', { stationId })).id as string
  const first = await takenOver()
  const longAgo = await paid(first, '10.00')
  const recent = await paid(await takenOver(), '7.00')
  const third = await takenOver()
  const { database } = service
  const before = new Date(Date.now() - 40 * 24 * 60 * 60_000).toISOString()
  await database.query('update closing_numbers set began_at = $2 where company_id = $1', [companyId, before])
  for (const [table, id] of [
    ['sessions', first],
    ['transactions', longAgo.id],
  ])
    await database.query(
      `update ${table} set body = jsonb_set(body::jsonb, '{updatedAt}', to_jsonb($3::text))::json where company_id = $1 and id = $2`,
      [companyId, id, before],
    )
  const x = await report(third)
  const z1 = await closed(third)
  const ids = ({ lateRecords }: Body) => lateRecords.map(({ id }: Body) => id)
  assert.deepEqual([ids(x), ids(z1)], [[recent.id], [recent.id]])
  // Once the station has closings, a closing misses nothing, however late it is.
  await paid(await takenOver(), '3.00')
  const last = await takenOver()
  await database.query(
    `update transactions set body = jsonb_set(body::jsonb, '{updatedAt}', to_jsonb($2::text))::json where company_id = $1 and body ->> 'amount' = '3.00'`,
    [companyId, new Date(Date.now() - 35 * 24 * 60 * 60_000).toISOString()],
  )
  await database.query(`update closing_numbers set closed_at = $2, began_at = $2 where company_id = $1`, [companyId, before]) // biome-ignore format: one thought
  assert.deepEqual([(await report(last)).lateCount, (await closed(last)).lateCount], [0, 1])
})

test('records without a session are in no closing, whatever else they name, until they get one', async () => {
  const { call, made, stationId, opened, closed } = await newTill(service)
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

test('a sale that is made offline and arrives when no session is open belongs to the session of its time, and to the next closing', async () => {
  const { made, stationId, opened, closed } = await newTill(service)
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

test('a session is closed once, however many ask at once, and numbers of a station have no gaps', async () => {
  const { call, stationId, opened, close } = await newTill(service)
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
  const { id: companyId, call, opened, paid, closed } = await newTill(service)
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

test('a void at the moment of the closing is either before it, and not in it, or refused', async () => {
  const { call, made, stationId, opened, close } = await newTill(service)
  for (let round = 0; round < 4; round++) {
    const id = await opened()
    const { order } = await made('/v1/sale', {
      summary: { total: '3.00' },
      stationId,
      lineItems: [{ quantity: 1, total: '3.00' }],
      payments: [{ paymentMethod: 'cash', amount: '3.00' }],
    })
    const [z, voided] = await Promise.all([close(id), call('POST', `/v1/sale/${order.id}/void`)])
    assert.ok([200, 409].includes(voided.status), voided.text)
    const is = { sales: z.body.figures[0].salesCount, expected: z.body.balances[0].expected }
    assert.deepEqual(is, voided.status === 200 ? { sales: 0, expected: '100.00' } : { sales: 1, expected: '103.00' })
  }
})

test('a report is of one moment: sales that are made while it is added up are in all of its sums or in none', async () => {
  const { made, stationId, opened, report } = await newTill(service)
  const id = await opened()
  const sell = () =>
    made('/v1/sale', {
      stationId,
      lineItems: [{ name: 'Tea', price: '1.00' }],
      payments: [{ paymentMethod: 'cash' }],
    })
  let selling = 8
  const till = async () => {
    for (let n = 0; n < 10; n++) await sell()
    selling--
  }
  const reader = async () => {
    while (selling > 0) {
      const [{ sales, salesCount, payments }] = (await report(id)).figures
      const paid = payments.map(({ sales, salesCount }: Body) => ({ sales, salesCount }))
      assert.deepEqual(paid, salesCount === 0 ? [] : [{ sales, salesCount }])
    }
  }
  await Promise.all([reader(), ...Array.from({ length: selling }, till)])
  assert.equal((await report(id)).figures[0].sales, '80.00')
})

test('records of a session that was open during the closing of another, and was then closed without one, are in the next closing however old they are', async () => {
  const { id: companyId, call, stationId, opened, paid, closed, report } = await newTill(service)
  succeeded(await call('PATCH', '/v1/settings', { oneOpenSession: false }))
  const first = await opened()
  const morning = await paid(first, '10.00')
  await closed(await opened())
  const { database } = service
  // As if the payment was made in the morning, and the other session was closed in the afternoon.
  await database.query(`update closing_numbers set began_at = '2026-01-01' where company_id = $1 and station_id = $2`, [
    ...[companyId, stationId],
  ])
  await database.query(
    `update transactions set body = jsonb_set(body::jsonb, '{updatedAt}', to_jsonb(iso_time(now() - interval '3 hours')))::json
     where company_id = $1 and id = $2`,
    [companyId, morning.id],
  )
  succeeded(await call('PATCH', `/v1/session/${first}`, { closeTime: new Date().toISOString() }))
  const last = await opened()
  const x = await report(last)
  const z = await closed(last)
  assert.deepEqual(z.lateRecords, x.lateRecords)
  assert.deepEqual(
    z.lateRecords.map(({ id }: Body) => id),
    [morning.id],
  )
  assert.equal((await closed(await opened())).lateCount, 0)
})

test('a till that was offline for days closes one after the other: sales of a later day are not late, though the closing of the earlier one is as late as they are', async () => {
  const { paid, opened, closed } = await newTill(service)
  const days = ['2026-11-18', '2026-11-19', '2026-11-20']
  for (const day of days) {
    const session = await opened({ openTime: `${day}T08:00:00.000Z`, openingAmount: '100.00' })
    await paid(session, '10.00', { occurredAt: `${day}T12:00:00.000Z` })
    const { balances, lateCount } = await closed(session, { counted: { cash: '110.00' } })
    assert.deepEqual(
      [balances[0].expected, balances[0].difference, lateCount],
      ['110.00', '0.00', 0],
      `The closing of ${day}.`,
    )
  }
})

test('a till in another currency than the company’s has its opening float as a movement, and is counted in its own', async () => {
  const { call, made, paid, opened, closed } = await newTill(service)
  const session = await opened({ openingAmount: undefined })
  await made('/v1/cash-movement', { sessionId: session, type: 'float', amount: '100.00', currency: 'USD' })
  await paid(session, '10.00', { currency: 'USD' })
  const { balances, openingAmount } = await closed(session, { countedIn: { USD: { cash: '109.00' } } })
  assert.equal(openingAmount, '0.00')
  const [own, dollars] = balances
  assert.deepEqual(own, { currency: 'EUR', paymentMethod: 'cash', expected: '0.00' })
  assert.deepEqual(dollars, {
    currency: 'USD',
    paymentMethod: 'cash',
    expected: '110.00',
    counted: '109.00',
    difference: '-1.00',
  })
  assert.equal(succeeded(await call('GET', `/v1/session/${session}`)).closingAmount, undefined)
})

test('a sale of a till whose clock is ahead, refused since its session was closed before, is made without the session: once, in the closing of the next one', async () => {
  const { call, opened, closed, stationId } = await newTill(service)
  const first = await opened()
  await closed(first)
  const occurredAt = new Date(Date.now() + 300_000).toISOString()
  const numbered = { source: 'till-1', externalId: 'R-17', occurredAt, stationId }
  const sale = { ...numbered, lineItems: [{ name: 'Tea', price: '4.00' }], payments: [{ paymentMethod: 'cash' }] }
  const path = '/v1/sale?mode=once'
  const { errors } = assertProblem(await call('POST', path, { ...sale, sessionId: first }), 409, 'conflict')
  assert.deepEqual([errors[0].pointer, errors[0].code], ['/sessionId', 'closed'])
  assert.equal(succeeded(await call('GET', '/v1/orders?externalId=R-17')).meta.count, 0)
  const second = await opened({ openTime: undefined })
  const { order } = succeeded(await call('POST', path, sale), 201)
  assert.equal(order.sessionId, second)
  assert.equal(succeeded(await call('POST', path, { ...sale, sessionId: first })).order.id, order.id)
  const { figures, lateCount } = await closed(second)
  assert.deepEqual([figures[0].sales, figures[0].payments[0].sales, lateCount], ['4.00', '4.00', 0])
})

test('a till that was offline sends the time of its count: later sales are in the next closing, and the difference on the day of the count', async () => {
  const { call, made, opened, paid, closed, stationId, close } = await newTill(service)
  const first = await opened({ openTime: '2026-11-20T08:00:00Z' })
  await paid(first, '10.00', { occurredAt: '2026-11-20T12:00:00Z' })
  const closeTime = '2026-11-20T18:00:00.000Z'
  const z = await closed(first, { closeTime: '2026-11-20T18:00:00Z', counted: { cash: '109.50' } })
  assert.deepEqual([z.closeTime, z.balances[0].difference], [closeTime, '-0.50'])
  assert.equal(succeeded(await call('GET', `/v1/session/${first}`)).closeTime, closeTime)
  const sold = async (occurredAt: string) =>
    (await made('/v1/sale', { stationId, occurredAt, lineItems: [{ name: 'Tea', price: '2.00' }] })).order.sessionId
  assert.deepEqual([await sold('2026-11-20T17:00:00Z'), await sold('2026-11-21T09:00:00Z')], [first, first])
  const { entries } = succeeded(await call('GET', '/v1/reports/journal?from=2026-11-20&to=2026-11-30'))
  assert.deepEqual(
    entries.flatMap(({ account, day, debit }: Body) => (account === 'over-short' ? [[day, debit]] : [])),
    [['2026-11-20', '0.50']],
  )
  const second = await opened({ openTime: '2026-11-20T17:30:00Z' })
  for (const [time, message] of [
    ['2026-11-20T17:00:00Z', /must not be before the session began, at 2026-11-20T17:30:00/],
    ['2026-11-20T17:45:00Z', /must not be before the last closing of the station, at 2026-11-20T18:00:00/],
    [new Date(Date.now() + 3_600_000).toISOString(), /must be at most 10 minutes ahead of the service/],
  ] as const)
    assert.match(assertProblem(await close(second, { closeTime: time }), 400, 'validation_failed').message, message)
  const { number, lateCount } = await closed(second)
  assert.deepEqual([number, lateCount], [2, 2])
})

test('after a clock was ahead and is set back, a till that was offline can still send the time of its count', async () => {
  const { id: companyId, opened, closed } = await newTill(service)
  await closed(await opened({ openTime: '2026-11-20T08:00:00Z' }))
  const inAYear = new Date(Date.now() + 365 * 24 * 60 * 60 * 1000).toISOString()
  await service.database.query(
    `update closings set body = jsonb_set(body::jsonb, '{closeTime}', to_jsonb($2::text))::json where company_id = $1`,
    [companyId, inAYear],
  )
  const second = await opened({ openTime: '2026-11-21T08:00:00Z' })
  assert.equal((await closed(second, { closeTime: '2026-11-21T18:00:00Z' })).closeTime, '2026-11-21T18:00:00.000Z')
})
