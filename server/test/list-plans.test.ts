// The statements of lists use the index made for them, in a table too long to be read completely. The tests check the
// shape of their plans, not their time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fairSemaphore } from '../src/concurrency/fair-semaphore.ts'
import type { Scope } from '../src/core/scope.ts'
import type { Queryable } from '../src/database/connect.ts'
import { foundQuery } from '../src/engine/lists/found-query.ts'
import { pager } from '../src/engine/lists/list.ts'
import { writeCursor } from '../src/engine/lists/list-cursor.ts'
import { countStatement, listQuery, pageStatement } from '../src/engine/lists/list-query.ts'
import { pageFromEnd } from '../src/engine/lists/page-from-end.ts'
import { intersectedCount, RememberedCounts } from '../src/engine/lists/remembered-counts.ts'
import type { SearchFacts } from '../src/engine/lists/search-facts.ts'
import { customer } from '../src/resources/customer.ts'
import { order } from '../src/resources/order.ts'
import { longList, records, vacuumCustomers } from './support/long-list.ts'
import { skipOnCluster } from './support/nodes.ts'
import { testService } from './support/service.ts'

const service = testService()
const filled = longList(service)

async function planOf(text: string, values: readonly unknown[]): Promise<string> {
  const rows = await service.database.query(`explain (costs off) ${text}`, values)
  return rows.map(([line]) => line).join('\n')
}

interface Wanted {
  readonly page?: RegExp
  readonly count?: RegExp
}

/** Explains the page and the count of a list: none reads the whole table, or sorts all its rows. */
async function plansOf(parameters: Record<string, unknown>, { page, count }: Wanted): Promise<void> {
  const query = listQuery(customer, await filled(), parameters)
  const plans = [
    [page, pageStatement(customer, query).text, query.page.values],
    [count, `select count(*) from customers as stored where ${query.where}`, query.filterValues],
  ] as const
  for (const [wanted, text, values] of plans) {
    if (wanted === undefined) continue
    const plan = await planOf(text, values)
    assert.match(plan, wanted, plan)
    assert.doesNotMatch(plan, /Seq Scan on customers/, plan)
    if (parameters.skip === undefined) assert.doesNotMatch(plan, /Sort/, plan)
  }
}

const ordered = (index: string) => new RegExp(`Index Scan (Backward )?using customers_${index} on`)
const within = (index: string) => new RegExp(`Index Only Scan (Backward )?using customers_${index} on`)
const columns = { createdAt: 'created_at', updatedAt: 'updated_at', email: 'email', lastName: 'last_name' }

test('a page walks the index of its order, from its beginning, a cursor or a filter', {
  skip: skipOnCluster,
}, async () => {
  for (const [sortBy, index] of Object.entries(columns))
    for (const sortOrder of ['asc', 'desc']) {
      await plansOf({ sortBy, sortOrder }, { page: ordered(index) })
      const last = JSON.stringify({ id: `6${'1'.padStart(23, '0')}`, [sortBy]: '2026-01-01T02:00:00.000Z' })
      const cursor = writeCursor(sortBy, sortOrder, customer, last)
      await plansOf(
        { sortBy, sortOrder, cursor },
        { page: new RegExp(`${ordered(index).source}[^]*Index Cond: .*ROW\\(`) },
      )
    }
  await plansOf({ outletId: 'outlet-7' }, { page: ordered('by_outlet_id'), count: within('by_outlet_id') })
  await plansOf({ externalId: '77' }, { page: ordered('by_external_id'), count: within('by_external_id') })
  await plansOf(
    { createdAt: { gte: '2026-01-01T01:00:00.000Z' } },
    { page: ordered('created_at'), count: /Index Only Scan/ },
  )
})

test('a page counts all matches in its own statement, once', { skip: skipOnCluster }, async () => {
  const companyId = await filled()
  const all = records / 50
  for (const [limit, skip] of [
    [100, 0],
    [100, 50],
    [all, 100],
  ] as const) {
    const query = listQuery(customer, companyId, { outletId: 'outlet-7', limit, skip })
    const { text } = pageStatement(customer, query, true)
    const rows = await service.database.query(text, query.page.values)
    assert.equal(rows.length, Math.min(limit + 1, all - skip))
    for (const [count] of rows) assert.equal(count, all)
    const plan = await service.database.query(`explain (analyze, costs off, timing off, summary off) ${text}`, [
      ...query.page.values,
    ])
    assert.match(plan.join('\n'), /Aggregate \(actual rows=1\S* loops=1\)/)
  }
})

