// The archive of an embedded PostgreSQL's log: watched, reported when it fails, and stopped before waiting files fill
// the disk.
import assert from 'node:assert/strict'
import { existsSync, renameSync, statSync, symlinkSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import {
  archiveState,
  isOnSameDisk,
  makeArchive,
  pruneArchive,
  startArchiving,
} from '../src/database/backup/archive.ts'
import { watchArchive } from '../src/database/backup/archive-watch.ts'
import type { BackupManifest } from '../src/database/backup/manifest.ts'
import { backupFamilies } from '../src/database/backup/metrics.ts'
import { segmentName } from '../src/database/backup/wal.ts'
import { connect, type Database } from '../src/database/connect.ts'
import { openEmbedded } from '../src/database/embedded/embedded.ts'
import { archivingFolder, clusterFolder, dataFolder, until } from './support/program.ts'

/** Bytes of a segment, as PostgreSQL makes them by default. */
const SEGMENT_BYTES = 16 * 1024 * 1024

/** A PostgreSQL whose log can be archived, and the folder for it, which is not there yet. */
async function archiving(t: TestContext, dataDirectory?: string) {
  dataDirectory ??= await clusterFolder(t)
  const settings = { archive_mode: 'on', fsync: 'off' }
  const embedded = await openEmbedded({ dataDirectory, log: () => {}, settings })
  t.after(() => embedded.stop())
  const database = connect(embedded.connection, { size: 2 })
  t.after(() => database.close())
  return { database, archive: join(dataDirectory, 'archive'), cluster: embedded.directory }
}

test('the folder of a new archive exists before PostgreSQL copies to it: a first start logs no failure', async (t) => {
  const { database, archive, cluster } = await archiving(t)
  const wasThere: boolean[] = []
  const query: Database['query'] = (statement, values) => {
    if (String(statement).includes('archive_directory')) wasThere.push(existsSync(archive))
    return database.query(statement, values)
  }
  const log = { info() {}, warn() {}, error() {} }
  const watch = await watchArchive({ ...database, query }, { archive, cluster, log })
  await watch.stop()
  assert.deepEqual(wasThere, [true])
})

test('an archive on the disk of the database, such as below an empty mount point, is reported once', async (t) => {
  const { database, archive, cluster } = await archiving(t)
  const warnings: string[] = []
  let looks = 0
  const query: Database['query'] = (statement, values) => {
    if (String(statement).includes('pg_ls_archive_statusdir')) looks++
    return database.query(statement, values)
  }
  const log = { info() {}, warn: (_: unknown, message?: string) => void warnings.push(String(message)), error() {} }
  const watch = await watchArchive({ ...database, query }, { archive, cluster, log, lookMs: 1 })
  t.after(() => watch.stop())
  await until('it has looked several times', () => looks > 5)
  assert.equal(await isOnSameDisk('/dev', cluster), false)
  assert.deepEqual(warnings.map((text) => text.split(':')[0]), ['the archive is on the disk of the database, and would be lost with it']) // biome-ignore format: one thought
})

/** A folder on another disk than a cluster, if the machine has two. */
async function elsewhere(t: TestContext, cluster: string): Promise<string | undefined> {
  const place = ['/var/tmp', '/dev/shm'].find(
    (path) => existsSync(path) && statSync(path).dev !== statSync(cluster).dev,
  )
  if (place === undefined) return undefined
  const folder = await mkdtemp(join(place, 'cashwrap-archive-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o711)
  return folder
}

test('an archive whose disk was unmounted is reported, and its folder is not made below the mount point', async (t) => {
  const { database, archive, cluster } = await archiving(t)
  const disk = await elsewhere(t, cluster)
  if (disk === undefined) return t.skip('needs two disks')
  const mountPoint = join(cluster, '..', 'mount-point')
  await mkdir(mountPoint)
  const mount = (folder: string) => {
    symlinkSync(folder, `${archive}-next`)
    renameSync(`${archive}-next`, archive)
  }
  mount(disk)
  let next: string | undefined
  const query: Database['query'] = (statement, values) => {
    // While a look waits for PostgreSQL, and so not while it makes the folder.
    if (next !== undefined && String(statement).includes('pg_ls_archive_statusdir')) {
      mount(next)
      next = undefined
    }
    return database.query(statement, values)
  }
  const said: string[] = []
  const say = (about: unknown, message?: string) => void said.push(`${message} ${JSON.stringify(about)}`)
  const log = { info: say, warn: say, error: say }
  const watch = await watchArchive({ ...database, query }, { archive, cluster, log, lookMs: 1 })
  t.after(() => watch.stop())
  await until('the archive has its folder', async () => (await readdir(disk)).length === 1)
  next = mountPoint
  await until('the log asks for the disk', () => said.some((text) => /^archiving failed.*mount the disk/.test(text)))
  assert.deepEqual(await readdir(mountPoint), [])
  next = disk
  await until('the disk is found again', () => said.some((text) => /^archiving works again/.test(text)))
})

// They wait for PostgreSQL's archiver.
describe('a broken archive', { concurrency: true }, () => {
  test('when the archive fails, writes continue and the log says so; when too much waits, archiving stops until the next backup', async (t) => {
    const { database, archive, cluster } = await archiving(t, await archivingFolder(t))
    const said: string[] = []
    const log = { info: say, warn: say, error: say }
    function say(_: unknown, message?: string) {
      said.push(String(message))
    }
    // A file is in the place of the folder, as if the folder could not be used.
    await writeFile(archive, '')
    const watched = { archive, cluster, log, lookMs: 20 }
    const first = await watchArchive(database, watched)
    t.after(() => first.stop())
    await endSegment(database)
    await until('the log says that archiving failed', () =>
      said.some((text) => /^archiving failed; retrying/.test(text)),
    )
    await until('the metric says so', () => isInterrupted(database))
    await rm(archive)
    await endSegment(database)
    await until('it works again', async () => !(await isInterrupted(database)))
    await first.stop()

    // The archiver may be at work in it.
    const replaced = async () => {
      await rm(archive, { recursive: true, force: true })
      await writeFile(archive, '')
    }
    await until('a file is in its place again', () =>
      replaced().then(
        () => true,
        () => false,
      ),
    )
    const second = await watchArchive(database, { ...watched, waitingBytes: 2 * SEGMENT_BYTES })
    t.after(() => second.stop())
    for (let n = 0; n < 3; n++) await endSegment(database)
    await until('archiving has stopped', () => said.some((text) => /^archiving stopped: too much/.test(text)))
    await second.stop()
    // Each process of PostgreSQL reads its settings again once it has got the signal.
    await until('its connections know that', async () => (await archiveState(database)) === 'stopped')
    assert.equal(await isInterrupted(database), true)
    const waiting = async () =>
      (await database.query(`select 1 from pg_ls_archive_statusdir() where name like '%.ready'`)).length
    await until('nothing waits any more', async () => {
      await letArchiverStart(database)
      return (await waiting()) === 0
    })
    await rm(archive)
    await startArchiving(database, archive)
    const [gap] = await database.query(
      `select reason, ended_at is not null from archive_gaps where reason <> 'a write'`,
    )
    assert.match(gap?.[0], /segments waited/)
    assert.equal(gap?.[1], true)
  })

  test('an archive that has the log of another copy of the database is reported as such', async (t) => {
    const { database, archive, cluster } = await archiving(t)
    const [row] = await database.query(
      'select system_identifier::text, pg_walfile_name(pg_current_wal_lsn()) from pg_control_system()',
    )
    const [systemId, segment] = row as [string, string]
    await makeArchive(archive, systemId, cluster)
    const path = join(archive, systemId, segment)
    await writeFile(path, 'of another copy')
    const warnings: string[] = []
    const log = { info() {}, warn: (_: unknown, message?: string) => void warnings.push(String(message)), error() {} }
    const watch = await watchArchive(database, { archive, cluster, log, lookMs: 20 })
    t.after(() => watch.stop())
    await endSegment(database)
    await until('the log names the reason', async () => {
      await letArchiverStart(database)
      return warnings.some((text) => /another copy of this database; set CASHWRAP_ARCHIVE to a new folder/.test(text))
    })
    await rm(path)
    await endSegment(database)
    await until('the segment is archived', async () => existsSync(path))
  })
})

test('a backup that was made while the clock was ahead does not hide that later ones are missing', async (t) => {
  const { database } = await archiving(t)
  const age = async () =>
    (await backupFamilies(database)).find(({ name }) => name === 'cashwrap_last_backup_age_seconds')?.values[0]?.value
  await database.query(`insert into backups values (now() + interval '1 year', '/ahead', 1)`)
  assert.equal(await age(), undefined)
  await database.query(`insert into backups values (now() - interval '3 days', '/old', 1)`)
  assert.ok(Number(await age()) > 2 * 86_400)
})

test('what a full disk left of copies of segments is removed with the old segments, and a copy in progress is not', async (t) => {
  const archive = await dataFolder(t)
  const folder = join(archive, '7')
  await mkdir(folder)
  const name = (segment: bigint) => segmentName(1, segment, SEGMENT_BYTES)
  const old = name(1n)
  const first = name(2n)
  const next = name(3n)
  const left = `archtemp.${next}.71.1`
  const inProgress = `archtemp.${next}.71.2`
  for (const file of [old, first, left, inProgress]) await writeFile(join(folder, file), '')
  const twoHoursAgo = Date.now() / 1000 - 7_200
  await utimes(join(folder, left), twoHoursAgo, twoHoursAgo)
  const start = { lsn: '0/2000028' }
  const oldest = { systemId: '7', segmentBytes: SEGMENT_BYTES, start } as BackupManifest
  assert.equal(await pruneArchive(archive, oldest), 1)
  assert.deepEqual((await readdir(folder)).sort(), [first, inProgress].sort())
})

/** What the metric says of the archive. */
async function isInterrupted(database: Database): Promise<boolean> {
  const families = await backupFamilies(database)
  return families.find(({ name }) => name === 'cashwrap_archive_interrupted')?.values[0]?.value === 1
}

/** PostgreSQL starts its archiver again ten seconds after it last did, at the earliest, and looks when somebody connects. */
async function letArchiverStart(database: Database): Promise<void> {
  await (await database.connectAlone()).end()
}

/** Writes, and ends the segment of the log. The archiver looks then, otherwise once in a minute. */
async function endSegment(database: Database): Promise<void> {
  await database.query(`insert into archive_gaps values (clock_timestamp(), 'a write', now()); select pg_switch_wal()`)
}
