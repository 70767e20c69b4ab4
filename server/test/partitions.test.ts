// Events and deliveries are in weekly partitions, and maintaining them never blocks a writer or a server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../src/core/ids.ts'
import { feedFamilies } from '../src/features/events/metrics.ts'
import { keepPartitions } from '../src/features/events/partitions.ts'
import { testService } from './support/service.ts'

const service = testService()

const tables = ['events', 'webhook_deliveries'] as const
type Table = (typeof tables)[number]

const partitions = async (table: Table): Promise<string[]> =>
  (
    await service.database.query(
      `select relid::regclass::text from pg_partition_tree('${table}') where isleaf and relid::regclass::text <> '${table}_default' order by 1`,
    )
  ).map(([name]) => name)

/** Writes a row with a time, and returns the condition that finds it. */
async function write(table: Table, companyId: string, time: string): Promise<string> {
  const id = newId(Date.parse(time))
  if (table === 'events')
    await service.database.query(
      `insert into events (company_id, id, type, created_at, resource, record_id, data) values ($1, $2, 'x.created', $3, 'x', 'r', '{}')`,
      [companyId, id, time],
    )
  else
    await service.database.query('insert into webhook_deliveries (company_id, id, body) values ($1, $2, $3)', [
      companyId,
      id,
      JSON.stringify({
        id,
        triggerId: 't',
        eventId: 'e',
        eventType: 'custom.x',
        state: 'pending',
        createdAt: time,
        updatedAt: time,
      }),
    ])
  return id
}

const weekMs = 7 * 24 * 60 * 60 * 1000

/** Creates the partition of a week that began some weeks ago, as a service leaves it that has run since then. */
async function makeWeek(table: Table, weeksAgo: number): Promise<string> {
  const from = (Math.floor(Date.now() / weekMs) - weeksAgo) * weekMs
  const [first, end] = [from, from + weekMs].map((time) => {
    const day = new Date(time).toISOString().slice(0, 10)
    return table === 'events' ? day : newId(Date.parse(day)).slice(0, 8)
  })
  const name = `${table}_${new Date(from).toISOString().slice(0, 10).replaceAll('-', '')}`
  await service.database.query(
    `create table if not exists ${name} partition of ${table} for values from ('${first}') to ('${end}')`,
  )
  return name
}

/** Makes the service have run on these days, given as days ago, the newest first. */
async function ranOn(daysAgo: readonly number[]): Promise<void> {
  await service.database.query('delete from service_days')
  await service.database.query(
    `insert into service_days (day, number)
     select current_date - days_ago, -number from unnest($1::int[]) with ordinality as one(days_ago, number)`,
    [daysAgo],
  )
}

