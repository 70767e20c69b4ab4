// Fault: the disk is full, first that of the tables, then that of PostgreSQL's write-ahead log (WAL); then it is freed again.
import { execFile } from 'node:child_process'
import { readFile, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { connect } from '../src/database/connect.ts'
import { type EmbeddedDatabase, openEmbedded } from '../src/database/embedded/embedded.ts'
import { openDatabase } from '../src/database/open.ts'
import { urlOf } from '../test/support/program.ts'
import type { Ending } from './ending.ts'
import { startServers } from './servers.ts'
import { CannotMount, type SmallDisk, smallDisk } from './small-disk.ts'
import { type Fault, play } from './stage.ts'
import type { Tills } from './tills.ts'

/** Attempts that must have failed before a disk is freed. */
const failures = 40
/** Writes before, in between and after. */
const writes = 300

export const diskFull: Fault = {
  name: 'disk full',
  async run(stage) {
    const { folder, ending, isLong } = stage
    const disks = await Promise.all([smallDisk(ending, folder, 'tables'), smallDisk(ending, folder, 'log')]).catch(
      (error) => {
        if (!(error instanceof CannotMount)) throw error
        return { skipped: error.message, isMachine: error.isMachine }
      },
    )
    if ('skipped' in disks) return disks
    const [tables, log] = disks
    const embedded = await openApart(ending, tables, log)
    const { connection, directory } = embedded
    const database = connect(connection, { size: 2 })
    ending.after(() => database.close())
    const servers = await startServers(ending, { DATABASE_URL: urlOf(connection) })
    const outcome = await play(
      { ...stage, connection, directory, database },
      {
        name: 'disk-full',
        servers,
        mustSee: 'unavailable',
        strike: async (tills) => {
          const rounds = isLong ? 4 : 1
          for (let round = 0; round < rounds; round++)
            for (const disk of [tables, log]) {
              await more(tills, writes)
              await disk.fill()
              tills.allow(Number.POSITIVE_INFINITY)
              let isFelt = false
              const felt = tills.failing(failures).then(() => {
                isFelt = true
              })
              // Each of these leaves a log segment half empty: the disk is full long before the tables have grown as much.
              while (disk === log && !isFelt) await database.query('select pg_switch_wal()').catch(() => delay(20))
              await felt
              await disk.free()
            }
          await more(tills, writes)
          return 2 * rounds
        },
      },
    )
    const text = await readFile(join(directory, 'postgres.log'), 'utf8')
    const [refused, panics] = [/ERROR: .*No space left on device/g, /PANIC: .*No space left on device/g].map(
      (pattern) => text.match(pattern)?.length ?? 0,
    )
    if (!refused || !panics) outcome.findings.wrong.push('PostgreSQL never said that its disks were full')
    return { ...outcome, remark: `statements refused for lack of space: ${refused}; PostgreSQL gave up: ${panics}` }
  },
}

/** Lets that many more works finish. */
async function more(tills: Tills, count: number): Promise<void> {
  const wanted = tills.works.length + count
  tills.allow(wanted)
  await tills.reached(wanted)
}

/** A PostgreSQL whose tables and log are on different disks, both small. */
async function openApart(ending: Ending, tables: SmallDisk, log: SmallDisk): Promise<EmbeddedDatabase> {
  const dataDirectory = join(tables.folder, 'data')
  // It reuses its log soon, so that a full disk is soon noticed.
  const settings = { min_wal_size: '32MB', max_wal_size: '48MB', shared_buffers: '32MB' }
  const first = await openEmbedded({ dataDirectory, log: () => {}, settings })
  await first.stop()
  const from = join(first.directory, 'pg_wal')
  const to = join(log.folder, 'pg_wal')
  // With its owner and modes, which only cp keeps.
  await promisify(execFile)('cp', ['-a', from, to])
  await rename(from, join(first.directory, '..', 'pg_wal.before'))
  await symlink(to, from)
  const embedded = await openEmbedded({ dataDirectory, log: () => {}, settings })
  ending.after(() => embedded.stop())
  await (await openDatabase(embedded.connection)).close()
  return embedded
}
