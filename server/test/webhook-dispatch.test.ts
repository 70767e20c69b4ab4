// The dispatcher of webhooks misses no event, for any timing of the database, notifications and changes of triggers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Queryable } from '../src/database/connect.ts'
import type { CallResult, WebhookCall } from '../src/features/webhooks/call.ts'
import { dispatchOf, nameOf, newIds, taken } from './support/dispatcher.ts'
import { skipOnCluster } from './support/nodes.ts'
import { until } from './support/program.ts'
import { testService } from './support/service.ts'

const service = testService()
const { dispatching, intercepted, companiesWithTriggers, companyWithTriggers, written } = dispatchOf(service)

test('companies get their events, however many are woken at once', async (t) => {
  const { calls, errors, wake } = dispatching(t)
  // More than a few looks of 500; on a cluster each company has five statements of its own.
  const companies = await companiesWithTriggers(newIds(skipOnCluster ? 1_200 : 2_500))
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
    let last = 0
    let late: Promise<void> | undefined
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

test('an event for a thousand triggers of a company begins few calls in a turn of the event loop, which serves others in between', async (t) => {
  const { calls, wake } = dispatching(t)
  const companyId = await companyWithTriggers(1_000)
  let begun = 0
  let most = 0
  let isOver = false
  const count = () => {
    most = Math.max(most, calls.length - begun)
    begun = calls.length
    if (!isOver) setImmediate(count)
  }
  count()
  await written([companyId])
  wake(companyId)
  await until('all triggers are called', () => calls.length === 1_000).finally(() => {
    isOver = true
  })
  assert.ok(most <= 20, `${most} calls began in one turn`)
})

test('hanging receivers of a company take no place from its good ones', async (t) => {
  const release = Promise.withResolvers<void>()
  t.after(() => release.resolve())
  const answer = async ({ url }: WebhookCall) => {
    if (!url.endsWith('/151')) await release.promise
    return taken()
  }
  const { calls, wake } = dispatching(t, { answer })
  const companyId = await companyWithTriggers(151)
  await written([companyId])
  wake(companyId)
  await until('the good one is called', () => calls.some(({ url }) => url.endsWith('/151')))
})

test('a company with hundreds of triggers that are far behind at different events delays no other', async (t) => {
  const release = Promise.withResolvers<void>()
  t.after(() => release.resolve())
  const [other = ''] = await companiesWithTriggers(newIds(1))
  let reads = 0
  const database = intercepted((name, run) => {
    if (name === 'webhooks_read') reads++
    return run()
  })
  const answer = async ({ url }: WebhookCall) => {
    if (!url.endsWith(other)) await release.promise
    return taken()
  }
  const { calls, wake } = dispatching(t, { database, answer })
  const companyId = await companyWithTriggers(600)
  await written([companyId], 1_000, 1_000)
  await service.database.query(
    `update automation_triggers as stored set position = item.sequence
     from (select id, row_number() over () as n from automation_triggers where company_id = $1) as own
     join (select sequence, row_number() over (order by sequence) as n from events where company_id = $1) as item on item.n = own.n
     where stored.company_id = $1 and stored.id = own.id`,
    [companyId],
  )
  wake(companyId)
  await until('many hang', () => calls.length >= 100)
  const before = reads
  await written([other])
  wake(other)
  await until('the other is called', () => calls.some(({ url }) => url.endsWith(other)))
  assert.ok(reads - before <= 4, `${reads - before} reads`)
})