test('a list of ids looks them up by the key, and reads no other record', { skip: skipOnCluster }, async () => {
  for (const length of [1, 10, 100]) {
    const id = Array.from({ length }, (_, n) => `6${String(n * 7).padStart(23, '0')}`).join(',')
    // All have the same first name, by whose index PostgreSQL skips to each id, too.
    const count = /Index (Only )?Scan using customers_(pkey|first_name)/
    for (const sortBy of ['createdAt', 'updatedAt'])
      for (const limit of [10, 100]) await plansOf({ id, skip: 0, sortBy, limit }, { page: /customers_pkey/, count })
  }
})

test('a list of several external ids looks each up in its index', { skip: skipOnCluster }, async () => {
  const externalId = Array.from({ length: 100 }, (_, n) => String(n * 7))
  const index = /customers_by_external_id/
  for (const limit of [10, 100]) await plansOf({ externalId, skip: 0, limit }, { page: index, count: index })
})

test('a page of several words walks the index of each, whatever the statistics say, and sorts no more than the pages of these', {
  skip: skipOnCluster,
}, async () => {
  const { id: companyId } = await service.company()
  await service.database.query(
    `insert into orders (company_id, id, body)
     select $1, '6' || lpad(n::text, 23, '0'), json_build_object('id', '6' || lpad(n::text, 23, '0'), 'status', case when n > 4900 then (array['parked', 'pending'])[1 + n % 2] else 'completed' end,
       'notes', repeat('x', 500), 'createdAt', at, 'updatedAt', at)
     from (select n, iso_time('2026-01-01'::timestamptz + make_interval(secs => n)) as at from generate_series(1, 5000) as n) as made`,
    [companyId],
  )
  await service.database.query('analyze orders')
  const first = { id: `6${'4910'.padStart(23, '0')}`, createdAt: '2026-01-01T01:21:50.000Z' }
  for (const sortOrder of ['asc', 'desc'])
    for (const more of [
      {},
      { skip: 40 },
      { skip: 2_000 },
      { cursor: writeCursor('createdAt', sortOrder, order, JSON.stringify(first)) },
    ]) {
      const query = listQuery(order, companyId, { status: 'parked,pending', sortOrder, limit: 20, ...more })
      const plan = await planOf(pageStatement(order, query).text, query.page.values)
      assert.match(plan, /Index (Only )?Scan (Backward )?using orders_by_status on/, plan)
      assert.doesNotMatch(plan, /Seq Scan|orders_created_at|orders_status /, plan)
    }
})

test('orders without checks are counted by indexes, and a page of them or of the others parses no more bodies than it meets', {
  skip: skipOnCluster,
}, async () => {
  const { id: companyId } = await service.company()
  await service.database.query(
    `insert into orders (company_id, id, body)
     select $1, '6' || lpad(n::text, 23, '0'), replace((jsonb_build_object('id', '6' || lpad(n::text, 23, '0'), 'outletId', 'outlet-' || n % 3, 'status', 'completed',
       'metadata', jsonb_build_object('checks', array[1]), 'notes', repeat('x', 500), 'createdAt', at, 'updatedAt', at)
       || case when n % 50 = 7 then jsonb_build_object('checks', array['/a']) else '{}' end)::text, '": ', '":')::json
     from (select n, iso_time('2026-01-01'::timestamptz + make_interval(secs => n)) as at from generate_series(1, 5000) as n) as made`,
    [companyId],
  )
  await service.database.query('vacuum (analyze, index_cleanup on) orders')
  const semaphore = fairSemaphore({ name: 'test', atOnce: 4, waiting: 100 })
  const facts = { of: async () => ({ lowersPlainly: true, holdsMost: true, rows: 1_000_000 }) }
  const list = pager(order, service.database, semaphore, undefined, facts)
  const scope = { companyId, organizationId: 'o' } as Scope
  for (const outlet of [undefined, 'outlet-1'])
    for (const hasChecks of [true, false]) {
      const parameters = { hasChecks, limit: 3, ...(outlet && { outletId: outlet }) }
      const plain = `from orders where company_id = $1 and (body -> 'checks' is not null) = $2 and outlet_id like $3`
      const values = [companyId, hasChecks, outlet ?? '%']
      const [[wanted] = []] = await service.database.query(`select count(*)::int ${plain}`, values)
      const first = await service.database.query(`select id ${plain} order by created_at limit 3`, values)
      const { count, texts } = await list(scope, { parameters, wantsCount: true })
      assert.equal(count, wanted)
      assert.deepEqual(texts.map((text) => JSON.parse(text).id), first.map(([id]) => id)) // biome-ignore format: one thought
      const query = listQuery(order, companyId, parameters)
      const plan = await planOf(countStatement(order, query).text, query.filterValues)
      assert.match(plan, /orders_with_checks/, plan)
      assert.doesNotMatch(plan, /Seq Scan/, plan)
      const page = await planOf(pageStatement(order, query, false, 1).text, query.page.values)
      assert.match(page, hasChecks ? /orders_with_checks/ : /orders_(created_at|by_outlet_id)/, page)
      assert.doesNotMatch(page, /SubPlan|CTE|Sort/, page)
    }
})

