// Refunds of sales whose numbers are not round: fees, fractions of a cent and of a unit, and discounts beyond the
// price. All refunds together equal the sale.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '../src/core/problem.ts'
import { quoteOf } from '../src/features/sales/amounts/quote.ts'
import { refundOf } from '../src/features/sales/refund/refund-amounts.ts'
import { succeeded } from './support/custom-tables.ts'
import { assertProblem } from './support/problem.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

const line = { productId: 'p', variantId: 'v', price: '5.00', quantity: 2 }
const cash = (amount: string) => [{ paymentMethod: 'cash', amount }]
const sell = async (call: Caller, body: object): Promise<any> =>
  succeeded(await call('POST', '/v1/sale', { lineItems: [line], payments: cash('1000.00'), ...body }), 201).order
const refund = async (call: Caller, { id }: { id: string }, body: object): Promise<any> =>
  succeeded(await call('POST', `/v1/sale/${id}/refund`, body), 201)

test('delivery, tip and fees come back once: never less than nothing, and never more than is left of each', async () => {
  const { call } = await service.company()
  const summary = { shippingTotal: '3.00', tip: { amount: '2.00' } }
  const order = await sell(call, { summary, cartFees: [{ name: 'Bag', amount: '1.00' }, { amount: '0.50' }] })
  const refused = async (body: object, status: number, pointer: string) => {
    const reply = await call('POST', `/v1/sale/${order.id}/refund`, { lines: [{ lineItem: 0, quantity: 1 }], ...body })
    const problem = assertProblem(reply, status, status === 400 ? 'validation_failed' : 'conflict')
    assert.equal(problem.errors[0].pointer, pointer)
    if (status === 409) assert.ok(problem.message.endsWith(` of ${pointer.slice(1)} is left.`), problem.message)
  }
  for (const [member, all] of [
    ['shippingTotal', '3.00'],
    ['tip', '2.00'],
    ['fees', '1.50'],
  ] as const) {
    await refused({ [member]: '-0.01' }, 400, `/${member}`)
    await refused({ [member]: '3.01' }, 409, `/${member}`)
    await refund(call, order, { lines: [], [member]: '0.50' })
    await refused({ [member]: all }, 409, `/${member}`)
  }
  const { order: after, refund: rest } = await refund(call, order, {})
  assert.deepEqual([rest.summary.total, after.refunded, after.status], ['15.00', '16.50', 'refunded'])
})

test('fees come back in full beside lines whose fractions of a cent were rounded, and beside refunds that were written as records', async () => {
  const { call } = await service.company()
  const stored = async (body: object): Promise<any> =>
    succeeded(await call('POST', '/v1/order', { status: 'completed', ...body }), 201)
  const fraction = { productId: 'p', variantId: 'v', price: '1.005', quantity: 1, total: '1.005' }
  const order = await stored({
    lineItems: [fraction, fraction],
    cartFees: [{ amount: '3.00' }],
    summary: { total: '5.01' },
  })
  const first = await refund(call, order, { lines: [{ lineItem: 0 }] })
  const fees = await refund(call, order, { lines: [], fees: '3.00' })
  const rest = await refund(call, order, {})
  assert.deepEqual(
    [first, fees, rest].map(({ refund: { summary } }) => Number(summary.total)),
    [1.01, 3, 1],
  )

  const other = await stored({
    lineItems: [{ ...line, total: '10.00' }],
    cartFees: [{ amount: '3.00' }],
    summary: { shippingTotal: '5.00', total: '18.00' },
  })
  const record = { orderId: other.id, lineItems: [], summary: { shippingTotal: '7.00', total: '7.00' } }
  succeeded(await call('POST', '/v1/refund', record), 201)
  await refund(call, other, { lines: [{ lineItem: 0, quantity: 1 }], shippingTotal: '0.00', fees: '3.00' })
  const { refund: last } = await refund(call, other, {})
  assert.deepEqual([last.summary.total, last.summary.shippingTotal], ['3.00', undefined])
})

test('a sale with a negative tip, which is a rebate, is refunded completely', async () => {
  const { call } = await service.company()
  const order = await sell(call, { summary: { tip: { amount: '-3.00' } } })
  const { refund: whole } = await refund(call, order, {})
  assert.deepEqual([whole.summary.total, whole.summary.tip.amount], ['7.00', '-3.00'])
})

