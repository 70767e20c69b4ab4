// The log during many failures: each reason at growing intervals, none hidden behind another.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { connect } from 'node:net'
import { test } from 'node:test'
import pino from 'pino'
import { PassingReasons } from '../src/core/failure-log.ts'
import { busy, deadlinePassed, unavailable } from '../src/core/problem.ts'
import { compareClocks } from '../src/database/clock.ts'
import { connect as connectTo } from '../src/database/connect.ts'
import { unavailableFor } from '../src/database/errors.ts'
import type { Route } from '../src/http/route.ts'
import { copyDatabase, testConnection } from './support/database.ts'
import { httpServer } from './support/http-server.ts'
import { until } from './support/program.ts'
import { serveHere } from './support/served.ts'
import { testSettings } from './support/service.ts'

/** A server with some routes, and the lines that it logs as errors. */
const serverOf = (routes: readonly Route[], lines: string[]) =>
  httpServer(routes, { log: pino({ level: 'error' }, { write: (line) => void lines.push(line) }) })

test('the log says that the database cannot be reached, even while too many requests wait', async (t) => {
  const lines: string[] = []
  const reasons = { busy, late: deadlinePassed, away: unavailable }
  const routes = Object.entries(reasons).map(
    ([name, reason]): Route => ({
      method: 'GET',
      path: `/${name}`,
      surface: 'public',
      operationId: name,
      tag: '',
      summary: '',
      replies: {},
      handle: () => {
        throw reason()
      },
    }),
  )
  const server = serverOf(routes, lines)
  const url = await server.listen({ host: testSettings.host, port: 0 })
  t.after(() => server.close())
  const reported = () => new Set(lines.map((line) => JSON.parse(line).err))
  await until('all are logged', async () => {
    for (const name of Object.keys(reasons)) assert.equal((await fetch(`${url}/${name}`)).status, 503)
    return reported().size === 3
  })
  assert.deepEqual(reported(), new Set(Object.values(reasons).map((reason) => reason().message)))
  // All of them arrived within the first second, in any order.
  assert.equal(new Set(lines.slice(0, 3)).size, 3)
})

test('a clock that is set back does not silence a reason', (t) => {
  const reasons = new PassingReasons()
  assert.deepEqual([reasons.isDue(busy()), reasons.isDue(busy())], [true, false])
  const now = Date.now()
  const passed = performance.now() + 1_001
  t.mock.method(Date, 'now', () => now - 3_600_000)
  t.mock.method(performance, 'now', () => passed)
  assert.equal(reasons.isDue(busy()), true)
})

test('a reason that lasts is logged at growing intervals, and one that comes back is a new failure', (t) => {
  const reasons = new PassingReasons()
  // Whole milliseconds, so that sums are exact.
  const begun = Math.round(performance.now())
  let ms = 0
  t.mock.method(performance, 'now', () => begun + ms)
  const logged = (until: number) => {
    const times: number[] = []
    for (; ms < until; ms += 500) if (reasons.isDue(busy())) times.push(ms / 1_000)
    return times
  }
  assert.deepEqual(logged(250_000), [0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
  ms += 10_000
  assert.deepEqual(logged(262_000), [260, 261])
})

test('a database that fails in another way is a new reason', () => {
  const reasons = new PassingReasons()
  const failed = (code: string) => reasons.isDue(unavailableFor(Object.assign(new Error('failed'), { code })))
  assert.deepEqual(['ECONNREFUSED', 'ECONNREFUSED', '28P01', '28P01'].map(failed), [true, false, true, false])
})

test('while the database is down, background work logs it at growing intervals, and not for each job', async (t) => {
  const { connection, drop } = await copyDatabase()
  const admin = connectTo(testConnection(), { size: 1 })
  t.after(() => admin.close())
  t.after(drop)
  const { log } = await serveHere(t, connection, { webhooks: {}, alerts: {} })
  await admin.query(`alter database ${connection.database} allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [connection.database])
  const refusals = () =>
    log()
      .split('\n')
      .filter((line) => line.includes('failed; retrying'))
      .map((line) => JSON.parse(line))
      .filter(({ err }) => /not currently accepting connections/.test(err.message ?? err))
  await until('it has been said three times', () => refusals().length >= 3)
  const times = refusals().map(({ time }) => time)
  // A line has its time when it is written, which on a busy machine is some milliseconds after it was due.
  for (const [n, time] of times.slice(1).entries()) assert.ok(time - times[n] >= 900 * 2 ** n, times.join())
})

test('a failed check for waiting imports or exports is not logged as the failure of an import or export', async (t) => {
  const { connection, drop } = await copyDatabase()
  const admin = connectTo(connection, { size: 1 })
  t.after(drop)
  t.after(() => admin.close())
  for (const table of ['imports', 'exports']) await admin.query(`alter table ${table} rename to ${table}_away`)
  const { log } = await serveHere(t, connection, { importing: {}, exporting: {} })
  await until(
    'both looks have failed',
    () => /looking for imports failed; retrying/.test(log()) && /looking for exports failed; retrying/.test(log()),
  )
  assert.doesNotMatch(log(), /"(import|export) failed/)
})

test('a log that cannot be written, on a full disk, stops nothing and delays no shutdown', async () => {
  const full = await open('/dev/full', 'w')
  const program = `
    import { once } from 'node:events'
    import pino from 'pino'
    import { createLog } from '${new URL('../src/log.ts', import.meta.url)}'
    const log = await createLog('info')
    for (let n = 0; n < 3; n++) {
      const refused = once(log[pino.symbols.streamSym], 'error')
      log.info('lost')
      await refused
    }
    console.log('still here')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', full.fd] })
  const killed = setTimeout(() => child.kill('SIGKILL'), 30_000)
  let said = ''
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  const [code] = await once(child, 'close')
  clearTimeout(killed)
  await full.close()
  assert.deepEqual([code, said], [0, 'still here\n'])
})

test('a client that disconnects in the middle of a file is not logged as a failure of the service', async () => {
  const lines: string[] = []
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const route: Route = {
    method: 'POST',
    path: '/file',
    surface: 'public',
    operationId: 'file',
    tag: '',
    summary: '',
    replies: {},
    takesFile: { contentType: 'text/csv', bytes: 1_000_000, description: '', example: '' },
    handle: async ({ file }) => {
      begin()
      await file?.next(1_000_000).finally(end)
      return { status: 200, body: '{}' }
    },
  }
  const server = serverOf([route], lines)
  const url = await server.listen({ host: testSettings.host, port: 0 })
  const client = connect(Number(new URL(url).port), '127.0.0.1')
  client.write('POST /file HTTP/1.1\r\nhost: a\r\ncontent-type: text/csv\r\ncontent-length: 9\r\n\r\nhalf')
  await begun
  client.destroy()
  await ended
  await server.close()
  assert.deepEqual(lines, [])
})

test('a clock that differs from PostgreSQL’s by more than a minute is a warning, which says in which direction', async () => {
  const warned: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void warned.push(JSON.parse(line).msg) })
  for (const seconds of [0, 59, -59, 3_600, -3_600])
    await compareClocks({ query: async () => [[Date.now() / 1000 - seconds]] }, log)
  assert.deepEqual(
    warned.map((message) => /the clock of this machine is (ahead of|behind) PostgreSQL/.exec(message)?.[1]),
    ['ahead of', 'behind'],
  )
})
