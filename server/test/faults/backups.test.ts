// A backup that is ended by a full disk or a kill leaves no partial backup and nothing permanent, and the database
// keeps serving.

import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { type Ending, ending } from '../../faults/ending.ts'
import { CannotMount, type SmallDisk, smallDisk } from '../../faults/small-disk.ts'
import { withBackupFolder } from '../../src/database/backup/folder.ts'
import { restoreBackup } from '../../src/database/backup/restore.ts'
import { takeBackup } from '../../src/database/backup/take.ts'
import { verifyBackup } from '../../src/database/backup/verify.ts'
import { connect, type Database } from '../../src/database/connect.ts'
import { type EmbeddedDatabase, openEmbedded } from '../../src/database/embedded/embedded.ts'
import { clusterFolder, dataFolder, putCluster, until } from '../support/program.ts'

interface Running {
  readonly embedded: EmbeddedDatabase
  readonly database: Database
}

/** What is closed at the end of a test, the latest first: a folder is removed once nothing uses it. */
function closings(t: TestContext): Ending {
  const ends = ending()
  t.after(() => ends.end())
  return ends
}

/** A database that runs, with which backups are made. */
async function running(t: Pick<Ending, 'after'>): Promise<Running> {
  const dataDirectory = await clusterFolder(t)
  const embedded = await openEmbedded({ dataDirectory, log: () => {}, settings: { fsync: 'off' } })
  t.after(() => embedded.stop())
  const database = connect(embedded.connection, { size: 2 })
  t.after(() => database.close())
  return { embedded, database }
}

/** Makes a backup; `progress` is called while files are copied. */
async function backUp({ embedded, database }: Running, path: string, progress: () => void = () => {}) {
  const client = await database.connectAlone()
  const source = { client, cluster: embedded.directory, version: 'test', secretKey: null, progress }
  return withBackupFolder(path, (folder) => takeBackup(source, folder)).finally(() => client.end())
}

/** What a backup keeps in PostgreSQL while it runs: its slot, and the lock that a second one waits for. */
const held = async ({ database }: Running): Promise<number> => {
  const [row] = await database.query(
    `select (select count(*) from pg_replication_slots) + (select count(*) from pg_locks where locktype = 'advisory')`,
  )
  return Number(row?.[0])
}

/** A disk of 96 MB; undefined, and the test is skipped, where none can be mounted. */
async function mounted(t: TestContext): Promise<SmallDisk | undefined> {
  const ends = closings(t)
  return smallDisk(ends, await dataFolder(ends), 'log').catch((error) => {
    if (!(error instanceof CannotMount)) throw error
    t.skip(error.message)
    return undefined
  })
}

/** Runs a program of some lines, which prints one line as JSON and then kills or stops itself. */
async function runUntilSignal(
  t: TestContext,
  source: string,
): Promise<{ child: ChildProcess; said: any; ended: Promise<unknown> }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  t.after(() => child.kill('SIGKILL'))
  const early = ended.then(() => assert.fail('it ended without a line'))
  const [text] = await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), early])
  return { child, said: JSON.parse(text), ended }
}

const imported = (path: string) => JSON.stringify(import.meta.resolve(`../../src/${path}`))

test('nothing of a killed verification stays after the next one or a start; nothing of a running one is removed', {
  skip: process.getuid?.() !== 0 && 'only root has copies outside of the folder of backups',
}, async (t) => {
  const run = await running(closings(t))
  // A folder that only root can enter, so that the copy is elsewhere.
  const backups = join(await dataFolder(t), 'backups')
  await backUp(run, backups)
  // Its open files tell which copy is its own: other programs of this machine may have theirs beside it.
  const verification = (signal: string) => `
    import { readdirSync, readlinkSync, writeSync } from 'node:fs'
    import { verifyBackup } from ${imported('database/backup/verify.ts')}
    function progress() {
      const links = readdirSync('/proc/self/fd').map((fd) => { try { return readlinkSync('/proc/self/fd/' + fd) } catch { return '' } })
      const copy = links.map((path) => /^.*\\/cluster-[^/]*/.exec(path)?.[0]).find(Boolean)
      if (copy === undefined) return
      writeSync(1, JSON.stringify(copy))
      process.kill(process.pid, '${signal}')
    }
    await verifyBackup(${JSON.stringify(backups)}, { progress, log() {} })`
  const killed = await runUntilSignal(t, verification('SIGKILL'))
  await killed.ended
  assert.match(killed.said, /^\/var\/lib\/cashwrap\/cluster-\w+\.partial-/)
  assert.ok(existsSync(killed.said))
  await verifyBackup(backups, { progress() {}, log() {} })
  assert.ok(!existsSync(killed.said))
  assert.equal((await readdir(backups)).length, 1)

  const frozen = await runUntilSignal(t, verification('SIGSTOP'))
  const start = async () => (await openEmbedded({ dataDirectory, log() {}, settings: { fsync: 'off' } })).stop()
  const dataDirectory = await clusterFolder(t)
  await start()
  assert.ok(existsSync(frozen.said))
  frozen.child.kill('SIGKILL')
  await frozen.ended
  await start()
  assert.ok(!existsSync(frozen.said))
})

