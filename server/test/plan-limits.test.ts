// A plan's limits are exact: for each create and item, on any server, at any moment; and companies without a limit pay nothing (decisions §10).
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { newId } from '../src/core/ids.ts'
import type { Database, Queryable, Statement } from '../src/database/connect.ts'
import { operations } from '../src/engine/operations.ts'
import { openCsv } from '../src/features/file-import/csv.ts'
import { formatOf } from '../src/features/file-import/formats.ts'
import { loadFile } from '../src/features/file-import/load.ts'
import { limited } from '../src/features/plan-limits/limited.ts'
import { limitsChanged, planLimits } from '../src/features/plan-limits/plan-limits.ts'
import { scopeOf } from '../src/features/tenants/tenants.ts'
import { product } from '../src/resources/product.ts'
import { startService } from '../src/service.ts'
import { succeeded } from './support/custom-tables.ts'
import { testConnection } from './support/database.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { type Company, type Reply, sharedService, testSettings } from './support/service.ts'

const service = sharedService()

/** Sets a company's limits, with a plan of its own; every server is notified. */
async function limit(company: Company, limits: object): Promise<void> {
  await service.database.transaction(async (transaction) => {
    const planId = newId()
    await transaction.query(
      `insert into plans (id, organization_id, name, limits, created_at, updated_at) values ($1, $2, 'Small', $3, now(), now())`,
      [planId, company.organizationId, JSON.stringify(limits)],
    )
    await transaction.query('update companies set plan_id = $2 where id = $1', [company.id, planId])
    await limitsChanged(transaction, { companyId: company.id })
  })
}

async function limitedCompany(limits: object): Promise<Company> {
  const company = await service.company()
  await limit(company, limits)
  return company
}

/** A second server on the same database. */
async function secondServer(t: TestContext, { key }: Company) {
  const [row] = await service.database.query('select current_database()')
  const second = await startService({ ...testConnection(), database: row?.[0] }, testSettings)
  t.after(() => second.close())
  return service.caller({ 'x-api-key': key }, second.url)
}

const refusal = (reply: Reply, name: string, limit: number, count: number, at = '') => {
  assertProblem(reply, 403, 'plan_limit')
  const [error] = reply.body.errors
  assert.deepEqual(
    { ...error, message: undefined },
    { in: 'body', pointer: at, code: 'plan_limit', resource: name, limit, count, message: undefined },
  )
}
const count = async (company: Company, many: string) =>
  succeeded(await company.call('GET', `/v1/${many}?limit=1`)).meta.count

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

test('a limit is exact under parallel creates, bulk requests and deletes through two servers', async (t) => {
  const company = await limitedCompany({ products: 25 })
  const calls = [company.call, await secondServer(t, company)]
  const made: string[] = []
  const refused: number[] = []
  for (let round = 0; round < 3; round++) {
    const replies = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const call = calls[n % 2] as Company['call']
        if (n % 8 > 0) return [await call('POST', '/v1/product', { name: `${n}` })]
        const bulk = await call('POST', '/v1/products', [{ name: 'a' }, { name: 'b' }, { name: 'c' }])
        return succeeded(bulk).results.map(({ data, error }: any) => ({
          status: error?.statusCode ?? 201,
          body: data,
        }))
      }),
    )
    for (const { status, body } of replies.flat()) {
      if (status === 201) made.push(body.id)
      else refused.push(status)
    }
    assert.equal(made.length, 25)
    assert.equal(await count(company, 'products'), 25)
    const gone = made.splice(0, 10)
    const removed = await Promise.all(
      gone.map((id, n) => (calls[n % 2] as Company['call'])('DELETE', `/v1/product/${id}`)),
    )
    for (const reply of removed) succeeded(reply)
  }
  assert.deepEqual(new Set(refused), new Set([403]))
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

