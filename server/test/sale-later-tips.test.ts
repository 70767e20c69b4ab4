// Tips of payments that are taken after the sale: the order is paid, and X, Z, reports and refunds have the tip as a tip, once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { assertProblem } from './support/problem.ts'
import { report } from './support/report-groups.ts'
import { refused, shop } from './support/sales.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

/** A till that sells on account and opens, reports and closes its sessions. */
async function tillOf(call: Caller) {
  const { outletId, stationId } = await shop(call)
  const made = async (path: string, body: Body = {}): Promise<Body> => succeeded(await call('POST', path, body), 201)
  const sold = async (more: Body = {}): Promise<Body> =>
    (await made('/v1/sale', { outletId, stationId, lineItems: [{ name: 'Menu', price: '27.02' }], ...more })).order
  const pay = (id: string, payments: Body[], more: Body = {}) =>
    call('POST', `/v1/sale/${id}/payments`, { payments, ...more })
  const opened = async (): Promise<string> => (await made('/v1/session', { stationId })).id
  const sumsOf = ({ figures: [own] }: Body) => [own.sales, own.salesCount, own.tips, own.cashRounding]
  const x = async (id: string): Promise<Body> => succeeded(await call('GET', `/v1/session/${id}/report`))
  const z = (id: string): Promise<Body> => made(`/v1/session/${id}/close`)
  return { call, made, sold, pay, opened, sumsOf, x, z }
}

const card = (amount: string | undefined, tip: string) => ({
  paymentMethod: 'credit_card',
  amount,
  tip: { amount: tip },
})
const totalsOf = ({ summary, paid, due, paymentStatus }: Body) => [summary.tip?.amount, summary.total, paid, due, paymentStatus] // biome-ignore format: one thought

test('a tip with a later payment is a tip of the order, which is then paid; X and Z have it in the session of the payment, reports and refunds too', async () => {
  const { call, made, sold, pay, opened, sumsOf, x, z } = await tillOf((await service.company()).call)
  const first = await opened()
  const { id } = await sold({ employee: 'ann' })
  assert.deepEqual(sumsOf(await z(first)), ['27.02', 1, '0.00', '0.00'])
  const second = await opened()
  const { order, transactions } = succeeded(await pay(id, [card('30.02', '3.00')], { employee: 'bob' }), 201)
  assert.deepEqual(totalsOf(order), ['3.00', '30.02', '30.02', '0.00', 'paid'])
  assert.deepEqual([order.balance, transactions[0].addedTip, order.paymentMethods[0].tip], ['0.00', '3.00', { amount: '3.00' }]) // biome-ignore format: one thought
  assert.deepEqual(sumsOf(await x(first)), ['27.02', 1, '0.00', '0.00'])
  assert.deepEqual(sumsOf(await x(second)), ['3.00', 0, '3.00', '0.00'])
  const closing = await z(second)
  assert.deepEqual(sumsOf(closing), ['3.00', 0, '3.00', '0.00'])
  assert.deepEqual(closing.figures[0].employees, [
    { employee: 'bob', sales: '3.00', salesCount: 0, refunds: '0.00', refundsCount: 0 },
  ])
  const [sums] = (await report(call, 'groupBy=outletId')).groups
  assert.deepEqual([sums.totalSales, sums.tips], ['30.02', '3.00'])

  const third = await opened()
  const { refund, transactions: back } = await made(`/v1/sale/${id}/refund`)
  assert.deepEqual([refund.summary.tip.amount, refund.summary.total, back[0].amount], ['3.00', '30.02', '30.02'])
  const { figures } = await z(third)
  assert.deepEqual([figures[0].refunds, figures[0].refundedTips], ['30.02', '3.00'])
  assert.equal(assertProblem(await pay(id, [card('1.00', '1.00')]), 409, 'conflict').reason, 'sale_paid')
})

