// A request that changes an order raises one order.updated, with the order as a read right after it shows it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { shop, stockOf } from './support/sales.ts'
import { type Caller, sharedService } from './support/service.ts'

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

test('16 callers at two servers change the same sales at once: each event follows from the one before, and no unit or payment counts twice', async () => {
  const { id: companyId, key, call } = await service.company()
  const second = await service.second()
  const callers = [call, service.caller({ 'x-api-key': key }, second.url)]
  const { outletId, stationId, variantId } = await shop(call, 100)
  const lineItems = [{ variantId, price: '10.00', quantity: 10 }]
  const made = async (path: string, body: object) => succeeded(await call('POST', path, body), 201)
  const parked = await made('/v1/order', { status: 'parked', outletId, stationId, lineItems })
  const { order: sold } = await made('/v1/sale', { outletId, stationId, lineItems })
  const ids: string[] = [parked.id, sold.id]
  const cash = (amount?: string, type = 'sale') => ({ payments: [{ paymentMethod: 'cash', type, amount }] })
  const requests = (id: string, n: number): [string, string, object][] => [
    ['POST', `/v1/sale/${id}/complete`, cash('20.00')],
    ['POST', `/v1/sale/${id}/payments`, cash('30.00')],
    ['POST', `/v1/sale/${id}/payments`, cash()],
    ['POST', `/v1/sale/${id}/payments`, cash(undefined, 'refund')],
    ['POST', `/v1/sale/${id}/refund`, { lines: [{ lineItem: 0, quantity: 2 }] }],
    ['PATCH', `/v1/order/${id}`, { customerNote: `${n}` }],
    ['POST', '/v1/transaction', { orderId: id, type: n % 2 === 0 ? 'sale' : 'refund', ...cash('1.00').payments[0] }],
  ]
  const work = async (n: number) => {
    for (let k = 0; k < 7; k++) {
      const [method, path, body] = requests(ids[(n + k) % 2] as string, n)[(n + k) % 7] as [string, string, object]
      const reply = await (callers[n % 2] as Caller)(method, path, body)
      assert.ok(reply.status < 300 || [400, 409].includes(reply.status), reply.text)
    }
  }
  await Promise.all(Array.from({ length: 16 }, (_, n) => work(n)))
  let left = 100
  for (const id of ids) {
    const order = succeeded(await call('GET', `/v1/order/${id}`))
    const transactions: Body[] = succeeded(await call('GET', `/v1/transactions?orderId=${id}&limit=1000`)).data
    const sumOf = (type: string) => transactions.filter((one) => one.type === type).reduce((sum, { amount }) => sum + Number(amount), 0) // biome-ignore format: one thought
    assert.deepEqual([Number(order.paid), Number(order.refunded)], [sumOf('sale'), sumOf('refund')])
    assert.equal(Number(order.due), 100 - Number(order.returned) - Number(order.paid) + Number(order.refunded))
    assert.ok(order.returnedQuantity <= 10)
    left -= 10 - order.returnedQuantity
    let last: Body | undefined
    for (const { type, data, previous } of await feed(service, companyId, id)) {
      const changed = type === 'order.updated' ? previous : null
      assert.deepEqual({ ...data, ...changed }, { ...(last ?? data), ...changed, updatedAt: data.updatedAt })
      for (const [member, value] of Object.entries(changed ?? {})) assert.deepEqual(last?.[member] ?? null, value)
      last = data
    }
    assert.deepEqual(last, order)
  }
  assert.equal(await stockOf(call, variantId), left)
})
