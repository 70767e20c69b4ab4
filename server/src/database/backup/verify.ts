// Verifies a backup by using it: a PostgreSQL starts from a copy of it, replays its log, and finds everything intact.

import { dirname } from 'node:path'
import { removeDataFolder } from '../embedded/place.ts'
import { type CheckedDatabase, checkDatabase } from './check.ts'
import { type Backup, makeStaging, newestBackup, withBackupFolder } from './folder.ts'
import { placeBackup, recover } from './recover.ts'

/** A backup that was found good. */
interface Verified extends Backup {
  readonly checked: CheckedDatabase
}

/** Where a verification reports its progress. */
interface ProgressReport {
  readonly progress: (done: number, total: number) => void
  readonly log: (message: string) => void
}

/**
 * Verifies a backup, or the newest one of a folder. The copy needs as much space beside it as the backup, and is removed
 * at the end. Throws OperatorError with what is wrong.
 */
export async function verifyBackup(path: string, { progress, log }: ProgressReport): Promise<Verified> {
  const { folder } = await newestBackup(path)
  return withBackupFolder(dirname(folder), async (parent) => {
    const backup = await newestBackup(folder)
    const staging = await makeStaging(parent, 'verify')
    try {
      await placeBackup(backup, staging, progress)
      const { embedded, database } = await recover(staging, { durable: false, log })
      try {
        return { ...backup, checked: await checkDatabase(database, progress) }
      } finally {
        await database.close()
        await embedded.stop()
      }
    } finally {
      await removeDataFolder(staging)
    }
  })
}
