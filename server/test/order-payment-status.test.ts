// The payment status of an order says what is still to be paid, whatever was paid and paid back before; lists agree with it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { succeeded } from './support/custom-tables.ts'
import { assertProblem } from './support/problem.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

const made = async (call: Caller, path: string, body?: object) => succeeded(await call('POST', path, body), 201)
const stateOf = ({ paid, refunded, due, paymentStatus }: any) => [paid, refunded, due, paymentStatus]
const cash = (amount: string, type = 'sale') => ({ paymentMethod: 'cash', amount, type })
const listed = async (call: Caller, status: string): Promise<string[]> =>
  succeeded(await call('GET', `/v1/orders?paymentStatus=${status}`)).data.map(({ id }: { id: string }) => id)

test('an order of which something is due is unpaid or partially paid, and listed so, whatever was paid back of it', async () => {
  const { call } = await service.company()
  const order = { status: 'parked', lineItems: [{ name: 'Cake', price: '20.00' }], summary: { total: '20.00' } }
  const { id: orderId } = await made(call, '/v1/order', order)
  const read = async () => stateOf(succeeded(await call('GET', `/v1/order/${orderId}`)))
  await made(call, '/v1/transaction', { orderId, ...cash('5.00') })
  assert.deepEqual(await read(), ['5.00', '0.00', '15.00', 'partially-paid'])
  await made(call, '/v1/transaction', { orderId, ...cash('5.00', 'refund') })
  assert.deepEqual(await read(), ['5.00', '5.00', '20.00', 'unpaid'])
  succeeded(await call('POST', `/v1/sale/${orderId}/complete`))
  assert.deepEqual(await read(), ['5.00', '5.00', '20.00', 'unpaid'])
  assert.deepEqual(await listed(call, 'unpaid'), [orderId])
  const pay = (amount?: string) => made(call, `/v1/sale/${orderId}/payments`, { payments: [{ paymentMethod: 'card', amount }] }) // biome-ignore format: one thought
  assert.deepEqual(stateOf((await pay('8.00')).order), ['13.00', '5.00', '12.00', 'partially-paid'])
  assert.deepEqual([await listed(call, 'unpaid'), await listed(call, 'partially-paid')], [[], [orderId]])
  assert.deepEqual(stateOf((await pay()).order), ['25.00', '5.00', '0.00', 'partially-refunded'])
  assert.deepEqual(await listed(call, 'partially-paid'), [])
  await made(call, `/v1/sale/${orderId}/refund`)
  assert.deepEqual(await read(), ['25.00', '25.00', '0.00', 'refunded'])
})

test('a sale that nobody paid is not paid once it is voided or has come back; one that costs nothing is paid', async () => {
  const { call } = await service.company()
  const sold = async (price: string): Promise<string> =>
    (await made(call, '/v1/sale', { lineItems: [{ name: 'Cake', price }] })).order.id
  const voided = succeeded(await call('POST', `/v1/sale/${await sold('5.00')}/void`)).order
  assert.deepEqual(stateOf(voided), ['0.00', '0.00', '0.00', 'refunded'])
  const { order } = await made(call, `/v1/sale/${await sold('5.00')}/refund`, { payments: [] })
  assert.deepEqual(stateOf(order), ['0.00', '0.00', '0.00', 'refunded'])
  const free = succeeded(await call('GET', `/v1/order/${await sold('0.00')}`))
  assert.deepEqual(stateOf(free), ['0.00', '0.00', '0.00', 'paid'])
  // What is paid out for goods may be a refund, or a negative payment.
  for (const payment of [{ type: 'refund' }, { amount: '-5.00' }]) {
    const lineItems = [{ name: 'Cake', price: '5.00', quantity: -1 }]
    const payments = [{ paymentMethod: 'cash', ...payment }]
    const { due, paymentStatus } = (await made(call, '/v1/sale', { lineItems, payments })).order
    assert.deepEqual([due, paymentStatus], ['0.00', 'refunded'])
  }
  // Money that arrives after the void is owed to the customer.
  await made(call, '/v1/transaction', { orderId: voided.id, ...cash('5.00') })
  const late = succeeded(await call('GET', `/v1/order/${voided.id}`))
  assert.deepEqual(stateOf(late), ['5.00', '0.00', '-5.00', 'paid'])
  for (const status of ['unpaid', 'partially-paid']) assert.deepEqual(await listed(call, status), [])
})

