// A plan’s limits are exact: for each create, item of a bulk request, upsert and line of an import (decisions §10).
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { formatOf } from '../src/features/file-import/formats.ts'
import { loadFile } from '../src/features/file-import/load.ts'
import { scopeOf } from '../src/features/tenants/tenants.ts'
import { openCsv } from './support/catalog-files.ts'
import { succeeded } from './support/custom-tables.ts'
import { count, limitsOn, refusal } from './support/plan-limits.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()
const { limit, limitedCompany, secondServer } = limitsOn(service)

const kinds = [
  { name: 'outlets', one: 'outlet', many: 'outlets', value: { name: 'Main Street' } },
  { name: 'stations', one: 'station', many: 'stations', value: { name: 'Till', outletId: 'o', status: 'AVAILABLE' } },
  { name: 'products', one: 'product', many: 'products', value: { name: 'Beans' } },
  { name: 'users', one: 'account', many: 'accounts', value: { email: 'anne@example.com' } },
]
for (const { name, one, many, value } of kinds)
  for (const path of [`/v1/${one}`, `/v1/api/${one}`])
    test(`POST ${path} beyond the plan's ${name} is refused with the limit and the count, and a delete allows another`, async () => {
      const company = await limitedCompany({ [name]: 2 })
      const { call } = company
      const { id } = succeeded(await call('POST', path, value), 201)
      succeeded(await call('POST', path, value), 201)
      const refused = await call('POST', path, value)
      refusal(refused, name, 2, 2)
      assert.equal(refused.body.message, `The plan allows 2 ${name}, and there are 2.`)
      assert.equal(await count(company, many), 2)
      for (const others of kinds.filter((kind) => kind.name !== name))
        succeeded(await call('POST', `/v1/${others.one}`, others.value), 201)
      succeeded(await call('PATCH', `/v1/${one}/${id}`, value))
      succeeded(await call('DELETE', `${path}/${id}`))
      assert.equal((await call('DELETE', `${path}/${id}`)).status, 404)
      succeeded(await call('POST', path, value), 201)
      refusal(await call('POST', path, value), name, 2, 2)
    })

test('within a limit, a bulk request creates as many as allowed, skips invalid items, and refuses each other one', async () => {
  const company = await limitedCompany({ products: 3 })
  const items = [{ name: 'a' }, { wrong: 1 }, { name: 'b' }, { name: 'c' }, { name: 'd' }, { wrong: 1 }, { name: 'e' }]
  const { summary, results } = succeeded(await company.call('POST', '/v1/products', { items }))
  assert.deepEqual(summary, { total: 7, succeeded: 3, failed: 4 })
  assert.deepEqual(
    results.map(({ error }: { error?: { code: string } }) => error?.code),
    [undefined, 'validation_failed', undefined, undefined, 'plan_limit', 'validation_failed', 'plan_limit'],
  )
  const { statusCode, message, errors } = results[4].error
  assert.deepEqual([statusCode, message], [403, 'The plan allows 3 products, and there are 3.'])
  const { pointer, limit, count: there } = errors[0]
  assert.deepEqual([pointer, limit, there], ['/items/4', 3, 3])
  const gone = [results[0].data.id, results[2].data.id, results[2].data.id]
  const removed = await company.call('DELETE', '/v1/products', { items: gone.map((id) => ({ id })) })
  assert.deepEqual(succeeded(removed).summary, { total: 3, succeeded: 2, failed: 1 })
  const more = await company.call('POST', '/v1/products', [{ name: 'f' }, { name: 'g' }, { name: 'h' }])
  assert.deepEqual(succeeded(more).summary, { total: 3, succeeded: 2, failed: 1 })
  assert.equal(await count(company, 'products'), 3)
})

test('a create that a limit refuses leaves no claim, and one that was done gets its response again even at the limit', async () => {
  const company = await limitedCompany({ outlets: 1 })
  const post = (key: string) => company.call('POST', '/v1/outlet', { name: 'A' }, { 'idempotency-key': key })
  const first = succeeded(await post('one'), 201)
  refusal(await post('two'), 'outlets', 1, 1)
  const replay = await post('one')
  assert.deepEqual([replay.status, replay.body, replay.headers.get('idempotent-replayed')], [201, first, 'true'])
  const claims = await service.database.query('select key from idempotency_keys where owner_id = $1', [company.id])
  assert.deepEqual(claims, [['one']])
  succeeded(await company.call('DELETE', `/v1/outlet/${first.id}`))
  assert.notEqual(succeeded(await post('two'), 201).id, first.id)
  assert.equal(await count(company, 'outlets'), 1)
})

test('a bulk request under a key is done once, within a limit', async () => {
  const company = await limitedCompany({ users: 2 })
  const items = ['a@example.com', 'b@example.com', 'c@example.com'].map((email) => ({ email }))
  const post = () => company.call('POST', '/v1/accounts', { items }, { 'idempotency-key': 'bulk' })
  const first = succeeded(await post())
  assert.deepEqual(first.summary, { total: 3, succeeded: 2, failed: 1 })
  assert.deepEqual(succeeded(await post()), first)
  assert.equal(await count(company, 'accounts'), 2)
  refusal(await company.call('POST', '/v1/account', items[0]), 'users', 2, 2)
})