test('if the program that created a cluster was killed before its link had its name, the next start removes both', {
  skip: process.getuid?.() !== 0 && 'only root has clusters outside of the data folder',
}, async (t) => {
  const folder = await dataFolder(t)
  await putCluster(folder)
  const cluster = `/var/lib/cashwrap/cluster-${randomBytes(6).toString('hex')}`
  t.after(() => rm(cluster, { recursive: true, force: true }))
  // Between file systems too, with the owner of the files.
  await promisify(execFile)('mv', [join(folder, 'postgres'), cluster])
  await symlink(cluster, join(folder, 'postgres.new-0123456789ab'))
  const embedded = await openEmbedded({ dataDirectory: folder, log() {}, settings: { fsync: 'off' } })
  await embedded.stop()
  assert.equal(embedded.state, 'created')
  assert.ok(!existsSync(cluster))
  assert.deepEqual(await readdir(folder), ['postgres'])
})

test('the database keeps nothing of a killed backup, and the next backup removes its folder', async (t) => {
  const run = await running(closings(t))
  const backups = join(await dataFolder(t), 'backups')
  const { ended } = await runUntilSignal(
    t,
    `import { connect } from ${imported('database/connect.ts')}
    import { withBackupFolder } from ${imported('database/backup/folder.ts')}
    import { takeBackup } from ${imported('database/backup/take.ts')}
    const client = await connect(${JSON.stringify(run.embedded.connection)}, { size: 1 }).connectAlone()
    const progress = () => { console.log('0'); process.kill(process.pid, 'SIGKILL') }
    const source = { client, cluster: ${JSON.stringify(run.embedded.directory)}, version: 'test', secretKey: null, progress }
    await withBackupFolder(${JSON.stringify(backups)}, (folder) => takeBackup(source, folder))`,
  )
  await ended
  assert.deepEqual(
    (await readdir(backups)).map((name) => name.slice(0, 5)),
    ['.new-'],
  )
  await assert.rejects(verifyBackup(backups, { progress() {}, log() {} }), /has no complete backup/)
  await until('the database has noticed', async () => (await held(run)) === 0)
  const { folder } = await backUp(run, backups)
  assert.deepEqual(await readdir(backups), [basename(folder)])
  await verifyBackup(backups, { progress() {}, log() {} })
})

test('of two backups at once, into two folders or into one, the second is refused and the first is complete', async (t) => {
  const run = await running(closings(t))
  const parent = await dataFolder(t)
  const first = join(parent, 'first')
  const second = join(parent, 'second')
  const refusals: Promise<unknown>[] = []
  await backUp(run, first, () => {
    if (refusals.length > 0) return
    refusals.push(
      assert.rejects(backUp(run, second), /Another backup of this database is running/),
      assert.rejects(backUp(run, first), /Another program is working on the backups/),
    )
  })
  assert.equal((await Promise.all(refusals)).length, 2)
  assert.deepEqual(await readdir(second), [])
  await verifyBackup(first, { progress() {}, log() {} })
})

test('a restore into a folder that a start or another restore is using is refused, and changes nothing there', async (t) => {
  const run = await running(closings(t))
  const parent = await dataFolder(t)
  const backups = join(parent, 'backups')
  await backUp(run, backups)
  const copy = join(parent, '20261123T000000000Z')
  await cp(join(backups, (await readdir(backups))[0] ?? ''), copy, { recursive: true })
  const into = join(parent, 'restored')
  const restoring = { into, progress() {}, log() {} }
  const dataDirectory = dirname(run.embedded.directory)
  const inUse = { ...restoring, from: backups, into: dataDirectory, recovered: async () => assert.fail('recovered') }
  await assert.rejects(restoreBackup(inUse), /is not empty \(it has postgres\)/)
  const { folder } = await restoreBackup({
    ...restoring,
    from: backups,
    async recovered() {
      const again = { ...restoring, from: copy, recovered: async () => assert.fail('recovered') }
      await assert.rejects(restoreBackup(again), /Another program is using .*restored/)
    },
  })
  assert.deepEqual(await readdir(folder), ['postgres'])
  assert.deepEqual(await run.database.query('select 1'), [[1]])
})

test('a backup without room for it is refused before anything is copied; one whose disk fills up names the file, and leaves nothing', async (t) => {
  const disk = await mounted(t)
  if (disk === undefined) return
  const run = await running(closings(t))
  const folder = join(disk.folder, 'backups')
  await mkdir(folder)
  await disk.fill()
  await assert.rejects(
    backUp(run, folder, () => assert.fail('copied')),
    /The disk of \S+backups has 0 MB left, and the backup needs \d+ MB/,
  )
  await disk.free()
  let isFull = false
  const ballast = join(disk.folder, 'neighbour')
  const failing = backUp(run, folder, () => {
    if (isFull) return
    isFull = true
    for (let size = 64 * 1024 * 1024; size >= 1; size = Math.floor(size / 2))
      try {
        writeFileSync(ballast, Buffer.alloc(size, 1), { flag: 'a' })
      } catch {
        // Half as much may fit.
      }
  })
  await assert.rejects(failing, /\/\.new-\w+\/\S+ cannot be written: its disk is full/)
  assert.deepEqual(await readdir(folder), [])
  assert.equal(await held(run), 0)
})
