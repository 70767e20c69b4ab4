// The last refund of a sale pays back exactly what is left, in whatever parts and coins earlier ones were named, also of a sale that was overpaid.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '../src/core/problem.ts'
import { quoteOf } from '../src/features/sales/amounts/quote.ts'
import { refundOf } from '../src/features/sales/refund/refund-amounts.ts'
import { sameMethods } from '../src/features/sales/refund/refund-payments.ts'
import { Money } from '../src/features/sales/refund/sold-lines.ts'
import { succeeded } from './support/custom-tables.ts'
import { assertProblem } from './support/problem.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

const cash = (amount: string) => [{ paymentMethod: 'cash', amount }]
const card = (amount: string) => [{ paymentMethod: 'credit_card', amount }]
const sell = async (call: Caller, body: object): Promise<any> =>
  succeeded(await call('POST', '/v1/sale', body), 201).order
const refund = async (call: Caller, { id }: { id: string }, body: object): Promise<any> =>
  succeeded(await call('POST', `/v1/sale/${id}/refund`, body), 201)
const one = (lineItem: number) => ({ lines: [{ lineItem, quantity: 1 }] })
const stateOf = ({ paid, refunded, due, status }: any) => [paid, refunded, due, status]

test('cash that a client names in several refunds adds up to the cash of the sale: the last refund is what is left', async () => {
  const { call } = await service.company()
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const cases: { prices: string[]; paid: string; named: string[]; last: string }[] = [
    // Each is rounded down by itself, or up.
    { prices: ['1.01', '1.01', '1.01', '1.01', '1.01', '1.01'], paid: '6.05', named: Array(5).fill('1.00'), last: '1.05' }, // biome-ignore format: one thought
    { prices: ['3.34', '3.34', '3.34'], paid: '10.00', named: ['3.35', '3.35'], last: '3.30' },
    // Exact amounts, which leave what is no coin, and one that is rounded up beyond what is left.
    { prices: ['1.01', '1.04'], paid: '2.05', named: ['1.01'], last: '1.04' },
    { prices: ['1.01', '1.03', '0.01'], paid: '2.05', named: ['1.01', '1.04'], last: '0.00' },
    { prices: ['1.03', '1.01', '0.01'], paid: '2.05', named: ['1.05', '1.00'], last: '0.00' },
  ]
  for (const { prices, paid, named, last } of cases) {
    const order = await sell(call, { lineItems: prices.map((price) => ({ price })), payments: cash(paid) })
    for (const [n, amount] of named.entries()) await refund(call, order, { ...one(n), payments: cash(amount) })
    for (const wrong of [-0.02, -0.01, 0.01, 0.02, 0.05].map((by) => (Number(last) + by).toFixed(2))) {
      const reply = await call('POST', `/v1/sale/${order.id}/refund`, { payments: cash(wrong) })
      const { message } = assertProblem(reply, 400, 'validation_failed').errors[0]
      assert.equal(message, `must add up to ${last}, without negative amounts`)
    }
    const { order: after } = await refund(call, order, { payments: last === '0.00' ? [] : cash(last) })
    assert.deepEqual(stateOf(after), [paid, paid, '0.00', 'refunded'])
  }
})

test('no refund in cash pays back more cash than the sale has left, in coins or exact', async () => {
  const { call } = await service.company()
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const lineItems = ['1.03', '1.01', '0.01'].map((price) => ({ price }))
  const order = await sell(call, { lineItems, payments: cash('2.05') })
  await refund(call, order, { ...one(0), payments: cash('1.05') })
  const exact = await call('POST', `/v1/sale/${order.id}/refund`, { ...one(1), payments: cash('1.01') })
  assert.match(assertProblem(exact, 400, 'validation_failed').errors[0].message, /^must add up to 1.00,/)
})

test('cash that was rounded up comes back completely, also if a line of negative price comes back last', async () => {
  const { call } = await service.company()
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  // 4.98, rounded up to 5.00. What is left after the first refund is worth −0.01, and the rounding of 0.02.
  const lineItems = ['4.99', '4.99', '-5.00'].map((price) => ({ price }))
  const sold = () => sell(call, { lineItems, payments: cash('5.00') })
  const onCard = await sold()
  const first = await refund(call, onCard, { ...one(0), payments: card('4.99') })
  assert.deepEqual([first.refund.balance, stateOf(first.order)], ['0.01', ['5.00', '4.99', '0.00', 'partial-refund']])
  const rest = await refund(call, onCard, { payments: card('0.01') })
  assert.deepEqual([rest.refund.summary.total, rest.refund.summary.cashRounding], ['-0.01', '0.02'])
  assert.deepEqual(stateOf(rest.order), ['5.00', '5.00', '0.00', 'refunded'])
  const inCash = await sold()
  await refund(call, inCash, one(0))
  assert.deepEqual(stateOf((await refund(call, inCash, {})).order), ['5.00', '5.00', '0.00', 'refunded'])
})

