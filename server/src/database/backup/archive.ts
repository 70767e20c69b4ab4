// The archive: a folder to which PostgreSQL copies each finished segment of its log, so that a backup can be rolled forward to a point in time.

import { chmod, chown, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database, Queryable } from '../connect.ts'
import { isRoot } from '../embedded/account.ts'
import { makePlace } from './disk.ts'
import type { BackupManifest } from './manifest.ts'
import { isHistoryName, parseSegmentName, segmentAt } from './wal.ts'

/*
 * The states of archiving, which PostgreSQL's own settings hold:
 *
 *   off       archive_mode is off: the service was started without CASHWRAP_ARCHIVE. No segment waits
 *   on        archive_library is basic_archive: segments wait until they are copied
 *   paused    neither a library nor a command is set: segments wait. A restored database is paused until `cashwrap resume`,
 *             since it may be a copy: what it archived beside the running service would be taken for that service's log
 *   stopped   archive_command is /bin/true: too many segments waited, and none is kept any more. `archive_gaps` has since when
 */

/** Seconds after which a segment is archived although it is not full: the most that is lost with the disk. */
const ARCHIVE_TIMEOUT_S = 300
/** What replaces the copying: PostgreSQL's manual advises it for breaking the archive on purpose. */
const NOWHERE = '/bin/true'

/** The folder of one cluster's segments in the archive: two services never mix theirs. */
export const archiveOf = (archive: string, systemId: string): string => join(archive, systemId)

type ArchiveState = 'off' | 'on' | 'paused' | 'stopped'

/** The state of archiving in the running PostgreSQL. */
export async function archiveState(database: Queryable): Promise<ArchiveState> {
  const [row] = await database.query(
    `select current_setting('archive_mode'), current_setting('archive_command'), current_setting('archive_library')`,
  )
  const [mode, command, library] = row as string[]
  if (mode === 'off') return 'off'
  if (library !== '') return 'on'
  return command === NOWHERE ? 'stopped' : 'paused'
}

/** Whether the database was restored, and may be a copy of one that serves. */
export async function isUnresumed(database: Queryable): Promise<boolean> {
  const rows = await database.query('select 1 from restores where webhooks_resumed_at is null limit 1')
  return rows.length > 0
}

/** Archives from now on, to a folder; ends a gap. */
export async function startArchiving(database: Database, archive: string): Promise<void> {
  const [row] = await database.query('select system_identifier::text from pg_control_system()')
  await set(database, {
    // For commands that start this PostgreSQL without the service: what they write belongs in the archive too.
    archive_mode: 'on',
    archive_command: '',
    archive_library: 'basic_archive',
    'basic_archive.archive_directory': archiveOf(archive, row?.[0]),
    archive_timeout: `${ARCHIVE_TIMEOUT_S}s`,
  })
  await database.query('update archive_gaps set ended_at = now() where ended_at is null')
}

/** Lets segments wait from now on, also in commands that start this PostgreSQL without the service. */
export const pauseArchiving = (database: Database): Promise<void> =>
  set(database, { archive_command: '', archive_library: '' })

/**
 * Lets PostgreSQL archive the histories of its timelines. It does not do that for a timeline that began in a restore,
 * where nothing is archived; but without its history, what is archived on the timeline cannot be found again.
 */
export async function archiveHistories(cluster: string): Promise<void> {
  const log = join(cluster, 'pg_wal')
  const states = new Set(await readdir(join(log, 'archive_status')))
  const { uid, gid } = await stat(cluster)
  for (const name of (await readdir(log)).filter(isHistoryName)) {
    if (states.has(`${name}.ready`) || states.has(`${name}.done`)) continue
    const path = join(log, 'archive_status', `${name}.ready`)
    await writeFile(path, '', { flag: 'wx', mode: 0o600 })
    if (isRoot()) await chown(path, uid, gid)
  }
}

/** Gives up what waits, and remembers the gap. */
export async function stopArchiving(database: Database, reason: string): Promise<void> {
  await set(database, { archive_library: '', archive_command: NOWHERE })
  await database.query(
    `insert into archive_gaps (began_at, reason) select coalesce(last_archived_time, now()), $1 from pg_stat_archiver
     on conflict (began_at) do update set ended_at = null`,
    [reason],
  )
}

/** Forgets the archive: the next start of PostgreSQL is without one. */
export async function forgetArchive(database: Database): Promise<void> {
  const rows = await database.query(
    `select distinct name from pg_file_settings
     where name in ('archive_mode', 'archive_command', 'archive_library', 'basic_archive.archive_directory', 'archive_timeout')`,
  )
  for (const [name] of rows) await database.query(`alter system reset ${name}`)
}

async function set(database: Database, settings: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(settings))
    await database.query(`alter system set ${name} = '${text.replaceAll("'", "''")}'`)
  await database.query('select pg_reload_conf()')
}

/**
 * Whether an archive is on the disk of its cluster, and would be lost with it. Below a mount point whose disk is missing,
 * its folder is created there.
 */
export async function isOnSameDisk(archive: string, cluster: string): Promise<boolean> {
  const [one, other] = await Promise.all([stat(archive), stat(cluster)])
  return one.dev === other.dev
}

/** Makes the folder of a cluster's segments, open only to the user who runs PostgreSQL. */
export async function makeArchive(archive: string, systemId: string, cluster: string): Promise<void> {
  const folder = archiveOf(archive, systemId)
  // That user must pass the folder above it.
  if ((await makePlace(archive)) !== undefined) await chmod(archive, 0o711)
  const isNew = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
  if (!isNew || !isRoot()) return
  const { uid, gid } = await stat(cluster)
  await chown(folder, uid, gid)
}

/** How PostgreSQL begins the name of a copy that it has not finished. If the disk is full it leaves each one, and never removes it. */
const UNFINISHED = 'archtemp.'
/** Milliseconds after its last write for which PostgreSQL may still be at work on a copy. */
const UNFINISHED_MS = 3_600_000

/** Removes the segments that are older than a backup, and copies of segments that were given up; returns how many segments. */
export async function pruneArchive(archive: string, oldest: BackupManifest): Promise<number> {
  const { segmentBytes, systemId, start } = oldest
  const folder = archiveOf(archive, systemId)
  const first = segmentAt(start.lsn, segmentBytes)
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const old = names.filter((name) => {
    const segment = parseSegmentName(name.slice(0, 24), segmentBytes)?.segment
    return segment !== undefined && segment < first
  })
  for (const name of old) await rm(join(folder, name), { force: true })
  for (const name of names.filter((name) => name.startsWith(UNFINISHED))) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (mtimeMs < Date.now() - UNFINISHED_MS) await rm(path, { force: true })
  }
  return old.length
}
