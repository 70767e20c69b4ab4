// Takes a base backup while PostgreSQL serves, by its low-level functions, with the log that makes the copy consistent.

import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { OperatorError } from '../../core/operator-error.ts'
import type { Queryable } from '../connect.ts'
import { type BaseFiles, listBaseFiles, unlessGone } from './base-files.ts'
import { byteCounter, copyFile, forEach, writeDurably } from './copy-file.ts'
import { checkRoom } from './disk.ts'
import { complete, makeStaging, requireOwn } from './folder.ts'
import { type BackupFile, type BackupManifest, FORMAT, manifestName, writeManifest } from './manifest.ts'
import { isHistoryName, segmentAt, segmentBefore, segmentName } from './wal.ts'

/** Key of the advisory lock that one backup of a database holds; any number with no other use. */
const LOCK = 7_270_115_409

/** The database that is backed up, and what the manifest says of it. */
interface BackupSource {
  /** A connection for the backup alone: PostgreSQL ends the backup with it. */
  readonly client: Client
  /** The folder of PostgreSQL's files. */
  readonly cluster: string
  readonly version: string
  /** The mark of the secret key. */
  readonly secretKey: string | null
  readonly progress: (done: number, total: number) => void
}

/** A backup that was made. */
interface TakenBackup {
  readonly folder: string
  readonly manifest: BackupManifest
  readonly bytes: number
}

/**
 * Makes a backup in a folder of backups. A slot keeps the log until it is copied; slot, lock and backup end with the
 * connection, so a killed program leaves only an incomplete folder.
 */
export async function takeBackup(source: BackupSource, folder: string): Promise<TakenBackup> {
  const { client, cluster } = source
  if (!(await value(client, `select pg_try_advisory_lock(${LOCK})`)))
    throw new OperatorError('Another backup of this database is running. Wait until it has ended.')
  const { systemId, segmentBytes } = await describeCluster(client)
  await requireOwn(folder, systemId)
  const slot = await reserveLog(client)
  const staging = await makeStaging(folder, 'new')
  try {
    const [startLsn, startAt] = await row(client, `select pg_backup_start('cashwrap', true)::text, ${now}`)
    const listed = await listBaseFiles(cluster)
    // A segment of the log at least.
    await checkRoom(folder, bytesOf(listed.files) + segmentBytes)
    const copied = await copyBase(source, staging, listed)
    // Before the stop: everything that was committed until then is in the log up to it.
    const until = await value(client, `select ${now}`)
    const [stopLsn, label, tablespaces, stopAt] = await row(
      client,
      `select lsn::text, labelfile, spcmapfile, ${now} from pg_backup_stop(wait_for_archive => false)`,
    )
    if (tablespaces) throw new OperatorError('The database has tablespaces, which a backup cannot contain.')
    copied.push({ path: 'base/backup_label', ...(await writeDurably(join(staging, 'base/backup_label'), label)) })
    const about = await describeCluster(client)
    const wal = await copyLog(source, staging, { ...about, startLsn, stopLsn })
    await requireLog(client, slot)
    const manifest: BackupManifest = {
      format: FORMAT,
      cashwrap: source.version,
      architecture: process.arch,
      secretKey: source.secretKey,
      ...about,
      until,
      start: { at: startAt, lsn: startLsn },
      stop: { at: stopAt, lsn: stopLsn },
      folders: ['base', ...listed.folders.map((path) => `base/${path}`), 'wal'],
      files: [...copied, ...wal].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    }
    await writeDurably(join(staging, manifestName), writeManifest(manifest))
    const place = await complete(folder, staging, { at: stopAt, folders: manifest.folders })
    return { folder: place, manifest, bytes: bytesOf(manifest.files) }
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    throw error
  }
}

