// Open orders that become sales: payments, stock, sums and session in one request, or nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RECORD_CHARACTERS } from '../src/core/limits.ts'
import { succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { recordCounts, refused, shop, stockOf } from './support/sales.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

/** A shop with an order of two units at 12.50, plus 20 % tax, that waits to be paid. */
async function waiting(call: Caller, more: object = {}) {
  const own = await shop(call)
  const { outletId, stationId, variantId } = own
  const lineItems = [{ variantId, price: '12.50', quantity: 2, taxes: [{ name: 'Tax', percentage: 20 }] }]
  const body = { status: 'parked', receiptId: 'R-1', outletId, stationId, lineItems, ...more }
  const order = succeeded(await call('POST', '/v1/order', body), 201)
  return { ...own, order, path: `/v1/sale/${order.id}/complete` }
}

test('a parked order becomes a sale: sums, payments, change, stock, session and events, as of a sale in one request', async () => {
  const { id: companyId, call } = await service.company()
  const { order, path, outletId, stationId, variantId, productId } = await waiting(call)
  const sessionId = succeeded(await call('POST', '/v1/session', { stationId }), 201).id
  const payments = [{ paymentMethod: 'card', amount: '10.00' }, { paymentMethod: 'cash', amount: '30.00' }] // biome-ignore format: one thought
  const sold = succeeded(await call('POST', path, { payments, tip: '2.00', customer: { email: 'ann@example.com' } }))
  assert.deepEqual([sold.order.id, sold.order.status, sold.order.receiptId], [order.id, 'completed', 'R-1'])
  assert.deepEqual([sold.order.sessionId, sold.order.customerId], [sessionId, sold.customer.id])
  const { total, totalTaxes, tip } = sold.order.summary
  assert.deepEqual([total, totalTaxes, tip.amount], ['32.00', '5.00', '2.00'])
  const [line] = sold.order.lineItems
  assert.deepEqual([line.productId, line.name, line.total, line.totalTax], [productId, 'Beans', '25.00', '5.00'])
  const { paid, due, balance, paymentStatus, fulfilmentStatus, checks } = sold.order
  assert.deepEqual([paid, due, balance], ['32.00', '0.00', '0.00'])
  assert.deepEqual([paymentStatus, fulfilmentStatus, checks], ['paid', 'fulfilled', undefined])
  assert.deepEqual(sold.order.paymentMethods.map(({ amount, change }: any) => [amount, change]), [['10.00', undefined], ['22.00', '8.00']]) // biome-ignore format: one thought
  assert.deepEqual(sold.order.paymentMethods.map((one: any) => one.transactionId), sold.transactions.map((one: any) => one.id)) // biome-ignore format: one thought
  for (const one of sold.transactions)
    assert.deepEqual([one.orderId, one.sessionId, one.outletId, one.receiptId], [order.id, sessionId, outletId, 'R-1'])
  assert.deepEqual(sold.stock.map(({ previousStock, stock }: any) => [previousStock, stock]), [[12, 10]]) // biome-ignore format: one thought
  assert.equal(await stockOf(call, variantId), 10)
  assert.deepEqual(succeeded(await call('GET', `/v1/order/${order.id}`)), sold.order)
  assert.ok(sold.order.occurredAt > order.createdAt)
  const { totals } = succeeded(await call('GET', '/v1/reports/sales'))
  assert.deepEqual([totals.sales, totals.orders], ['32.00', 1])
  const x = succeeded(await call('GET', `/v1/session/${sessionId}/report`))
  assert.equal(x.figures[0].sales, '32.00')
  const types = (await feed(service, companyId)).map(({ type }: any) => type)
  assert.deepEqual(types.filter((type: string) => type.startsWith('order.')), ['order.created', 'order.updated', 'order.completed']) // biome-ignore format: one thought
})

test('an order that is completed is computed like a sale of the same lines', async () => {
  const { call } = await service.company()
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05', taxRounding: 'receipt' }))
  const { outletId, variantId } = await shop(call, 100, { price: 3.33 })
  succeeded(await call('POST', '/v1/tax-table', { name: 'VAT', isDefault: true, isTaxInclusive: true, rates: [{ name: 'VAT', percentage: 7 }] }), 201) // biome-ignore format: one thought
  const bodies = [
    { lineItems: [{ variantId, quantity: 3, price: '3.33' }] },
    { lineItems: [{ variantId, quantity: 1.5 }], cartDiscount: { percentage: 15 } },
    { lineItems: [{ variantId, price: '0.99' }], customSales: [{ name: 'Wrap', price: '1.11' }], summary: { shippingTotal: '4.90', tip: { amount: '1.01' } } }, // biome-ignore format: one thought
    {
      lineItems: [
        { variantId, price: '9.99', quantity: -1 },
        { name: 'Bag', price: '0.20' },
      ],
    },
    { lineItems: [{ name: 'Odd', price: '1.00', total: '7.77' }], summary: { total: '8.00' } },
  ]
  for (const body of bodies) {
    const sale = { ...body, outletId, payments: [{ paymentMethod: 'cash', type: body === bodies[3] ? 'refund' : 'sale' }] } // biome-ignore format: one thought
    const { order: sold, transactions, stock } = succeeded(await call('POST', '/v1/sale', sale), 201)
    const order = succeeded(await call('POST', '/v1/order', { ...body, outletId, status: 'pending' }), 201)
    const completed = succeeded(await call('POST', `/v1/sale/${order.id}/complete`, { payments: sale.payments }))
    const sums = (one: any) => ({
      ...Object.fromEntries(['lineItems', 'customSales', 'summary', 'cartDiscount', 'balance', 'checks', 'paid', 'refunded', 'due', 'paymentStatus'].map((name) => [name, one[name]])), // biome-ignore format: one thought
    })
    assert.deepEqual(sums(completed.order), sums(sold))
    const moneyOf = (all: any[]) => all.map(({ amount, type, paymentMethod }) => [amount, type, paymentMethod])
    assert.deepEqual(moneyOf(completed.transactions), moneyOf(transactions))
    assert.deepEqual(completed.stock.map(({ previousStock, stock }: any) => stock - previousStock), stock.map(({ previousStock, stock }: any) => stock - previousStock)) // biome-ignore format: one thought
  }
})

test('a null member of a completion counts as absent, since some clients send every member', async () => {
  const { call } = await service.company()
  const { order, path } = await waiting(call, { customerId: 'ann', employee: 'bob' })
  const none = { tip: null, customer: null, customerId: null, employee: null, receiptId: null, outletId: null, stationId: null } // biome-ignore format: one thought
  const sold = succeeded(await call('POST', path, none)).order
  for (const member of ['customerId', 'employee', 'receiptId', 'outletId', 'stationId'])
    assert.equal(sold[member], order[member], member)
})

test('a deposit counts as a payment, and only what it leaves is taken', async () => {
  const { call } = await service.company()
  const { order, path } = await waiting(call)
  const orderId = order.id
  const deposit = { orderId, type: 'sale', paymentMethod: 'cash', amount: '12.00' }
  const first = succeeded(await call('POST', '/v1/transaction', deposit), 201)
  succeeded(await call('POST', '/v1/transaction', { ...deposit, currency: 'USD' }), 201)
  succeeded(await call('POST', '/v1/transaction', { ...deposit, type: 'refund', amount: '2.00' }), 201)
  succeeded(await call('POST', '/v1/transaction', { ...deposit, type: 'void' }), 201)
  const kept = { transactionId: first.id, paymentType: 'cash', amount: '12.00', change: '8.00' }
  succeeded(await call('PATCH', `/v1/order/${orderId}`, { paymentMethods: [kept] }))
  const over = await call('POST', path, { payments: [{ paymentMethod: 'cash', amount: '50.00' }] })
  const dry = await call('POST', `${path}?dryRun=true`, { payments: [{ paymentMethod: 'cash', amount: '50.00' }] })
  const { order: sold, transactions } = succeeded(over)
  assert.equal(succeeded(dry, 409).reason, 'order_not_open')
  assert.deepEqual(transactions.map(({ amount }: any) => amount), ['20.00']) // biome-ignore format: one thought
  assert.deepEqual([sold.paid, sold.refunded, sold.due, sold.balance], ['32.00', '2.00', '0.00', '0.00'])
  const shown = sold.paymentMethods.map(({ amount, change }: any) => [amount, change])
  assert.deepEqual(shown, [['12.00', '8.00'], ['2.00', undefined], ['20.00', '30.00']]) // biome-ignore format: one thought

  // Nothing is given back of a deposit above the total; the shop then owes it.
  const other = await waiting(call)
  succeeded(await call('POST', '/v1/transaction', { ...deposit, orderId: other.order.id, amount: '40.00' }), 201)
  const above = succeeded(await call('POST', other.path, {}))
  assert.deepEqual([above.order.paid, above.order.due, above.order.checks], ['40.00', '-10.00', undefined])
  assert.deepEqual(above.order.paymentMethods.map(({ amount }: any) => amount), ['40.00']) // biome-ignore format: one thought
})

test('what was paid before is not judged again: only the payments of the request need to fit what is left', async () => {
  const { call } = await service.company()
  succeeded(await call('PATCH', '/v1/settings', { cashRounding: '0.05' }))
  const complete = async (price: string, deposits: [string, string, string?][], payments: object[]) => {
    const order = { status: 'parked', lineItems: [{ name: 'Cake', price }] }
    const { id } = succeeded(await call('POST', '/v1/order', order), 201)
    for (const [paymentMethod, amount, type = 'sale'] of deposits)
      succeeded(await call('POST', '/v1/transaction', { orderId: id, paymentMethod, amount, type }), 201)
    return call('POST', `/v1/sale/${id}/complete`, { payments })
  }
  const dueOf = async (...args: Parameters<typeof complete>) => {
    const { order } = succeeded(await complete(...args))
    assert.equal(order.balance, order.due)
    return order.due
  }
  // A deposit by two methods is more than the total; one by card went back in cash.
  assert.equal(await dueOf('30.00', [['card', '35.00'], ['cash', '5.00']], []), '-10.00') // biome-ignore format: one thought
  assert.equal(await dueOf('30.00', [['card', '12.00'], ['cash', '12.00', 'refund']], []), '30.00') // biome-ignore format: one thought
  // What is left is rounded to the coin, whatever was taken before.
  const { order, transactions } = succeeded(await complete('25.02', [['cash', '10.03']], [{ paymentMethod: 'cash' }]))
  assert.deepEqual([transactions[0].amount, order.paymentMethods[1].change], ['15.00', undefined])
  assert.deepEqual([order.summary.cashRounding, order.due], ['0.01', '0.00'])
  assert.equal(await dueOf('25.02', [['cash', '25.00']], []), '0.00')
  const tooMuch = await complete('30.00', [['card', '40.00']], [{ paymentMethod: 'cash', amount: '5.00' }])
  refused(tooMuch, 400, 'validation_failed', '/payments/0/amount')
  assert.match(tooMuch.text, /since -10.00 is to be paid/)
})

test('what an order says of its payment and its former customer gives way to what the completion says', async () => {
  const { call } = await service.company()
  const lineItems = [{ name: 'Cake', price: '25.02' }]
  const quoted = { summary: { total: '25.02', cashRounding: '-0.02' }, customerId: 'c1', lineItems }
  const { id } = succeeded(await call('POST', '/v1/order', { status: 'parked', ...quoted }), 201)
  const body = { payments: [{ paymentMethod: 'card' }], customer: { email: 'ann@example.com' } }
  const sold = succeeded(await call('POST', `/v1/sale/${id}/complete`, body))
  assert.deepEqual([sold.order.paid, sold.order.due, sold.order.checks], ['25.02', '0.00', undefined])
  assert.deepEqual([sold.order.summary.cashRounding, sold.order.customerId], [undefined, sold.customer.id])
})

test('an order is sold once, whatever its status is set to afterwards; one with refunds cannot be completed', async () => {
  const { call } = await service.company()
  const { order, path, variantId, outletId } = await waiting(call)
  const { id } = order
  const sold = succeeded(await call('POST', path)).order
  const lineItems = [{ variantId, quantity: 2, price: '1.00' }]
  const numbered = { source: 'till', externalId: 'R-1', outletId, lineItems }
  const other = succeeded(await call('POST', '/v1/sale', numbered), 201).order
  const left = await stockOf(call, variantId)
  for (const { id, completedAt } of [sold, other]) {
    const reopened = succeeded(await call('PATCH', `/v1/order/${id}`, { status: 'pending', completedAt: null }))
    assert.equal(reopened.completedAt, completedAt)
    const body = assertProblem(await call('POST', `/v1/sale/${id}/complete`), 409, 'conflict')
    assert.equal(body.reason, 'sale_completed')
    assert.ok(body.message.startsWith(`The order was sold at ${completedAt}, and its goods left the shelf then.`))
  }
  const again = succeeded(await call('POST', '/v1/sale?mode=once', numbered))
  assert.deepEqual([again.order.id, again.stock], [other.id, []])
  succeeded(await call('PATCH', `/v1/order/${id}`, { status: 'completed' }))
  assert.equal(await stockOf(call, variantId), left)

  const gift = { status: 'parked', lineItems: [{ name: 'Cake', price: '0.00' }] }
  const { id: orderId } = succeeded(await call('POST', '/v1/order', gift), 201)
  const line = { productId: 'p', variantId: 'v', quantity: 1 }
  succeeded(await call('POST', '/v1/refund', { orderId, lineItems: [line], summary: { total: '0.00' } }), 201)
  const refused = assertProblem(await call('POST', `/v1/sale/${orderId}/complete`), 409, 'conflict')
  assert.equal(refused.reason, 'sale_has_refunds')
})

test('only a pending or parked order can be completed, by its company, with a key that may change it', async () => {
  const { id, call } = await service.company()
  const { order, path, variantId, outletId } = await waiting(call)
  const other = await service.company()
  assertProblem(await other.call('POST', path, {}), 404, 'not_found')
  assertProblem(await call('POST', '/v1/sale/nothing/complete', {}), 404, 'not_found')
  assertProblem(await call('POST', '/v1/sale/6740a1f2c3d4e5f6a7b8c9d2/complete', {}), 404, 'not_found')
  const reading = await service.keyFor(id, ['read', 'create'])
  assertProblem(await reading.call('POST', path, {}), 403, 'permission_denied')
  for (const status of ['completed', 'cancelled', 'refunded', 'partial-refund', 'of our own', null]) {
    succeeded(await call('PATCH', `/v1/order/${order.id}`, { status }))
    assert.equal(assertProblem(await call('POST', path, {}), 409, 'conflict').reason, 'order_not_open')
  }
  const voided = succeeded(await call('POST', '/v1/sale', { outletId, lineItems: order.lineItems }), 201).order
  succeeded(await call('POST', `/v1/sale/${voided.id}/void`))
  succeeded(await call('PATCH', `/v1/order/${voided.id}`, { status: 'parked' }))
  const again = await call('POST', `/v1/sale/${voided.id}/complete`)
  assert.equal(assertProblem(again, 409, 'conflict').reason, 'sale_voided')
  assert.equal(await stockOf(call, variantId), 12)
})

test('a refused completion changes nothing', async () => {
  const { call } = await service.company()
  const { order, path, productId, variantId, outletId } = await waiting(call)
  const before = [await recordCounts(call), succeeded(await call('GET', `/v1/order/${order.id}`))]
  const { id } = succeeded(await call('PATCH', `/v1/order/${order.id}`, { customerNote: 'soon' }))
  const stale = { 'if-match': '"AAAAAAAAAAAAAAAAAAAAAA"' }
  assertProblem(await call('POST', path, {}, stale), 412, 'version_mismatch')
  succeeded(await call('PATCH', `/v1/order/${id}`, { customerNote: null }))
  const cases: [object, string, string?][] = [
    [{ lineItems: [] }, '/lineItems'],
    [{ summary: { total: '1.00' } }, '/summary'],
    [{ tip: '-1.00' }, '/tip'],
    [{ tip: 3 }, '/tip'],
    [{ payments: {} }, '/payments'],
    [{ payments: [{ paymentMethod: 'card', amount: '1', currency: 'USD' }] }, '/payments/0/currency'],
    [{ payments: [{ paymentMethod: 'card' }, { paymentMethod: 'cash' }] }, '/payments/1/amount'],
    [{ payments: [{ paymentMethod: 'cash', amount: '31', type: 'refund' }] }, '/payments/0/amount'],
    [{ customer: { email: 'no address' } }, '/customer/email'],
    [{ customer: { email: 'a@example.com' }, customerId: 'c1' }, '/customer'],
    [{ occurredAt: 'noon' }, '/occurredAt'],
  ]
  for (const [body, pointer] of cases) refused(await call('POST', path, body), 400, 'validation_failed', pointer)
  assertProblem(await call('POST', path, []), 400, 'validation_failed')
  const levels = { items: [{ productId, variantId, outletId, quantity: 1 }] }
  assert.equal(succeeded(await call('POST', '/v1/inventories/set-levels', levels)).summary.failed, 0)
  refused(await call('POST', path, { payments: [{ paymentMethod: 'cash' }] }), 409, 'conflict', '/lineItems/0')
  assert.equal(await stockOf(call, variantId), 1)
  const [orders, transactions, customers] = before[0] as number[]
  assert.deepEqual((await recordCounts(call)).slice(0, 3), [orders, transactions, customers])
  const { updatedAt: _, ...after } = succeeded(await call('GET', `/v1/order/${order.id}`))
  const { updatedAt: __, ...first } = before[1] as any
  assert.deepEqual(after, first)
  const sold = succeeded(await call('POST', path, { payments: [{ paymentMethod: 'cash' }], oversell: true }))
  assert.deepEqual([sold.order.due, sold.stock[0].stock], ['0.00', -1])

  const empty = succeeded(await call('POST', '/v1/order', { status: 'pending', summary: { total: '5.00' } }), 201)
  refused(await call('POST', `/v1/sale/${empty.id}/complete`), 409, 'conflict', '/lineItems')
})

test('an order that would be too long as a sale is refused, and nothing of it is sold', async () => {
  const { call } = await service.company()
  const { order, path, variantId } = await waiting(call)
  const customerNote = 'x'.repeat(1_048_576)
  const signature = 'x'.repeat(RECORD_CHARACTERS - JSON.stringify(order).length - customerNote.length - 100)
  succeeded(await call('PATCH', `/v1/order/${order.id}`, { customerNote, signature }))
  const reply = await call('POST', path, { payments: [{ paymentMethod: 'cash' }] })
  assertProblem(reply, 413, 'payload_too_large')
  assert.equal(succeeded(await call('GET', '/v1/transactions')).meta.count, 0)
  assert.equal(await stockOf(call, variantId), 12)
})

test('an order is completed once, whatever number of tills try at the same time', async () => {
  const { call } = await service.company()
  const { order, path, variantId } = await waiting(call)
  const replies = await Promise.all(Array.from({ length: 8 }, () => call('POST', path, { payments: [{ paymentMethod: 'cash' }] }))) // biome-ignore format: one thought
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)])
  assert.equal(await stockOf(call, variantId), 10)
  const { data } = succeeded(await call('GET', `/v1/transactions?orderId=${order.id}`))
  assert.deepEqual(data.map(({ amount }: any) => amount), ['30.00']) // biome-ignore format: one thought
})

