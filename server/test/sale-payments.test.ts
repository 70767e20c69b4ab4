// What an order shows as paid, refunded and returned: by its payments, however and in whatever currency they are written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { refused } from './support/sales.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

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

test('cash on a total that was sent gives change, also if how the total is made up cannot be computed or is unclear', async () => {
  const { call } = await service.company()
  const payments = [{ paymentMethod: 'cash', amount: '20.00' }]
  const summary = { total: '9.00' }
  const unclear = { value: 10 }
  for (const line of [
    {},
    { price: '10.00', discount: { percentage: 10 } },
    { price: '10.00', discount: { itemDiscount: unclear } },
  ]) {
    const { order } = succeeded(await call('POST', '/v1/sale', { lineItems: [line], summary, payments }), 201)
    const { amount, change } = order.paymentMethods[0]
    assert.deepEqual([amount, change, order.paid, order.due, order.balance], ['9.00', '11.00', '9.00', '0.00', '0.00'])
    const differs = [{ pointer: '/summary/total', sent: '9.00', computed: '10.00' }]
    assert.deepEqual(order.checks, 'price' in line ? differs : undefined)
  }
})

test('the balance that a sale leaves out is what its order says is due, also if the change that was sent is too little', async () => {
  const { call } = await service.company()
  const sold = async (change: string, more: object = {}) => {
    const payments = [{ paymentMethod: 'cash', amount: '20.00', change }]
    return succeeded(await call('POST', '/v1/sale', { lineItems: [{ price: '9.00' }], payments, ...more }), 201).order
  }
  const order = await sold('0.00')
  assert.deepEqual([order.paid, order.due, order.balance], ['20.00', '-11.00', '-11.00'])
  assert.deepEqual(
    order.checks.map(({ pointer }: { pointer: string }) => pointer),
    ['/paymentMethods/0/amount', '/paymentMethods/0/change'],
  )
  assert.equal((await sold('0.00', { balance: '0.00' })).balance, '0.00')
})

test('orders that are still to be paid are found, by whether something was paid', async () => {
  const { call } = await service.company()
  const lineItems = [{ price: '10.00' }]
  const sold = async (...amounts: string[]): Promise<string> => {
    const payments = amounts.map((amount) => ({ paymentMethod: 'credit_card', amount }))
    // The member of a caller does not count.
    const metadata = [{ key: 'note', value: '"paymentStatus":"unpaid"' }]
    return succeeded(await call('POST', '/v1/sale', { lineItems, payments, metadata }), 201).order.id
  }
  const [unpaid, part] = [await sold(), await sold('4.00'), await sold('10.00')]
  await call('POST', '/v1/order', { lineItems, summary: { total: '10.00' } })
  const found = async (status: string) => {
    const { data, meta } = succeeded(await call('GET', `/v1/orders?paymentStatus=${status}`))
    return [data.map(({ id }: { id: string }) => id), meta.count]
  }
  assert.deepEqual(await found('unpaid'), [[unpaid], 1])
  assert.deepEqual(await found('partially-paid'), [[part], 1])
  const rest = { orderId: part, paymentMethod: 'cash', amount: '6.00' }
  succeeded(await call('POST', '/v1/transaction', rest), 201)
  assert.deepEqual(await found('partially-paid'), [[], 0])
  for (const status of ['open', 'paid'])
    assertProblem(await call('GET', `/v1/orders?paymentStatus=${status}`), 400, 'validation_failed')
})

test('change that was sent is given once: a bill that two people pay in cash is paid, of whichever payment the till sends it', async () => {
  const { call } = await service.company()
  const cash = (amount: string, change?: string) => ({ paymentMethod: 'cash', amount, change })
  const cases: [object[], [string, string?][]][] = [
    [[cash('5.00', '5.00'), cash('5.00')], [['5.00', '5.00'], ['5.00']]], // biome-ignore format: one thought
    [[cash('5.00'), cash('5.00', '5.00')], [['5.00'], ['5.00', '5.00']]], // biome-ignore format: one thought
    [[cash('10.00'), cash('5.00', '1.00')], [['5.00', '5.00'], ['5.00', '1.00']]], // biome-ignore format: one thought
    [[cash('8.00'), cash('20.00')], [['8.00'], ['2.00', '18.00']]], // biome-ignore format: one thought
  ]
  for (const [payments, stored] of cases) {
    const { order, transactions } = succeeded(await call('POST', '/v1/sale', { lineItems: [{ price: '10.00' }], payments }), 201) // biome-ignore format: one thought
    assert.deepEqual(order.paymentMethods.map(({ amount, change }: any) => [amount, change]), stored.map(([amount, change]) => [amount, change])) // biome-ignore format: one thought
    assert.deepEqual(transactions.map(({ amount }: any) => amount), stored.map(([amount]) => amount)) // biome-ignore format: one thought
    assert.deepEqual([order.paid, order.due, order.balance, order.checks], ['10.00', '0.00', '0.00', undefined])
  }
})

