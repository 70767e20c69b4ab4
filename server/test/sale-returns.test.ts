// Refunds and voids of sales: never more than was sold, to the cent, with the money and the stock, once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertColumns } from './support/columns.ts'
import { succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

/** The receipt of docs/guides/anatomy-of-a-sale.md, sold with its goods in stock. */
async function receipt(call: Caller) {
  const made = async (path: string, body: object): Promise<string> => succeeded(await call('POST', path, body), 201).id
  const outletId = await made('/v1/outlet', { name: 'Main Street' })
  const stationId = await made('/v1/station', { name: 'Till 1', outletId, status: 'IN_USE' })
  const sessionId = await made('/v1/session', { stationId })
  const managed = (stock: number) => ({ manageStock: true, inventory: [{ outletId, stock }] })
  const beans = await made('/v1/variant', { productId: await made('/v1/product', { name: 'Beans' }), ...managed(12) })
  const mug = await made('/v1/variant', { productId: await made('/v1/product', { name: 'Mug' }), ...managed(5) })
  const body = {
    receiptId: 'R-1001',
    currency: 'EUR',
    outletId,
    stationId,
    lineItems: [
      {
        variantId: beans,
        price: '12.50',
        quantity: 2,
        taxes: [{ name: 'Tax', percentage: 5 }],
        discount: { itemDiscount: { percentage: 10 } },
      },
      { variantId: mug, price: '15.00', quantity: 1, taxes: [{ name: 'Tax', percentage: 20 }] },
    ],
    cartDiscount: { percentage: 10 },
    summary: { tip: { amount: '3.00' } },
    payments: [
      { paymentMethod: 'credit_card', amount: '25.46' },
      { paymentMethod: 'cash', amount: '20.00' },
    ],
  }
  const { order } = succeeded(await call('POST', '/v1/sale', body), 201)
  assert.equal(order.summary.total, '40.46')
  const stocks = async () =>
    Promise.all([beans, mug].map(async (id) => succeeded(await call('GET', `/v1/variant/${id}`)).inventory[0].stock))
  const state = async () => {
    const { status, paid, refunded, returned, due } = succeeded(await call('GET', `/v1/order/${order.id}`))
    return [status, paid, refunded, returned, due]
  }
  return { path: `/v1/sale/${order.id}`, orderId: order.id as string, outletId, sessionId, beans, mug, stocks, state }
}

test('one unit that comes back has the amounts of the guide, and the rest brings every sum to zero', async () => {
  const { id: companyId, call } = await service.company()
  const { path, orderId, sessionId, beans, stocks, state } = await receipt(call)
  assert.deepEqual(await stocks(), [10, 4])
  const one = { lines: [{ lineItem: 0, quantity: 1, restock: false }], reason: 'Bag torn', refundedBy: 'ann' }
  const first = succeeded(await call('POST', `${path}/refund`, one), 201)
  const [line] = first.refund.lineItems
  assert.deepEqual(
    [line.subTotal, line.discount.itemDiscount.amount, line.discount.cartDiscount.amount, line.total, line.totalTax],
    ['12.50', '1.25', '1.13', '10.12', '0.51'],
  )
  assert.deepEqual([line.variantId, line.position, line.quantity, line.action], [beans, 0, 1, 'REFUND_DAMAGE'])
  const { summary, balance, orderId: of, sessionId: till } = first.refund
  assert.deepEqual(
    [summary.total, summary.discountTotal, summary.totalTaxes, balance, of, till],
    ['10.63', '2.38', '0.51', '29.83', orderId, sessionId],
  )
  const [{ id: transactionId, ...paidBack }] = first.transactions
  assert.deepEqual(
    [paidBack.paymentMethod, paidBack.amount, paidBack.type, paidBack.refundId, paidBack.sessionId, paidBack.employee],
    ['credit_card', '10.63', 'refund', first.refund.id, sessionId, 'ann'],
  )
  assert.deepEqual(first.refund.payment, [{ paymentType: 'credit_card', amount: '10.63', transactionId }])
  assert.deepEqual([await stocks(), first.stock], [[10, 4], []])
  assert.deepEqual(await state(), ['partial-refund', '40.46', '10.63', '10.63', '0.00'])

  const rest = succeeded(await call('POST', `${path}/refund`, {}), 201)
  const [bag, mug] = rest.refund.lineItems
  assert.deepEqual([bag.total, bag.totalTax, mug.total, mug.totalTax], ['10.13', '0.50', '13.50', '2.70'])
  assert.deepEqual(
    [rest.refund.summary.total, rest.refund.summary.tip.amount, rest.refund.balance],
    ['29.83', '3.00', '0.00'],
  )
  assert.deepEqual(
    rest.transactions.map(({ paymentMethod, amount }: Record<string, string>) => [paymentMethod, amount]),
    [
      ['credit_card', '14.83'],
      ['cash', '15.00'],
    ],
  )
  // The torn bag stays away.
  assert.deepEqual(await stocks(), [11, 5])
  assert.deepEqual(await state(), ['refunded', '40.46', '40.46', '40.46', '0.00'])
  assertProblem(await call('POST', `${path}/refund`, {}), 409, 'conflict')
  const types = (await feed(service, companyId, orderId)).map(({ type }) => type)
  assert.equal(types.filter((type) => type === 'order.refunded').length, 2)
  for (const { refund } of [first, rest]) {
    const events = await feed(service, companyId, refund.id)
    assert.deepEqual(
      events.map(({ type, data }) => [type, data]),
      [['refund.created', refund]],
    )
  }
})

test('two refunds of the same units at once: one wins', async () => {
  const { call } = await service.company()
  const { path, stocks, state } = await receipt(call)
  const both = { lines: [{ lineItem: 0 }] }
  const replies = await Promise.all(Array.from({ length: 6 }, () => call('POST', `${path}/refund`, both)))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409])
  assert.deepEqual([await stocks(), (await state())[3]], [[12, 4], '21.26'])
})

