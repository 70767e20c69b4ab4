// Containers that share a volume see neither each other's processes nor their abstract sockets, and still only one PostgreSQL runs on it.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { installBinaries } from '../../src/database/embedded/binaries.ts'
import { findCluster } from '../../src/database/embedded/cluster.ts'
import { openEmbedded } from '../../src/database/embedded/embedded.ts'
import { startServer } from '../../src/database/embedded/server.ts'
import { openEmbeddedInChild } from '../support/embedded-child.ts'
import { putCluster, until } from '../support/program.ts'

const settings = { fsync: 'off', shared_buffers: '16MB' }
const container = ['unshare', '--fork', '--pid', '--mount-proc', '--ipc', '--net', '--kill-child']
const isPossible = spawnSync(container[0] as string, [...container.slice(1), 'true']).status === 0
const hasLocks = spawnSync('flock', ['--version']).status === 0
const skip = isPossible ? false : 'this user may not make namespaces'

/** What a test has to end before its folder is removed, the latest first. */
const closings: (() => unknown)[] = []

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'containers-'))
  await chmod(folder, 0o755)
  t.after(async () => {
    for (const close of closings.splice(0).reverse()) await close()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  })
  await putCluster(folder)
  return folder
}

async function open(dataDirectory: string, log: (message: string) => void = () => {}) {
  const database = await openEmbedded({ dataDirectory, settings, log })
  closings.push(() => database.stop())
  return database
}

/** The one value of a query. */
async function ask({ connection }: Awaited<ReturnType<typeof open>>, text: string): Promise<unknown> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query({ text, rowMode: 'array' })).rows[0]?.[0]
  } finally {
    await client.end().catch(() => {})
  }
}

test('of two containers with one volume, the second joins the first, and takes over when the first is killed', {
  skip,
}, async (t) => {
  const dataDirectory = await folderOf(t)
  const sql = 'create table kept as select 42 as value'
  const first = await openEmbeddedInChild({ dataDirectory, settings, sql, within: container })
  closings.push(() => first.process.kill('SIGKILL'))
  const messages: string[] = []
  const second = await open(dataDirectory, (message) => messages.push(message))
  assert.deepEqual([first.state, second.state], ['started', 'adopted'])
  first.process.kill('SIGKILL')
  await until('the second container runs it', () => messages.includes('PostgreSQL is back'))
  assert.equal(await ask(second, 'select value from kept'), 42)
  assert.equal(messages.filter((message) => message.startsWith('PostgreSQL stopped')).length, 1, messages.join('\n'))
})

test('PostgreSQL holds a lock on its folder, so that no second one starts, whether or not it could see the first', {
  skip: hasLocks ? false : 'there is no flock',
}, async (t) => {
  const folder = await folderOf(t)
  const owner = await open(folder)
  const cluster = await findCluster(folder)
  assert.ok(cluster)
  const binaries = await installBinaries(cluster.account, folder)
  const pidFile = join(cluster.directory, 'postmaster.pid')
  const text = await readFile(pidFile, 'utf8')
  const other = startServer(cluster, binaries, cluster.directory, settings)
  // Its end alone does not keep this process running.
  await until('it has ended', () => other.ended)
  assert.match(await other.gone, /code 1/)
  assert.match(other.complaint, /still in use by another PostgreSQL/)
  assert.equal(await readFile(pidFile, 'utf8'), text)
  assert.equal(await ask(owner, 'select 1'), 1)
})

test('after a crash, a start succeeds where another program of the user has the number in postmaster.pid now', async (t) => {
  const folder = await folderOf(t)
  const database = await open(folder)
  const pidFile = join(database.directory, 'postmaster.pid')
  const text = await readFile(pidFile, 'utf8')
  await database.stop()
  const { uid, gid } = await stat(database.directory)
  const program = spawn('sleep', ['1000'], process.getuid?.() === 0 ? { uid, gid } : {})
  closings.push(() => program.kill())
  await once(program, 'spawn')
  await writeFile(pidFile, text.replace(/^\d+/, String(program.pid)))
  assert.equal((await open(folder)).state, 'started')
})
