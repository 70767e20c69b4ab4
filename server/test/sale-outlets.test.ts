// A sale whose money moves at another outlet: the money is there, in the session of its till, and the revenue where it was sold (docs/decisions/0086).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { succeeded } from './support/custom-tables.ts'
import { report } from './support/report-groups.ts'
import { refused } from './support/sales.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

/** An outlet with a till whose session is open. */
async function openTill(call: Caller, name: string) {
  const made = async (path: string, body: object): Promise<string> => succeeded(await call('POST', path, body), 201).id
  const outletId = await made('/v1/outlet', { name })
  const stationId = await made('/v1/station', { name: 'Till 1', outletId, status: 'IN_USE' })
  return { outletId, stationId, sessionId: await made('/v1/session', { stationId }) }
}

/** What a till sells at its outlet. */
async function sell(
  call: Caller,
  { outletId, stationId }: Awaited<ReturnType<typeof openTill>>,
  { price = '12.00', payments = [] as object[] } = {},
) {
  const lineItems = [{ name: 'Cake', price }]
  return succeeded(await call('POST', '/v1/sale', { outletId, stationId, lineItems, payments }), 201).order.id as string
}

const cents = (text: string) => Math.round(Number(text) * 100)

test('money that another outlet’s till takes or pays back is at that outlet, as in its session; revenue stays where it was sold', async () => {
  const { call } = await service.company()
  const a = await openTill(call, 'A')
  const b = await openTill(call, 'B')
  const { outletId, stationId } = b
  const sold = await sell(call, a, { payments: [{ paymentMethod: 'cash' }] })
  const refund = succeeded(await call('POST', `/v1/sale/${sold}/refund`, { outletId, stationId }), 201)
  const onAccount = await sell(call, a, { price: '20.00' })
  const card = { stationId, payments: [{ paymentMethod: 'credit_card' }] }
  const paid = succeeded(await call('POST', `/v1/sale/${onAccount}/payments`, card), 201)
  for (const { order, transactions } of [refund, paid]) {
    const [{ outletId, sessionId }] = transactions
    assert.deepEqual([outletId, sessionId, order.outletId], [b.outletId, b.sessionId, a.outletId])
  }

  const money = (await report(call, 'groupBy=outletId,paymentMethod')).groups
  const rowOf = ({ outletId, paymentMethod, paid, refunded }: any) => [outletId, paymentMethod, paid, refunded]
  const byText = (rows: unknown[]) => rows.map(String).sort()
  assert.deepEqual(
    byText(money.map(rowOf)),
    byText([
      [a.outletId, 'cash', '12.00', '0.00'],
      [b.outletId, 'cash', '0.00', '12.00'],
      [b.outletId, 'credit_card', '20.00', '0.00'],
    ]),
  )
  // Each outlet's money is that of its session.
  for (const { outletId, sessionId } of [a, b]) {
    const { figures } = succeeded(await call('GET', `/v1/session/${sessionId}/report`))
    const ofTill = figures[0].payments.map(({ paymentMethod, sales, refunds }: any) => [outletId, paymentMethod, sales, refunds]) // biome-ignore format: one thought
    assert.deepEqual(byText(ofTill), byText(money.filter((group: any) => group.outletId === outletId).map(rowOf)))
  }

  // Of the 20.00 that A has earned, it has 12.00; B took 20.00 and paid back 12.00 for it.
  const revenue = (await report(call, 'groupBy=outletId')).groups
  const between = ({ outletId }: { readonly outletId: string }): number => {
    const own = (groups: any[]) => groups.filter((group) => group.outletId === outletId)
    const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
    const credit = sum(own(revenue).map(({ totalSales, refunded }) => cents(totalSales) - cents(refunded)))
    return sum(own(money).map(({ paid, refunded }) => cents(paid) - cents(refunded))) - credit
  }
  assert.deepEqual([between(a), between(b)], [-800, 800])
})

test('the till of a named session decides the outlet of money; without a till, or with an unknown one, it is the order’s', async () => {
  const { call } = await service.company()
  const a = await openTill(call, 'A')
  const b = await openTill(call, 'B')
  const foreign = await openTill((await service.company()).call, 'C')
  const { stationId } = b
  const cases: [object, string, string | undefined][] = [
    [{}, a.outletId, a.sessionId],
    [{ outletId: b.outletId }, a.outletId, a.sessionId],
    [{ sessionId: b.sessionId }, b.outletId, b.sessionId],
    [{ sessionId: b.sessionId, stationId: a.stationId }, b.outletId, b.sessionId],
    [{ sessionId: 'unknown', stationId }, b.outletId, 'unknown'],
    [{ stationId: 'unknown' }, a.outletId, undefined],
    [{ stationId: foreign.stationId }, a.outletId, undefined],
    [{ stationId: foreign.stationId, sessionId: foreign.sessionId }, a.outletId, foreign.sessionId],
  ]
  for (const [till, outletId, sessionId] of cases) {
    const id = await sell(call, a)
    const { outletId: goodsTo, ...named } = till as { readonly outletId?: string }
    const payments = [{ paymentMethod: 'cash' }]
    const paid = succeeded(await call('POST', `/v1/sale/${id}/payments`, { ...named, payments }), 201)
    const back = succeeded(await call('POST', `/v1/sale/${id}/refund`, till), 201)
    for (const { transactions } of [paid, back])
      assert.deepEqual([transactions[0].outletId, transactions[0].sessionId], [outletId, sessionId], JSON.stringify(till)) // biome-ignore format: one thought
  }
  // A till whose session is closed still has its outlet.
  succeeded(await call('POST', `/v1/session/${b.sessionId}/close`), 201)
  const id = await sell(call, a)
  const late = { stationId, payments: [{ paymentMethod: 'cash' }] }
  const { transactions } = succeeded(await call('POST', `/v1/sale/${id}/payments`, late), 201)
  assert.deepEqual([transactions[0].outletId, transactions[0].sessionId], [b.outletId, b.sessionId])
  refused(await call('POST', `/v1/sale/${id}/refund`, { sessionId: b.sessionId }), 409, 'conflict', '/sessionId')
})

