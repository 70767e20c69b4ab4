// A full disk of PostgreSQL: writes that need space are refused with that reason, reads continue, and the log says what
// to do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { connect } from '../src/database/connect.ts'
import { connectionError } from '../src/database/connection-error.ts'
import { testConnection } from './support/database.ts'
import { skipOnCluster } from './support/nodes.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { testService } from './support/service.ts'

const lines: string[] = []
const service = testService({ log: pino({ level: 'error' }, { write: (line) => void lines.push(line) }) })

test('writes are refused with the reason, and reads continue although PostgreSQL can begin no session', {
  skip: skipOnCluster,
}, async (t) => {
  const { call } = await service.company()
  const { database } = service
  const made = await call('POST', '/v1/customer', { firstName: 'Ada' })
  assert.equal((await call('GET', '/v1/customers')).status, 200)
  const [name] = (await database.query('select current_database()'))[0] as [string]
  // As PostgreSQL reports a full disk.
  await database.query(
    `create function no_space() returns trigger language plpgsql as
     $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`,
  )
  await database.query(
    'create trigger no_space before insert or update on customers for each row execute function no_space()',
  )
  const elsewhere = connect(testConnection(), { size: 1 })
  const mayBegin = (isAllowed: boolean) => elsewhere.query(`alter database ${name} allow_connections ${isAllowed}`)
  await mayBegin(false)
  t.after(async () => {
    await mayBegin(true)
    await elsewhere.close()
  })
  const path = `/v1/customer/${made.body.id}`
  for (const [method, to, body] of [
    ['POST', '/v1/customer', { firstName: 'Bob' }],
    ['PATCH', path, { firstName: 'Bob' }],
    ['DELETE', path],
    ['POST', '/v1/customers', { items: [{ firstName: 'Bob' }, { firstName: 'Eve' }] }],
    ['PATCH', '/v1/customers', { items: [{ id: made.body.id, firstName: 'Bob' }] }],
  ] as const) {
    const { reason, message } = assertProblem(await call(method, to, body), 503, 'unavailable', `${method} ${to}`)
    assert.deepEqual([reason, message.split('.')[0]], ['database_full', 'The disk of the database is full'])
    const read = await call('GET', path)
    assert.deepEqual([read.status, read.text], [200, made.text], `after ${method} ${to}`)
  }
  const { err, msg } = JSON.parse(lines.at(-1) as string)
  assert.equal(msg, 'request answered 503: database_full')
  assert.equal(
    err,
    'the disk of PostgreSQL is full: free some space on it (could not extend file: No space left on device)',
  )
  await mayBegin(true)
  await database.query('drop function no_space cascade')
  // Nothing of what was refused was stored.
  assert.equal((await call('GET', '/v1/customers?count=true')).body.meta.count, 1)
  assert.equal((await call('PATCH', path, { firstName: 'Bob' })).status, 200)
})

test('reports continue too: they have the sums that are stored, and say that they are incomplete', {
  skip: skipOnCluster,
}, async () => {
  const { id, call } = await service.company()
  const { database } = service
  const pay = () => call('POST', '/v1/transaction', { amount: '2', paymentMethod: 'cash' })
  const sales = async () => {
    const { status, body, text } = await call('GET', '/v1/reports/sales')
    assert.equal(status, 200, text)
    return [body.isComplete, body.totals.sales]
  }
  assert.equal((await pay()).status, 201)
  await until('the report is complete', async () => (await sales())[0])
  // The request of a day is noted, too.
  await database.query(`update sum_cursors set asked_at = asked_at - interval '25 hours' where company_id = $1`, [id])
  await database.query(
    `create function no_space() returns trigger language plpgsql as
     $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`,
  )
  for (const table of ['sum_buckets', 'sum_cursors'])
    await database.query(
      `create trigger no_space before insert or update on ${table} for each row execute function no_space()`,
    )
  assert.deepEqual(await sales(), [true, '2.00'])
  assert.equal((await pay()).status, 201)
  assert.deepEqual(await sales(), [false, '2.00'])
  await database.query('drop function no_space cascade')
  await until('the report has both payments', async () => (await sales()).join() === 'true,4.00')
})

test('commands report a full disk also when PostgreSQL can begin no session, for which it has no code of its own', () => {
  const error = Object.assign(new Error('could not write init file: No space left on device'), { code: 'XX000' })
  assert.match(
    connectionError(error, { connectionString: 'postgres://cashwrap@db/shop' }).message,
    /The disk of PostgreSQL at db\/shop is full\. Free some/,
  )
})
