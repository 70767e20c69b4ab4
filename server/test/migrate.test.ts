// Migrations beside those who are at work: whoever holds a table makes them wait, and nobody waits behind them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../src/database/connect.ts'
import { migrate } from '../src/database/migrate.ts'
import { copyDatabase } from './support/database.ts'
import { until } from './support/program.ts'

const name = '0015_faster_reports.sql'

test('a migration that waits for an open transaction says so and holds no writer up; of two programs one applies it', async (t) => {
  const { connection, drop } = await copyDatabase()
  const database = connect(connection, { size: 3 })
  t.after(async () => {
    await database.close()
    await drop()
  })
  await database.query('drop index variants_managed')
  await database.query(`delete from migrations where name = '${name}'`)
  const told: string[] = []
  const run = () => migrate(database, (message) => told.push(message))
  const write = (id: string) =>
    database.query(`insert into variants (company_id, id, version, body) values ('c', $1, 1, $2)`, [
      id,
      JSON.stringify({ id, productId: 'p', createdAt: '', updatedAt: '', companyId: 'c' }),
    ])
  let both: Promise<string[][]> | undefined
  await database.transaction(async (open) => {
    await open.query('lock table variants in row exclusive mode')
    both = Promise.all([run(), run()])
    await until('both wait', () => told.length === 2)
    for (const id of ['a', 'b']) await write(id)
  })
  assert.deepEqual((await both)?.toSorted(), [[], [name]])
  assert.equal(told.filter((message) => message.includes(name) && message.includes('pg_stat_activity')).length, 1)
  assert.equal(told.filter((message) => message.includes('another program')).length, 1)
})

test('a database that is up to date is opened without waiting, also while another program holds the lock of migrations', async (t) => {
  const { connection, drop } = await copyDatabase()
  const database = connect(connection, { size: 2 })
  t.after(async () => {
    await database.close()
    await drop()
  })
  const messages: string[] = []
  await database.transaction(async (other) => {
    await other.query('select pg_advisory_xact_lock(7270115401)')
    assert.deepEqual(await migrate(database, (message) => messages.push(message)), [])
  })
  assert.deepEqual(messages, [])
})
