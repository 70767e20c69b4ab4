// `visibleAt`: the products and variants that an outlet shows, by the product's outlets and by catalog visibility (decisions §3).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fairSemaphore } from '../src/concurrency/fair-semaphore.ts'
import type { Scope } from '../src/core/scope.ts'
import type { Statement } from '../src/database/connect.ts'
import { countedBy, pager } from '../src/engine/lists/list.ts'
import { writeCursor } from '../src/engine/lists/list-cursor.ts'
import type { ListParameters } from '../src/engine/lists/list-parameters.ts'
import { listQuery, pageStatement } from '../src/engine/lists/list-query.ts'
import { RememberedCounts } from '../src/engine/lists/remembered-counts.ts'
import { product } from '../src/resources/product.ts'
import { variant } from '../src/resources/variant.ts'
import { newReference } from './support/bodies.ts'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { skipOnCluster } from './support/nodes.ts'
import { assertProblem } from './support/problem.ts'
import { type Caller, testService } from './support/service.ts'

const service = testService()
const here = newReference()
const there = newReference()

async function make(call: Caller, many: string, items: readonly Body[]): Promise<string[]> {
  const { results, summary } = succeeded(await call('POST', `/v1/${many}`, items))
  assert.equal(summary.failed, 0)
  return results.map(({ data }: Body) => data.id)
}
/** The listed names or SKUs, and the list's count. */
async function listed(call: Caller, many: string, query: string): Promise<[string[], number]> {
  const { data, meta } = succeeded(await call('GET', `/v1/${many}?${query}`))
  return [data.map(({ name, sku }: Body) => name ?? sku), meta.count]
}
const hide = (productId: string, outletId: string, variantId?: string, isVisible = false) => ({
  productId,
  outletId,
  isVisible,
  ...(variantId !== undefined && { variantId }),
})

test('products that an outlet does not carry, or that a record hides there, are left out; the more restrictive rule wins', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const ids = await make(call, 'products', [
    { name: 'everywhere' },
    { name: 'empty', outlets: [] },
    { name: 'here', outlets: [there, here] },
    { name: 'there', outlets: [there] },
    { name: 'hidden' },
    { name: 'shown' },
    { name: 'variant hidden' },
    { name: 'shown, not carried', outlets: [there] },
    { name: 'carried, hidden', outlets: [here] },
  ])
  const id = (n: number) => ids[n] as string
  const [variant] = await make(call, 'variants', [{ productId: id(6), sku: 'v' }])
  const records = await make(call, 'catalog-visibilities', [
    hide(id(4), here),
    hide(id(0), there),
    hide(id(5), here, undefined, true),
    hide(id(6), here, variant),
    hide(id(7), here, undefined, true),
    hide(id(8), here),
  ])
  // Another company's records hide nothing here.
  await make(other.call, 'catalog-visibilities', [hide(id(0), here), hide(id(2), here)])
  const visible = ['everywhere', 'empty', 'here', 'shown', 'variant hidden']
  assert.deepEqual(await listed(call, 'products', `visibleAt=${here}`), [visible, 5])
  assert.deepEqual(await listed(call, 'products', `visibleAt=${here}&limit=2&skip=3`), [visible.slice(3), 5])
  assert.deepEqual(await listed(call, 'products', `visibleAt=${here}&sortBy=name&sortOrder=desc`), [
    visible.toSorted().reverse(),
    5,
  ])
  assert.deepEqual(await listed(call, 'products', `visibleAt=${here}&searchByName=here`), [['everywhere', 'here'], 2])
  assert.deepEqual((await listed(call, 'products', `visibleAt=${there}`))[1], 7)
  assert.deepEqual((await listed(call, 'products', `visibleAt=${newReference()}`))[1], 5)
  assert.deepEqual(await listed(other.call, 'products', `visibleAt=${here}`), [[], 0])

  const walked: string[] = []
  for (let cursor = ''; ; ) {
    const { data, meta } = succeeded(await call('GET', `/v1/products?visibleAt=${here}&limit=2&count=true${cursor}`))
    walked.push(...data.map(({ name }: Body) => name))
    assert.equal(meta.count, 5)
    if (meta.nextCursor === undefined) break
    cursor = `&cursor=${meta.nextCursor}`
  }
  assert.deepEqual(walked, visible)

  succeeded(await call('PATCH', `/v1/catalog-visibility/${records[0]}`, { isVisible: true }))
  succeeded(await call('DELETE', `/v1/catalog-visibility/${records[5]}`))
  assert.deepEqual((await listed(call, 'products', `visibleAt=${here}`))[1], 7)
})

