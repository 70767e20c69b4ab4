// Payments of a sale that was not paid in full: change, rounding, session and the state of the order, or nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { refused, shop, stockOf, written } from './support/sales.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

/** A sale of 25.02 on account. */
async function onAccount(call: Caller) {
  const own = await shop(call)
  const { outletId, stationId, variantId } = own
  const lineItems = [{ variantId, price: '12.51', quantity: 2 }]
  const body = { receiptId: 'R-1', outletId, stationId, lineItems }
  const { order } = succeeded(await call('POST', '/v1/sale', body), 201)
  return { ...own, order, path: `/v1/sale/${order.id}/payments` }
}

test('a sale on account is paid in parts: each payment belongs to the open session of the till, and the last one gives change', async () => {
  const { call } = await service.company()
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const { order, path, stationId, variantId } = await onAccount(call)
  const sessionId = succeeded(await call('POST', '/v1/session', { stationId }), 201).id
  const card = { paymentMethod: 'credit_card', amount: '10.00', tip: { amount: '1.00' } }
  const first = succeeded(await call('POST', path, { payments: [card], employee: 'ann' }), 201)
  const [{ id, ...paid }] = first.transactions
  assert.deepEqual([paid.sessionId, paid.amount, paid.receiptId, paid.employee], [sessionId, '10.00', 'R-1', 'ann'])
  assert.deepEqual(
    [first.order.paid, first.order.due, first.order.balance],
    ['10.00', '16.02', '16.02'],
    'a tip is beyond what was due',
  )
  assert.equal(first.order.paymentStatus, 'partially-paid')

  const dry = succeeded(await call('POST', `${path}?dryRun=true`, { payments: [{ paymentMethod: 'cash' }] }), 201)
  assert.equal(dry.transactions[0].amount, '16.00')
  const last = succeeded(await call('POST', path, { payments: [{ paymentMethod: 'cash', amount: '20' }] }), 201)
  assert.equal(last.transactions[0].amount, '16.00')
  assert.deepEqual([last.order.paid, last.order.due, last.order.balance], ['26.00', '0.00', '0.00'])
  assert.deepEqual([last.order.summary.total, last.order.summary.cashRounding], ['26.02', '-0.02'])
  assert.deepEqual(
    last.order.paymentMethods.map(({ transactionId, timestamp, ...shown }: any) => shown),
    [
      { paymentType: 'credit_card', amount: '10.00', tip: { amount: '1.00' } },
      { paymentType: 'cash', amount: '16.00', change: '4.00' },
    ],
  )
  assert.equal(last.order.paymentMethods[0].transactionId, id)
  assert.deepEqual([last.order.status, last.order.occurredAt], ['completed', order.occurredAt])
  assert.equal(last.order.sessionId, undefined, 'the sale was in no session')
  assert.equal(await stockOf(call, variantId), 10, 'nothing leaves the shelf again')
  const x = succeeded(await call('GET', `/v1/session/${sessionId}/report`))
  assert.deepEqual(x.figures[0].payments.map(({ paymentMethod, sales }: any) => [paymentMethod, sales]), [['cash', '16.00'], ['credit_card', '10.00']]) // biome-ignore format: one thought

  assert.equal(assertProblem(await call('POST', path, { payments: [card] }), 409, 'conflict').reason, 'sale_paid')
  // All of it can come back, and no more.
  const { refund, transactions } = succeeded(await call('POST', `/v1/sale/${order.id}/refund`), 201)
  assert.deepEqual([refund.summary.total, refund.summary.cashRounding], ['26.02', '-0.02'])
  assert.deepEqual(transactions.map(({ amount }: any) => amount).sort(), ['10.00', '16.00'])
})

test('what came back of a sale is not due, and an order without payments is due as a whole', async () => {
  const { call } = await service.company()
  const { order, path } = await onAccount(call)
  const lines = [{ lineItem: 0, quantity: 1 }]
  succeeded(await call('POST', `/v1/sale/${order.id}/refund`, { lines, payments: [] }), 201)
  const { transactions, order: paid } = succeeded(await call('POST', path, { payments: [{ paymentMethod: 'card' }] }), 201) // biome-ignore format: one thought
  assert.deepEqual([transactions[0].amount, paid.due, paid.status], ['12.51', '0.00', 'partial-refund'])

  const record = { status: 'completed', summary: { total: '7.00' }, lineItems: [{ name: 'Cake', total: '7.00' }] }
  const { id } = succeeded(await call('POST', '/v1/order', record), 201)
  const own = succeeded(await call('POST', `/v1/sale/${id}/payments`, { payments: [{ paymentMethod: 'card' }] }), 201)
  assert.deepEqual([own.transactions[0].amount, own.order.paymentStatus], ['7.00', 'paid'])
})

