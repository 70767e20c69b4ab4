// A level is identified by product, variant and outlet together, for existing variants and for opaque ids (decisions
// §6).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { feed } from './support/feed.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

const setLevels = (call: Caller, items: unknown) => call('POST', '/v1/inventories/set-levels', { items })
const adjust = (call: Caller, items: unknown) => call('POST', '/v1/inventories/adjust', { items })
const newVariant = async (call: Caller, more: object = {}): Promise<string> =>
  (await call('POST', '/v1/variant', { productId: 'p', manageStock: true, ...more })).body.id
const level = (productId: string | undefined, variantId = 'default', outletId = 'o') => ({ productId, variantId, outletId }) // biome-ignore format: one thought

/** The live records of a company: product, variant, outlet and stock of each. */
const live = async (call: Caller): Promise<unknown[]> =>
  (await call('GET', '/v1/inventories')).body.data
    .map(({ productId, variantId, outletId, stock }: Body) => [productId, variantId, outletId, stock])
    .sort()
const errorsOf = ({ results }: Body) =>
  results.map(({ error }: Body) => error && [error.statusCode, error.errors?.[0].pointer])

test('two products with the variant id "default" have a level each, in set-levels, adjust, records and bulk', async () => {
  const { id: companyId, call } = await service.company()
  const other = await service.company()
  const first = await setLevels(call, [{ ...level('P1'), quantity: 4 }, { ...level('P2'), quantity: 7 }]) // biome-ignore format: one thought
  assert.deepEqual(first.body.summary, { total: 2, succeeded: 2, failed: 0, created: 2, updated: 0, unchanged: 0 })
  assert.deepEqual(await live(call), [['P1', 'default', 'o', 4], ['P2', 'default', 'o', 7]]) // biome-ignore format: one thought

  const second = await setLevels(call, [{ ...level('P2'), quantity: 8, expectedQuantity: 7 }, { ...level('P3'), quantity: 1, expectedQuantity: 4 }]) // biome-ignore format: one thought
  assert.deepEqual(second.body.results.map(({ status, data }: Body) => [status, data?.previousStock]), [['success', 7], ['error', undefined]]) // biome-ignore format: one thought
  const moved = await adjust(call, [{ ...level('P1'), delta: -1, kind: 'SALE' }, { ...level('P3'), delta: 5, kind: 'RECEIVED' }]) // biome-ignore format: one thought
  assert.deepEqual(moved.body.results.map(({ data }: Body) => [data.productId, data.previousStock, data.stock]), [['P1', 4, 3], ['P3', 0, 5]]) // biome-ignore format: one thought
  assert.equal((await call('POST', '/v1/inventory', { ...level('P4'), stock: 2 })).status, 201)
  const { body: bulk } = await call('POST', '/v1/inventories', [level('P4'), { ...level('P5'), stock: 6 }])
  assert.deepEqual(errorsOf(bulk), [[409, undefined], undefined])
  assert.deepEqual(
    await live(call),
    [['P1', 3], ['P2', 8], ['P3', 5], ['P4', 2], ['P5', 6]].map(([product, stock]) => [product, 'default', 'o', stock]), // biome-ignore format: one thought
  )
  assert.deepEqual(await live(other.call), [])
  // An unmanaged variant has no history.
  assert.deepEqual((await call('GET', '/v1/inventory-history')).body.data, [])
  const id = first.body.results[0].data.id
  const types = (await feed(service, companyId, id)).map(({ type, previous }) => [type, previous])
  assert.deepEqual(types.slice(2), [['inventory.updated', { stock: 4 }], ['inventory.stock_changed', { stock: 4 }]]) // biome-ignore format: one thought
})

test('a deleted level is not revived, for any product; a level of another product does not block', async () => {
  const { call } = await service.company()
  const { body } = await setLevels(call, [{ ...level('P1'), quantity: 4 }, { ...level('P2'), quantity: 7 }]) // biome-ignore format: one thought
  const [one, two] = body.results.map(({ data }: Body) => data.id)
  await call('DELETE', `/v1/inventory/${one}`)
  const again = await setLevels(call, [{ ...level('P1'), quantity: 9 }])
  assert.equal(again.body.results[0].data.previousStock, 0)
  assert.ok(![one, two].includes(again.body.results[0].data.id))
  assert.equal((await call('GET', `/v1/inventory/${one}`)).body.isDeleted, true)
  assert.equal((await call('GET', `/v1/inventory/${two}`)).body.stock, 7)
})