test('thirds of a unit come back in halves, once, and weighed goods that came back are returned', async () => {
  const { call } = await service.company()
  const third = await sell(call, { lineItems: [{ ...line, quantity: 1 / 3 }] })
  const half = { lines: [{ lineItem: 0, quantity: 1 / 6 }] }
  await refund(call, third, half)
  const { order } = await refund(call, third, half)
  assert.deepEqual([order.status, order.fulfilmentStatus, order.returned], ['refunded', 'returned', '1.67'])
  for (const body of [{}, half]) assertProblem(await call('POST', `/v1/sale/${third.id}/refund`, body), 409, 'conflict')
  const weighed = await sell(call, { lineItems: [0.1, 0.2].map((quantity) => ({ ...line, quantity })) })
  assert.equal((await refund(call, weighed, {})).order.fulfilmentStatus, 'returned')
})

test('amounts of lines in fractions of a cent are paid back in cents that add up to the sale', async () => {
  const { call } = await service.company()
  const lineItems = [{ ...line, price: '3.333', quantity: 3, total: '9.999' }]
  const body = { status: 'completed', currency: 'EUR', lineItems, summary: { total: '10.00' } }
  const order = succeeded(await call('POST', '/v1/order', body), 201)
  const paid = { orderId: order.id, paymentMethod: 'cash', amount: '10.00', currency: 'EUR' }
  succeeded(await call('POST', '/v1/transaction', paid), 201)
  const parts = []
  for (let n = 0; n < 3; n++) parts.push(await refund(call, order, { lines: [{ lineItem: 0, quantity: 1 }] }))
  const amounts = (of: any) => [
    of.refund.lineItems[0].total,
    Number(of.refund.summary.total),
    Number(of.transactions[0].amount),
  ]
  assert.deepEqual(parts.map(amounts), [
    ['3.333', 3.33, 3.33],
    ['3.333', 3.34, 3.34],
    ['3.333', 3.33, 3.33],
  ])
  assert.deepEqual([parts[2].order.status, Number(parts[2].order.due)], ['refunded', 0])
})

test('a discount beyond the price of a line counts in a refund as far as it counted in the sale', async () => {
  const { call } = await service.company()
  const lineItems = [{ ...line, discount: { itemDiscount: { amount: '15.00' } } }, line]
  const order = await sell(call, { lineItems })
  const parts = [await refund(call, order, { lines: [{ lineItem: 0, quantity: 1 }] }), await refund(call, order, {})]
  assert.deepEqual(
    parts.map(({ refund: { summary } }) => [summary.subTotal, summary.discountTotal, summary.total]),
    [
      ['5.00', '5.00', '0.00'],
      ['15.00', '5.00', '10.00'],
    ],
  )
})