test('variants are hidden with their product, or by a record of their own', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const [plain, hidden, elsewhere] = (await make(call, 'products', [
    { name: 'plain' },
    { name: 'hidden' },
    { name: 'elsewhere', outlets: [there] },
  ])) as [string, string, string]
  const gone = newReference()
  const [first, second, third] = (await make(call, 'variants', [
    { productId: plain, sku: 'first' },
    { productId: plain, sku: 'second' },
    { productId: hidden, sku: 'of the hidden product' },
    { productId: elsewhere, sku: 'of what is elsewhere' },
    { productId: gone, sku: 'of no product' },
  ])) as [string, string, string]
  await make(call, 'catalog-visibilities', [
    hide(plain, here, second),
    hide(hidden, here),
    hide(hidden, here, third, true),
    hide(plain, here, 'default'),
  ])
  await make(other.call, 'catalog-visibilities', [hide(plain, here), hide(plain, here, first)])
  assert.deepEqual(await listed(call, 'variants', `visibleAt=${here}`), [['first', 'of no product'], 2])
  assert.deepEqual(await listed(call, 'variants', `visibleAt=${here}&productId=${plain}`), [['first'], 1])
  assert.deepEqual((await listed(call, 'variants', `visibleAt=${there}`))[1], 5)
  assert.deepEqual((await listed(call, 'variants', `visibleAt=${newReference()}`))[1], 4)
  await make(call, 'catalog-visibilities', [hide(gone, here)])
  assert.deepEqual(await listed(call, 'variants', `visibleAt=${here}`), [['first'], 1])
})

test('other lists do not accept the parameter, and its value must be an id', async () => {
  const { call } = await service.company()
  for (const path of ['/v1/customers', '/v1/inventories', '/v1/api/products', '/v1/api/variants'])
    assertProblem(await call('GET', `${path}?visibleAt=${here}`), 400, 'validation_failed')
  assertProblem(await call('GET', `/v1/products?visibleAt=${'x'.repeat(65)}`), 400, 'validation_failed')
})

test('an index that contains only hidden records finds what is hidden at an outlet', async () => {
  const { id } = await service.company()
  const plan = await service.database.query(
    `explain select from catalog_visibilities where company_id = $1 and outlet_id = $2 and variant_id = ''
       and product_id = $3 and body ->> 'isVisible' = 'false'`,
    [id, here, there],
  )
  assert.match(JSON.stringify(plan), /catalog_visibilities_hidden/)
})

