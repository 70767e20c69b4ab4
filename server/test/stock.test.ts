// Records that the service numbers, completes or keeps unique: outlets, inventory, catalog visibility, and the stock that a variant shows (decisions §2, §6).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newReference } from './support/bodies.ts'
import { assertColumns } from './support/columns.ts'
import type { Body } from './support/contract.ts'
import { feed } from './support/feed.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

const numbers = async (call: Caller) =>
  (await call('GET', '/v1/outlets?sortBy=sequenceNumber&limit=1000')).body.data.map(
    ({ sequenceNumber }: Body) => sequenceNumber,
  )
const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1)

test('outlets are numbered 1, 2, 3 in each company separately, in either style and in bulk', async () => {
  const { call } = await service.company()
  const other = await service.company()
  assert.equal((await call('POST', '/v1/outlet', { name: 'A' })).body.sequenceNumber, 1)
  assert.equal((await call('POST', '/v1/api/outlet', { name: 'B' })).body.sequenceNumber, 2)
  const { body } = await call('POST', '/v1/outlets', [{ name: 'C' }, { name: 5 }, { name: 'D' }])
  assert.deepEqual(
    body.results.map(({ data }: Body) => data?.sequenceNumber),
    [3, undefined, 4],
  )
  assert.equal((await other.call('POST', '/v1/outlet', { name: 'A' })).body.sequenceNumber, 1)
})

test('concurrently created outlets, singly and in bulk, some of them refused, get each number once and skip none', async () => {
  const { call } = await service.company()
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => {
      if (n % 6 === 0) return call('POST', '/v1/outlets', [{ name: 'x' }, {}, { name: 'y' }])
      if (n % 6 === 1) return call('POST', '/v1/api/outlet', { name: 7 })
      return call('POST', '/v1/outlet', { name: `Shop ${n}` })
    }),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 40)
  assert.deepEqual(await numbers(call), upTo(60))
})

test('the number of an outlet is never changed by a caller and not assigned again after a delete', async () => {
  const { call } = await service.company()
  const { body: first } = await call('POST', '/v1/outlet', { name: 'A', sequenceNumber: 9 })
  assert.equal(first.sequenceNumber, 1)
  const updated = await call('PATCH', `/v1/outlet/${first.id}`, { name: 'B', sequenceNumber: 9 })
  assert.equal(updated.body.sequenceNumber, 1)
  await call('DELETE', `/v1/outlet/${first.id}`)
  assert.equal((await call('POST', '/v1/outlet', { name: 'C' })).body.sequenceNumber, 2)
})

test('inventory: a second live record of a product, variant and outlet is 409; other products, outlets, variants and companies are free', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const tuple = { productId: 'p', variantId: 'v', outletId: 'o' }
  const without = { variantId: 'v', outletId: 'o' }
  for (const own of [tuple, without]) {
    assert.equal((await call('POST', '/v1/inventory', { ...own, stock: 3 })).status, 201)
    const second = await call('POST', '/v1/inventory', { ...own, stock: 4 })
    assert.equal(second.status, 409)
    assert.equal(second.body.code, 'conflict')
    const { body } = await call('POST', '/v1/inventories', [own, { ...own, outletId: 'bulk' }])
    assert.deepEqual(body.results.map(({ error }: Body) => error?.code), ['conflict', undefined]) // biome-ignore format: one thought
  }
  for (const [caller, body] of [
    [call, { ...tuple, productId: 'q' }],
    [call, { ...tuple, outletId: 'p' }],
    [call, { ...tuple, variantId: 'w' }],
    [other.call, tuple],
  ] as const)
    assert.equal((await caller('POST', '/v1/inventory', body)).status, 201)
  assert.equal((await call('GET', '/v1/inventories?variantId=v&outletId=o')).body.meta.count, 3)
})

