// Bulk writes through the SDK: any number of items, their order, and what failed once more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService } from '../../server/test/support/service.ts'
import {
  CashwrapError,
  ConnectionError,
  NotFoundError,
  PayloadTooLargeError,
  TooManyItemsError,
  ValidationFailedError,
} from '../src/index.ts'
import { clientOf, faultProxy } from './support.ts'

const service = sharedService()

test('2,500 items are three requests, and their results are in the order of the items', async (t) => {
  const company = await service.company()
  const proxy = await faultProxy(t, service.url, () => 'passed')
  const client = clientOf(service, company, { baseUrl: proxy.url })
  const items = Array.from({ length: 2_500 }, (_, n) =>
    n % 1_000 === 7 ? { name: 7 as unknown as string } : { name: `C-${n}`, clientRef: `${n}` },
  )
  const result = await client.categories.createMany(items)
  assert.equal(proxy.seen.length, 3)
  assert.equal(new Set(proxy.seen.map(({ key }) => key)).size, 3)
  assert.deepEqual(result.summary, { total: 2_500, succeeded: 2_497, failed: 3 })
  assert.deepEqual(
    result.results.map(({ index, status }) => [index, status]),
    items.map(({ name }, index) => [index, typeof name !== 'string' ? 'error' : 'success']),
  )
  const [first, , third] = result.failed
  assert.deepEqual([first?.index, third?.index, third?.error.code], [7, 2_007, 'validation_failed'])
  assert.equal(result.results[2_499]?.clientRef, '2499')
  assert.deepEqual((await client.categories.createMany([])).summary, { total: 0, succeeded: 0, failed: 0 })
})

test('items that are too large together are sent in halves, each once, and one that is too large alone is the error', async () => {
  const client = clientOf(service, await service.company(), { maxRetries: 0 })
  const items = Array.from({ length: 110 }, (_, n) => ({ name: `P-${n}`, description: 'x'.repeat(100_000) }))
  const options = { idempotencyKey: 'catalogue' }
  const made = await client.products.createMany(items, options)
  assert.deepEqual(made.summary, { total: 110, succeeded: 110, failed: 0 })
  const names = made.results.map((result) => result.status === 'success' && result.data.name)
  assert.deepEqual(names, items.map(({ name }) => name)) // biome-ignore format: one thought
  // A program that is run again has the same halves under the same keys.
  await client.products.createMany(items, options)
  assert.equal((await client.products.list({ limit: 1 }).page()).count, 110)
  const huge = { name: 'Huge', description: 'x'.repeat(11_000_000) }
  const error = await client.products.createMany([{ name: 'Small' }, huge]).catch((error) => error)
  assert.ok(error instanceof PayloadTooLargeError)
  assert.deepEqual([error.bulk?.results.length, error.bulk?.unknown], [1, 1])
})

test('retryFailed sends only what failed, and puts the results in their places', async (t) => {
  const company = await service.company()
  const proxy = await faultProxy(t, service.url, () => 'passed')
  const client = clientOf(service, company, { baseUrl: proxy.url })
  const product = await client.products.create({ name: 'Tea' })
  const variant = await client.variants.create({ productId: product.id, manageStock: true })
  const outlets = await client.outlets.createMany([{ name: 'A' }, { name: 'B' }])
  const [a, b] = outlets.results.map((result) => (result.status === 'success' ? result.data.id : ''))
  const move = (outletId = '', delta = 0) => ({ variantId: variant.id, outletId, delta, kind: 'SALE' as const })
  await client.inventory.adjust([{ ...move(a, 5), kind: 'RECEIVED' }])
  const sold = await client.inventory.adjust([move(a, -1), move(b, -1), move(a, -1)], { reason: 'Market' })
  assert.deepEqual(sold.summary, { total: 3, succeeded: 2, failed: 1, created: 0, updated: 2, unchanged: 0 })
  await client.inventory.adjust([{ ...move(b, 5), kind: 'RECEIVED' }])
  const before = proxy.seen.length
  const again = await sold.retryFailed()
  assert.equal(proxy.seen.length, before + 1)
  assert.deepEqual([again.summary.succeeded, again.summary.failed], [3, 0])
  assert.deepEqual(
    again.results.map((result) => result.status === 'success' && result.data.stock),
    [4, 4, 3],
  )
  await again.retryFailed()
  assert.equal(proxy.seen.length, before + 1, 'Nothing failed, so nothing is sent.')
})

