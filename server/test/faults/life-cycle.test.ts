// How the service starts, stops, and survives the loss of its processes: real processes and full durability.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect as connectSocket, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { connect, type Queryable } from '../../src/database/connect.ts'
import { startClients } from '../support/clients.ts'
import { copyDatabase } from '../support/database.ts'
import {
  cashwrapAlone,
  clusterFolder,
  dataFolder,
  type Environment,
  type Program,
  serve,
  start,
  until,
  urlOf,
} from '../support/program.ts'

/** Longest time for a response, whatever happens to the database. Longer than the service's deadline, for a busy machine. */
const deadlineMs = 60_000

interface Reply {
  readonly status: number
  readonly retryAfter: string | null
  readonly body: any
}

async function call(url: string, key: string, method: string, path: string, body?: unknown): Promise<Reply> {
  const response = await fetch(url + path, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json', connection: 'close' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(deadlineMs),
  })
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.json() }
}

const write = (url: string, key: string, n: number) => call(url, key, 'POST', '/v1/customer', { firstName: `Ada ${n}` })

/** PostgreSQL's own processes under a data folder: the first one and its children. */
function postgres(folder: string): number[] {
  const first = Number.parseInt(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]) === first
    } catch {
      return false
    }
  })
  return [first, ...children.map(Number)]
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const signalAll = (pids: readonly number[], signal: NodeJS.Signals) => {
  for (const pid of pids) if (isRunning(pid)) process.kill(pid, signal)
}