test('a deep page finds its ids in the index of its order, and then reads only its own rows', {
  skip: skipOnCluster,
}, async () => {
  const skip = records - 2_000
  for (const [sortBy, index] of Object.entries(columns))
    for (const sortOrder of ['asc', 'desc'])
      await plansOf({ sortBy, sortOrder, skip }, { page: new RegExp(`${within(index).source}[^]*customers_pkey`) })
  await plansOf({ outletId: 'outlet-7', skip: 1_000 }, { page: within('by_outlet_id') })
})

/** The plans of the statements that find all matches of a search of the last name first. */
async function foundPlans(sought: string, facts: SearchFacts): Promise<string[]> {
  const parameters = { searchByLastName: sought }
  const companyId = await filled()
  const found = foundQuery(customer, companyId, parameters, listQuery(customer, companyId, parameters), facts, true)
  const few = await planOf(found.matches.text, found.filterValues)
  assert.doesNotMatch(few, /Seq Scan on customers/, few)
  // How the found rows are read depends on how many of the table they are.
  return [few, await planOf(found.page.text, found.pageValues)]
}

test('a page in the second half of a list walks from its end, and is the page that a walk from its beginning finds', {
  skip: skipOnCluster,
}, async () => {
  const companyId = await filled()
  const counts = new RememberedCounts(customer, { slowMs: 0 })
  const counted = (parameters: object) => {
    const { members = [], ...query } = listQuery(customer, companyId, { ...parameters, skip: 0 })
    return { ...query, companyId, members }
  }
  const lists = [
    ...Object.entries(columns).map(([sortBy, index]) => ({ parameters: { sortBy }, index, all: records })),
    { parameters: { outletId: 'outlet-7' }, index: 'by_outlet_id', all: records / 50 },
  ]
  for (const { parameters } of lists)
    for (let n = 0; n < 2; n++)
      await counts.count({ ...service.database, reads: service.database }, counted(parameters))
  const compare = async (added: number) => {
    for (const { parameters, index, all } of lists)
      for (const [skip, sortOrder] of [
        [all - 7, 'asc'],
        [all - 90, 'desc'],
        [all + added, 'asc'],
      ] as const) {
        const query = listQuery(customer, companyId, { ...parameters, sortOrder, skip, limit: 5 })
        const known = counts.known(counted(parameters))
        assert.ok(known)
        const [{ text }, values] = pageFromEnd(customer, query, counted(parameters), known)
        const rows = await service.database.query(text, values)
        assert.equal(rows.length, Math.max(0, Math.min(6, all + added - skip)))
        assert.deepEqual(rows, await service.database.query(pageStatement(customer, query).text, query.page.values))
        const plan = await planOf(text, values)
        assert.match(plan, within(index))
        assert.doesNotMatch(plan, /Seq Scan on customers/, plan)
      }
  }
  await compare(0)
  await service.database.query(
    `with one as (select 'zz' as id, json_build_object('id', 'zz', 'lastName', 'a', 'outletId', 'outlet-7', 'isDeleted', false, 'createdAt', '2026-01-01T02:00:00.000Z') as body),
      written as (insert into customers (company_id, id, body) select $1, id, (body::jsonb || '{"updatedAt":"2026"}')::json from one)
     insert into events (company_id, id, type, created_at, resource, record_id, data)
     select $1, id, 'customer.created', now(), 'customer', id, body from one`,
    [companyId],
  )
  await compare(1)
  const query = listQuery(customer, companyId, { skip: records - 7 })
  const [{ text }, values] = pageFromEnd(customer, query, counted({}), {
    position: 1,
    total: records,
    countedAt: 0,
    behind: 0,
  })
  assert.deepEqual(await service.database.query(text, values), [])
  await service.database.query(`delete from customers where company_id = $1 and id = 'zz'`, [companyId])
})

