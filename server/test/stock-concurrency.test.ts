// Many concurrent stock moves, on two servers: no unit is lost, and while a variant is managed its history is an unbroken chain that ends at its stock (decisions §6).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { untold } from '../src/resources/inventory-history.ts'
import type { Body } from './support/contract.ts'
import { deadlocksIn } from './support/deadlocks.ts'
import { sessions } from './support/nodes.ts'
import { until } from './support/program.ts'
import { type Caller, type Reply, sharedService } from './support/service.ts'

const service = sharedService()

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)
const statuses = (replies: readonly Reply[]) => [...new Set(replies.map(({ status }) => status))]

/** A new company, called through both servers. */
async function onBoth() {
  const company = await service.company()
  const calls = [company.call, service.caller({ 'x-api-key': company.key }, (await service.second()).url)] as [
    Caller,
    Caller,
  ]
  return { id: company.id, call: company.call, calls }
}

const newVariant = async (call: Caller, more: object = {}): Promise<string> =>
  (await call('POST', '/v1/variant', { productId: 'p', manageStock: true, ...more })).body.id

interface Entry {
  readonly variantId: string
  readonly outletId: string
  readonly previousStock: number
  readonly newStock: number
  readonly delta: number
  readonly reason?: string
}

/** At one moment: the live levels of managed variants, and the entries of the history in their order. */
async function stockOf(companyId: string) {
  const [row] = await service.database.query(
    `select
       (select coalesce(json_agg(json_build_object('productId', level.product_id, 'variantId', level.variant_id, 'outletId', level.outlet_id, 'stock', level.stock)), '[]')
        from inventories as level where company_id = $1 and not is_deleted),
       (select coalesce(json_agg(body order by created_at, id), '[]') from inventory_history where company_id = $1),
       (select coalesce(json_agg(id), '[]') from variants where company_id = $1 and body ->> 'manageStock' = 'true'),
       (select coalesce(json_agg(json_build_object('id', id, 'productId', product_id, 'shown', shown)), '[]') from variants where company_id = $1)`,
    [companyId],
  )
  const [levels, entries, managed, variants] = (row ?? []).map((text) => JSON.parse(text))
  return { levels, entries, managed: new Set(managed), variants } as {
    levels: { productId: string; variantId: string; outletId: string; stock: number }[]
    entries: Entry[]
    managed: Set<string>
    variants: { id: string; productId: string; shown: { inventory: { outletId: string; stock: number }[] } }[]
  }
}

/**
 * Fails unless each chain of a managed variant is unbroken and ends at its stock, and each variant shows its live levels,
 * which have its product; returns the number of entries.
 */
async function assertChains(companyId: string): Promise<number> {
  const { levels, entries, managed, variants } = await stockOf(companyId)
  for (const { id, productId, shown } of variants) {
    const own = levels.filter(({ variantId }) => variantId === id)
    for (const level of own) assert.equal(level.productId, productId, `a level of ${id} has another product`)
    const live = own.map(({ outletId, stock }) => ({ outletId, stock }))
    const ordered = live.sort((a, b) => (a.outletId < b.outletId ? -1 : 1))
    assert.deepEqual(shown.inventory, ordered, `the variant ${id} does not show its stock`)
  }
  const stock = new Map(levels.map((level) => [`${level.variantId} ${level.outletId}`, level.stock]))
  assert.equal(stock.size, levels.length, 'a variant has two live records at one outlet')
  const chains = Map.groupBy(entries, ({ variantId, outletId }) => `${variantId} ${outletId}`)
  for (const key of new Set([...stock.keys(), ...chains.keys()])) {
    if (!managed.has(key.split(' ')[0] ?? '')) continue
    let last = 0
    for (const { previousStock, newStock, delta, reason } of chains.get(key) ?? []) {
      assert.notEqual(reason, untold, `a change of ${key} was not reported`)
      assert.equal(previousStock, last, `the chain of ${key} is broken`)
      assert.equal(Number((newStock - previousStock).toFixed(6)), delta)
      last = newStock
    }
    assert.equal(last, stock.get(key) ?? 0, `the chain of ${key} does not end at its stock`)
  }
  return entries.length
}

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
    { numRuns: 12, endOnFailure: true },
  )
})