test('with a smaller plan existing records stay and creates are refused until deletes make room; a larger plan allows more', async (t) => {
  const company = await limitedCompany({ products: 5 })
  const other = await secondServer(t, company)
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.push(succeeded(await company.call('POST', '/v1/product', { name: 'x' }), 201).id)
  await limit(company, { products: 2 })
  refusal(await other('POST', '/v1/product', { name: 'x' }), 'products', 2, 5)
  assert.equal(await count(company, 'products'), 5)
  succeeded(await other('PATCH', `/v1/product/${ids[4]}`, { name: 'y' }))
  for (const id of ids.slice(0, 3)) succeeded(await company.call('DELETE', `/v1/product/${id}`))
  refusal(await other('POST', '/v1/product', { name: 'x' }), 'products', 2, 2)
  await limit(company, { products: 3 })
  succeeded(await other('POST', '/v1/product', { name: 'x' }), 201)
  refusal(await company.call('POST', '/v1/product', { name: 'x' }), 'products', 3, 3)
  await limit(company, { products: 0 })
  const none = await company.call('POST', '/v1/product', { name: 'x' })
  refusal(none, 'products', 0, 3)
  assert.equal(none.body.message, 'The plan allows no products, and there are 3.')
})

test('rows that were deleted directly in the database make room', async () => {
  const company = await limitedCompany({ products: 2 })
  const post = () => company.call('POST', '/v1/product', { name: 'x' })
  for (let n = 0; n < 2; n++) succeeded(await post(), 201)
  refusal(await post(), 'products', 2, 2)
  await service.database.query('delete from products where company_id = $1', [company.id])
  succeeded(await post(), 201)
})

test('an upsert creates within the limit, singly, in bulk and in a dry run, and updates beyond it', async () => {
  const { call } = await limitedCompany({ products: 1 })
  const put = (externalId: string, query = '') =>
    call('PUT', `/v1/product/external/woo/${externalId}${query}`, { name: 'A' })
  succeeded(await put('1', '?dryRun=true'), 201)
  succeeded(await put('1'), 201)
  succeeded(await put('1'))
  refusal(await put('2'), 'products', 1, 1)
  refusal(await put('2', '?dryRun=true'), 'products', 1, 1)
  const items = ['2', '1'].map((externalId) => ({ source: 'woo', externalId, name: 'B' }))
  const { results } = succeeded(await call('POST', '/v1/products?mode=upsert', items))
  assert.deepEqual([results[0].error.code, results[1].outcome], ['plan_limit', 'updated'])
})

test('limits that are not numbers, or of things that are not counted, limit nothing', async () => {
  const company = await limitedCompany({ products: null, outlets: '1', customers: 1, stations: 1.9, users: -1 })
  for (const one of ['product', 'outlet', 'product', 'outlet'])
    succeeded(await company.call('POST', `/v1/${one}`, { name: 'x' }), 201)
  for (let n = 0; n < 3; n++) succeeded(await company.call('POST', '/v1/customer', { phone: '1' }), 201)
  const value = { name: 'Till', outletId: 'o', status: 'AVAILABLE' }
  succeeded(await company.call('POST', '/v1/station', value), 201)
  refusal(await company.call('POST', '/v1/station', value), 'stations', 1, 1)
  refusal(await company.call('POST', '/v1/account', { email: 'a@example.com' }), 'users', 0, 0)
})

test('an import creates as many products as the plan allows, and says for each refused line why; a dry run says the same before', async () => {
  const company = await limitedCompany({ products: 2 })
  const { database } = service
  const folder = mkdtempSync(join(tmpdir(), 'plan-limits-'))
  const path = join(folder, 'products.csv')
  const rows = ['A', 'B', 'C', 'D'].map((sku, n) => `${n + 1},simple,${sku},Product ${sku},1,5`)
  writeFileSync(path, ['ID,Type,SKU,Name,Published,Regular price', ...rows].join('\n'))
  const load = async (dryRun = false) => {
    const refused: string[] = []
    const file = await openCsv(path)
    const summary = await loadFile({
      database,
      scope: await scopeOf(database, company.id),
      format: formatOf(file),
      outletId: 'main',
      defaultOutlet: async () => 'main',
      file,
      dryRun,
      refused: ({ line, reason }) => void refused.push(`${line}: ${reason}`),
    })
    return { refused, ...summary.products }
  }
  const refused = [4, 5].map((line) => `${line}: The plan allows 2 products, and there are 2.`)
  for (const dryRun of [true, false])
    assert.deepEqual(await load(dryRun), { refused, created: 2, updated: 0, unchanged: 0 })
  for (const dryRun of [true, false])
    assert.deepEqual(await load(dryRun), { refused, created: 0, updated: 0, unchanged: 2 })
  await limit(company, { products: 1 })
  const beyond = [4, 5].map((line) => `${line}: The plan allows 1 product, and there are 2.`)
  for (const dryRun of [true, false])
    assert.deepEqual(await load(dryRun), { refused: beyond, created: 0, updated: 0, unchanged: 2 })
  await limit(company, {})
  for (const dryRun of [true, false])
    assert.deepEqual(await load(dryRun), { refused: [], created: 2, updated: 0, unchanged: 2 })
  rmSync(folder, { recursive: true })
})