test('inventory: moving a record onto the product, variant and outlet of another is 409 and changes nothing', async () => {
  const { call } = await service.company()
  await call('POST', '/v1/inventory', { variantId: 'v', outletId: 'o', stock: 1 })
  const { body: record } = await call('POST', '/v1/inventory', { variantId: 'v', outletId: 'p', stock: 2 })
  const path = `/v1/inventory/${record.id}`
  assert.equal((await call('PATCH', path, { outletId: 'o', stock: 9 })).status, 409)
  assert.deepEqual((await call('GET', path)).body, record)
  assert.equal((await call('PATCH', path, { outletId: 'q' })).status, 200)
  assert.equal((await call('PATCH', path, { outletId: 'o', productId: 'another' })).status, 200)
  assert.equal((await call('PATCH', path, { productId: null })).status, 409)
})

test('inventory: a deleted pair can be created again; the deleted record stays deleted', async () => {
  const { call } = await service.company()
  const pair = { variantId: 'v', outletId: 'o' }
  const { body: old } = await call('POST', '/v1/inventory', { ...pair, stock: 1 })
  await call('DELETE', `/v1/inventory/${old.id}`)
  const { status, body: made } = await call('POST', '/v1/inventory', { ...pair, stock: 5 })
  assert.equal(status, 201)
  assert.notEqual(made.id, old.id)
  assert.equal((await call('GET', `/v1/inventory/${old.id}`)).body.isDeleted, true)
  assert.equal((await call('POST', '/v1/inventory', pair)).status, 409)
})

test('inventory: productId is taken from the variant if it is left out and the variant exists, and only then', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const { body: variant } = await call('POST', '/v1/variant', { productId: 'product-1' })
  const { body: theirs } = await other.call('POST', '/v1/variant', { productId: 'product-2' })
  const make = async (body: object) => (await call('POST', '/v1/inventory', body)).body.productId
  assert.equal(await make({ variantId: variant.id, outletId: 'a' }), 'product-1')
  assert.equal(await make({ variantId: variant.id, outletId: 'b', productId: 'product-1' }), 'product-1')
  assert.equal(await make({ variantId: theirs.id, outletId: 'a' }), undefined)
  assert.equal(await make({ variantId: 'elsewhere', outletId: 'a' }), undefined)
  const { body } = await call('POST', '/v1/inventories', [
    { variantId: 'elsewhere', outletId: 'c' },
    { variantId: variant.id, outletId: 'c' },
  ])
  assert.deepEqual(
    body.results.map(({ data }: Body) => data.productId),
    [undefined, 'product-1'],
  )
})

test('catalog visibility: one record for a product at an outlet and one for each of its variants, a second is 409', async () => {
  const { call } = await service.company()
  const product = { productId: 'p', outletId: 'o', isVisible: false }
  const post = async (body: object) => (await call('POST', '/v1/catalog-visibility', body)).status
  assert.equal(await post(product), 201)
  assert.equal(await post({ ...product, isVisible: true }), 409)
  assert.equal(await post({ ...product, variantId: 'v' }), 201)
  assert.equal(await post({ ...product, variantId: 'v' }), 409)
  assert.equal(await post({ ...product, variantId: 'w' }), 201)
  assert.equal(await post({ ...product, outletId: 'q' }), 201)
  const { body: ours } = await call('GET', '/v1/catalog-visibilities?variantId=w')
  const path = `/v1/catalog-visibility/${ours.data[0].id}`
  assert.equal((await call('PATCH', path, { variantId: 'v' })).status, 409)
  assert.equal((await call('PATCH', path, { variantId: null })).status, 409)
  assert.deepEqual((await call('GET', path)).body, ours.data[0])
  await call('DELETE', path)
  assert.equal(await post({ ...product, variantId: 'w' }), 201)
})

