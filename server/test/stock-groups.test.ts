// Moves of stock that belong together, such as both halves of a transfer: a group is carried out completely or not at
// all.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { sharedService } from './support/service.ts'
import { adjust, history, live, newVariant, setLevels, stockOn } from './support/stock.ts'

const service = sharedService()
const { onBoth, assertChains } = stockOn(service)

/** Both halves of a transfer from outlet a to outlet b. */
const transfer = (variantId: string, amount: number, group: string) =>
  [
    ['a', -amount],
    ['b', amount],
  ].map(([outletId, delta]) => ({ variantId, outletId, delta, kind: 'TRANSFER', group }))

const outcomesOf = ({ results }: Body) =>
  results.map(({ data, error }: Body) => (data ? data.stock : [error.statusCode, error.reason ?? error.code]))

test('of a group all items are carried out or none, and each refused one says why', async () => {
  const { call } = await service.company()
  const variantId = await newVariant(call)
  await setLevels(call, [{ productId: 'p', variantId, outletId: 'a', quantity: 5 }])
  const before = (await history(call)).length
  const { body } = await adjust(call, [
    ...transfer(variantId, 2, 'first'),
    ...transfer(variantId, 9, 'too much'),
    { variantId, outletId: 'c', delta: 1, kind: 'RECEIVED' },
    ...transfer(variantId, 3, 'last'),
  ])
  const none = [409, 'conflict']
  const stocked = [409, 'group_refused']
  assert.deepEqual(outcomesOf(body), [3, 2, none, stocked, 1, 0, 5])
  assert.deepEqual(body.summary, { total: 7, succeeded: 5, failed: 2, created: 2, updated: 3, unchanged: 0 })
  assert.match(body.results[3].error.message, /"too much" was refused/)
  assert.equal((await history(call)).length, before + 5)
  // What an earlier item of the group had moved is taken back.
  const reversed = await adjust(call, transfer(variantId, 9, 'reversed').reverse())
  assert.deepEqual(outcomesOf(reversed.body), [stocked, none])
  assert.deepEqual((await live(call)).map(({ stock }: Body) => stock).sort(), [0, 1, 5])
})

test('an invalid item refuses its group, and so do items that are not next to each other', async () => {
  const { call } = await service.company()
  const variantId = await newVariant(call, { allowBackorder: true })
  const [out, into] = transfer(variantId, 1, 'g')
  const wrong = [
    { ...into, delta: 'one' },
    { ...into, outletId: undefined },
    { ...into, clientRef: 5 },
    { ...into, nonsense: 1 },
  ]
  for (const other of wrong) {
    const { body } = await adjust(call, [out, other])
    const [first, second] = outcomesOf(body)
    assert.deepEqual([first, second[0]], [[409, 'group_refused'], 400])
  }
  const between = { ...out, group: undefined, outletId: 'c' }
  const { body } = await adjust(call, [out, between, into])
  assert.deepEqual(body.results.map(({ error }: Body) => error?.errors[0].pointer), ['/items/2/group', undefined, '/items/2/group']) // biome-ignore format: one thought
  assert.deepEqual((await live(call)).map(({ outletId }: Body) => outletId), ['c']) // biome-ignore format: one thought
  const apart = await adjust(call, [out, { ...between, delta: 'one' }, into])
  assert.deepEqual(apart.body.results.map(({ error }: Body) => error?.statusCode), [400, 400, 400]) // biome-ignore format: one thought
  assert.equal((await live(call)).length, 1)
  const counted = await setLevels(call, [{ productId: 'p', variantId, outletId: 'a', quantity: 1, group: 'g' }])
  assert.equal(counted.body.results[0].error.errors[0].pointer, '/items/0/group')
})

test('groups of one name in concurrent requests are separate groups, and moved stock is neither lost nor created', async () => {
  const { id, call, calls } = await onBoth()
  const variantId = await newVariant(call)
  await setLevels(call, [{ productId: 'p', variantId, outletId: 'a', quantity: 10 }])
  const replies = await Promise.all(
    Array.from({ length: 16 }, (_, n) => (calls[n % 2] as typeof call)('POST', '/v1/inventories/adjust', { items: transfer(variantId, 1, 'g') })), // biome-ignore format: one thought
  )
  const done = replies.filter(({ body }) => body.summary.succeeded === 2).length
  const refused = replies.filter(({ body }) => body.summary.failed === 2).length
  assert.deepEqual([done, refused], [10, 6])
  assert.deepEqual((await live(call)).map(({ stock }: Body) => stock).sort(), [0, 10]) // biome-ignore format: one thought
  await assertChains(id)
})

test('a refused group leaves nothing that affects later items of the request', async () => {
  const { call } = await service.company()
  const level = { variantId: 'default', outletId: 'a', kind: 'RECEIVED' }
  const { body } = await adjust(call, [
    { ...level, productId: 'p', delta: 5, group: 'g' },
    { ...level, productId: 'q', delta: -1, group: 'g' },
    { ...level, delta: 3 },
  ])
  assert.deepEqual(outcomesOf(body), [[409, 'group_refused'], [409, 'conflict'], 3])
  // It names no product, and there is no level of one.
  assert.deepEqual((await live(call)).map(({ productId, stock }: Body) => [productId, stock]), [[undefined, 3]]) // biome-ignore format: one thought
})

test('a refused move names the member that asks for too much', async () => {
  const { call } = await service.company()
  const variantId = await newVariant(call)
  const level = { productId: 'p', variantId, outletId: 'a' }
  const cases: [Body, string, string][] = [
    [await adjust(call, [{ ...level, delta: -1, kind: 'SALE' }]), '/items/0/delta', 'stock'],
    [await setLevels(call, [{ ...level, quantity: -1 }]), '/items/0/quantity', 'stock'],
    [await setLevels(call, [{ ...level, stock: -1 }]), '/items/0/stock', 'stock'],
    [await setLevels(call, [{ ...level, quantity: 1, expectedQuantity: 2 }]), '/items/0/expectedQuantity', 'expected'],
  ]
  for (const [{ body }, pointer, code] of cases) {
    const { statusCode, message, errors } = body.results[0].error
    assert.deepEqual([statusCode, errors], [409, [{ in: 'body', pointer, code, message }]])
  }
})
