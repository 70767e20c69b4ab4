// Undoing an import: unchanged records are restored, changed ones stay and are listed, and it happens once.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '../src/core/ids.ts'
import { limitsChanged } from '../src/features/plan-limits/plan-limits.ts'
import { assertColumns } from './support/columns.ts'
import type { Body } from './support/contract.ts'
import { feed } from './support/feed.ts'
import { csvOf, imported, mugs, reached, send, sent, shirt } from './support/imports.ts'
import { sessions } from './support/nodes.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { noId } from './support/routes.ts'
import { type Company, testService } from './support/service.ts'

const service = testService({ importing: { clearingMs: 100 } })

const list = async ({ call }: Company, kind: string): Promise<Body[]> =>
  (await call('GET', `/v1/${kind}?limit=1000`)).body.data

/** A company's data, except times, which an undo changes. */
async function catalogue(company: Company) {
  const all = await Promise.all(
    ['products', 'variants', 'categories', 'outlets', 'inventories'].map((kind) => list(company, kind)),
  )
  return all.flat().map(({ updatedAt: _, ...record }) => record)
}

/** Undoes an import, and waits until it is undone. */
async function undone({ call }: Company, id: string): Promise<Body> {
  const { status, body } = await call('POST', `/v1/imports/${id}/undo`)
  assert.deepEqual([status, body.state, body.undoUntil], [200, 'undoing', undefined])
  return reached(call, id, 'undone')
}

const left = async ({ call }: Company, id: string): Promise<string[]> => {
  const { text, headers } = await call('GET', `/v1/imports/${id}/left`)
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
  const [header, ...lines] = text.trimEnd().split('\n')
  assert.equal(header, 'resource,id,name,reason')
  return lines
}
const counts = ({ customers, orders, transactions, refunds, ...undo }: Body) =>
  Object.fromEntries(Object.entries(undo).map(([kind, each]) => [kind, Object.values(each as object).join(' ')]))

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
  const [tee, moved] = [await idOf('products', 'TEE'), await idOf('variants', 'TEE-R')]
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
    assert.deepEqual(counts((await call('GET', `/v1/imports/${id}/undo`)).body), wanted)
    const from = (await feed(service, company.id)).length
    const done = await undone(company, id)
    assert.deepEqual(counts(done.undo), wanted)
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
    assert.deepEqual(counts((await undone(company, first.id)).undo).products, '0 0 2')
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
    assert.deepEqual(counts(undo), {
      products: '3 0 3',
      variants: '4 0 3',
      categories: '0 0 4',
      outlets: '0 0 1',
      stock: '4 3',
    })
    // What refers to an outlet is looked up at its turn.
    assert.deepEqual({ ...counts(would), outlets: '0 0 1' }, counts(undo))
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
    assert.deepEqual([counts(undo).variants, counts(undo).stock], ['0 1 2', '2 1'])
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
    assert.equal(counts(undo).variants, '0 2 0')
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
      await limitsChanged(transaction, { companyId: company.id })
    })
    const { id, summary } = await imported(call, csvOf(mugs(5)))
    assert.equal(summary.products.created, 3)
    assert.equal((await call('POST', '/v1/product', { name: 'One more' })).status, 403)
    await undone(company, id)
    for (let n = 0; n < 3; n++) assert.equal((await call('POST', '/v1/product', { name: 'One more' })).status, 201)
    assert.equal((await call('POST', '/v1/product', { name: 'One more' })).status, 403)
  })
})

