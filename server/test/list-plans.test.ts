// The statements of lists use the index that is made for them in a table that is too long to be read whole: by the shape of their plans, not by time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Queryable } from '../src/database/connect.ts'
import { writeCursor } from '../src/engine/list-cursor.ts'
import { foundQuery, listQuery, pageStatement } from '../src/engine/list-query.ts'
import { RememberedCounts } from '../src/engine/remembered-counts.ts'
import type { SearchFacts } from '../src/engine/search-facts.ts'
import { customer } from '../src/resources/customer.ts'
import { testService } from './support/service.ts'

const service = testService()
const records = 10_000
let filling: Promise<string> | undefined
/** The company with the records, which the first test makes. */
const filled = () => {
  filling ??= fill()
  return filling
}

async function fill(): Promise<string> {
  const { id: companyId } = await service.company()
  const { database } = service
  await database.transaction(async (transaction) => {
    // Vacuum marks pages for index-only scans only once their commit is flushed.
    await transaction.query('set local synchronous_commit = on')
    await writeRecords(transaction, companyId)
  })
  await database.query('vacuum analyze customers, events')
  return companyId
}

async function writeRecords(database: Queryable, companyId: string): Promise<void> {
  await database.query(
    `insert into customers (company_id, id, body)
     select $1, '6' || lpad(n::text, 23, '0'), json_build_object('lastName', substr(md5(n::text), 1, 8), 'email', md5(n::text) || '@example.com',
       'outletId', 'outlet-' || n % 50, 'externalId', n::text, 'isDeleted', false, 'notes', json_build_array(repeat('x', 500)), 'createdAt', at, 'updatedAt', at)
     from (select n, iso_time('2026-01-01'::timestamptz + make_interval(secs => n)) as at from generate_series(1, $2::int) as n) as made`,
    [companyId, records],
  )
  await database.query(
    `insert into events (company_id, id, type, created_at, resource, record_id, data)
     select $1, n::text, 'customer.created', now(), 'customer', n::text, '{}' from generate_series(1, $2::int) as n`,
    [companyId, records],
  )
}

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

test('a page walks the index of its order, from its beginning, a cursor or a filter', async () => {
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

test('a deep page finds its ids in the index of its order, and then reads only its own rows', async () => {
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
  const found = foundQuery(customer, companyId, parameters, listQuery(customer, companyId, parameters), facts)
  const few = await planOf(found.few.text, found.filterValues)
  assert.doesNotMatch(few, /Seq Scan on customers/, few)
  // How the found rows are read depends on how many of the table they are.
  return [few, await planOf(found.page.text, found.pageValues)]
}

test('a search for one character reads the index of its member, one for two the search index, and then the rows that match', async () => {
  const facts = { lowersPlainly: true, holdsMost: true }
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

test('where most rows are the company’s, a longer search does not look them up', async () => {
  for (const holdsMost of [false, true])
    for (const plan of await foundPlans('abcd', { lowersPlainly: true, holdsMost })) {
      assert.match(plan, /Bitmap Index Scan on customers_search/, plan)
      assert.equal(/Index Cond: .*company_id = .*upper/.test(plan), !holdsMost, plan)
    }
})

test('a longer search and a tag use the search index', async () => {
  const search = /Bitmap Index Scan on customers_search/
  await plansOf({ searchByLastName: 'abcd' }, { count: search })
  await plansOf({ tags: 'none' }, { count: search })
})

test('a remembered count reads only the events after its place, whatever plan is kept', async () => {
  const counted = {
    companyId: await filled(),
    where: 'stored.company_id = $1 and not stored.is_deleted',
    includesDeleted: false,
  }
  const counts = new RememberedCounts(customer, { slowMs: 0 })
  for (let n = 0; n < 2; n++) assert.equal(await counts.count(service.database, counted), records)
  await service.database.transaction(async (transaction) => {
    await transaction.query('set local plan_cache_mode = force_generic_plan')
    const rowsRead = async () => {
      const [row] = await transaction.query(
        `select sum(seq_tup_read + idx_tup_fetch)::int from pg_stat_xact_user_tables where relname ~ '^(events|customers)'`,
      )
      return row?.[0]
    }
    const before = await rowsRead()
    assert.equal(await counts.count(transaction, counted), records)
    assert.equal((await rowsRead()) - before, 1)
  })
})
