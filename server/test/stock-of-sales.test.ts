// The stock that a sale, its completion, its refunds and its void move: which entries of the history are theirs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { lineOf, refused, shop, stockOf } from './support/sales.ts'
import { type Caller, sharedService } from './support/service.ts'
import { adjust, history } from './support/stock.ts'

const service = sharedService()

/** What the moves of some orders say. */
const movesOf = async (call: Caller, ...orderIds: string[]) =>
  (await history(call, `?${orderIds.map((id) => `orderId=${id}`).join('&')}`)).map(
    ({ orderId, refundId, delta }: Body) => [orderId, refundId, delta],
  )

test('the history finds what a sale and its refunds moved, and which refund it was; other changes name no order', async () => {
  const { call } = await service.company()
  const { variantId, outletId } = await shop(call)
  const sell = async (quantity: number) =>
    succeeded(await call('POST', '/v1/sale', { ...lineOf(variantId, quantity), outletId }), 201).order.id
  const id = await sell(5)
  const other = await sell(1)
  const refund = async (body: object) => succeeded(await call('POST', `/v1/sale/${id}/refund`, body), 201).refund.id
  const first = await refund({ lines: [{ lineItem: 0, quantity: 2 }] })
  await refund({ lines: [{ lineItem: 0, quantity: 1, restock: false }] })
  const last = await refund({})
  succeeded(await adjust(call, [{ variantId, outletId, delta: 3, kind: 'RECEIVED' }]))
  const own = [[id, undefined, -5], [id, first, 2], [id, last, 2]] // biome-ignore format: one thought
  assert.deepEqual(await movesOf(call, id), own)
  assert.deepEqual(await movesOf(call, other), [[other, undefined, -1]])
  const both = await movesOf(call, id, other)
  assert.deepEqual(both.toSorted(), [...own, [other, undefined, -1]].toSorted())
  const all: Body[] = await history(call)
  assert.deepEqual(all.filter(({ orderId }) => orderId === undefined).map(({ delta }) => delta), [12, 3]) // biome-ignore format: one thought
  // Another company has no such order.
  assert.deepEqual(await movesOf((await service.company()).call, id), [])
})

test('the history finds what a completed order and its void moved, and each sale of a bulk', async () => {
  const { call } = await service.company()
  const { variantId, outletId } = await shop(call)
  const body = { ...lineOf(variantId), outletId }
  const { id } = succeeded(await call('POST', '/v1/order', { ...body, status: 'parked' }), 201)
  assert.deepEqual(await movesOf(call, id), [])
  succeeded(await call('POST', `/v1/sale/${id}/complete`, {}))
  succeeded(await call('POST', `/v1/sale/${id}/void`, {}))
  assert.deepEqual(await movesOf(call, id), [[id, undefined, -2], [id, undefined, 2]]) // biome-ignore format: one thought
  const { results } = succeeded(await call('POST', '/v1/sales', { items: [body, body] }))
  for (const { data } of results) assert.deepEqual(await movesOf(call, data.order.id), [[data.order.id, undefined, -2]])
})

test('an order of many lines has all its moves in the history, in pages', async () => {
  const { call } = await service.company()
  const { variantId, outletId } = await shop(call, 40)
  const lineItems = Array.from({ length: 30 }, () => ({ variantId, quantity: 1, price: '1.00' }))
  const { id } = succeeded(await call('POST', '/v1/sale', { lineItems, outletId }), 201).order
  const { data, meta } = succeeded(await call('GET', `/v1/inventory-history?orderId=${id}&limit=20&sortOrder=desc`))
  assert.deepEqual([data.length, meta.count, data[0].newStock], [20, 30, 10])
  const rest = succeeded(await call('GET', `/v1/inventory-history?orderId=${id}&limit=20&sortOrder=desc&cursor=${meta.nextCursor}`)) // biome-ignore format: one thought
  assert.deepEqual([rest.data.length, rest.data.at(-1).previousStock], [10, 40])
})

test('a change that was not recorded is in the history of no order, though a sale finds it', async () => {
  const { id: companyId, call } = await service.company()
  const { variantId, outletId } = await shop(call)
  // As if a server of an earlier version had moved stock without an entry.
  await service.database.query('delete from inventory_history where company_id = $1', [companyId])
  const { id } = succeeded(await call('POST', '/v1/sale', { ...lineOf(variantId), outletId }), 201).order
  const [before, sold]: Body[] = await history(call)
  assert.deepEqual([before?.delta, before?.orderId, sold?.delta, sold?.orderId], [12, undefined, -2, id])
})

test('a sale that swaps a variant for another one of it needs no more stock than it takes in the end, in every order of its lines, also when an order is completed', async () => {
  const { call } = await service.company()
  const { variantId, outletId, productId } = await shop(call, 1)
  const line = (quantity: number, id = variantId) => ({ variantId: id, quantity, price: '1.00' })
  const shown = (stock: Body[]) => stock.map(({ lineItem, previousStock, stock }) => [lineItem, previousStock, stock])
  const other = succeeded(await call('POST', '/v1/variant', { productId, manageStock: true, inventory: [{ outletId, stock: 5 }] }), 201).id // biome-ignore format: one thought
  const lineItems = [line(2), line(4, other), line(-1), line(-2, other)]
  const sold = succeeded(await call('POST', '/v1/sale', { outletId, lineItems }), 201)
  assert.deepEqual(shown(sold.stock), [[0, 2, 0], [1, 7, 3], [2, 1, 2], [3, 5, 7]]) // biome-ignore format: one thought
  const chain: Body[] = await history(call, `?variantId=${variantId}`)
  assert.deepEqual(
    chain.map(({ kind, previousStock, newStock }) => [kind, previousStock, newStock]),
    [['ADJUSTMENT', 0, 1], ['RETURN', 1, 2], ['SALE', 2, 0]], // biome-ignore format: one thought
  )
  const { id } = succeeded(await call('POST', '/v1/order', { status: 'parked', outletId, lineItems: [line(1), line(-1)] }), 201) // biome-ignore format: one thought
  assert.deepEqual(shown(succeeded(await call('POST', `/v1/sale/${id}/complete`, {})).stock), [[0, 1, 0], [1, 0, 1]]) // biome-ignore format: one thought
  const short = await call('POST', '/v1/sale', { outletId, lineItems: [line(2), line(-1)] })
  refused(short, 409, 'conflict', '/lineItems/0')
  assert.equal(short.body.errors[0].limit, 1)
  assert.equal(await stockOf(call, variantId), 0)
})
