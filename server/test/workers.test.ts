// A server of several worker processes, which looks like one: one port, one log, one output, one count of requests, one end.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { workersIn } from '../src/config.ts'
import { connect as connectDatabase } from '../src/database/connect.ts'
import { createKey, deleteKey } from '../src/features/keys/key-store.ts'
import { copyDatabase } from './support/database.ts'
import { cashwrap, type Program, serve, until, urlOf } from './support/program.ts'

/** A request on a connection of its own, so that any worker may get it. */
const get = (url: string, key: string) =>
  fetch(`${url}/v1/whoami`, { headers: { 'x-api-key': key, connection: 'close' } })

const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work))

/** The lines of a server's log; each must be whole. */
const lines = ({ log }: Program): { worker?: number; msg: string; status?: number }[] =>
  log()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

/** Sends requests until each worker has answered one. */
const reachBoth = (server: Program, key: string) =>
  until('both workers answer', async () => {
    await get(server.url, key)
    const answers = lines(server).filter(({ msg, status }) => msg === 'answered' && status === 200)
    const workers = answers.map(({ worker }) => worker)
    return workers.includes(1) && workers.includes(2)
  })

/** Sends a request up to its body, which the server has accepted to read; undefined if it refused. */
async function half({ url }: Program, key: string, body: string): Promise<Socket | undefined> {
  const client = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8')
  const headers = [`x-api-key: ${key}`, 'content-type: application/json', `content-length: ${body.length}`]
  client.write(`POST /v1/customer HTTP/1.1\r\nhost: shop\r\nexpect: 100-continue\r\n${headers.join('\r\n')}\r\n\r\n`)
  const [answer] = await once(client, 'data')
  if (answer.startsWith('HTTP/1.1 100 ')) return client
  client.destroy()
  return undefined
}

/** Whether a server accepts no new connection. */
function isRefused({ url }: Program): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  return new Promise((resolve) => {
    socket.on('error', () => resolve(true)).on('connect', () => resolve(false))
  }).finally(() => socket.destroy()) as Promise<boolean>
}

test('two workers share a port, a log, rate limits, a key’s deletion and the end of the server, and print one output', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const DATABASE_URL = urlOf(connection)
  const perSecond = 5
  const burst = 10
  const environment = {
    DATABASE_URL,
    LOG_LEVEL: 'debug',
    CASHWRAP_WORKERS: '2',
    CASHWRAP_RATE_LIMIT: String(perSecond),
  }
  const server = await serve(t, environment)
  const { companyKey, health } = server.said
  assert.equal(server.printed().match(/posk_/g)?.length, 1)
  assert.equal(server.printed().match(/\n/g)?.length, 1)
  assert.deepEqual(await (await fetch(health)).json(), { status: 'ok' })

  const begun = performance.now()
  /** Requests with a key that get this status; the others are refused, and no more than one process would admit. */
  const admitted = async (key: string, status: number) => {
    const statuses = await times(60, async () => (await get(server.url, key)).status)
    const count = statuses.filter((found) => found === status).length
    assert.equal(statuses.filter((found) => found === 429).length, 60 - count)
    const most = burst + ((performance.now() - begun) / 1000) * perSecond
    assert.ok(count <= most, `${count} of ${most}`)
    return count
  }
  assert.ok((await admitted(companyKey, 200)) >= burst)
  // Guesses are limited by their address likewise.
  assert.ok((await admitted('wrong', 401)) >= burst)

  const database = connectDatabase(connection, { size: 1 })
  t.after(() => database.close())
  const other = await createKey(
    database,
    { companyId: server.said.companyId },
    { name: 'Till', permissions: ['read', 'create'] },
  )
  await reachBoth(server, other.value)
  assert.ok(lines(server).every(({ worker, msg }) => worker === 1 || worker === 2 || msg !== 'answered'))
  // Both now have the key in memory. A second later each bucket has five tokens again.
  await deleteKey(database, other.id)
  await delay(1_000)
  const statuses = await times(12, async () => (await get(server.url, other.value)).status)
  // On a loaded machine the buckets may fill as fast as they are emptied.
  assert.ok(statuses.includes(401) && statuses.every((status) => status === 401 || status === 429), String(statuses))

  // The body of a request has not arrived when the server is asked to stop.
  const body = '{"firstName": "Ada"}'
  let client = await half(server, companyKey, body)
  // A key that is new to a worker counts as a guess, and there were too many guesses.
  for (; client === undefined; client = await half(server, companyKey, body)) await delay(200)
  const ended = server.stop()
  await until('new connections are refused', () => isRefused(server))
  client.write(body)
  assert.match((await once(client, 'data'))[0], /^HTTP\/1\.1 201 /)
  assert.equal((await ended).code, 0)
  assert.equal(lines(server).at(-1)?.msg, 'stopped')
})

test('workers have connections for all that they let run at once, however many they are', async () => {
  const program = `
    const { SEMAPHORES } = await import(${JSON.stringify(new URL('../src/core/limits.ts', import.meta.url))})
    const { CONNECTIONS } = await import(${JSON.stringify(new URL('../src/database/connect.ts', import.meta.url))})
    console.log(JSON.stringify([CONNECTIONS, ...Object.values(SEMAPHORES).map(({ atOnce }) => atOnce)]))`
  const limits = async (workers: string) => {
    const args = ['--input-type=module', '-e', program, '-', workers]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    return JSON.parse(stdout) as [number, ...number[]]
  }
  assert.deepEqual(await limits(''), [16, 3, 5, 3, 4])
  for (const count of [2, 3, 16]) {
    const [connections, ...atOnce] = await limits(`worker 1 of ${count}`)
    assert.ok(atOnce.every((places) => places >= 2))
    assert.ok(connections > atOnce.reduce((sum, places) => sum + places, 0), `${connections}: ${atOnce}`)
  }
})

test('a wrong number of workers is refused in one sentence, and a port in use by a worker that cannot listen', async (t) => {
  assert.deepEqual(['1', '64', '0', '65', '-1', '2.5', 'two', ''].map(workersIn), [1, 64, ...Array(6)])
  assert.ok((workersIn('auto') ?? 0) >= 1)
  const option = await cashwrap(['serve', '--workers', 'many'], {})
  assert.equal(option.code, 2)
  assert.match(option.stderr, /^error: option '--workers <number>'.*'many'.* a whole number from 1 to 64, or auto\.\n$/)
  const setting = await cashwrap(['serve'], { CASHWRAP_WORKERS: '0' })
  assert.equal(setting.code, 1)
  assert.equal(setting.stderr, 'error: CASHWRAP_WORKERS is "0"; it must be a whole number from 1 to 64, or auto.\n')

  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const taken = createServer().listen(0, '127.0.0.1')
  t.after(() => taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const refused = await cashwrap(['serve', '--workers', '2'], { DATABASE_URL: urlOf(connection), PORT: String(port) })
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, new RegExp(`^error: Port ${port} on 127\\.0\\.0\\.1 is taken\\..*\\n$`))
})