test('an order whose currency changes shows what was paid and refunded in the new one, and in the first one after a change back', async () => {
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
  // A refund without a currency is in that of its order.
  assert.deepEqual(await changed('JPY'), ['700', '4.00', '-694.00', 'returned'])
  assert.deepEqual(await changed('USD'), ['0.00', '4.00', '6.00', 'returned'])
  assert.deepEqual(await changed(null), own)
  const { id: unpaid } = await made('/v1/order', { lineItems: [{ total: '10.00' }] })
  const items = [unpaid, orderId].map((id) => ({ id, currency: 'JPY' }))
  const { results } = succeeded(await call('PATCH', '/v1/orders', { items }))
  assert.deepEqual(results.map(({ data }: any) => data.paid), [undefined, '700']) // biome-ignore format: one thought
})

test('a payment made while its order’s currency changes counts in the order’s new currency', async () => {
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
  assert.deepEqual(await state(), ['25.00', '20.00', '0.00', '35.00', 'partially-paid', 'fulfilled'])
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

test('cash in another case, or with blanks around it, is cash: it has change, comes back in coins, and is in the drawer that is counted', async () => {
  const { call } = await service.company()
  const stationId = succeeded(
    await call('POST', '/v1/station', { name: 'Till', outletId: 'a', status: 'IN_USE' }),
    201,
  ).id
  const sessionId = succeeded(await call('POST', '/v1/session', { stationId }), 201).id
  const body = { stationId, lineItems: [{ name: 'Beans', price: '18.00', quantity: 2 }] }
  const payments = [
    { paymentMethod: 'Credit_Card', amount: '10.00' },
    { paymentMethod: 'Cash ', amount: '50.00' },
  ]
  const quote = succeeded(await call('POST', '/v1/sale/quote', { ...body, payments }))
  assert.deepEqual([quote.change, quote.due], ['24.00', '0.00'])
  const { order, transactions } = succeeded(await call('POST', '/v1/sale', { ...body, payments }), 201)
  const shown = ({ paymentMethod, paymentType = paymentMethod, amount, change }: any) => [paymentType, amount, change]
  const paid = [['credit_card', '10.00', undefined], ['cash', '26.00', '24.00']] // biome-ignore format: one thought
  assert.deepEqual(order.paymentMethods.map(shown), paid)
  assert.deepEqual(
    transactions.map(shown),
    paid.map(([method, amount]) => [method, amount, undefined]),
  )
  const back = { lines: [{ lineItem: 0, quantity: 1 }], payments: [{ paymentMethod: ' CASH', amount: '18.00' }] }
  const { refund } = succeeded(await call('POST', `/v1/sale/${order.id}/refund`, back), 201)
  assert.equal(refund.payment[0].paymentType, 'cash')
  const other = succeeded(
    await call('POST', '/v1/transaction', { sessionId, paymentMethod: 'Bitcoin', amount: '1.00' }),
    201,
  )
  assert.equal(other.paymentMethod, 'Bitcoin')
  const written = { sessionId, type: ' Refund', paymentMethod: 'Cash\u00a0', amount: '1.00' }
  const paidOut = succeeded(await call('POST', '/v1/transaction', written), 201)
  assert.deepEqual([paidOut.type, paidOut.paymentMethod], ['refund', 'cash'])
  assert.equal(succeeded(await call('GET', '/v1/transactions?paymentMethod=CASH%20')).meta.count, 3)
  const { balances } = succeeded(
    await call('POST', `/v1/session/${sessionId}/close`, { counted: { 'Cash ': '7.00' } }),
    201,
  )
  assert.deepEqual(balances[0], { currency: 'EUR', paymentMethod: 'cash', expected: '7.00', counted: '7.00', difference: '0.00' }) // biome-ignore format: one thought
  assert.deepEqual(succeeded(await call('GET', `/v1/session/${sessionId}`)).closingAmounts, { cash: '7.00' })
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

test('a refund without a currency counts in that of its order: for the order, in reports of its session and in groups', async () => {
  const { call } = await service.company()
  const made = async (path: string, body: object) => succeeded(await call('POST', path, body), 201)
  const { id: sessionId } = await made('/v1/session', { stationId: 's' })
  const line = { productId: 'p', variantId: 'v', price: '10.00', quantity: 2 }
  const body = { currency: 'USD', sessionId, lineItems: [line] }
  const { order } = await made('/v1/sale', { ...body, payments: [{ paymentMethod: 'credit_card', amount: '20.00' }] })
  const lineItems = [{ ...line, quantity: 1, total: '10.00' }]
  await made('/v1/refund', { orderId: order.id, sessionId, lineItems, summary: { total: '10.00' } })
  const { returned, due, fulfilmentStatus } = succeeded(await call('GET', `/v1/order/${order.id}`))
  assert.deepEqual([returned, due, fulfilmentStatus], ['10.00', '-10.00', 'partially-returned'])
  const { figures } = succeeded(await call('GET', `/v1/session/${sessionId}/report`))
  const { groups } = succeeded(await call('GET', '/v1/reports/sales?groupBy=sessionId'))
  assert.deepEqual(
    [figures.map(({ currency, refunds }: any) => [currency, refunds]), groups.map(({ currency, refunded }: any) => [currency, refunded])], // biome-ignore format: one thought
    [
      [
        ['EUR', '0.00'],
        ['USD', '10.00'],
      ],
      [['USD', '10.00']],
    ],
  )
  // What came back by the record does not come back again.
  const rest = (await made(`/v1/sale/${order.id}/refund`, {})).refund
  assert.deepEqual([rest.lineItems[0].quantity, rest.summary.total], [1, '10.00'])
})

test('a payment without an amount pays what the others leave, in a sale and in a quote', async () => {
  const { call } = await service.company()
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const lineItems = [{ price: '12.52', quantity: 2, taxes: [{ percentage: 10 }] }]
  /** The amounts and the change of the payments, and what is due. */
  const paid = async (payments: object[], more: object = {}) => {
    const body = { lineItems, payments, ...more }
    const { order, transactions } = succeeded(await call('POST', '/v1/sale', { ...body, check: 'strict' }), 201)
    const shown = order.paymentMethods.map(({ amount, change = '' }: { amount: string; change?: string }) => [
      amount,
      change,
    ])
    const quote = succeeded(await call('POST', '/v1/sale/quote', body))
    assert.deepEqual(
      [transactions, quote.payments].map((all) => all.map(({ amount }: { amount: string }) => amount)),
      [shown, shown].map((all) => all.map(([amount]: string[]) => amount)),
    )
    assert.deepEqual([order.due, quote.due], ['0.00', '0.00'])
    return shown
  }
  assert.deepEqual(await paid([{ paymentMethod: 'credit_card' }]), [['27.54', '']])
  assert.deepEqual(await paid([{ paymentMethod: 'cash' }]), [['27.55', '']])
  assert.deepEqual(await paid([{ paymentMethod: 'cash', change: '2.45' }]), [['27.55', '2.45']])
  const tip = { amount: '2.00' }
  assert.deepEqual(
    await paid([
      { paymentMethod: 'gift_card', amount: '10.00' },
      { paymentMethod: 'credit_card', tip },
    ]),
    [
      ['10.00', ''],
      ['19.54', ''],
    ],
  )
  const refund = { paymentMethod: 'credit_card', type: 'Refund' }
  assert.deepEqual(await paid([refund], { lineItems: [{ price: '3.00', quantity: -1 }] }), [['3.00', '']])
  assert.deepEqual(await paid([{ paymentMethod: 'cash' }], { lineItems: [{ price: '0.00' }] }), [['0.00', '']])
})

test('a payment lacks its amount only where one follows from the others', async () => {
  const { call } = await service.company()
  const refused = async (path: string, payments: object[], pointer: string, message: RegExp) => {
    const sale = { lineItems: [{ price: '9.00' }], payments }
    const reply = await call('POST', path, path.endsWith('s') ? { items: [sale] } : sale)
    const [error] = path.endsWith('s') ? reply.body.results[0].error.errors : reply.body.errors
    assert.deepEqual([error.pointer, error.code], [path.endsWith('s') ? `/items/0${pointer}` : pointer, 'required'])
    assert.match(error.message, message)
  }
  const open = { paymentMethod: 'credit_card' }
  for (const path of ['/v1/sale', '/v1/sale/quote', '/v1/sales']) {
    await refused(path, [open, { ...open, amount: '1.00' }, open], '/payments/2/amount', /only one payment/)
    await refused(path, [{ ...open, type: 'void' }], '/payments/0/amount', /another type/)
    await refused(path, [{ ...open, amount: '9.50' }, open], '/payments/1/amount', /the other payments leave -0\.50/)
    await refused(path, [{ ...open, type: 'refund' }], '/payments/0/amount', /the other payments leave 9\.00/)
  }
})

test('a sale that only shows payments is refused, or stored with checks if it has its own total; no payments at all are a sale on account', async () => {
  const { call } = await service.company()
  const paymentMethods = [{ paymentType: 'cash', amount: '5.00' }]
  const shown = { lineItems: [{ price: '5.00' }], paymentMethods }
  const totalled = { ...shown, summary: { total: '5.00' } }
  for (const body of [shown, { ...totalled, check: 'strict' }])
    refused(await call('POST', '/v1/sale', body), 400, 'validation_failed', '/payments')
  const { order } = succeeded(await call('POST', '/v1/sale', totalled), 201)
  const checks = [{ pointer: '/paymentMethods/0/amount', sent: '5.00', computed: '0.00' }]
  assert.deepEqual([order.checks, order.paymentMethods, order.due], [checks, paymentMethods, '5.00'])

  const known = { ...shown, paymentMethods: [{ ...paymentMethods[0], transactionId: 'known' }] }
  const unsaid = { ...shown, paymentMethods: [{ paymentType: 'cash' }] }
  for (const body of [{ ...shown, payments: [] }, known, unsaid])
    assert.equal(succeeded(await call('POST', '/v1/sale', body), 201).order.checks, undefined)
  // Nothing is paid in a quote, which is also of an order that was stored with its payments.
  assert.equal(succeeded(await call('POST', '/v1/sale/quote', shown)).due, '5.00')
})
