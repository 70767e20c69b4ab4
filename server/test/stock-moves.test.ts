// set-levels and adjust, item by item: their writes, responses and refusals (pos-api.md "Set absolute inventory levels", decisions §6).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { feed } from './support/feed.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

const setLevels = (call: Caller, items: unknown, more: object = {}) =>
  call('POST', '/v1/inventories/set-levels', { items, ...more })
const adjust = (call: Caller, items: unknown, more: object = {}) =>
  call('POST', '/v1/inventories/adjust', { items, ...more })
const live = async (call: Caller) => (await call('GET', '/v1/inventories')).body.data
const history = async (call: Caller, query = '') => (await call('GET', `/v1/inventory-history${query}`)).body.data

async function newVariant(call: Caller, more: object = {}): Promise<string> {
  return (await call('POST', '/v1/variant', { productId: 'p', manageStock: true, ...more })).body.id
}

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
    ...{ productId: 'p', variantId: 'v', outletId, quantity, expectedQuantity },
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
  const [strict, open] = [await newVariant(call), await newVariant(call, { allowBackorder: true })]
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
  assert.match(sold.body.results[0].error.message, /only 2/)
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

test('adjust adds deltas in the order of the items, also to the same level, and creates a missing record from 0', async () => {
  const { id: companyId, call } = await service.company()
  const variantId = await newVariant(call)
  const item = (delta: number, kind: string, more: object = {}) => ({ variantId, outletId: 'a', delta, kind, ...more })
  const { body } = await adjust(call, [
    item(-1, 'SALE'),
    item(0.1, 'RECEIVED', { clientRef: 'in' }),
    item(0.2, 'RETURN'),
    item(0, 'ADJUSTMENT'),
    item(-0.4, 'SALE'),
    item(-0.3, 'SALE'),
  ])
  assert.deepEqual(
    body.results.map(({ data, error }: Body) => error?.statusCode ?? [data.previousStock, data.stock]),
    [409, [0, 0.1], [0.1, 0.3], [0.3, 0.3], 409, [0.3, 0]],
  )
  assert.deepEqual(body.summary, { total: 6, succeeded: 4, failed: 2, created: 1, updated: 2, unchanged: 1 })
  assert.equal(body.results[1].clientRef, 'in')
  assert.equal(body.results[1].data.productId, 'p')
  const [record] = await live(call)
  const { previousStock, ...last } = body.results[5].data
  assert.deepEqual(record, last)
  assert.deepEqual(
    (await history(call)).map(({ kind, delta, previousStock, newStock }: Body) => [
      kind,
      delta,
      previousStock,
      newStock,
    ]),
    [['RECEIVED', 0.1, 0, 0.1], ['RETURN', 0.2, 0.1, 0.3], ['SALE', -0.3, 0.3, 0]], // biome-ignore format: one thought
  )
  const events = await feed(service, companyId, record.id)
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.stock]),
    ['created', 'stock_changed', 'updated', 'stock_changed', 'updated', 'stock_changed'].map((type, n) => [
      `inventory.${type}`,
      [0.1, 0.3, 0][n >> 1],
    ]),
  )
})

test('a sum that no number with six decimals can hold is refused, and never rounded silently', async () => {
  const { call } = await service.company()
  const level = { productId: 'p', variantId: 'v', outletId: 'a' }
  await setLevels(call, [{ ...level, quantity: 100_000_000_000_000 }])
  for (const delta of [0.000001, 999_999_999_999_999]) {
    const { body } = await adjust(call, [{ ...level, delta, kind: 'RECEIVED' }])
    assert.equal(body.results[0].error.statusCode, 400)
    assert.equal(body.results[0].error.errors[0].pointer, '/items/0/delta')
  }
  assert.equal((await live(call))[0].stock, 100_000_000_000_000)
})

