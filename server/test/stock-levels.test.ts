// set-levels, item by item: its writes, responses and refusals (pos-api.md "Set absolute inventory levels", decisions §6).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { sharedService } from './support/service.ts'
import { adjust, history, live, newVariant, setLevels } from './support/stock.ts'

const service = sharedService()

test('set-levels overwrites live records, creates missing ones, writes exactly what was sent, and returns the previous stock of each', async () => {
  const { id: companyId, call } = await service.company()
  const other = await service.company()
  const variantId = await newVariant(call)
  const there = await call('POST', '/v1/inventory', { variantId, outletId: 'a', stock: 3 })
  await call('POST', '/v1/inventory', { variantId, outletId: 'c', stock: 9 })
  await other.call('POST', '/v1/inventory', { productId: 'p', variantId, outletId: 'a', stock: 77 })

  const { status, body } = await setLevels(
    call,
    [
      { productId: 'p', variantId, outletId: 'a', quantity: 7.5, clientRef: 'first' },
      { productId: 'p', variantId, outletId: 'b', quantity: 0 },
      { productId: 'p', variantId, outletId: 'c', stock: 9 },
    ],
    { reason: 'Counted on Saturday' },
  )
  assert.equal(status, 200)
  assert.deepEqual(body.summary, { total: 3, succeeded: 3, failed: 0, created: 1, updated: 1, unchanged: 1 })
  assert.deepEqual(
    body.results.map(({ index, status, clientRef, data }: Body) => [
      index,
      status,
      clientRef,
      data.stock,
      data.previousStock,
    ]),
    [
      [0, 'success', 'first', 7.5, 3],
      [1, 'success', undefined, 0, 0],
      [2, 'success', undefined, 9, 9],
    ],
  )
  const { previousStock, ...record } = body.results[0].data
  assert.deepEqual((await call('GET', `/v1/inventory/${there.body.id}`)).body, record)
  assert.deepEqual({ ...record, updatedAt: there.body.updatedAt, stock: 3 }, there.body)
  assert.deepEqual((await live(call)).map(({ outletId, stock }: Body) => [outletId, stock]), [['a', 7.5], ['c', 9], ['b', 0]]) // biome-ignore format: one thought
  assert.deepEqual((await live(other.call)).map(({ stock }: Body) => stock), [77]) // biome-ignore format: one thought
  const types = (await feed(service, companyId))
    .slice(-4)
    .map(({ type, recordId, previous }) => [type, recordId, previous])
  const made = body.results[1].data.id
  assert.deepEqual(types, [
    ['inventory.created', made, null],
    ['inventory.stock_changed', made, null],
    ['inventory.updated', record.id, { stock: 3 }],
    ['inventory.stock_changed', record.id, { stock: 3 }],
  ])
  const entries = await history(call, `?kind=RECOUNT`)
  assert.deepEqual(
    entries.map(({ inventoryId, previousStock, newStock, delta, reason }: Body) => [
      inventoryId,
      previousStock,
      newStock,
      delta,
      reason,
    ]),
    [[record.id, 3, 7.5, 4.5, 'Counted on Saturday']],
  )
})

test('set-levels never revives a deleted record: it creates a new live one, and the deleted one stays deleted', async () => {
  const { call } = await service.company()
  const variantId = await newVariant(call)
  const tuple = { productId: 'p', variantId, outletId: 'a' }
  const { body: first } = await setLevels(call, [{ ...tuple, quantity: 4 }])
  const old = first.results[0].data.id
  await call('DELETE', `/v1/inventory/${old}`)
  const { text } = await call('GET', `/v1/inventory/${old}`)
  const { body: second } = await setLevels(call, [{ ...tuple, quantity: 6 }])
  assert.equal(second.summary.created, 1)
  assert.equal(second.results[0].data.previousStock, 0)
  assert.notEqual(second.results[0].data.id, old)
  assert.equal((await call('GET', `/v1/inventory/${old}`)).text, text)
  assert.equal((await live(call)).length, 1)
  assert.deepEqual(
    (await history(call)).map(({ previousStock, newStock, kind }: Body) => [previousStock, newStock, kind]),
    [[0, 4, 'RECOUNT'], [4, 0, 'ADJUSTMENT'], [0, 6, 'RECOUNT']], // biome-ignore format: one thought
  )
})

test('set-levels accepts a bare array, and records as they were read', async () => {
  const { call } = await service.company()
  const { body: record } = await call('POST', '/v1/inventory', {
    productId: 'p',
    variantId: 'v',
    outletId: 'a',
    stock: 1,
  })
  const { status, body } = await call('POST', '/v1/inventories/set-levels', [{ ...record, stock: 5 }])
  assert.equal(status, 200)
  assert.equal(body.results[0].data.stock, 5)
  assert.equal(body.results[0].data.id, record.id)
})

