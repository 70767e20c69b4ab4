// The dispatcher of webhooks misses no event, for any timing of the database, notifications and changes of triggers.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { newId } from '../src/core/ids.ts'
import type { Database, Queryable, Row } from '../src/database/connect.ts'
import { listen } from '../src/database/listen.ts'
import type { CallResult, WebhookCall } from '../src/features/webhooks/call.ts'
import { startDispatcher, taken } from './support/dispatcher.ts'
import { skipOnCluster } from './support/nodes.ts'
import { until } from './support/program.ts'
import { testService } from './support/service.ts'

const service = testService()

/** A dispatcher on the service's database, or on another one. */
const dispatching = (
  t: TestContext,
  {
    answer,
    database = service.database,
  }: { answer?: (call: WebhookCall) => Promise<CallResult>; database?: Database } = {},
) => startDispatcher(t, database, answer)

/** A look at triggers that are behind is the same to a test, and so is a statement that is sent for one company alone. */
const nameOf = (name: string) => name.replace(/_(of|at)_one$/, '').replace('webhooks_idle', 'webhooks_behind')

/** The database; `intercept` runs its named statements. */
function intercepted(
  intercept: (name: string, run: () => Promise<Row[]>, values?: readonly unknown[]) => Promise<Row[]>,
): Database {
  const { database } = service
  const within = ({ inTransaction, isSharded, query }: Queryable): Queryable => ({
    isSharded,
    inTransaction,
    query: (statement, values) => {
      const run = () => query(statement, values)
      return typeof statement === 'string' || statement.name === undefined
        ? run()
        : intercept(nameOf(statement.name), run, values)
    },
  })
  return {
    ...database,
    ...within(database),
    transaction: (work) => database.transaction((transaction) => work(within(transaction))),
  }
}

const newIds = (count: number) => Array.from({ length: count }, newId)

/** Companies with one trigger each, for every event. */
async function companiesWithTriggers(ids: readonly string[]): Promise<readonly string[]> {
  const now = new Date().toISOString()
  await service.database.query(
    `insert into automation_triggers (company_id, id, body)
     select id, id, json_build_object('id', id, 'triggerType', '*', 'triggerUrl', 'http://127.0.0.1/' || id,
       'createdAt', $2::text, 'updatedAt', $2::text, 'companyId', id) from unnest($1::text[]) as id`,
    [ids, now],
  )
  return ids
}

/** Events of each company that are not sent yet. */
const written = (companyIds: readonly string[], count = 1, characters = 0, within: Queryable = service.database) =>
  within.query(
    `with begun as materialized (select begin_events(id), id from unnest($1::text[]) as id)
     insert into events (company_id, id, type, created_at, resource, record_id, data, previous)
     select company_id, id, 'custom.sample', now(), 'custom', '', '{}', to_json(repeat('x', $3))
     from (select id as company_id, md5(id || n || random()) as id from begun, generate_series(1, $2) as n) as made`,
    [companyIds, count, characters],
  )

test('companies get their events, however many are woken at once', async (t) => {
  const { calls, errors, wake } = dispatching(t)
  // More than a few looks of 500; on a cluster each company has five statements of its own.
  const companies = await companiesWithTriggers(newIds(skipOnCluster ? 1_200 : 6_000))
  await written(companies)
  for (const id of companies) wake(id)
  await until('all events are sent', () => calls.length >= companies.length)
  assert.equal(new Set(calls.map(({ url }) => url)).size, companies.length)
  assert.deepEqual(errors, [])
})

test('events that could not be read are read as soon as possible', async (t) => {
  let looks = 0
  const database = intercepted(async (name, run) => {
    // No other server handles forgotten companies.
    if (name === 'webhooks_behind') return []
    if (name === 'webhooks_read' && ++looks === 2) throw new Error('The database is away.')
    return run()
  })
  const { calls, errors, wake } = dispatching(t, { database })
  const companies = await companiesWithTriggers(newIds(1))
  await written(companies, 1_500)
  wake(companies[0])
  await until('all events are sent', () => calls.length >= 1_500)
  assert.equal(errors.length, 1)
})