test('whatever is sold and in whatever parts it comes back, all refunds together add up to the sale', () => {
  const cents = (text: string | undefined) => BigInt((text ?? '0.00').replace('.', ''))
  const amount = fc.integer({ min: 1, max: 99_999 }).map((n) => (n / 100).toFixed(2))
  const line = fc.record({
    price: amount,
    quantity: fc.integer({ min: 1, max: 5 }),
    taxes: fc.array(
      fc.constantFrom(5, 7.7, 19, 20).map((percentage) => ({ percentage })),
      { maxLength: 1 },
    ),
    discount: fc.constantFrom({}, { itemDiscount: { percentage: 33 } }),
  })
  const sales = fc.record({
    lineItems: fc.array(line, { minLength: 1, maxLength: 4 }),
    cartDiscount: fc.constantFrom({ percentage: 0 }, { percentage: 12.5 }),
    summary: fc.record({ isTaxInclusive: fc.boolean(), tip: fc.record({ amount }), shippingTotal: amount }),
  })
  fc.assert(
    fc.property(
      sales,
      fc.constantFrom('line' as const, 'receipt' as const),
      fc.array(fc.nat(3), { maxLength: 8 }),
      (sale, taxRounding, parts) => {
        const quote = quoteOf(sale, { currency: 'EUR', taxRounding })
        assert.ok(!(quote instanceof Problem))
        const { total = '' } = quote.computed.summary as { readonly total?: string }
        const order = { id: 'o', ...quote.computed, due: '0.00' }
        const refunds: any[] = []
        const refundNext = (wanted: object) => {
          const returned = refunds.reduce((sum, { summary }) => sum + cents(summary.total), 0n)
          const text = `${returned}`.padStart(3, '0').replace(/(..)$/, '.$1')
          const refund = refundOf({ ...order, returned: text }, refunds, wanted, 'EUR')
          if (refund instanceof Problem) return refund
          refunds.push(refund.members)
          return refund
        }
        for (const part of parts) refundNext({ lines: [{ lineItem: part, quantity: 1 }] })
        const last = refundNext({})
        assert.ok(!(last instanceof Problem) && last.isWhole)
        assert.equal(
          refunds.reduce((sum, { summary }) => sum + cents(summary.total), 0n),
          cents(total),
        )
        for (const [n, sold] of quote.computed.lineItems.entries())
          for (const member of ['subTotal', 'total', 'totalTax'] as const) {
            const own = refunds.flatMap(({ lineItems }) =>
              lineItems.filter(({ position }: { position: number }) => position === n),
            )
            assert.equal(
              own.reduce((sum, returned) => sum + cents(returned[member]), 0n),
              cents((sold as any)[member]),
            )
          }
      },
    ),
    { numRuns: 200 },
  )
})

test('cash goes back in coins: the refund says what they differ by, and the drawer holds what is expected', async () => {
  const { call } = await service.company()
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const session = succeeded(await call('POST', '/v1/session', { stationId: 's', openingAmount: '100.00' }), 201)
  const sold = (payments: object[]) =>
    sell(call, { sessionId: session.id, lineItems: [{ price: '5.01' }, { price: '5.01' }], payments })
  const back = async (order: { id: string }, body: object) => {
    const { refund: record, transactions, order: after } = await refund(call, order, { sessionId: session.id, ...body })
    const { total, cashRounding } = record.summary
    return [total, cashRounding, transactions.map(({ amount }: any) => amount).join(), after.due, after.status]
  }
  const one = { lines: [{ lineItem: 0 }] }
  const order = await sold(cash('20.00'))
  assert.deepEqual(await back(order, one), ['5.01', '-0.01', '5.00', '0.00', 'partial-refund'])
  assert.deepEqual(await back(order, {}), ['5.01', '-0.01', '5.00', '0.00', 'refunded'])
  assertProblem(await call('POST', `/v1/sale/${order.id}/refund`, {}), 409, 'conflict')
  // By what the till says: the exact amount, the coins, or part of it on the card.
  const card = { paymentMethod: 'credit_card', amount: '10.02' }
  const paid = await sold([card])
  assert.deepEqual(await back(paid, { ...one, payments: cash('5.00') }), [
    '5.01',
    '-0.01',
    '5.00',
    '0.00',
    'partial-refund',
  ])
  const wrong = await call('POST', `/v1/sale/${paid.id}/refund`, { payments: cash('5.05') })
  assert.match(assertProblem(wrong, 400, 'validation_failed').errors[0].message, /must add up to 5.02 or 5.00,/)
  const onCard = await call('POST', `/v1/sale/${paid.id}/refund`, { payments: [{ ...card, amount: '5.00' }] })
  assertProblem(onCard, 400, 'validation_failed')
  const both = [{ ...card, amount: '2.02' }, ...cash('3.00')]
  assert.deepEqual(await back(paid, { payments: both }), ['5.01', '0.01', '2.02,3.00', '0.00', 'refunded'])
  const { balances } = succeeded(await call('GET', `/v1/session/${session.id}/report`))
  assert.deepEqual(
    balances.map(({ expected }: any) => expected),
    ['92.00', '8.00'],
  )
})

