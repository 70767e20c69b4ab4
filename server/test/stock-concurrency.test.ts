// Many concurrent stock moves, on two servers: no unit is lost, and while a variant is managed its history is an unbroken chain that ends at its stock (decisions §6).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Body } from './support/contract.ts'
import { type Reply, sharedService } from './support/service.ts'
import { newVariant, stockOn } from './support/stock.ts'
import { runs } from './support/variants.ts'

const service = sharedService()
const { onBoth, stockOf, assertChains } = stockOn(service)

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)
const statuses = (replies: readonly Reply[]) => [...new Set(replies.map(({ status }) => status))]

test('a hundred concurrent set-levels of a new level through two servers leave one live record, and each is answered', async () => {
  const { id, calls } = await onBoth()
  const variantId = await newVariant(calls[0])
  const replies = await Promise.all(
    upTo(100).map((n) =>
      calls[(n % 2) as 0 | 1]('POST', '/v1/inventories/set-levels', {
        items: [{ productId: 'p', variantId, outletId: 'o', quantity: n }],
      }),
    ),
  )
  const results = replies.map(({ status, body }) => [status, body.results?.[0].status])
  assert.deepEqual([...new Set(results.map(String))], ['200,success'])
  assert.equal(replies.filter(({ body }) => body.summary.created === 1).length, 1)
  const { body } = await calls[0]('GET', `/v1/inventories?variantId=${variantId}&includeDeleted=true`)
  assert.equal(body.meta.count, 1)
  assert.ok(replies.some(({ body: { results } }) => results[0].data.stock === body.data[0].stock))
  await assertChains(id)
})

test('fifty clients adjust twenty levels through two servers while levels are read: no unit is lost, none goes below zero', async () => {
  const { id, call, calls } = await onBoth()
  const variants = await Promise.all(upTo(5).map(() => newVariant(call)))
  const levels = variants.flatMap((variantId) => ['a', 'b', 'c', 'd'].map((outletId) => ({ variantId, outletId })))
  const kept = new Map<string, number>()
  const move = async (client: number, round: number) => {
    const items = upTo(3).map((n) => {
      const level = levels[(client * 7 + round * 11 + n * 5) % levels.length] as (typeof levels)[number]
      const isSale = (client + round + n) % 3 > 0
      return { ...level, delta: isSale ? -1 : 2, kind: isSale ? 'SALE' : 'RECEIVED' }
    })
    const { status, body } = await calls[(client % 2) as 0 | 1]('POST', '/v1/inventories/adjust', { items })
    assert.equal(status, 200)
    body.results.forEach((result: Body, n: number) => {
      const { variantId, outletId, delta } = items[n] as (typeof items)[number]
      const key = `${variantId} ${outletId}`
      if (result.status === 'success') {
        assert.ok(result.data.stock >= 0)
        kept.set(key, (kept.get(key) ?? 0) + delta)
      } else assert.equal(result.error.statusCode, 409)
    })
  }
  await Promise.all(
    upTo(50).map(async (client) => {
      for (const round of upTo(6)) {
        await move(client, round)
        if (client % 10 === 0) await assertChains(id)
      }
    }),
  )
  const { levels: last } = await stockOf(id)
  for (const { variantId, outletId, stock } of last) assert.equal(stock, kept.get(`${variantId} ${outletId}`) ?? 0)
  assert.ok((await assertChains(id)) > 300)
})

