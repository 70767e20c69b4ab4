// What a command prints is complete, however long it is and wherever it goes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../src/database/connect.ts'
import { copyDatabase } from './support/database.ts'
import { cashwrapAlone, json, urlOf } from './support/program.ts'

test('a list of more than 64 KB reaches the reader of a pipe completely, as JSON and as text', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const environment = { DATABASE_URL: urlOf(connection) }
  const created = await json(environment, 'organization', 'create', '--name', 'Second Platform')
  const organizationId = created.id ?? created.organizationId
  const database = connect(connection)
  t.after(() => database.close())
  await database.query(
    `insert into plans (id, organization_id, name, created_at, updated_at)
     select lpad(to_hex(n), 24, '0'), $1, repeat('x', 200), now(), now() from generate_series(1, 1000) n`,
    [organizationId],
  )
  const list = ['plan', 'list', '--organization', organizationId]
  const asJson = await cashwrapAlone([...list, '--json'], environment)
  assert.equal(asJson.code, 0, asJson.stderr)
  assert.ok(JSON.parse(asJson.stdout).length >= 1_000)
  const { stdout } = await cashwrapAlone(list, environment)
  assert.ok(stdout.split('\n').length > 1_000)
})