test('what an outlet shows is not counted again until a product, a variant or a visibility record is written', async () => {
  const { id: companyId, call } = await service.company()
  const [first, second] = (await make(call, 'products', [{ name: 'a' }, { name: 'b', outlets: [here] }])) as [
    string,
    string,
  ]
  const [own] = await make(call, 'variants', [{ productId: first }, { productId: second }])
  const [record] = await make(call, 'catalog-visibilities', [hide(first, there)])
  const askers = [product, variant].map((resource) => {
    const counts = new RememberedCounts(resource, { slowMs: 0 })
    const counted = countedBy(listQuery(resource, companyId, { visibleAt: here }), companyId)
    let rowsRead = 0
    const query = (statement: Statement | string, values?: readonly unknown[]) => {
      const text = typeof statement === 'string' ? statement : statement.text
      if (text.includes(`from ${resource.table} as`)) rowsRead++
      return service.database.query(statement, values)
    }
    return async () => {
      rowsRead = 0
      assert.ok(counted)
      const count = await counts.count({ query, reads: { ...service.database, query } }, counted)
      return [count, rowsRead]
    }
  })
  const ask = () => Promise.all(askers.map((asker) => asker()))
  const both = (count: number, rowsRead: number) => [[count, rowsRead], [count, rowsRead]] // biome-ignore format: one thought
  await ask()
  assert.deepEqual(await ask(), both(2, 1))
  assert.deepEqual(await ask(), both(2, 0))
  await make(call, 'customers', [{ firstName: 'Ann' }])
  succeeded(await call('POST', '/v1/inventories/set-levels', [{ variantId: own, outletId: here, quantity: 5 }]))
  assert.deepEqual(await ask(), both(2, 0))
  const writes: readonly [string, string, Body | undefined, number, number][] = [
    ['PATCH', `/v1/catalog-visibility/${record}`, { outletId: here }, 1, 1],
    ['PATCH', `/v1/product/${second}`, { outlets: [there] }, 0, 0],
    ['DELETE', `/v1/catalog-visibility/${record}`, undefined, 1, 1],
    ['POST', '/v1/products', { items: [{ name: 'c' }] }, 2, 1],
    ['DELETE', `/v1/product/${second}`, undefined, 2, 2],
  ]
  for (const [method, path, body, products, variants] of writes) {
    succeeded(await call(method, path, body))
    const counts = [products, variants]
    assert.deepEqual(
      await ask(),
      counts.map((count) => [count, 1]),
      path,
    )
    assert.deepEqual(
      await ask(),
      counts.map((count) => [count, 0]),
      path,
    )
  }
})

/** A company of 3,000 products, each with a variant. All outlets carry them, or only those of every 300th. */
async function newCatalogue(outlets: readonly string[] = []): Promise<string> {
  const { id } = await service.company()
  for (const table of ['products', 'variants'])
    await service.database.query(
      `insert into ${table} (company_id, id, body)
       select $1, id, json_build_object('id', id, 'name', 'p', 'sku', (n * 7919 % 5003)::text, 'productId', id, 'outlets', case when n % 300 > 0 then $2::json end, 'createdAt', at, 'updatedAt', at)
       from (select n, '6' || lpad(n::text, 23, '0') as id, iso_time('2026-01-01'::timestamptz + make_interval(secs => n)) as at from generate_series(1, 3000) as n) as made`,
      [id, JSON.stringify(outlets)],
    )
  await service.database.query('analyze products, variants')
  return id
}

test('a page of an outlet that carries hardly anything looks up the products of some variants, and then checks all at once', {
  skip: skipOnCluster,
}, async () => {
  const companyId = await newCatalogue([there])
  const read = async (parameters: ListParameters, walkedRows?: number) => {
    const query = listQuery(variant, companyId, { visibleAt: here, ...parameters })
    return service.database.query(pageStatement(variant, query, false, walkedRows), query.page.values)
  }
  const [, shown] = (await read({ sortBy: 'sku', limit: 4 })).map(([, body]) => body)
  for (const parameters of [
    {},
    { limit: 3, skip: 2 },
    { limit: 20, sortBy: 'sku', sortOrder: 'desc' },
    { limit: 4, sortBy: 'sku', cursor: writeCursor('sku', 'asc', variant, shown) },
    { visibleAt: there, limit: 20, skip: 5 },
    { limit: 2, createdAt: { gte: '2026-01-01T00:30:00.000Z' } },
  ]) {
    const wanted = await read(parameters)
    assert.ok(wanted.length > 2)
    for (const walkedRows of [1, 30, 601, 3000]) assert.deepEqual(await read(parameters, walkedRows), wanted)
  }
  const lookedUp = async (visibleAt: string) => {
    const query = listQuery(variant, companyId, { visibleAt, limit: 50 })
    const { text } = pageStatement(variant, query, false, 100)
    const rows = await service.database.query(`explain (analyze, costs off, timing off, buffers off) ${text}`, [
      ...query.page.values,
    ])
    const plan = rows.join('\n')
    const loops = [...plan.matchAll(/products_pkey on products product.* loops=(\d+)/g)].map(([, loops]) =>
      Number(loops),
    )
    return { loops: loops.reduce((sum, own) => sum + own, 0), plan }
  }
  const texts: string[] = []
  const reads = {
    ...service.database,
    query: (statement: Statement | string, values?: readonly unknown[]) => {
      texts.push(typeof statement === 'string' ? statement : statement.text)
      return service.database.query(statement, values)
    },
  }
  const facts = { of: async () => ({ lowersPlainly: true, holdsMost: false, rows: 60_000 }) }
  const list = pager(
    variant,
    { ...service.database, beginRead: async () => reads },
    fairSemaphore({ name: 'test', atOnce: 4, waiting: 100 }),
    undefined,
    facts,
  )
  const page = await list({ companyId, organizationId: 'o' } as Scope, {
    parameters: { visibleAt: here, limit: 3 },
    wantsCount: true,
  })
  assert.deepEqual([page.texts.length, page.count], [3, 10])
  assert.match(texts.join(), /limit 3000/)
  const { loops, plan } = await lookedUp(here)
  assert.equal(loops, 100, plan)
  const full = await lookedUp(there)
  assert.equal(full.loops, 51, full.plan)
  assert.match(full.plan, /never executed/)
  // Before version 17, PostgreSQL does not know the order of a CTE, and would read all of it.
  assert.doesNotMatch(full.plan, /CTE Scan on walk\b/)
})

