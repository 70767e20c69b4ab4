// A look-up of a value that no record has reads no record, however many there are and whatever PostgreSQL knows of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Queryable } from '../src/database/connect.ts'
import { findByPair } from '../src/engine/upsert.ts'
import { findOldest } from '../src/features/file-import/stored.ts'
import { readState, SUMS_FORMAT } from '../src/features/reports/sums/kept-sums.ts'
import { soughtOf } from '../src/features/search/sought.ts'
import { beginsStatement } from '../src/features/search/statements.ts'
import { scopeOf } from '../src/features/tenants/tenants.ts'
import { order } from '../src/resources/order.ts'
import { skipOnCluster } from './support/nodes.ts'
import { testService } from './support/service.ts'

const service = testService()
const RECORDS = 5_000

/** Rows that a transaction has read of some tables. */
async function rowsRead(transaction: Queryable, tables: string): Promise<number> {
  const [row] = await transaction.query(
    `select sum(seq_tup_read + idx_tup_fetch)::int from pg_stat_xact_user_tables where relname ~ $1`,
    [tables],
  )
  return row?.[0] ?? 0
}

/** Writes orders without external ids, or with ids that begin so. */
const writeOrders = (database: Queryable, companyId: string, idsBegin = '') =>
  database.query(
    `insert into orders (company_id, id, body)
     select $1, id, json_build_object('id', id, 'source', 'till', 'externalId', case when $2 <> '' then $2 || id end, 'createdAt', at, 'updatedAt', at)
     from (
       select '6' || lpad(n::text, 23, '0') as id, iso_time('2026-01-01'::timestamptz + make_interval(secs => n)) as at from generate_series(1, ${RECORDS}) as n
     ) as made`,
    [companyId, idsBegin],
  )

test('an upsert, a search and an import look up an external id by its index, even where no record has one', {
  skip: skipOnCluster,
}, async () => {
  const { id: companyId } = await service.company()
  const { database } = service
  // The index of external ids grows by long ones that are deleted again, so that PostgreSQL prefers any other.
  await writeOrders(database, companyId, 'x'.repeat(100))
  await database.query('delete from orders where company_id = $1', [companyId])
  await writeOrders(database, companyId)
  await database.query('vacuum analyze orders')
  const scope = await scopeOf(database, companyId)
  await database.transaction(async (transaction) => {
    // Not 0 if this connection has just deleted the records: PostgreSQL reports what it read up to a second later.
    const before = await rowsRead(transaction, '^orders$')
    for (let n = 0; n < 8; n++) {
      const pair = { source: 'till', externalId: `none-${n}` }
      assert.deepEqual(await findByPair(order, transaction, [{ scope, value: {}, pair }]), [[]])
      const [statement, values] = beginsStatement(companyId, soughtOf(`none-${n}`), 21)
      assert.deepEqual(await transaction.query(statement, values), [])
      const place = { database: transaction, scope, source: 'shop' }
      assert.equal((await findOldest(place, { table: 'orders', column: 'external_id' }, [`none-${n}`])).size, 0)
    }
    assert.equal(await rowsRead(transaction, '^orders$'), before)
  })
})

test('a search keeps its plan, which reads only the records that it finds, even if it was made before the company had any', {
  skip: skipOnCluster,
}, async () => {
  const { id: companyId } = await service.company()
  await service.database.transaction(async (transaction) => {
    const search = (text: string) => transaction.query(...beginsStatement(companyId, soughtOf(text), 21))
    for (let n = 0; n < 8; n++) assert.deepEqual(await search('none'), [])
    const [kept] = await transaction.query(
      `select bool_and(generic_plans > 0) from pg_prepared_statements where name ~ '^search_begins'`,
    )
    assert.deepEqual(kept, [true])
    await writeOrders(transaction, companyId)
    const before = await rowsRead(transaction, '^orders$')
    assert.deepEqual(await search('none'), [])
    assert.equal(await rowsRead(transaction, '^orders$'), before)
  })
})

test('a report whose sums are up to date reads none of the events', { skip: skipOnCluster }, async () => {
  const { id: companyId } = await service.company()
  const { database } = service
  await database.query(
    `insert into events (company_id, id, type, created_at, resource, record_id, data)
     select $1, 'e' || n, 'customer.created', now(), 'customer', 'c' || n, '{}' from generate_series(1, ${RECORDS}) as n`,
    [companyId],
  )
  await database.query('analyze events')
  await database.query(
    `insert into sum_cursors (company_id, format, position, listed_from, has_unread, asked_at, read_at)
     select $1, ${SUMS_FORMAT}, max(sequence), '', false, now(), now() from events`,
    [companyId],
  )
  await database.transaction(async (transaction) => {
    const before = await rowsRead(transaction, '^events')
    const { cursor } = await readState(transaction, companyId)
    assert.equal(cursor?.hasEvents, false)
    assert.equal(await rowsRead(transaction, '^events'), before)
    await transaction.query('update sum_cursors set position = position - 1 where company_id = $1', [companyId])
    assert.equal((await readState(transaction, companyId)).cursor?.hasEvents, true)
  })
})