test('lists of a company whose counts are remembered have the same pages and counts as others', async () => {
  const companyId = await filled()
  const scope = { companyId, organizationId: 'o' } as Scope
  const semaphore = fairSemaphore({ name: 'test', atOnce: 4, waiting: 100 })
  const [remembering, counting] = [0, Number.POSITIVE_INFINITY].map((bound) =>
    pager(customer, service.database, semaphore, new RememberedCounts(customer, { slowMs: bound, manyRecords: bound })),
  )
  assert.ok(remembering && counting)
  const middle = { gte: '2026-01-01T00:10:00.000Z', lt: '2026-01-01T02:45:00.000Z' }
  for (const parameters of [
    { sortBy: 'lastName' },
    { sortBy: 'email', skip: records - 3, limit: 9 },
    { sortBy: 'email', sortOrder: 'desc', skip: 9_000, limit: 2 },
    { skip: records, limit: 2 },
    { outletId: 'outlet-7', limit: 2 },
    { updatedAt: middle, sortBy: 'lastName', limit: 2 },
    { createdAt: middle, limit: 2 },
    { createdAt: { gte: '2026' }, limit: 2, includeDeleted: true },
    { createdAt: middle, outletId: 'outlet-7', limit: 2 },
    { createdAt: middle, updatedAt: middle, limit: 2 },
    { searchByLastName: 'abc', limit: 2 },
    { searchByLastName: 'ab', limit: 2 },
    { search: 'abc', limit: 2 },
    { search: 'ab 7', limit: 2 },
  ]) {
    const request = { parameters, wantsCount: true }
    const expected = await counting(scope, request)
    for (let n = 0; n < 3; n++) assert.deepEqual(await remembering(scope, request), expected)
  }
})

test('a search for one character reads the index of its member, one for two the search index, and then the rows that match', {
  skip: skipOnCluster,
}, async () => {
  const facts = { lowersPlainly: true, holdsMost: true, rows: records }
  for (const plan of await foundPlans('7', facts)) assert.match(plan, within('last_name'), plan)
  for (const plan of await foundPlans('xq', { ...facts, lowersPlainly: false }))
    assert.match(plan, within('last_name'), plan)
  for (const holdsMost of [false, true])
    for (const plan of await foundPlans('xq', { ...facts, holdsMost })) {
      assert.match(plan, /Bitmap Index Scan on customers_search/, plan)
      assert.match(plan, /Bitmap Index Scan on customers_pairs/, plan)
      assert.equal(/Index Cond: .*company_id = .*upper/.test(plan), !holdsMost, plan)
    }
  await plansOf({ searchByLastName: '7a' }, { page: ordered('created_at') })
})

test('where most rows are the company’s, a longer search does not look them up', { skip: skipOnCluster }, async () => {
  for (const holdsMost of [false, true])
    for (const plan of await foundPlans('abcd', { lowersPlainly: true, holdsMost, rows: records })) {
      assert.match(plan, /Bitmap Index Scan on customers_search/, plan)
      assert.equal(/Index Cond: .*company_id = .*upper/.test(plan), !holdsMost, plan)
    }
})