test('a wrong refund is refused at the member and changes nothing; another company’s sale does not exist', async () => {
  const { call } = await service.company()
  const { path, stocks, state } = await receipt(call)
  const refused = async (body: object, status: number, pointer: string) => {
    const reply = await call('POST', `${path}/refund`, body)
    const problem = assertProblem(reply, status, status === 400 ? 'validation_failed' : 'conflict')
    assert.equal(problem.errors[0].pointer, pointer, reply.text)
  }
  await refused({ lines: [{ lineItem: 0, quantity: 3 }] }, 409, '/lines/0/quantity')
  await refused({ lines: [{ lineItem: 2 }] }, 400, '/lines/0/lineItem')
  await refused({ lines: [{ lineItem: -1 }] }, 400, '/lines/0/lineItem')
  await refused({ lines: [{ lineItem: 0, quantity: 0 }] }, 400, '/lines/0/quantity')
  await refused({ lines: [{ lineItem: 0, quantity: -1 }] }, 400, '/lines/0/quantity')
  await refused({ lines: [{ lineItem: 1 }, { lineItem: 0, quantity: 0.1234567 }] }, 400, '/lines/1/quantity')
  await refused({ lines: [{}] }, 400, '/lines/0')
  await refused({ lines: [] }, 400, '/lines')
  await refused({ lines: [], shippingTotal: '0.00' }, 400, '/lines')
  // A tip alone is not the whole sale.
  for (const member of ['shippingTotal', 'tip', 'fees']) await refused({ [member]: '1.00' }, 400, '/lines')
  await refused({ lines: [{ lineItem: 0 }, { lineItem: 0 }] }, 400, '/lines/1/lineItem')
  await refused({ lines: [{ lineItem: 1 }], tip: '3.01' }, 409, '/tip')
  await refused({ lines: [{ lineItem: 1 }], payments: [{ paymentMethod: 'cash', amount: '16.21' }] }, 400, '/payments')
  const dollars = { paymentMethod: 'cash', amount: '16.20', currency: 'USD' }
  await refused({ lines: [{ lineItem: 1 }], payments: [dollars] }, 400, '/payments/0/currency')
  const zeros = Array.from({ length: 201 }, () => ({ paymentMethod: 'cash', amount: '0.00' }))
  await refused({ payments: zeros }, 400, '/payments')
  await refused({ nonsense: 1 }, 400, '/nonsense')
  await refused({ lines: [{ lineItem: 0, qty: 1 }] }, 400, '/lines/0/qty')
  await refused({ payments: [{ paymentMethod: 'cash', amount: '40.46', methd: 'x' }] }, 400, '/payments/0/methd')
  await refused({ occurredAt: '2099-01-01T00:00:00Z' }, 400, '/occurredAt')
  const other = (await service.company()).call
  for (const wrong of [path, `/v1/sale/${noId}`, '/v1/sale/x'])
    for (const verb of ['refund', 'void']) assertProblem(await other('POST', `${wrong}/${verb}`, {}), 404, 'not_found')
  assert.deepEqual(
    [await stocks(), await state()],
    [
      [10, 4],
      ['completed', '40.46', '0.00', '0.00', '0.00'],
    ],
  )
})

