// A sale in one request: order, payments, stock and customer, all of it or nothing, under one idempotency key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertColumns } from './support/columns.ts'
import { succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { lineOf, recordCounts, refused, shop, stockOf } from './support/sales.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

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
    [{ productId }, { ...beans, variantId }],
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

test('a variant outlives its product: a line that names it alone has the product’s id in the sale, its refund and reports', async () => {
  const { call } = await service.company()
  const { productId, variantId, outletId } = await shop(call)
  succeeded(await call('DELETE', `/v1/product/${productId}`))
  const body = { outletId, lineItems: [{ variantId, price: '9.00' }] }
  const { order } = succeeded(await call('POST', '/v1/sale', body), 201)
  const { refund } = succeeded(await call('POST', `/v1/sale/${order.id}/refund`, {}), 201)
  for (const { lineItems } of [order, refund])
    assert.deepEqual([lineItems[0].productId, lineItems[0].variantId, lineItems[0].name], [productId, variantId, undefined]) // biome-ignore format: one thought
  const { groups } = succeeded(await call('GET', '/v1/reports/sales?groupBy=productId'))
  assert.deepEqual(
    groups.map((group: any) => [group.productId, group.netSales]),
    [[productId, '9.00']],
  )
})

test('a sale stores order, payments, customer and stock, and raises the events of each', async () => {
  const { id: companyId, call } = await service.company()
  const { outletId, stationId, variantId } = await shop(call)
  const sessionId = succeeded(await call('POST', '/v1/session', { stationId }), 201).id
  const { order, transactions, customer, stock } = succeeded(
    await call('POST', '/v1/sale', {
      ...lineOf(variantId),
      receiptId: 'R-1',
      outletId,
      stationId,
      employee: 'ann',
      currency: 'eur',
      summary: { total: '26.00' },
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

test('a wrong sale is refused at the member, and stores nothing', async () => {
  const { call } = await service.company()
  const { outletId, variantId } = await shop(call)
  const other = (await service.company()).call
  const theirs = await shop(other)
  const before = await recordCounts(call)
  const send = (body: object) => call('POST', '/v1/sale', { outletId, ...lineOf(variantId), ...body })
  const invalid = 'validation_failed'
  refused(await send({ lineItems: null }), 400, invalid, '')
  const cancelled = { name: 'Tea', price: '2.00', quantity: 0 }
  for (const nothing of [[], { customSales: [] }, { lineItems: [cancelled], customSales: [cancelled] }]) {
    const reply = await send({ lineItems: [], ...nothing })
    refused(reply, 400, invalid, '/lineItems')
    assert.match(reply.body.message, /must have at least one line whose quantity is not 0, unless customSales has one$/)
  }
  const partly = succeeded(await other('POST', '/v1/sale', { lineItems: [cancelled, { price: '1.00' }] }), 201)
  assert.deepEqual([partly.order.lineItems.length, partly.order.summary.total], [2, '1.00'])
  succeeded(await call('POST', '/v1/sale/quote', { lineItems: [] }))
  refused(await send({ outletId: null }), 400, invalid, '/outletId')
  refused(await send({ status: 'parked' }), 400, invalid, '/status')
  refused(await send({ nonsense: 1 }), 400, invalid, '/nonsense')
  refused(await send({ check: 'lax' }), 400, invalid, '/check')
  refused(await send({ payments: [{ paymentMethod: 'cash', amount: 5 }] }), 400, invalid, '/payments/0/amount')
  const dollars = { paymentMethod: 'cash', amount: '5.00', currency: 'USD' }
  refused(await send({ payments: [dollars] }), 400, invalid, '/payments/0/currency')
  assertProblem(await call('POST', '/v1/sale/quote', { ...lineOf(variantId), payments: [dollars] }), 400, invalid)
  refused(await send({ customer: { firstName: 7 } }), 400, invalid, '/customer/firstName')
  refused(await send({ customer: {}, customerId: 'c' }), 400, invalid, '/customer')
  refused(await send({ occurredAt: '2099-01-01T00:00:00Z' }), 400, invalid, '/occurredAt')
  refused(
    await send({ ...lineOf(variantId, 1e300), summary: { total: '1.00' } }),
    400,
    invalid,
    '/lineItems/0/quantity',
  )
  refused(await send({ lineItems: [{ variantId }] }), 400, invalid, '/lineItems/0/price')
  const many = (length: number) => Array.from({ length }, () => ({ variantId, price: '1.00' }))
  refused(await send({ lineItems: many(2_001) }), 400, invalid, '/lineItems')
  const paidBy = (length: number) => ({ payments: Array.from({ length }, () => ({ paymentMethod: 'cash', amount: '1.00' })) }) // biome-ignore format: one thought
  refused(await send(paidBy(201)), 400, invalid, '/payments')
  const bulk = Array.from({ length: 21 }, () => ({ lineItems: many(1_000) }))
  assertProblem(await call('POST', '/v1/sales', { items: bulk }), 413, 'payload_too_large')
  const paid = Array.from({ length: 101 }, () => ({ ...lineOf(variantId), ...paidBy(200) }))
  const { message } = assertProblem(await call('POST', '/v1/sales', { items: paid }), 413, 'payload_too_large')
  assert.match(message, /^The sales have 20200 payments; send at most 20000 /)
  for (const quantity of [0.1234567, 1e9]) {
    const reply = await send(lineOf(variantId, quantity))
    refused(reply, 400, invalid, '/lineItems/0/quantity')
    assert.match(reply.body.message, /must be less than 1,000,000,000, with at most six decimals/)
  }
  const price = '1.00'
  const lines = [
    { variantId, price, quantity: 5 },
    { variantId: 'opaque', price },
    { variantId, price, quantity: 8 },
  ]
  refused(await send({ lineItems: lines }), 409, 'conflict', '/lineItems/2')
  const short = async (line: object) => (await send({ lineItems: [{ variantId: 'opaque', price }, { variantId, price, quantity: 13, ...line }] })).body.message // biome-ignore format: one thought
  const rest =
    'is only 12. To sell it anyway, set oversell on this sale; to always sell this variant without stock, set allowBackorder on the variant.'
  assert.deepEqual(
    [await short({}), await short({ sku: 'B-1' }), await short({ name: '', sku: 'B-1' })],
    [`The stock of line 2 ("Beans") ${rest}`, `The stock of line 2 ("Beans", SKU B-1) ${rest}`, `The stock of line 2 (SKU B-1) ${rest}`], // biome-ignore format: one thought
  )
  const elsewhere = { ...lineOf(variantId), outletId: variantId }
  const unset = `The stock of line 1 ("Beans") is not set at the outlet "${variantId}".`
  const { errors } = assertProblem(await call('POST', '/v1/sale', elsewhere), 409, 'conflict')
  assert.deepEqual([errors[0].message.slice(0, unset.length), errors[0].limit], [unset, 0])
  assertProblem(await call('POST', '/v1/sale', []), 400, invalid)
  assert.deepEqual(await recordCounts(call), before)
  // Another company's variant and outlet are texts like any other.
  const reply = succeeded(
    await call('POST', '/v1/sale', { outletId: theirs.outletId, ...lineOf(theirs.variantId) }),
    201,
  )
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
    { productId: gone, price },
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
  assertProblem(await call('POST', '/v1/sale', { outletId, ...lineOf(variantId) }), 409, 'conflict')
  succeeded(await call('POST', '/v1/sale', { outletId, oversell: true, ...lineOf(variantId) }), 201)
  assert.equal(await stockOf(call, variantId), -1)
  const more = await shop(call, 1, { allowBackorder: true })
  succeeded(await call('POST', '/v1/sale', { outletId: more.outletId, ...lineOf(more.variantId) }), 201)
  assert.equal(await stockOf(call, more.variantId), -1)
})

test('a sale needs the permission create', async () => {
  const { id } = await service.company()
  const { call } = await service.keyFor(id, ['read', 'update', 'delete'])
  assertProblem(await call('POST', '/v1/sale', { lineItems: [{ price: '1.00' }] }), 403, 'permission_denied')
  const creates = await service.keyFor(id, ['create'])
  succeeded(await creates.call('POST', '/v1/sale', { lineItems: [{ price: '1.00' }] }), 201)
})

test('the columns of all records that were written equal the records', () => assertColumns(service))