test('payments are refused whole: of an order that is no sale, of another company, and where they do not fit', async () => {
  const { id: companyId, call } = await service.company()
  const { order, path, stationId } = await onAccount(call)
  const payments = [{ paymentMethod: 'cash', amount: '1.00' }]
  const other = await service.company()
  assertProblem(await other.call('POST', path, { payments }), 404, 'not_found')
  assertProblem(await call('POST', '/v1/sale/6740a1f2c3d4e5f6a7b8c9d2/payments', { payments }), 404, 'not_found')
  const creating = await service.keyFor(companyId, ['read', 'create'])
  assertProblem(await creating.call('POST', path, { payments }), 403, 'permission_denied')
  const cases: [object, string][] = [
    [{}, '/payments'],
    [{ payments: [] }, '/payments'],
    [{ payments: [{ amount: '1' }] }, '/payments/0/paymentMethod'],
    [{ payments: [{ paymentMethod: 'cash', amount: 1 }] }, '/payments/0/amount'],
    [{ payments: [{ paymentMethod: 'cash' }, { paymentMethod: 'card' }] }, '/payments/1/amount'],
    [{ payments: [{ paymentMethod: 'cash', amount: '1', change: '-1' }] }, '/payments/0/change'],
    [{ payments: [{ paymentMethod: 'cash', amount: '1', currency: 'USD' }] }, '/payments/0/currency'],
    [{ payments: [{ paymentMethod: 'cash', amount: '1', type: 'refund' }] }, '/payments/0/amount'],
    [{ payments: [{ paymentMethod: 'card', amount: '1', tip: { amount: '2' } }] }, '/payments/0/tip/amount'],
    [{ payments, occurredAt: 'noon' }, '/occurredAt'],
    [{ payments, tip: '1.00' }, '/tip'],
  ]
  for (const [body, pointer] of cases) refused(await call('POST', path, body), 400, 'validation_failed', pointer)
  const sessionId = succeeded(await call('POST', '/v1/session', { stationId }), 201).id
  succeeded(await call('POST', `/v1/session/${sessionId}/close`, {}), 201)
  refused(await call('POST', path, { payments, sessionId }), 409, 'conflict', '/sessionId')
  for (const status of ['pending', 'parked', 'cancelled']) {
    succeeded(await call('PATCH', `/v1/order/${order.id}`, { status }))
    assert.equal(assertProblem(await call('POST', path, { payments }), 409, 'conflict').reason, 'sale_not_completed')
  }
  succeeded(await call('PATCH', `/v1/order/${order.id}`, { status: 'completed' }))
  succeeded(await call('POST', `/v1/sale/${order.id}/void`))
  assert.equal(assertProblem(await call('POST', path, { payments }), 409, 'conflict').reason, 'sale_voided')
  assert.equal(succeeded(await call('GET', `/v1/transactions?orderId=${order.id}`)).meta.count, 0)
  const fine = { status: 'completed', summary: { total: '5.003' }, lineItems: [{ name: 'Cake' }] }
  const finePath = `/v1/sale/${succeeded(await call('POST', '/v1/order', fine), 201).id}/payments`
  succeeded(await call('POST', finePath, { payments: [{ paymentMethod: 'card' }] }), 201)
  assert.equal(assertProblem(await call('POST', finePath, { payments }), 409, 'conflict').reason, 'sale_paid')
  const paid = await written(call, { summary: { total: '5.00' }, lineItems: [{ name: 'Cake' }] })
  assert.equal(assertProblem(await call('POST', `/v1/sale/${paid.id}/payments`, { payments }), 409, 'conflict').reason, 'sale_paid') // biome-ignore format: one thought
})

test('what is due is paid once, whatever number of tills try at the same time', async () => {
  const { call } = await service.company()
  const { order, path } = await onAccount(call)
  const replies = await Promise.all(Array.from({ length: 8 }, () => call('POST', path, { payments: [{ paymentMethod: 'card' }] }))) // biome-ignore format: one thought
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)])
  assert.equal(succeeded(await call('GET', `/v1/order/${order.id}`)).paid, '25.02')
})