test('expectedQuantity sets only if the quantity matches, counts a missing record as 0, and fails alone otherwise', async () => {
  const { call } = await service.company()
  const item = (outletId: string, quantity: number, expectedQuantity: number) => ({
    productId: 'p',
    variantId: 'v',
    outletId,
    quantity,
    expectedQuantity,
  })
  await setLevels(call, [{ productId: 'p', variantId: 'v', outletId: 'a', quantity: 5 }])
  const { body } = await setLevels(call, [item('a', 6, 4), item('b', 1, 0), item('c', 1, 2), item('a', 7, 5)])
  assert.deepEqual(
    body.results.map(({ status, error }: Body) => error?.code ?? status),
    ['conflict', 'success', 'conflict', 'duplicate_item'],
  )
  assert.equal(body.results[0].error.statusCode, 409)
  assert.match(body.results[0].error.message, /5, not the expected 4/)
  assert.equal((await setLevels(call, [item('a', 7, 5)])).body.results[0].data.previousStock, 5)
})

test('the same product, variant and outlet twice in set-levels: the first is carried out, the later one is an error', async () => {
  const { call } = await service.company()
  const level = { variantId: 'v', outletId: 'a' }
  const { body } = await setLevels(call, [
    { ...level, productId: 'p', quantity: 1 },
    { ...level, productId: 'p', quantity: 2, clientRef: 'again' },
    { ...level, productId: 'q', quantity: 3 },
    { ...level, outletId: 'b', productId: 'p', quantity: 4 },
  ])
  assert.deepEqual(body.summary, { total: 4, succeeded: 3, failed: 1, created: 3, updated: 0, unchanged: 0 })
  assert.equal(body.results[1].clientRef, 'again')
  assert.equal(body.results[1].error.code, 'duplicate_item')
  assert.deepEqual((await live(call)).map(({ stock }: Body) => stock).sort(), [1, 3, 4]) // biome-ignore format: one thought
})

test('stock below zero is refused unless the variant has allowBackorder, for set-levels and adjust, for unknown variants too', async () => {
  const { call } = await service.company()
  const strict = await newVariant(call)
  const open = await newVariant(call, { allowBackorder: true })
  const level = (variantId: string) => ({ productId: 'p', variantId, outletId: 'a' })
  const set = await setLevels(
    call,
    [strict, open, 'elsewhere'].map((id) => ({ ...level(id), quantity: -1 })),
  )
  assert.deepEqual(set.body.results.map(({ error }: Body) => error?.statusCode), [409, undefined, 409]) // biome-ignore format: one thought
  await setLevels(
    call,
    [strict, open, 'elsewhere'].map((id) => ({ ...level(id), quantity: 2 })),
  )
  const sold = await adjust(
    call,
    [strict, open, 'elsewhere'].map((id) => ({ ...level(id), delta: -3, kind: 'SALE' })),
  )
  assert.deepEqual(sold.body.results.map(({ error }: Body) => error?.statusCode), [409, undefined, 409]) // biome-ignore format: one thought
  assert.match(sold.body.results[0].error.message, /only 2, and the variant does not have allowBackorder/)
  assert.match(sold.body.results[2].error.message, /only 2, and there is no variant with id "elsewhere"/)
  assert.deepEqual((await live(call)).map(({ stock }: Body) => stock).sort(), [-1, 2, 2]) // biome-ignore format: one thought
  // A stock that is already below zero, as after a change of the rule, may be increased.
  await call('PATCH', `/v1/variant/${open}`, { allowBackorder: false })
  assert.equal(
    (await adjust(call, [{ ...level(open), delta: 0.5, kind: 'RECEIVED' }])).body.results[0].data.stock,
    -0.5,
  )
  assert.equal(
    (await adjust(call, [{ ...level(open), delta: -0.1, kind: 'LOSS' }])).body.results[0].error.statusCode,
    409,
  )
})

test('a thousand levels are set in one request, and another company has none of them', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const items = Array.from({ length: 1000 }, (_, n) => ({
    productId: 'p',
    variantId: `v${n % 100}`,
    outletId: `o${n % 10}-${n}`,
    quantity: n,
  }))
  const { body } = await setLevels(call, items)
  assert.equal(body.summary.created, 1000)
  assert.equal((await setLevels(call, items)).body.summary.unchanged, 1000)
  assert.deepEqual(body.results.map(({ data }: Body) => data.stock), items.map(({ quantity }) => quantity)) // biome-ignore format: one thought
  assert.equal((await other.call('GET', '/v1/inventories')).body.meta.count, 0)
})

test('an invalid item still takes its level: the later one of a pair is the error', async () => {
  const { call } = await service.company()
  const level = { productId: 'p', variantId: 'v', outletId: 'a' }
  const { body } = await setLevels(call, [
    { ...level, quantity: 'x' },
    { ...level, quantity: 1 },
  ])
  assert.deepEqual(body.results.map(({ error }: Body) => error.code), ['validation_failed', 'duplicate_item']) // biome-ignore format: one thought
})

test('a level that is written as a record may be below zero; set-levels refuses to set one, also if the stock is already below zero', async () => {
  const { call } = await service.company()
  const variantId = await newVariant(call)
  const record = { productId: 'p', variantId, outletId: 'a', stock: -5 }
  assert.equal(succeeded(await call('POST', '/v1/inventory', record), 201).stock, -5)
  const inventory = [{ outletId: 'a', stock: -4 }]
  assert.deepEqual(succeeded(await call('PATCH', `/v1/variant/${variantId}`, { inventory })).inventory, inventory)
  const { body } = await setLevels(call, [{ productId: 'p', variantId, outletId: 'a', quantity: -3 }])
  assert.equal(body.results[0].error.statusCode, 409)
})