test('a page of what an outlet shows walks the list until it is full, and looks up only what may hide its records', {
  skip: skipOnCluster,
}, async () => {
  const companyId = await newCatalogue()
  for (const resource of [product, variant]) {
    const query = listQuery(resource, companyId, { visibleAt: here, limit: 50 })
    const { text } = pageStatement(resource, query)
    const rows = await service.database.query(
      `explain (analyze, costs off, timing off, buffers off) ${text}`,
      query.page.values,
    )
    const plan = rows.join('\n')
    assert.match(plan, new RegExp(`Index Scan using ${resource.table}_created_at`))
    // The rows of a loop: no scan returns more than the page, or passes over others.
    assert.doesNotMatch(plan, /Sort|Seq Scan|rows=(?!(51|[01])[. ])|Rows Removed by Filter: \d{2}/, plan)
  }
})

test('a search of products is not counted again, nor are its matches, until one is written', async () => {
  const { id: companyId, call } = await service.company()
  await service.database.query(
    `insert into products (company_id, id, body)
     select $1, '6' || lpad(n::text, 23, '0'), json_build_object('id', '6' || lpad(n::text, 23, '0'), 'name', 'oak ' || n, 'createdAt', at, 'updatedAt', at)
     from (select n, iso_time('2026-01-01'::timestamptz + make_interval(secs => n)) as at from generate_series(1, 5100) as n) as made`,
    [companyId],
  )
  let counts = 0
  const query = (statement: Statement | string, values?: readonly unknown[]) => {
    const text = typeof statement === 'string' ? statement : statement.text
    if (text.includes('count(*)') && text.includes('from products')) counts++
    return service.database.query(statement, values)
  }
  const database = { ...service.database, query, beginRead: async () => ({ ...service.database, query }) }
  const facts = { of: async () => ({ lowersPlainly: true, holdsMost: true, rows: 5_000 }) }
  const semaphore = fairSemaphore({ name: 'test', atOnce: 4, waiting: 100 })
  const list = pager(product, database, semaphore, new RememberedCounts(product, { slowMs: 0 }), facts)
  const scope = { companyId, organizationId: 'o' } as Scope
  const ask = async (search: string) => {
    const before = counts
    const { count } = await list(scope, { parameters: { search, limit: 2 }, wantsCount: true })
    return [count, counts - before]
  }
  for (const search of ['oak', 'ak', 'k']) {
    for (let n = 0; n < 2; n++) assert.deepEqual(await ask(search), [5_100, 2])
    for (let n = 0; n < 2; n++) assert.deepEqual(await ask(search), [5_100, 0])
  }
  await make(call, 'products', [{ name: 'OAK' }])
  assert.deepEqual(await ask('oak'), [5_101, 1])
  assert.deepEqual(await ask('oak'), [5_101, 0])
})
