// A folder of backups: which it holds, what killed programs left in it, and how long backups are kept.

import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, realpath, rename } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { fileError, unreadable, unwritable } from '../../core/file-errors.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { flushFolder, removeDataFolder } from '../embedded/place.ts'
import { takeTurn } from '../embedded/turn.ts'
import { makePlace } from './disk.ts'
import { type BackupManifest, manifestName, readManifest } from './manifest.ts'
import { lsnOf } from './wal.ts'

/** A complete backup. */
export interface Backup {
  readonly folder: string
  readonly manifest: BackupManifest
}

const completeName = /^\d{8}T\d{9}Z$/
/** Matches only names that are made here, so that no other file of a wrong folder is removed. */
const remainName = /^(\.(new|verify)-[0-9a-f]{12}|\.old-\d{8}T\d{9}Z)$/

/** The name of a backup that ended at a time, as ISO 8601. */
const nameAt = (time: string): string => time.replaceAll(/[-:.]/g, '')

/**
 * The names of complete backups, the oldest first. One from the future was made while the clock was wrong, or the clock is
 * wrong now: it counts as older than the others, so that it neither replaces what is newer nor stays for ever.
 */
function inOrder(names: readonly string[]): string[] {
  const now = nameAt(new Date().toISOString())
  const complete = names.filter((name) => completeName.test(name)).toSorted()
  return [...complete.filter((name) => name > now), ...complete.filter((name) => name <= now)]
}

/** Opens or makes a folder of backups for one program at a time, and removes what killed ones left. */
export async function withBackupFolder<T>(path: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = resolve(path)
  await makePlace(folder, 0o700)
  const turn = await takeTurn(folder).catch(unwritable(folder))
  if (turn === undefined)
    throw new OperatorError(`Another program is working on the backups in ${folder}. Wait until it has ended.`)
  try {
    const names = await readdir(folder)
    for (const name of names.filter((name) => remainName.test(name))) await removeDataFolder(join(folder, name))
    return await work(folder)
  } catch (error) {
    return unwritable(folder)(error)
  } finally {
    await turn.close()
  }
}

/**
 * Throws OperatorError if a folder is inside that of PostgreSQL's files: each backup would contain the earlier ones.
 */
export async function requireOutside(cluster: string, path: string): Promise<void> {
  const inside = await realPlace(resolve(path))
  const database = await realpath(cluster)
  if (inside !== database && !inside.startsWith(database + sep)) return
  throw new OperatorError(
    `${path} is inside the database's own folder ${cluster}, and each backup would contain it. Choose a folder outside, best on another disk.`,
  )
}

/** A path without links, also if its end does not exist yet. */
async function realPlace(path: string): Promise<string> {
  return realpath(path).catch(async () =>
    dirname(path) === path ? path : join(await realPlace(dirname(path)), basename(path)),
  )
}

/** A new folder for a backup or a copy that is not complete yet. */
export async function makeStaging(folder: string, kind: 'new' | 'verify' | 'restore'): Promise<string> {
  const staging = join(folder, `.${kind}-${randomBytes(6).toString('hex')}`)
  await mkdir(staging)
  // The user who runs PostgreSQL must pass; the files in it are closed to others.
  await chmod(staging, kind === 'new' ? 0o700 : 0o711)
  return staging
}

/** Gives a finished backup its name: from then on it is complete. `folders` are those in it. */
export async function complete(
  folder: string,
  staging: string,
  { at, folders }: { at: string; folders: readonly string[] },
): Promise<string> {
  const place = join(folder, nameAt(at))
  for (const path of folders) await flushFolder(join(staging, path))
  await flushFolder(staging)
  await rename(staging, place)
  await flushFolder(folder)
  await flushFolder(dirname(folder))
  return place
}

/** The folders of the complete backups, the newest first; or the path itself, if it is a backup. */
async function backupsIn(path: string): Promise<string[]> {
  const folder = resolve(path)
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? new OperatorError(`There is no folder ${folder}.`)
      : fileError(folder, 'read', error)
  })
  if (names.includes(manifestName)) return [folder]
  const found = inOrder(names).toReversed()
  if (found.length === 0) throw new OperatorError(`${folder} has no complete backup.`)
  return found.map((name) => join(folder, name))
}

/** The newest backup that ended before a time. Throws OperatorError that names the time of the oldest one. */
export async function backupBefore(path: string, time: string): Promise<Backup> {
  let oldest: Backup | undefined
  for (const folder of await backupsIn(path)) {
    oldest = { folder, manifest: await readManifest(folder) }
    if (oldest.manifest.stop.at <= time) return oldest
  }
  throw new OperatorError(
    `The oldest backup in ${resolve(path)} ended at ${oldest?.manifest.stop.at}: ${time} is before that, and cannot be restored from it.`,
  )
}

/**
 * Throws OperatorError if the newest backup of a folder is of another database: each database would remove the other's
 * backups.
 */
export async function requireOwn(folder: string, systemId: string): Promise<void> {
  const newest = inOrder(await readdir(folder)).at(-1)
  if (newest === undefined) return
  const manifest = await readManifest(join(folder, newest))
  if (manifest.systemId !== systemId)
    throw new OperatorError(
      `${folder} has backups of another database. Check that CASHWRAP_DATA is right, or use another folder.`,
    )
}

/** The newest backup. */
export async function newestBackup(path: string): Promise<Backup> {
  const [folder = ''] = await backupsIn(path)
  return { folder, manifest: await readManifest(folder) }
}

/** The backup that needs the earliest segment of the log, whatever the clock said. */
export async function oldestBackup(path: string): Promise<Backup> {
  const [first = '', ...others] = await backupsIn(path)
  let oldest: Backup = { folder: first, manifest: await readManifest(first) }
  for (const folder of others) {
    const manifest = await readManifest(folder)
    if (lsnOf(manifest.start.lsn) < lsnOf(oldest.manifest.start.lsn)) oldest = { folder, manifest }
  }
  return oldest
}

/**
 * Keeps a backup from being removed while `work` reads it. The manifest is read again: the backup may have been removed
 * before it was locked.
 */
export async function withBackup<T>({ folder }: Backup, work: (backup: Backup) => Promise<T>): Promise<T> {
  const turn = await takeTurn(folder).catch(unreadable(`The backup ${folder}`))
  if (turn === undefined)
    throw new OperatorError(`Another program is restoring the backup ${folder}. Wait until it has ended.`)
  try {
    return await work({ folder, manifest: await readManifest(folder) })
  } finally {
    await turn.close()
  }
}

/**
 * Removes all but the newest backups, oldest first, and returns the names of those that went. The one that was just `made`
 * is the newest, even if the clock was set back meanwhile. One that is being restored stays until the next time.
 */
export async function removeOld(folder: string, keep: number, made?: string): Promise<string[]> {
  const found = inOrder(await readdir(folder))
  const isMade = (name: string) => join(folder, name) === made
  const names = [...found.filter((name) => !isMade(name)), ...found.filter(isMade)]
  const removed: string[] = []
  for (const name of names.slice(0, Math.max(0, names.length - keep))) {
    const turn = await takeTurn(join(folder, name))
    if (turn === undefined) continue
    // Under another name first, so that half a backup never looks like one.
    await rename(join(folder, name), join(folder, `.old-${name}`))
    await removeDataFolder(join(folder, `.old-${name}`)).finally(() => turn.close())
    removed.push(name)
  }
  return removed
}
