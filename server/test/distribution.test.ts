// Each table is distributed by company or stays on the coordinator, and is in the list for one or the other: a table in
// neither would be noticed only in a cluster.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { queryable } from '../src/database/alone.ts'
import { connect, type Database } from '../src/database/connect.ts'
import { listen } from '../src/database/listen.ts'
import { coordinatorTables, distributedTables } from '../src/database/migrations/distribution.ts'
import { refuseOthers } from '../src/database/other-sessions.ts'
import { copyDatabase } from './support/database.ts'
import { until } from './support/program.ts'

let database: Database
let drop: () => Promise<void>
before(async () => {
  const copy = await copyDatabase()
  database = connect(copy.connection, { size: 1 })
  drop = copy.drop
})
after(async () => {
  await database.close()
  await drop()
})

test('each table is in one of the lists of distributed tables and of those of the coordinator', async () => {
  const rows = await database.query(
    `select relname::text from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  )
  const listed = [...Object.keys(distributedTables), ...Object.keys(coordinatorTables)].sort()
  assert.deepEqual(
    rows.map(([name]) => name),
    listed,
  )
})

test('every unique index and primary key of a distributed table contains its company', async () => {
  const rows = await database.query(
    `select relation.relname::text, index.indexrelid::regclass::text, array(
       select attname::text from pg_attribute where attrelid = index.indrelid and attnum = any (index.indkey))
     from pg_index as index join pg_class as relation on relation.oid = index.indrelid
     where index.indisunique and relation.relname = any ($1)`,
    [Object.keys(distributedTables)],
  )
  assert.ok(rows.length > 30)
  for (const [table, index, columns] of rows) assert.ok(columns.includes(distributedTables[table]), index)
})

test('no foreign key leads from or to a distributed table: rows of different nodes are not compared', async () => {
  const rows = await database.query(
    `select conname::text from pg_constraint where contype = 'f'
     and (conrelid = any ($1::text[]::regclass[]) or confrelid = any ($1::text[]::regclass[]))`,
    [Object.keys(distributedTables)],
  )
  assert.deepEqual(rows, [])
})

test('tables are not distributed while a server runs: it listens, though it is idle', async (t) => {
  const client = await database.connectAlone()
  t.after(() => client.end())
  const alone = queryable(client)
  await database.query('select 1')
  await refuseOthers(alone)
  const server = listen(database, 'test', { heard: () => {}, missed: () => {} })
  t.after(() => server.close())
  await until('it listens', () => server.isAlive)
  await assert.rejects(refuseOthers(alone), /at work in the database: 1\./)
  await server.close()
})