const bytesOf = (files: readonly { readonly bytes: number }[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0)

/** The database's time, as the manifest has it. */
const now = `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Keeps PostgreSQL from recycling the log from now on, until the connection ends. Resolves to the name of the slot. */
async function reserveLog(client: Client): Promise<string> {
  const slot = `cashwrap_backup_${randomBytes(6).toString('hex')}`
  await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot])
  return slot
}

/** Throws OperatorError if PostgreSQL gave up the slot, and may have recycled what was copied of the log. */
async function requireLog(client: Client, slot: string): Promise<void> {
  const { rows } = await client
    .query('select wal_status from pg_replication_slots where slot_name = $1', [slot])
    .catch(() => ({ rows: [] }))
  if (rows.length === 0 || rows[0]?.wal_status === 'lost')
    throw new OperatorError(
      'More than 8 GB of log were written during the copy, and PostgreSQL keeps no more. Start the backup again while less is written.',
    )
}

async function copyBase(
  { cluster, progress }: BackupSource,
  staging: string,
  listed: BaseFiles,
): Promise<BackupFile[]> {
  const base = join(staging, 'base')
  await mkdir(base, { mode: 0o700 })
  for (const path of listed.folders) await mkdir(join(base, path), { mode: 0o700 })
  const countBytes = byteCounter(bytesOf(listed.files), progress)
  const copied: BackupFile[] = []
  await forEach(listed.files, async ({ path }) => {
    const to = join(base, path)
    const copy = () => copyFile(join(cluster, path), to, { progress: countBytes, durable: true })
    const file =
      path === 'global/pg_control' ? await copyStable(cluster, path, to, copy) : await copy().catch(unlessGone)
    if (file) copied.push({ path: `base/${path}`, ...file })
  })
  return copied
}

/** Copies the one file that the log does not repair, and copies it again if PostgreSQL wrote it meanwhile. */
async function copyStable<T>(cluster: string, path: string, to: string, copy: () => Promise<T>): Promise<T> {
  for (;;) {
    const copied = await copy()
    if ((await readFile(to)).equals(await readFile(join(cluster, path)))) return copied
    await rm(to)
  }
}

type About = Pick<BackupManifest, 'postgres' | 'migration' | 'systemId' | 'timeline' | 'segmentBytes'>

async function describeCluster(client: Client): Promise<About> {
  const [postgres, systemId, timeline, segmentBytes, migration] = await row(
    client,
    `select current_setting('server_version'), system_identifier::text,
       ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int,
       pg_size_bytes(current_setting('wal_segment_size'))::int,
       (select max(number) from migrations)
     from pg_control_system()`,
  )
  return { postgres, migration, systemId, timeline, segmentBytes }
}

/** Copies the segments between start and stop, and the histories of timelines. */
async function copyLog(
  { cluster }: BackupSource,
  staging: string,
  { timeline, segmentBytes, startLsn, stopLsn }: About & { startLsn: string; stopLsn: string },
): Promise<BackupFile[]> {
  const to = join(staging, 'wal')
  await mkdir(to, { mode: 0o700 })
  const names = (await readdir(join(cluster, 'pg_wal'))).filter(isHistoryName)
  const last = segmentBefore(stopLsn, segmentBytes)
  for (let segment = segmentAt(startLsn, segmentBytes); segment <= last; segment++)
    names.push(segmentName(timeline, segment, segmentBytes))
  const copied: BackupFile[] = []
  await forEach(names, async (name) => {
    const file = await copyFile(join(cluster, 'pg_wal', name), join(to, name), { durable: true })
    copied.push({ path: `wal/${name}`, ...file })
  })
  return copied
}

async function row(client: Client, text: string): Promise<any[]> {
  const { rows } = await client.query({ text, rowMode: 'array' })
  return rows[0] as unknown as any[]
}

const value = async (client: Client, text: string): Promise<any> => (await row(client, text))[0]

/** Finished backups that a database remembers, for those that watch their age. */
const REMEMBERED = 100

/** Remembers a finished backup. */
export async function rememberBackup(database: Queryable, { folder, bytes, manifest }: TakenBackup): Promise<void> {
  await database.query('insert into backups (finished_at, folder, bytes) values ($1, $2, $3) on conflict do nothing', [
    manifest.stop.at,
    folder,
    bytes,
  ])
  await database.query(
    `delete from backups where finished_at not in (select finished_at from backups order by finished_at desc limit ${REMEMBERED})`,
  )
}