test('a trigger that is created while its company is read for the first time gets all new events', async (t) => {
  const [seen, proceed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
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

/**
 * Does what a failover does, at a moment that the test chooses. Numbers that the former primary gave to writes that were not kept are
 * assigned again: by a write that commits at once, and before that by a late one, which commits when `commit` resolves.
 */
async function failover(companyId: string, last: number, commit: Promise<unknown>): Promise<{ late: Promise<void> }> {
  await service.database.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and state = 'idle in transaction'`,
  )
  await service.database.query(`select setval('event_sequence', $1)`, [last])
  const begun = Promise.withResolvers<void>()
  const late = service.database.transaction(async (transaction) => {
    await written([companyId], 1, 0, transaction)
    begun.resolve()
    await commit
  })
  await begun.promise
  await written([companyId])
  return { late }
}

/** Writes events, and gives numbers after them to writes that will not be kept. Returns the last number that is kept. */
async function beforeFailover(companyId: string, count: number): Promise<number> {
  await written([companyId], count)
  const [row] = await service.database.query(
    `select last, setval('event_sequence', last + 50) from (select max(sequence) as last from events where company_id = $1) as kept`,
    [companyId],
  )
  return row?.[0]
}

for (const [statement, moment] of [
  ['webhooks_look', 'between a look at triggers and a read of events'],
  ['events_settled', 'between the watermark and the read of events'],
])
  test(`events with numbers that a new primary assigns again are sent, also those of a write that commits late, after a failover ${moment}`, async (t) => {
    const [companyId = ''] = await companiesWithTriggers(newIds(1))
    const read = Promise.withResolvers<void>()
    let [last, late]: [number, Promise<void> | undefined] = [0, undefined]
    const database = intercepted(async (name, run) => {
      if (name === 'webhooks_behind') return []
      const rows = await run()
      if (name === statement && late === undefined) ({ late } = await failover(companyId, last, read.promise))
      else if (name === 'webhooks_read' && late !== undefined) read.resolve()
      return rows
    })
    last = await beforeFailover(companyId, 1)
    const { calls, wake } = dispatching(t, { database })
    wake(companyId)
    await read.promise
    await late
    wake(companyId)
    await until('all are sent', () => calls.length === 3)
  })

test('a trigger with many events to send skips none whose number a new primary assigns again', async (t) => {
  let reads = 0
  const database = intercepted(async (name, run) => {
    if (name === 'webhooks_behind') return []
    const rows = await run()
    if (name === 'webhooks_read') reads++
    return rows
  })
  const [companyId = ''] = await companiesWithTriggers(newIds(1))
  const last = await beforeFailover(companyId, 300)
  const hanging = Promise.withResolvers<void>()
  const answer = async () => {
    await hanging.promise
    return taken()
  }
  const { calls, wake } = dispatching(t, { database, answer })
  wake(companyId)
  await until('the first are read', () => calls.length === 1)
  // No server that is left knows of the writes: their notification was lost.
  const commit = Promise.withResolvers<void>()
  const { late } = await failover(companyId, last, commit.promise)
  const before = reads
  hanging.resolve()
  await until('the next are read', () => reads > before + 1)
  commit.resolve()
  await late
  wake(companyId)
  await until('all are sent', () => calls.length === 302)
})

test('an event that arrives while its trigger’s lease is released is sent', async (t) => {
  const [companyId = ''] = await companiesWithTriggers(newIds(1))
  let isGivenBack = false
  const database = intercepted(async (name, run, values) => {
    if (name === 'webhooks_behind') return []
    const rows = await run()
    const released = values?.[7]
    if (name === 'webhooks_save' && Array.isArray(released) && released.includes(true) && !isGivenBack) {
      isGivenBack = true
      await written([companyId])
      wake(companyId)
      // Time enough for a check that does not wait.
      for (let n = 0; n < 100; n++) await service.database.query('select')
    }
    return rows
  })
  const { calls, wake } = dispatching(t, { database })
  await written([companyId])
  wake(companyId)
  await until('the first is sent', () => calls.length === 1)
  await until('the trigger is given back', () => isGivenBack)
  await until('the second is sent', () => calls.length === 2)
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
  const [gone, stays] = [
    await call('POST', '/v1/automation-trigger', hook),
    await call('POST', '/v1/automation-trigger', hook),
  ]
  const [answered, looked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
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
  const [gone, stays] = [
    await call('POST', '/v1/automation-trigger', hook),
    await call('POST', '/v1/automation-trigger', hook),
  ]
  assert.equal((await call('POST', '/v1/customer', { firstName: 'Ann' })).status, 201)
  let isDeleted = false
  const database = intercepted(async (name, run) => {
    if (name === 'webhooks_behind') return []
    const rows = await run()
    // Where tables are distributed, a lease is read after it is written.
    if (['webhooks_lease', 'webhooks_leased'].includes(name) && (rows[0]?.length ?? 0) > 2 && !isDeleted) {
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

test('a failed call is repeated although PostgreSQL has lost its result in a crash', async (t) => {
  const [companyId = ''] = await companiesWithTriggers(newIds(1))
  const refused = async (): Promise<CallResult> => ({ ...taken(), status: calls.length === 1 ? 500 : 200 })
  const { calls, wake } = dispatching(t, { answer: refused })
  await written([companyId])
  wake(companyId)
  const deliveries = 'select 1 from webhook_deliveries where company_id = $1'
  await until('its result is stored', async () => (await service.database.query(deliveries, [companyId])).length === 1)
  // What is not on the disk yet: the log and the cursor, which are written together.
  await service.database.transaction(async (transaction) => {
    await transaction.query('delete from webhook_deliveries where company_id = $1', [companyId])
    await transaction.query('update automation_triggers set position = 0, due_at = null where company_id = $1', [
      companyId,
    ])
  })
  await written([companyId])
  wake(companyId)
  await until('it is sent again', () => calls.filter(({ id }) => id === calls[0]?.id).length === 2)
})

for (const lost of ['the results', 'only the answer that they are stored'])
  test(`results are written again, and no call is repeated, after a connection was lost with ${lost}`, async (t) => {
    const [companyId = ''] = await companiesWithTriggers(newIds(1))
    let lostOnce = false
    const losing = <Result>(work: (transaction: Queryable) => Promise<Result>) => {
      let isSaving = false
      const seen = (transaction: Queryable): Queryable => ({
        ...transaction,
        query: (statement, values) => {
          if (typeof statement !== 'string' && nameOf(statement.name ?? '') === 'webhooks_save') isSaving = true
          return transaction.query(statement, values)
        },
      })
      const lose = () => {
        if (!isSaving || lostOnce) return
        lostOnce = true
        throw new Error('connection lost')
      }
      return service.database
        .transaction(async (transaction) => {
          const result = await work(seen(transaction))
          if (lost === 'the results') lose()
          return result
        })
        .then((result) => {
          lose()
          return result
        })
    }
    const { calls, wake } = dispatching(t, { database: { ...service.database, transaction: losing } })
    await written([companyId])
    wake(companyId)
    const stored = () =>
      service.database.query(
        `select position > 0 and position = (select max(sequence) from events where company_id = $1),
           (select count(*)::int from webhook_deliveries where company_id = $1)
         from automation_triggers where company_id = $1`,
        [companyId],
      )
    await until('the results are stored', async () => lostOnce && (await stored())[0]?.[0] === true)
    await written([companyId])
    wake(companyId)
    await until('the next event is sent and stored', async () => calls.length > 1 && (await stored())[0]?.[0] === true)
    assert.equal(new Set(calls.map(({ id }) => id)).size, 2)
    assert.equal(calls.length, 2)
  })

test('a hanging receiver uses no more memory than its limit, also for older events', async (t) => {
  const [hanging = '', other = ''] = await companiesWithTriggers(newIds(2))
  await service.database.query(
    `update automation_triggers set body = (left(body::text, -1) || ',"maxParallel":20}')::json where company_id = $1`,
    [hanging],
  )
  let characters = 0
  const database = intercepted(async (name, run) => {
    const rows = await run()
    if (name === 'webhooks_read') for (const row of rows) characters += row.at(-1)?.length ?? 0
    return rows
  })
  const release = Promise.withResolvers<void>()
  t.after(() => release.resolve())
  const answer = async ({ url }: WebhookCall) => {
    if (url.endsWith(hanging)) await release.promise
    return taken()
  }
  const { calls, wake } = dispatching(t, { database, answer })
  await written([hanging], 30, 1_000_000)
  wake(hanging)
  const reported = (companyId: string) => calls.filter(({ url }) => url.endsWith(companyId)).length
  await until('as many calls as there is room for are under way', () => reported(hanging) === 9)
  for (const count of [1, 2, 3]) {
    await written([other])
    wake(other)
    await until('the other is sent', () => reported(other) === count)
  }
  assert.equal(reported(hanging), 9)
  assert.ok(characters < 14_000_000, `${characters}`)
  release.resolve()
  await until('all events are sent', () => reported(hanging) === 30)
})

test('a thousand hanging receivers, of as many companies, take no place from a good one', async (t) => {
  const hanging = await companiesWithTriggers(newIds(1_000))
  const [well = ''] = await companiesWithTriggers(newIds(1))
  const release = Promise.withResolvers<void>()
  t.after(() => release.resolve())
  const answer = async ({ url }: WebhookCall) => {
    if (!url.endsWith(well)) await release.promise
    return taken()
  }
  const { calls, wake } = dispatching(t, { answer })
  await written(hanging)
  for (const id of hanging) wake(id)
  await until('many hang', () => calls.length >= 400)
  await written([well])
  wake(well)
  await until('the one is sent', () => calls.some(({ url }) => url.endsWith(well)))
})