test('invalid items fail alone with the reason; an invalid envelope is 400 for all', async () => {
  const { call } = await service.company()
  const good = { productId: 'p', variantId: 'v', outletId: 'a', quantity: 1 }
  const cases: [unknown, string][] = [
    [{ ...good, quantity: '1' }, '/quantity'],
    [{ ...good, quantity: null }, '/quantity'],
    [{ ...good, quantity: 0.0000001 }, '/quantity'],
    [{ ...good, quantity: 1e15 }, '/quantity'],
    [{ ...good, quantity: 1, stock: 2 }, '/stock'],
    [{ ...good, quantity: undefined }, '/quantity'],
    [{ ...good, productId: undefined }, '/productId'],
    [{ ...good, variantId: '' }, '/variantId'],
    [{ ...good, outletId: 7 }, '/outletId'],
    [{ ...good, quantitty: 1 }, '/quantitty'],
    [{ ...good, expectedQuantity: '5' }, '/expectedQuantity'],
    [{ ...good, delta: 1 }, '/delta'],
    [7, ''],
    [null, ''],
  ]
  // Each is for a level of its own.
  const own = cases.map(([item], n) =>
    typeof item === 'object' && item !== null && 'outletId' in item && item.outletId === 'a'
      ? { ...item, outletId: `${n}` }
      : item,
  )
  const { status, body } = await setLevels(call, [...own, good])
  assert.equal(status, 200)
  cases.forEach(([item, pointer], n) => {
    assert.equal(body.results[n].status, 'error', JSON.stringify(item))
    assert.equal(body.results[n].error.statusCode, 400)
    assert.equal(body.results[n].error.errors[0].pointer, `/items/${n}${pointer}`)
  })
  assert.equal(body.results.at(-1).status, 'success')
  const move = { variantId: 'v', outletId: 'a', delta: 1, kind: 'SALE' }
  const wrong = [{ ...move, kind: 'RECOUNT' }, { ...move, kind: undefined }, { ...move, delta: 'x' }, { ...move, quantity: 1 }] // biome-ignore format: one thought
  const { body: refused } = await adjust(call, wrong)
  assert.deepEqual(
    refused.results.map(({ error }: Body) => error.errors[0].pointer),
    ['/items/0/kind', '/items/1/kind', '/items/2/delta', '/items/3/quantity'],
  )
  for (const path of ['/v1/inventories/set-levels', '/v1/inventories/adjust'])
    for (const [body, pointer] of [
      [{ items: [] }, '/items'],
      [{ items: [good], reason: 7 }, '/reason'],
      [{ items: [good], reason: 'x'.repeat(501) }, '/reason'],
      [{ items: [good], because: 'x' }, '/because'],
      [{ items: Array.from({ length: 1001 }, () => good) }, '/items'],
      ['"x"', ''],
    ] as const) {
      const answer = await call('POST', path, body)
      assert.equal(answer.status, 400, JSON.stringify(body).slice(0, 80))
      assert.equal(answer.body.errors[0].pointer, pointer)
    }
  assert.deepEqual((await live(call)).map(({ stock }: Body) => stock), [1]) // biome-ignore format: one thought
})

test('a thousand levels are set in one request, and another company has none of them', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const items = Array.from({ length: 1000 }, (_, n) => ({
    ...{ productId: 'p', variantId: `v${n % 100}`, outletId: `o${n % 10}-${n}`, quantity: n },
  }))
  const { body } = await setLevels(call, items)
  assert.equal(body.summary.created, 1000)
  assert.equal((await setLevels(call, items)).body.summary.unchanged, 1000)
  assert.deepEqual(body.results.map(({ data }: Body) => data.stock), items.map(({ quantity }) => quantity)) // biome-ignore format: one thought
  assert.equal((await other.call('GET', '/v1/inventories')).body.meta.count, 0)
})

test('a request under a key is carried out once, and gets the same response again', async () => {
  const { call } = await service.company()
  const headers = { 'idempotency-key': 'sale-1' }
  const body = { items: [{ variantId: 'v', outletId: 'a', delta: 5, kind: 'RECEIVED' }, { variantId: 7 }] }
  const first = await call('POST', '/v1/inventories/adjust', body, headers)
  const again = await call('POST', '/v1/inventories/adjust', body, headers)
  assert.equal(again.text, first.text)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal((await live(call))[0].stock, 5)
  assert.equal((await call('POST', '/v1/inventories/set-levels', body, headers)).status, 422)
})