test('with If-Match, a payment is taken only of the order that was read; a repeated one is answered again', async () => {
  const { call } = await service.company()
  const { order, path } = await onAccount(call)
  const etag = async () => String((await call('GET', `/v1/order/${order.id}`)).headers.get('etag'))
  const read = { 'if-match': await etag() }
  const payments = [{ paymentMethod: 'card' }]
  succeeded(await call('POST', path, { payments: [{ paymentMethod: 'cash', amount: '5.02' }] }, read), 201)
  assertProblem(await call('POST', path, { payments }, read), 412, 'version_mismatch')
  assert.equal(succeeded(await call('GET', `/v1/order/${order.id}`)).paid, '5.02')
  const again = { 'if-match': await etag(), 'idempotency-key': 'the rest' }
  const { transactions } = succeeded(await call('POST', path, { payments }, again), 201)
  assert.equal(transactions[0].amount, '20.00')
  assert.deepEqual(succeeded(await call('POST', path, { payments }, again), 201).transactions, transactions)
})

test('what the shop owes of a sale is paid out as a refund in the open session of the till, in coins, and no more than that', async () => {
  const { id: companyId, call } = await service.company()
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const { outletId, stationId, variantId } = await shop(call)
  const sessionId = succeeded(await call('POST', '/v1/session', { stationId, openingAmount: '50.00' }), 201).id
  const lineItems = [
    { variantId, price: '20.03', quantity: -1 },
    { name: 'Small bag', price: '5.00' },
  ]
  const { order } = succeeded(await call('POST', '/v1/sale', { outletId, stationId, lineItems }), 201)
  assert.deepEqual([order.due, order.paymentStatus], ['-15.03', 'paid'])
  const path = `/v1/sale/${order.id}/payments`
  const back = (amount?: string) => [{ paymentMethod: 'cash', type: 'refund', amount }]
  const cases: [object[], string][] = [
    [[{ paymentMethod: 'cash' }], '/payments/0/amount'],
    [[{ paymentMethod: 'cash', amount: '15.00' }], '/payments/0/amount'],
    [back('15.10'), '/payments'],
    [[{ paymentMethod: 'credit_card', type: 'refund', amount: '15.04' }], '/payments'],
  ]
  for (const [payments, pointer] of cases)
    refused(await call('POST', path, { payments }), 400, 'validation_failed', pointer)
  const part = succeeded(await call('POST', path, { payments: back('5.00') }), 201)
  assert.deepEqual([part.order.refunded, part.order.due, part.order.balance], ['5.00', '-10.03', '-10.03'])
  const before = await feed(service, companyId, order.id)
  const rest = succeeded(await call('POST', path, { payments: back() }), 201)
  const [{ type, amount, sessionId: session }] = rest.transactions
  assert.deepEqual([type, amount, session], ['refund', '10.05', sessionId])
  assert.deepEqual([rest.order.refunded, rest.order.due, rest.order.balance], ['15.05', '0.00', '0.00'])
  assert.deepEqual([rest.order.paymentStatus, rest.order.summary.cashRounding], ['refunded', '-0.02'])
  assert.deepEqual((await feed(service, companyId, order.id)).length, before.length + 1)
  assert.equal(assertProblem(await call('POST', path, { payments: back('1') }), 409, 'conflict').reason, 'sale_paid')
  const closing = succeeded(await call('POST', `/v1/session/${sessionId}/close`, { counted: { cash: '34.95' } }), 201)
  assert.deepEqual(closing.balances, [
    { currency: 'EUR', paymentMethod: 'cash', expected: '34.95', counted: '34.95', difference: '0.00' },
  ])
})

