// Restores a backup into a new data folder: the database appears there complete, at its moment, or not at all.

import { mkdir, readdir, rename, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { OperatorError } from '../../core/operator-error.ts'
import { unusable } from '../embedded/cluster.ts'
import { flush, removeDataFolder } from '../embedded/place.ts'
import { type Connection, takeTurn } from '../embedded/socket.ts'
import { type Backup, makeStaging, newestBackup } from './folder.ts'
import { placeBackup, recover } from './recover.ts'

/** What is restored. */
interface Restoring {
  /** A folder of backups, or one backup. */
  readonly from: string
  /** The new data folder. */
  readonly into: string
  readonly progress: (done: number, total: number) => void
  readonly log: (message: string) => void
  /** Called with the recovered database before it appears in its place. */
  readonly recovered: (connection: Connection, moment: string) => Promise<void>
}

/** A database that was restored. */
export interface Restored {
  readonly backup: Backup
  /** The data folder. */
  readonly folder: string
  /** The time of the newest write in it. */
  readonly moment: string
}

/*
 * The states of a restore, each of which a killed program can leave; the next restore into the folder removes all but
 * the last:
 *
 *   copying     `.restore-*` has a part of the files
 *   replaying   PostgreSQL runs in it, and then learns that it was restored
 *   restored    the folder was renamed to `postgres`
 */

/** Restores; throws OperatorError, and leaves the folder without a database, if it cannot. */
export async function restoreBackup(restoring: Restoring): Promise<Restored> {
  const { progress, log, recovered } = restoring
  const backup = await newestBackup(restoring.from)
  return withNewDataFolder(restoring.into, async (folder) => {
    const staging = await makeStaging(folder, 'restore')
    try {
      await placeBackup(backup, staging, progress)
      const { embedded, database, lastCommit } = await recover(staging, { durable: true, log })
      const moment = lastCommit ?? backup.manifest.until
      try {
        await database.close()
        await recovered(embedded.connection, moment)
      } finally {
        await embedded.stop()
      }
      await rename(join(staging, 'postgres'), join(folder, 'postgres'))
      await flush(folder)
      return { backup, folder, moment }
    } finally {
      await removeDataFolder(staging)
    }
  })
}

/** Opens or makes a data folder that has no database, for one program at a time. */
async function withNewDataFolder<T>(path: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = resolve(path)
  const { dev, ino } = await mkdir(folder, { recursive: true })
    .then(() => stat(folder))
    .catch((error) => {
      throw unusable(folder, error)
    })
  // The same turn as that of a start, which could create an empty database meanwhile.
  const turn = await takeTurn(dev, ino)
  if (turn === undefined)
    throw new OperatorError(`Another program is using ${folder}. Restore into a folder of its own.`)
  try {
    const remains = (await readdir(folder)).filter((name) => name.startsWith('.restore-'))
    const others = (await readdir(folder)).filter((name) => !remains.includes(name) && name !== 'secret')
    if (others.length > 0)
      throw new OperatorError(
        `${folder} is not empty (it has ${others[0]}): a restore needs a new folder, and never replaces a database.`,
      )
    for (const name of remains) await removeDataFolder(join(folder, name))
    return await work(folder)
  } catch (error) {
    throw unusable(folder, error)
  } finally {
    turn.close()
  }
}