test('the stock that a variant shows, its ETag and its list follow set-levels and adjust; its updatedAt does not', async () => {
  const { call } = await service.company()
  const variantId = await newVariant(call)
  const read = () => call('GET', `/v1/variant/${variantId}`)
  const before = await read()
  await setLevels(call, [{ productId: 'p', variantId, outletId: 'a', quantity: 2 }])
  const set = await read()
  await adjust(call, [{ variantId, outletId: 'a', delta: -1, kind: 'SALE' }])
  const sold = await read()
  assert.deepEqual([before, set, sold].map(({ body }) => body.inventory), [[], [{ outletId: 'a', stock: 2 }], [{ outletId: 'a', stock: 1 }]]) // biome-ignore format: one thought
  assert.equal(new Set([before, set, sold].map(({ headers }) => headers.get('etag'))).size, 3)
  assert.equal(sold.body.updatedAt, before.body.updatedAt)
  const { status } = await call(
    'PATCH',
    `/v1/variant/${variantId}`,
    { price: 1 },
    { 'if-match': set.headers.get('etag') ?? '' },
  )
  assert.equal(status, 412)
  assert.deepEqual((await call('GET', '/v1/variants')).body.data[0].inventory, sold.body.inventory)
})

test('the history is filtered by kind, variant, outlet and time, is paged by cursor, and shows what each key moved', async () => {
  const { id: companyId, call } = await service.company()
  const key = await service.keyFor(companyId)
  const variants = [await newVariant(call), await newVariant(call)] as const
  for (const kind of ['RECEIVED', 'SALE', 'DAMAGE', 'RETURN'])
    await adjust(
      key.call,
      variants.flatMap((variantId) =>
        ['a', 'b'].map((outletId) => ({ variantId, outletId, delta: kind === 'RECEIVED' ? 9 : -1, kind })),
      ),
      { reason: 'Tuesday' },
    )
  assert.equal((await history(call)).length, 16)
  assert.equal((await history(call, `?kind=SALE`)).length, 4)
  assert.equal((await history(call, `?variantId=${variants[0]}&outletId=a`)).length, 4)
  const [first] = await history(call, '?productId=p&limit=1')
  assert.deepEqual(Object.keys(first), [
    ...['id', 'inventoryId', 'productId', 'variantId', 'outletId', 'kind', 'previousStock', 'newStock', 'delta'],
    ...['reason', 'keyId', 'createdAt', 'companyId'],
  ])
  assert.equal(first.keyId, key.id)
  assert.equal(first.reason, 'Tuesday')
  const sales = await history(call, '?kind=SALE')
  const since = await history(call, `?createdAt[gte]=${sales[0].createdAt}`)
  assert.deepEqual(new Set(since.map(({ kind }: Body) => kind)), new Set(['SALE', 'DAMAGE', 'RETURN']))
  const { body: page } = await call('GET', '/v1/inventory-history?limit=10')
  const { body: rest } = await call('GET', `/v1/inventory-history?limit=10&cursor=${page.meta.nextCursor}`)
  assert.equal(new Set([...page.data, ...rest.data].map(({ id }: Body) => id)).size, 16)
  assert.equal(page.meta.count, 16)
  assert.deepEqual(await history((await service.company()).call), [])
  for (const query of ['?updatedAt[gte]=2026-01-01', '?sortBy=updatedAt', '?colour=red'])
    assert.equal((await call('GET', `/v1/inventory-history${query}`)).status, 400)
  for (const method of ['POST', 'PATCH', 'DELETE'])
    assert.equal((await call(method, '/v1/inventory-history', {})).status, 405)
})

test('levels with references of any text are kept apart, in one request and in the history', async () => {
  const { call } = await service.company()
  const levels = [['a b', 'c', 5], ['a', 'b c', 7], ['a","b', 'c', 1], ['a', 'b","c', 2]] as const // biome-ignore format: one thought
  const { body } = await adjust(
    call,
    levels.map(([variantId, outletId, delta]) => ({ productId: 'p', variantId, outletId, delta, kind: 'RECEIVED' })),
  )
  assert.equal(new Set(body.results.map(({ data }: Body) => data.id)).size, 4)
  const { body: set } = await setLevels(
    call,
    levels.map(([variantId, outletId, quantity]) => ({ productId: 'p', variantId, outletId, quantity: quantity + 1 })),
  )
  assert.equal(set.summary.updated, 4)
  assert.deepEqual(
    (await live(call)).map(({ variantId, outletId, stock }: Body) => [variantId, outletId, stock - 1]),
    levels,
  )
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

test('nothing can be set below zero, also if the stock is already below zero', async () => {
  const { call } = await service.company()
  const variantId = await newVariant(call)
  await call('POST', '/v1/inventory', { productId: 'p', variantId, outletId: 'a', stock: -5 })
  const { body } = await setLevels(call, [{ productId: 'p', variantId, outletId: 'a', quantity: -3 }])
  assert.equal(body.results[0].error.statusCode, 409)
})
