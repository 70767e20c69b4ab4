// A server of several worker processes, which looks like one: one port, one log, one output, one count of requests, one end.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { workersIn } from '../src/config.ts'
import { copyDatabase } from './support/database.ts'
import { cashwrap, type Program, serve, until, urlOf } from './support/program.ts'

/** A request on a connection of its own, so that any worker may get it. */
const get = (url: string, key: string, path = '/v1/whoami') =>
  fetch(url + path, { headers: { 'x-api-key': key, connection: 'close' } })

const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work))

/** The lines of a server's log, each of which must be whole. */
const lines = ({ log }: Program): { worker?: number; msg: string; status?: number }[] =>
  log()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

/** Sends requests until each worker has answered one. */
const reachBoth = (server: Program, key: string) =>
  until('both workers answer', async () => {
    await times(8, () => get(server.url, key))
    const workers = lines(server).flatMap(({ msg, worker }) => (msg === 'answered' ? worker : []))
    return workers.includes(1) && workers.includes(2)
  })

test('two workers share a port, a log, a key’s deletion and the end of the server, and print one output', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const environment = { DATABASE_URL: urlOf(connection), LOG_LEVEL: 'debug' }
  const server = await serve(t, environment, ['--json', '--workers', '2'])
  const { companyKey, health } = server.said
  assert.equal(server.printed().match(/posk_/g)?.length, 1)
  assert.equal(server.printed().match(/\n/g)?.length, 1)
  assert.deepEqual(await (await fetch(health)).json(), { status: 'ok' })
  await reachBoth(server, companyKey)
  assert.ok(lines(server).every(({ worker, msg }) => worker === 1 || worker === 2 || msg !== 'answered'))

  // Both have the key in memory by now, and refuse it at once.
  const listed = await cashwrap(['key', 'list', '--company', server.said.companyId, '--json'], {
    DATABASE_URL: environment.DATABASE_URL,
  })
  const [{ id }] = JSON.parse(listed.stdout)
  await cashwrap(['key', 'delete', id], { DATABASE_URL: environment.DATABASE_URL })
  const statuses = await times(12, async () => (await get(server.url, companyKey)).status)
  assert.deepEqual(new Set(statuses), new Set([401]))

  // Half of a request has arrived when the server is told to stop.
  const client = connect(Number(new URL(server.url).port), '127.0.0.1')
  client.write('GET /v1/public/health HTTP/1.1\r\nhost: shop\r\n')
  await new Promise((resolve) => setTimeout(resolve, 100))
  const ended = server.stop()
  await until('new connections are refused', async () => {
    const other = connect(Number(new URL(server.url).port), '127.0.0.1')
    const [error] = await Promise.race([once(other, 'connect').then(() => []), once(other, 'error')]).catch((e) => [e])
    other.destroy()
    return error !== undefined
  })
  client.write('\r\n')
  const [answer] = await once(client.setEncoding('utf8'), 'data')
  assert.match(answer, /^HTTP\/1\.1 200 /)
  assert.equal((await ended).code, 0)
  assert.equal(lines(server).at(-1)?.msg, 'stopped')
})

test('a key’s rate limit holds over both workers', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const settings = { DATABASE_URL: urlOf(connection), CASHWRAP_RATE_LIMIT: '1', CASHWRAP_WORKERS: '2' }
  const server = await serve(t, { ...settings, LOG_LEVEL: 'debug' })
  const begun = performance.now()
  const statuses = await times(60, async () => (await get(server.url, server.said.companyKey)).status)
  const seconds = (performance.now() - begun) / 1000
  const admitted = statuses.filter((status) => status === 200).length
  assert.ok(admitted >= 2 && admitted <= 2 + seconds, `${admitted} in ${seconds} s`)
  assert.equal(statuses.filter((status) => status === 429).length, 60 - admitted)
  // Guesses are limited by address likewise.
  const guesses = await times(60, async () => (await get(server.url, 'wrong')).status)
  const failed = guesses.filter((status) => status === 401).length
  const since = (performance.now() - begun) / 1000
  assert.ok(failed <= 2 + since, `${failed} in ${since} s`)
  assert.equal((await server.stop()).code, 0)
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