test('for an existing variant another productId is 400 at productId with the right one, wherever stock is written', async () => {
  const { call } = await service.company()
  const variantId = await newVariant(call)
  const right = level('p', variantId)
  const wrong = { ...right, productId: 'q' }
  const { body: record } = await call('POST', '/v1/inventory', { ...right, stock: 3 })
  const path = `/v1/inventory/${record.id}`
  for (const [method, at, body] of [
    ['POST', '/v1/inventory', { ...wrong, outletId: 'b' }],
    ['PATCH', path, { productId: 'q' }],
    ['PATCH', path, { ...wrong, stock: 5 }],
  ] as const) {
    const { status, body: problem } = await call(method, at, body)
    assert.equal(status, 400)
    assert.equal(problem.errors[0].pointer, '/productId')
    assert.match(problem.errors[0].message, /must be "p"/)
  }
  const { body: created } = await call('POST', '/v1/inventories', { items: [{ ...wrong, outletId: 'b' }, { ...right, outletId: 'b', stock: 1 }, { ...wrong, outletId: 'c' }] }) // biome-ignore format: one thought
  assert.deepEqual(errorsOf(created), [[400, '/items/0/productId'], undefined, [400, '/items/2/productId']])
  const { body: changed } = await call('PATCH', '/v1/inventories', {
    items: [
      { id: created.results[1].data.id, productId: 'q', stock: 9 },
      { id: record.id, productId: 'p', stock: 4 },
    ],
  })
  assert.deepEqual(errorsOf(changed), [[400, '/items/0/productId'], undefined])
  const set = await setLevels(call, [{ ...wrong, quantity: 8 }, { ...right, quantity: 5 }]) // biome-ignore format: one thought
  assert.deepEqual(errorsOf(set.body), [[400, '/items/0/productId'], undefined])
  const moved = await adjust(call, [{ ...right, delta: 1, kind: 'RECEIVED' }, { ...wrong, delta: 1, kind: 'RECEIVED' }]) // biome-ignore format: one thought
  assert.deepEqual(errorsOf(moved.body), [undefined, [400, '/items/1/productId']])
  assert.match(moved.body.results[1].error.message, /must be "p"/)
  assert.deepEqual(await live(call), [['p', variantId, 'b', 1], ['p', variantId, 'o', 6]]) // biome-ignore format: one thought
})

test('the first of several new levels for one tuple in a request is stored, whether or not items name the product', async () => {
  const { call } = await service.company()
  const variantId = await newVariant(call)
  const { body } = await call('POST', '/v1/inventories', [
    { ...level('p', variantId), stock: 1 },
    { ...level(undefined, variantId), stock: 2 },
    { ...level('p', variantId), stock: 3 },
  ])
  assert.deepEqual(errorsOf(body), [undefined, [409, undefined], [409, undefined]])
  assert.deepEqual(await live(call), [['p', variantId, 'o', 1]])
})

test('a variant of another company does not count: its id is opaque', async () => {
  const ours = await service.company()
  const theirs = await service.company()
  const variantId = await newVariant(theirs.call)
  const { body } = await setLevels(ours.call, [{ ...level('q', variantId), quantity: 1 }, { ...level('r', variantId), quantity: 2 }]) // biome-ignore format: one thought
  assert.equal(body.summary.created, 2)
  assert.deepEqual((await theirs.call('GET', `/v1/variant/${variantId}`)).body.inventory, [])
})

test('productId comes from an existing variant if it is left out or cleared, and when a record moves to it', async () => {
  const { call } = await service.company()
  const variantId = await newVariant(call)
  const { body: record } = await call('POST', '/v1/inventory', { ...level(undefined, variantId), stock: 1 })
  assert.equal(record.productId, 'p')
  assert.equal((await call('PATCH', `/v1/inventory/${record.id}`, { productId: null })).body.productId, 'p')
  const { body } = await adjust(call, [{ ...level(undefined, variantId), delta: 1, kind: 'RECEIVED' }])
  assert.deepEqual([body.results[0].data.id, body.results[0].data.productId], [record.id, 'p'])
  const { body: opaque } = await call('POST', '/v1/inventory', { ...level('other', 'default', 'b'), stock: 6 })
  const moved = await call('PATCH', `/v1/inventory/${opaque.id}`, { variantId })
  assert.deepEqual([moved.status, moved.body.productId], [200, 'p'])
  assert.deepEqual((await call('GET', `/v1/variant/${variantId}`)).body.inventory, [
    { outletId: 'b', stock: 6 },
    { outletId: 'o', stock: 2 },
  ])
})

