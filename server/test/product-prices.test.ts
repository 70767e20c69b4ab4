// minPrice and maxPrice of a product: the lowest and highest current price of its priced variants, for every kind of write.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertColumns } from './support/columns.ts'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { deadlocksIn } from './support/deadlocks.ts'
import { feed } from './support/feed.ts'
import { sessions } from './support/nodes.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

async function shop() {
  const company = await service.company()
  const { call } = company
  const newProduct = async (body: Body = {}): Promise<string> =>
    succeeded(await call('POST', '/v1/product', { name: 'Cup', ...body }), 201).id
  const newVariant = async (productId: string, body: Body = {}): Promise<string> =>
    succeeded(await call('POST', '/v1/variant', { productId, ...body }), 201).id
  const read = async (id: string): Promise<Body> => succeeded(await call('GET', `/v1/product/${id}`))
  const range = async (id: string) => {
    const { minPrice, maxPrice } = await read(id)
    return [minPrice, maxPrice]
  }
  const updates = async (id: string) =>
    (await feed(service, company.id, id)).filter(({ type }) => type === 'product.updated')
  return { ...company, newProduct, newVariant, read, range, updates }
}

test('creating, changing, moving and deleting variants moves the range of their products, with updatedAt and product.updated', async () => {
  const { call, newProduct, newVariant, read, range, updates } = await shop()
  const id = await newProduct({ minPrice: 99, maxPrice: 99 })
  const plain = await newVariant(id)
  assert.deepEqual([await range(id), (await updates(id)).length], [[99, 99], 0])
  const made = await read(id)
  const a = await newVariant(id, { price: 10 })
  assert.deepEqual(await range(id), [10, 10])
  const { updatedAt } = await read(id)
  assert.ok(updatedAt > made.updatedAt)
  const [event] = await updates(id)
  assert.deepEqual([event?.data, event?.previous], [await read(id), { minPrice: 99, maxPrice: 99 }])
  const b = succeeded(await call('POST', '/v1/api/variant', { productId: id, price: 20.5, salePrice: 5 }), 201).id
  assert.deepEqual(await range(id), [10, 20.5])
  assert.deepEqual((await updates(id)).at(-1)?.previous, { maxPrice: 10 })
  succeeded(await call('PUT', `/v1/api/variant/${b}`, { isOnSale: true }))
  assert.deepEqual(await range(id), [5, 10])
  succeeded(await call('PATCH', `/v1/variant/${plain}`, { price: 7 }))
  const reported = (await updates(id)).length
  assert.deepEqual([await range(id), reported], [[5, 10], 3])

  const other = await newProduct()
  succeeded(await call('PATCH', `/v1/variant/${b}`, { productId: other }))
  assert.deepEqual(
    [await range(id), await range(other)],
    [
      [7, 10],
      [5, 5],
    ],
  )
  succeeded(await call('DELETE', `/v1/variant/${a}`))
  assert.deepEqual(await range(id), [7, 7])
  const bulk = succeeded(await call('DELETE', '/v1/variants', [{ id: plain }, { id: a }]))
  assert.deepEqual([bulk.summary.succeeded, bulk.summary.failed], [1, 1])
  // The last computed range stays when the product's last priced variant is deleted.
  assert.deepEqual(await range(id), [7, 7])
  succeeded(await call('PATCH', `/v1/variant/${b}`, { sku: 'B', price: 30 }))
  assert.deepEqual((await updates(other)).length, 1)
  // Lists sort by the range.
  const { data } = succeeded(await call('GET', '/v1/products?sortBy=minPrice'))
  assert.deepEqual(
    data.map((one: Body) => one.id),
    [other, id],
  )
})

