// `visibleAt`: the products and variants that an outlet shows, by the product's outlets and by catalog visibility (decisions §3).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listQuery, pageStatement } from '../src/engine/lists/list-query.ts'
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

test('a page of what an outlet shows walks the list until it is full, and looks up only what may hide its records', {
  skip: skipOnCluster,
}, async () => {
  const { id: companyId } = await service.company()
  for (const table of ['products', 'variants'])
    await service.database.query(
      `insert into ${table} (company_id, id, body)
       select $1, id, json_build_object('id', id, 'name', 'p', 'productId', id, 'createdAt', at, 'updatedAt', at)
       from (select '6' || lpad(n::text, 23, '0') as id, iso_time('2026-01-01'::timestamptz + make_interval(secs => n)) as at from generate_series(1, 3000) as n) as made`,
      [companyId],
    )
  await service.database.query('analyze products, variants')
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
    assert.doesNotMatch(plan, /Sort|Seq Scan|rows=(?!51\.|[01]\.)|Rows Removed by Filter: \d{2}/, plan)
  }
})
