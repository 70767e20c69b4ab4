// Lists whose matches may be the last records of their order find them first, instead of walking past all others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foundQuery, mayComeLast } from '../src/engine/lists/found-query.ts'
import { listQuery, pageStatement } from '../src/engine/lists/list-query.ts'
import type { Resource } from '../src/engine/resource.ts'
import { customer } from '../src/resources/customer.ts'
import { order } from '../src/resources/order.ts'
import { longList } from './support/long-list.ts'
import { skipOnCluster } from './support/nodes.ts'
import { testService } from './support/service.ts'

const service = testService()
const filled = longList(service)
const many = { lowersPlainly: true, holdsMost: true, rows: 200_000 }

/** The list with its matches found first has the count and the page of the plain one. */
async function assertFound(resource: Resource, companyId: string, parameters: Record<string, unknown>) {
  const query = listQuery(resource, companyId, parameters)
  assert.ok(mayComeLast(resource, query, parameters), JSON.stringify(parameters))
  const { matches, filterValues, page, pageValues } = foundQuery(resource, companyId, parameters, query, many, true)
  const { query: read } = service.database
  const plain = await read(pageStatement(resource, query).text, query.page.values)
  assert.ok(plain.length > 0)
  assert.deepEqual(await read(page, pageValues), plain)
  const count = `select count(*) from ${resource.table} as stored where ${query.where}`
  assert.deepEqual(await read(matches, filterValues), await read(count, query.filterValues))
  const plan = await read(`explain (costs off) ${page.text}`, pageValues)
  assert.doesNotMatch(plan.join('\n'), new RegExp(`${resource.table}_created_at`))
}

/** Orders a minute apart; most say when they happened, and some were created much earlier. */
const writeOrders = (companyId: string, count: number) =>
  service.database.query(
    `insert into orders (company_id, id, occurred_at, body)
     select $1, id, case when n % 5 <> 0 then at end, json_build_object('id', id, 'status', case when n % 3 = 0 then 'parked' else 'completed' end,
       'createdAt', case when n % 7 = 0 then '2026-01-01T00:00:00.000Z' else at end, 'updatedAt', at)
     from (
       select n, '6' || lpad((n * 7 % $2::int)::text, 23, '0') as id, iso_time('2026-01-01'::timestamptz + make_interval(mins => n)) as at
       from generate_series(1, $2::int - 1) as n
     ) as made`,
    [companyId, count],
  )

test('records changed since a time are found by that time first', { skip: skipOnCluster }, async () => {
  const companyId = await filled()
  const updatedAt = { gte: '2026-01-01T02:30:00.000Z' }
  for (const parameters of [{ updatedAt }, { updatedAt, outletId: 'outlet-7' }, { updatedAt, skip: 3, limit: 7 }])
    await assertFound(customer, companyId, parameters)
})

test('orders of a period that begins late are found first too, and from the newest those of one that ended early', {
  skip: skipOnCluster,
}, async () => {
  const { id: companyId } = await service.company()
  await writeOrders(companyId, 5_000)
  await service.database.query('analyze orders')
  const late = { gte: '2026-01-03T00:00:00.000Z', lt: '2026-01-04T00:00:00.000Z' }
  for (const place of [{}, { skip: 3, limit: 7 }, { limit: 1_000 }]) {
    await assertFound(order, companyId, { occurredAt: late, status: 'completed', ...place })
    await assertFound(order, companyId, { occurredAt: late, sortOrder: 'desc', ...place })
  }
})

test('the records of a page are looked up by their ids, even if PostgreSQL has no statistics of the company', {
  skip: skipOnCluster,
}, async () => {
  await writeOrders((await service.company()).id, 5_000)
  await service.database.query('analyze orders')
  const { id: companyId } = await service.company()
  await writeOrders(companyId, 500)
  const parameters = { occurredAt: { gte: '2026' }, skip: 1_000 }
  const query = listQuery(order, companyId, parameters)
  const { page, pageValues } = foundQuery(order, companyId, parameters, query, many, true)
  for (const [{ text }, values] of [
    [page, pageValues],
    [pageStatement(order, query), query.page.values],
  ] as const) {
    const plan = await service.database.query(`explain (costs off) ${text}`, values)
    assert.match(plan.join('\n'), /Index Scan using orders_pkey(.|\n)*Index Cond: .*\(id = page.id\)/)
  }
})

test('other lists walk in their order', () => {
  const walks = (resource: Resource, parameters: Record<string, unknown>) =>
    assert.equal(mayComeLast(resource, listQuery(resource, 'c', parameters), parameters), false)
  const since = { gte: '2026' }
  walks(customer, { updatedAt: { lt: '2026' } })
  walks(customer, { updatedAt: since, sortOrder: 'desc' })
  walks(customer, { updatedAt: since, sortBy: 'email' })
  walks(customer, { createdAt: since })
  walks(order, { occurredAt: since, sortBy: 'occurredAt' })
  walks(order, { occurredAt: since, sortOrder: 'desc' })
  // Of a time that is still to come, a walk from the newest record meets the matches first.
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  walks(order, { occurredAt: { ...since, lt: tomorrow }, sortOrder: 'desc' })
})

test('matches are found first while they are a quarter of the rows, and no more than sorting them is worth', () => {
  const few = (facts: object) => {
    const parameters = { updatedAt: { gte: '2026' } }
    return foundQuery(customer, 'c', parameters, listQuery(customer, 'c', parameters), { ...many, ...facts }, true).few
  }
  assert.equal(few({}), 20_000)
  assert.equal(few({ rows: 60_000 }), 15_000)
  assert.equal(few({ holdsMost: false }), 5_000)
})