test('a custom sale comes back under the product custom-sale, and an order that was not paid pays nothing back', async () => {
  const { call } = await service.company()
  const body = {
    customSales: [{ customSaleId: 'wrap', name: 'Wrapping', price: '1.50', quantity: 2 }, { price: '9.00' }],
  }
  const { order } = succeeded(await call('POST', '/v1/sale', body), 201)
  const lines = [{ customSale: 0, quantity: 1 }, { customSale: 1 }]
  const {
    refund,
    transactions,
    order: after,
  } = succeeded(await call('POST', `/v1/sale/${order.id}/refund`, { lines }), 201)
  assert.deepEqual(
    refund.lineItems.map(({ productId, variantId, position, total }: Record<string, unknown>) => [
      productId,
      variantId,
      position,
      total,
    ]),
    [
      ['custom-sale', 'wrap', 0, '1.50'],
      ['custom-sale', '1', 1, '9.00'],
    ],
  )
  assert.deepEqual([transactions, after.due, after.status], [[], '1.50', 'partial-refund'])
})

test('a refund of an order whose line names a variant alone has the variant’s product', async () => {
  const { call } = await service.company()
  const made = async (path: string, body: object) => succeeded(await call('POST', path, body), 201).id
  const productId = await made('/v1/product', { name: 'Mug' })
  const variantId = await made('/v1/variant', { productId, manageStock: false })
  const line = { variantId, quantity: 1, price: '9.00', total: '9.00' }
  const id = await made('/v1/order', { status: 'completed', lineItems: [line], summary: { total: '9.00' } })
  const { refund } = succeeded(await call('POST', `/v1/sale/${id}/refund`, {}), 201)
  const [{ productId: product, variantId: variant, name }] = refund.lineItems
  assert.deepEqual([product, variant, name], [productId, variantId, 'Mug'])
})

test('a refund of all goods has the tip, delivery and fees that the rounding of cash has paid for', async () => {
  const { call } = await service.company()
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '1.00' }))
  for (const [price, extras] of [
    ['7.00', { summary: { tip: { amount: '0.30' } } }],
    ['7.00', { summary: { tip: { amount: '0.20' }, shippingTotal: '0.10' } }],
    ['7.10', { summary: { tip: { amount: '0.20' } }, cartFees: [{ name: 'Bag', amount: '0.15' }] }],
  ] as const) {
    // biome-ignore format: a table
    const sale = { ...extras, lineItems: [{ price }, { price: '1.00' }], payments: [{ paymentMethod: 'cash' }] }
    const { order } = succeeded(await call('POST', '/v1/sale', sale), 201)
    const first = succeeded(await call('POST', `/v1/sale/${order.id}/refund`, { lines: [{ lineItem: 1 }] }), 201)
    const { refund, order: after } = succeeded(await call('POST', `/v1/sale/${order.id}/refund`, { lines: [{ lineItem: 0 }] }), 201) // biome-ignore format: one thought
    const { tip, shippingTotal, total, cashRounding } = refund.summary
    assert.deepEqual([tip, shippingTotal, cashRounding], [order.summary.tip, order.summary.shippingTotal, order.summary.cashRounding]) // biome-ignore format: one thought
    assert.equal((Number(first.refund.summary.total) + Number(total)).toFixed(2), order.summary.total)
    assert.deepEqual([after.status, after.due, after.refunded], ['refunded', '0.00', order.paid])
  }
})