/** A variant as each list, read and style shows it; they must be equal. */
async function everyView(call: Caller, id: string): Promise<Body[]> {
  const { body: one } = await call('GET', `/v1/variant/${id}`)
  const views = [
    one.inventory,
    (await call('GET', `/v1/api/variant/${id}`)).body.inventory,
    (await call('GET', `/v1/variants?productId=${one.productId}`)).body.data.find((each: Body) => each.id === id)
      .inventory,
    (await call('GET', '/v1/api/variants')).body.find((each: Body) => each.id === id).inventory,
  ]
  for (const view of views) assert.deepEqual(view, one.inventory)
  return one.inventory
}
const records = async (call: Caller, id: string) =>
  (await call('GET', `/v1/inventories?variantId=${id}`)).body.data.map(({ outletId, stock, productId }: Body) => ({
    outletId,
    stock,
    productId,
  }))

test('variant.inventory shows the live inventory records, in both styles and in lists', async () => {
  const { call } = await service.company()
  const { body: variant } = await call('POST', '/v1/variant', { productId: 'p', sku: 'S' })
  assert.deepEqual(await everyView(call, variant.id), [])
  const make = async (outletId: string, stock?: number) =>
    (await call('POST', '/v1/inventory', { variantId: variant.id, outletId, stock })).body.id
  const at = await make('a', 2.5)
  await make('b')
  assert.deepEqual(await everyView(call, variant.id), [
    { outletId: 'a', stock: 2.5 },
    { outletId: 'b', stock: 0 },
  ])
  await call('DELETE', `/v1/inventory/${at}`)
  assert.deepEqual(await everyView(call, variant.id), [{ outletId: 'b', stock: 0 }])
  const { text } = await call('GET', `/v1/variant/${variant.id}`)
  assert.equal((await call('PATCH', `/v1/variant/${variant.id}`, {})).text, text)
})

for (const [create, one, update] of [
  ['/v1/variant', '/v1/variant', 'PATCH'],
  ['/v1/api/variant', '/v1/api/variant', 'PUT'],
] as const)
  test(`${one}: writing inventory sets the named outlets and leaves others`, async () => {
    const { call } = await service.company()
    const created = await call(
      'POST',
      create,
      { productId: 'p', inventory: [{ outletId: 'b', stock: 2 }, { outletId: 'a', stock: 1 }] }, // biome-ignore format: one thought
    )
    assert.equal(created.status, 201, created.text)
    const { id } = created.body
    assert.deepEqual(created.body.inventory, [
      { outletId: 'a', stock: 1 },
      { outletId: 'b', stock: 2 },
    ])
    assert.equal((await call('GET', `${one}/${id}`)).text, created.text)
    assert.deepEqual(await records(call, id), [
      { outletId: 'a', stock: 1, productId: 'p' },
      { outletId: 'b', stock: 2, productId: 'p' },
    ])

    const updated = await call(update, `${one}/${id}`, {
      inventory: [
        { outletId: 'b', stock: 0.5 },
        { outletId: 'c', stock: -1 },
      ],
    })
    assert.equal(updated.status, 200, updated.text)
    const after = [
      { outletId: 'a', stock: 1 },
      { outletId: 'b', stock: 0.5 },
      { outletId: 'c', stock: -1 },
    ]
    assert.deepEqual(updated.body.inventory, after)
    assert.deepEqual(await everyView(call, id), after)
    for (const nothing of [[], null]) {
      const same = await call(update, `${one}/${id}`, { inventory: nothing })
      assert.equal(same.text, updated.text)
    }
    assert.equal((await call(update, `${one}/${id}`, updated.body)).text, updated.text)
  })

