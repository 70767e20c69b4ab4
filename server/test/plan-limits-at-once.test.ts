// A plan’s limits at any moment and on any server: exact under concurrent creates and changes of the plan, and without a further statement where there is none (decisions §10).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database, Queryable, Statement } from '../src/database/connect.ts'
import { operations } from '../src/engine/operations.ts'
import { limitedOperations } from '../src/features/plan-limits/limited.ts'
import { limitsChanged, planLimits } from '../src/features/plan-limits/plan-limits.ts'
import { scopeOf } from '../src/features/tenants/tenants.ts'
import { product } from '../src/resources/product.ts'
import { succeeded } from './support/custom-tables.ts'
import { count, limitsOn, refusal } from './support/plan-limits.ts'
import { until } from './support/program.ts'
import { type Company, sharedService } from './support/service.ts'

const service = sharedService()
const { limit, limitedCompany, secondServer } = limitsOn(service)

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
  const late = limitedOperations(operations(product, database), database, unaware)
  const scope = await scopeOf(database, company.id)
  await late.createMany([1, 2].map(() => ({ scope, value: { name: 'y' } })))
  refusal(await post(), 'products', 3, 4)
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
  const within = limitedOperations(operations(product, counting), counting, plans)
  const create = async () => 'text' in (await within.create({ scope, value: { name: 'x' } }))
  for (let n = 0; n < 20; n++) assert.ok(await create())
  assert.equal(counts, 1)
  const unaware = { of: () => ({}), drop() {}, listen() {}, close: async () => {} }
  const late = limitedOperations(operations(product, database), database, unaware)
  await late.createMany(Array.from({ length: 150 }, () => ({ scope, value: { name: 'y' } })))
  const calls = [create, async () => (await company.call('POST', '/v1/product', { name: 'z' })).status === 201]
  const made = await Promise.all(Array.from({ length: 300 }, (_, n) => (calls[n % 2] as typeof create)()))
  assert.equal(made.filter(Boolean).length, 400 - 20 - 150)
  assert.equal(await count(company, 'products'), 400)
})

test('limits are cached until a plan changes, and what is read at the moment of a change is not cached', async (t) => {
  const { database } = service
  const plans = planLimits(database)
  t.after(() => plans.close())
  const one = await limitedCompany({})
  const two = await limitedCompany({})
  const [row] = await database.query('select plan_id from companies where id = $1', [one.id])
  const planId: string = row?.[0]
  await database.query('update companies set plan_id = $2 where id = $1', [two.id, planId])
  // Only now: a late notification of their creation would empty the new cache.
  plans.listen()
  const isKept = ({ id }: Company) => !(plans.of(id) instanceof Promise)
  const areKept = () =>
    until('what is read is kept', async () => {
      for (const { id } of [one, two]) await plans.of(id)
      return isKept(one) && isKept(two)
    })
  await areKept()
  for (let n = 1; n < 6; n++) {
    await database.transaction(async (transaction) => {
      await transaction.query('update plans set limits = $2 where id = $1', [planId, JSON.stringify({ users: n })])
      await limitsChanged(transaction)
    })
    await until('both are read again', async () => {
      const limits = await Promise.all([one, two].map(({ id }) => plans.of(id)))
      return limits.every(({ users }) => users === n)
    })
    await areKept()
  }
  plans.drop()
  const reading = plans.of(one.id)
  assert.ok(reading instanceof Promise)
  plans.drop()
  await reading
  assert.ok(!isKept(one), 'it may have been read before the change')
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
  const within = limitedOperations(own, database, plans)
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