async function accepts(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connectSocket(Number(port), hostname, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

/** A request that the server has received up to half of its body; `finish` sends the rest. */
async function half(url: string, key: string): Promise<{ finish: () => Promise<number> }> {
  const body = JSON.stringify({ firstName: 'Slow' })
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    'content-length': body.length,
    expect: '100-continue',
  }
  const sending = request(`${url}/v1/customer`, { method: 'POST', headers, agent: new Agent({ keepAlive: true }) })
  const answer = new Promise<IncomingMessage>((resolve, reject) => sending.on('response', resolve).on('error', reject))
  answer.catch(() => {})
  await new Promise((resolve) => sending.on('continue', resolve).flushHeaders())
  sending.write(body.slice(0, 5))
  return {
    async finish() {
      sending.end(body.slice(5))
      const { statusCode = 0 } = await answer
      return statusCode
    },
  }
}

/** Writes from several clients at once until stopped. Returns the ids of the answered writes and counts the others. */
function writing({ url, said: { companyKey } }: Program) {
  const answered: string[] = []
  const problems: Reply[] = []
  const broken: unknown[] = []
  let isOver = false
  const client = async () => {
    while (!isOver)
      try {
        const reply = await write(url, companyKey, answered.length)
        if (reply.status === 201) answered.push(reply.body.id)
        else problems.push(reply)
      } catch (error) {
        broken.push(error)
        if (!(await accepts(url))) return
      }
  }
  const clients = Promise.all(Array.from({ length: 8 }, client))
  return {
    answered,
    problems,
    broken,
    async stop() {
      isOver = true
      await clients
    },
  }
}

async function assertAllThere(url: string, key: string, ids: readonly string[]): Promise<void> {
  const there = new Set<string>()
  for (let cursor = ''; ; ) {
    const { status, body } = await call(url, key, 'GET', `/v1/customers?limit=1000${cursor && `&cursor=${cursor}`}`)
    assert.equal(status, 200)
    for (const { id } of body.data) there.add(id)
    if (body.meta.nextCursor === undefined) break
    cursor = body.meta.nextCursor
  }
  assert.deepEqual(
    ids.filter((id) => !there.has(id)),
    [],
  )
}

describe('start', { concurrency: 3 }, () => {
  test('the first start creates a company and prints its keys once; the second prints what it found; the keys still work', async (t) => {
    const environment = { CASHWRAP_DATA: await dataFolder(t) }
    const first = await serve(t, environment)
    const { companyKey, organizationKey, companyId, outletId, health, reference, companies } = first.said
    assert.match(companyKey, /^posk_/)
    assert.match(organizationKey, /^poso_/)
    assert.equal(companies, 1)
    assert.deepEqual(await (await fetch(health)).json(), { status: 'ok' })
    assert.equal((await fetch(reference)).status, 200)
    const outlets = await call(first.url, companyKey, 'GET', '/v1/outlets')
    assert.deepEqual(
      outlets.body.data.map(({ id }: { id: string }) => id),
      [outletId],
    )
    assert.equal((await first.stop()).code, 0)

    const second = await serve(t, environment)
    assert.equal(second.said.companyKey, undefined)
    assert.equal(second.said.companies, 1)
    assert.equal((await call(second.url, companyKey, 'GET', '/v1/whoami')).body.company.id, companyId)
    assert.equal((await second.stop('SIGINT')).code, 0)
  })

  test('two servers that start at once on one empty database create one company, and both serve it', async (t) => {
    const { connection, drop } = await copyDatabase()
    t.after(drop)
    const environment = { DATABASE_URL: urlOf(connection) }
    const servers = await Promise.all([serve(t, environment), serve(t, environment)])
    const keys = servers.map(({ said }) => said.companyKey).filter((key) => key !== undefined)
    assert.equal(keys.length, 1)
    for (const { url } of servers) assert.equal((await write(url, keys[0], 1)).status, 201)
    const database = connect(connection, { size: 1 })
    const [counts] = await database.query(
      'select (select count(*)::int from organizations), (select count(*)::int from companies)',
    )
    await database.close()
    assert.deepEqual(counts, [1, 1])
    for (const server of servers) assert.equal((await server.stop()).code, 0)
  })

  test('every obstacle is reported in one sentence, with exit code 1 and no stack', async (t) => {
    const { connection, drop } = await copyDatabase()
    t.after(drop)
    const DATABASE_URL = urlOf(connection)
    const folder = await dataFolder(t)
    await writeFile(join(folder, 'file'), '')
    const taken = createServer().listen(0, '127.0.0.1')
    t.after(() => taken.close())
    await until('the port is taken', () => taken.listening)
    const { port } = taken.address() as { port: number }
    const cases: [Environment, RegExp][] = [
      [{ PORT: 'http' }, /PORT is "http"; it must be a number/],
      [{ PORT: '65536' }, /PORT is "65536"/],
      [{ HOST: 'http://localhost' }, /HOST is "http:\/\/localhost"/],
      [{ HOST: '203.0.113.7', DATABASE_URL }, /This machine has no address 203\.0\.113\.7/],
      [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL is "loud"; it must be one of fatal, /],
      [{ DATABASE_URL: 'mysql://secret@host/shop' }, /DATABASE_URL must be of the form postgres:/],
      [{ CASHWRAP_DATA: 'postgres://host/shop' }, /CASHWRAP_DATA must be a folder/],
      [{ CASHWRAP_DATA: join(folder, 'file') }, /The data folder .* cannot be used/],
      [{ PORT: String(port), CASHWRAP_DATA: join(folder, 'new') }, /Port \d+ on 127\.0\.0\.1 is taken/],
      [
        { DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/shop' },
        /PostgreSQL cannot be reached at 127\.0\.0\.1:1\/shop/,
      ],
      [
        { DATABASE_URL: 'postgres://user:secret@nowhere.invalid/shop' },
        /This machine does not know the host of nowhere\.invalid\/shop/,
      ],
      [{ DATABASE_URL: urlOf({ ...connection, database: 'no_such' }) }, /The database [^ ]+ does not exist/],
      [{ DATABASE_URL: urlOf({ ...connection, user: 'nobody' }) }, /refuses the user or the password/],
    ]
    for (const [environment, sentence] of cases) {
      const { code, stdout, stderr } = await cashwrapAlone(['serve'], environment)
      assert.equal(code, 1, stderr)
      assert.equal(stdout, '')
      // The log has said before that the database is there.
      assert.match(stderr.replace(/^\{.*\}\n/, ''), /^error: [^\n]+\n$/)
      assert.match(stderr, sentence)
      assert.doesNotMatch(stderr, /secret/)
    }
    assert.deepEqual(await readdir(folder), ['file'])
  })

  test('a database of a newer version is refused', async (t) => {
    const { connection, drop } = await copyDatabase()
    t.after(drop)
    const database = connect(connection, { size: 1 })
    await database.query("insert into migrations (number, name) values (9999, '9999_future.sql')")
    await database.close()
    const { code, stderr } = await cashwrapAlone(['serve'], { DATABASE_URL: urlOf(connection) })
    assert.equal(code, 1)
    assert.match(stderr, /^error: The database was created by a newer version of Cashwrap \(migration 9999; [^\n]+\n$/)
  })
})

describe('shutdown', { concurrency: 3 }, () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    test(`${signal}: no new requests, requests in flight are answered, PostgreSQL stops, exit code 0`, async (t) => {
      const folder = await clusterFolder(t)
      const server = await serve(t, { CASHWRAP_DATA: folder })
      const key = server.said.companyKey
      // An idle open connection must not delay the shutdown.
      const agent = new Agent({ keepAlive: true })
      t.after(() => agent.destroy())
      await new Promise((resolve, reject) =>
        request(`${server.url}/v1/public/health`, { agent }, (answer) => answer.resume().on('end', resolve))
          .on('error', reject)
          .end(),
      )
      const slow = await half(server.url, key)
      const [postmaster = 0] = postgres(folder)
      const ended = server.stop(signal)
      await until('new connections are refused', async () => !(await accepts(server.url)))
      assert.equal(await slow.finish(), 201)
      assert.equal((await ended).code, 0)
      assert.equal(isRunning(postmaster), false)
    })

  test('clients that send one request after the other on open connections lose no request', async (t) => {
    const server = await serve(t, { CASHWRAP_DATA: await clusterFolder(t) })
    const { ended } = await startClients(`${server.url}/v1/customers`, { 'x-api-key': server.said.companyKey })
    assert.equal((await server.stop()).code, 0)
    for (const ending of await ended) assert.deepEqual(ending, ['ECONNREFUSED', false])
  })

  test('a request that never ends is cut off, and the exit code is still 0', async (t) => {
    const server = await serve(t, { CASHWRAP_DATA: await clusterFolder(t) })
    await half(server.url, server.said.companyKey)
    assert.equal((await server.stop()).code, 0)
  })

  test('a first start that is asked to stop while it creates the database gives up, and leaves nothing of it', async (t) => {
    const folder = await dataFolder(t)
    const { child, ended } = start(['serve'], { CASHWRAP_DATA: folder })
    t.after(() => child.kill('SIGKILL'))
    await until('the database is being created', async () => String(await readdir(folder)).includes('postgres.new-'))
    child.kill('SIGTERM')
    assert.equal((await ended).code, 0)
    assert.deepEqual(await readdir(folder), [])
  })

  test('a second signal stops it at once', async (t) => {
    const server = await serve(t, { CASHWRAP_DATA: await clusterFolder(t) })
    await half(server.url, server.said.companyKey)
    await until('it has ended', () => server.process.kill('SIGINT') === false || server.process.exitCode !== null)
    assert.equal((await server.ended).code, 130)
  })
})

describe('faults', { concurrency: 3 }, () => {
  test('the server is killed while writing: at the next start every answered write is present, and no PostgreSQL is left over', async (t) => {
    const folder = await clusterFolder(t)
    const server = await serve(t, { CASHWRAP_DATA: folder })
    const load = writing(server)
    await until('some writes are answered', () => load.answered.length > 200)
    const [postmaster = 0] = postgres(folder)
    server.process.kill('SIGKILL')
    await load.stop()
    await until('PostgreSQL has ended too', () => !isRunning(postmaster))
    const again = await serve(t, { CASHWRAP_DATA: folder })
    await assertAllThere(again.url, server.said.companyKey, load.answered)
    assert.equal((await again.stop()).code, 0)
  })

  test('PostgreSQL is killed while writing: 503 with Retry-After, then it recovers, and no answered write is lost', async (t) => {
    const folder = await clusterFolder(t)
    const server = await serve(t, { CASHWRAP_DATA: folder })
    const load = writing(server)
    await until('some writes are answered', () => load.answered.length > 200)
    const [postmaster = 0] = postgres(folder)
    process.kill(postmaster, 'SIGKILL')
    await until('a write fails', () => load.problems.length > 0)
    const before = load.answered.length
    await until('writes are answered again', () => load.answered.length > before + 200)
    await load.stop()
    assert.deepEqual(load.broken, [])
    for (const { status, retryAfter, body } of load.problems)
      assert.deepEqual([status, retryAfter, body.code], [503, '1', 'unavailable'])
    await assertAllThere(server.url, server.said.companyKey, load.answered)
    assert.equal((await server.stop()).code, 0)
  })

  test('PostgreSQL hangs: every request gets 503 within its deadline, and all works when it continues', async (t) => {
    const folder = await clusterFolder(t)
    const server = await serve(t, { CASHWRAP_DATA: folder })
    const key = server.said.companyKey
    // All connections of the pool are in use by then, so that reads, writes and new connections hang alike.
    const load = writing(server)
    await until('some writes are answered', () => load.answered.length > 50)
    const frozen = postgres(folder)
    t.after(() => signalAll(frozen, 'SIGCONT'))
    signalAll(frozen, 'SIGSTOP')
    const paths = ['/v1/customers', '/v1/whoami', '/v1/public/health', `/v1/customer/${load.answered[0]}`]
    const asked = paths.map((path) => call(server.url, key, 'GET', path))
    // More than there are connections: waiting requests are answered in time too.
    for (const path of ['/v1/customer', '/v1/customers'])
      for (let n = 0; n < 30; n++)
        asked.push(call(server.url, key, 'POST', path, path.endsWith('s') ? [{ phone: '1' }] : { phone: '1' }))
    for (let n = 0; n < 30; n++) asked.push(call(server.url, key, 'GET', '/v1/customers?limit=1'))
    for (const { status, retryAfter } of await Promise.all(asked)) assert.deepEqual([status, retryAfter], [503, '1'])
    signalAll(frozen, 'SIGCONT')
    await until('it answers again', async () => (await call(server.url, key, 'GET', '/v1/customers')).status === 200)
    await until('it writes again', async () => (await write(server.url, key, 0)).status === 201)
    await load.stop()
    assert.deepEqual(load.broken, [])
    await assertAllThere(server.url, key, load.answered)
    assert.equal((await server.stop()).code, 0)
  })

  test('the key and the record are both slow to read: one deadline applies to the request', async (t) => {
    const { connection, drop } = await copyDatabase()
    t.after(drop)
    const { url, said } = await serve(t, { DATABASE_URL: urlOf(connection) })
    const database = connect(connection, { size: 3 })
    t.after(() => database.close())
    // Each wait is short enough alone; the first ends while the second continues.
    let isAnswered = false
    const hold = (table: string, until: (transaction: Queryable) => Promise<unknown>) =>
      database.transaction(async (transaction) => {
        await transaction.query(`lock table ${table} in access exclusive mode`)
        await until(transaction)
      })
    const holding = [
      hold('api_keys', (transaction) => transaction.query('select pg_sleep(6)')),
      // A transaction that is idle for ten seconds would be ended.
      hold('customers', async (transaction) => {
        while (!isAnswered) await transaction.query('select pg_sleep(0.2)')
      }),
    ]
    const isHeld = async () => {
      const locks = "select 1 from pg_locks join pg_class on pg_class.oid = relation where mode = 'AccessExclusiveLock'"
      const rows = await database.query(`${locks} and relname in ('api_keys', 'customers')`)
      return rows.length === 2
    }
    await until('both tables are held', isHeld)
    const { status, retryAfter } = await write(url, said.companyKey, 1).finally(() => {
      isAnswered = true
    })
    await Promise.all(holding)
    assert.deepEqual([status, retryAfter], [503, '1'])
  })

  test('PostgreSQL hangs: the server still stops with code 0', async (t) => {
    const folder = await clusterFolder(t)
    const server = await serve(t, { CASHWRAP_DATA: folder })
    const frozen = postgres(folder)
    t.after(() => signalAll(frozen, 'SIGKILL'))
    signalAll(frozen, 'SIGSTOP')
    assert.equal((await server.stop()).code, 0)
  })
})