test('variant.inventory is written and shown in bulk, each variant separately', async () => {
  const { call } = await service.company()
  const items = Array.from({ length: 5 }, (_, n) => ({ productId: 'p', inventory: [{ outletId: 'a', stock: n }] }))
  const { body: made } = await call('POST', '/v1/variants', { items })
  const { body: changed } = await call('PATCH', '/v1/variants', {
    items: made.results.map(({ data }: Body, n: number) => ({
      id: data.id,
      ...(n !== 2 && { inventory: [{ outletId: n % 2 ? 'a' : 'b', stock: 10 * n }] }),
      ...(n === 3 && { price: 'wrong' }),
    })),
  })
  assert.deepEqual(
    changed.results.map(({ status, data }: Body) => (status === 'success' ? data.inventory : status)),
    [
      [{ outletId: 'a', stock: 0 }, { outletId: 'b', stock: 0 }], // biome-ignore format: a variant a line
      [{ outletId: 'a', stock: 10 }],
      [{ outletId: 'a', stock: 2 }],
      'error',
      [
        { outletId: 'a', stock: 4 },
        { outletId: 'b', stock: 40 },
      ],
    ],
  )
  const { body: list } = await call('GET', '/v1/variants')
  assert.deepEqual(
    list.data.map(({ inventory }: Body) => inventory),
    changed.results.map(({ data }: Body, n: number) => data?.inventory ?? made.results[n].data.inventory),
  )
})

test('variant.inventory refuses a duplicate outlet, one without stock, stock that is not a number, and unknown members, by name', async () => {
  const { call } = await service.company()
  for (const [inventory, pointer] of [
    [[{ outletId: 'a', stock: 1 }, { outletId: 'a', stock: 1 }], '/inventory'], // biome-ignore format: a case a line
    [[{ outletId: 'a' }], '/inventory/0/stock'],
    [[{ stock: 1 }], '/inventory/0/outletId'],
    [[{ outletId: 'a', stock: '1' }], '/inventory/0/stock'],
    [[{ outletId: 'a', stock: 0.0000001 }], '/inventory/0/stock'],
    [[{ outletId: 'a', stock: 1, note: 'lost' }], '/inventory/0/note'],
    [{ a: 1 }, '/inventory'],
  ]) {
    const { status, body } = await call('POST', '/v1/variant', { productId: 'p', inventory })
    assert.equal(status, 400)
    assert.equal(body.errors[0].pointer, pointer)
  }
})

test('stock written through a variant raises the events of its inventory records; stock written there does not change the variant', async () => {
  const { id: companyId, call } = await service.company()
  const { body: variant } = await call('POST', '/v1/variant', {
    productId: 'p',
    inventory: [{ outletId: 'a', stock: 1 }],
  })
  const { body: updated } = await call('PATCH', `/v1/variant/${variant.id}`, {
    inventory: [{ outletId: 'a', stock: 4 }],
  })
  const events = await feed(service, companyId)
  assert.deepEqual(events.map(({ type }) => type).sort(), [
    'inventory.created',
    'inventory.stock_changed',
    'inventory.stock_changed',
    'inventory.updated',
    'variant.created',
    'variant.updated',
  ])
  const last = (type: string) => events.findLast((event) => event.type === type)
  assert.deepEqual(last('variant.updated')?.data, updated)
  assert.deepEqual(last('variant.updated')?.previous, { inventory: [{ outletId: 'a', stock: 1 }] })
  const { body: level } = await call('GET', `/v1/inventory/${last('inventory.updated')?.recordId}`)
  for (const type of ['inventory.updated', 'inventory.stock_changed']) {
    assert.deepEqual(last(type)?.data, level)
    assert.deepEqual(last(type)?.previous, { stock: 1 })
  }
  await call('PATCH', `/v1/inventory/${level.id}`, { stock: 7 })
  const { body: after } = await call('GET', `/v1/variant/${variant.id}`)
  assert.deepEqual(after, { ...updated, inventory: [{ outletId: 'a', stock: 7 }] })
  assert.equal((await feed(service, companyId, variant.id)).length, 2)
})

test('a deleted variant’s event contains its last state, including stock', async () => {
  const { id: companyId, call } = await service.company()
  const { body: variant } = await call('POST', '/v1/variant', {
    productId: newReference(),
    inventory: [{ outletId: 'a', stock: 3 }],
  })
  await call('DELETE', `/v1/variant/${variant.id}`)
  const event = (await feed(service, companyId, variant.id)).at(-1)
  assert.equal(event?.type, 'variant.deleted')
  assert.deepEqual(event?.data, variant)
})

test('the columns of all records that were written equal the records', () => assertColumns(service))