test('the rounding of cash goes back with the last goods, beside their value, and an exchange is returned completely or by its sold line', async () => {
  const { call } = await service.company()
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const sell = async (body: object): Promise<string> => succeeded(await call('POST', '/v1/sale', body), 201).order.id
  const cash = (amount: string) => [{ paymentMethod: 'cash', amount }]
  const refund = async (id: string, body: object) => succeeded(await call('POST', `/v1/sale/${id}/refund`, body), 201)
  // Also where a gift is left.
  for (const [price, paid, rounding] of [
    ['10.02', '10.00', '-0.02'],
    ['10.03', '10.05', '0.02'],
  ] as const)
    for (const lineItems of [[{ price }], [{ price }, { price: '0.00' }]]) {
      const rounded = await sell({ lineItems, payments: cash(paid) })
      const { refund: record, order, transactions } = await refund(rounded, { lines: [{ lineItem: 0 }] })
      const { total, cashRounding } = record.summary
      assert.deepEqual([total, cashRounding, transactions[0].amount], [price, rounding, paid])
      assert.deepEqual([order.status, order.returned, order.due], ['refunded', paid, '0.00'])
      assertProblem(await call('POST', `/v1/sale/${rounded}/refund`, { lines: [{ lineItem: 0 }] }), 409, 'conflict')
    }
  // The first refund leaves less than the second one is worth, so it has half of the rounding, and the third one the rest.
  const parts = await sell({ lineItems: ['9.99', '0.02', '0.01'].map((price) => ({ price })), payments: cash('10.00') })
  const backOf = async (lineItem: number, payments: object[]) => {
    const { refund: record, order } = await refund(parts, { lines: [{ lineItem }], payments })
    return [record.summary.total, record.summary.cashRounding, order.returned, order.refunded, order.due]
  }
  assert.deepEqual(await backOf(0, cash('9.99')), ['9.99', undefined, '9.99', '9.99', '0.00'])
  assert.deepEqual(await backOf(1, cash('0.01')), ['0.02', '-0.01', '10.00', '10.00', '0.00'])
  assert.deepEqual(await backOf(2, []), ['0.01', '-0.01', '10.00', '10.00', '0.00'])
  const lineItems = [{ price: '50.00' }, { price: '20.00', quantity: -1 }]
  const whole = await refund(await sell({ lineItems, payments: cash('30.00') }), {})
  assert.deepEqual(
    [whole.refund.lineItems.length, whole.refund.summary.subTotal, whole.order.due, whole.order.fulfilmentStatus],
    [2, '30.00', '0.00', 'returned'],
  )
  const part = await refund(await sell({ lineItems, payments: cash('30.00') }), {
    lines: [{ lineItem: 0 }],
    payments: cash('50.00'),
  })
  assert.deepEqual([part.refund.summary.total, part.order.due], ['50.00', '0.00'])
  const returned = await sell({
    lineItems: [{ price: '5.00', quantity: -1 }],
    payments: [{ ...cash('5.00')[0], type: 'refund' }],
  })
  assertProblem(await call('POST', `/v1/sale/${returned}/refund`, {}), 409, 'conflict')
})

test('only a sale that took place is refunded, by payments in its currency, and earlier refunds without positions count', async () => {
  const { call } = await service.company()
  const line = { productId: 'p', variantId: 'v', quantity: 1, price: '10.00', total: '10.00' }
  const order = async (status: string): Promise<string> =>
    succeeded(
      await call('POST', '/v1/order', {
        status,
        currency: 'EUR',
        lineItems: [line, line],
        summary: { total: '20.00' },
      }),
      201,
    ).id
  for (const status of ['pending', 'parked', 'cancelled'])
    assertProblem(await call('POST', `/v1/sale/${await order(status)}/refund`, {}), 409, 'conflict')
  // A fee may be any JSON; one without a decimal amount counts for nothing.
  const odd = [{ ...line, fee: [{ amount: 'much' }, 7, null] }]
  const strange = await call('POST', '/v1/order', { status: 'completed', lineItems: odd, summary: { total: '10.00' } })
  const { refund: ofStrange } = succeeded(await call('POST', `/v1/sale/${strange.body.id}/refund`, {}), 201)
  assert.equal(ofStrange.summary.total, '10.00')
  const orderId = await order('completed')
  const pay = (more: object) => call('POST', '/v1/transaction', { orderId, currency: 'EUR', ...more })
  succeeded(await pay({ paymentMethod: 'credit_card', amount: '100.00', currency: 'USD' }), 201)
  succeeded(await pay({ paymentMethod: 'cash', amount: '20.00' }), 201)
  const both = { orderId, currency: 'EUR', lineItems: [{ ...line, quantity: 1 }], summary: { total: '10.00' } }
  succeeded(await call('POST', '/v1/refund', both), 201)
  succeeded(await pay({ paymentMethod: 'cash', amount: '10.00', type: 'refund' }), 201)
  const path = `/v1/sale/${orderId}/refund`
  assertProblem(await call('POST', path, { lines: [{ lineItem: 0 }] }), 409, 'conflict')
  const cents = [
    { paymentMethod: 'cash', amount: '9.999' },
    { paymentMethod: 'cash', amount: '0.002' },
  ]
  assertProblem(await call('POST', path, { payments: cents }), 400, 'validation_failed')
  const { refund, transactions } = succeeded(await call('POST', path, {}), 201)
  assert.deepEqual([refund.lineItems[0].position, refund.summary.total], [1, '10.00'])
  assert.deepEqual(
    transactions.map(({ paymentMethod, amount }: Record<string, string>) => [paymentMethod, amount]),
    [['cash', '10.00']],
  )
  const { id } = await service.company()
  const creates = (await service.keyFor(id, ['create'])).call
  for (const verb of ['refund', 'void'])
    assertProblem(await creates('POST', `/v1/sale/${orderId}/${verb}`, {}), 403, 'permission_denied')
})

