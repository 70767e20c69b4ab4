// The embedded PostgreSQL keeps everything that was written and never outlives its users, whatever is killed.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { smallDisk } from '../../faults/small-disk.ts'
import { OperatorError } from '../../src/core/operator-error.ts'
import { type EmbeddedDatabase, openEmbedded } from '../../src/database/embedded/embedded.ts'
import { type EmbeddedChild, openEmbeddedInChild } from '../support/embedded-child.ts'
import { cashwrap, putCluster } from '../support/program.ts'

const asRoot = process.getuid?.() === 0
/** Tests that are not about durability need not wait for the disk. */
const quick = { fsync: 'off', shared_buffers: '16MB' }
/** What a test has to stop before its folder is removed, the latest first. */
const closings: (() => unknown)[] = []

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
      ...{ stdio: ['ignore', 'pipe', 'inherit'], cwd: '/' },
      ...who,
    } as { stdio: ['ignore', 'pipe', 'inherit'] })
    const [said] = await once(child.stdout, 'data')
    return String(said).trim()
  }
  assert.equal(await asUser({ uid, gid }), '28000')
  assert.equal(await asUser({}), 'in')
})

test('every obstacle is reported in one sentence', async (t) => {
  const folder = await makeFolder(t)
  await writeFile(join(folder, 'file'), '')
  await refuses(join(folder, 'file'), /a file is in its place/)
  await refuses(join(folder, 'file', 'data'), /a file is in its place/)
  await refuses('/proc/cashwrap', /no folder can be made there/)

  await mkdir(join(folder, 'other', 'postgres', 'pictures'), { recursive: true })
  if (asRoot) await chown(join(folder, 'other', 'postgres'), ...(await postgresIds(t)))
  await refuses(join(folder, 'other'), /something other than a database/)

  await mkdir(join(folder, 'lost'))
  await symlink(join(folder, 'nowhere'), join(folder, 'lost', 'postgres'))
  await refuses(join(folder, 'lost'), /points to a folder that is missing or empty/)

  await assert.rejects(open(join(folder, 'settings'), { shared_buffers: 'much' }), (error: Error) => {
    return error instanceof OperatorError && /cannot start .*shared_buffers.*postgres\.log/.test(error.message)
  })
})

test('a folder without write permission is reported', { skip: asRoot }, async (t) => {
  const folder = await makeFolder(t)
  await chmod(folder, 0o500)
  await refuses(join(folder, 'data'), /may not use or write to it/)
  await refuses(folder, /may not use or write to it/)
})

test('a start on a full disk says so, though PostgreSQL can no longer write why it ended', {
  skip: !asRoot,
}, async (t) => {
  const parent = await makeFolder(t)
  const disk = await smallDisk({ after: (close) => void closings.push(close), end: async () => {} }, parent, 'tables')
  const folder = join(disk.folder, 'data')
  await mkdir(folder)
  await putCluster(folder)
  await disk.fill()
  await refuses(folder, /there is no space left on its disk/)
  await disk.free()
  assert.deepEqual(await ask(await open(folder), 'select 1'), [1])
})

test('a backup of a database whose disk is full says so in one sentence', { skip: !asRoot }, async (t) => {
  const parent = await makeFolder(t)
  const disk = await smallDisk({ after: (close) => void closings.push(close), end: async () => {} }, parent, 'tables')
  const folder = join(disk.folder, 'data')
  await mkdir(folder)
  await putCluster(folder)
  await open(folder)
  await disk.fill()
  const { code, stderr } = await cashwrap(['backup', join(parent, 'backups')], { CASHWRAP_DATA: folder })
  assert.equal(code, 1, stderr)
  assert.match(stderr, /^error: The disk of (the )?PostgreSQL [^\n]* is full\. Free some space on it\.\n$/)
})

test('a copy of a folder whose PostgreSQL runs is refused, and nobody is told to end that PostgreSQL', async (t) => {
  const folder = await clusterFolder(t)
  const database = await open(folder)
  const copy = await makeFolder(t)
  await promisify(execFile)('cp', ['-a', database.directory, copy])
  await refuses(copy, /was running as process \d+ in .*`cashwrap backup` and `cashwrap restore`/)
  assert.deepEqual(await ask(database, 'select 1'), [1])
})

test('a cluster of another user is not touched', { skip: !asRoot }, async (t) => {
  const folder = await clusterFolder(t)
  const database = await open(folder)
  await database.stop()
  await chown(database.directory, 54321, 54321)
  await refuses(folder, /belongs to user 54321, but started as root it would run as/)
})

test('a cluster whose log cannot be written is reported, without the content of an older log; one of another PostgreSQL version is not touched', async (t) => {
  const folder = await makeFolder(t)
  const database = await open(folder)
  await database.stop()
  const log = join(database.directory, 'postgres.log')
  await rename(log, join(folder, 'older.log'))
  await chmod(join(folder, 'older.log'), 0o444)
  if (asRoot) await chown(join(folder, 'older.log'), 0, 0)
  await symlink(join(folder, 'older.log'), log)
  await refuses(folder, /cannot create .*postgres\.log/)
  await writeFile(join(database.directory, 'PG_VERSION'), '9\n')
  await refuses(folder, /was created by PostgreSQL 9, but this is PostgreSQL \d+/)
})

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-'))
  // So that root's PostgreSQL, which runs as another user, can reach it.
  await chmod(folder, 0o755)
  t.after(async () => {
    for (const close of closings.splice(0).reverse()) await close()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  })
  return folder
}

/** The same with a cluster in it, for tests that are not about creating one. */
async function clusterFolder(t: TestContext): Promise<string> {
  const folder = await makeFolder(t)
  await putCluster(folder)
  return folder
}

async function open(
  dataDirectory: string,
  settings: Record<string, string> = quick,
  log: (message: string) => void = () => {},
): Promise<EmbeddedDatabase> {
  const database = await openEmbedded({ dataDirectory, settings, log })
  closings.push(() => database.stop())
  return database
}

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

/** Runs some SQL and returns the one row of the query. */
async function ask({ connection }: EmbeddedDatabase, query: string, before = 'select 1'): Promise<unknown[]> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(before)
    return (await client.query({ text: query, rowMode: 'array' })).rows[0] ?? []
  } finally {
    await client.end().catch(() => {})
  }
}

async function refuses(folder: string, reason: RegExp): Promise<void> {
  await assert.rejects(open(folder), (error: Error) => {
    assert.ok(error instanceof OperatorError, error.stack)
    assert.match(error.message, reason)
    return true
  })
}

async function until(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 15_000
  let problem: unknown
  while (Date.now() < deadline) {
    try {
      if (await check()) return
    } catch (error) {
      problem = error
    }
    await delay(50)
  }
  assert.fail(`not in time: ${what} ${problem ?? ''}`)
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

/** The owner of PostgreSQL's files on this machine, as a first start shows. */
async function postgresIds(t: TestContext): Promise<[number, number]> {
  const database = await open(await makeFolder(t))
  const { uid, gid } = await stat(database.directory)
  return [uid, gid]
}
