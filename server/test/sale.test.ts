// A sale in one request: order, payments, stock and customer, all of it or nothing, under one idempotency key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertColumns } from './support/columns.ts'
import { succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { type Caller, type Reply, sharedService } from './support/service.ts'

const service = sharedService()

/** An outlet with a till, and a managed variant that it has in stock. */
async function shop(call: Caller, stock = 12, more: object = {}) {
  const made = async (path: string, body: object): Promise<string> => succeeded(await call('POST', path, body), 201).id
  const outletId = await made('/v1/outlet', { name: 'Main Street' })
  const stationId = await made('/v1/station', { name: 'Till 1', outletId, status: 'IN_USE' })
  const productId = await made('/v1/product', { name: 'Beans' })
  const managed = { productId, manageStock: true, ...(stock > 0 && { inventory: [{ outletId, stock }] }), ...more }
  const variantId = await made('/v1/variant', managed)
  return { outletId, stationId, productId, variantId }
}

const stockOf = async (call: Caller, variantId: string): Promise<number> =>
  succeeded(await call('GET', `/v1/variant/${variantId}`)).inventory[0]?.stock ?? 0

const counts = async (call: Caller) =>
  Promise.all(
    ['orders', 'transactions', 'customers', 'inventory-history'].map(
      async (list) => succeeded(await call('GET', `/v1/${list}`)).meta.count,
    ),
  )

/** Checks a refusal: its status, and the pointer of the wrong member. */
function refused(reply: Reply, status: number, code: string, pointer: string) {
  const body = assertProblem(reply, status, code)
  assert.equal(body.errors?.[0]?.pointer, pointer, reply.text)
}

const of = (variantId: string, quantity = 2) => ({ lineItems: [{ variantId, quantity, subTotal: '25.00' }] })

test('a line gets the product of its variant, its name, and a description of the variant, whatever becomes of them; what was sent stays, and what no product is known of stays as it is', async () => {
  const { call } = await service.company()
  const other = await shop((await service.company()).call)
  const { productId, variantId } = await shop(call, 0)
  const another = await shop(call)
  const attributes = [{ name: 'Size', value: '250 g' }, { name: 'Roast' }, { name: 'Ground', value: 'coarse' }]
  succeeded(await call('PATCH', `/v1/variant/${variantId}`, { attributes, manageStock: false }))
  const beans = { productId, name: 'Beans', description: '250 g / coarse' }
  const elsewhere = { productId: other.productId, variantId: other.variantId }
  const lines: [object, object][] = [
    [{ variantId }, beans],
    [{ variantId, name: 'House blend' }, { productId }],
    [
      { variantId, description: 'for filter' },
      { productId, name: 'Beans' },
    ],
    [{ productId, variantId }, beans],
    [{ productId }, { name: 'Beans' }],
    [{ productId, variantId: 'of another system' }, { name: 'Beans' }],
    [{ productId: another.productId, variantId }, { name: 'Beans' }],
    [{ productId, variantId, name: '' }, {}],
    [{ productId: 'of another system' }, {}],
    [elsewhere, {}],
    [{ variantId: other.variantId }, {}],
    [{}, {}],
  ]
  const lineItems = lines.map(([line]) => ({ ...line, price: '1.00' }))
  const body = { lineItems, customSales: [{ price: '1.00' }] }
  const one = succeeded(await call('POST', '/v1/sale', body), 201).order
  const [many] = succeeded(await call('POST', '/v1/sales', { items: [body] })).results
  const shownOf = (record: any) =>
    record.lineItems.map(({ productId, variantId, name, description }: any) => ({
      productId,
      variantId,
      name,
      description,
    }))
  const none = { productId: undefined, variantId: undefined, name: undefined, description: undefined }
  for (const order of [one, many.data.order]) {
    assert.deepEqual(shownOf(order), lines.map(([line, more]) => ({ ...none, ...more, ...line }))) // biome-ignore format: one thought
    assert.deepEqual([order.customSales[0].name, order.checks], [undefined, undefined])
  }
  succeeded(await call('PATCH', `/v1/product/${productId}`, { name: 'Coffee' }))
  const { refund } = succeeded(await call('POST', `/v1/sale/${one.id}/refund`, { lines: [{ lineItem: 0 }] }), 201)
  assert.deepEqual(shownOf(refund), [{ ...beans, variantId }])
})

test('a sale stores order, payments, customer and stock, and raises the events of each', async () => {
  const { id: companyId, call } = await service.company()
  const { outletId, stationId, variantId } = await shop(call)
  const sessionId = succeeded(await call('POST', '/v1/session', { stationId }), 201).id
  const { order, transactions, customer, stock } = succeeded(
    await call('POST', '/v1/sale', {
      ...of(variantId),
      ...{ receiptId: 'R-1', outletId, stationId, employee: 'ann', currency: 'eur', summary: { total: '26.00' } },
      // What the customer handed over is in the last payment.
      payments: [
        {
          paymentMethod: 'credit_card',
          amount: '15.00',
          paymentData: { processor: 'stripe' },
          tip: { amount: '1.00' },
        },
        { paymentMethod: 'cash', amount: '15.00' },
      ],
      customer: { firstName: 'Ann', email: 'ann@example.com' },
    }),
    201,
  )
  assert.deepEqual(
    [order.status, order.sessionId, order.customerId, order.currency],
    ['completed', sessionId, customer.id, 'EUR'],
  )
  assert.ok(Math.abs(Date.parse(order.occurredAt) - Date.parse(order.createdAt)) < 60_000)
  assert.deepEqual(
    order.paymentMethods.map((one: { timestamp: string }) => ({ ...one, timestamp: undefined })),
    [
      {
        transactionId: transactions[0].id,
        paymentType: 'credit_card',
        amount: '15.00',
        processor: 'stripe',
        tip: { amount: '1.00' },
      },
      { transactionId: transactions[1].id, paymentType: 'cash', amount: '11.00', change: '4.00' },
    ].map((one) => ({ ...one, timestamp: undefined })),
  )
  const { id: orderId, occurredAt } = order
  for (const one of transactions)
    assert.deepEqual(
      [one.orderId, one.outletId, one.sessionId, one.receiptId, one.currency, one.employee, one.type, one.occurredAt],
      [orderId, outletId, sessionId, 'R-1', 'EUR', 'ann', 'sale', occurredAt],
    )
  const [{ inventoryId }] = stock
  assert.deepEqual(stock, [{ lineItem: 0, inventoryId, variantId, outletId, previousStock: 12, stock: 10 }])
  const [entry] = succeeded(await call('GET', '/v1/inventory-history?kind=SALE')).data
  assert.deepEqual([entry.delta, entry.reason], [-2, 'Sale R-1'])
  for (const [path, record] of [
    ['order', order],
    ['transaction', transactions[1]],
    ['customer', customer],
  ])
    assert.deepEqual(succeeded(await call('GET', `/v1/${path}/${record.id}`)), record)
  const typesOf = async (id: string) => (await feed(service, companyId, id)).map(({ type }) => type)
  assert.deepEqual(await typesOf(orderId), ['order.created', 'order.completed'])
  assert.deepEqual(await typesOf(transactions[0].id), ['transaction.created'])
  assert.deepEqual(await typesOf(customer.id), ['customer.created'])
  assert.deepEqual((await typesOf(inventoryId)).slice(-2), ['inventory.updated', 'inventory.stock_changed'])
})

test('amounts that were left out are computed; those that differ are stored as sent and listed, or refuse a strict sale', async () => {
  const { call } = await service.company()
  const lineItems = [{ name: 'Mug', price: '10.00', quantity: 2, total: '999.00', taxes: [{ percentage: 20 }] }]
  const { order } = succeeded(await call('POST', '/v1/sale', { lineItems }), 201)
  assert.deepEqual(
    [order.lineItems[0].total, order.lineItems[0].subTotal, order.summary.total],
    ['999.00', '20.00', '24.00'],
  )
  assert.deepEqual(order.checks, [{ pointer: '/lineItems/0/total', sent: '999.00', computed: '20.00' }])
  const strict = await call('POST', '/v1/sale', { lineItems, check: 'strict' })
  refused(strict, 400, 'validation_failed', '/lineItems/0/total')
  assert.match(strict.body.message, /is 999\.00, but is computed as 20\.00/)
  const right = [{ ...lineItems[0], total: '20.0' }]
  const fine = succeeded(await call('POST', '/v1/sale', { lineItems: right, check: 'strict' }), 201).order
  assert.deepEqual([fine.lineItems[0].total, fine.checks], ['20.0', undefined])
  const ids = async (query: string) =>
    succeeded(await call('GET', `/v1/orders?${query}`)).data.map(({ id }: { id: string }) => id)
  assert.deepEqual([await ids('hasChecks=true'), await ids('hasChecks=false')], [[order.id], [fine.id]])
})

test('change and balance follow the total that was sent, and a payment back counts as money back', async () => {
  const { call } = await service.company()
  const sell = async (body: object) => succeeded(await call('POST', '/v1/sale', body), 201)
  const lineItems = [{ price: '10.00' }]
  const cash = [{ paymentMethod: 'cash', amount: '10.01' }]
  const rounded = await sell({ lineItems, summary: { total: '10.01' }, payments: cash })
  assert.deepEqual(
    [rounded.transactions[0].amount, rounded.order.paymentMethods[0].change, rounded.order.due, rounded.order.balance],
    ['10.01', undefined, '0.00', '0.00'],
  )
  assert.deepEqual(rounded.order.checks, [{ pointer: '/summary/total', sent: '10.01', computed: '10.00' }])
  const opaque = await sell({
    lineItems: [{ name: 'Set' }],
    summary: { total: '7.00' },
    payments: [{ paymentMethod: 'cash', amount: '7.00' }],
  })
  assert.deepEqual([opaque.order.due, opaque.order.paymentStatus], ['0.00', 'paid'])
  const exchange = [{ price: '50.00' }, { price: '60.00', quantity: -1 }]
  const back = await sell({
    lineItems: exchange,
    payments: [{ paymentMethod: 'cash', amount: '-10.00', type: 'refund' }],
  })
  assert.deepEqual([back.order.summary.total, back.order.refunded, back.order.due], ['-10.00', '10.00', '0.00'])
})

test('an order that gets another currency shows what was paid and came back in that one, and in its own one again', async () => {
  const { call } = await service.company()
  const made = async (path: string, body: object) => succeeded(await call('POST', path, body), 201)
  const { id: orderId } = await made('/v1/order', { lineItems: [{ total: '10.00' }], summary: { total: '10.00' } })
  const path = `/v1/order/${orderId}`
  const stateOf = ({ paid, returned, due, fulfilmentStatus }: any) => [paid, returned, due, fulfilmentStatus]
  const changed = async (currency: string | null) => stateOf(succeeded(await call('PATCH', path, { currency })))
  const pay = (more: object) => made('/v1/transaction', { paymentMethod: 'cash', orderId, ...more })
  await pay({ amount: '10.00' })
  await pay({ amount: '700', currency: 'JPY' })
  const line = { productId: 'p', variantId: 'v', quantity: 1 }
  await made('/v1/refund', { orderId, lineItems: [line], summary: { total: '4.00' } })
  const own = ['10.00', '4.00', '-4.00', 'returned']
  assert.deepEqual(await changed('EUR'), own)
  assert.deepEqual(await changed('JPY'), ['700', '0', '-690.00', 'unfulfilled'])
  assert.deepEqual(await changed('USD'), ['0.00', '0.00', '10.00', 'unfulfilled'])
  assert.deepEqual(await changed(null), own)
  const { id: unpaid } = await made('/v1/order', { lineItems: [{ total: '10.00' }] })
  const items = [unpaid, orderId].map((id) => ({ id, currency: 'JPY' }))
  const { results } = succeeded(await call('PATCH', '/v1/orders', { items }))
  assert.deepEqual(results.map(({ data }: any) => data.paid), [undefined, '700']) // biome-ignore format: one thought
})

test('a payment that meets a change of its order’s currency counts in the currency that the order gets', async () => {
  const { call } = await service.company()
  const meet = async () => {
    const body = { lineItems: [{ total: '5.00' }], summary: { total: '5.00' } }
    const { id: orderId } = succeeded(await call('POST', '/v1/order', body), 201)
    const payment = { paymentMethod: 'cash', amount: '5.00', currency: 'USD', orderId }
    await Promise.all([
      call('PATCH', `/v1/order/${orderId}`, { currency: 'USD' }),
      call('POST', '/v1/transaction', payment),
    ])
    return succeeded(await call('GET', `/v1/order/${orderId}`)).paid
  }
  const met = await Promise.all(Array.from({ length: 30 }, meet))
  assert.deepEqual(new Set(met), new Set(['5.00']))
})

test('an order that was read can be sent as a sale: what the service sets is ignored', async () => {
  const { call } = await service.company()
  const body = { lineItems: [{ price: '2.00' }], payments: [{ paymentMethod: 'cash', amount: '2.00' }] }
  const { order } = succeeded(await call('POST', '/v1/sale', body), 201)
  assert.equal(order.paymentStatus, 'paid')
  const { order: again } = succeeded(await call('POST', '/v1/sale', order), 201)
  assert.notEqual(again.id, order.id)
  assert.deepEqual([again.paid, again.paymentStatus], ['0.00', 'unpaid'])
})

test('the type of a payment in another case counts as the usual one', async () => {
  const { call } = await service.company()
  const body = { lineItems: [{ price: '2.00' }], payments: [{ paymentMethod: 'cash', amount: '2.00', type: 'SALE' }] }
  const { order, transactions } = succeeded(await call('POST', '/v1/sale', body), 201)
  assert.deepEqual([order.paid, transactions[0].type], ['2.00', 'sale'])
  const payment = { paymentMethod: 'cash', amount: '1.00', type: 'Refund', orderId: order.id }
  succeeded(await call('POST', '/v1/transaction', payment), 201)
  assert.equal(succeeded(await call('GET', `/v1/order/${order.id}`)).refunded, '1.00')
})

test('an order shows what was paid, refunded and returned, by its transactions and refunds however they are written', async () => {
  const { id: companyId, call } = await service.company()
  const write = async (method: string, path: string, body?: object) =>
    succeeded(await call(method, path, body), method === 'POST' ? 201 : 200)
  const made = await write('POST', '/v1/order', {
    lineItems: [{ quantity: 2, total: '40.00' }],
    summary: { total: '40.00' },
  })
  const orderId = made.id
  assert.equal(made.paid, undefined)
  const state = async () => {
    const { paid, refunded, returned, due, paymentStatus, fulfilmentStatus } = await write(
      'GET',
      `/v1/order/${orderId}`,
    )
    return [paid, refunded, returned, due, paymentStatus, fulfilmentStatus]
  }
  const pay = (amount: string, more: object = {}) =>
    write('POST', '/v1/transaction', { paymentMethod: 'cash', amount, orderId, ...more })
  const first = await pay('15.00')
  assert.deepEqual(await state(), ['15.00', '0.00', '0.00', '25.00', 'partially-paid', 'unfulfilled'])
  const [, updated] = await feed(service, companyId, orderId)
  assert.deepEqual([updated?.type, updated?.previous?.paid, updated?.data.paid], ['order.updated', null, '15.00'])
  await pay('99.00', { currency: 'JPY' })
  await pay('7.00', { type: 'void' })
  await pay('25.00')
  await write('PATCH', `/v1/order/${orderId}`, { status: 'completed' })
  assert.deepEqual(await state(), ['40.00', '0.00', '0.00', '0.00', 'paid', 'fulfilled'])
  const line = { productId: 'p', variantId: 'v', quantity: 1, total: '20.00' }
  const refund = await write('POST', '/v1/refund', { orderId, lineItems: [line], summary: { total: '20.00' } })
  assert.deepEqual(await state(), ['40.00', '0.00', '20.00', '-20.00', 'paid', 'partially-returned'])
  await pay('20.00', { type: 'refund', refundId: refund.id })
  assert.deepEqual(await state(), ['40.00', '20.00', '20.00', '0.00', 'partially-refunded', 'partially-returned'])
  await write('PATCH', `/v1/transaction/${first.id}`, { amount: '16.005' })
  assert.deepEqual((await state()).slice(0, 4), ['41.005', '20.00', '20.00', '-1.005'])
  await write('DELETE', `/v1/transaction/${first.id}`)
  await write('DELETE', `/v1/refund/${refund.id}`)
  assert.deepEqual(await state(), ['25.00', '20.00', '0.00', '35.00', 'partially-refunded', 'fulfilled'])
  const { id: given } = await write('POST', '/v1/order', { lineItems: [{ quantity: 1 }] })
  const { id: undone } = await pay('5.00', { orderId: given })
  await write('POST', '/v1/refund', { orderId: given, lineItems: [line], summary: { total: '0.00' } })
  await write('DELETE', `/v1/transaction/${undone}`)
  const { paid, returnedQuantity } = await write('GET', `/v1/order/${given}`)
  assert.deepEqual([paid, returnedQuantity], ['0.00', 1])
  const other = (await service.company()).call
  assert.equal((await other('POST', '/v1/transaction', { paymentMethod: 'cash', amount: '9.00', orderId })).status, 201)
  assert.deepEqual((await state())[0], '25.00')
})

test('a usual status in another case is stored as the usual one, so that events and reports know it; others are kept', async () => {
  const { id: companyId, call } = await service.company()
  const send = async (status: string) => succeeded(await call('POST', '/v1/order', { summary: {}, status }), 201)
  const { id, status } = await send('Completed')
  assert.equal(status, 'completed')
  assert.deepEqual(
    (await feed(service, companyId, id)).map(({ type }) => type),
    ['order.created', 'order.completed'],
  )
  assert.equal((await send('On Hold')).status, 'On Hold')
  assert.equal(succeeded(await call('GET', '/v1/orders?status=COMPLETED')).meta.count, 1)
  assert.equal(succeeded(await call('PATCH', `/v1/order/${id}`, { status: 'Partial-Refund' })).status, 'partial-refund')
  assert.equal(
    succeeded(await call('POST', '/v1/sale', { lineItems: [{ price: '1.00' }], status: 'COMPLETED' }), 201).order
      .status,
    'completed',
  )
})

test('many payments of one order at once are all counted', async () => {
  const { call } = await service.company()
  const { id: orderId } = succeeded(await call('POST', '/v1/order', { summary: { total: '32.00' } }), 201)
  const pay = () => call('POST', '/v1/transaction', { paymentMethod: 'cash', amount: '1.00', orderId })
  const refund = () => call('POST', '/v1/refund', { orderId, lineItems: [], summary: { total: '0.50' } })
  const replies = await Promise.all(Array.from({ length: 32 }, (_, n) => (n % 4 === 0 ? refund() : pay())))
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
  const { paid, returned, due } = succeeded(await call('GET', `/v1/order/${orderId}`))
  assert.deepEqual([paid, returned, due], ['24.00', '4.00', '4.00'])
})

test('a wrong sale is refused at the member, and stores nothing', async () => {
  const { call } = await service.company()
  const { outletId, variantId } = await shop(call)
  const other = (await service.company()).call
  const theirs = await shop(other)
  const before = await counts(call)
  const send = (body: object) => call('POST', '/v1/sale', { outletId, ...of(variantId), ...body })
  const invalid = 'validation_failed'
  refused(await send({ lineItems: null }), 400, invalid, '')
  refused(await send({ outletId: null }), 400, invalid, '/outletId')
  refused(await send({ status: 'parked' }), 400, invalid, '/status')
  refused(await send({ nonsense: 1 }), 400, invalid, '/nonsense')
  refused(await send({ check: 'lax' }), 400, invalid, '/check')
  refused(await send({ payments: [{ paymentMethod: 'cash' }] }), 400, invalid, '/payments/0/amount')
  refused(await send({ payments: [{ paymentMethod: 'cash', amount: 5 }] }), 400, invalid, '/payments/0/amount')
  const dollars = { paymentMethod: 'cash', amount: '5.00', currency: 'USD' }
  refused(await send({ payments: [dollars] }), 400, invalid, '/payments/0/currency')
  assertProblem(await call('POST', '/v1/sale/quote', { ...of(variantId), payments: [dollars] }), 400, invalid)
  refused(await send({ customer: { firstName: 7 } }), 400, invalid, '/customer/firstName')
  refused(await send({ customer: {}, customerId: 'c' }), 400, invalid, '/customer')
  refused(await send({ occurredAt: '2099-01-01T00:00:00Z' }), 400, invalid, '/occurredAt')
  refused(await send({ ...of(variantId, 1e300), summary: { total: '1.00' } }), 400, invalid, '/lineItems/0/quantity')
  refused(await send({ lineItems: [{ variantId }] }), 400, invalid, '/lineItems/0/price')
  const many = (length: number) => Array.from({ length }, () => ({ variantId, price: '1.00' }))
  refused(await send({ lineItems: many(2_001) }), 400, invalid, '/lineItems')
  refused(
    await send({ payments: Array.from({ length: 201 }, () => ({ paymentMethod: 'cash', amount: '1.00' })) }),
    400,
    invalid,
    '/payments',
  )
  const bulk = Array.from({ length: 21 }, () => ({ lineItems: many(1_000) }))
  assertProblem(await call('POST', '/v1/sales', { items: bulk }), 413, 'payload_too_large')
  refused(await send(of(variantId, 0.1234567)), 400, invalid, '/lineItems/0/quantity')
  const price = '1.00'
  const lines = [
    { variantId, price, quantity: 5 },
    { variantId: 'opaque', price },
    { variantId, price, quantity: 8 },
  ]
  refused(await send({ lineItems: lines }), 409, 'conflict', '/lineItems/2')
  assertProblem(await call('POST', '/v1/sale', []), 400, invalid)
  assert.deepEqual(await counts(call), before)
  // Another company's variant and outlet are texts like any other.
  const reply = succeeded(await call('POST', '/v1/sale', { outletId: theirs.outletId, ...of(theirs.variantId) }), 201)
  assert.deepEqual(reply.stock, [])
  assert.equal(await stockOf(other, theirs.variantId), 12)
})

test('what is not managed or was deleted keeps its line and moves no stock; a negative line returns it', async () => {
  const { call } = await service.company()
  const { outletId, variantId, productId } = await shop(call)
  const gone = succeeded(await call('POST', '/v1/variant', { productId, manageStock: true }), 201).id
  succeeded(await call('DELETE', `/v1/variant/${gone}`))
  const free = succeeded(await call('POST', '/v1/variant', { productId, manageStock: false }), 201).id
  const price = '1.00'
  const lineItems = [
    { variantId: gone, price },
    { variantId: free, price },
    { productId, price },
    { variantId, price, quantity: -3 },
  ]
  const { order, stock } = succeeded(await call('POST', '/v1/sale', { outletId, lineItems }), 201)
  assert.equal(order.lineItems.length, 4)
  assert.deepEqual(
    stock.map(({ lineItem, stock }: Record<string, number>) => [lineItem, stock]),
    [[3, 15]],
  )
  const [entry] = succeeded(await call('GET', '/v1/inventory-history?kind=RETURN')).data
  assert.equal(entry.delta, 3)
})

test('with oversell stock falls below zero, as with allowBackorder', async () => {
  const { call } = await service.company()
  const { outletId, variantId } = await shop(call, 1)
  assertProblem(await call('POST', '/v1/sale', { outletId, ...of(variantId) }), 409, 'conflict')
  succeeded(await call('POST', '/v1/sale', { outletId, oversell: true, ...of(variantId) }), 201)
  assert.equal(await stockOf(call, variantId), -1)
  const more = await shop(call, 1, { allowBackorder: true })
  succeeded(await call('POST', '/v1/sale', { outletId: more.outletId, ...of(more.variantId) }), 201)
  assert.equal(await stockOf(call, more.variantId), -1)
})

test('a sale belongs to the open session of its station, and not to one that was closed before it', async () => {
  const { call } = await service.company()
  const { stationId, outletId } = await shop(call)
  const closeTime = '2026-01-01T20:00:00.000Z'
  const closed = succeeded(await call('POST', '/v1/session', { stationId, closeTime }), 201).id
  const line = { lineItems: [{ name: 'Coffee', price: '3.00' }], outletId, stationId }
  const none = succeeded(await call('POST', '/v1/sale', line), 201)
  assert.equal(none.order.sessionId, undefined)
  refused(await call('POST', '/v1/sale', { ...line, sessionId: closed }), 409, 'conflict', '/sessionId')
  const late = { ...line, sessionId: closed, occurredAt: '2026-01-01T19:00:00Z' }
  assert.equal(succeeded(await call('POST', '/v1/sale', late), 201).order.sessionId, closed)
  const open = succeeded(await call('POST', '/v1/session', { stationId }), 201).id
  assert.equal(succeeded(await call('POST', '/v1/sale', line), 201).order.sessionId, open)
  assert.equal(
    succeeded(await call('POST', '/v1/sale', { ...line, sessionId: 'elsewhere' }), 201).order.sessionId,
    'elsewhere',
  )
})

test('a sale that is repeated under its key is made once, also while the first one is made', async () => {
  const { call } = await service.company()
  const { outletId, variantId } = await shop(call)
  const body = { outletId, ...of(variantId), payments: [{ paymentMethod: 'cash', amount: '25.00' }] }
  const send = () => call('POST', '/v1/sale', body, { 'idempotency-key': 'till-1-sale-7' })
  const replies = await Promise.all(Array.from({ length: 8 }, send))
  const made = replies.filter(({ status }) => status === 201)
  assert.ok(made.length > 0)
  for (const reply of replies) if (reply.status !== 201) assertProblem(reply, 409, 'idempotency_in_progress')
  assert.equal(new Set(made.map(({ text }) => text)).size, 1)
  assert.equal((await send()).text, made[0]?.text)
  assert.deepEqual(await counts(call), [1, 1, 0, 2])
  assert.equal(await stockOf(call, variantId), 10)
  const refusal = await call('POST', '/v1/sale', { ...body, ...of(variantId, 99) }, { 'idempotency-key': 'too-many' })
  assertProblem(refusal, 409, 'conflict')
  // A refused sale keeps no key.
  assert.equal((await call('POST', '/v1/sale', body, { 'idempotency-key': 'too-many' })).status, 201)
})

test('32 tills sell one hot variant at once: what there is is sold, and no unit more', async () => {
  const { call } = await service.company()
  const { outletId, variantId } = await shop(call, 20)
  const replies = await Promise.all(
    Array.from({ length: 32 }, () => call('POST', '/v1/sale', { outletId, ...of(variantId, 1) })),
  )
  const statuses = Map.groupBy(replies, ({ status }) => status)
  assert.deepEqual([statuses.get(201)?.length, statuses.get(409)?.length], [20, 12])
  assert.equal(await stockOf(call, variantId), 0)
  assert.equal((await counts(call))[0], 20)
})

test('many sales in one request: a refused one leaves nothing and takes nothing from the others', async () => {
  const { call } = await service.company()
  const { outletId, variantId } = await shop(call, 10)
  const sale = (quantity: number, more: object = {}) => ({ outletId, ...of(variantId, quantity), ...more })
  const items = [
    sale(4),
    // Takes the first line's units only if it also gets the second line's.
    {
      outletId,
      lineItems: [
        { variantId, quantity: 5, price: '1.00' },
        { variantId, quantity: 5, price: '1.00' },
      ],
    },
    sale(1, { customer: { firstName: 'Ann', email: 'no address' } }),
    sale(1, { payments: [{ paymentMethod: 'cash', amount: 'much' }] }),
    sale(6, { clientRef: 'last', customer: { firstName: 'Bob' } }),
    sale(1),
  ]
  const { summary, results } = succeeded(await call('POST', '/v1/sales', { items }))
  assert.deepEqual([summary.total, summary.succeeded, summary.failed], [6, 2, 4])
  assert.deepEqual(
    results.map(({ status, error }: { status: string; error?: Reply['body'] }) => error?.errors[0].pointer ?? status),
    [
      'success',
      '/items/1/lineItems/1',
      '/items/2/customer/email',
      '/items/3/payments/0/amount',
      'success',
      '/items/5/lineItems/0',
    ],
  )
  assert.equal(results[4].clientRef, 'last')
  assert.equal(results[4].data.order.customerId, results[4].data.customer.id)
  assert.equal(await stockOf(call, variantId), 0)
  assert.deepEqual(await counts(call), [2, 0, 1, 3])
})

test('a large sale of 1,000 lines and 100 payments is made', async () => {
  const { call } = await service.company()
  const { outletId, variantId } = await shop(call, 5_000)
  const lineItems = Array.from({ length: 1_000 }, () => ({ variantId, quantity: 2, price: '1.00' }))
  const payments = Array.from({ length: 100 }, () => ({ paymentMethod: 'gift_card', amount: '10.00' }))
  const { transactions, stock } = succeeded(await call('POST', '/v1/sale', { outletId, lineItems, payments }), 201)
  assert.deepEqual([transactions.length, stock.length, await stockOf(call, variantId)], [100, 1_000, 3_000])
})

test('a sale needs the permission create', async () => {
  const { id } = await service.company()
  const { call } = await service.keyFor(id, ['read', 'update', 'delete'])
  assertProblem(await call('POST', '/v1/sale', { lineItems: [{ price: '1.00' }] }), 403, 'permission_denied')
  const creates = await service.keyFor(id, ['create'])
  succeeded(await creates.call('POST', '/v1/sale', { lineItems: [{ price: '1.00' }] }), 201)
})

test('the columns of all records that were written equal the records', () => assertColumns(service.database))
