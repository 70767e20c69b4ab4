// Money of a sale that goes the wrong way, and money that is owed back: refused, or shown, in words that a till maker understands.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { succeeded } from './support/custom-tables.ts'
import { assertProblem } from './support/problem.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

test('a cancelled order shows what was paid and has not gone back as owed to the customer, and a voided sale nothing', async () => {
  const { call } = await service.company()
  const payments = [{ paymentMethod: 'credit_card', amount: '20.00' }]
  const sell = async () =>
    succeeded(await call('POST', '/v1/sale', { lineItems: [{ price: '20.00' }], payments }), 201).order.id
  const id = await sell()
  const due = async () => succeeded(await call('GET', `/v1/order/${id}`)).due
  assert.equal(succeeded(await call('PATCH', `/v1/order/${id}`, { status: 'cancelled' })).due, '-20.00')
  const back = { type: 'refund', paymentMethod: 'credit_card', amount: '15.00', orderId: id }
  succeeded(await call('POST', '/v1/transaction', back), 201)
  assert.equal(await due(), '-5.00')
  const [{ id: backId }] = succeeded(await call('GET', `/v1/transactions?orderId=${id}&type=refund`)).data
  succeeded(await call('PATCH', `/v1/transaction/${backId}`, { amount: '21.00' }))
  assert.equal(await due(), '1.00', 'more went back than was paid, so the customer owes it')
  succeeded(await call('PATCH', `/v1/transaction/${backId}`, { amount: '15.00' }))
  succeeded(await call('PATCH', `/v1/order/${id}`, { status: 'completed' }))
  assert.equal(await due(), '15.00')
  assert.equal(succeeded(await call('POST', `/v1/sale/${await sell()}/void`)).order.due, '0.00')
})

test('change below zero and a tip above its payment are refused, and cash that goes the wrong way with what the other payments leave', async () => {
  const { call } = await service.company()
  const problemOf = async (path: string, payments: object[]) => {
    const [error] = assertProblem(await call('POST', path, { lineItems: [{ price: '10.00' }], payments }), 400, 'validation_failed').errors // biome-ignore format: one thought
    return [error.pointer, error.code, error.message]
  }
  for (const path of ['/v1/sale', '/v1/sale/quote']) {
    assert.deepEqual(await problemOf(path, [{ paymentMethod: 'cash', amount: '20.00', change: '-10.00' }]), [
      ...['/payments/0/change', 'minimum'],
      'must not be less than 0: send the cash that was given back as a positive amount',
    ])
    const tipped = (amount: string, tip: string) => [{ paymentMethod: 'credit_card', amount, tip: { amount: tip } }]
    assert.deepEqual(await problemOf(path, tipped('10.00', '10.01')), [
      ...['/payments/0/tip/amount', 'maximum'],
      'must not be more than the payment’s amount, 10.00, which includes the tip',
    ])
    // One that leaves out its amount pays what the others leave.
    const open = [{ paymentMethod: 'credit_card', amount: '15.00' }, { paymentMethod: 'cash', tip: { amount: '6.00' } }] // biome-ignore format: one thought
    assert.deepEqual(await problemOf(path, open), [
      ...['/payments/1/tip/amount', 'maximum'],
      'must not be more than the payment’s amount, 1.00, which includes the tip',
    ])
    const lineItems = [{ price: '0.00' }]
    assert.ok((await call('POST', path, { lineItems, payments: tipped('10.00', '10.0') })).status < 300)
    const tooMuch = [
      { paymentMethod: 'credit_card', amount: '10.01' },
      { paymentMethod: 'cash', amount: '0.01' },
    ]
    assert.deepEqual(await problemOf(path, tooMuch), [
      ...['/payments/1/amount', 'direction'],
      'must not be a payment by the customer, since the other payments leave -0.01 of 10.00 to be paid in cash; send what the customer gets with the type "refund"',
    ])
  }
})

test('one payment of a refund can leave out its amount, and pays back what the others leave, in cash as all refunds together are rounded', async () => {
  const { call } = await service.company()
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const cash = { paymentMethod: 'cash' }
  const credit = { paymentMethod: 'store_credit' }
  const sell = async (prices: string[], payment: object): Promise<string> => {
    const sale = { lineItems: prices.map((price) => ({ price })), payments: [payment] }
    return succeeded(await call('POST', '/v1/sale', sale), 201).order.id
  }
  const back = async (id: string, lines: number[], payments: object[]) => {
    const body = { lines: lines.map((lineItem) => ({ lineItem })), payments }
    const { transactions, order } = succeeded(await call('POST', `/v1/sale/${id}/refund`, body), 201)
    return [...transactions.map(({ amount }: { amount: string }) => amount), order.due]
  }
  // 10.02 + 5.01 were paid with 15.05 in coins: both refunds together pay back 15.05.
  const inCoins = await sell(['10.02', '5.01'], cash)
  assert.deepEqual(await back(inCoins, [0], [cash]), ['10.00', '0.00'])
  assert.deepEqual(await back(inCoins, [1], [cash]), ['5.05', '0.00'])
  const byCard = await sell(['10.02', '5.01', '3.00'], { paymentMethod: 'credit_card' })
  assert.deepEqual(await back(byCard, [0], [{ ...credit, type: 'Refund' }]), ['10.02', '0.00'])
  assert.deepEqual(await back(byCard, [1], [{ ...cash, amount: '2.00' }, credit]), ['2.00', '3.01', '0.00'])
  assert.deepEqual(await back(byCard, [2], [{ ...credit, amount: '2.99' }, cash]), ['2.99', '0.00', '0.00'])

  const other = await sell(['10.00'], cash)
  for (const [payments, pointer] of [
    [[cash, credit], '/payments/1/amount'],
    [[{ ...cash, amount: '10.01' }, credit], '/payments'],
  ] as const) {
    const reply = await call('POST', `/v1/sale/${other}/refund`, { payments })
    assert.equal(assertProblem(reply, 400, 'validation_failed').errors[0].pointer, pointer)
  }
})

test('cash whose amount contains the change that is sent with it is refused, since the drawer would lack the change', async () => {
  const { call } = await service.company()
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const lineItems = [{ price: '12.48' }]
  const handedOver = [{ paymentMethod: 'cash', amount: '20.00', change: '7.50' }]
  const right = [{ paymentMethod: 'cash', amount: '12.50', change: '7.50' }]
  const onAccount = succeeded(await call('POST', '/v1/sale', { lineItems, payments: [] }), 201).order
  const parked = succeeded(await call('POST', '/v1/order', { status: 'parked', lineItems }), 201)
  for (const [path, body] of [
    ['/v1/sale', { lineItems }],
    ['/v1/sale', { lineItems, summary: { total: '12.48' } }],
    ['/v1/sale/quote', { lineItems }],
    [`/v1/sale/${onAccount.id}/payments`, {}],
    [`/v1/sale/${parked.id}/complete`, {}],
  ] as const) {
    const [error] = assertProblem(await call('POST', path, { ...body, payments: handedOver }), 400, 'validation_failed').errors // biome-ignore format: one thought
    assert.deepEqual(
      [error.pointer, error.code, error.limit, error.message],
      [
        ...['/payments/0/amount', 'maximum', 12.5],
        'must be what stays in the drawer, 12.50, if change is sent; without change, it is what the customer handed over',
      ],
    )
    assert.ok((await call('POST', path, { ...body, payments: right })).status < 300)
  }
})