test('refunds in coins add up to what was paid, and what rounding took is missing where it is noticed first', async () => {
  const { call } = await service.company()
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const paidBack = ({ transactions }: any) => transactions.map(({ amount }: any) => amount).join()
  const thirds = await sell(call, { lineItems: [{ price: '1.01', quantity: 6 }], payments: cash('6.05') })
  const parts = []
  for (let n = 0; n < 6; n++) parts.push(await refund(call, thirds, { lines: [{ lineItem: 0, quantity: 1 }] }))
  assert.deepEqual(parts.map(paidBack), ['1.00', '1.00', '1.05', '1.00', '1.00', '1.00'])
  const { order } = parts.at(-1)
  assert.deepEqual([order.paid, order.refunded, order.due, order.status], ['6.05', '6.05', '0.00', 'refunded'])
  // A gift is left, so the line that was paid is not the last one.
  const withGift = await sell(call, { lineItems: [{ price: '10.02' }, { price: '0.00' }], payments: cash('10.00') })
  assert.equal(paidBack(await refund(call, withGift, { lines: [{ lineItem: 0 }] })), '10.00')
  // Taken before the shop rounded: to the cent.
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: null }))
  const exact = await sell(call, { lineItems: [{ price: '5.01' }, { price: '5.01' }], payments: cash('10.02') })
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  for (let lineItem = 0; lineItem < 2; lineItem++)
    assert.equal(paidBack(await refund(call, exact, { lines: [{ lineItem }] })), '5.01')
})

test('cash is no way to pay more back than is owed, and what earlier refunds rounded comes back when cash is rounded no more', async () => {
  const { call } = await service.company()
  const coins = async (cashRounding: string | null) => succeeded(await call('PATCH', '/v1/settings', { cashRounding }))
  await coins('0.05')
  const card = (amount: string) => ({ paymentMethod: 'credit_card', amount })
  const paid = await sell(call, { lineItems: [{ price: '5.00' }], payments: [card('5.00')] })
  const tooMuch = await call('POST', `/v1/sale/${paid.id}/refund`, { payments: [card('5.02'), ...cash('0.00')] })
  assert.match(assertProblem(tooMuch, 400, 'validation_failed').errors[0].message, /^must add up to 5.00,/)
  const thirds = await sell(call, { lineItems: [{ price: '3.34', quantity: 3 }], payments: cash('10.00') })
  const one = { lines: [{ lineItem: 0, quantity: 1 }] }
  for (const payments of [cash('3.35'), cash('3.35')]) await refund(call, thirds, { ...one, payments })
  await coins(null)
  const { order, transactions } = await refund(call, thirds, {})
  assert.deepEqual(
    [transactions.map(({ amount }: any) => amount), order.refunded, order.due, order.status],
    [['3.30'], '10.00', '0.00', 'refunded'],
  )
})

test('an order whose discount counts as nothing comes back as it was stored', async () => {
  const { call } = await service.company()
  const lineItems = [{ productId: 'p', variantId: 'v', price: '9.00', discount: { itemDiscount: { value: 10 } } }]
  const made = { status: 'completed', lineItems, summary: { total: '9.00' } }
  const order = succeeded(await call('POST', '/v1/order', made), 201)
  const { refund: whole } = await refund(call, order, { lines: [{ lineItem: 0 }], payments: [] })
  assert.equal(whole.summary.total, '9.00')
})

test('part of a line whose discount is its price is worth nothing, however its amounts are rounded', async () => {
  const { call } = await service.company()
  const lineItems = [{ price: '0.55', quantity: 1, discount: { itemDiscount: { amount: '0.01' } } }]
  const gift = await sell(call, { lineItems, cartDiscount: { percentage: 100 }, payments: [] })
  const halves = [await refund(call, gift, { lines: [{ lineItem: 0, quantity: 0.5 }] }), await refund(call, gift, {})]
  assert.deepEqual(
    halves.map(({ refund: { summary }, order }) => [summary.subTotal, summary.discountTotal, summary.total, order.due]),
    [
      ['0.28', '0.28', '0.00', '0.00'],
      ['0.27', '0.27', '0.00', '0.00'],
    ],
  )
})

