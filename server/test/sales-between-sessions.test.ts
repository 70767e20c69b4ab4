// A sale that names only its till is in a closing of that till, also if no session was open when it was made or when it arrived.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { sharedService } from './support/service.ts'
import { newTill } from './support/tills.ts'

const service = sharedService()

const HOUR_MS = 60 * 60_000
const ago = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString()

/** A till, and sales of 10.00 in cash that name it. */
async function sellingTill() {
  const till = await newTill(service)
  const sold = (body: Body = {}): Promise<Body> =>
    till.made('/v1/sale', {
      stationId: till.stationId,
      lineItems: [{ name: 'Beans', price: '10.00' }],
      payments: [{ paymentMethod: 'cash' }],
      ...body,
    })
  return { ...till, sold }
}

test('what is sold, paid and refunded at a till between two sessions is in its next closing, and expected in the drawer', async () => {
  const { call, made, opened, closed, report, sold } = await sellingTill()
  const first = await opened()
  const { order: onAccount } = await sold({ payments: [] })
  await closed(first)
  const { order, transactions } = await sold()
  assert.deepEqual([order.sessionId, transactions[0].sessionId], [first, first])
  await sold()
  const { refund } = await made(`/v1/sale/${order.id}/refund`, {})
  const later = await made(`/v1/sale/${onAccount.id}/payments`, { payments: [{ paymentMethod: 'cash' }] })
  assert.deepEqual([refund.sessionId, later.transactions[0].sessionId], [first, first])
  const second = await opened({ openTime: undefined })
  await sold()
  const x = await report(second)
  const z = await closed(second, { counted: { cash: '130.00' } })
  assert.deepEqual([z.figures, z.balances[0].difference, z.lateCount], [x.figures, '0.00', 7])
  assert.deepEqual(
    z.figures.map(({ late, sales, refunds }: Body) => [late, sales, refunds]),
    [
      [false, '10.00', '0.00'],
      [true, '20.00', '10.00'],
    ],
  )
  const { entries } = succeeded(await call('GET', '/v1/reports/journal'))
  const cash = entries.filter(({ account }: Body) => account === 'payments' || account === 'over-short')
  assert.deepEqual(
    cash.map(({ account, debit, credit }: Body) => [account, debit, credit]),
    [['payments', '30.00', '0.00']],
  )
})

test('a sale between two sessions is voided until a closing contains it, and its cash is then not expected', async () => {
  const { call, opened, closed, sold } = await sellingTill()
  const first = await opened()
  const { order: before } = await sold()
  await closed(first)
  const atOnce = await sold()
  const later = await sold()
  const counted = await sold()
  const voided = async ({ order }: Body) => (await call('POST', `/v1/sale/${order.id}/void`)).body
  assert.equal((await voided(atOnce)).order.status, 'cancelled')
  const second = await opened({ openTime: undefined })
  assert.equal((await voided(later)).transactions[0].type, 'void')
  assert.equal((await voided({ order: before })).reason, 'session_closed')
  const z = await closed(second, { counted: { cash: '110.00' } })
  assert.deepEqual([z.balances[0].difference, z.figures.map(({ sales }: Body) => sales)], ['0.00', ['0.00', '10.00']])
  assert.equal((await voided(counted)).reason, 'closing_counted')
  assert.equal((await voided(later)).reason, 'sale_voided')
})

test('a late sale belongs to the session that was opened last before it, also if several days were closed at once', async () => {
  const { opened, closed, sold } = await sellingTill()
  const days: string[] = []
  for (const hours of [72, 48]) {
    days.push(await opened({ openTime: ago(hours) }))
    await closed(days.at(-1) as string)
  }
  const sessions: string[] = []
  for (const hours of [80, 71, 49, 47, 1]) sessions.push((await sold({ occurredAt: ago(hours) })).order.sessionId)
  assert.deepEqual(sessions, [undefined, days[0], days[0], days[1], days[1]])
})

test('a sale gets no session if its till ended its last one more than 31 days before, or never had one', async () => {
  const { opened, sold } = await sellingTill()
  assert.equal((await sold()).order.sessionId, undefined)
  const longAgo = await opened({ openTime: ago(33 * 24), closeTime: ago(32 * 24) })
  assert.equal((await sold()).order.sessionId, undefined)
  assert.equal((await sold({ occurredAt: ago(2 * 24) })).order.sessionId, longAgo)
})

test('where a till may have several open sessions, a late sale belongs to one that was open when it was made', async () => {
  const { call, opened, closed, sold } = await sellingTill()
  succeeded(await call('PATCH', '/v1/settings', { oneOpenSession: false }))
  const ann = await opened({ openTime: ago(10) })
  const bob = await opened({ openTime: ago(8) })
  await closed(bob, { closeTime: ago(5) })
  const { balances } = await closed(ann, { closeTime: ago(2), counted: { cash: '110.00' } })
  assert.equal(balances[0].difference, '10.00')
  const sessions: string[] = []
  for (const hours of [9, 7, 1]) sessions.push((await sold({ occurredAt: ago(hours), payments: [] })).order.sessionId)
  assert.deepEqual(sessions, [ann, bob, bob])
  const { order } = await sold({ occurredAt: ago(3) })
  assert.equal(order.sessionId, ann)
  // Its cash was counted with Ann’s, so the next count does not expect it once more.
  const next = await closed(await opened({ openTime: undefined }), { counted: { cash: '100.00' } })
  assert.equal(next.balances[0].difference, '0.00')
})
