// The embedded PostgreSQL keeps everything that was written and never outlives its users, whatever is killed.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, lstat, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openEmbedded } from '../../src/database/embedded/embedded.ts'
import { type EmbeddedChild, openEmbeddedInChild } from '../support/embedded-child.ts'
import { ask, closings, clusterFolder, makeFolder, open, quick } from '../support/embedded-folder.ts'
import { until as untilHolds } from '../support/program.ts'

const asRoot = process.getuid?.() === 0
test('a new cluster is created once, supports all letters and keeps its rows', async (t) => {
  const folder = await makeFolder(t)
  await mkdir(join(folder, 'postgres.new-halfmade'))
  const first = await open(folder)
  assert.equal(first.state, 'created')
  assert.equal(first.directory, join(await realpath(folder), 'postgres'))
  assert.deepEqual(await readdir(folder), ['postgres'], 'what a killed start left behind is cleared')
  assert.equal((await stat(first.connection.host)).mode & 0o777, 0o700)
  const letters = `select 'ÄNNE' ilike 'änne', lower('ÄÉЖ'), upper('straße' collate "und-x-icu"), 'a' < 'B'`
  assert.deepEqual(await ask(first, letters), [true, 'äéж', 'STRASSE', false])
  assert.deepEqual(await ask(first, "select show_trgm('日本') <> '{}'", 'create extension pg_trgm'), [true])
  await ask(first, 'select 1', 'create table kept as select 42 as value')
  await Promise.all([first.stop(), first.stop()])
  await assert.rejects(ask(first, 'select 1'))

  const second = await open(folder)
  assert.equal(second.state, 'started')
  assert.deepEqual(await ask(second, 'select value from kept'), [42])
})

test('it is durable by default, and cannot be reached over the network', async (t) => {
  const database = await open(await makeFolder(t), {})
  const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'listen_addresses', 'TimeZone']
  const settings = await ask(database, `select ${names.map((name) => `current_setting('${name}')`)}`)
  assert.deepEqual(settings, ['on', 'on', 'on', 'on', '', 'UTC'])
})

test('of two processes that start at once one creates the cluster and the other joins, and takes over at its end', async (t) => {
  const folder = await makeFolder(t)
  const [child, ours] = await Promise.all([openInChild(folder), open(folder)])
  assert.deepEqual([child.state, ours.state].toSorted(), ['adopted', 'created'])
  await ask(ours, 'select 1', 'create table kept as select 42 as value')
  child.process.kill('SIGKILL')
  await until('the database is there again', async () => {
    const third = await open(folder)
    return third.state === 'adopted' && (await ask(ours, 'select value from kept'))[0] === 42
  })
  await ours.stop()
})

test('a process that joined leaves the server running when it stops', async (t) => {
  const folder = await clusterFolder(t)
  const owner = await open(folder)
  const guest = await open(folder)
  assert.equal(guest.state, 'adopted')
  assert.equal(guest.directory, owner.directory)
  await guest.stop()
  assert.deepEqual(await ask(owner, 'select 1'), [1])
})

test('when the process that ran the server stops, one that joined takes over, and logs no error', async (t) => {
  const folder = await clusterFolder(t)
  const owner = await open(folder)
  const messages: string[] = []
  const errors: string[] = []
  const guest = await openEmbedded({
    dataDirectory: folder,
    settings: quick,
    log: (message) => messages.push(message),
    warn: (message) => errors.push(message),
  })
  closings.unshift(guest.stop)
  await owner.stop()
  await until('it has taken over', () => messages.includes('PostgreSQL is back'))
  assert.deepEqual(messages, ['PostgreSQL stopped (another server ran it); restarting it', 'PostgreSQL is back'])
  assert.deepEqual([await ask(guest, 'select 1'), errors], [[1], []])
})

test('when Node is killed PostgreSQL stops too, and the next start finds everything that was written', async (t) => {
  const folder = await clusterFolder(t)
  const child = await openInChild(folder, {}, 'create table kept as select 42 as value')
  const pid = await postmaster(join(folder, 'postgres'))
  child.process.kill('SIGKILL')
  await until('PostgreSQL has ended', () => !isRunning(pid))
  const database = await open(folder, {})
  assert.equal(database.state, 'started')
  assert.deepEqual(await ask(database, 'select value from kept'), [42])
})

test('when PostgreSQL is killed it is restarted, again and again', async (t) => {
  const messages: string[] = []
  const database = await open(await clusterFolder(t), {}, (message) => messages.push(message))
  await ask(database, 'select 1', 'create table kept as select 42 as value')
  for (const _ of ['once', 'twice']) {
    const pid = await postmaster(database.directory)
    process.kill(pid, 'SIGKILL')
    await until('another one runs', async () => (await postmaster(database.directory)) !== pid)
    await until('it answers', async () => (await ask(database, 'select value from kept'))[0] === 42)
  }
  assert.ok(messages.includes('PostgreSQL stopped (ended by SIGKILL); restarting it'), messages.join('\n'))
  const pid = await postmaster(database.directory)
  process.kill(pid, 'SIGKILL')
  await database.stop()
  assert.equal(isRunning(pid), false)
})

