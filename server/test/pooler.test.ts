// PgBouncer in transaction mode: it is refused where it would break the service silently, and works with DATABASE_DIRECT_URL.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { ending } from '../faults/ending.ts'
import { freePorts, startProgram } from '../faults/failover/process.ts'
import { find } from '../faults/failover/programs.ts'
import { permissions } from '../src/core/scope.ts'
import { withConnection } from '../src/database/alone.ts'
import { type Connection, connect, type Database } from '../src/database/connect.ts'
import { eligibleAccounts } from '../src/database/embedded/account.ts'
import { openEmbedded } from '../src/database/embedded/embedded.ts'
import { openDatabase } from '../src/database/open.ts'
import { setUpRowSecurity } from '../src/database/row-security/set-up.ts'
import { createKey } from '../src/features/keys/key-store.ts'
import { createCompany, createOrganization } from '../src/features/tenants/tenants.ts'
import { type Service, startService } from '../src/service.ts'
import { clusterFolder, until, urlOf } from './support/program.ts'
import { testSettings } from './support/service.ts'

const program = await find('pgbouncer')
const version = program
  ? /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))
  : null
/** From 1.21 on it keeps named statements apart. */
const keepsStatements = version !== null && (Number(version[1]) > 1 || Number(version[2]) >= 21)

/** Connections that the pooler takes. */
const CLIENTS = 150