test('in whatever parts a sale comes back, also with lines of negative price, refunds in coins or on a card add up to what was paid', () => {
  const money = new Money(2)
  const line = fc.record({
    price: fc.integer({ min: -10, max: 50 }).map((cents) => (cents / 100).toFixed(2)),
    quantity: fc.integer({ min: 1, max: 2 }),
  })
  const lines = fc.array(line, { minLength: 1, maxLength: 4 })
  const parts = fc.array(fc.record({ lineItem: fc.nat(3), quantity: fc.integer({ min: 1, max: 2 }) }), { maxLength: 4 })
  const coins = fc.constantFrom('0.01', '0.05', '0.10')
  const property = fc.property(lines, parts, coins, fc.boolean(), (lineItems, parts, coin, isInCoins) => {
    const settings = { currency: 'CHF', taxRounding: 'line', cashRounding: coin } as const
    const quote = quoteOf({ lineItems, payments: cash('100.00') }, settings)
    assert.ok(!(quote instanceof Problem))
    const { total, cashRounding } = quote.totals
    fc.pre(!total.startsWith('-'))
    const paid = money.of(total) + money.of(cashRounding)
    const refunds: any[] = []
    let returned = 0n
    let refunded = 0n
    const refundNext = (wanted: object) => {
      const due = money.text(refunded - returned)
      const order = { id: 'o', ...quote.computed, paid: money.text(paid), due, returned: money.text(returned) }
      const computed = refundOf(order, refunds, wanted, 'CHF')
      if (computed instanceof Problem) return
      const methods = [{ paymentMethod: 'cash', taken: paid, left: paid - refunded }]
      const { members, saleRounding, payBack } = computed
      const { payments, rounding } = isInCoins
        ? sameMethods(computed, methods, money.of(coin))
        : { payments: [{ amount: money.text(payBack) }], rounding: 0n }
      refunds.push({ ...members, summary: { ...members.summary, cashRounding: money.text(saleRounding + rounding) } })
      returned += computed.total + rounding
      for (const { amount } of payments) refunded += money.of(amount)
    }
    for (const part of parts) refundNext({ lines: [part] })
    refundNext({})
    assert.deepEqual([refunded, returned], [paid, paid])
  })
  fc.assert(property, { numRuns: 3_000 })
})

test('a sale that was paid before the shop rounded cash, or with a card, goes back in coins too', async () => {
  const { call } = await service.company()
  const lineItems = [{ price: '10.02' }]
  const exact = await sell(call, { lineItems, payments: cash('10.02') })
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const onCard = await sell(call, { lineItems, payments: card('10.02') })
  for (const order of [exact, onCard]) {
    const { order: after, refund: record } = await refund(call, order, { payments: cash('10.00') })
    assert.deepEqual([stateOf(after), record.summary.cashRounding], [['10.02', '10.00', '0.00', 'refunded'], '-0.02'])
  }
})

test('the last refund of an overpaid sale pays back the overpayment too, once, and nothing is due', async () => {
  const { call } = await service.company()
  const sold = () => sell(call, { lineItems: [{ price: '6.00' }, { price: '4.00' }], payments: card('12.00') })
  const amounts = ({ refund: { summary }, transactions }: any) => [
    summary.total,
    transactions.map(({ amount }: any) => amount).join(),
  ]
  const whole = await sold()
  assert.equal(whole.due, '-2.00')
  const once = await refund(call, whole, {})
  assert.deepEqual(
    [amounts(once), stateOf(once.order)],
    [
      ['10.00', '12.00'],
      ['12.00', '12.00', '0.00', 'refunded'],
    ],
  )
  const inParts = await sold()
  assert.deepEqual(amounts(await refund(call, inParts, one(0))), ['6.00', '6.00'])
  const named = await call('POST', `/v1/sale/${inParts.id}/refund`, { payments: card('4.00') })
  assert.match(assertProblem(named, 400, 'validation_failed').errors[0].message, /^must add up to 6.00,/)
  const rest = await refund(call, inParts, { ...one(1), payments: card('6.00') })
  assert.deepEqual(
    [amounts(rest), stateOf(rest.order)],
    [
      ['4.00', '6.00'],
      ['12.00', '12.00', '0.00', 'refunded'],
    ],
  )
  // In coins, of a sale that cost nothing: coins pay a cent less than was paid.
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const gift = await sell(call, { lineItems: [{ price: '0.00' }], payments: card('1.46') })
  const inCoins = await refund(call, gift, { payments: cash('1.45') })
  assert.deepEqual(
    [inCoins.refund.summary.cashRounding, inCoins.order.returned, stateOf(inCoins.order)],
    ['-0.01', '-0.01', ['1.46', '1.45', '0.00', 'refunded']],
  )
  // It went back before, by a transaction alone.
  const settled = await sold()
  const back = { orderId: settled.id, paymentMethod: 'credit_card', amount: '2.00', type: 'refund' }
  succeeded(await call('POST', '/v1/transaction', back), 201)
  const after = await refund(call, settled, {})
  assert.deepEqual(
    [amounts(after), stateOf(after.order)],
    [
      ['10.00', '10.00'],
      ['12.00', '12.00', '0.00', 'refunded'],
    ],
  )
})

test('goods that came back without their money are not paid with the last refund: only an overpayment is', async () => {
  const { call } = await service.company()
  const order = await sell(call, { lineItems: [{ productId: 'p', variantId: 'v', price: '5.00', quantity: 2 }], payments: card('10.00') }) // biome-ignore format: one thought
  const lineItems = [{ productId: 'p', variantId: 'v', quantity: 1, total: '5.00' }]
  succeeded(await call('POST', '/v1/refund', { orderId: order.id, lineItems, summary: { total: '5.00' } }), 201)
  const { order: after } = await refund(call, order, {})
  assert.deepEqual(stateOf(after), ['10.00', '5.00', '-5.00', 'refunded'])
})