test('a cluster that is lost under a running server is not replaced by an empty one', async (t) => {
  const folder = await clusterFolder(t)
  const messages: string[] = []
  const database = await open(folder, quick, (message) => messages.push(message))
  await rename(database.directory, join(folder, 'moved'))
  process.kill(await postmaster(join(folder, 'moved')), 'SIGKILL')
  await until('the loss is said', () => messages.some((message) => message.includes('is no longer there')))
  await rename(join(folder, 'moved'), database.directory)
  await until('it answers', async () => (await ask(database, 'select 1'))[0] === 1)
})

test('a path too long for a socket gets a short private folder for it', async (t) => {
  const folder = join(await makeFolder(t), 'long'.repeat(20), 'path '.repeat(10))
  const database = await open(folder)
  closings.unshift(() => rm(database.connection.host, { recursive: true, force: true }))
  assert.equal(database.directory, join(await realpath(folder), 'postgres'))
  assert.ok(database.connection.host.length < 90)
  assert.equal((await lstat(database.connection.host)).mode & 0o777, 0o700)
  assert.deepEqual(await ask(database, 'select 1'), [1])
  assert.equal((await open(folder)).connection.host, database.connection.host)
})

test('in a folder that only root can enter, root gets a cluster elsewhere and a link to it, and the log says where', {
  skip: !asRoot,
}, async (t) => {
  const folder = await makeFolder(t)
  await chmod(folder, 0o700)
  const messages: string[] = []
  const database = await open(join(folder, 'data'), quick, (message) => messages.push(message))
  closings.unshift(() => rm(database.directory, { recursive: true, force: true }))
  assert.equal(await realpath(join(folder, 'data', 'postgres')), database.directory)
  assert.ok(
    messages.some((message) => message.includes(`is in ${database.directory}, since`)),
    messages.join('\n'),
  )
  assert.match(database.directory, /^\/var\/lib\/cashwrap\//)
  await database.stop()
  assert.equal((await open(join(folder, 'data'))).state, 'started')
})

const trusting = '# As the version before wrote it.\nlocal all all trust\n'

test('after the next start, an existing data folder that trusted every user accepts only its own user and root', async (t) => {
  const folder = await clusterFolder(t)
  const first = await open(folder)
  await ask(first, 'select 1', 'create table kept as select 42 as value')
  await first.stop()
  const rules = join(first.directory, 'pg_hba.conf')
  await writeFile(rules, trusting)
  const second = await open(folder)
  assert.deepEqual(await ask(second, 'select value from kept'), [42])
  assert.doesNotMatch(await readFile(rules, 'utf8'), /trust/)
  const rulesOf =
    'select string_agg(distinct auth_method, $$ $$), bool_or($$all$$ = any (user_name)) from pg_hba_file_rules'
  assert.deepEqual(await ask(second, rulesOf), ['peer', false])
  const { uid, mode } = await stat(rules)
  assert.deepEqual([uid, mode & 0o777], [(await stat(second.directory)).uid, 0o600])
})

test('a running server of the previous version is joined', async (t) => {
  const folder = await clusterFolder(t)
  const owner = await open(folder)
  await writeFile(join(owner.directory, 'pg_hba.conf'), trusting)
  await ask(owner, 'select pg_reload_conf()')
  const guest = await open(folder)
  assert.equal(guest.state, 'adopted')
  assert.deepEqual(await ask(guest, 'select 1'), [1])
})

test('if root runs PostgreSQL as a user of the machine, programs of that user cannot connect', {
  skip: !asRoot,
}, async (t) => {
  const database = await open(await clusterFolder(t))
  const { uid, gid } = await stat(database.directory)
  const source = `
    import { Client } from ${JSON.stringify(import.meta.resolve('pg'))}
    const client = new Client(${JSON.stringify(database.connection)})
    await client.connect().then(() => console.log('in'), (error) => console.log(error.code))
    process.exit()`
  const asUser = async (who: object) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: '/',
      ...who,
    } as { stdio: ['ignore', 'pipe', 'inherit'] })
    const [said] = await once(child.stdout, 'data')
    return String(said).trim()
  }
  assert.equal(await asUser({ uid, gid }), '28000')
  assert.equal(await asUser({}), 'in')
})

/** Opens the database in a separate process, which then waits to be killed. */
async function openInChild(
  dataDirectory: string,
  settings: Record<string, string> = quick,
  sql = 'select 1',
): Promise<EmbeddedChild> {
  const child = await openEmbeddedInChild({ dataDirectory, settings, sql })
  closings.push(() => child.process.kill('SIGKILL'))
  return child
}

/** Polls until something holds. A check that throws, as while PostgreSQL starts, does not hold yet. */
async function until(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  let problem: unknown
  const holds = async () => {
    try {
      return await check()
    } catch (error) {
      problem = error
      return false
    }
  }
  await untilHolds(what, holds).catch((error) => assert.fail(`${error.message} ${problem ?? ''}`))
}

async function postmaster(directory: string): Promise<number> {
  return Number.parseInt(await readFile(join(directory, 'postmaster.pid'), 'utf8'), 10)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