test('an open order that another outlet’s till completes has its money there, unless the request says where the sale is', async () => {
  const { call } = await service.company()
  const a = await openTill(call, 'A')
  const b = await openTill(call, 'B')
  const { outletId, stationId } = a
  const parked = { status: 'parked', outletId, stationId, lineItems: [{ name: 'Cake', price: '12.00' }] }
  const cases: [object, string[]][] = [
    [{}, [a.outletId, a.outletId, a.sessionId]],
    [{ stationId: b.stationId }, [b.outletId, a.outletId, b.sessionId]],
    [{ sessionId: b.sessionId }, [b.outletId, a.outletId, b.sessionId]],
    [{ stationId: 'unknown', sessionId: a.sessionId }, [a.outletId, a.outletId, a.sessionId]],
    [{ stationId: b.stationId, outletId: b.outletId }, [b.outletId, b.outletId, b.sessionId]],
    [{ stationId: b.stationId, outletId: a.outletId }, [a.outletId, a.outletId, b.sessionId]],
  ]
  for (const [till, expected] of cases) {
    const { id } = succeeded(await call('POST', '/v1/order', parked), 201)
    const body = { ...till, payments: [{ paymentMethod: 'cash' }] }
    const { order, transactions } = succeeded(await call('POST', `/v1/sale/${id}/complete`, body))
    assert.deepEqual([transactions[0].outletId, order.outletId, transactions[0].sessionId], expected, JSON.stringify(till)) // biome-ignore format: one thought
    assert.equal(order.sessionId, transactions[0].sessionId)
  }
})

test('a sale that names only its till or its session is at the outlet of that till, with its payments, stock and taxes; a quote and a completion too', async () => {
  const { call } = await service.company()
  const made = async (path: string, body: object) => succeeded(await call('POST', path, body), 201)
  const outletId = (await made('/v1/outlet', { name: 'Branch' })).id
  const stationId = (await made('/v1/station', { name: 'Till', outletId, status: 'IN_USE' })).id
  await made('/v1/tax-table', { name: 'There', outletIds: [outletId], rates: [{ name: 'VAT', percentage: 20 }] })
  const productId = (await made('/v1/product', { name: 'Mug' })).id
  const inventory = [{ outletId, stock: 3 }]
  const variantId = (await made('/v1/variant', { productId, price: 10, manageStock: true, inventory })).id
  const lines = { stationId, lineItems: [{ variantId }] }
  const payments = [{ paymentMethod: 'cash' }]
  const { order, transactions, stock } = await made('/v1/sale', { ...lines, payments })
  assert.deepEqual([order.outletId, order.summary.total, transactions[0].outletId, stock[0].stock], [outletId, '12.00', outletId, 2]) // biome-ignore format: one thought
  const quote = succeeded(await call('POST', '/v1/sale/quote', lines))
  assert.deepEqual([quote.order.outletId, quote.total], [outletId, '12.00'])
  const parked = await made('/v1/order', { ...lines, status: 'parked' })
  const completed = succeeded(await call('POST', `/v1/sale/${parked.id}/complete`, { payments }))
  assert.deepEqual([completed.order.outletId, completed.transactions[0].outletId], [outletId, outletId])
  const sessionId = (await made('/v1/session', { stationId })).id
  const { stationId: _, ...unnamed } = lines
  const ofSession = await made('/v1/sale', { ...unnamed, sessionId, payments })
  assert.deepEqual([ofSession.order.outletId, ofSession.transactions[0].outletId], [outletId, outletId])
  assert.equal(succeeded(await call('POST', '/v1/sale/quote', { ...unnamed, sessionId })).total, '12.00')
  const elsewhere = { ...lines, outletId: 'elsewhere', lineItems: [{ name: 'Tea', price: '1.00' }] }
  assert.equal((await made('/v1/sale', elsewhere)).order.outletId, 'elsewhere')
  const unknown = await call('POST', '/v1/sale', { ...lines, stationId: 'unknown' })
  refused(unknown, 400, 'validation_failed', '/outletId')
})