test('a sent range of a product with priced variants is ignored; without such variants it is stored as sent', async () => {
  const { call, newProduct, newVariant, range, updates } = await shop()
  const id = await newProduct()
  const without = await newProduct({ minPrice: 1, maxPrice: 2 })
  await newVariant(id, { price: 10 })
  const reported = (await updates(id)).length
  const sent = { minPrice: 1, maxPrice: null }
  assert.equal(succeeded(await call('PATCH', `/v1/product/${id}`, sent)).minPrice, 10)
  assert.equal(succeeded(await call('PUT', `/v1/api/product/${id}`, sent)).maxPrice, 10)
  const { summary } = succeeded(await call('PATCH', '/v1/products', [{ id, minPrice: 4 }, { id: without, minPrice: 0.5 }])) // biome-ignore format: one thought
  assert.equal(summary.succeeded, 2)
  assert.deepEqual([await range(id), (await updates(id)).length], [[10, 10], reported])
  assert.deepEqual(await range(without), [0.5, 2])
  const named = succeeded(await call('PATCH', `/v1/product/${id}`, { name: 'Mug', minPrice: 3 }))
  assert.deepEqual([named.name, named.minPrice, named.maxPrice], ['Mug', 10, 10])
  const { errors } = assertProblem(
    await call('PATCH', `/v1/product/${id}`, { minPrice: 'x' }),
    400,
    'validation_failed',
  )
  assert.equal(errors[0].pointer, '/minPrice')
  const stranger = await service.company()
  assertProblem(await stranger.call('PATCH', `/v1/product/${id}`, { minPrice: 1 }), 404, 'not_found')
  succeeded(await stranger.call('POST', '/v1/variant', { productId: id, price: 1 }), 201)
  assert.deepEqual(await range(id), [10, 10])
})

test('a bulk request for 1,000 variants of one product raises one product.updated, at create, update and delete', async () => {
  const { call, newProduct, range, updates } = await shop()
  const id = await newProduct()
  const items = Array.from({ length: 1000 }, (_, n) => ({ productId: id, price: n + 1 }))
  const { results, summary } = succeeded(await call('POST', '/v1/variants', items))
  assert.deepEqual([summary.failed, await range(id), (await updates(id)).length], [0, [1, 1000], 1])
  const ids: string[] = results.map(({ data }: Body) => data.id)
  succeeded(await call('PATCH', '/v1/variants', ids.map((of, n) => ({ id: of, price: n + 2 })))) // biome-ignore format: one thought
  assert.deepEqual([await range(id), (await updates(id)).length], [[2, 1001], 2])
  succeeded(await call('DELETE', '/v1/variants', ids.slice(1).map((of) => ({ id: of })))) // biome-ignore format: one thought
  assert.deepEqual([await range(id), (await updates(id)).length], [[2, 2], 3])
})

test('variants of two products written at once at two servers, moved between them, created and deleted, end with the right ranges and without a deadlock', async () => {
  const { key, call, newProduct, newVariant, range, updates } = await shop()
  const elsewhere = service.caller({ 'x-api-key': key }, (await service.second()).url)
  const a = await newProduct()
  const b = await newProduct()
  const ids = await Promise.all(Array.from({ length: 8 }, (_, n) => newVariant(n % 2 ? a : b, { price: n + 1 })))
  const before = await deadlocksIn(service.database)
  for (let round = 0; round < 3; round++) {
    const replies = await Promise.all(
      ids.flatMap((id, n) => {
        const at = n % 2 ? call : elsewhere
        return [
          at('PATCH', `/v1/variant/${id}`, { productId: (n + round) % 2 ? b : a }),
          at('PATCH', `/v1/variant/${id}`, { price: 10 * (n + 1) + round }),
          at('PATCH', `/v1/product/${n % 2 ? a : b}`, { minPrice: n, sku: `${round}-${n}` }),
          at('POST', '/v1/variant', { productId: a, price: 1 }).then(({ body }) =>
            at('DELETE', `/v1/variant/${body.id}`),
          ),
        ]
      }),
    )
    for (const { status, text } of replies) assert.equal(status, 200, text)
    for (const product of [a, b]) {
      const { data } = succeeded(await call('GET', `/v1/variants?productId=${product}`))
      const prices = data.map(({ price }: Body) => price)
      const expected = prices.length > 0 && [Math.min(...prices), Math.max(...prices)]
      if (expected) assert.deepEqual(await range(product), expected)
      assert.deepEqual((await updates(product)).at(-1)?.data.minPrice, (await range(product))[0])
    }
  }
  assert.equal((await deadlocksIn(service.database)) - before, 0)
})