test('tips of several payments add up, also of one without an amount, and cash is rounded with its tip', async () => {
  const { call, sold, pay, opened, sumsOf, x, z } = await tillOf((await service.company()).call)
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const session = await opened()
  const { id } = await sold()
  const half = succeeded(await pay(id, [card('12.00', '2.00')]), 201).order
  assert.deepEqual(totalsOf(half), ['2.00', '29.02', '12.00', '17.02', 'partially-paid'])
  const cash = { paymentMethod: 'cash', tip: { amount: '1.50' } }
  const { order, transactions } = succeeded(await pay(id, [card('5.00', '0.50'), cash]), 201)
  assert.deepEqual(
    transactions.map(({ amount, addedTip, cashRounding }: any) => [amount, addedTip, cashRounding]),
    [
      ['5.00', '0.50', undefined],
      ['14.00', '1.50', '-0.02'],
    ],
  )
  assert.deepEqual(totalsOf(order), ['4.00', '31.02', '31.00', '0.00', 'paid'])
  assert.deepEqual(sumsOf(await x(session)), ['31.02', 1, '4.00', '-0.02'])
  // A tip alone comes back once, and a voided sale has none.
  const tipBack = { lines: [], tip: '4.00', payments: [{ paymentMethod: 'credit_card' }] }
  assert.equal(succeeded(await call('POST', `/v1/sale/${id}/refund`, tipBack), 201).refund.summary.total, '4.00')
  refused(await call('POST', `/v1/sale/${id}/refund`, tipBack), 409, 'conflict', '/tip')
  const other = await sold()
  succeeded(await pay(other.id, [card(undefined, '3.00')]), 201)
  succeeded(await call('POST', `/v1/sale/${other.id}/void`))
  assert.deepEqual(sumsOf(await z(session)), ['31.02', 1, '4.00', '-0.02'])
})

test('a tip that the total has already is not added again, also after its payment was void, nor one of a payment that shows it', async () => {
  const { call, sold, pay, opened, sumsOf, x } = await tillOf((await service.company()).call)
  const session = await opened()
  const tipped = await sold({ summary: { tip: { amount: '3.00' } } })
  const paid = succeeded(await pay(tipped.id, [card('30.02', '3.00')]), 201)
  assert.deepEqual([...totalsOf(paid.order), paid.transactions[0].addedTip], ['3.00', '30.02', '30.02', '0.00', 'paid', undefined]) // biome-ignore format: one thought

  const { id } = await sold()
  const first = succeeded(await pay(id, [card('30.02', '3.00')]), 201)
  succeeded(await call('PATCH', `/v1/transaction/${first.transactions[0].id}`, { type: 'void' }))
  const again = succeeded(await pay(id, [card('30.02', '3.00')]), 201)
  assert.deepEqual(totalsOf(again.order), ['3.00', '30.02', '30.02', '0.00', 'paid'])
  assert.deepEqual(sumsOf(await x(session)), ['60.04', 2, '6.00', '0.00'])

  // A payment from before tips were added: its tip was a part of what was due.
  const old = await sold()
  succeeded(await pay(old.id, [{ paymentMethod: 'cash', amount: '10.00' }]), 201)
  const [shown] = succeeded(await call('GET', `/v1/order/${old.id}`)).paymentMethods
  succeeded(await call('PATCH', `/v1/order/${old.id}`, { paymentMethods: [{ ...shown, tip: { amount: '1.00' } }] }))
  const rest = succeeded(await pay(old.id, [card('19.02', '2.00')]), 201).order
  assert.deepEqual(totalsOf(rest), ['2.00', '29.02', '29.02', '0.00', 'paid'])
})

