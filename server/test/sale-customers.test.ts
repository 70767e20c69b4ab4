// The customer of a sale: one that has its `source` and `externalId` already buys, and a second one is never made (docs/decisions/0086).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { succeeded } from './support/custom-tables.ts'
import { refused } from './support/sales.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

const ann = { source: 'web', externalId: 'c-1', firstName: 'Ann', email: 'ann@example.com' }
const path = '/v1/customer/external/web/c-1'
const saleTo = (customer: object, more: object = {}) => ({ lineItems: [{ name: 'Cake', price: '3.00' }], customer, ...more }) // biome-ignore format: one thought
const countOf = async (call: Caller, list: string): Promise<number> =>
  succeeded(await call('GET', `/v1/${list}`)).meta.count

test('a sale to a customer whose pair exists is that customer’s, whose record stays as it is; an upsert still finds the only one', async () => {
  const { id: companyId, call } = await service.company()
  const { id } = succeeded(await call('PUT', path, ann), 201)
  const etag = (await call('GET', `/v1/customer/${id}`)).headers.get('etag')
  const stale = { ...ann, firstName: 'Anna', email: 'no longer hers' }
  const { call: till } = await service.keyFor(companyId, ['create'])
  const sold = succeeded(await till('POST', '/v1/sale', saleTo(stale)), 201)
  assert.deepEqual([sold.order.customerId, sold.customer], [id, undefined])
  const { results } = succeeded(await call('POST', '/v1/sales', { items: [saleTo(ann), saleTo({ firstName: 'Bob' })] }))
  assert.deepEqual([results[0].data.order.customerId, results[0].data.customer], [id, undefined])
  assert.equal(results[1].data.order.customerId, results[1].data.customer.id)
  const once = saleTo(ann, { source: 'till', externalId: 'R-1' })
  assert.equal(succeeded(await call('POST', '/v1/sale?mode=once', once), 201).order.customerId, id)
  assert.equal(succeeded(await call('POST', '/v1/sale?mode=once', once), 200).order.customerId, id)
  const parked = { status: 'parked', customerId: 'other', lineItems: [{ name: 'Cake', price: '3.00' }] }
  const order = succeeded(await call('POST', '/v1/order', parked), 201)
  const completed = succeeded(await call('POST', `/v1/sale/${order.id}/complete`, { customer: ann }))
  assert.deepEqual([completed.order.customerId, completed.customer], [id, undefined])
  assert.equal(succeeded(await call('POST', '/v1/sale?dryRun=true', saleTo(ann)), 201).order.customerId, id)
  assert.equal((await call('GET', `/v1/customer/${id}`)).headers.get('etag'), etag)
  assert.equal(succeeded(await call('PUT', path, ann), 200).id, id)
  assert.equal(await countOf(call, 'customers'), 2)
})

test('of a new pair, sales at once, in a bulk and beside upserts make one customer', async () => {
  const { call } = await service.company()
  const parked = { status: 'parked', lineItems: [{ name: 'Cake', price: '3.00' }] }
  const { results: orders } = succeeded(await call('POST', '/v1/orders', { items: Array(4).fill(parked) }))
  const replies = await Promise.all([
    ...orders.map(({ data }: any) => call('POST', `/v1/sale/${data.id}/complete`, { customer: ann })),
    ...Array.from({ length: 6 }, () => call('POST', '/v1/sale', saleTo(ann))),
    ...Array.from({ length: 2 }, () => call('PUT', path, ann)),
    ...Array.from({ length: 2 }, () => call('POST', '/v1/sales', { items: [saleTo(ann), saleTo(ann)] })),
  ])
  for (const { status, text } of replies) assert.ok(status < 300, text)
  const { data, meta } = succeeded(await call('GET', '/v1/customers'))
  assert.equal(meta.count, 1)
  assert.equal(await countOf(call, `orders?customerId=${data[0].id}`), 14)

  const bea = { ...ann, externalId: 'c-2' }
  for (const [mode, numbers] of [
    ['', [{}, {}, {}]],
    ['?mode=once', ['1', '2', '2'].map((externalId) => ({ source: 'till', externalId }))],
  ] as const) {
    const customer = { ...bea, externalId: `c-2${mode}` }
    const items = numbers.map((number) => saleTo(customer, number))
    const { results } = succeeded(await call('POST', `/v1/sales${mode}`, { items }))
    const made = results[0].data.customer.id
    assert.deepEqual(results.map(({ data }: any) => [data.order.customerId, data.customer?.id]), [[made, made], [made, undefined], [made, undefined]]) // biome-ignore format: one thought
  }
  // A customer that is refused with its sale is made by the next sale.
  const items = [
    { ...ann, externalId: 'c-3', email: 'no address' },
    { ...ann, externalId: 'c-3' },
  ]
  const { results } = succeeded(await call('POST', '/v1/sales', { items: items.map((customer) => saleTo(customer)) }))
  assert.equal(results[0].error.errors[0].pointer, '/items/0/customer/email')
  assert.equal(results[1].data.order.customerId, results[1].data.customer.id)
  assert.equal(await countOf(call, 'customers'), 4)
})

test('a pair that several customers have is refused with its sale; a deleted customer and half a pair are not found', async () => {
  const { call } = await service.company()
  const two = [
    succeeded(await call('POST', '/v1/customer', ann), 201),
    succeeded(await call('POST', '/v1/customer', ann), 201),
  ]
  const reply = await call('POST', '/v1/sale', saleTo(ann))
  refused(reply, 409, 'conflict', '/customer/externalId')
  assert.deepEqual(
    reply.body.errors.map(({ code }: any) => code),
    ['ambiguous', 'ambiguous'],
  )
  const { results } = succeeded(await call('POST', '/v1/sales', { items: [saleTo(ann), saleTo({ firstName: 'Bob' })] }))
  assert.equal(results[0].error.errors[0].pointer, '/items/0/customer/externalId')
  assert.equal(results[1].status, 'success')
  const order = succeeded(
    await call('POST', '/v1/order', { status: 'parked', lineItems: [{ name: 'Cake', price: '3.00' }] }),
    201,
  )
  refused(
    await call('POST', `/v1/sale/${order.id}/complete`, { customer: ann }),
    409,
    'conflict',
    '/customer/externalId',
  )
  assert.equal(await countOf(call, 'orders?status=completed'), 1)
  for (const { id } of two) succeeded(await call('DELETE', `/v1/customer/${id}`))
  for (const customer of [ann, { ...ann, source: undefined }, { ...ann, source: null }, { ...ann, externalId: '' }]) {
    const { order, customer: made } = succeeded(await call('POST', '/v1/sale', saleTo(customer)), 201)
    assert.equal(order.customerId, made.id)
  }
  assert.equal(await countOf(call, 'customers'), 5)
  refused(
    await call('POST', '/v1/sale', saleTo({ source: 7, externalId: 'c-1' })),
    400,
    'validation_failed',
    '/customer/source',
  )
})