test('a variant’s version includes its stock: a request with an older one overwrites and deletes nothing, whichever member it changes', async () => {
  const { call } = await onBoth()
  const set = (variantId: string, quantity: number) =>
    call('POST', '/v1/inventories/set-levels', [{ productId: 'p', variantId, outletId: 'o', quantity }])
  for (const change of [
    (path: string, headers: Record<string, string>) =>
      call('PATCH', path, { inventory: [{ outletId: 'o', stock: 5 }] }, headers),
    (path: string, headers: Record<string, string>) => call('PATCH', path, { sku: 'S' }, headers),
    (path: string, headers: Record<string, string>) => call('DELETE', path, undefined, headers),
  ]) {
    const variantId = await newVariant(call)
    await set(variantId, 1)
    const path = `/v1/variant/${variantId}`
    const read = await call('GET', path)
    const headers = { 'if-match': read.headers.get('etag') ?? '' }
    // At the same time as another write of stock: the second one gets a conflict.
    const [changed, stock] = await Promise.all([change(path, headers), set(variantId, 2)])
    assert.equal(stock.body.results[0].status, 'success')
    const later = await call('GET', path)
    if (changed.status === 412) assert.deepEqual(later.body.inventory, [{ outletId: 'o', stock: 2 }])
    else assert.ok([200].includes(changed.status))
    if (later.status === 200) assert.equal((await change(path, headers)).status, 412)
  }
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

test('changes of one record in one statement, including a move to another outlet, leave complete chains', async (t) => {
  const { id, call } = await onBoth()
  const variantId = await newVariant(call)
  const make = async (outletId: string) =>
    (await call('POST', '/v1/inventory', { variantId, outletId, stock: 5 })).body.id as string
  const [held, moved] = [await make('held'), await make('a')]
  const client = await service.database.connectAlone()
  t.after(() => client.end())
  await client.query('begin')
  await client.query('select from inventories where company_id = $1 and id = $2 for update', [id, held])
  const waiting = async () => {
    const rows = await service.database.query(
      `select from ${sessions} where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length
  }
  const changes = []
  // Both batches of the company wait for the locked one, so the next ones wait together.
  for (const run of [1, 2]) {
    changes.push(call('PATCH', `/v1/inventory/${held}`, { stock: run }))
    await until('a run waits', async () => (await waiting()) === run)
  }
  for (const body of [{ outletId: 'b' }, { stock: 9 }, { outletId: 'a' }, { stock: 2, outletId: 'c' }, { stock: 7 }])
    changes.push(call('PATCH', `/v1/inventory/${moved}`, body))
  await call('GET', `/v1/inventory/${moved}`)
  await client.query('rollback')
  assert.deepEqual(statuses(await Promise.all(changes)), [200])
  assert.ok((await assertChains(id)) > 8)
})

test('inventory records changed in bulk, some refused, during adjusts and set-levels, through two servers: no deadlock', async () => {
  const { calls } = await onBoth()
  const [call] = calls
  const variants = await Promise.all(upTo(6).map(() => newVariant(call)))
  const records: string[] = []
  for (const variantId of variants)
    for (const outletId of ['a', 'b'])
      records.push((await call('POST', '/v1/inventory', { variantId, outletId, stock: 50 })).body.id)
  const before = await deadlocksIn(service.database)
  const statuses = await Promise.all(
    upTo(8).map(async (n) => {
      const ask = calls[n % 2] as Caller
      const reported: number[] = []
      for (const round of upTo(8)) {
        const own = (n + round) % 2 ? records : records.toReversed()
        const items = own.map((id, k) => ({ id, ...(k === 4 ? { variantId: variants[0], outletId: 'a' } : { stock: round + k }) })) // biome-ignore format: one thought
        const moves = variants.map((variantId) => ({ variantId, outletId: 'b', delta: 1, kind: 'RECEIVED' }))
        const levels = variants
          .toReversed()
          .map((variantId) => ({ productId: 'p', variantId, outletId: 'a', quantity: n }))
        if (n % 4 < 2) reported.push((await ask('PATCH', '/v1/inventories', items)).status)
        else if (n % 4 === 2) reported.push((await ask('POST', '/v1/inventories/adjust', { items: moves })).status)
        else reported.push((await ask('POST', '/v1/inventories/set-levels', { items: levels })).status)
      }
      return reported
    }),
  )
  assert.deepEqual(new Set(statuses.flat()), new Set([200]))
  assert.equal((await deadlocksIn(service.database)) - before, 0)
})

test('several products under one variant id are set and moved concurrently through two servers: each has one record, and no unit is lost', async () => {
  const { id, call, calls } = await onBoth()
  const products = ['p', 'q', 'r', undefined]
  const sums = new Map<string, number>()
  const replies = await Promise.all(
    upTo(80).map(async (n) => {
      const ask = calls[(n % 2) as 0 | 1]
      const named = products.slice(0, 3).map((productId) => ({ productId, variantId: 'default', outletId: `${n % 3}` }))
      const own = n % 4 < 2 ? named : named.toReversed()
      if (n % 5 === 0) {
        const records = products.map((productId) => ({ productId, variantId: 'default', outletId: `${n % 3}` }))
        return ask('POST', '/v1/inventories', { items: records })
      }
      const items = own.map((level) => ({ ...level, delta: 1, kind: 'RECEIVED' }))
      const reply = await ask('POST', '/v1/inventories/adjust', { items })
      for (const [k, { status }] of reply.body.results.entries()) {
        assert.equal(status, 'success')
        const { productId, outletId } = items[k] as (typeof items)[number]
        sums.set(`${productId} ${outletId}`, (sums.get(`${productId} ${outletId}`) ?? 0) + 1)
      }
      return reply
    }),
  )
  assert.deepEqual(statuses(replies), [200])
  const { levels } = await stockOf(id)
  assert.equal(new Set(levels.map(({ productId, outletId }) => `${productId} ${outletId}`)).size, levels.length)
  assert.equal(levels.length, 12)
  for (const { productId, outletId, stock } of levels) assert.equal(stock, sums.get(`${productId} ${outletId}`) ?? 0)
  assert.equal((await call('GET', '/v1/inventory-history')).body.meta.count, 0)
})

test('adjusts without a product, while the only level under an opaque variant id is deleted and created again, lose no unit', async () => {
  const { calls } = await onBoth()
  const [call] = calls
  const level = { variantId: 'default', outletId: 'o' }
  const made = async () => (await call('POST', '/v1/inventory', { ...level, productId: 'p' })).status
  await made()
  let isDone = false
  const cycling = async () => {
    while (!isDone) {
      const { body } = await call('GET', '/v1/inventories?productId=p')
      if (body.data[0]) await call('DELETE', `/v1/inventory/${body.data[0].id}`)
      assert.ok([201, 409].includes(await made()))
    }
  }
  const moving = upTo(8).map(async (n) => {
    let kept = 0
    for (const _ of upTo(12)) {
      const items = [{ ...level, delta: 1, kind: 'RECEIVED' }]
      const { status, body } = await (calls[n % 2] as Caller)('POST', '/v1/inventories/adjust', { items })
      assert.equal(status, 200)
      if (body.results[0].status === 'success') kept++
      else assert.equal(body.results[0].error.errors[0].pointer, '/items/0/productId')
    }
    return kept
  })
  const cycle = cycling()
  const kept = (await Promise.all(moving)).reduce((sum, one) => sum + one, 0)
  isDone = true
  await cycle
  const { body } = await call('GET', '/v1/inventories?includeDeleted=true&limit=1000')
  assert.equal(body.data.reduce((sum: number, { stock }: Body) => sum + stock, 0), kept) // biome-ignore format: one thought
})

test('a variant changes its product while its stock is moved, set and deleted through two servers: its levels follow, every request is answered, without deadlock', async () => {
  const { id, calls } = await onBoth()
  const [call] = calls
  const variants = await Promise.all(upTo(4).map(() => newVariant(call)))
  const before = await deadlocksIn(service.database)
  const refusals = new Set<string>()
  await Promise.all(
    upTo(12).map(async (n) => {
      const ask = calls[n % 2] as Caller
      for (const round of upTo(8)) {
        const own = (n + round) % 2 ? variants : variants.toReversed()
        const levels = own.flatMap((variantId) => ['a', 'b'].map((outletId) => ({ variantId, outletId })))
        const productId = round % 2 ? 'p' : 'q'
        const reply = await [
          () => ask('PATCH', '/v1/variants', { items: own.map((variantId) => ({ id: variantId, productId })) }),
          () => ask('PATCH', `/v1/variant/${own[round % 4]}`, { productId, inventory: [{ outletId: 'c', stock: n }] }),
          () => ask('POST', '/v1/inventories/adjust', { items: levels.map((level) => ({ ...level, delta: 1, kind: 'RECEIVED' })) }), // biome-ignore format: one thought
          () => ask('POST', '/v1/inventories/set-levels', { items: levels.map((level) => ({ ...level, productId, quantity: n })) }), // biome-ignore format: one thought
          () => ask('POST', '/v1/inventories', { items: levels.map((level) => ({ ...level, productId, outletId: 'd' })) }), // biome-ignore format: one thought
          async () => {
            const { body } = await ask('GET', '/v1/inventories?limit=4')
            const items = body.data.map(({ id }: Body, k: number) => ({ id, ...(k === 0 ? { outletId: `${n}${round}` } : { stock: k }) })) // biome-ignore format: one thought
            return items.length > 0 ? ask('PATCH', '/v1/inventories', { items }) : ask('GET', '/v1/inventories')
          },
        ][n % 6]?.()
        assert.equal(reply?.status, 200)
        for (const { error } of reply?.body.results ?? [])
          if (error) refusals.add([error.statusCode, error.errors?.[0].pointer.replace(/\d+/, 'n')].join(' '))
        if (n % 4 === 0) await assertChains(id)
      }
    }),
  )
  // Another product than the variant has at that moment; a level that exists already.
  assert.deepEqual(
    [...refusals].filter((one) => !['400 /items/n/productId', '409 '].includes(one)),
    [],
  )
  assert.equal((await deadlocksIn(service.database)) - before, 0)
  assert.ok((await assertChains(id)) > 0)
})

test('an update of a record with its current stock locks the variant before the record, since the stock may change meanwhile', async () => {
  const { id, call } = await onBoth()
  const variantId = await newVariant(call)
  const record = (await call('POST', '/v1/inventory', { variantId, outletId: 'o', stock: 5 })).body.id
  const { reply } = await service.database.transaction(async (transaction) => {
    await transaction.query('select from inventories where company_id = $1 and id = $2 for update', [id, record])
    const reply = call('PATCH', `/v1/inventory/${record}`, { stock: 5 })
    await until('the update waits for the record', async () => {
      const rows = await service.database.query(
        `select from ${sessions} where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length === 1
    })
    const free = 'select 1 from variants where company_id = $1 and id = $2 for no key update skip locked'
    assert.deepEqual(await transaction.query(free, [id, variantId]), [])
    return { reply }
  })
  assert.deepEqual([(await reply).status, (await reply).body.stock], [200, 5])
})
