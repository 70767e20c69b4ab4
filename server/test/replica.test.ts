// DATABASE_READ_URL: lists and searches are answered by a replica, and miss nothing that was answered before.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { ending } from '../faults/ending.ts'
import type { EmbeddedDatabase } from '../src/database/embedded/embedded.ts'
import { openDatabase } from '../src/database/open.ts'
import { createCompany, createOrganization } from '../src/features/tenants/tenants.ts'
import { countedFamilies } from '../src/metrics/instruments.ts'
import { type Service, startService } from '../src/service.ts'
import { clusterFolder, until, urlOf } from './support/program.ts'
import { openPair } from './support/replica.ts'
import { patience, testSettings } from './support/service.ts'

/** How many reads had this result so far: `replica`, `behind` or `lost`. */
const counted = (result: string): number =>
  countedFamilies()
    .find(({ name }) => name === 'cashwrap_replica_reads_total')
    ?.values.find(({ labels }) => labels.result === result)?.value ?? 0

describe('a replica', () => {
  const all = ending()
  let replica: EmbeddedDatabase
  let services: readonly Service[] = []
  let apiKey = ''
  after(all.end)

  before(async () => {
    // A standby needs as many connections as its primary had, which is what the tests start theirs with.
    const settings = { max_connections: '200', fsync: 'off', shared_buffers: '32MB' }
    const pair = await openPair(all, [await clusterFolder(all), await clusterFolder(all)], settings)
    replica = pair.replica
    const both = {
      connectionString: urlOf(pair.primary.connection),
      replica: urlOf(replica.connection),
      statementMs: patience.statementMs,
    }
    services = [await startService(both, testSettings), await startService(both, testSettings)]
    for (const service of services) all.after(service.close)
    const [{ database }] = services as [Service]
    const { organizationId } = await createOrganization(database, { name: 'Chain' })
    apiKey = (await createCompany(database, { name: 'Shop', currency: 'EUR', organizationId })).apiKey
    await until('the replica streams', async () => (await database.replicaProblem()) === undefined)
  })

  /** Runs a statement on the replica. */
  async function atReplica(text: string): Promise<void> {
    const client = new Client(replica.connection)
    await client.connect()
    await client.query(text).finally(() => client.end())
  }

  async function request(service: Service | undefined, path: string, body?: object): Promise<any> {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
    const method = body ? 'POST' : 'GET'
    const answer = await fetch(`${service?.url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert.ok(answer.ok, `${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }

  /** Creates a customer at one server, and finds it at the other one. */
  async function createAndFind(mark: string, at = 0): Promise<void> {
    const email = `${mark}@example.com`
    const { id } = await request(services[at % 2], '/v1/customer', { externalId: mark, email })
    const paths = [`/v1/customers?externalId=${mark}`, '/v1/customers?sortOrder=desc', `/v1/search?q=${email}`]
    for (const { data } of await Promise.all(paths.map((path) => request(services[(at + 1) % 2], path))))
      assert.ok(
        data.some((record: { id: string }) => record.id === id),
        mark,
      )
  }

  test('answers lists and searches, which miss no record that any server has answered before', async () => {
    const before = counted('replica')
    for (let round = 0; round < 8; round++)
      await Promise.all([0, 1, 2, 3].map((lane) => createAndFind(`${round}-${lane}`, round + lane)))
    assert.ok(counted('replica') > before)
  })

  test('that has not replayed a write leaves lists to the primary', async () => {
    await atReplica('select pg_wal_replay_pause()')
    const before = counted('behind')
    await createAndFind('paused')
    assert.ok(counted('behind') > before)
    await atReplica('select pg_wal_replay_resume()')
  })

  test('is refused as the database that a server writes to', async () => {
    await assert.rejects(openDatabase(replica.connection), {
      message: /is read-only\. Check that DATABASE_URL points to the primary/,
    })
  })

  test('that was promoted on its own answers nothing', async () => {
    await atReplica('select pg_promote()')
    await createAndFind('promoted')
    assert.match(String(await services[0]?.database.replicaProblem()), /not a standby/)
  })

  test('that is gone leaves lists to the primary', async () => {
    await replica.stop()
    await createAndFind('gone')
    assert.match(String(await services[0]?.database.replicaProblem()), /cannot be reached/)
  })
})