test('the price of one variant is written by many clients through two servers, often unchanged, beside bulk requests with its siblings: no deadlock', async () => {
  const { key, call, newProduct, newVariant, range } = await shop()
  const elsewhere = service.caller({ 'x-api-key': key }, (await service.second()).url)
  const product = await newProduct()
  const ids = await Promise.all([1, 2, 3].map((price) => newVariant(product, { price })))
  const before = await deadlocksIn(service.database)
  await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const ask = n % 2 ? call : elsewhere
      for (let round = 0; round < 8; round++) {
        const own = (n + round) % 2 ? ids : ids.toReversed()
        const items = own.map((id, k) => ({ id, price: (n + round + k) % 3 }))
        if (n % 3 === 0) succeeded(await ask('PATCH', '/v1/variants', { items }))
        else if (n % 3 === 1) succeeded(await ask('PATCH', `/v1/variant/${ids[0]}`, { price: round % 3 }))
        else succeeded(await ask('PATCH', `/v1/product/${product}`, { minPrice: 0, sku: `${round}` }))
      }
    }),
  )
  assert.equal((await deadlocksIn(service.database)) - before, 0)
  const { data } = succeeded(await call('GET', `/v1/variants?productId=${product}`))
  const prices = data.map(({ price }: Body) => price)
  assert.deepEqual(await range(product), [Math.min(...prices), Math.max(...prices)])
})

/** Whether a statement waits for a locked row of a table. */
async function isWaitingFor(table: string): Promise<boolean> {
  const [row] = await service.database.query(
    `select count(*) from ${sessions}
     where datname = current_database() and wait_event_type = 'Lock' and query ~* ('join (public[.])?' || $1 || '[_0-9]* (as )?stored')`,
    [table],
  )
  return row?.[0] === 1
}

test('a bulk request for products locks them in one order, those without prices too', async () => {
  const { id: companyId, call, newProduct, newVariant, range } = await shop()
  const a = await newProduct()
  const b = await newProduct()
  await newVariant(b, { price: 7 })
  const hold = `select 1 from products where company_id = $1 and id = $2 for no key update`
  const changed = await service.database.transaction(async (transaction) => {
    await transaction.query(hold, [companyId, a])
    const reply = call('PATCH', '/v1/products', [
      { id: a, name: 'Jug' },
      { id: b, minPrice: 1 },
    ])
    await until('the bulk waits for the first product', () => isWaitingFor('products'))
    // Another bulk request that has locked the first product gets the second one.
    await transaction.query(`${hold} nowait`, [companyId, b])
    return { reply }
  })
  assert.equal(succeeded(await changed.reply).summary.succeeded, 2)
  assert.deepEqual(await range(b), [7, 7])
})

const setMember = `update variants set version = version + 1,
  body = (body::jsonb || jsonb_build_object($3::text, $4::text::json))::json where company_id = $1 and id = $2`
const holdNow = (table: string) =>
  `select 1 from ${table} where company_id = $1 and id = $2 for no key update skip locked`

test('an update with a variant’s current price locks the product before the variant, since the price may change meanwhile', async () => {
  const { id: companyId, call, newProduct, newVariant, range } = await shop()
  const product = await newProduct()
  const own = await newVariant(product, { price: 6 })
  await newVariant(product, { price: 9 })
  const { reply } = await service.database.transaction(async (transaction) => {
    await transaction.query(setMember, [companyId, own, 'price', '5'])
    const reply = call('PATCH', `/v1/variant/${own}`, { price: 6 })
    await until('the update waits for the variant', () => isWaitingFor('variants'))
    assert.deepEqual(await transaction.query(holdNow('products'), [companyId, product]), [])
    return { reply }
  })
  succeeded(await reply)
  assert.deepEqual(await range(product), [6, 9])
})

test('an update of a price whose variant gets another product meanwhile releases the variant, and begins with that product', async () => {
  const { id: companyId, call, newProduct, newVariant, range } = await shop()
  const { database } = service
  const from = await newProduct()
  const to = await newProduct()
  const own = await newVariant(from, { price: 6 })
  await newVariant(from, { price: 9 })
  const { reply } = await database.transaction(async (second) => {
    await second.query(holdNow('products'), [companyId, to])
    const { reply } = await database.transaction(async (first) => {
      await first.query(setMember, [companyId, own, 'productId', JSON.stringify(to)])
      const reply = call('PATCH', `/v1/variant/${own}`, { price: 7 })
      await until('the update waits for the variant', () => isWaitingFor('variants'))
      return { reply }
    })
    await until('the update waits for the product', () => isWaitingFor('products'))
    assert.equal((await second.query(holdNow('variants'), [companyId, own])).length, 1)
    return { reply }
  })
  succeeded(await reply)
  assert.deepEqual(await range(to), [7, 7])
})

test('the columns of all records that were written equal the records', () => assertColumns(service))