test('a line with a negative price comes back only together with what it was taken off', async () => {
  const { call } = await service.company()
  const lineItems = [{ price: '10.00' }, { price: '-4.00' }]
  const order = await sell(call, { lineItems, payments: cash('6.00') })
  const lines = [{ lineItem: 1 }]
  const refused = await call('POST', `/v1/sale/${order.id}/refund`, { lines })
  const [error] = assertProblem(refused, 409, 'conflict').errors
  assert.deepEqual([error.pointer, error.code], ['/lines', 'minimum'])
  const { refund: whole, order: after } = await refund(call, order, { lines: [{ lineItem: 0 }, ...lines] })
  assert.deepEqual([whole.summary.total, after.refunded, after.due, after.status], ['6.00', '6.00', '0.00', 'refunded'])
})

test('a gift comes back by its units, and more refunds than the total leave nothing to refund', async () => {
  const { call } = await service.company()
  const gift = await sell(call, { cartDiscount: { percentage: 100 }, payments: [] })
  const states = []
  for (let n = 0; n < 2; n++) states.push((await refund(call, gift, { lines: [{ lineItem: 0, quantity: 1 }] })).order)
  assert.deepEqual(
    states.map(({ status, fulfilmentStatus }) => [status, fulfilmentStatus]),
    [
      ['partial-refund', 'partially-returned'],
      ['refunded', 'returned'],
    ],
  )
  const order = await sell(call, {})
  succeeded(await call('POST', '/v1/refund', { orderId: order.id, lineItems: [], summary: { total: '10.01' } }), 201)
  const { message } = assertProblem(await call('POST', `/v1/sale/${order.id}/refund`, {}), 409, 'conflict')
  assert.equal(message, 'More of the sale was refunded than its total, 10.00.')
})

test('returned goods go to an outlet: that of the request, if the order names none; quantities have six decimals, like stock', async () => {
  const { call } = await service.company()
  const made = async (path: string, body: object): Promise<string> => succeeded(await call('POST', path, body), 201).id
  const outletId = await made('/v1/outlet', { name: 'Shop' })
  const productId = await made('/v1/product', { name: 'Mug' })
  const variantId = await made('/v1/variant', { productId, manageStock: true })
  const goods = { ...line, productId, variantId, total: '10.00' }
  const order = { status: 'completed', lineItems: [{ price: '1.00' }, goods], summary: { total: '11.00' } }
  const refused = async (path: string, body: object) =>
    assertProblem(await call('POST', path, body), 400, 'validation_failed').errors[0].pointer
  for (const verb of ['void', 'refund']) {
    const path = `/v1/sale/${await made('/v1/order', order)}/${verb}`
    assert.equal(await refused(path, {}), '/outletId')
    const lines = [{ lineItem: 1, quantity: 0.1234567 }]
    if (verb === 'refund') assert.equal(await refused(path, { lines, outletId }), '/lines/0/quantity')
    const { stock } = (await call('POST', path, { outletId })).body
    assert.deepEqual(
      stock.map(({ lineItem, outletId: at, stock: now }: any) => [lineItem, at, now]),
      [[1, outletId, verb === 'void' ? 2 : 4]],
    )
  }
})

test('returned quantities whose sum no number holds, and returns of less than none, are answered and never a failure', async () => {
  const { call } = await service.company()
  const most = Number.MAX_VALUE
  const order = async (quantity: number) =>
    succeeded(await call('POST', '/v1/order', { status: 'completed', lineItems: [{ ...line, quantity, total: '10.00' }], summary: { total: '10.00' } }), 201) // biome-ignore format: one thought
  const returned = async (orderId: string, ...quantities: number[]) => {
    const lineItems = quantities.map((quantity) => ({ ...line, quantity, total: '1.00' }))
    succeeded(await call('POST', '/v1/refund', { orderId, lineItems, summary: { total: '1.00' } }), 201)
    const { returnedQuantity, fulfilmentStatus } = succeeded(await call('GET', `/v1/order/${orderId}`))
    return [returnedQuantity, fulfilmentStatus]
  }
  const many = await order(2)
  assert.deepEqual(await returned(many.id, most, most), [most, 'returned'])
  await refund(call, many, {})
  const none = await order(0)
  assert.deepEqual(await returned(none.id, -1), [0, 'fulfilled'])
  const { lineItems } = (await refund(call, none, { lines: [{ lineItem: 0, quantity: 0.5 }] })).refund
  assert.deepEqual([lineItems[0].quantity, lineItems[0].total], [0.5, '0.00'])
})