describe('what can be undone', () => {
  test('is an import that was run, once, and by a key that may update and delete', async () => {
    const company = await service.company()
    const { call } = company
    const refused = async (id: string, message: RegExp, verb = 'undo') =>
      assert.match(assertProblem(await call('POST', `/v1/imports/${id}/${verb}`), 409, 'conflict').message, message)
    const { id } = await sent(call, csvOf(shirt))
    await reached(call, id, 'ready')
    await refused(id, /has not been run/)
    assertProblem(await call('GET', `/v1/imports/${id}/undo`), 409, 'conflict')
    await call('POST', `/v1/imports/${id}/run`)
    await reached(call, id, 'done')
    for (const permissions of [['create'], ['create', 'update'], ['create', 'delete']] as const) {
      const { call: weak } = await service.keyFor(company.id, permissions)
      assertProblem(await weak('POST', `/v1/imports/${id}/undo`), 403, 'permission_denied')
    }
    assertProblem(await call('POST', `/v1/imports/${id}/undo`, { a: 1 }), 400, 'validation_failed')
    const { call: strong } = await service.keyFor(company.id, ['create', 'update', 'delete'])
    assert.equal((await strong('POST', `/v1/imports/${id}/undo`)).status, 200)
    await reached(call, id, 'undone')
    await refused(id, /was undone\. To import its file once more, repeat it/)
    await refused(id, /was undone/, 'run')
    await refused(id, /has ended: its state is undone/, 'cancel')
    const again = await imported(call, csvOf(shirt))
    const third = await imported(call, csvOf(shirt))
    await refused(third.id, /There is nothing to undo: the import wrote nothing/)
    assert.equal((await call('DELETE', `/v1/imports/${again.id}`)).status, 200)
    assertProblem(await call('POST', `/v1/imports/${again.id}/undo`), 404, 'not_found')
    assertProblem(await call('POST', `/v1/imports/${noId}/undo`), 404, 'not_found')
  })

  test('requested twice at once is accepted once', async () => {
    const company = await service.company()
    const { call } = company
    const { id } = await imported(call, csvOf(mugs(30)))
    const replies = await Promise.all(Array.from({ length: 5 }, () => call('POST', `/v1/imports/${id}/undo`)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409, 409, 409])
    const { undo } = await reached(call, id, 'undone')
    assert.equal(counts(undo).products, '30 0 0')
    assert.equal((await feed(service, company.id)).filter(({ type }) => type === 'product.deleted').length, 30)
  })

  test('requested again under its key gets the same response', async () => {
    const { call } = await service.company()
    const { id } = await imported(call, csvOf(shirt))
    const headers = { 'idempotency-key': 'undo-1' }
    const first = await call('POST', `/v1/imports/${id}/undo`, undefined, headers)
    await reached(call, id, 'undone')
    const second = await call('POST', `/v1/imports/${id}/undo`, undefined, headers)
    assert.deepEqual([second.status, second.text], [200, first.text])
  })

  test('is possible only for the company’s own imports', async () => {
    const [one, other] = [await service.company(), await service.company()]
    const { id } = await imported(one.call, csvOf(shirt))
    const before = await catalogue(one)
    for (const [method, path] of [
      ['POST', 'undo'],
      ['GET', 'undo'],
      ['GET', 'left'],
      ['POST', 'repeat'],
    ] as const)
      assertProblem(await other.call(method, `/v1/imports/${id}/${path}`), 404, 'not_found')
    assert.deepEqual(await catalogue(one), before)
  })

  test('expires after its time, and its stored changes are deleted', async () => {
    const { call, id: companyId } = await service.company()
    const { id } = await imported(call, csvOf(shirt))
    const changes = async () =>
      (
        await service.database.query('select count(*)::int from import_changes where company_id = $1', [companyId])
      )[0]?.[0]
    assert.ok((await changes()) > 0)
    await service.database.query(`update imports set undo_until = now() where company_id = $1`, [companyId])
    const { message } = assertProblem(await call('POST', `/v1/imports/${id}/undo`), 409, 'conflict')
    assert.match(message, /more than 30 days ago/)
    await until('what was kept is gone', async () => (await changes()) === 0)
    assert.equal((await call('GET', `/v1/imports/${id}`)).body.undoUntil, undefined)
  })

  test('is still possible after the file was deleted', async () => {
    const company = await service.company()
    const { call } = company
    const { id } = await imported(call, csvOf(shirt))
    await service.database.query(`update imports set file_until = now() where company_id = $1`, [company.id])
    await until('the file is gone', async () => !(await call('GET', `/v1/imports/${id}`)).body.fileUntil)
    for (const verb of ['run', 'repeat']) {
      const { message } = assertProblem(await call('POST', `/v1/imports/${id}/${verb}`), 409, 'conflict')
      assert.match(message, /file of the import is no longer kept/)
    }
    await undone(company, id)
    assert.deepEqual(await catalogue(company), [])
  })
})