test('a tip without an amount or above its payment is refused, one below zero takes nothing off, and two tills at once add one tip', async () => {
  const { call, sold, pay } = await tillOf((await service.company()).call)
  const { id } = await sold()
  const tipOf = (tip: object) => [{ paymentMethod: 'credit_card', amount: '2.00', tip }]
  refused(await pay(id, tipOf({ percentage: 10 })), 400, 'validation_failed', '/payments/0/tip/amount')
  refused(await pay(id, tipOf({ value: 1 })), 400, 'validation_failed', '/payments/0/tip/amount')
  refused(await pay(id, tipOf({ amount: '2.01' })), 400, 'validation_failed', '/payments/0/tip/amount')
  const { order } = succeeded(await pay(id, tipOf({ amount: '-1.00' })), 201)
  assert.deepEqual([order.summary.total, order.due], ['27.02', '25.02'])
  const replies = await Promise.all(Array.from({ length: 6 }, () => pay(id, [card('28.02', '3.00')])))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, ...Array(5).fill(409)])
  assert.deepEqual(totalsOf(succeeded(await call('GET', `/v1/order/${id}`))), ['3.00', '30.02', '30.02', '0.00', 'paid']) // biome-ignore format: one thought

  // What the shop owes is paid out without a tip.
  const owed = await sold({ lineItems: [{ name: 'Bag', price: '5.00', quantity: -1 }] })
  const out = [{ paymentMethod: 'cash', type: 'refund', tip: { amount: '1.00' } }]
  assert.deepEqual(totalsOf(succeeded(await pay(owed.id, out), 201).order).slice(0, 4), [undefined, '-5.00', '0.00', '0.00']) // biome-ignore format: one thought
})

test('a tip and a cash rounding leave the order when their payment is void or deleted, come back when it counts again, and take nothing off totals that a till has replaced', async () => {
  const { call, sold, pay, opened, sumsOf, x } = await tillOf((await service.company()).call)
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const session = await opened()
  const cash = { paymentMethod: 'cash', tip: { amount: '3.00' } }
  const taken = async (id: string): Promise<string> => succeeded(await pay(id, [cash]), 201).transactions[0].id
  const set = async (id: string, members: Body) => succeeded(await call('PATCH', `/v1/transaction/${id}`, members))
  const shown = async (id: string) => {
    const { summary, due, paymentStatus } = succeeded(await call('GET', `/v1/order/${id}`))
    return [summary.tip?.amount, summary.total, summary.cashRounding, due, paymentStatus]
  }
  const paid = ['3.00', '30.02', '-0.02', '0.00', 'paid']
  const unpaid = ['0.00', '27.02', '0.00', '27.02', 'unpaid']

  const { id } = await sold()
  const payment = await taken(id)
  assert.deepEqual(await shown(id), paid)
  await set(payment, { notes: 'Table 4' })
  assert.deepEqual(await shown(id), paid)
  await set(payment, { type: 'void' })
  assert.deepEqual(await shown(id), unpaid)
  assert.deepEqual(sumsOf(await x(session)), ['27.02', 1, '0.00', '0.00'])
  await set(payment, { type: 'sale' })
  assert.deepEqual(await shown(id), paid)
  assert.deepEqual(sumsOf(await x(session)), ['30.02', 1, '3.00', '-0.02'])
  const wrong = await call('DELETE', `/v1/transaction/${payment}`, undefined, { 'if-match': '"0"' })
  assert.deepEqual([wrong.status, await shown(id)], [412, paid])
  succeeded(await call('DELETE', `/v1/transaction/${payment}`))
  assert.deepEqual(await shown(id), unpaid)
  // Without the tip, the order is paid by what it cost.
  const { order } = succeeded(await pay(id, [{ paymentMethod: 'credit_card', amount: '27.02' }]), 201)
  assert.deepEqual([order.due, order.paymentStatus], ['0.00', 'paid'])

  // Another order gets both with the payment.
  const other = (await sold()).id
  const moving = await taken(other)
  const third = (await sold()).id
  await set(moving, { orderId: third })
  assert.deepEqual([await shown(other), await shown(third)], [unpaid, paid])

  succeeded(await call('PATCH', `/v1/order/${third}`, { summary: { total: '27.02', cashRounding: '0' } }))
  await set(moving, { type: 'void' })
  assert.deepEqual(await shown(third), [undefined, '27.02', '0', '27.02', 'unpaid'])

  // The void of a sale takes it off too, so that a payment of it that counts after all adds it once.
  const fourth = (await sold()).id
  const voided = await taken(fourth)
  assert.equal(succeeded(await call('POST', `/v1/sale/${fourth}/void`)).order.summary.total, '27.02')
  await set(voided, { type: 'sale' })
  assert.deepEqual(await shown(fourth), ['3.00', '30.02', '-0.02', '-30.00', 'paid'])
})

