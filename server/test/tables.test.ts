// Each resource has the table, the columns and the indexes that its lists need; what is missing is told as SQL.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../src/database/connect.ts'
import { resources } from '../src/resources/index.ts'
import { copyDatabase } from './support/database.ts'
import { missingOf, type Table } from './support/tables.ts'

test('the migrations make what the lists of each resource filter, search and sort by', async (t) => {
  const { connection, drop } = await copyDatabase()
  const database = connect(connection, { size: 1 })
  t.after(() => database.close().finally(drop))
  const columns = await database.query(
    "select table_name::text, array_agg(column_name::text) from information_schema.columns where table_schema = 'public' group by 1",
  )
  const indexes = await database.query('select tablename::text, array_agg(indexdef) from pg_indexes group by 1')
  const indexesOf = new Map(indexes as unknown as [string, string[]][])
  const tables = new Map(
    (columns as unknown as [string, string[]][]).map(([name, columns]): [string, Table] => [
      name,
      { columns, indexes: indexesOf.get(name) ?? [] },
    ]),
  )
  const missing = resources.flatMap((resource) => missingOf(resource, tables.get(resource.table)))
  assert.ok(
    missing.length === 0,
    `lists need more than the migrations make. Put this into the next file of server/src/database/migrations/:\n\n${missing.join('\n')}\n`,
  )
})
