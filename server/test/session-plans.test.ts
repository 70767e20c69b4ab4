// The report and the closing of a session look up its records by their ids, even if PostgreSQL has no statistics of the company,
// and read no records of earlier sessions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../src/core/ids.ts'
import type { Database, Queryable } from '../src/database/connect.ts'
import { planSettings } from '../src/database/statement.ts'
import { takeRecords, unclosed } from '../src/features/sessions/records.ts'
import { sessionReport } from '../src/features/sessions/report.ts'
import { newReference } from './support/bodies.ts'
import { skipOnCluster } from './support/nodes.ts'
import { testService } from './support/service.ts'

const service = testService()

/** Orders and payments of a session. Their ids come in no order, so that the index of ids is the largest, and PostgreSQL prefers any other. */
async function writeSales(companyId: string, sessionId: string, count: number, after = 0): Promise<void> {
  for (const table of ['orders', 'transactions'])
    await service.database.query(
      `insert into ${table} (company_id, id, body)
       select $1, id, json_build_object('id', id, 'sessionId', $2::text, 'status', 'completed', 'amount', '1.00', 'paymentMethod', 'cash',
         'summary', json_build_object('total', '1.00'), 'createdAt', at, 'updatedAt', at)
       from (
         select '6' || lpad((n * 7919 % 5003)::text, 23, '0') as id, iso_time('2026-01-01'::timestamptz + make_interval(secs => n)) as at from generate_series($4::int + 1, $4::int + $3::int) as n
       ) as made`,
      [companyId, sessionId, count, after],
    )
}

/** A value as SQL. */
const literal = (value: unknown): string => {
  const text = Array.isArray(value) ? `{${value.join(',')}}` : value
  return text === null || text === undefined ? 'null' : `'${text}'`
}

test('the report of a session looks up its records by their ids, even if PostgreSQL has no statistics of the company', {
  skip: skipOnCluster,
}, async () => {
  await writeSales((await service.company()).id, newReference(), 5_000)
  await service.database.query('analyze orders, transactions')
  const { id: companyId, call } = await service.company()
  const outlet = await call('POST', '/v1/outlet', { name: 'Shop' })
  const station = await call('POST', '/v1/station', { name: 'Till', outletId: outlet.body.id, status: 'IN_USE' })
  const session = await call('POST', '/v1/session', { stationId: station.body.id })
  await writeSales(companyId, session.body.id, 50)
  const plans: string[] = []
  const explained = (transaction: Queryable): Queryable['query'] => {
    return async (statement, values = []) => {
      const text = typeof statement === 'string' ? statement : statement.text
      if (/ found where found\.company_id/.test(text)) {
        const name = `explained_${plans.length}`
        await transaction.query({ name, text }, values)
        const rows = await transaction.query(`explain (costs off) execute ${name}(${values.map(literal).join(', ')})`)
        plans.push(rows.map(([line]) => line).join('\n'))
      }
      return transaction.query(statement, values)
    }
  }
  const database: Pick<Database, 'transaction'> = {
    transaction: (work) =>
      service.database.transaction((transaction) => work({ ...transaction, query: explained(transaction) })),
  }
  const report = JSON.parse(await sessionReport(database as Database, companyId, session.body.id, () => false))
  assert.equal(report.figures[0].salesCount, 50)
  // In empty tables, all indexes look the same.
  const lookUps = plans.flatMap((plan) => [
    ...plan.matchAll(/using (\w+) on (?:orders|transactions) found\n\s+Index Cond: .*\bid = /g),
  ])
  assert.deepEqual([...new Set(lookUps.map(([, index]) => index))].sort(), ['orders_pkey', 'transactions_pkey'])
})