test('adjust without productId uses the one live level of an opaque variant id; with several it fails at productId', async () => {
  const { call } = await service.company()
  const move = (productId?: string) => ({ ...level(productId), delta: 1, kind: 'RECEIVED' })
  // There is no stock: a level without a product is one of its own.
  assert.equal((await adjust(call, [move()])).body.results[0].data.productId, undefined)
  assert.equal((await adjust(call, [move()])).body.results[0].data.stock, 2)
  const { body } = await adjust(call, [move(), move('P1'), move()])
  assert.deepEqual(errorsOf(body), [undefined, undefined, [400, '/items/2/productId']])
  assert.match(body.results[2].error.message, /is required because several products/)
  assert.deepEqual(await live(call), [['P1', 'default', 'o', 1], [undefined, 'default', 'o', 3]].sort()) // biome-ignore format: one thought
  const without = (await call('GET', '/v1/inventories')).body.data.find(
    ({ productId }: Body) => productId === undefined,
  )
  await call('DELETE', `/v1/inventory/${without.id}`)
  assert.deepEqual((await adjust(call, [move()])).body.results[0].data.productId, 'P1')
  assert.deepEqual(errorsOf((await adjust(call, [move('P2'), move()])).body), [undefined, [400, '/items/1/productId']])
})

for (const [method, path] of [
  ['PATCH', (id: string) => `/v1/variant/${id}`],
  ['PUT', (id: string) => `/v1/api/variant/${id}`],
  ['PATCH', () => '/v1/variants'],
] as const)
  test(`a variant that changes its product moves its live levels, without history: ${method} ${path('{id}')}`, async () => {
    const { id: companyId, call } = await service.company()
    const variantId = await newVariant(call)
    const sibling = await newVariant(call)
    await setLevels(call, [
      ...['a', 'b', 'gone'].map((outletId) => ({ ...level('p', variantId, outletId), quantity: 3 })),
      { ...level('p', sibling), quantity: 1 },
      { ...level('p'), quantity: 2 },
    ])
    const records = (await call('GET', `/v1/inventories?variantId=${variantId}`)).body.data as Body[]
    const gone = records.find(({ outletId }) => outletId === 'gone') as Body
    await call('DELETE', `/v1/inventory/${gone.id}`)
    const before = (await call('GET', '/v1/inventory-history')).body.data
    const { body: variant } = await call('GET', `/v1/variant/${variantId}`)

    const change = { productId: 'q', ...(path('') === '/v1/variants' && { id: variantId }) }
    const answer = await call(method, path(variantId), path('') === '/v1/variants' ? [change] : change)
    assert.equal(answer.status, 200, answer.text)
    const after = (await call('GET', `/v1/variant/${variantId}`)).body
    assert.deepEqual([after.productId, after.inventory], ['q', variant.inventory])
    assert.deepEqual((await call('GET', '/v1/inventory-history')).body.data, before)
    assert.deepEqual(await live(call), [
      ...[['p', 'default', 'o', 2], ['p', sibling, 'o', 1]], // biome-ignore format: one thought
      ...[['q', variantId, 'a', 3], ['q', variantId, 'b', 3]], // biome-ignore format: one thought
    ].sort()) // biome-ignore format: one thought
    assert.equal((await call('GET', '/v1/inventories?productId=q')).body.meta.count, 2)
    assert.equal((await call('GET', `/v1/inventory/${gone.id}`)).body.productId, 'p')
    const [first] = records as [Body]
    const reported = (await feed(service, companyId, first.id)).slice(2)
    assert.deepEqual(reported.map(({ type, previous }) => [type, previous]), [['inventory.updated', { productId: 'p' }]]) // biome-ignore format: one thought
    const { body: record } = await call('GET', `/v1/inventory/${first.id}`)
    assert.deepEqual(reported[0]?.data, record)
    assert.ok(record.updatedAt > first.updatedAt)
    // The chain continues.
    await adjust(call, [{ ...level('q', variantId, 'a'), delta: -1, kind: 'SALE' }])
    const { body: history } = await call('GET', `/v1/inventory-history?variantId=${variantId}&outletId=a`)
    assert.deepEqual(history.data.map((entry: Body) => [entry.productId, entry.previousStock, entry.newStock]), [['p', 0, 3], ['q', 3, 2]]) // biome-ignore format: one thought
  })

test('a variant changes its product, its stock and whether it is managed in one request', async () => {
  const { call } = await service.company()
  const variantId = await newVariant(call, { manageStock: false, inventory: [{ outletId: 'a', stock: 1 }] })
  const { status } = await call('PATCH', `/v1/variant/${variantId}`, {
    productId: 'q',
    manageStock: true,
    inventory: [{ outletId: 'b', stock: 5 }],
  })
  assert.equal(status, 200)
  assert.deepEqual(await live(call), [['q', variantId, 'a', 1], ['q', variantId, 'b', 5]]) // biome-ignore format: one thought
  const { body } = await call('GET', '/v1/inventory-history')
  assert.deepEqual(body.data.map((entry: Body) => [entry.productId, entry.outletId, entry.newStock]), [['q', 'a', 1], ['q', 'b', 5]]) // biome-ignore format: one thought
})

