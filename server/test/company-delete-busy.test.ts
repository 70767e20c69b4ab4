// A company can be deleted while results of its webhook calls are stored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteCompany } from '../src/features/company-file/delete.ts'
import { deadlocksIn } from './support/deadlocks.ts'
import { until } from './support/program.ts'
import { testService } from './support/service.ts'

const service = testService()

test('a deletion that PostgreSQL ends as the victim of a deadlock begins again', async () => {
  const { database } = service
  const { id, call } = await service.company()
  for (const path of ['one', 'two', 'three']) {
    const trigger = { triggerType: 'customer.*', triggerUrl: `https://receiver.example/${path}` }
    assert.equal((await call('POST', '/v1/automation-trigger', trigger)).status, 201)
  }
  const [row] = await database.query(
    `update companies set status = 'suspended', updated_at = now() - interval '1 day' where id = $1 returning name`,
    [id],
  )
  // Only the deletion looks for a deadlock, soon after each wait begins. So its last wait must close the circle.
  await database.query(
    `do $$ begin execute format('alter database %I set deadlock_timeout = ''10ms''', current_database()); end $$`,
  )
  const results = await database.connectAlone()
  const other = await database.connectAlone()
  // Rows that OFFSET skips would be locked, too.
  const lock = (client: typeof results, nth: number) =>
    client.query(
      `select from automation_triggers where company_id = $1
         and id = (select id from automation_triggers where company_id = $1 order by id offset $2 limit 1) for key share`,
      [id, nth],
    )
  const waiting = (count: number) => async () => {
    const rows = await database.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
       and query like 'select from automation_triggers%'`,
    )
    return rows.length === count
  }
  try {
    await results.query(`set deadlock_timeout = '1h'`)
    for (const client of [results, other]) await client.query('begin')
    await lock(other, 1)
    await lock(results, 2)
    const before = await deadlocksIn(database)
    const deleting = deleteCompany(database, { companyId: id, confirmed: row?.[0], waits: () => assert.fail() })
    await until('the deletion has the first trigger and waits for the second', waiting(1))
    const locked = lock(results, 0)
    await until('the results wait for the deletion', waiting(2))
    await other.query('commit')
    await locked
    await results.query('commit')
    assert.equal((await deleting).companyId, id)
    assert.ok((await deadlocksIn(database)) > before)
  } finally {
    await results.end()
    await other.end()
  }
  assert.deepEqual(await database.query('select from companies where id = $1', [id]), [])
})