const dayOf = (name: string) => name.replace(/^.*_(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')

for (const table of tables) {
  test(`${table}: partitions for the weeks ahead exist when the service has started, and a row goes into that of its time`, async () => {
    const { id: companyId } = await service.company()
    const names = await partitions(table)
    assert.ok(names.length >= 8)
    for (const name of names) {
      const first = Date.parse(`${dayOf(name)}T00:00:00Z`)
      for (const time of [first, first + 7 * 24 * 60 * 60 * 1000 - 1]) {
        const id = await write(table, companyId, new Date(time).toISOString())
        assert.deepEqual(await service.database.query(`select 1 from ${name} where id = $1`, [id]), [[1]])
      }
    }
  })

  test(`${table}: rows in the default partition move to their week when it is created`, async () => {
    const company = await service.company()
    const last = (await partitions(table)).at(-1) as string
    await service.database.query(`drop table ${last}`)
    const id = await write(table, company.id, `${dayOf(last)}T12:00:00Z`)
    await keepPartitions(service.database)
    const rows = await service.database.query(`select id from ${last} where company_id = $1`, [company.id])
    assert.deepEqual(rows, [[id]])
    assert.deepEqual(await service.database.query(`select 1 from ${table}_default`), [])
  })

  test(`${table}: a detached week is attached again, with its rows and those added meanwhile`, async () => {
    const { id: companyId } = await service.company()
    const last = (await partitions(table)).at(-1) as string
    const ids = [await write(table, companyId, `${dayOf(last)}T12:00:00Z`)]
    await service.database.query(`alter table ${table} detach partition ${last}`)
    ids.push(await write(table, companyId, `${dayOf(last)}T12:00:01Z`))
    await keepPartitions(service.database)
    assert.ok((await partitions(table)).includes(last))
    const rows = await service.database.query(`select id from ${last} where company_id = $1 order by id`, [companyId])
    assert.deepEqual(rows.flat(), ids)
  })

  test(`${table}: a clock that jumps ahead drops no week, and neither does a long pause, until the service has run for 30 days since`, async (t) => {
    t.after(() => ranOn([]))
    for (const weeks of [5, 9, 500]) {
      const old = await makeWeek(table, weeks + 1)
      // As if the clock, or the service, had stopped some weeks ago.
      await ranOn(Array.from({ length: 30 }, (_, n) => weeks * 7 + n))
      await keepPartitions(service.database)
      assert.ok((await partitions(table)).includes(old), `${weeks} weeks`)
      const daysAgo = (
        await service.database.query('select current_date - day from service_days order by number')
      ).flat()
      assert.deepEqual([daysAgo.length, daysAgo.at(-1)], [30, 0])
      await ranOn(Array.from({ length: 30 }, (_, n) => n))
      await keepPartitions(service.database)
      assert.ok(!(await partitions(table)).includes(old), `${weeks} weeks`)
    }
  })

  test(`${table}: what was written while the clock was years behind is kept for 30 days after it is right`, async (t) => {
    t.after(() => ranOn([]))
    const old = await makeWeek(table, 1_300)
    await ranOn([1_300 * 7, ...Array.from({ length: 29 }, (_, n) => n + 1)])
    await keepPartitions(service.database)
    assert.ok((await partitions(table)).includes(old))
  })

  test(`${table}: partitions that a clock years ahead made do not count as made ahead`, async () => {
    const ahead = async () => {
      const families = await feedFamilies(service.database)
      const { values } = families.find(({ name }) => name === 'cashwrap_partitions_ahead') ?? assert.fail()
      return values.find(({ labels }) => labels.table === table)?.value
    }
    assert.equal(await ahead(), 7)
    for (const weeks of [8, 500]) await makeWeek(table, -weeks)
    assert.equal(await ahead(), 7)
    await service.database.query(`drop table ${(await partitions(table))[3]}`)
    await keepPartitions(service.database)
    assert.equal(await ahead(), 7)
  })

  test(`${table}: a week that ended over 30 days ago is dropped, and a later one is kept`, async () => {
    const { id: companyId } = await service.company()
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString()
    const bound = (time: string) =>
      table === 'events' ? time.slice(0, 10) : newId(Date.parse(time.slice(0, 10))).slice(0, 8)
    const old = (time: string) => `${table}_${time.slice(0, 10).replaceAll('-', '')}`
    for (const [from, to] of [
      [daysAgo(48), daysAgo(41)],
      [daysAgo(36), daysAgo(29)],
    ] as const) {
      await service.database.query(
        `create table ${old(from)} partition of ${table} for values from ('${bound(from)}') to ('${bound(to)}')`,
      )
      await write(table, companyId, from)
    }
    await keepPartitions(service.database)
    const names = await partitions(table)
    assert.ok(!names.includes(old(daysAgo(48))))
    assert.ok(names.includes(old(daysAgo(36))))
  })

  test(`${table}: several servers that start at once do not fail over each other’s partitions`, async () => {
    for (const name of await partitions(table)) await service.database.query(`drop table ${name}`)
    await Promise.all([1, 2, 3].map(() => keepPartitions(service.database)))
    assert.ok((await partitions(table)).length >= 8)
  })

  test(`${table}: during a long read, maintenance is postponed and writers continue`, async () => {
    const company = await service.company()
    const last = (await partitions(table)).at(-1) as string
    await service.database.query(`drop table ${last}`)
    await service.database.transaction(async (reader) => {
      await reader.query(`lock table ${table} in access share mode`)
      await reader.query(`lock table ${table}_default in access share mode`)
      await assert.rejects(keepPartitions(service.database))
      assert.equal((await company.call('POST', '/v1/customer', { firstName: 'Ann' })).status, 201)
    })
    await keepPartitions(service.database)
    assert.ok((await partitions(table)).includes(last))
  })
}

test('a write gets 500, not 400, if its partition was removed by hand', async (t) => {
  const company = await service.company()
  const current = (await partitions('events')).findLast((name) => Date.parse(dayOf(name)) <= Date.now()) as string
  const attach = `alter table events attach partition ${current} for values from ('${dayOf(current)}')
    to ('${new Date(Date.parse(dayOf(current)) + weekMs).toISOString().slice(0, 10)}')`
  t.after(async () => {
    await service.database.query(attach)
    await service.database.query('alter table events attach partition events_default default')
  })
  for (const name of [current, 'events_default'])
    await service.database.query(`alter table events detach partition ${name}`)
  const one = await company.call('POST', '/v1/customer', { firstName: 'Ann' })
  assert.equal(one.status, 500)
  const { status } = await company.call('POST', '/v1/customers', { items: [{ firstName: 'Ann' }, { firstName: 'Bo' }] })
  assert.equal(status, 500)
})

test('a client that has not read the events of a dropped week gets an error that says what to do; one that has read them continues', async () => {
  const company = await service.company()
  const other = await service.company()
  const dropWeek = async (days: number) => {
    const dayAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
    const from = dayAgo(days)
    const to = dayAgo(days - 7)
    await service.database.query(
      `create table events_${from.replaceAll('-', '')} partition of events for values from ('${from}') to ('${to}')`,
    )
    for (const { id } of [company, other, company]) await write('events', id, `${from}T12:00:00Z`)
    const rows = await service.database.query('select sequence from events where company_id = $1 order by 1', [
      company.id,
    ])
    await keepPartitions(service.database)
    return rows.map(([sequence]) => Number(sequence)).slice(-2) as [number, number]
  }
  const [first, last] = await dropWeek(48)
  const { body: kept } = await company.call('POST', '/v1/events/custom', { name: 'kept', data: {} })
  const refused = async (path: string, headers?: Record<string, string>) => {
    const { body } = await company.call('GET', path, undefined, headers)
    assert.deepEqual(
      [body.code, body.errors?.[0].pointer, body.errors?.[0].code],
      ['validation_failed', 'after', 'cursor'],
    )
    assert.match(body.errors[0].message, /older than the events that are kept.+read all records again/)
  }
  const goesOn = async (after: number) => {
    const { status, body } = await company.call('GET', `/v1/events?type=custom.*&after=${after}`)
    assert.equal(status, 200)
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      [kept.id],
    )
  }
  await refused(`/v1/events?after=${first}`)
  await refused(`/v1/events?after=${first}&wait=30&type=custom.*`)
  await refused(`/v1/events/stream?after=${first}`)
  await refused('/v1/events/stream', { 'last-event-id': String(first) })
  for (const after of [0, last]) await goesOn(after)
  // The company's own last event counts, not that of another one.
  assert.equal((await other.call('GET', `/v1/events?after=${first + 1}`)).status, 200)
  const [, later] = await dropWeek(55)
  await refused(`/v1/events?after=${last}`)
  await refused(`/v1/events?after=${kept.sequence}`)
  assert.equal((await company.call('GET', `/v1/events?after=${later}`)).status, 200)
  const gaps = await service.database.query('select count(*)::int from feed_gaps where company_id = $1', [company.id])
  assert.deepEqual(gaps, [[1]], 'The later gap has replaced the earlier one.')
})