test('a limit that is set while two servers create applies from then on, and records created meanwhile count', async (t) => {
  const company = await service.company()
  const calls = [company.call, await secondServer(t, company)]
  const post = (n: number) => (calls[n % 2] as Company['call'])('POST', '/v1/product', { name: `${n}` })
  const creates = Array.from({ length: 60 }, (_, n) => post(n))
  await limit(company, { products: 10 })
  await Promise.all(creates)
  await until('both servers have heard of it', async () => {
    const replies = await Promise.all([post(0), post(1)])
    return replies.every(({ status }) => status === 403)
  })
  const there = await count(company, 'products')
  refusal(await post(0), 'products', 10, there)
  refusal(await post(0), 'products', 10, there)
  refusal(await post(1), 'products', 10, there)
})

test('a limit that was removed and set again counts what was created and deleted in between', async (t) => {
  const company = await limitedCompany({ stations: 2 })
  const other = await secondServer(t, company)
  const value = { name: 'Till', outletId: 'o', status: 'AVAILABLE' }
  const post = (call = company.call) => call('POST', '/v1/station', value)
  succeeded(await post(), 201)
  succeeded(await post(), 201)
  refusal(await post(other), 'stations', 2, 2)
  await limit(company, {})
  await until('the limit is gone', async () => (await post()).status === 201)
  const { id } = succeeded(await post(other), 201)
  succeeded(await other('DELETE', `/v1/station/${id}`))
  await limit(company, { stations: 4 })
  await until('the limit is back', async () => (await post()).status === 403)
  const there = await count(company, 'stations')
  refusal(await post(other), 'stations', 4, there)
})

test('creates of a server that missed the notification of the limit are counted', async () => {
  const company = await limitedCompany({ products: 3 })
  const { database } = service
  const post = () => company.call('POST', '/v1/product', { name: 'x' })
  for (let n = 0; n < 2; n++) succeeded(await post(), 201)
  const unaware = { of: () => ({}), drop() {}, listen() {}, close: async () => {} }
  const late = limited(operations(product, database), database, unaware)
  const scope = await scopeOf(database, company.id)
  await late.createMany([1, 2].map(() => ({ scope, value: { name: 'y' } })))
  refusal(await post(), 'products', 3, 4)
})

test('rows that were deleted directly in the database make room', async () => {
  const company = await limitedCompany({ products: 2 })
  const post = () => company.call('POST', '/v1/product', { name: 'x' })
  for (let n = 0; n < 2; n++) succeeded(await post(), 201)
  refusal(await post(), 'products', 2, 2)
  await service.database.query('delete from products where company_id = $1', [company.id])
  succeeded(await post(), 201)
})

