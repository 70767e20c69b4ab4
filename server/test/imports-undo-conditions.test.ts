// Which imports can be undone: those that were run, once, within their time; and what happens to a file that is
// imported again.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
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
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { noId } from './support/routes.ts'
import { testService } from './support/service.ts'

const service = testService({ importing: { clearingMs: 100 } })

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
    await refused(id, /was undone\. To import its file again, send it as a new import/)
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
    assert.equal(undoCounts(undo).products, '30 0 0')
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
    const one = await service.company()
    const other = await service.company()
    const { id } = await imported(one.call, csvOf(shirt))
    const before = await catalogue(one)
    for (const [method, path] of [
      ['POST', 'undo'],
      ['GET', 'undo'],
      ['GET', 'left'],
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
    const { message } = assertProblem(await call('POST', `/v1/imports/${id}/run`), 409, 'conflict')
    assert.match(message, /file of the import is no longer kept/)
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
    const body = await sent(call, csvOf(mugs(2, { 'Sale price': 4 })))
    const ready = await reached(call, body.id, 'ready')
    assert.deepEqual([ready.summary.products.updated, ready.summary.stockSet], [1, 2])
    const { body: preview } = await call('GET', `/v1/imports/${body.id}/preview`)
    assert.deepEqual(preview.preview[0].variants[0].sellingPrice, 4)
    assert.deepEqual(
      preview.changes.map(({ id: _, ...change }: Body) => change),
      [
        { resource: 'product', name: 'Mug 0', members: [{ member: 'name', before: 'Renamed', after: 'Mug 0' }] },
        { resource: 'variant', name: 'M0', members: [], stock: { outletId: ready.outletId, before: 6, after: 0 } },
        { resource: 'variant', name: 'M1', members: [], stock: { outletId: ready.outletId, before: 7, after: 1 } },
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
})
