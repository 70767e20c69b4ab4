// The migrated PostgreSQL that tests start from: made once, and kept beside the packages as long as nothing that makes it changes.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, glob, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openEmbedded } from '../../src/database/embedded/embedded.ts'
import { openDatabase } from '../../src/database/open.ts'
import { makeRowViews, viewSchemas } from '../../src/database/row-security/views.ts'
import { keepPartitions } from '../../src/features/events/partitions.ts'
import { testsRowSecurity } from './database.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))
const kept = join(root, 'node_modules/.cache/cashwrap-tests')

/** What the code below runs: its files, and the folders that they may import (ARCHITECTURE.md). */
const makers = [
  'server/src/{core,concurrency,database,metrics,tracing}/**/*.{ts,sql}',
  'server/src/features/events/{gaps,partitions}.ts',
  'server/test/support/prepared.ts',
  'package-lock.json',
]

/** A digest of all that the cluster depends on; also of the day, since partitions are made some weeks ahead. */
async function digestOfMakers(settings: Readonly<Record<string, string>>): Promise<string> {
  const about = [new Date().toISOString().slice(0, 10), testsRowSecurity(), process.getuid?.(), settings]
  const digest = createHash('sha256').update(JSON.stringify(about))
  for (const file of (await Array.fromAsync(glob(makers, { cwd: root }))).sort())
    digest.update(file).update(await readFile(join(root, file)))
  return digest.digest('hex').slice(0, 16)
}

/** Puts the cluster into a new folder, as after a first start of the service. Making it takes three seconds, unpacking it a tenth of one. */
export async function prepareCluster(folder: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const name = `${await digestOfMakers(settings)}.tar`
  await mkdir(folder)
  // PostgreSQL may run as another user.
  await chmod(folder, 0o755)
  const isUnpacked = await run('tar', ['-xf', join(kept, name), '-C', folder]).then(
    () => true,
    () => false,
  )
  if (isUnpacked) return
  // A file that is damaged was unpacked in part.
  await rm(join(folder, 'postgres'), { recursive: true, force: true })
  await makeCluster(folder, settings)
  // Where nothing can be kept, the next run makes it again.
  await keep(folder, name).catch(() => {})
}

async function makeCluster(folder: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const running = await openEmbedded({ dataDirectory: folder, log: () => {}, settings })
  try {
    const migrated = await openDatabase(running.connection)
    // As after a first start of the service, which makes both: that takes several times as long as copying the database.
    await keepPartitions(migrated)
    if (testsRowSecurity()) {
      for (const schema of viewSchemas) await migrated.query(`create schema ${schema}`)
      await migrated.transaction(makeRowViews)
    }
    await migrated.close()
  } finally {
    await running.stop()
  }
}

/** One file, put in place by a rename: another run finds all of it or nothing, and one that reads an older file can finish. */
async function keep(folder: string, name: string): Promise<void> {
  await mkdir(kept, { recursive: true })
  const older = (await readdir(kept)).filter((each) => each !== name)
  const made = join(kept, `${name}-${process.pid}`)
  await run('tar', ['-cf', made, '-C', folder, 'postgres'])
  await rename(made, join(kept, name))
  for (const each of older) await rm(join(kept, each), { force: true })
}