test('an order without a total does not say what is due, until it is completed; a total finer than its currency is paid in full', async () => {
  const { call } = await service.company()
  const lineItems = [{ name: 'Cake', price: '20.00' }]
  const { id: orderId } = await made(call, '/v1/order', { status: 'parked', lineItems })
  await made(call, '/v1/transaction', { orderId, ...cash('5.00') })
  const parked = succeeded(await call('GET', `/v1/order/${orderId}`))
  assert.deepEqual(stateOf(parked), ['5.00', '0.00', undefined, undefined])
  const { order } = succeeded(await call('POST', `/v1/sale/${orderId}/complete`))
  assert.deepEqual(stateOf(order), ['5.00', '0.00', '15.00', 'partially-paid'])
  const fine = await made(call, '/v1/order', { status: 'completed', lineItems, summary: { total: '20.003' } })
  await made(call, '/v1/transaction', { orderId: fine.id, ...cash('20.00') })
  assert.deepEqual(stateOf(succeeded(await call('GET', `/v1/order/${fine.id}`))), ['20.00', '0.00', '0.003', 'paid'])
  // Half a cent is due, and is not paid out once a cent was paid.
  const half = await made(call, '/v1/order', { status: 'completed', lineItems, summary: { total: '20.005' } })
  const payments = `/v1/sale/${half.id}/payments`
  const card = { paymentMethod: 'credit_card' }
  const paid = await made(call, payments, { payments: [{ ...card, amount: '20.01' }] })
  assert.deepEqual(stateOf(paid.order), ['20.01', '0.00', '-0.005', 'paid'])
  const refused = await call('POST', payments, { payments: [{ ...card, type: 'refund' }] })
  assert.equal(assertProblem(refused, 409, 'conflict').reason, 'sale_paid')
})

test('totals of a sale that a till writes again without the cash rounding keep it, so that nothing is due again; zero removes it', async () => {
  const { call } = await service.company()
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const sale = { lineItems: [{ name: 'Cake', price: '10.02' }], payments: [{ paymentMethod: 'cash' }] }
  const { order } = await made(call, '/v1/sale', sale)
  const change = async (id: string, summary: object) => {
    const { summary: after, due, paymentStatus } = succeeded(await call('PATCH', `/v1/order/${id}`, { summary }))
    return [after.cashRounding, due, paymentStatus]
  }
  const { cashRounding, ...totals } = order.summary
  assert.equal(cashRounding, '-0.02')
  assert.deepEqual(await change(order.id, totals), ['-0.02', '0.00', 'paid'])
  assert.deepEqual(await change(order.id, { ...totals, total: '12.02' }), ['-0.02', '2.00', 'partially-paid'])
  assert.deepEqual(await change(order.id, { ...totals, cashRounding: '0' }), ['0', '0.02', 'partially-paid'])
  // An order that a till writes as a record is stored as it is sent.
  const written = await made(call, '/v1/order', { ...sale, payments: undefined, status: 'completed', summary: order.summary }) // biome-ignore format: one thought
  await made(call, '/v1/transaction', { orderId: written.id, ...cash('10.00') })
  assert.deepEqual(await change(written.id, totals), [undefined, '0.02', 'partially-paid'])
})

test('an order shows returned goods without a value, until the refund is deleted', async () => {
  const { call } = await service.company()
  const order = { status: 'completed', lineItems: [{ name: 'Gift', price: '0.00' }], summary: { total: '0.00' } }
  const { id: orderId } = await made(call, '/v1/order', order)
  const returned = { productId: 'P', variantId: 'V', price: '0.00', quantity: 1 }
  const refund = await made(call, '/v1/refund', { orderId, lineItems: [returned], summary: { total: '0.00' } })
  const read = async () => succeeded(await call('GET', `/v1/order/${orderId}`))
  const { returnedQuantity, fulfilmentStatus, ...after } = await read()
  assert.deepEqual(
    [returnedQuantity, fulfilmentStatus, ...stateOf(after)],
    [1, 'returned', '0.00', '0.00', '0.00', 'paid'],
  )
  succeeded(await call('DELETE', `/v1/refund/${refund.id}`))
  const { returnedQuantity: left, fulfilmentStatus: now } = await read()
  assert.deepEqual([left, now], [0, 'fulfilled'])
})