test('a closing and a report read no records of earlier sessions that have not changed since', {
  skip: skipOnCluster,
}, async () => {
  const { id: companyId } = await service.company()
  const stationId = newReference()
  const time = '2026-03-01T00:00:00.000Z'
  const sessionOf = `'8' || lpad((n / 100)::text, 23, '0')`
  const made = `from (select n, iso_time('2026-01-01'::timestamptz + make_interval(mins => n)) as at from generate_series(0, 9999) as n) as made`
  const { database } = service
  await database.query(
    `insert into sessions (company_id, id, body)
     select $1, ${sessionOf}, json_build_object('id', ${sessionOf}, 'stationId', $2::text, 'closeTime', at, 'createdAt', at, 'updatedAt', at)
     ${made} where n % 100 = 99`,
    [companyId, stationId],
  )
  await database.query(
    `insert into orders (company_id, id, body)
     select $1, id, json_build_object('id', id, 'sessionId', ${sessionOf}, 'status', 'completed', 'createdAt', at, 'updatedAt', at)
     from (select n, at, '6' || lpad(n::text, 23, '0') as id ${made}) as made`,
    [companyId],
  )
  await database.query('vacuum analyze orders, sessions')
  const session = { companyId, id: newReference(), stationId, record: { createdAt: time } }
  const history = { beganAt: '2026-01-01T00:00:00.000Z', lastClosedAt: time }
  await database.transaction(async (transaction) => {
    await transaction.query(planSettings(transaction))
    // For up to a second, the counts include earlier reads of the connection.
    const rowsRead = async () => {
      const [row] = await transaction.query(
        `select (seq_tup_read + idx_tup_fetch)::int from pg_stat_xact_user_tables where relname = 'orders'`,
      )
      return row?.[0]
    }
    const before = await rowsRead()
    const { of, values } = await unclosed(transaction, session, history)
    assert.deepEqual(await transaction.query(`with ${of('order')} select id from picked`, values), [])
    await takeRecords(transaction, session, history, newId())
    assert.equal(await rowsRead(), before)
  })
})

test('a report reads the changes of other tills once', { skip: skipOnCluster }, async () => {
  const { id: companyId, call } = await service.company()
  const outlet = await call('POST', '/v1/outlet', { name: 'Shop' })
  const station = await call('POST', '/v1/station', { name: 'Till', outletId: outlet.body.id, status: 'IN_USE' })
  const earlier = await call('POST', '/v1/session', { stationId: station.body.id })
  assert.equal((await call('POST', `/v1/session/${earlier.body.id}/close`, {})).status, 201)
  const session = await call('POST', '/v1/session', { stationId: station.body.id })
  await writeSales(companyId, session.body.id, 10)
  await writeSales(companyId, newReference(), 500, 10)
  for (const table of ['orders', 'transactions'])
    await service.database.query(`update ${table} set updated_at = iso_time(now()) where company_id = $1`, [companyId])
  await service.database.query('analyze orders, transactions')
  const rowsRead = async ({ query }: Queryable): Promise<number[]> => {
    const rows = await query(
      `select (seq_tup_read + idx_tup_fetch)::int from pg_stat_xact_user_tables where relname in ('orders', 'transactions') order by relname`,
    )
    return rows.map(([read]) => read)
  }
  const counted: number[][] = []
  const database: Pick<Database, 'transaction'> = {
    transaction: (work) =>
      service.database.transaction(async (transaction) => {
        const query: Queryable['query'] = async (...asked) => {
          const rows = await transaction.query(...asked)
          // For up to a second, the counts include earlier reads of the connection.
          counted.push(await rowsRead(transaction))
          return rows
        }
        return work({ ...transaction, query })
      }),
  }
  const report = JSON.parse(await sessionReport(database as Database, companyId, session.body.id, () => false))
  assert.equal(report.figures[0].salesCount, 10)
  const first = counted[0] ?? []
  const last = counted.at(-1) ?? []
  assert.equal(last.length, 2)
  for (const [n, rows] of last.entries()) assert.ok(rows - (first[n] ?? 0) < 600, `${first} to ${last} rows`)
})