test('a bulk write that breaks off goes on where it stopped, and does nothing twice', async (t) => {
  const company = await service.company()
  const proxy = await faultProxy(t, service.url, (request) => (request === 1 ? 'answer lost' : 'passed'))
  const client = clientOf(service, company, { baseUrl: proxy.url, maxRetries: 0 })
  const items = Array.from({ length: 2_200 }, (_, n) => ({ name: `C-${n}` }))
  const error = await client.categories.createMany(items, { idempotencyKey: 'import-7' }).catch((reason) => reason)
  assert.ok(error instanceof ConnectionError && error instanceof CashwrapError)
  assert.deepEqual([error.bulk?.results.length, error.bulk?.unknown], [1_000, 1_200])
  await error.bulk?.retryFailed()
  assert.equal(error.bulk?.unknown, 0)
  assert.deepEqual(
    proxy.seen.map(({ key }) => key),
    ['import-7', 'import-7-1', 'import-7-1', 'import-7-2'],
  )
  const names = (await client.categories.list({ limit: 1000 }).toArray()).map(({ name }) => name)
  assert.deepEqual(
    names,
    items.map(({ name }) => name),
  )
})

test('an item whose second attempt lost its answer is not sent under a third key', async (t) => {
  const company = await service.company()
  const proxy = await faultProxy(t, service.url, (request) => ([1, 2, 3].includes(request) ? 'answer lost' : 'passed'))
  const client = clientOf(service, company, { baseUrl: proxy.url, maxRetries: 0 })
  const direct = clientOf(service, company)
  const { id: outletId } = await direct.outlets.create({ name: 'Shop' })
  const { id: productId } = await direct.products.create({ name: 'Tea' })
  const { id: variantId } = await direct.variants.create({ productId, manageStock: true })
  const move = { variantId, outletId, delta: -1, kind: 'SALE' as const }
  const sold = await client.inventory.adjust([move])
  assert.equal(sold.failed.length, 1)
  await direct.inventory.adjust([{ ...move, delta: 10, kind: 'RECEIVED' }])
  for (let n = 0; n < 3; n++) await assert.rejects(sold.retryFailed(), ConnectionError)
  await sold.retryFailed()
  assert.deepEqual(sold.summary.failed, 0)
  const [level] = await direct.inventory.list().toArray()
  assert.equal(level?.stock, 9)
})

test('items may be bound to versions, and a request that is wrong as a whole is one error', async () => {
  const client = clientOf(service, await service.company())
  const { data, etag } = await client.categories.create({ name: 'Tea' }).withResponse()
  const { results } = await client.categories.updateMany([
    { id: data.id, name: 'Teas', ifMatch: etag as string },
    { id: '6740a1f2c3d4e5f6a7b8c9d0', name: 'None' },
  ])
  assert.deepEqual(
    results.map((result) => (result.status === 'success' ? result.data.name : result.error.code)),
    ['Teas', 'not_found'],
  )
  await assert.rejects(
    client.inventory.adjust([], { reason: 3 as unknown as string }).then(() => client.categories.get('x')),
    NotFoundError,
  )
  const wrong = { variantId: 'v', outletId: 'o', delta: 1, kind: 'RECEIVED' as const }
  await assert.rejects(client.inventory.adjust([wrong], { reason: 3 as unknown as string }), ValidationFailedError)
})

test('items of one group are in one request, however the items are divided, so that a transfer is carried out as a whole or not at all', async (t) => {
  const company = await service.company()
  const proxy = await faultProxy(t, service.url, () => 'passed')
  const client = clientOf(service, company, { baseUrl: proxy.url })
  const { id: outletId } = await client.outlets.create({ name: 'Main Street' })
  const { id: productId } = await client.products.create({ name: 'Mug' })
  const { id: variantId } = await client.variants.create({ productId, manageStock: true })
  const move = (delta: number, more: object = {}) => ({
    variantId,
    outletId,
    delta,
    kind: 'TRANSFER' as const,
    ...more,
  })
  const before = Array.from({ length: 999 }, () => move(1))
  // The second half of the transfer, the first item of another request, is wrong.
  const transfer = [move(-10, { group: '8' }), move(10, { group: '8', outletId: '' })]
  const moved = await client.inventory.adjust([...before, ...transfer], { idempotencyKey: 'transfers' })
  assert.deepEqual([moved.summary.succeeded, moved.failed.map(({ index }) => index)], [999, [999, 1_000]])
  assert.deepEqual(
    proxy.seen.map(({ key }) => key).filter((key) => key?.startsWith('transfers')),
    ['transfers', 'transfers-1'],
  )
  // A group that is too long for a request is refused as a whole.
  const long = Array.from({ length: 1_001 }, () => move(1, { group: '9' }))
  await assert.rejects(client.inventory.adjust([move(1), ...long]), TooManyItemsError)
  // Items of a group that are apart might each be alone in their request: nothing is sent.
  const apart = ['1', '2', '1'].map((group) => move(1, { group }))
  const isApart = /^TypeError: Item 2 must directly follow the other items of its group, 1\.$/
  await assert.rejects(async () => client.inventory.adjust(apart), isApart)
  const [level] = await client.inventory.list({ variantId }).toArray()
  assert.equal(level?.stock, 1_000)
})