describe('a pooler in transaction mode', { skip: program ? false : 'pgbouncer is not installed' }, () => {
  const all = ending()
  let pooled = ''
  let direct = ''
  after(all.end)

  before(async () => {
    const folder = await clusterFolder(all)
    const hba = join(folder, 'hba.conf')
    await writeFile(hba, 'local all all trust\n')
    const settings = { hba_file: hba, fsync: 'off', shared_buffers: '32MB' }
    const { connection, stop } = await openEmbedded({ dataDirectory: folder, log: () => {}, settings })
    all.after(stop)
    direct = urlOf(connection)
    const [port] = await freePorts(1)
    const [account] = eligibleAccounts()
    if (account === undefined) throw new Error('No user can run PgBouncer.')
    const config = join(folder, 'pgbouncer.ini')
    const { host, user, database } = connection
    // Other users than the owner of the tables are looked up in PostgreSQL.
    const users = join(folder, 'users.txt')
    await writeFile(users, `"${user}" ""\n`)
    await writeFile(
      config,
      `[databases]\nforced = host=${host} dbname=${database} user=${user} auth_user=${user}\n* = host=${host} auth_user=${user}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =
auth_type = trust\nauth_file = ${users}\npool_mode = transaction\ndefault_pool_size = 20\nmax_client_conn = ${CLIENTS}\n${keepsStatements ? 'max_prepared_statements = 200\n' : ''}`,
    )
    await chown(config, account.uid, account.gid)
    await startProgram({ account, folder: '/', ending: all }, join(folder, 'pgbouncer.log'), program as string, [
      config,
    ])
    pooled = `postgres://${user}@127.0.0.1:${port}/${database}`
    await until('the pooler answers', async () => {
      const client = new Client(pooled)
      client.on('error', () => {})
      return client.connect().then(
        () => client.end().then(() => true),
        () => false,
      )
    })
  })

  /** Gives the role settings, as an operator does. */
  async function alterRole(...changes: string[]): Promise<void> {
    const client = new Client(direct)
    await client.connect()
    for (const change of changes) await client.query(`alter role current_user ${change}`)
    // Idle processes of the pooler would keep what the role had before.
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null`,
    )
    await client.end()
  }

  const refused = (connection: Connection, message: RegExp) => assert.rejects(openDatabase(connection), { message })

  test('is refused if it leads to another database than the direct connection, which is named', async () => {
    const other = direct.replace(/\/[^/?]+\?/, '/postgres?')
    await refused({ connectionString: pooled, direct: other }, /DATABASE_DIRECT_URL leads to another database/)
    const nowhere = 'postgres://cashwrap@127.0.0.1:1/cashwrap'
    await refused(
      { connectionString: pooled, direct: nowhere },
      /reached at 127.0.0.1:1.*DATABASE_DIRECT_URL is correct/,
    )
  })

  test('is refused until the role has the settings that a shared connection cannot make', async () => {
    await refused({ connectionString: pooled, direct }, /needs settings.*statement_timeout/)
    await alterRole(
      `set statement_timeout = '8s'`,
      `set idle_in_transaction_session_timeout = '10s'`,
      'set jit = off',
      `set timezone = 'UTC'`,
    )
  })

  test('is not used before a replica, where the next statement may go to another one', async () => {
    const database = connect({ connectionString: direct, replica: pooled })
    // The pooler may lend a session that has just been ended, and fails the statement then.
    await until('the pooler is seen', async () => (await database.replicaProblem()) === 'a pooler is before it')
    await database.close()
  })

  test('is bypassed by statements with another deadline, which its other clients would get too', async () => {
    const [usual, metrics] = [{}, { statementMs: 2_000 }].map((own) =>
      connect({ connectionString: pooled, direct, ...own }),
    ) as [Database, Database]
    assert.deepEqual(await metrics.query('show statement_timeout'), [['2s']])
    assert.deepEqual(await usual.query('show statement_timeout'), [['8s']])
    for (const database of [usual, metrics]) await database.close()
  })

  test('lets long work bypass it, without the deadlines of the role', async () => {
    const database = connect({ connectionString: pooled, direct })
    const asked = await withConnection(database, (client) => client.query('show statement_timeout'))
    assert.deepEqual(asked.rows, [{ statement_timeout: '0' }])
    assert.deepEqual(await database.query('show statement_timeout'), [['8s']])
    await database.close()
  })

  test('is refused without a direct connection', async () => {
    await refused({ connectionString: pooled }, /pooler in transaction mode.*Set DATABASE_DIRECT_URL/)
    await refused({ connectionString: pooled, direct: pooled }, /pooler in transaction mode/)
  })

  test('keeps row-level security off where it forces a user, and refuses a start behind it while it is full', async () => {
    const owner = await openDatabase({ connectionString: direct })
    const { secretKeys } = testSettings
    const through = (url: string) =>
      setUpRowSecurity(owner, { connectionString: url, direct }, secretKeys, { tries: 1 })
    // Older versions crash where they look up a user in place of which they force another.
    const forced = keepsStatements && (await through(pooled.replace(/\/[^/]+$/, '/forced')))
    if (forced)
      assert.match(JSON.stringify(forced), /it becomes the role cashwrap, as a pooler that forces a user does/)
    // The pooler does not know the role until it is made.
    assert.ok('login' in (await through(pooled)))
    const clients = Array.from({ length: CLIENTS }, () => new Client(pooled))
    for (const client of clients) client.on('error', () => {})
    await Promise.allSettled(clients.map((client) => client.connect()))
    await assert.rejects(through(pooled), /^OperatorError: Row-level security cannot .* no more connections allowed/)
    for (const client of clients) await client.end().catch(() => {})
    await owner.close()
  })

  test('is refused where it loses named statements', {
    skip: keepsStatements && 'this version keeps them',
  }, async () => {
    await refused({ connectionString: pooled, direct }, /does not support named statements/)
  })

  test('serves requests, and a deleted key is refused at once by another server', {
    skip: !keepsStatements && 'this version loses named statements',
  }, async () => {
    const connection = { connectionString: pooled, direct }
    const services: Service[] = []
    // The second one behind row-level security.
    for (const rowSecurity of [false, true])
      services.push(await startService(connection, { ...testSettings, rowSecurity }))
    for (const { close } of services) all.after(close)
    const [{ database, url }, other] = services as [Service, Service]
    const { organizationId, apiKey: organizationKey } = await createOrganization(database, { name: 'Chain' })
    const { companyId, apiKey } = await createCompany(database, { name: 'Shop', currency: 'EUR', organizationId })
    const request = (at: string, method: string, path: string, key: string, body?: object) =>
      fetch(at + path, {
        method,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    const lanes = Array.from({ length: 40 }, (_, n) => n)
    const created = await Promise.all(
      lanes.map((n) => request(url, 'POST', '/v1/customer', apiKey, { externalId: `${n}` })),
    )
    assert.deepEqual(new Set(created.map(({ status }) => status)), new Set([201]))
    const lists = await Promise.all(
      lanes.map((n) => request(other.url, 'GET', `/v1/customers?externalId=${n}`, apiKey)),
    )
    for (const list of lists) assert.equal(((await list.json()) as any).meta.count, 1)
    // Transactions, whose begin and savepoints are sent with other statements, some of which share a round trip.
    const { id: outletId } = (await (await request(url, 'POST', '/v1/outlet', apiKey, { name: 'Shop' })).json()) as any
    const variant = { productId: companyId, manageStock: true, inventory: [{ outletId, stock: 100 }] }
    const { id: variantId } = (await (await request(url, 'POST', '/v1/variant', apiKey, variant)).json()) as any
    const lineItems = [{ variantId, quantity: 1, price: '1.00' }]
    const sales = await Promise.all(
      lanes.map((n) => request(n % 2 ? url : other.url, 'POST', '/v1/sale', apiKey, { outletId, lineItems })),
    )
    assert.deepEqual(new Set(sales.map(({ status }) => status)), new Set([201]))
    const { inventory } = (await (await request(url, 'GET', `/v1/variant/${variantId}`, apiKey)).json()) as any
    assert.deepEqual(inventory, [{ outletId, stock: 60 }])
    const { id, value } = await createKey(database, { companyId }, { name: 'Test', permissions })
    assert.equal((await request(other.url, 'GET', '/v1/customers', value)).status, 200)
    const path = `${url}/v1/organization-api/companies/${companyId}/keys/${id}`
    const { status } = await fetch(path, { method: 'DELETE', headers: { 'x-org-api-key': organizationKey } })
    assert.equal(status, 200)
    assert.equal((await request(other.url, 'GET', '/v1/customers', value)).status, 401)
    // Behind row-level security, by turns of one company and of two on the sessions that they share.
    const next = await createCompany(database, { name: 'Shop', currency: 'EUR', organizationId })
    const keys = [apiKey, next.apiKey]
    for (const _ of [1, 2, 3])
      await Promise.all(
        lanes.map(async (n) => {
          const own = await request(other.url, 'POST', '/v1/customer', keys[n % 2] as string, { lastName: `${n}` })
          const { id } = (await own.json()) as { id: string }
          const read = await Promise.all(
            keys.map((key) => request(other.url, 'GET', `/v1/customer/${id}`, key).then(({ status }) => status)),
          )
          assert.deepEqual(read, n % 2 === 0 ? [200, 404] : [404, 200])
        }),
      )
    const [row] = await database.query(
      `select count(*)::int from pg_stat_activity where starts_with(usename, 'cashwrap_rows_')`,
    )
    assert.ok(row?.[0] > 0, 'sessions of the role')
  })
})