test('under concurrent sets, moves, deletes and management of stock, the chains are complete at every moment', async () => {
  const step = fc.record({
    what: fc.constantFrom(
      'adjust',
      'adjust',
      'set',
      'patch',
      'delete',
      'create',
      'variant',
      'manage',
      'move',
      'bulk',
      'product',
    ),
    variant: fc.nat(2),
    outlet: fc.constantFrom('a', 'b', 'c'),
    number: fc.integer({ min: -4, max: 9 }),
    server: fc.constantFrom(0 as const, 1 as const),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 4, maxLength: 8 }), { minLength: 6, maxLength: 8 }),
      async (clients) => {
        const { id, call, calls } = await onBoth()
        const variants = await Promise.all(
          upTo(3).map((n) => newVariant(call, { manageStock: n !== 1, allowBackorder: n === 2 })),
        )
        const records = async () => (await call('GET', '/v1/inventories')).body.data as Body[]
        const run = async ({ what, variant, outlet, number, server }: Body): Promise<number> => {
          const ask = calls[server as 0 | 1]
          const variantId = variants[variant] as string
          const level = { productId: 'p', variantId, outletId: outlet }
          const one = (await records()).find((record) => record.variantId === variantId)
          switch (what) {
            case 'adjust': {
              const items = [{ ...level, delta: number, kind: 'ADJUSTMENT' }, { ...level, delta: -1, kind: 'SALE' }] // biome-ignore format: one thought
              return (await ask('POST', '/v1/inventories/adjust', { items })).status
            }
            case 'set':
              return (await ask('POST', '/v1/inventories/set-levels', [{ ...level, quantity: Math.abs(number) }]))
                .status
            case 'patch':
              return one ? (await ask('PATCH', `/v1/inventory/${one.id}`, { stock: number })).status : 200
            case 'move':
              return one ? (await ask('PATCH', `/v1/inventory/${one.id}`, { outletId: outlet })).status : 200
            case 'delete':
              return one ? (await ask('DELETE', `/v1/inventory/${one.id}`)).status : 200
            case 'create':
              return (await ask('POST', '/v1/inventory', { ...level, stock: number })).status
            case 'bulk':
            return (await ask('PATCH', '/v1/inventories', (await records()).map(({ id }) => ({ id, stock: number })).slice(0, 5).concat({ id: 'x', stock: 1 }))).status // biome-ignore format: one thought
            case 'product':
              return (await ask('PATCH', `/v1/variant/${variantId}`, { productId: number > 4 ? 'q' : 'p' })).status
            case 'variant':
              return (
                await ask('PATCH', `/v1/variant/${variantId}`, { inventory: [{ outletId: outlet, stock: number }] })
              ).status
            default:
              return (await ask('PATCH', `/v1/variant/${variantId}`, { manageStock: number > 0 })).status
          }
        }
        await Promise.all(
          clients.map(async (steps) => {
            for (const one of steps) {
              const status = await run(one)
              assert.ok([200, 201, 400, 404, 409].includes(status), `${one.what}: ${status}`)
              await assertChains(id)
            }
          }),
        )
      },
    ),
    { numRuns: runs(4), endOnFailure: true },
  )
})

test('concurrent adjusts, levels and variants in opposite orders never end in a deadlock that a caller sees', async () => {
  const { id, call, calls } = await onBoth()
  const variants = await Promise.all(upTo(8).map(() => newVariant(call)))
  const items = (n: number) => {
    const all = variants.map((variantId) => ({ productId: 'p', variantId, outletId: 'o' }))
    return n % 2 ? all : all.toReversed()
  }
  const replies = await Promise.all(
    upTo(80).map((n) => {
      const ask = calls[(n % 2) as 0 | 1]
      if (n % 4 === 0) return ask('POST', '/v1/inventories/adjust', { items: items(n >> 2).map((one) => ({ ...one, delta: 1, kind: 'RECEIVED' })) }) // biome-ignore format: one thought
      if (n % 4 === 1) return ask('POST', '/v1/inventories/set-levels', items(n >> 2).map((one) => ({ ...one, quantity: n }))) // biome-ignore format: one thought
      const own = n >> 2 > 9 ? variants : variants.toReversed()
      if (n % 4 === 2) return ask('PATCH', '/v1/variants', own.map((id) => ({ id, inventory: [{ outletId: 'o', stock: n }] }))) // biome-ignore format: one thought
      return ask('PATCH', `/v1/variant/${own[n % 8]}`, { price: n, inventory: [{ outletId: `${n % 3}`, stock: n }] })
    }),
  )
  assert.deepEqual(statuses(replies), [200])
  assert.deepEqual(replies.flatMap(({ body }) => body.results?.filter(({ status }: Body) => status !== 'success') ?? []), []) // biome-ignore format: one thought
  await assertChains(id)
})

test('many clients that create the same twenty levels at once through two servers, a few each, are all answered', async () => {
  const { id, call, calls } = await onBoth()
  const variantId = await newVariant(call)
  const replies = await Promise.all(
    upTo(60).map((n) => {
      const items = upTo(3).map((k) => ({ variantId, outletId: `${(n * 7 + k * 5) % 20}`, delta: 1, kind: 'RECEIVED' }))
      return calls[(n % 2) as 0 | 1]('POST', '/v1/inventories/adjust', { items })
    }),
  )
  assert.deepEqual(statuses(replies), [200])
  const { levels } = await stockOf(id)
  assert.equal(
    levels.reduce((sum, { stock }) => sum + stock, 0),
    180,
  )
  await assertChains(id)
})

test('a variant can be updated while its stock never stops moving', async () => {
  const { id, call, calls } = await onBoth()
  const variantId = await newVariant(call)
  let isDone = false
  const moving = upTo(32).map(async (n) => {
    const ask = calls[(n % 2) as 0 | 1]
    const items = [{ variantId, outletId: `${n % 6}`, delta: 1, kind: 'RECEIVED' }]
    while (!isDone) assert.equal((await ask('POST', '/v1/inventories/adjust', { items })).status, 200)
  })
  const replies: Reply[] = []
  for (const price of upTo(5)) replies.push(await call('PATCH', `/v1/variant/${variantId}`, { price }))
  isDone = true
  await Promise.all(moving)
  assert.deepEqual(statuses(replies), [200])
  await assertChains(id)
})
