// adjust, invalid items, and what a move of stock leaves: the history, the stock that a variant shows, and the response under a key (decisions §6).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { feed } from './support/feed.ts'
import { sharedService } from './support/service.ts'
import { adjust, history, live, newVariant, setLevels } from './support/stock.ts'

const service = sharedService()

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

test('adjust accepts each kind of movement in the contract, and the history shows it', async () => {
  const { call } = await service.company()
  const variantId = await newVariant(call)
  const kinds = ['SALE', 'RETURN', 'RECEIVED', 'DAMAGE', 'THEFT', 'LOSS', 'TRANSFER', 'ADJUSTMENT']
  const { body } = await adjust(
    call,
    kinds.map((kind) => ({ variantId, outletId: 'a', delta: 1, kind })),
  )
  assert.equal(body.summary.succeeded, kinds.length, JSON.stringify(body.results))
  assert.deepEqual(
    (await history(call)).map(({ kind }: Body) => kind),
    kinds,
  )
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
