// While servers are upgraded one after the other, a server of the older version changes records that a newer one wrote.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

const newer = { newerMember: { at: '2030-01-01T00:00:00.000Z', list: [1] } }

/** Adds a member to a record that this version does not know, as a newer server may have done. */
const addTo = (table: string, id: string) =>
  service.database.query(`update ${table} set body = (body::jsonb || $2::jsonb)::json where id = $1`, [
    id,
    JSON.stringify(newer),
  ])

const made = async (call: Caller, path: string, body: object) => succeeded(await call('POST', path, body), 201)

test('a change keeps members that a newer server wrote, in the record, in responses and in the event', async () => {
  const { id: companyId, call } = await service.company()
  const customer = await made(call, '/v1/customer', { firstName: 'Ada' })
  const product = await made(call, '/v1/product', { name: 'Beans' })
  await addTo('customers', customer.id)
  await addTo('products', product.id)
  const requests: [string, string, object?][] = [
    ['PATCH', `/v1/customer/${customer.id}`, { lastName: 'Lovelace' }],
    ['PUT', `/v1/api/customer/${customer.id}`, { phone: '+4930123' }],
    ['DELETE', `/v1/customer/${customer.id}`],
    ['POST', `/v1/customer/${customer.id}/restore`],
    ['PATCH', `/v1/product/${product.id}`, { sku: 'TEA-1' }],
    ['PATCH', '/v1/products', { items: [{ id: product.id, sku: null, name: 'Tea' }] }],
  ]
  for (const [method, path, body] of requests) {
    succeeded(await call(method, path, body))
    const resource = path.includes('product') ? 'product' : 'customer'
    const read = succeeded(await call('GET', `/v1/${resource}/${resource === 'product' ? product.id : customer.id}`))
    assert.deepEqual(read.newerMember, newer.newerMember)
    const last = (await feed(service, companyId, read.id)).at(-1)
    assert.deepEqual(last?.data, read)
    assert.equal(last?.previous?.newerMember, undefined)
  }
})

test('a payment, a transaction and a refund of a sale keep members of the order that a newer server wrote', async () => {
  const { call } = await service.company()
  const { order } = await made(call, '/v1/sale', { lineItems: [{ name: 'Cake', price: '20.00' }] })
  await addTo('orders', order.id)
  const payment = { paymentMethod: 'credit_card', amount: '5.00' }
  const keeps = async () =>
    assert.deepEqual(succeeded(await call('GET', `/v1/order/${order.id}`)).newerMember, newer.newerMember)
  const paid = await made(call, `/v1/sale/${order.id}/payments`, { payments: [payment] })
  assert.deepEqual(paid.order.newerMember, newer.newerMember)
  await keeps()
  const { id } = await made(call, '/v1/transaction', { ...payment, orderId: order.id })
  await keeps()
  await addTo('transactions', id)
  succeeded(await call('PATCH', `/v1/transaction/${id}`, { amount: '6.00' }))
  assert.deepEqual(succeeded(await call('GET', `/v1/transaction/${id}`)).newerMember, newer.newerMember)
  await keeps()
  const { due } = (await made(call, `/v1/sale/${order.id}/refund`, {})).order
  assert.equal(due, '0.00')
  await keeps()
})