test('what a later payment in cash is rounded by is in the closing of its own session, once, also if that of the sale is closed', async () => {
  const { call } = await service.company()
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const { outletId, stationId } = await shop(call)
  const open = async (): Promise<string> => succeeded(await call('POST', '/v1/session', { stationId }), 201).id
  const close = async (id: string) => succeeded(await call('POST', `/v1/session/${id}/close`, {}), 201).figures
  const sold = async (payments: object[]) =>
    succeeded(await call('POST', '/v1/sale', { outletId, stationId, lineItems: [{ price: '10.02' }], payments }), 201)
  const cash = { payments: [{ paymentMethod: 'credit_card', amount: '1.00' }, { paymentMethod: 'cash' }] }
  const sumsOf = ([own]: any[]) => [own.sales, own.cashRounding, own.payments.map(({ sales }: any) => sales)]
  const first = await open()
  const { order } = await sold([])
  await sold([{ paymentMethod: 'cash' }])
  assert.deepEqual(sumsOf(await close(first)), ['20.04', '-0.02', ['10.00']])
  const second = await open()
  const paid = succeeded(await call('POST', `/v1/sale/${order.id}/payments`, cash), 201)
  assert.deepEqual(paid.transactions.map(({ amount, cashRounding }: any) => [amount, cashRounding]), [['1.00', undefined], ['9.00', '-0.02']]) // biome-ignore format: one thought
  assert.equal(paid.order.summary.cashRounding, '-0.02')
  // Callers cannot set it; a payment in the session of its sale is rounded there.
  const [{ id }] = paid.transactions
  assert.equal(succeeded(await call('PATCH', `/v1/transaction/${id}`, { cashRounding: '1' })).cashRounding, undefined)
  const other = await sold([])
  succeeded(await call('POST', `/v1/sale/${other.order.id}/payments`, cash), 201)
  assert.deepEqual(sumsOf(await close(second)), ['10.02', '-0.04', ['18.00', '2.00']])
  const x = succeeded(await call('GET', `/v1/session/${first}/report`)).figures
  assert.deepEqual(sumsOf(x), ['20.04', '-0.02', ['10.00']])
})

test('in X and Z, a sale is rounded once, whatever a till writes to its payments, also after a payment is void; a cancelled one is not', async () => {
  const { call } = await service.company()
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const { outletId, stationId } = await shop(call)
  const { id: sessionId } = succeeded(await call('POST', '/v1/session', { stationId }), 201)
  const sumsOf = ([own]: any[]) => [own.sales, own.cashRounding, own.payments.map(({ sales }: any) => sales)]
  const report = async () => sumsOf(succeeded(await call('GET', `/v1/session/${sessionId}/report`)).figures)
  const sale = { outletId, stationId, lineItems: [{ price: '10.02' }] }
  const { id } = succeeded(await call('POST', '/v1/sale', sale), 201).order
  const pay = async () =>
    succeeded(await call('POST', `/v1/sale/${id}/payments`, { payments: [{ paymentMethod: 'cash' }] }), 201)
  const [first] = (await pay()).transactions
  assert.deepEqual(await report(), ['10.02', '-0.02', ['10.00']])
  for (const cashRounding of [undefined, '5.00']) {
    const paymentMethods = [{ paymentType: 'cash', amount: '10.00', cashRounding }]
    succeeded(await call('PATCH', `/v1/order/${id}`, { paymentMethods }))
    assert.deepEqual(await report(), ['10.02', '-0.02', ['10.00']])
  }
  succeeded(await call('PATCH', `/v1/transaction/${first.id}`, { type: 'void' }))
  assert.deepEqual(await report(), ['10.02', '0.00', []])
  assert.equal((await pay()).order.due, '0.00')
  assert.deepEqual(await report(), ['10.02', '-0.02', ['10.00']])
  // Neither a cancelled sale nor its rounding counts, only the money that moved.
  const other = succeeded(await call('POST', '/v1/sale', sale), 201).order.id
  const paid = `/v1/sale/${other}/payments`
  succeeded(await call('POST', paid, { payments: [{ paymentMethod: 'cash' }] }), 201)
  succeeded(await call('PATCH', `/v1/order/${other}`, { status: 'cancelled' }))
  succeeded(await call('POST', paid, { payments: [{ paymentMethod: 'cash', type: 'refund' }] }), 201)
  assert.deepEqual(await report(), ['10.02', '-0.02', ['20.00']])
  const { figures } = succeeded(await call('POST', `/v1/session/${sessionId}/close`, {}), 201)
  assert.deepEqual(sumsOf(figures), ['10.02', '-0.02', ['20.00']])
})

