// In a company that PostgreSQL has no statistics of, lists and reports read in proportion to its records, not each record for each other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quarterAt, zoneOf } from '../src/core/local-days.ts'
import type { Database, Queryable, Statement } from '../src/database/connect.ts'
import { planSettings } from '../src/database/statement.ts'
import { countStatement, listQuery, pageStatement } from '../src/engine/lists/list-query.ts'
import type { OperationSemaphores } from '../src/engine/operations.ts'
import type { Resource } from '../src/engine/resource.ts'
import { findProducts } from '../src/features/file-import/stored.ts'
import { readUndo } from '../src/features/imports/undo-decisions.ts'
import { lowLevels } from '../src/features/inventory/low-stock.ts'
import { stockValueRoutes } from '../src/features/inventory/stock-value.ts'
import type { Snapshot } from '../src/features/reports/answer.ts'
import { bookDrawers } from '../src/features/reports/journal-drawers.ts'
import type { Journal } from '../src/features/reports/journal-entries.ts'
import type { Sale } from '../src/features/sales/amounts/sale.ts'
import { earlierRefunds, hasRefunds } from '../src/features/sales/held-sale.ts'
import { lineCompletion } from '../src/features/sales/line-products.ts'
import { earlierPayments } from '../src/features/sales/records-of-order.ts'
import type { ComputedRefund } from '../src/features/sales/refund/refund-amounts.ts'
import { methodsOf } from '../src/features/sales/refund/refund-payments.ts'
import { taxTablesOf } from '../src/features/sales/tax-tables.ts'
import { soughtOf } from '../src/features/search/sought.ts'
import { beginsStatement } from '../src/features/search/statements.ts'
import { scopeOf } from '../src/features/tenants/tenants.ts'
import { product } from '../src/resources/product.ts'
import { rangesOf } from '../src/resources/product-prices.ts'
import { variant } from '../src/resources/variant.ts'
import { newReference } from './support/bodies.ts'
import { csvOf, imported, mugs } from './support/imports.ts'
import { skipOnCluster } from './support/nodes.ts'
import { testService } from './support/service.ts'

const service = testService()
const outletId = newReference()
const RECORDS = 400
/** Rows for each record that are a few in all. */
const A_FEW = 0.05

/** Products, each with a variant, its level of stock, a record that hides every tenth, and a payment and a refund of an order of the same id. Their ids come in no order, so that PostgreSQL prefers any other index. */
async function writeCatalogue(of: string, count: number): Promise<void> {
  const rows = `select n, '6' || lpad((n * 7919 % 5003)::text, 23, '0') as id, iso_time('2026-01-01'::timestamptz + make_interval(secs => n)) as at
    from generate_series(1, $2::int) as n`
  const members: Record<string, string> = {
    products: `'name', 'p', 'externalId', id`,
    variants: `'productId', id, 'sku', id, 'manageStock', true, 'costPrice', '1', 'price', '2'`,
    inventories: `'productId', id, 'variantId', id, 'outletId', $3::text, 'stock', 3, 'isDeleted', false`,
    catalog_visibilities: `'productId', id, 'outletId', $3::text, 'isVisible', n % 10 <> 0`,
    transactions: `'orderId', id, 'amount', '1.00', 'paymentMethod', 'cash'`,
    refunds: `'orderId', id`,
  }
  for (const [table, own] of Object.entries(members))
    await service.database.query(
      `insert into ${table} (company_id, id, body)
       select $1, id, json_build_object('id', id, 'createdAt', at, 'updatedAt', at, ${own}) from (${rows}) as made where $3::text <> ''`,
      [of, count, outletId],
    )
}

let filled: Promise<string> | undefined
/** The company that PostgreSQL has no statistics of, beside one that it has. */
const newCompany = (): Promise<string> => {
  filled ??= (async () => {
    const known = await service.company()
    await writeCatalogue(known.id, 5_000)
    // The indexes by which records are looked up are the largest, so that PostgreSQL prefers any other.
    const members = { transactions: 'orderId', refunds: 'orderId', variants: 'productId', products: 'externalId' }
    for (const [table, member] of Object.entries(members))
      await service.database.query(
        `insert into ${table} (company_id, id, body)
         select $1, id, json_build_object('id', id, '${member}', repeat('x', 100) || id, 'createdAt', '', 'updatedAt', '')
         from (select '7' || lpad((n * 7919 % 5003)::text, 23, '0') as id from generate_series(1, 3000) as n) as made`,
        [known.id],
      )
    await service.database.query('analyze products, variants, inventories, catalog_visibilities, transactions, refunds')
    const { id } = await service.company()
    await writeCatalogue(id, RECORDS)
    return id
  })()
  return filled
}

