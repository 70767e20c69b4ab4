// The dispatcher of webhooks follows its triggers: a new one gets all events, a changed one its own, and a deleted one none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../src/core/ids.ts'
import { listen } from '../src/database/listen.ts'
import { dispatchOf, newIds, taken } from './support/dispatcher.ts'
import { until } from './support/program.ts'
import { testService } from './support/service.ts'

const service = testService()
const { dispatching, intercepted, companiesWithTriggers, written } = dispatchOf(service)

test('a trigger that is created while its company is read for the first time gets all new events', async (t) => {
  const seen = Promise.withResolvers<void>()
  const proceed = Promise.withResolvers<void>()
  let hasLeased = false
  const database = intercepted(async (name, run) => {
    if (name === 'webhooks_behind') return []
    const rows = await run()
    if (name === 'webhooks_lease') hasLeased = true
    if (name === 'webhooks_look') {
      seen.resolve()
      await proceed.promise
    }
    return rows
  })
  const { calls, wake } = dispatching(t, { database })
  const channel = 'automation_triggers'
  await until('changes of triggers are heard', async () => {
    const [row] = await service.database.query(
      `select count(*) from pg_locks where locktype = 'advisory' and objid = 7
         and database = (select oid from pg_database where datname = current_database()) and classid = (hashtext($1)::bigint & 4294967295)::oid`,
      [channel],
    )
    return row?.[0] === 1
  })
  const hearing = listen(service.database, channel, { heard: () => {}, missed: () => {} })
  t.after(() => hearing.close())
  await until('the test hears too', () => hearing.isAlive)
  const companyId = newId()
  wake(companyId)
  await seen.promise
  await companiesWithTriggers([companyId])
  await service.database.query('select pg_notify($1, $2)', [channel, companyId])
  await hearing.caughtUp()
  proceed.resolve()
  await until('the trigger is leased', () => hasLeased)
  for (const count of [1, 2, 3]) {
    await written([companyId])
    wake(companyId)
    await until('it is sent', () => calls.length === count)
  }
})

test('the state of a trigger before a change does not overwrite the change', async (t) => {
  const [companyId = ''] = await companiesWithTriggers(newIds(1))
  let isChanged = false
  const database = intercepted(async (name, run) => {
    if (name === 'webhooks_save' && !isChanged) {
      isChanged = true
      await service.database.query(
        'update automation_triggers set version = version + 1, position = 0 where company_id = $1',
        [companyId],
      )
    }
    return run()
  })
  const { calls, wake } = dispatching(t, { database })
  await written([companyId])
  wake(companyId)
  await until('all is sent again', () => calls.length === 2)
  assert.equal(calls[0]?.id, calls[1]?.id)
})

test('once the deletion of a trigger is answered no further call begins, also before servers have looked at their triggers', async (t) => {
  const { id: companyId, call } = await service.company()
  const hook = { triggerType: 'customer.created', triggerUrl: 'https://hooks.example.com/', maxParallel: 1 }
  const gone = await call('POST', '/v1/automation-trigger', hook)
  const stays = await call('POST', '/v1/automation-trigger', hook)
  const answered = Promise.withResolvers<void>()
  const looked = Promise.withResolvers<void>()
  t.after(() => looked.resolve())
  let isDeleted = false
  const database = intercepted(async (name, run) => {
    if (isDeleted && name === 'webhooks_look') await looked.promise
    return run()
  })
  const answer = async () => {
    await answered.promise
    return taken()
  }
  const { calls, wake } = dispatching(t, { database, answer })
  const hearing = listen(service.database, 'automation_triggers', { heard: () => {}, missed: () => {} })
  t.after(() => hearing.close())
  await until('triggers are listened to', () => hearing.isAlive)
  const of = (trigger: { body: { id: string } }) =>
    calls.filter(({ body }) => JSON.parse(body).triggerId === trigger.body.id)
  const write = async () => assert.equal((await call('POST', '/v1/customer', { firstName: 'Ann' })).status, 201)
  for (let n = 0; n < 3; n++) await write()
  wake(companyId)
  await until('both are called', () => of(gone).length + of(stays).length === 2)
  isDeleted = true
  assert.equal((await call('DELETE', `/v1/automation-trigger/${gone.body.id}`)).status, 200)
  answered.resolve()
  const deliveries = 'select 1 from webhook_deliveries where company_id = $1 and trigger_id = $2'
  const stored = () => service.database.query(deliveries, [companyId, stays.body.id])
  await until('the results are stored', async () => (await stored()).length > 0)
  assert.equal(of(gone).length, 1)
  looked.resolve()
  await until('the other one is called', () => of(stays).length === 3)
  assert.equal(of(gone).length, 1)
})

test('once the deletion of a trigger is answered no call of it begins, also on a server that had just leased it', async (t) => {
  const { id: companyId, call } = await service.company()
  const hook = { triggerType: 'customer.created', triggerUrl: 'https://hooks.example.com/' }
  const gone = await call('POST', '/v1/automation-trigger', hook)
  const stays = await call('POST', '/v1/automation-trigger', hook)
  assert.equal((await call('POST', '/v1/customer', { firstName: 'Ann' })).status, 201)
  let isDeleted = false
  const database = intercepted(async (name, run) => {
    if (name === 'webhooks_behind') return []
    const rows = await run()
    if (name === 'webhooks_leased' && !isDeleted) {
      isDeleted = true
      assert.equal((await call('DELETE', `/v1/automation-trigger/${gone.body.id}`)).status, 200)
    }
    return rows
  })
  const hearing = listen(service.database, 'automation_triggers', { heard: () => {}, missed: () => {} })
  t.after(() => hearing.close())
  const { calls, wake } = dispatching(t, { database })
  await until('triggers are listened to', () => hearing.isAlive)
  wake(companyId)
  await until('the other one is called', () => calls.length > 0)
  assert.equal(isDeleted, true)
  assert.deepEqual(
    calls.map(({ body }) => JSON.parse(body).triggerId),
    [stays.body.id],
  )
})