test('the deposit of a cancelled order is paid out to the cent, and so is money that arrives after a void; nobody pays such an order', async () => {
  const { call } = await service.company()
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const { outletId, stationId } = await shop(call)
  const sessionId = succeeded(await call('POST', '/v1/session', { stationId, openingAmount: '50.00' }), 201).id
  const lineItems = [{ name: 'Cake', price: '30.00' }]
  const order = succeeded(await call('POST', '/v1/order', { status: 'parked', outletId, stationId, lineItems }), 201)
  const deposit = { orderId: order.id, type: 'sale', paymentMethod: 'credit_card', amount: '10.02' }
  succeeded(await call('POST', '/v1/transaction', deposit), 201)
  const path = `/v1/sale/${order.id}/payments`
  const back = (amount?: string) => ({ payments: [{ paymentMethod: 'cash', type: 'refund', amount }] })
  const reasonOf = (reply: any) => assertProblem(reply, 409, 'conflict').reason
  assert.equal(reasonOf(await call('POST', path, back())), 'sale_not_completed', 'a parked order keeps its deposit')
  assert.equal(succeeded(await call('PATCH', `/v1/order/${order.id}`, { status: 'cancelled' })).due, '-10.02')
  refused(await call('POST', path, back('10.03')), 400, 'validation_failed', '/payments')
  refused(await call('POST', path, { payments: [{ paymentMethod: 'cash' }] }), 400, 'validation_failed', '/payments/0/amount') // biome-ignore format: one thought
  succeeded(await call('POST', path, back('4.00')), 201)
  const last = succeeded(await call('POST', path, back()), 201)
  assert.deepEqual([last.transactions[0].amount, last.transactions[0].sessionId], ['6.02', sessionId])
  const { status, due, balance, paymentStatus, refunded } = last.order
  assert.deepEqual([status, due, balance, paymentStatus, refunded], ['cancelled', '0.00', '0.00', 'refunded', '10.02'])
  assert.equal(reasonOf(await call('POST', path, back('1.00'))), 'sale_not_completed')
  const x = succeeded(await call('GET', `/v1/session/${sessionId}/report`))
  assert.deepEqual(x.balances, [{ currency: 'EUR', paymentMethod: 'cash', expected: '39.98' }])

  const sold = succeeded(await call('POST', '/v1/sale', { outletId, stationId, lineItems }), 201).order.id
  succeeded(await call('POST', `/v1/sale/${sold}/void`))
  const voided = `/v1/sale/${sold}/payments`
  assert.equal(reasonOf(await call('POST', voided, back())), 'sale_voided')
  succeeded(await call('POST', '/v1/transaction', { ...deposit, orderId: sold, amount: '30.00' }), 201)
  const card = { payments: [{ paymentMethod: 'credit_card', type: 'refund' }] }
  const paidOut = succeeded(await call('POST', voided, card), 201)
  assert.deepEqual([paidOut.transactions[0].amount, paidOut.order.due], ['30.00', '0.00'])
  assert.equal(reasonOf(await call('POST', voided, card)), 'sale_voided')
  // An order that was cancelled without money owes none, also if it was a return.
  const negative = { status: 'cancelled', lineItems: [{ price: '5.00', quantity: -1 }], summary: { total: '-5.00' } }
  const none = succeeded(await call('POST', '/v1/order', negative), 201)
  assert.equal(reasonOf(await call('POST', `/v1/sale/${none.id}/payments`, back())), 'sale_not_completed')
})

test('a payment that is written as a transaction changes what is due, and the balance only the next payment of the sale', async () => {
  const { call } = await service.company()
  const { order, path } = await onAccount(call)
  const sums = ({ due, balance }: any) => [due, balance]
  assert.deepEqual(sums(order), ['25.02', '25.02'])
  const payment = { orderId: order.id, type: 'sale', paymentMethod: 'credit_card', amount: '20.02', currency: 'EUR' }
  succeeded(await call('PUT', '/v1/transaction/external/pi_1', payment), 201)
  assert.deepEqual(sums(succeeded(await call('GET', `/v1/order/${order.id}`))), ['5.00', '25.02'])
  const cash = { payments: [{ paymentMethod: 'cash', amount: '2.00' }] }
  assert.deepEqual(sums(succeeded(await call('POST', path, cash), 201).order), ['3.00', '3.00'])
  const { order: refunded } = succeeded(await call('POST', `/v1/sale/${order.id}/refund`), 201)
  assert.deepEqual(sums(refunded), ['0.00', '3.00'])
})