/** Rows that the connection has read of these tables. */
async function rowsRead(transaction: Queryable): Promise<number> {
  const [row] = await transaction.query(
    `select sum(seq_tup_read + idx_tup_fetch)::int from pg_stat_xact_user_tables
     where relname in ('products', 'variants', 'inventories', 'catalog_visibilities', 'transactions', 'refunds', 'cash_movements', 'sessions', 'closings', 'closing_records')`,
  )
  return row?.[0]
}

/** What reads in a transaction of its own reads in this one. */
const within = (transaction: Queryable) =>
  ({ ...transaction, transaction: (work: (own: Queryable) => unknown) => work(transaction) }) as Database

/** Products of the new company. */
const someIds = async (companyId: string): Promise<string[]> =>
  (await service.database.query('select id from products where company_id = $1', [companyId])).map(([id]) => id)

/** The result of `work`, which reads at most some rows for each record. */
async function readingFew<Result>(
  work: (transaction: Queryable, companyId: string) => Promise<Result>,
  ofEach = 8,
): Promise<Result> {
  const companyId = await newCompany()
  return service.database.transaction(async (transaction) => {
    const earlier = await rowsRead(transaction)
    const result = await work(transaction, companyId)
    const rows = (await rowsRead(transaction)) - earlier
    assert.ok(rows <= ofEach * RECORDS, `${rows} rows`)
    return result
  })
}

for (const [resource, shown] of [
  [product, 360],
  [variant, 360],
] as const satisfies [Resource, number][])
  test(`what an outlet shows of the ${resource.name.many} is counted and listed`, { skip: skipOnCluster }, async () => {
    const query = listQuery(resource, await newCompany(), { visibleAt: outletId, limit: 1_000 })
    const [[count] = []] = await readingFew(({ query: run }) =>
      run(countStatement(resource, query), query.filterValues),
    )
    assert.equal(count, shown)
    const page = await readingFew(({ query: run }) => run(pageStatement(resource, query), query.page.values))
    assert.equal(page.length, shown)
    const plan = await service.database.query(
      `explain (costs off) ${pageStatement(resource, query).text}`,
      query.page.values,
    )
    // Which would compare each record with each hidden one.
    assert.doesNotMatch(plan.join('\n'), /Anti Join/)
  })

test('the value of the stock is summed', { skip: skipOnCluster }, async () => {
  const reply = await readingFew(async (transaction, companyId) => {
    const lists = (_: unknown, work: () => unknown) => work()
    const [route] = stockValueRoutes(within(transaction), { lists } as unknown as OperationSemaphores)
    return route?.handle({ scope: await scopeOf(service.database, companyId), isGone: () => false } as never)
  })
  assert.match(JSON.stringify(reply), new RegExp(`units\\W+${3 * RECORDS}\\b`))
})

test('low stock is listed', { skip: skipOnCluster }, async () => {
  const { count, levels } = await readingFew((transaction, companyId) =>
    lowLevels(transaction, companyId, { below: 5, limit: 100 }),
  )
  assert.deepEqual([count, levels.length], [RECORDS, 100])
})

test('what an undo of an import would do is counted', { skip: skipOnCluster }, async () => {
  await newCompany()
  const company = await service.company()
  const { id } = await imported(company.call, csvOf(mugs(RECORDS)))
  const scope = await scopeOf(service.database, company.id)
  // Some tables are read once as a whole.
  const would = await readingFew((transaction) => readUndo(within(transaction), scope, id), 150)
  assert.equal(JSON.parse(would).products.deleted, RECORDS)
})

test('price ranges of products are computed', { skip: skipOnCluster }, async () => {
  const ids = await someIds(await newCompany())
  const ranges = await readingFew(async (transaction, companyId) =>
    rangesOf(transaction, await scopeOf(service.database, companyId), ids),
  )
  assert.equal(ranges.size, RECORDS)
})