test('matches of a search are counted by its index up to a twentieth of the rows, where most are the company’s', () => {
  const most = (parameters: object, facts: object, wantsCount = true) => {
    const query = listQuery(customer, 'c', parameters)
    const known = { lowersPlainly: true, holdsMost: true, rows: 1_000_000, ...facts }
    return foundQuery(customer, 'c', parameters, query, known, wantsCount).most
  }
  assert.equal(most({ searchByLastName: 'ab' }, {}), 50_000)
  assert.equal(most({ searchByLastName: 'ab' }, { rows: 60_000 }), 5_000)
  assert.equal(most({ searchByLastName: 'ab' }, { holdsMost: false }), 5_000)
  assert.equal(most({ searchByLastName: 'ab' }, {}, false), 5_000)
  assert.equal(most({ searchByLastName: 'a' }, {}), 5_000)
  assert.equal(most({ searchByLastName: 'ab', outletId: 'o' }, {}), 5_000)
})

test('a longer search and a tag use the search index', async () => {
  const search = /Bitmap Index Scan on customers_search/
  await plansOf({ searchByLastName: 'abcd' }, { count: search })
  await plansOf({ search: 'abcd efgh x' }, { count: search })
  await plansOf({ tags: 'none' }, { count: search })
})

test('two filters that many records match are counted by the entries of both indexes, others by the rows of the better one', {
  skip: skipOnCluster,
}, async () => {
  const { id: companyId } = await service.company()
  await service.database.transaction(async (transaction) => {
    await transaction.query('set local synchronous_commit = on')
    await transaction.query(
      `insert into customers (company_id, id, body)
       select $1, 'a' || lpad(n::text, 23, '0'), json_build_object('id', 'a' || lpad(n::text, 23, '0'), 'outletId', case when n % 100 = 0 then 'few' else 'outlet-' || n % 2 end,
         'source', 'shop-' || n % 3, 'isDeleted', false, 'notes', json_build_array(repeat('x', 500)), 'createdAt', at, 'updatedAt', at)
       from (select n, iso_time('2026-01-01'::timestamptz + make_interval(secs => n)) as at from generate_series(1, 6000) as n) as made`,
      [companyId],
    )
  })
  await vacuumCustomers(service.database)
  const counted: string[] = []
  let asked = 0
  let mostAsked = 0
  const observed: Queryable = {
    ...service.database,
    query: (statement, values) => {
      const text = typeof statement === 'string' ? statement : statement.text
      if (!text.startsWith('explain')) counted.push(text)
      mostAsked = Math.max(mostAsked, ++asked)
      return service.database.query(statement, values).finally(() => asked--)
    },
  }
  const count = async (outletId: string, source: string) => {
    const query = listQuery(customer, companyId, { outletId, source })
    const { where, filterValues, ofEach = [] } = query
    const number = await new RememberedCounts(customer).count(
      { query: observed.query, reads: observed },
      { ...query, companyId, members: ['outletId', 'source'] },
    )
    const [row] = await service.database.query(`select count(*) from customers as stored where ${where}`, filterValues)
    assert.equal(number, row?.[0])
    return { number, plan: await planOf(intersectedCount(customer, ofEach), filterValues) }
  }
  const ways = () => counted.map((text) => (/ join /.test(text) ? 'entries' : 'rows'))
  await count('few', 'shop-1')
  const { number, plan } = await count('outlet-1', 'shop-1')
  assert.equal(number, 1_000)
  assert.deepEqual(ways(), ['rows', 'entries'])
  assert.equal(mostAsked, 1, 'a list has one connection')
  assert.match(plan, /Merge Join(.|\n)*Index Only Scan(.|\n)*Index Only Scan/)
  assert.doesNotMatch(plan, /Sort/)
})

test('a remembered count reads only the events after its place, whatever plan is kept', {
  skip: skipOnCluster,
}, async () => {
  const companyId = await filled()
  const counted = { ...listQuery(customer, companyId, {}), companyId, members: [] }
  const counts = new RememberedCounts(customer, { slowMs: 0 })
  for (let n = 0; n < 2; n++)
    assert.equal(await counts.count({ ...service.database, reads: service.database }, counted), records)
  await service.database.transaction(async (transaction) => {
    await transaction.query('set local plan_cache_mode = force_generic_plan')
    const rowsRead = async () => {
      const [row] = await transaction.query(
        `select sum(seq_tup_read + idx_tup_fetch)::int from pg_stat_xact_user_tables where relname ~ '^(events|customers)'`,
      )
      return row?.[0]
    }
    const before = await rowsRead()
    assert.equal(await counts.count({ ...transaction, reads: transaction }, counted), records)
    assert.equal((await rowsRead()) - before, 1)
  })
})
