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
  for (const path of ['one', 'two']) {
    const trigger = { triggerType: 'customer.*', triggerUrl: `https://receiver.example/${path}` }
    assert.equal((await call('POST', '/v1/automation-trigger', trigger)).status, 201)
  }
  const [row] = await database.query(
    `update companies set status = 'suspended', updated_at = now() - interval '1 day' where id = $1 returning name`,
    [id],
  )
  // The deletion looks for a deadlock after this time; the other transaction not before it has ended.
  await database.query(
    `do $$ begin execute format('alter database %I set deadlock_timeout = ''4s''', current_database()); end $$`,
  )
  const results = await database.connectAlone()
  try {
    await results.query(`set deadlock_timeout = '5min'`)
    await results.query('begin')
    const lock = (order: string) =>
      results.query(
        `select from automation_triggers where company_id = $1 order by id ${order} limit 1 for key share`,
        [id],
      )
    await lock('desc')
    const before = await deadlocksIn(database)
    const deleting = deleteCompany(database, { companyId: id, confirmed: row?.[0], waits: () => assert.fail() })
    await until('the deletion waits for the trigger', async () => {
      const [waiting] = await database.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and query like 'select from automation_triggers%'`,
      )
      return waiting !== undefined
    })
    await lock('asc')
    await results.query('commit')
    assert.equal((await deleting).companyId, id)
    assert.equal(await deadlocksIn(database), before + 1)
  } finally {
    await results.end()
  }
  assert.deepEqual(await database.query('select from companies where id = $1', [id]), [])
})
