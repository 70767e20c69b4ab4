// PostgreSQL keeps the plans of the statements that every request sends, and statements of many items finish in time
// even with a plan made while the table was small.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../src/core/scope.ts'
import { lookUpStatement } from '../src/engine/lists/look-up.ts'
import { snakeCase } from '../src/engine/resource.ts'
import { store } from '../src/engine/store.ts'
import { findByPair } from '../src/engine/upsert.ts'
import { withLineVariants } from '../src/features/sales/line-variants.ts'
import { findSessions } from '../src/features/sales/session.ts'
import { taxTablesOf } from '../src/features/sales/tax-tables.ts'
import { scopeOf } from '../src/features/tenants/tenants.ts'
import { holdVariants } from '../src/resources/held-variants.ts'
import { resources } from '../src/resources/index.ts'
import { inventoryHistory } from '../src/resources/inventory-history.ts'
import { holdOrders } from '../src/resources/order-state.ts'
import { sumOrders } from '../src/resources/order-sums.ts'
import { priceSideEffects } from '../src/resources/product-prices.ts'
import { moveStock } from '../src/resources/stock.ts'
import { variant } from '../src/resources/variant.ts'
import { skipOnCluster } from './support/nodes.ts'
import { testService } from './support/service.ts'

const service = testService()
const upTo = (end: number) => Array.from({ length: end }, (_, n) => n)

test('a statement planned for few items in an empty table serves thousands in a full one', async () => {
  await service.database.transaction(async (transaction) => {
    await transaction.query('create temp table grown (company_id text, place text) on commit drop')
    await transaction.query('create index on grown (company_id)')
    const find = (count: number) =>
      transaction.query(
        {
          name: 'grown_find',
          text: `
          select grown.place from unnest($1::text[], $2::text[]) as item(company_id, place)
          join grown on grown.company_id = item.company_id and grown.place = item.place`,
        },
        [upTo(count).map(() => 'one'), upTo(count).map(String)],
      )
    for (let n = 0; n < 6; n++) assert.deepEqual(await find(10), [])
    const [kept] = await transaction.query(
      `select generic_plans > 0 from pg_prepared_statements where name = 'grown_find'`,
    )
    assert.deepEqual(kept, [true])
    await transaction.query(`insert into grown select 'one', n from generate_series(1, 20000) as n`)
    assert.equal((await find(20_000)).length, 19_999)
  })
})

test('a statement of one item has a kept plan, which finds it by its index, also where all records have the same value, or there are none yet', {
  skip: skipOnCluster,
}, async () => {
  const { id: companyId } = await service.company()
  const { database } = service
  const scope = { companyId } as Scope
  const key = { scope, id: `6${'1'.padStart(23, '0')}` }
  const listed = [...resources, inventoryHistory]
  await database.query(
    `insert into variants (company_id, id, body)
     select $1, '6' || lpad(n::text, 23, '0'), json_build_object('id', '6' || lpad(n::text, 23, '0'), 'productId', 'p', 'sku', 's', 'barcode', '0', 'externalId', 'e',
       'attributes', repeat('x', 500), 'createdAt', at, 'updatedAt', at)
     from (select n, iso_time('2026-01-01'::timestamptz + make_interval(secs => n)) as at from generate_series(1, 5000) as n) as made`,
    [companyId],
  )
  await database.query('analyze variants')
  await database.transaction(async (transaction) => {
    for (let n = 0; n < 8; n++) {
      for (const resource of listed)
        for (const member of resource.list.selective)
          assert.deepEqual(await transaction.query(lookUpStatement(resource, member), [[companyId], ['none']]), [])
      const { find, lock } = store(variant)
      for (const keys of [[key], [key, key]]) assert.equal((await find(transaction, keys)).length, keys.length)
      await lock(transaction, [key])
      assert.equal((await holdVariants(transaction, [{ scope, variantId: key.id }])).size, 1)
      const [ids] = await findByPair(variant, transaction, [{ scope, value: {}, pair: { externalId: 'none' } }])
      assert.deepEqual(ids, [])
    }
    const replanned = await transaction.query('select name from pg_prepared_statements where generic_plans = 0')
    assert.deepEqual(replanned, [])
    // Of the tables, only that of variants has rows. In the others, all indexes look the same.
    for (const resource of listed)
      for (const member of resource.list.selective) {
        const rows = await transaction.query(
          `explain (costs off) execute ${lookUpStatement(resource, member).name}('{${companyId}}', '{none}')`,
        )
        const plan = rows.map(([line]) => line).join('\n')
        const column = snakeCase(member)
        assert.match(
          plan,
          new RegExp(`Index Cond: .*\\(${column} >= item.value\\) AND \\(${column} <= item.value\\)`),
          plan,
        )
      }
  })
})

test('the statements of a sale, of a payment and of a price have kept plans, and find variants and levels by an index though their tables are small', {
  skip: skipOnCluster,
}, async () => {
  const { id: companyId } = await service.company()
  const { database } = service
  const scope = await scopeOf(database, companyId)
  const variantId = `6${'1'.padStart(23, '0')}`
  const outletId = '6'.padEnd(24, '2')
  const productId = '6'.padEnd(24, '3')
  await database.query(
    `insert into variants (company_id, id, body)
     select $1, '6' || lpad(n::text, 23, '0'), json_build_object('id', '6' || lpad(n::text, 23, '0'), 'productId', $2::text, 'price', 1, 'manageStock', true, 'createdAt', at, 'updatedAt', at)
     from (select n, iso_time(now()) as at from generate_series(1, 300) as n) as made`,
    [companyId, productId],
  )
  const level = { scope, variantId, outletId, productId }
  const move = (by: number) => ({
    ...level,
    kind: 'SALE' as const,
    reason: undefined,
    change: { by },
    mayGoBelow: false,
    at: '',
  })
  await database.transaction((transaction) =>
    moveStock(
      transaction,
      upTo(300).map((n) => ({ ...move(50), variantId: `6${String(n + 1).padStart(23, '0')}` })),
    ),
  )
  await database.query('analyze variants, inventories')
  await database.transaction(async (transaction) => {
    for (let n = 0; n < 8; n++) {
      const held = await holdVariants(transaction, [{ scope, variantId }])
      const [moved] = await moveStock(transaction, [move(-1)], held)
      assert.equal((moved as { stock: number }).stock, 49 - n)
      await holdOrders(transaction, [{ scope, id: variantId }])
      assert.deepEqual(await sumOrders(transaction, [{ scope, id: variantId }]), [undefined])
      await taxTablesOf(transaction, companyId, [{ lineItems: [{ productId }], outletId }])
      const order = { lineItems: [{ sku: 's', barcode: 'b', variantExternalId: 'e' }, { productId: 'none' }] }
      assert.deepEqual(await withLineVariants(transaction, companyId, [{ order, at: '' }]), [order])
      await priceSideEffects.write(transaction, [{ scope, before: { productId, price: n }, after: { productId, price: 1 } } as never]) // biome-ignore format: one thought
      await findSessions(transaction, companyId, [{ stationId: outletId, occurredAt: '2026-01-01T00:00:00.000Z', at: '' } as never]) // biome-ignore format: one thought
    }
    const plans = await transaction.query(
      'select name from pg_prepared_statements where generic_plans = 0 and custom_plans > 7',
    )
    assert.deepEqual(plans, [])
    const [read] = await transaction.query(
      `select sum(seq_scan)::int from pg_stat_xact_user_tables where relname in ('variants', 'inventories', 'inventory_history')`,
    )
    assert.deepEqual(read, [0])
  })
})