test('a deleted order leaves nothing of its later tips and roundings in X and Z, in the session of the payment either', async () => {
  const { call, sold, pay, opened, sumsOf, x, z } = await tillOf((await service.company()).call)
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const first = await opened()
  const { id } = await sold()
  await z(first)
  const second = await opened()
  succeeded(await pay(id, [{ paymentMethod: 'cash', tip: { amount: '3.00' } }], { employee: 'ann' }), 201)
  assert.deepEqual(sumsOf(await x(second)), ['3.00', 0, '3.00', '-0.02'])
  succeeded(await call('DELETE', `/v1/order/${id}`))
  const closing = await z(second)
  assert.deepEqual([sumsOf(closing), closing.figures[0].employees], [['0.00', 0, '0.00', '0.00'], []])
  assert.equal(closing.figures[0].payments[0].sales, '30.00', 'the money is in the drawer')
})

test('a tip that is finer than its currency counts as it was sent, and tips of several payments are added up before they are rounded', async () => {
  const { sold, pay } = await tillOf((await service.company()).call)
  const yen = { currency: 'JPY', lineItems: [{ name: 'Menu', price: '1000' }] }
  const { id } = await sold(yen)
  const { order, transactions } = succeeded(await pay(id, [card('1300.5', '300.5')]), 201)
  assert.deepEqual(
    [...totalsOf(order), order.balance, transactions[0].addedTip],
    ['300.5', '1300.5', '1300.5', '0.0', 'paid', '0.0', '300.5'],
  )
  const twice = await sold({ ...yen, payments: [card('800.5', '300.5'), card('800.5', '300.5')] })
  assert.deepEqual(totalsOf(twice), ['601', '1601', '1601.0', '0.0', 'paid'])
})

test('a tip and a cash rounding leave the order when their payment gets another currency, as the payment does, and come back with it', async () => {
  const { call, sold, pay, opened, sumsOf, x } = await tillOf((await service.company()).call)
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const session = await opened()
  const { id, currency } = await sold()
  const [payment] = succeeded(await pay(id, [{ paymentMethod: 'cash', tip: { amount: '3.00' } }]), 201).transactions
  const set = async (members: Body) => {
    succeeded(await call('PATCH', `/v1/transaction/${payment.id}`, members))
    const order = succeeded(await call('GET', `/v1/order/${id}`))
    return [...totalsOf(order), order.summary.cashRounding]
  }
  const paid = ['3.00', '30.02', '30.00', '0.00', 'paid', '-0.02']
  const unpaid = ['0.00', '27.02', '0.00', '27.02', 'unpaid', '0.00']
  assert.deepEqual(await set({ currency: 'CHF' }), unpaid)
  assert.deepEqual(sumsOf(await x(session)), ['27.02', 1, '0.00', '0.00'])
  assert.deepEqual(await set({ currency: null }), paid, 'that of the company')
  assert.deepEqual(await set({ currency }), paid)
  assert.deepEqual(sumsOf(await x(session)), ['30.02', 1, '3.00', '-0.02'])

  // Neither a delete nor a void takes off what left before.
  await set({ currency: 'CHF' })
  succeeded(await pay(id, [{ paymentMethod: 'cash', tip: { amount: '2.00' } }]), 201)
  succeeded(await call('DELETE', `/v1/transaction/${payment.id}`))
  const kept = ['2.00', '29.02', '29.00', '0.00', 'paid']
  assert.deepEqual(totalsOf(succeeded(await call('GET', `/v1/order/${id}`))), kept)
})