test('a large limit is exact too, also for creates of a server that missed its notification, and records are not counted for each create far from it', async (t) => {
  const company = await limitedCompany({ products: 400 })
  const { database } = service
  const scope = await scopeOf(database, company.id)
  const plans = planLimits(database)
  t.after(() => plans.close())
  let counts = 0
  const noted = ({ inTransaction, isSharded, query }: Queryable): Queryable => ({
    isSharded,
    inTransaction,
    query(statement, values) {
      if ((statement as Statement).name === 'plan_count_products') counts++
      return query(statement, values)
    },
  })
  const counting: Database = {
    ...database,
    transaction: (work) => database.transaction((transaction) => work(noted(transaction))),
  }
  const within = limited(operations(product, counting), counting, plans)
  const create = async () => 'text' in (await within.create({ scope, value: { name: 'x' } }))
  for (let n = 0; n < 20; n++) assert.ok(await create())
  assert.equal(counts, 1)
  const unaware = { of: () => ({}), drop() {}, listen() {}, close: async () => {} }
  const late = limited(operations(product, database), database, unaware)
  await late.createMany(Array.from({ length: 150 }, () => ({ scope, value: { name: 'y' } })))
  const calls = [create, async () => (await company.call('POST', '/v1/product', { name: 'z' })).status === 201]
  const made = await Promise.all(Array.from({ length: 300 }, (_, n) => (calls[n % 2] as typeof create)()))
  assert.equal(made.filter(Boolean).length, 400 - 20 - 150)
  assert.equal(await count(company, 'products'), 400)
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
      ...{ database, scope: await scopeOf(database, company.id), format: formatOf(file), outletId: 'main' },
      ...{ file, dryRun },
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

test('a changed plan is read again for its own companies only, and cached limits of others stay, also if read at the same moment', async (t) => {
  const { database } = service
  const plans = planLimits(database)
  t.after(() => plans.close())
  const [one, two, other] = [await limitedCompany({}), await limitedCompany({}), await limitedCompany({ users: 7 })]
  const planOf = async ({ id }: Company): Promise<string> =>
    (await database.query('select plan_id from companies where id = $1', [id]))[0]?.[0]
  const planId = await planOf(one)
  await database.query('update companies set plan_id = $2 where id = $1', [two.id, planId])
  // Only now: a late notification of their creation would drop the new cache entry.
  plans.listen()
  const isKept = ({ id }: Company) => !(plans.of(id) instanceof Promise)
  const isBack = (...companies: Company[]) =>
    until('what is read is kept', async () => {
      for (const { id } of companies) await plans.of(id)
      return companies.every(isKept)
    })
  const change = (limits: object) =>
    database.transaction(async (transaction) => {
      await transaction.query('update plans set limits = $2 where id = $1', [planId, JSON.stringify(limits)])
      await limitsChanged(transaction, { planId })
    })
  await isBack(one, two, other)
  for (let n = 1; n < 6; n++) {
    await change({ users: n })
    await until('both are read again', async () => {
      assert.ok(isKept(other))
      const limits = await Promise.all([one, two].map(({ id }) => plans.of(id)))
      return limits.every(({ users }) => users === n)
    })
    await isBack(one, two)
  }
  // While one is read, notifications of another plan or company do not affect it.
  plans.drop({ companyId: other.id })
  const reading = plans.of(other.id)
  assert.ok(reading instanceof Promise)
  for (const changed of [{ planId }, { companyId: one.id }]) plans.drop(changed)
  await reading
  assert.ok(isKept(other) && !isKept(one) && !isKept(two))
  for (const changed of [{ planId: await planOf(other) }, { companyId: other.id }]) {
    await isBack(other)
    plans.drop(changed)
    const reading = plans.of(other.id)
    plans.drop(changed)
    await reading
    assert.ok(!isKept(other), 'it may have been read before it was changed')
  }
})

test('a company without a limit needs no further statement', async (t) => {
  const { id } = await service.company()
  const scope = await scopeOf(service.database, id)
  const asked: string[] = []
  const note = ({ inTransaction, isSharded, query }: Queryable): Queryable => ({
    isSharded,
    inTransaction,
    query(statement, values) {
      asked.push(typeof statement === 'string' ? statement : ((statement as Statement).name ?? statement.text))
      return query(statement, values)
    },
  })
  const database: Database = {
    ...service.database,
    ...note(service.database),
    transaction: (work) => service.database.transaction((transaction) => work(note(transaction))),
  }
  const plans = planLimits(database)
  plans.listen()
  t.after(() => plans.close())
  const own = operations(product, database)
  const within = limited(own, database, plans)
  await until('what is read is kept', async () => {
    await plans.of(id)
    return !(plans.of(id) instanceof Promise)
  })
  const statementsOf = async (some: typeof own) => {
    asked.length = 0
    const made = await some.create({ scope, value: { name: 'a' } })
    const [two] = await some.createMany([{ scope, value: { name: 'b' } }])
    assert.ok('text' in made && two && 'text' in two)
    await some.update({ scope, id: made.id, value: { name: 'c' } })
    await some.remove({ scope, id: made.id, value: undefined })
    await some.removeMany([{ scope, id: two.id, value: undefined }])
    return [...asked]
  }
  const plain = await statementsOf(own)
  assert.ok(plain.length > 4)
  assert.deepEqual(await statementsOf(within), plain)
})
