// Records, variants and products that change while their stock is moved, on two servers: no change is lost, and no older version overwrites one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { deadlocksIn } from './support/deadlocks.ts'
import { sessions } from './support/nodes.ts'
import { until } from './support/program.ts'
import { type Caller, type Reply, sharedService } from './support/service.ts'
import { newVariant, stockOn } from './support/stock.ts'

const service = sharedService()
const { onBoth, stockOf, assertChains } = stockOn(service)

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)
const statuses = (replies: readonly Reply[]) => [...new Set(replies.map(({ status }) => status))]

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

test('changes of one record in one statement, including a move to another outlet, leave complete chains', async (t) => {
  const { id, call } = await onBoth()
  const variantId = await newVariant(call)
  const make = async (outletId: string) =>
    (await call('POST', '/v1/inventory', { variantId, outletId, stock: 5 })).body.id as string
  const held = await make('held')
  const moved = await make('a')
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
