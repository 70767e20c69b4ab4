// Items of set-levels and adjust that name their variant by a code: they move its stock, or are refused where none would move.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../src/core/problem.ts'
import { withNamedVariants } from '../src/features/inventory/named-items.ts'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { shop, stockOf } from './support/sales.ts'
import { type Caller, sharedService } from './support/service.ts'
import { adjust, live, setLevels } from './support/stock.ts'

const service = sharedService()
const codes = { externalId: 'shop-17', sku: 'MUG-1', barcode: '4006381333931' }

/** The stock after each item, or its error’s code and the pointers and codes of its wrong members. */
const outcomes = ({ body }: { body: Body }) =>
  body.results.map(({ data, error }: Body) =>
    error
      ? [error.code, ...(error.errors ?? []).map(({ pointer, code }: Body) => `${pointer} ${code}`)]
      : [data.previousStock, data.stock],
  )

const receive = (call: Caller, outletId: string, items: readonly object[]) =>
  adjust(
    call,
    items.map((item) => ({ outletId, delta: 1, kind: 'RECEIVED', ...item })),
  )

test('an item without variantId moves the stock of the variant with its SKU, barcode or external id, and of no other company', async () => {
  const { call } = await service.company()
  const { outletId, productId, variantId } = await shop(call, 20, codes)
  const elsewhere = await service.company()
  const other = await shop(elsewhere.call, 5, codes)
  const moved = await receive(call, outletId, [
    { sku: 'MUG-1' },
    { barcode: '4006381333931' },
    { variantExternalId: 'shop-17' },
    { sku: 'MUG-1', productId },
    // A code of another system beside one that the variant has; an id that counts; and codes that are not set.
    { variantExternalId: 'other', sku: 'MUG-1' },
    { sku: 'of a box', variantId },
    { sku: 'MUG-1', barcode: '', variantExternalId: null, variantId: null },
  ])
  assert.deepEqual(outcomes(moved), [[20, 21], [21, 22], [22, 23], [23, 24], [24, 25], [25, 26], [26, 27]]) // biome-ignore format: one thought
  for (const { data } of moved.body.results) assert.deepEqual([data.variantId, data.productId], [variantId, productId])
  const set = await setLevels(call, [
    { sku: 'MUG-1', outletId, quantity: 9, expectedQuantity: 27 },
    { barcode: '4006381333931', outletId: 'b', quantity: 3 },
    // The same levels once more, in other words.
    { variantExternalId: 'shop-17', outletId, quantity: 1 },
    { productId, variantId, outletId: 'b', quantity: 1 },
  ])
  assert.deepEqual(outcomes(set), [[27, 9], [0, 3], ['duplicate_item'], ['duplicate_item']]) // biome-ignore format: one thought
  assert.deepEqual((await live(call)).map(({ outletId, stock }: Body) => [outletId, stock]), [[outletId, 9], ['b', 3]]) // biome-ignore format: one thought
  assert.equal(await stockOf(elsewhere.call, other.variantId), 5)
})

test('an item whose code no variant has, or several have, is refused alone and says so; a product says which of several is meant', async () => {
  const { call } = await service.company()
  const { outletId, productId, variantId } = await shop(call, 9, { sku: 'MUG-1', barcode: '1' })
  const other = await shop(call, 9, { sku: 'MUG-1' })
  const items = [
    { sku: 'mug-1' },
    { sku: 'MUG-1' },
    { sku: 'MUG-1', productId },
    { barcode: '1', productId: other.productId },
    { sku: 'none', barcode: 'none' },
    { barcode: 1 },
    { sku: 'MUG-1', delta: 'many' },
    {},
  ]
  const moved = await receive(call, outletId, items)
  assert.deepEqual(outcomes(moved), [
    ['validation_failed', '/items/0/sku reference'],
    ['conflict', '/items/1/sku ambiguous'],
    [9, 10],
    ['validation_failed', '/items/3/barcode reference'],
    ['validation_failed', '/items/4/sku reference', '/items/4/barcode reference'],
    ['validation_failed', '/items/5/barcode type'],
    ['validation_failed', '/items/6/delta type'],
    ['validation_failed', '/items/7/variantId required'],
  ])
  const messages = moved.body.results.map(({ error }: Body) => error?.errors[0].message)
  assert.equal(messages[0], 'must be the sku of a variant')
  for (const id of [variantId, other.variantId]) assert.match(messages[1], new RegExp(id))
  assert.equal(messages[3], 'must be the barcode of a variant of the product')
  assert.equal(messages[7], 'is required, or the sku, barcode or variantExternalId of the variant')
  const set = await setLevels(call, [
    { sku: 'none', outletId, quantity: 1 },
    { variantId, outletId, quantity: 1 },
    { quantity: 1 },
  ])
  assert.deepEqual(outcomes(set), [
    ['validation_failed', '/items/0/sku reference'],
    ['validation_failed', '/items/1/productId required'],
    ['validation_failed', '/items/2/variantId required', '/items/2/outletId required'],
  ])
  assert.deepEqual([await stockOf(call, variantId), await stockOf(call, other.variantId)], [10, 9])
})

test('a group with an unknown code moves nothing, a repeated request moves stock once, and a dry run none', async () => {
  const { call } = await service.company()
  const { outletId, variantId } = await shop(call, 9, codes)
  const half = (sku: string, delta: number) => ({ group: 'g', outletId, sku, delta, kind: 'TRANSFER' })
  assert.deepEqual(outcomes(await adjust(call, [half('MUG-1', -1), half('none', 1)])), [
    ['conflict'],
    ['validation_failed', '/items/1/sku reference'],
  ])
  const body = { items: [half('MUG-1', -1)] }
  const dry = succeeded(await call('POST', '/v1/inventories/adjust?dryRun=true', body))
  assert.deepEqual([dry.results[0].before.stock, dry.results[0].after.stock], [9, 8])
  assert.equal(await stockOf(call, variantId), 9)
  const once = () => call('POST', '/v1/inventories/adjust', body, { 'idempotency-key': 'delivery-1' })
  const first = await once()
  assert.equal((await once()).text, first.text)
  assert.equal(await stockOf(call, variantId), 8)
})

test('items that have a variantId are not looked up', async () => {
  const query = () => assert.fail('a statement')
  const parts = { database: { ...service.database, query }, contended: query, companyId: 'c', isGone: () => false }
  const items = [{ set: { variantId: 'v', sku: 'MUG-1' }, at: '' }, new Problem('not_found', '')]
  assert.equal(await withNamedVariants(parts, items), items)
})
