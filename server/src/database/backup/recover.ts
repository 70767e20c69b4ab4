// Brings a backup to life in a new data folder: checks and copies its files, and lets PostgreSQL replay the log.

import { chown, mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../../core/operator-error.ts'
import { shellWord } from '../../core/shell-word.ts'
import { connect, type Database } from '../connect.ts'
import { type Account, isRoot } from '../embedded/account.ts'
import { embeddedMajor } from '../embedded/binaries.ts'
import { type EmbeddedDatabase, openEmbedded } from '../embedded/embedded.ts'
import { placeCluster } from '../embedded/place.ts'
import { byteCounter, copyFile, forEach, writeDurably } from './copy-file.ts'
import { checkRoom } from './disk.ts'
import type { Backup } from './folder.ts'
import type { BackupFile } from './manifest.ts'

/**
 * Copies a backup into a data folder as PostgreSQL needs it to recover. Each byte is compared with the manifest. Throws
 * OperatorError if the backup is damaged; the data folder is then as before.
 */
export async function placeBackup(
  backup: Backup,
  dataDirectory: string,
  progress: (done: number, total: number) => void,
): Promise<void> {
  const { manifest, folder } = backup
  if (manifest.architecture !== process.arch)
    throw new OperatorError(
      `The backup ${folder} was made on a processor of another kind (${manifest.architecture}, this is ${process.arch}). ` +
        'Move its database with `cashwrap dump` there and `cashwrap load` here.',
    )
  const major = await embeddedMajor()
  if (Number.parseInt(manifest.postgres, 10) !== major)
    throw new OperatorError(
      `The backup ${folder} was made by PostgreSQL ${manifest.postgres}, but this is PostgreSQL ${major}: restore it with the version of ` +
        `Cashwrap that made it (${manifest.cashwrap}), run \`cashwrap dump\` there, and \`cashwrap load\` here.`,
    )
  await checkSizes(backup)
  const total = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0)
  await placeCluster(dataDirectory, async (directory, account) => {
    await checkRoom(directory, total)
    const countBytes = byteCounter(total, progress)
    for (const path of manifest.folders) await makeFolder(directory, path, account)
    await forEach(manifest.files, (file) => copyChecked(backup, file, directory, { account, progress: countBytes }))
    await writeDurably(join(directory, 'recovery.signal'), '')
    if (isRoot()) await chown(join(directory, 'recovery.signal'), account.uid, account.gid)
  })
}

/** Finds missing and truncated files before anything is copied. */
async function checkSizes({ folder, manifest }: Backup): Promise<void> {
  for (const { path, bytes } of manifest.files) {
    const found = await stat(join(folder, path)).catch(() => undefined)
    if (found?.size !== bytes) throw damaged(folder, path, found === undefined ? 'is missing' : 'has another size')
  }
}

const damaged = (folder: string, path: string, how: string) =>
  new OperatorError(`The backup ${folder} is damaged: ${path} ${how}. Use another backup.`)

/** Where a path of a backup belongs in PostgreSQL's folder. */
const placeOf = (path: string): string => path.replace(/^wal(?=\/|$)/, 'pg_wal').replace(/^base(\/|$)/, '')

async function makeFolder(directory: string, path: string, { uid, gid }: Account): Promise<void> {
  const place = join(directory, placeOf(path))
  await mkdir(place, { recursive: true, mode: 0o700 })
  if (isRoot()) await chown(place, uid, gid)
}

async function copyChecked(
  { folder }: Backup,
  { path, bytes, sha256 }: BackupFile,
  directory: string,
  { account, progress }: { account: Account; progress: (bytes: number) => void },
): Promise<void> {
  const owner = isRoot() ? account : undefined
  // PostgreSQL flushes all of it before it replays the log.
  const copied = await copyFile(join(folder, path), join(directory, placeOf(path)), { progress, owner }).catch(
    (error) => {
      throw error.code === 'ENOENT' ? damaged(folder, path, 'is missing') : error
    },
  )
  if (copied.bytes !== bytes || copied.sha256 !== sha256) throw damaged(folder, path, 'does not match its checksum')
}

/** How far the log is replayed. */
interface Target {
  /** A time in canonical form; undefined for the end of the log. */
  readonly to?: string | undefined
  /** The archive's folder of this cluster, and the timeline that is followed in it. */
  readonly archive?: { readonly folder: string; readonly timeline: number } | undefined
  /** Whether what PostgreSQL writes must survive a power cut. */
  readonly durable: boolean
  readonly log: (message: string) => void
}

/** A recovered database that runs. */
interface Recovered {
  readonly embedded: EmbeddedDatabase
  readonly database: Database
  /** When its newest transaction was committed; undefined if the log has none. */
  readonly lastCommit: string | undefined
  /** The end of what was replayed. */
  readonly lsn: string
}

/** Thrown when the log ends before the requested time. */
export class LogEnded extends Error {
  override name = 'LogEnded'
  /** When the last transaction in it was committed. */
  readonly lastCommit: string | undefined

  constructor(lastCommit: string | undefined) {
    super('The log ends before the requested time.')
    this.lastCommit = lastCommit
  }
}

/** Starts PostgreSQL in a data folder that has a backup, and waits until it has replayed the log. */
export async function recover(dataDirectory: string, target: Target): Promise<Recovered> {
  const { log } = target
  const settings = recoverySettings(target)
  const embedded = await openEmbedded({ dataDirectory, log, settings }).catch(async (error: Error) => {
    throw /recovery ended before configured recovery target/.test(error.message)
      ? new LogEnded(await lastCommitIn(join(dataDirectory, 'postgres', 'postgres.log')))
      : error
  })
  const database = connect(embedded.connection, { size: 2 })
  try {
    const [row] = await database.query(
      `select pg_last_wal_replay_lsn()::text, to_char(pg_last_xact_replay_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    )
    return { embedded, database, lsn: row?.[0], lastCommit: row?.[1] ?? undefined }
  } catch (error) {
    await database.close()
    await embedded.stop()
    throw error
  }
}

/** A text in a setting where PostgreSQL replaces what follows a percent sign. */
const literal = (text: string): string => text.replaceAll('%', '%%')

/** PostgreSQL's settings of a recovery. */
function recoverySettings({ to, archive, durable }: Target): Record<string, string> {
  return {
    archive_mode: 'off',
    autovacuum: 'off',
    hot_standby: 'off',
    // Without an archive, all of the log is in its place already.
    restore_command: archive === undefined ? 'exit 1' : `cp -- ${literal(shellWord(`${archive.folder}/`))}%f "%p"`,
    recovery_target_timeline: archive === undefined ? 'latest' : String(archive.timeline),
    recovery_target_action: 'promote',
    // At its start PostgreSQL accepts neither the letter T nor names of time zones.
    ...(to !== undefined && { recovery_target_time: to.replace('T', ' ').replace('Z', '+00') }),
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  }
}

/** The time of the last transaction that PostgreSQL replayed, by its log. */
async function lastCommitIn(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const [, time] = [...text.matchAll(/last completed transaction was at log time (\S+ \S+)\+00/g)].at(-1) ?? []
  return time === undefined ? undefined : new Date(`${time.replace(' ', 'T')}Z`).toISOString()
}
