// Restores a backup into a new data folder: the database appears there complete, at its moment, or not at all.

import { readdir, rename, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeFolder } from '../../core/make-folder.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { canReach, eligibleAccounts } from '../embedded/account.ts'
import { unfinishedRestores, unusable } from '../embedded/cluster.ts'
import { flushFolder, removeDataFolder } from '../embedded/place.ts'
import type { SocketConnection } from '../embedded/socket.ts'
import { takeTurn } from '../embedded/turn.ts'
import { archiveOf, pauseArchiving } from './archive.ts'
import { type Backup, backupBefore, makeStaging, newestBackup, withBackup } from './folder.ts'
import { LogEnded, placeBackup, recover } from './recover.ts'
import { type ArchivedLog, archivedAfter } from './timelines.ts'
import { segmentBefore, segmentName } from './wal.ts'

/** What is restored. */
interface Restoring {
  /** A folder of backups, or one backup. */
  readonly from: string
  /** The new data folder. */
  readonly into: string
  /** A time in canonical form; by default the newest moment. */
  readonly to?: string | undefined
  /** The folder to which the log was archived. */
  readonly archive?: string | undefined
  readonly progress: (done: number, total: number) => void
  readonly log: (message: string) => void
  /** Called with the recovered database before it appears in its place. */
  readonly recovered: (connection: SocketConnection, moment: string) => Promise<void>
}

/** A database that was restored. */
export interface Restored {
  readonly backup: Backup
  /** The data folder. */
  readonly folder: string
  /** The time of the newest write in it. */
  readonly moment: string
  /** A segment that the archive lacks: the restore had to end there although later segments exist. */
  readonly missing: string | undefined
  /** The time of the first write that an earlier restore undid, if the requested moment was undone too: this is the moment before. */
  readonly undoneFrom: string | undefined
}

/*
 * The states of a restore. A killed program can leave each of them; the next restore into the folder removes all but
 * the last:
 *
 *   copying     `.restore-*` has a part of the files
 *   replaying   PostgreSQL runs in it, and then learns that it was restored
 *   restored    the folder was renamed to `postgres`
 */

/** Restores; throws OperatorError, and leaves the folder without a database, if it cannot. */
export async function restoreBackup(restoring: Restoring): Promise<Restored> {
  const { from, to } = restoring
  const backup = to === undefined ? await newestBackup(from) : await backupBefore(from, to)
  return withBackup(backup, (held) => restoreHeld(held, restoring))
}

/** Restores a backup that nothing removes meanwhile. */
async function restoreHeld(backup: Backup, restoring: Restoring): Promise<Restored> {
  const { progress, log, recovered, to } = restoring
  const archived = await findArchived(backup, restoring)
  return withNewDataFolder(restoring.into, async (folder) => {
    const staging = await makeStaging(folder, 'restore')
    try {
      await placeBackup(backup, staging, progress)
      const target = { to, archive: archived && { folder: archived.folder, timeline: archived.timeline } }
      const running = await recover(staging, { ...target, durable: true, log }).catch((error) => {
        throw error instanceof LogEnded ? outside(backup, to, error.lastCommit, endOf(archived)) : error
      })
      const moment = running.lastCommit ?? backup.manifest.until
      try {
        // The settings of the backup name the archive.
        await pauseArchiving(running.database)
        await running.database.close()
        if (to === undefined && archived) checkEnd(archived, backup, running.lsn)
        await recovered(running.embedded.connection, moment)
      } finally {
        await running.embedded.stop()
      }
      await rename(join(staging, 'postgres'), join(folder, 'postgres'))
      await flushFolder(folder)
      const missing = to === undefined ? archived?.missing : undefined
      return { backup, folder, moment, missing, undoneFrom: undoneAt(archived, { moment, to }) }
    } finally {
      await removeDataFolder(staging)
    }
  })
}

/** The archive that continues a backup, if there is one, which the user who runs PostgreSQL must be able to read. */
async function findArchived(backup: Backup, { archive, to }: Restoring): Promise<Archived | undefined> {
  const { systemId, until } = backup.manifest
  const folder = archive === undefined ? undefined : archiveOf(archive, systemId)
  if (folder === undefined || !(await stat(folder).catch(() => undefined))) {
    if (to === undefined) return undefined
    throw outside(backup, to, until, archive === undefined ? 'no archive was named' : `${archive} has nothing of it`)
  }
  const [account] = eligibleAccounts()
  if (account !== undefined && !(await canReach(account, folder)))
    throw new OperatorError(`The user ${account.name}, which runs PostgreSQL, cannot reach the archive ${folder}.`)
  if (to !== undefined && to > new Date().toISOString())
    throw outside(backup, to, new Date().toISOString(), 'the time is in the future')
  return { folder, ...(await archivedAfter(folder, backup.manifest)) }
}

interface Archived extends ArchivedLog {
  readonly folder: string
}

/** Where a restore to a moment went to an earlier one instead, since an earlier restore undid what followed. */
function undoneAt(archived: Archived | undefined, { moment, to }: { moment: string; to: string | undefined }) {
  const times = archived?.branches.map(({ undoneFrom }) => undoneFrom) ?? []
  return times.find((time) => time !== undefined && to !== undefined && moment < time && time <= to)
}

/** Why nothing after the end can be restored. */
const endOf = (archived: Archived | undefined): string =>
  archived?.missing === undefined
    ? 'the archive ends there; a running service archives each write within five minutes, a stopped one after its next start'
    : `the archive lacks ${archived.missing}`

/** The refusal of a time that cannot be restored; names both ends. */
function outside(
  { folder, manifest }: Backup,
  to: string | undefined,
  end: string | undefined,
  why = endOf(undefined),
): OperatorError {
  const { stop, until } = manifest
  const last = end ?? until
  const ends = last > stop.at ? `times from ${stop.at} to ${last}` : `one moment only, ${stop.at}`
  return new OperatorError(`${to} cannot be restored: the backup ${folder} can be restored to ${ends} (${why}).`)
}

/** A segment that is damaged ends a recovery early, and PostgreSQL takes it for the end of the log. */
function checkEnd({ folder, lastSegment, timeline }: Archived, { manifest }: Backup, lsn: string): void {
  const { segmentBytes } = manifest
  const reached = segmentBefore(lsn, segmentBytes)
  if (reached >= lastSegment) return
  throw new OperatorError(
    `The archive ${folder} is damaged: its segment ${segmentName(timeline, reached, segmentBytes)} or the next one cannot be read to its end. ` +
      'Restore to a time before that with --to.',
  )
}

/** Opens or makes a data folder that has no database, for one program at a time. */
async function withNewDataFolder<T>(path: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = resolve(path)
  // The same turn as that of a start, which could create an empty database meanwhile.
  const turn = await makeFolder(folder)
    .then(() => takeTurn(folder))
    .catch((error) => {
      throw unusable(folder, error)
    })
  if (turn === undefined)
    throw new OperatorError(`Another program is using ${folder}. Restore into a folder of its own.`)
  try {
    const remains = await unfinishedRestores(folder)
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
    await turn.close()
  }
}
