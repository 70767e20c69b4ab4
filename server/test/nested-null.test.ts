// `null` inside objects: what programs write for a member that they do not have is no member, in every resource and request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { succeeded } from './support/custom-tables.ts'
import { refused, shop } from './support/sales.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

test('null in an address, in a line and deeper counts as an absent member: singly, in bulk, by upsert and on update', async () => {
  const { call } = await service.company()
  const billing = { city: 'Wien', state: null, postcode: '1010' }
  const plain = { city: 'Wien', postcode: '1010' }
  const { id, ...made } = succeeded(await call('POST', '/v1/customer', { firstName: 'Ann', billing }), 201)
  assert.deepEqual(made.billing, plain)
  const items = [{ source: 'erp', externalId: '1', firstName: 'Bob', billing }]
  const { results } = succeeded(await call('POST', '/v1/customers?mode=upsert', { items }))
  assert.deepEqual(results[0].data.billing, plain)
  // The same again, with and without the nulls, changes nothing.
  const again = succeeded(await call('POST', '/v1/customers?mode=upsert', { items: [{ ...items[0], billing: plain }] }))
  assert.equal(again.results[0].outcome, 'unchanged')
  const changed = await call('PATCH', `/v1/customer/${id}`, { billing: { city: null, postcode: '1020' } })
  assert.deepEqual(succeeded(changed).billing, { postcode: '1020' })
  const discount = { itemDiscount: { amount: '1.00', percentage: null }, cartDiscount: null }
  const order = succeeded(
    await call('POST', '/v1/order', {
      lineItems: [{ name: 'Beans', price: '3.00', sku: null, taxes: null, discount }],
      summary: { total: '2.00', tip: null },
    }),
    201,
  )
  assert.deepEqual(order.lineItems, [{ name: 'Beans', price: '3.00', discount: { itemDiscount: { amount: '1.00' } } }])
  assert.deepEqual(order.summary, { total: '2.00' })
})

test('null in a sale, its payments and its refund counts as an absent member', async () => {
  const { call } = await service.company()
  const { outletId, variantId } = await shop(call)
  const body = {
    outletId,
    customer: { firstName: 'Ann', email: null, billing: { city: null } },
    lineItems: [{ variantId, price: '3.00', quantity: null, taxes: null, discount: null }],
    payments: [{ paymentMethod: 'cash', amount: '5.00', change: null, paymentData: null, type: null }],
  }
  const { order, customer, transactions } = succeeded(await call('POST', '/v1/sale', body), 201)
  assert.deepEqual([order.due, order.paymentMethods[0].change, transactions[0].type], ['0.00', '2.00', 'sale'])
  assert.deepEqual([customer.firstName, customer.email, customer.billing], ['Ann', undefined, {}])
  const lines = [{ lineItem: 0, customSale: null, quantity: null, restock: null }]
  succeeded(await call('POST', `/v1/sale/${order.id}/refund`, { lines, payments: null }), 201)
})

test('null for a required member counts as missing, null in a list is refused, and where any value is allowed, null stays', async () => {
  const { call } = await service.company()
  const refund = { orderId: '1', summary: {}, lineItems: [{ productId: null, variantId: '1' }] }
  refused(await call('POST', '/v1/refund', refund), 400, 'validation_failed', '/lineItems/0/productId')
  refused(await call('POST', '/v1/order', { lineItems: [null] }), 400, 'validation_failed', '/lineItems/0')
  const session = succeeded(await call('POST', '/v1/session', { stationId: 'till' }), 201).id
  const counted = await call('POST', `/v1/session/${session}/close`, { counted: { cash: null } })
  refused(counted, 400, 'validation_failed', '/counted/cash')
  const metadata = [{ colour: null, deep: { none: null } }, null]
  assert.deepEqual(
    succeeded(await call('POST', '/v1/customer', { firstName: 'Ann', metadata }), 201).metadata,
    metadata,
  )
  const lineItems = [{ name: 'Beans', ours: null }]
  const order = succeeded(await call('POST', '/v1/order', { lineItems }), 201)
  assert.deepEqual(order.lineItems, lineItems)
})