test('more levels than one statement updates follow their variants, and no other variant\u2019s do', async () => {
  const { call } = await service.company()
  const variants = await Promise.all(Array.from({ length: 3 }, () => newVariant(call, { manageStock: false })))
  for (const variantId of variants)
    await setLevels(call, Array.from({ length: 700 }, (_, n) => ({ ...level('p', variantId, `${n}`), quantity: n }))) // biome-ignore format: one thought
  const [one, two] = variants
  const { body } = await call('PATCH', '/v1/variants', [{ id: one, productId: 'q' }, { id: two, productId: 'r' }]) // biome-ignore format: one thought
  assert.equal(body.summary.succeeded, 2)
  const count = async (query: string) => (await call('GET', `/v1/inventories?${query}`)).body.meta.count
  assert.deepEqual(await Promise.all(['q', 'r', 'p'].map((product) => count(`productId=${product}`))), [700, 700, 700])
  assert.equal(await count(`productId=q&variantId=${one}`), 700)
})

test('the levels of a deleted variant stay, each a tuple of its own from then on', async () => {
  const { call } = await service.company()
  const variantId = await newVariant(call)
  await setLevels(call, [{ ...level('p', variantId), quantity: 3 }])
  await call('DELETE', `/v1/variant/${variantId}`)
  const { body } = await setLevels(call, [{ ...level('q', variantId), quantity: 1 }, { ...level('p', variantId), quantity: 2 }]) // biome-ignore format: one thought
  assert.deepEqual(body.results.map(({ data }: Body) => data.previousStock), [0, 3]) // biome-ignore format: one thought
  assert.deepEqual(await live(call), [['p', variantId, 'o', 2], ['q', variantId, 'o', 1]]) // biome-ignore format: one thought
})

test('the report of low stock shows the product of a variant after it has changed', async () => {
  const { call } = await service.company()
  const variantId = await newVariant(call, { inventory: [{ outletId: 'a', stock: 1 }] })
  await setLevels(call, [{ ...level('P1'), quantity: 0 }, { ...level('P2'), quantity: 0 }]) // biome-ignore format: one thought
  await call('PATCH', `/v1/variant/${variantId}`, { productId: 'q' })
  const { body } = await call('GET', '/v1/reports/low-stock?below=5')
  assert.deepEqual(body.data.map((row: Body) => [row.productId, row.variantId, row.outletId, row.stock]), [['q', variantId, 'a', 1]]) // biome-ignore format: one thought
})

test('a level with another product from a server of the previous version gets its variant’s again with the next move, and is no second one', async () => {
  const { id: companyId, call } = await service.company()
  const variantId = await newVariant(call)
  await setLevels(call, ['a', 'b'].map((outletId) => ({ ...level('p', variantId, outletId), quantity: 3 }))) // biome-ignore format: one thought
  await service.database.query(
    `update inventories set version = version + 1, body = replace(body::text, '"productId":"p"', '"productId":"q"')::json where company_id = $1`,
    [companyId],
  )
  const right = level('p', variantId, 'a')
  assert.equal((await call('POST', '/v1/inventory', right)).status, 409)
  const { body } = await setLevels(call, [{ ...right, quantity: 3 }])
  assert.deepEqual([body.summary.updated, body.results[0].data.previousStock], [1, 3])
  const moved = await adjust(call, [{ ...level(undefined, variantId, 'b'), delta: 1, kind: 'RECEIVED' }])
  assert.deepEqual(moved.body.results[0].data.previousStock, 3)
  assert.deepEqual(await live(call), [['p', variantId, 'a', 3], ['p', variantId, 'b', 4]]) // biome-ignore format: one thought
  // Beside a level of an opaque id too.
  await service.database.query(
    `update inventories set version = version + 1, body = replace(body::text, '"productId":"p"', '"productId":"q"')::json
     where company_id = $1 and outlet_id = 'b'`,
    [companyId],
  )
  const both = await setLevels(call, [{ ...level('x'), quantity: 1 }, { ...level('p', variantId, 'b'), quantity: 9 }]) // biome-ignore format: one thought
  assert.deepEqual(both.body.results.map(({ data }: Body) => [data.productId, data.previousStock]), [['x', 0], ['p', 4]]) // biome-ignore format: one thought
  const [last] = (await feed(service, companyId, body.results[0].data.id)).slice(-1)
  assert.deepEqual([last?.type, last?.previous], ['inventory.updated', { productId: 'q' }])
})
