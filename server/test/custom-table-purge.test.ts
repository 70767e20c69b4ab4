// Data of a deleted table or field is removed from the disk afterwards: in batches, by servers that share the work, and also after a kill (decisions §7).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PURGED_ROWS, purgeBatch } from '../src/features/custom-tables/purge.ts'
import { makeTable, oid, succeeded } from './support/custom-tables.ts'
import { connectedCopy } from './support/database.ts'
import { serve, until, urlOf } from './support/program.ts'
import { serveHere } from './support/served.ts'
import { type Caller, testService } from './support/service.ts'

const service = testService()

/** Copies a row and its one value the given number of times. */
async function multiply(query: (text: string, values: unknown[]) => Promise<unknown>, rowId: string, count: number) {
  await query(
    `insert into custom_table_rows (company_id, id, body, cells)
     select company_id, lpad(n::text, 24, '0'), body, cells from custom_table_rows, generate_series(1, $2::int) as n where id = $1`,
    [rowId, count],
  )
  await query(
    `insert into custom_table_values (company_id, id, body)
     select company_id, lpad(n::text, 24, '0'), replace(body::text, $1::text, lpad(n::text, 24, '0'))::json
     from custom_table_values, generate_series(1, $2::int) as n where row_id = $1`,
    [rowId, count],
  )
}

test('a server that is killed in the middle of a purge leaves nothing readable, and the next one continues', async (t) => {
  const { connection, database } = await connectedCopy(t, 2)
  const environment = { DATABASE_URL: urlOf(connection) }
  const first = await serve(t, environment)
  const key = first.said.companyKey
  const caller = (url: string): Caller => service.caller({ 'x-api-key': key }, url)
  const call = caller(first.url)
  const doomed = await makeTable(call, { a: 'string' })
  const kept = await makeTable(call, { a: 'string' })
  const rowId = await doomed.row({ a: 'x' })
  const other = await kept.row({ a: 'kept' })
  const count = PURGED_ROWS * 5
  await multiply((text, values) => database.query(text, values), rowId, count)
  const left = async (table: string) =>
    (await database.query(`select count(*) from ${table} where table_id = $1`, [doomed.id]))[0]?.[0] as number
  succeeded(await call('DELETE', `/v1/api/custom-table/${doomed.id}`))
  await until('the purge has begun', async () => (await left('custom_table_values')) <= count)
  await first.stop('SIGKILL')
  assert.ok((await left('custom_table_rows')) > 0)
  const second = await serveHere(t, connection)
  const after = caller(second.url)
  assert.deepEqual(succeeded(await after('GET', '/v1/api/custom-table-rows')).length, 1)
  assert.equal((await after('GET', `/v1/api/custom-table-row/${rowId}`)).status, 404)
  assert.equal((await after('GET', doomed.path)).status, 404)
  await until('all is gone', async () => (await database.query('select from custom_purges')).length === 0)
  assert.deepEqual([await left('custom_table_rows'), await left('custom_table_values')], [0, 0])
  assert.equal(succeeded(await after('GET', `${kept.path}/${other}`)).a, 'kept')
})

test('no step of a purge takes more than its batch, and two concurrent ones take two batches or one', async (t) => {
  const { database } = await connectedCopy(t)
  await database.query(
    `insert into custom_table_rows (company_id, id, body)
     select 'c', lpad(n::text, 24, '0'), '{"tableId":{"$oid":"t"},"createdAt":"","updatedAt":""}' from generate_series(1, $1::int) as n`,
    [PURGED_ROWS * 3 + 1],
  )
  await database.query(
    `insert into custom_purges (company_id, table_id, created_at) values ('c', 't', now()), ('c', 'u', now())`,
  )
  const left = async () => (await database.query('select count(*) from custom_table_rows'))[0]?.[0] as number
  for (let before = await left(); before > 0; before = await left()) {
    await Promise.all([purgeBatch(database), purgeBatch(database)])
    assert.ok(before - (await left()) <= 2 * PURGED_ROWS)
  }
  await until('the notes are gone', async () => !(await purgeBatch(database)))
  assert.deepEqual(await database.query('select from custom_purges'), [])
})

test('a purged field leaves no value, no cell and no link behind, and affects no concurrent write', async () => {
  const { id: companyId, call } = await service.company()
  const table = await makeTable(call, {
    customer: { type: 'string', referenceLinkedCollection: 'customers' },
    points: 'number',
  })
  const customers = await Promise.all(
    Array.from({ length: 20 }, async () => succeeded(await call('POST', '/v1/customer', { phone: '1' }), 201).id),
  )
  const rows = await Promise.all(customers.map((customer) => table.row({ customer, points: 1 })))
  succeeded(await call('DELETE', `/v1/api/custom-table-field/${table.fields.customer}`))
  const writing = rows.map((id, n) => call('PUT', `${table.path}/${id}`, { points: n }))
  for (const reply of await Promise.all(writing)) succeeded(reply)
  const { database } = service
  await until(
    'it is purged',
    async () => (await database.query('select from custom_purges where company_id = $1', [companyId])).length === 0,
  )
  const stored = await database.query(
    'select cells, linked_by, linked_id from custom_table_rows where company_id = $1 order by created_at, id',
    [companyId],
  )
  assert.equal(stored.length, 20)
  for (const [cells, linkedBy, linkedId] of stored) {
    assert.deepEqual(Object.keys(JSON.parse(cells)), [table.fields.points])
    assert.deepEqual([linkedBy, linkedId], [null, null])
  }
  const values = await database.query('select from custom_table_values where company_id = $1 and field_id = $2', [
    companyId,
    table.fields.customer,
  ])
  assert.equal(values.length, 0)
  const again = { tableId: oid(table.id), name: 'customer', type: 'string' }
  succeeded(await call('POST', '/v1/api/custom-table-field', again), 201)
  for (const [n, id] of rows.entries()) assert.equal((await table.read(id)).points, n)
})
