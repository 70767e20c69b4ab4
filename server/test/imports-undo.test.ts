// Undoing an import: unchanged records are restored, and changed ones stay and are listed.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '../src/core/ids.ts'
import type { Scope } from '../src/core/scope.ts'
import type { Database, Queryable } from '../src/database/connect.ts'
import { readUndo } from '../src/features/imports/undo-decisions.ts'
import { limitsChanged } from '../src/features/plan-limits/plan-limits.ts'
import { assertColumns } from './support/columns.ts'
import type { Body } from './support/contract.ts'
import { feed } from './support/feed.ts'
import {
  catalogue,
  csvOf,
  imported,
  listed as list,
  mugs,
  reached,
  sent,
  shirt,
  undoCounts,
  undone,
} from './support/imports.ts'
import { sessions, skipOnCluster } from './support/nodes.ts'
import { until } from './support/program.ts'
import { type Company, sharedService } from './support/service.ts'

const service = sharedService()

const left = async ({ call }: Company, id: string): Promise<string[]> => {
  const { text, headers } = await call('GET', `/v1/imports/${id}/left`)
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
  const [header, ...lines] = text.trimEnd().split('\n')
  assert.equal(header, 'resource,id,name,reason')
  return lines
}

test('an import that moves a variant to another product, and its undo, hold both products before the variant', async () => {
  const company = await service.company()
  const { call } = company
  const hat = { ID: 20, Type: 'variable', SKU: 'HAT', Name: 'Hat', Published: 1, Parent: '' }
  const brim = {
    ID: 21,
    Type: 'variation',
    SKU: 'HAT-B',
    Name: 'Hat - Brim',
    Published: 1,
    Parent: 'HAT',
    'Regular price': 9,
  }
  await imported(call, csvOf([...shirt, hat, brim]))
  const idOf = async (kind: string, sku: string): Promise<string> =>
    (await list(company, kind)).find((record) => record.sku === sku)?.id
  const tee = await idOf('products', 'TEE')
  const moved = await idOf('variants', 'TEE-R')
  const hold = (table: string) =>
    `select id from ${table} where company_id = $1 and id = $2 for no key update skip locked`
  const meetsHeld = (begin: () => Promise<string>): Promise<string> =>
    service.database.transaction(async (transaction) => {
      await transaction.query(hold('products'), [company.id, tee])
      const id = await begin()
      await until('the step waits for the former product', async () => {
        const rows = await service.database.query(
          `select from ${sessions} where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return rows.length > 0
      })
      assert.equal((await transaction.query(hold('variants'), [company.id, moved])).length, 1)
      return id
    })
  const changed = csvOf([hat, brim, { ...shirt[1], Parent: 'HAT' }])
  const id = await meetsHeld(async () => (await sent(call, changed, 'run=true')).id)
  await reached(call, id, 'done')
  assert.equal((await call('GET', `/v1/variant/${moved}`)).body.productId, await idOf('products', 'HAT'))
  await meetsHeld(async () => {
    await call('POST', `/v1/imports/${id}/undo`)
    return id
  })
  await reached(call, id, 'undone')
  assert.equal((await call('GET', `/v1/variant/${moved}`)).body.productId, tee)
})

describe('an undo', () => {
  test('of an import without later changes restores the company’s former state, with an event for each record', async () => {
    const company = await service.company()
    const { call } = company
    const first = await imported(call, csvOf(shirt))
    const before = await catalogue(company)
    const changed = [
      ...shirt.map((row) => ({ ...row, Stock: 9, 'Regular price': 30, Categories: 'Clothing > Shirts, New' })),
      ...mugs(3).map((row) => ({ ...row, ID: Number(row.ID) + 100 })),
    ]
    const { id } = await imported(call, csvOf(changed))
    const { body: job } = await call('GET', `/v1/imports/${id}`)
    assert.equal(Date.parse(job.undoUntil) - Date.parse(job.updatedAt), 30 * 24 * 60 * 60 * 1000)
    assert.equal(job.keptUntil, job.undoUntil)
    const wanted = {
      products: '3 2 0',
      variants: '3 3 0',
      categories: '3 0 0',
      outlets: '0 0 0',
      stock: '6 0',
    }
    assert.deepEqual(undoCounts((await call('GET', `/v1/imports/${id}/undo`)).body), wanted)
    const from = (await feed(service, company.id)).length
    const done = await undone(company, id)
    assert.deepEqual(undoCounts(done.undo), wanted)
    assert.deepEqual((await call('GET', `/v1/imports/${id}/undo`)).body, done.undo)
    assert.ok(done.undoneAt >= done.finishedAt)
    assert.deepEqual(await left(company, id), [])
    assert.deepEqual(await catalogue(company), before)
    const types = (await feed(service, company.id)).slice(from).map(({ type }) => type)
    assert.deepEqual(
      ['product.deleted', 'variant.deleted', 'category.deleted'].map(
        (type) => types.filter((own) => own === type).length,
      ),
      [3, 3, 3],
    )
    assert.ok(types.filter((type) => type === 'variant.updated').length >= 3)
    assert.equal(types.filter((type) => type === 'inventory.stock_changed').length, 3)
    assert.equal(types.filter((type) => type === 'inventory.deleted').length, 3)
    // The undo's own writes count too: for the first import its records have changed since.
    assert.deepEqual(undoCounts((await undone(company, first.id)).undo).products, '0 0 2')
    assert.deepEqual(await catalogue(company), before)
  })

  test('deletes a product and a category to which only the import had moved others, as its preview says', async () => {
    const company = await service.company()
    const { call } = company
    await imported(call, csvOf(shirt))
    const before = await catalogue(company)
    const cap = { ID: 20, Type: 'variable', SKU: 'CAP', Name: 'Cap', Published: 1, Categories: 'Caps' }
    const moved = shirt.map((row) => (row.SKU === 'TEE-R' ? { ...row, Parent: 'CAP' } : { ...row, Categories: 'New' }))
    const { id } = await imported(call, csvOf([cap, ...moved]))
    const { body: would } = await call('GET', `/v1/imports/${id}/undo`)
    const { undo } = await undone(company, id)
    assert.equal(undoCounts(undo).products, '1 2 0')
    assert.equal(undoCounts(undo).categories, '2 0 0')
    assert.deepEqual(would, undo)
    assert.deepEqual(await catalogue(company), before)
  })

  test('leaves what was changed, moved or deleted since, and what contains it, and says why', async () => {
    const company = await service.company()
    const { call } = company
    const { id, outletId } = await imported(call, csvOf([...shirt, ...mugs(4)]))
    const variants = await list(company, 'variants')
    const products = await list(company, 'products')
    const bySku = (all: Body[], sku: string) => all.find((record) => record.sku === sku) as Body
    const [red, m0, m1, m2] = ['TEE-R', 'M0', 'M1', 'M2'].map((sku) => bySku(variants, sku)) as [Body, Body, Body, Body]
    await call('PATCH', `/v1/product/${bySku(products, 'M0').id}`, { name: 'My mug' })
    await call('PATCH', `/v1/variant/${m1.id}`, { costPrice: 2 })
    const sold = { items: [{ variantId: red.id, productId: red.productId, outletId, delta: -1, kind: 'SALE' }] }
    assert.equal((await call('POST', '/v1/inventories/adjust', sold)).body.summary.succeeded, 1)
    await call('DELETE', `/v1/variant/${m2.id}`)
    const home = (await list(company, 'categories')).find(({ name }) => name === 'Mugs') as Body
    await call('POST', '/v1/product', { name: 'Own', categories: [home.id] })
    const { body: would } = await call('GET', `/v1/imports/${id}/undo`)
    const { undo } = await undone(company, id)
    assert.deepEqual(undoCounts(undo), {
      products: '3 0 3',
      variants: '4 0 3',
      categories: '0 0 4',
      outlets: '0 0 1',
      stock: '4 3',
    })
    assert.deepEqual(would, undo)
    const reported = (await left(company, id))
      .map((line) =>
        line
          .split(',')
          .filter((_, n) => n !== 1)
          .join(),
      )
      .sort()
    assert.deepEqual(reported, [
      'category,Clothing,Categories are in it.',
      'category,Home,Categories are in it.',
      'category,Mugs,Products are in it.',
      'category,Shirts,Products are in it.',
      `outlet,${(await list(company, 'outlets'))[0]?.name},It is in use.`,
      'product,Mug 1,It has variants that stay.',
      'product,My mug,It was changed since the import.',
      'product,T-Shirt,It has variants that stay.',
      'variant,,It was deleted since.',
      'variant,M1,It was changed since the import.',
      'variant,TEE-R,Its stock has moved since the import.',
    ])
    const [kept] = (await call('GET', `/v1/variants?sku=TEE-R`)).body.data
    assert.deepEqual(kept.inventory, [{ outletId, stock: 2 }])
    assert.equal((await call('GET', `/v1/variant/${m0.id}`)).status, 404)
  })

  test('restores the members of a record whose stock moved, and the stock of one whose members changed', async () => {
    const company = await service.company()
    const { call } = company
    await imported(call, csvOf(mugs(3)))
    const { id, outletId } = await imported(
      call,
      csvOf(mugs(3).map((row) => ({ ...row, Stock: 50, 'Regular price': 8 }))),
    )
    const variants = await list(company, 'variants')
    const [m0, m1] = ['M0', 'M1'].map((sku) => variants.find((own) => own.sku === sku) as Body) as [Body, Body]
    const set = (variant: Body, quantity: number) => ({
      variantId: variant.id,
      productId: variant.productId,
      outletId,
      quantity,
    })
    // There and back again is two moves.
    await call('POST', '/v1/inventories/set-levels', [set(m0, 49)])
    await call('POST', '/v1/inventories/set-levels', [set(m0, 50)])
    await call('PATCH', `/v1/variant/${m1.id}`, { barcode: '1' })
    const { undo } = await undone(company, id)
    assert.deepEqual([undoCounts(undo).variants, undoCounts(undo).stock], ['0 1 2', '2 1'])
    const now = await list(company, 'variants')
    const reported = now.map(({ sku, price, barcode, inventory }) => [sku, price, barcode, inventory[0].stock])
    assert.deepEqual(reported.sort(), [
      ['M0', 5, undefined, 50],
      ['M1', 8, '1', 1],
      ['M2', 5, undefined, 2],
    ])
    assert.match((await left(company, id)).join(), /M0,.*stays; the rest is restored.*M1,.*its stock is restored/s)
  })

  test('of an import that was run twice reverts both runs, and not what was written between them', async () => {
    const company = await service.company()
    const { call } = company
    await imported(call, csvOf(mugs(2)))
    const before = await catalogue(company)
    const { id } = await imported(call, csvOf(mugs(2, { 'Regular price': 7, Stock: 20 })))
    await call('POST', '/v1/inventories/adjust', {
      items: (await list(company, 'inventories')).map(({ variantId, outletId }) => ({
        variantId,
        outletId,
        delta: -5,
        kind: 'SALE',
      })),
    })
    const [first] = await list(company, 'products')
    await call('PATCH', `/v1/product/${first?.id}`, { minPrice: 1 })
    await call('POST', `/v1/imports/${id}/run`)
    await reached(call, id, 'done')
    assert.deepEqual(
      (await list(company, 'inventories')).map(({ stock }) => stock),
      [20, 20],
    )
    const { undo } = await undone(company, id)
    assert.equal(undoCounts(undo).variants, '0 2 0')
    // Sales between the runs had reduced the stock.
    assert.deepEqual(
      (await list(company, 'inventories')).map(({ stock }) => stock),
      [15, 15],
    )
    const price = ({ price }: Body) => price
    assert.deepEqual(
      (await list(company, 'variants')).map(price),
      before.filter(({ inventory }) => inventory).map(price),
    )
  })

  test('gives back the plan’s counts of the company', async () => {
    const company = await service.company()
    const { call } = company
    await service.database.transaction(async (transaction) => {
      const planId = newId()
      await transaction.query(
        `insert into plans (id, organization_id, name, limits, created_at, updated_at) values ($1, $2, 'Small', $3, now(), now())`,
        [planId, company.organizationId, JSON.stringify({ products: 3 })],
      )
      await transaction.query('update companies set plan_id = $2 where id = $1', [company.id, planId])
      await limitsChanged(transaction)
    })
    const { id, summary } = await imported(call, csvOf(mugs(5)))
    assert.equal(summary.products.created, 3)
    assert.equal((await call('POST', '/v1/product', { name: 'One more' })).status, 403)
    await undone(company, id)
    for (let n = 0; n < 3; n++) assert.equal((await call('POST', '/v1/product', { name: 'One more' })).status, 201)
    assert.equal((await call('POST', '/v1/product', { name: 'One more' })).status, 403)
  })
})

test('what becomes of imported customers is decided without reading all orders for each of them', {
  skip: skipOnCluster,
}, async () => {
  const company = await service.company()
  const ids = Array.from({ length: 2_000 }, newId)
  // No order has a customer, so PostgreSQL takes all for orders of the same one, and expects to find one soon in the whole table.
  await service.database.query(
    `insert into orders (company_id, id, body) select $1, id, json_build_object('id', id, 'createdAt', 'x', 'updatedAt', 'x')
     from unnest($2::text[]) as item(id)`,
    [company.id, ids],
  )
  await service.database.query('analyze orders')
  const people = Array.from({ length: 100 }, (_, n) => ({ Email: `${n}@example.com`, Name: `Ann Archer ${n}` }))
  const { id } = await imported(company.call, csvOf(people))
  await service.database.transaction(async (transaction) => {
    const database = {
      ...transaction,
      transaction: (work: (own: Queryable) => unknown) => work(transaction),
    } as Database
    const would = JSON.parse(await readUndo(database, { companyId: company.id } as Scope, id))
    assert.deepEqual(would.customers, { deleted: 100, restored: 0, left: 0 })
    const [row] = await transaction.query(
      `select seq_tup_read::int from pg_stat_xact_user_tables where relname = 'orders'`,
    )
    assert.ok(row?.[0] <= 2 * ids.length, `${row?.[0]} orders were read`)
  })
  await service.database.query('delete from orders where company_id = $1', [company.id])
})

test('the columns of all records that were written equal the records', () => assertColumns(service))