test('the goods of a parked order with parkReduceStock left the shelf when it was parked', async () => {
  const { call } = await service.company()
  const { path, variantId } = await waiting(call, { parkReduceStock: true })
  assert.deepEqual(succeeded(await call('POST', path)).stock, [])
  const pending = await waiting(call, { parkReduceStock: true, status: 'pending' })
  assert.equal(succeeded(await call('POST', pending.path)).stock.length, 1)
  assert.equal(await stockOf(call, variantId), 12)
})

test('the sale belongs to the open session of its till, not to the one in which the order was parked', async () => {
  const { call } = await service.company()
  const { outletId, stationId } = await shop(call)
  const open = async () => succeeded(await call('POST', '/v1/session', { stationId }), 201).id
  const yesterday = await open()
  const lineItems = [{ name: 'Gift wrap', price: '2.00' }]
  const park = async (more: object) =>
    succeeded(await call('POST', '/v1/order', { status: 'parked', lineItems, sessionId: yesterday, ...more }), 201).id
  const first = await park({ stationId })
  const second = await park({ stationId })
  const third = await park({})
  succeeded(await call('POST', `/v1/session/${yesterday}/close`, {}), 201)
  const complete = async (id: string, body: object = {}) => call('POST', `/v1/sale/${id}/complete`, body)
  assert.equal(succeeded(await complete(first)).order.sessionId, yesterday)
  const today = await open()
  assert.equal(succeeded(await complete(second)).order.sessionId, today)
  const late = await complete(third)
  refused(late, 409, 'conflict', '/sessionId')
  assert.match(
    late.text,
    /To use the open session of the till, or else its next closing, send stationId without sessionId\./,
  )
  assert.equal(succeeded(await complete(third, { stationId, outletId })).order.sessionId, today)
})

test('a tip changes a stored total that adds up in no other way; what was completed can be refunded or voided', async () => {
  const { call } = await service.company()
  const { order, path, variantId } = await waiting(call, { summary: { total: '99.00', tip: { amount: '4.00' } } })
  const { order: sold } = succeeded(await call('POST', path, { tip: '5.5', payments: [{ paymentMethod: 'card' }] }))
  assert.deepEqual([sold.summary.total, sold.summary.tip, sold.paid], ['100.50', { amount: '5.5' }, '100.50'])
  assert.ok(sold.checks.some(({ pointer }: any) => pointer === '/summary/total'))
  assert.equal(succeeded(await call('POST', `/v1/sale/${order.id}/refund`), 201).refund.summary.total, '100.50')
  assert.equal(await stockOf(call, variantId), 12)
  const other = await waiting(call)
  succeeded(await call('POST', other.path, { payments: [{ paymentMethod: 'card' }] }))
  assert.equal(succeeded(await call('POST', `/v1/sale/${other.order.id}/void`)).order.status, 'cancelled')
  assert.equal(await stockOf(call, other.variantId), 12)
})
