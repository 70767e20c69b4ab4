// Events stand in weekly partitions, and keeping them never stops a writer or a server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepPartitions } from '../src/features/events/partitions.ts'
import { testService } from './support/service.ts'

const service = testService()

const partitions = async (): Promise<string[]> =>
  (
    await service.database.query(
      `select relid::regclass::text from pg_partition_tree('events') where isleaf and relid::regclass::text <> 'events_default' order by 1`,
    )
  ).map(([name]) => name)

test('the weeks ahead stand ready when the service has started', async () => {
  assert.ok((await partitions()).length >= 8)
})

test('events that fell into the default partition move to their week when it is made', async () => {
  const company = await service.company()
  const last = (await partitions()).at(-1) as string
  const day = last.replace(/^events_(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
  await service.database.query(`drop table ${last}`)
  await service.database.query(
    `insert into events (company_id, id, type, created_at, resource, record_id, data) values ($1, 'e', 'x.created', $2, 'x', 'r', '{}')`,
    [company.id, `${day}T12:00:00Z`],
  )
  await keepPartitions(service.database)
  const rows = await service.database.query(`select id from ${last} where company_id = $1`, [company.id])
  assert.deepEqual(rows, [['e']])
  assert.deepEqual(await service.database.query('select 1 from events_default'), [])
})

test('while somebody reads the events for long, keeping waits for later and writers go on', async () => {
  const company = await service.company()
  const last = (await partitions()).at(-1) as string
  await service.database.query(`drop table ${last}`)
  await service.database.transaction(async (reader) => {
    await reader.query('lock table events in access share mode')
    await reader.query('lock table events_default in access share mode')
    await assert.rejects(keepPartitions(service.database))
    assert.equal((await company.call('POST', '/v1/customer', { firstName: 'Ann' })).status, 201)
  })
  await keepPartitions(service.database)
  assert.ok((await partitions()).includes(last))
})
