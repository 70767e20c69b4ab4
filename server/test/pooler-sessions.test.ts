// A start warns of a pooler in session mode with fewer sessions than a server needs, before requests fail under load.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect as connectTo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { missingSessions } from '../src/database/pooler.ts'
import { startService } from '../src/service.ts'
import { copyDatabase } from './support/database.ts'
import { skipOnCluster } from './support/nodes.ts'
import { urlOf } from './support/program.ts'
import { testSettings } from './support/service.ts'

/** PostgreSQL's message with the number of its process, which a pooler replaces: type, length, number. */
const keyData = Buffer.from([0x4b, 0, 0, 0, 12])

/** Starts a pooler with a fixed number of sessions; further clients wait. Returns its URL. */
async function pooler(t: TestContext, sessions: number): Promise<string> {
  const { connection, drop } = await copyDatabase()
  const { host = '', port = 5432, user, database } = connection
  const waiting: Socket[] = []
  let free = sessions
  function serve(client: Socket): void {
    free--
    const session = connectTo(`${host}/.s.PGSQL.${port}`)
    session.on('data', (bytes) => {
      const at = bytes.indexOf(keyData)
      if (at >= 0) bytes.writeInt32BE(1, at + keyData.length)
      client.write(bytes)
    })
    client.pipe(session)
    client.on('close', () => session.destroy())
    session.on('error', () => {})
    session.on('close', () => {
      client.destroy()
      free++
      const next = waiting.shift()
      if (next !== undefined) serve(next)
    })
  }
  const server = createServer((client) => {
    client.on('error', () => {})
    if (free > 0) serve(client)
    else waiting.push(client)
  }).listen(0, '127.0.0.1')
  t.after(async () => {
    server.close()
    await drop()
  })
  await once(server, 'listening')
  return `postgres://${user}@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`
}

/** The warnings of a start through such a pooler. */
async function warnings(t: TestContext, sessions: number): Promise<string[]> {
  const said: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void said.push(JSON.parse(line).msg) })
  const connectionString = await pooler(t, sessions)
  const service = await startService({ connectionString }, { ...testSettings, rowSecurity: false, log })
  await service.close()
  return said.filter((message) => message.includes('pooler'))
}

test('a start logs how many of a server’s connections the pooler does not serve', {
  skip: skipOnCluster,
}, async (t) => {
  const [said = '', ...more] = await warnings(t, 12)
  const [, missing] = /^DATABASE_URL does not serve (\d+) of the 22 connections/.exec(said) ?? []
  assert.ok(Number(missing) >= 8 && Number(missing) <= 10, said)
  assert.deepEqual(more, [])
})

test('a start does not warn of a pooler with enough sessions, or without a pooler', {
  skip: skipOnCluster,
}, async (t) => {
  assert.deepEqual(await warnings(t, 22), [])
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  assert.equal(await missingSessions({ connectionString: urlOf(connection) }, 22), 0)
})

test('a pooler without a spare session causes the warning too, and does not prevent a start', {
  skip: skipOnCluster,
}, async (t) => {
  assert.equal(await missingSessions({ connectionString: await pooler(t, 0) }, 22), 20)
})
