// A backup that a full disk or a kill ends leaves no half of one, and nothing that stays; the database serves on.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Ending, ending } from '../../faults/ending.ts'
import { CannotMount, type SmallDisk, smallDisk } from '../../faults/small-disk.ts'
import { withBackupFolder } from '../../src/database/backup/folder.ts'
import { takeBackup } from '../../src/database/backup/take.ts'
import { connect, type Database } from '../../src/database/connect.ts'
import { type EmbeddedDatabase, openEmbedded } from '../../src/database/embedded/embedded.ts'
import { clusterFolder, dataFolder } from '../support/program.ts'

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