describe('a file that is imported again', () => {
  test('is a new import, which compares with the current records, and leaves stock unchanged on request', async () => {
    const company = await service.company()
    const { call } = company
    const old = await imported(call, csvOf(mugs(2, { 'Sale price': 4 })))
    const [product] = await list(company, 'products')
    await call('PATCH', `/v1/product/${product?.id}`, { name: 'Renamed' })
    await call('POST', '/v1/inventories/adjust', {
      items: (await list(company, 'inventories')).map(({ variantId, outletId }) => ({
        variantId,
        outletId,
        delta: 6,
        kind: 'RECEIVED',
      })),
    })
    const { status, body } = await call('POST', `/v1/imports/${old.id}/repeat`)
    assert.deepEqual([status, body.state, body.repeats, body.fileName], [201, 'checking', old.id, old.fileName])
    const ready = await reached(call, body.id, 'ready')
    assert.deepEqual([ready.summary.products.updated, ready.summary.stockSet], [1, 2])
    const { body: preview } = await call('GET', `/v1/imports/${body.id}/preview`)
    assert.deepEqual(preview.preview[0].variants[0].sellingPrice, 4)
    assert.deepEqual(
      preview.changes.map(({ id: _, ...change }: Body) => change),
      [
        { resource: 'product', name: 'Mug 0', members: [{ member: 'name', before: 'Renamed', after: 'Mug 0' }] },
        { resource: 'variant', name: 'M0', members: [], stock: { before: 6, after: 0 } },
        { resource: 'variant', name: 'M1', members: [], stock: { before: 7, after: 1 } },
      ],
    )
    assertProblem(await call('POST', `/v1/imports/${body.id}/run`, { stock: 'no' }), 400, 'validation_failed')
    const { body: running } = await call('POST', `/v1/imports/${body.id}/run`, { stock: false })
    assert.equal(running.stock, false)
    const done = await reached(call, body.id, 'done')
    assert.deepEqual([done.summary.products.updated, done.summary.stockSet], [1, 0])
    assert.deepEqual((await list(company, 'inventories')).map(({ stock }) => stock).sort(), [6, 7])
    assert.deepEqual((await list(company, 'products')).map(({ name }) => name).sort(), ['Mug 0', 'Mug 1'])
    const { data } = (await call('GET', '/v1/imports')).body
    assert.deepEqual(
      data.map(({ id }: Body) => id),
      [body.id, old.id],
    )
    await undone(company, body.id)
    assert.deepEqual((await list(company, 'products')).map(({ name }) => name).sort(), ['Mug 1', 'Renamed'])
  })

  test('without stock creates new variants without a level', async () => {
    const company = await service.company()
    const { call } = company
    const { id } = await sent(call, csvOf(mugs(2)))
    await reached(call, id, 'ready')
    await call('POST', `/v1/imports/${id}/run`, { stock: false })
    await reached(call, id, 'done')
    assert.deepEqual(
      (await list(company, 'variants')).map(({ inventory }) => inventory),
      [[], []],
    )
    assert.deepEqual(await list(company, 'inventories'), [])
  })

  test('waits until the import has ended', async () => {
    const { call } = await service.company()
    const { body } = await send(call, csvOf(mugs(2_000)), 'run=true')
    const { status } = await call('POST', `/v1/imports/${body.id}/repeat`)
    assert.ok(status === 409, String(status))
    await reached(call, body.id, 'done')
  })
})

test('the columns of all records that were written equal the records', () => assertColumns(service.database))