test('a refund that is repeated under its key is made once', async () => {
  const { call } = await service.company()
  const { path, state } = await receipt(call)
  const send = () => call('POST', `${path}/refund`, { lines: [{ lineItem: 1 }] }, { 'idempotency-key': 'refund-1' })
  const first = await send()
  assert.equal(first.status, 201)
  assert.equal((await send()).text, first.text)
  assert.equal((await state())[3], '16.20')
})

test('a void cancels the sale, its payments and its stock, once, and not after a refund or the end of its session', async () => {
  const { call } = await service.company()
  const { path, orderId, stocks, state } = await receipt(call)
  const { order, transactions, stock } = succeeded(await call('POST', `${path}/void`))
  assert.deepEqual([order.status, order.fulfilmentStatus], ['cancelled', 'cancelled'])
  assert.deepEqual(
    transactions.map(({ type }: { type: string }) => type),
    ['void', 'void'],
  )
  assert.deepEqual(
    stock.map(({ stock }: { stock: number }) => stock),
    [12, 5],
  )
  assert.deepEqual(
    [await stocks(), await state()],
    [
      [12, 5],
      ['cancelled', '0.00', '0.00', '0.00', '0.00'],
    ],
  )
  const refused = async (verb: 'void' | 'refund') =>
    assert.equal(
      assertProblem(await call('POST', `${path}/${verb}`, {}), 409, 'conflict').message,
      `The sale was voided at ${order.voidedAt}. Make a new sale instead.`,
    )
  await refused('void')
  await refused('refund')
  // The service enforces no transitions of the status, but a void is done once.
  const reopened = succeeded(await call('PATCH', `/v1/order/${orderId}`, { status: 'completed', voidedAt: null }))
  assert.deepEqual([reopened.status, reopened.voidedAt], ['completed', order.voidedAt])
  await refused('void')
  await refused('refund')
  assert.deepEqual(await stocks(), [12, 5])
  assert.equal(succeeded(await call('GET', `/v1/transactions?orderId=${orderId}&type=void`)).meta.count, 2)
  const second = await receipt(call)
  succeeded(await call('POST', `${second.path}/refund`, { lines: [{ lineItem: 1 }] }), 201)
  assertProblem(await call('POST', `${second.path}/void`), 409, 'conflict')
  const third = await receipt(call)
  succeeded(await call('PATCH', `/v1/session/${third.sessionId}`, { closeTime: new Date().toISOString() }))
  assert.match(assertProblem(await call('POST', `${third.path}/void`), 409, 'conflict').message, /session .* closed/)
  assertProblem(await call('POST', `${third.path}/void`, { restock: 'no' }), 400, 'validation_failed')
  const fourth = await receipt(call)
  succeeded(await call('POST', `${fourth.path}/void`, { restock: false }))
  assert.deepEqual(await fourth.stocks(), [10, 4])
})

test('a sale whose money a closing has counted is not voided: in the session of a payment, or in one that is open again', async () => {
  const { call } = await service.company()
  const { path, orderId, sessionId } = await receipt(call)
  const { id: other } = succeeded(await call('POST', '/v1/session', { stationId: 'elsewhere' }), 201)
  const late = { orderId, sessionId: other, paymentMethod: 'cash', amount: '1.00', currency: 'EUR' }
  succeeded(await call('POST', '/v1/transaction', late), 201)
  succeeded(await call('POST', `/v1/session/${other}/close`, {}), 201)
  const refused = async () => assertProblem(await call('POST', `${path}/void`), 409, 'conflict').message
  assert.match(await refused(), /^The session of a payment of the sale was closed at/)
  succeeded(await call('PATCH', `/v1/session/${other}`, { closeTime: null }))
  assert.equal(await refused(), 'A closing has counted the sale. Refund it instead.')
  const second = await receipt(call)
  succeeded(await call('POST', `/v1/session/${second.sessionId}/close`, {}), 201)
  succeeded(await call('PATCH', `/v1/session/${second.sessionId}`, { closeTime: null }))
  assertProblem(await call('POST', `${second.path}/void`), 409, 'conflict')
  assert.deepEqual([(await second.state())[1], sessionId === second.sessionId], ['40.46', false])
})

test('the columns of all records that were written equal the records', () => assertColumns(service))
