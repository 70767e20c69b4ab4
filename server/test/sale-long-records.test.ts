// Orders with more payments or refunds than fit into memory: they are refused, so that one caller cannot exhaust the server for all.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BULK_ITEMS } from '../src/core/limits.ts'
import { Scope } from '../src/core/scope.ts'
import { laterPayments } from '../src/resources/later-money.ts'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { assertProblem } from './support/problem.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

const lineItems = [{ name: 'Tea', price: '2.00' }]
const tab = async (call: Caller): Promise<Body> =>
  succeeded(await call('POST', '/v1/order', { status: 'parked', lineItems }), 201)

/** Almost as long as a string can be. */
const long = 'x'.repeat(990_000)
/** Creates 24 records, which have more than 16 MB in total. */
async function createLong(call: Caller, path: string, record: object): Promise<void> {
  for (let n = 0; n < 3; n++) {
    const { summary } = succeeded(await call('POST', path, { items: Array(8).fill(record) }))
    assert.equal(summary.succeeded, 8)
  }
}

test('an order whose payments are too long in total is neither completed nor voided, and the error says what to change', async () => {
  const { call } = await service.company()
  const order = await tab(call)
  const payment = {
    orderId: order.id,
    paymentMethod: 'card',
    amount: '0.10',
    paymentData: { receipt: long },
  }
  await createLong(call, '/v1/transactions', payment)
  const tooLong =
    /^The transactions of the order have more than 16777216 characters in total\. .*PATCH \/v1\/transaction\/\{id\}\.$/
  assert.match(assertProblem(await call('POST', `/v1/sale/${order.id}/complete`, {}), 409, 'conflict').detail, tooLong)
  succeeded(await call('PATCH', `/v1/order/${order.id}`, { status: 'completed' }))
  assert.match(assertProblem(await call('POST', `/v1/sale/${order.id}/void`), 409, 'conflict').detail, tooLong)
})

test('a sale whose refunds are too long in total is not refunded again', async () => {
  const { call } = await service.company()
  const { order } = succeeded(await call('POST', '/v1/sale', { lineItems, payments: [{ paymentMethod: 'cash' }] }), 201)
  await createLong(call, '/v1/refunds', { orderId: order.id, reason: long, lineItems: [], summary: { total: '0.01' } })
  const tooLong =
    /^The refunds of the order have more than 16777216 characters in total\. .*PATCH \/v1\/refund\/\{id\}\.$/
  assert.match(assertProblem(await call('POST', `/v1/sale/${order.id}/refund`, {}), 409, 'conflict').detail, tooLong)
})

test('an order with more transactions than a bulk request writes is not merged, and nothing moves', async () => {
  const { call } = await service.company()
  const to = await tab(call)
  const from = await tab(call)
  const payment = { orderId: from.id, type: 'authorization', paymentMethod: 'card', amount: '0.01' }
  succeeded(await call('POST', '/v1/transactions', { items: Array(BULK_ITEMS).fill(payment) }))
  const last = succeeded(await call('POST', '/v1/transaction', payment), 201)
  const merge = () => call('POST', `/v1/sale/${to.id}/merge`, { orderId: from.id })
  assert.match(
    assertProblem(await merge(), 409, 'conflict').detail,
    /^The other order has more than 1000 transactions\./,
  )
  assert.deepEqual(succeeded(await call('GET', `/v1/order/${from.id}`)), from)
  succeeded(await call('DELETE', `/v1/transaction/${last.id}`))
  assert.equal(succeeded(await merge()).order.lineItems.length, 2)
})

test('a tax table is read once for all lines, and lines whose tables are too long in total are refused', async () => {
  const { call } = await service.company()
  const names = Array.from({ length: 20 }, (_, n) => `Table ${n}`)
  const rates = [{ name: 'VAT', percentage: 10, note: long }]
  for (const first of [0, 5, 10, 15])
    succeeded(await call('POST', '/v1/tax-tables', { items: names.slice(first, first + 5).map((name) => ({ name, rates })) })) // biome-ignore format: one thought
  const { results } = succeeded(await call('POST', '/v1/products', { items: names.map((taxTable) => ({ name: 'Tea', taxTable })) })) // biome-ignore format: one thought
  const first = succeeded(await call('POST', '/v1/products', { items: names.map(() => ({ name: 'Tea', taxTable: names[0] })) })) // biome-ignore format: one thought
  const quote = (products: Body[]) => {
    const lineItems = products.map(({ data }) => ({ productId: data.id, price: '1.00' }))
    return call('POST', '/v1/sale/quote', { lineItems })
  }
  assert.equal(succeeded(await quote(first.results)).order.summary.totalTaxes, '2.00')
  assertProblem(await quote(results), 413, 'payload_too_large')
})

test('what deleted payments added to their orders is read without the rest of them', async () => {
  const { id: companyId, call } = await service.company()
  const { order } = succeeded(await call('POST', '/v1/sale', { lineItems, payments: [] }), 201)
  const cash = { paymentMethod: 'cash', amount: '2.50', tip: { amount: '0.50' }, paymentData: { addedTip: long } }
  const { transactions } = succeeded(await call('POST', `/v1/sale/${order.id}/payments`, { payments: [cash] }), 201)
  const key = { scope: Scope.grant(companyId), id: transactions[0].id }
  const [later] = await laterPayments(service.database, [key])
  assert.deepEqual(later?.before, { orderId: order.id, type: 'sale', currency: 'EUR', addedTip: '0.50' })
})