test('the products of an import are found by their external ids', { skip: skipOnCluster }, async () => {
  const ids = await someIds(await newCompany())
  const found = await readingFew(async (database, companyId) =>
    findProducts({ database, scope: await scopeOf(service.database, companyId), source: 'shop' }, ids),
  )
  assert.equal(found.size, RECORDS)
})

test('the products and tax tables of the lines of a sale are looked up', { skip: skipOnCluster }, async () => {
  const [productId] = (await someIds(await newCompany())) as [string]
  const sale: Sale = { lineItems: [{ productId, variantId: productId, quantity: 1 }] }
  const name = await readingFew(async (transaction, companyId) => {
    await taxTablesOf(transaction, companyId, [sale])
    return (await lineCompletion(transaction, companyId, [sale]))(sale).lineItems?.[0]?.name
  }, A_FEW)
  assert.equal(name, 'p')
})

test('the payments and refunds of an order are looked up', { skip: skipOnCluster }, async () => {
  const companyId = await newCompany()
  const [id] = (await someIds(companyId)) as [string]
  const key = { scope: await scopeOf(service.database, companyId), id }
  await readingFew(async (transaction) => {
    assert.equal((await earlierPayments(transaction, key, 'EUR', 'EUR')).length, 1)
    const money = { of: (amount: string) => BigInt(Number(amount)) } as ComputedRefund['money']
    assert.equal((await methodsOf(transaction, key, { money, currency: 'EUR', ownCurrency: 'EUR' })).length, 1)
    assert.equal((await earlierRefunds(transaction, key)).length, 1)
    assert.ok(await hasRefunds(transaction, key))
  }, A_FEW)
})

test('a search looks up records that begin with its text', { skip: skipOnCluster }, async () => {
  const [id] = (await someIds(await newCompany())) as [string]
  const found = await readingFew(
    (transaction, companyId) => transaction.query(...beginsStatement(companyId, soughtOf(id), 21)),
    A_FEW,
  )
  assert.ok(found.length > 0)
})

/** Sessions of a till, each closed with a cash movement that came late. */
async function writeClosings(companyId: string): Promise<void> {
  const members: Record<string, string> = {
    sessions: `'stationId', 's', 'closeTime', at`,
    closings: `'stationId', 's', 'sessionId', id, 'number', n, 'openTime', at, 'closeTime', at, 'outletId', 'o', 'lateCount', 1,
      'balances', json_build_array(json_build_object('currency', 'EUR', 'paymentMethod', 'cash', 'difference', '1.00'))`,
    cash_movements: `'sessionId', id, 'type', 'pay-in', 'amount', '1.00'`,
  }
  for (const [table, own] of Object.entries(members))
    await service.database.query(
      `insert into ${table} (company_id, id, body)
       select $1, id, json_build_object('id', id, 'createdAt', at, 'updatedAt', at, ${own})
       from (select n, n::text as id, iso_time('2026-01-01'::timestamptz + make_interval(secs => n)) as at from generate_series(1, $2::int) as n) as made`,
      [companyId, RECORDS],
    )
  await service.database.query(
    `insert into closing_records (company_id, resource, record_id, closing_id, session_id, moment, is_late, is_in_drawer)
     select $1, 'cash-movement', id, (n + 1)::text, n::text, created_at, true, false
     from (select *, id::int as n from cash_movements where company_id = $1) as movement`,
    [companyId],
  )
}

test('the cash movements and closings of a journal are looked up', { skip: skipOnCluster }, async () => {
  const { id: companyId } = await service.company()
  await writeClosings(companyId)
  const booked = { debit: 0, credit: 0 }
  await readingFew(async (transaction) => {
    await transaction.query(planSettings(transaction))
    const snapshot = {
      companyId,
      currency: 'EUR',
      zone: zoneOf('UTC'),
      period: { first: 0, end: quarterAt(Date.now()) },
      query: (statement: Statement, ...values: unknown[]) => transaction.query(statement, [companyId, ...values]),
      check: () => undefined,
    }
    const journal = { debit: () => booked.debit++, credit: () => booked.credit++ }
    await bookDrawers(snapshot as unknown as Snapshot, journal as unknown as Journal)
  }, 12)
  // Movements, differences, and the late money of all closings but the first.
  assert.deepEqual(booked, { debit: 3 * RECORDS - 1, credit: 3 * RECORDS - 1 })
})
