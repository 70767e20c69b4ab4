// DATABASE_READ_URL: lists and searches are answered by a replica, and miss nothing that was answered before.
import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { ending } from '../faults/ending.ts'
import { type Connection, connect, type Database } from '../src/database/connect.ts'
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
  let primary: EmbeddedDatabase
  let replica: EmbeddedDatabase
  let openReplica: (folder: string) => Promise<EmbeddedDatabase>
  let services: readonly Service[] = []
  let apiKey = ''
  after(all.end)

  before(async () => {
    // A standby needs as many connections as its primary had, which is what the tests start theirs with.
    const settings = { max_connections: '200', fsync: 'off', shared_buffers: '32MB' }
    const folders = [await clusterFolder(all), await clusterFolder(all)] as const
    ;({ primary, replica, openReplica } = await openPair(all, folders, settings))
    const both = {
      connectionString: urlOf(primary.connection),
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

  /** Runs a statement on a server, and returns the first value. */
  async function ask(server: EmbeddedDatabase, text: string): Promise<any> {
    const client = new Client(server.connection)
    await client.connect()
    const { rows } = await client.query({ text, rowMode: 'array' }).finally(() => client.end())
    return rows[0]?.[0]
  }

  const atReplica = (text: string) => ask(replica, text)

  /** Promotes a standby. The statement does not wait itself: its snapshot could be in the way of what is still to be replayed, which waits 30 s for it. */
  async function promote(standby: EmbeddedDatabase): Promise<void> {
    await ask(standby, 'select pg_promote(false)')
    await until('it is promoted', () => ask(standby, 'select not pg_is_in_recovery()'))
  }

  /** Opens a database for one test. */
  function open(t: TestContext, connection: Connection): Database {
    const database = connect(connection)
    t.after(database.close)
    return database
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

  test('has what was answered, since a commit is on disk before, whatever the role has', async (t) => {
    for (const [set, used] of [
      ['off', 'on'],
      ['remote_write', 'remote_write'],
    ]) {
      await ask(primary, `alter role current_user set synchronous_commit = ${set}`)
      t.after(() => ask(primary, 'alter role current_user reset synchronous_commit'))
      const database = open(t, { connectionString: urlOf(primary.connection) })
      assert.deepEqual(await database.query('show synchronous_commit'), [[used]])
    }
  })

  test('of another database is not used, and the log names both', async (t) => {
    const other = urlOf({ ...replica.connection, database: 'postgres' })
    const database = open(t, { connectionString: urlOf(primary.connection), replica: other })
    assert.match(String(await database.replicaProblem()), /another database \(\d+\/postgres; that of DATABASE_URL/)
    const reads = await database.beginRead()
    assert.notEqual((await reads.query('select current_database()'))[0]?.[0], 'postgres')
  })

  test('that freezes under a read leaves it to the primary', async (t) => {
    const database = open(t, { connectionString: urlOf(primary.connection), replica: urlOf(replica.connection) })
    let reads = await database.beginRead()
    await until('the replica answers', async () => {
      reads = await database.beginRead()
      return (await reads.query('select pg_is_in_recovery()'))[0]?.[0]
    })
    const pid = `select array_agg(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`
    const frozen: number[] = await atReplica(pid)
    const before = counted('lost')
    for (const id of frozen) process.kill(id, 'SIGSTOP')
    try {
      assert.deepEqual(await reads.query('select pg_is_in_recovery()'), [[false]])
    } finally {
      for (const id of frozen) process.kill(id, 'SIGCONT')
    }
    assert.equal(counted('lost'), before + 1)
  })

  test('that follows a former primary answers nothing, however far it is', async (t) => {
    const successor = await openReplica(await clusterFolder(all))
    await promote(successor)
    const end = await ask(successor, 'select pg_current_wal_flush_lsn()')
    await ask(primary, `select pg_logical_emit_message(false, 'far', repeat('x', 1000000))`)
    await until('the replica is past the end', () =>
      atReplica(`select pg_last_wal_replay_lsn() > '${end}'::pg_lsn + 500000`),
    )
    const database = open(t, { connectionString: urlOf(successor.connection), replica: urlOf(replica.connection) })
    assert.match(String(await database.replicaProblem()), /follows another primary/)
    const before = counted('behind')
    const reads = await database.beginRead()
    assert.deepEqual(await reads.query('select pg_is_in_recovery()'), [[false]])
    assert.equal(counted('behind'), before + 1)
  })

  test('that was promoted on its own answers nothing', async () => {
    await promote(replica)
    await createAndFind('promoted')
    assert.match(String(await services[0]?.database.replicaProblem()), /not a standby/)
  })

  test('that is gone leaves lists to the primary', async () => {
    await replica.stop()
    await createAndFind('gone')
    assert.match(String(await services[0]?.database.replicaProblem()), /cannot be reached/)
  })
})
