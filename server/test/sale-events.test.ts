// A request that changes an order raises one order.updated, with the order as a read right after it shows it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { shop } from './support/sales.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

test('payments, refunds and voids of a sale raise one order.updated each, whose data is the order as it is read then', async () => {
  const { id: companyId, call } = await service.company()
  const { outletId, stationId, variantId } = await shop(call)
  const lineItems = [{ variantId, price: '10.00', quantity: 2 }]
  const sold = async (): Promise<string> =>
    succeeded(await call('POST', '/v1/sale', { outletId, stationId, lineItems }), 201).order.id
  const card = (amount?: string) => ({ paymentMethod: 'credit_card', amount })
  /** The types of the events of a request; the order of each is as it is read after it. */
  const eventsOf = async (orderId: string, path: string, body?: object): Promise<string[]> => {
    const before = await feed(service, companyId, orderId)
    const { order } = succeeded(await call('POST', `/v1/sale/${orderId}/${path}`, body), path === 'void' ? 200 : 201)
    const read = succeeded(await call('GET', `/v1/order/${orderId}`))
    assert.deepEqual(order, read)
    const events = (await feed(service, companyId, orderId)).slice(before.length)
    for (const { data } of events) assert.deepEqual(data, read)
    return events.map(({ type }) => String(type))
  }
  const orderId = await sold()
  assert.deepEqual(await eventsOf(orderId, 'payments', { payments: [card('15.00')] }), ['order.updated'])
  assert.deepEqual(await eventsOf(orderId, 'payments', { payments: [card()] }), ['order.updated'])
  const one = { lines: [{ lineItem: 0, quantity: 1 }] }
  assert.deepEqual(await eventsOf(orderId, 'refund', one), ['order.updated', 'order.refunded'])
  assert.deepEqual(await eventsOf(orderId, 'refund'), ['order.updated', 'order.refunded'])
  const other = await sold()
  assert.deepEqual(await eventsOf(other, 'payments', { payments: [card()] }), ['order.updated'])
  assert.deepEqual(await eventsOf(other, 'void'), ['order.updated'])
})
