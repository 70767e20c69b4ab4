// `cashwrap backup`: copies the embedded database while it serves. `cashwrap backup verify`: proves that a copy can be restored.
import { type Command, InvalidArgumentError } from 'commander'
import { readConfig } from '../config.ts'
import { OperatorError } from '../core/operator-error.ts'
import type { CheckedDatabase } from '../database/backup/check.ts'
import type { BackupManifest } from '../database/backup/manifest.ts'
import type { Queryable } from '../database/connect.ts'
import { version } from '../version.ts'
import { describe, type Output, print, printNote, sheet } from './output.ts'
import { withProgress } from './progress-bar.ts'
import { isOfDatabase, reachPostgres } from './with-database.ts'

interface BackupOptions extends Output {
  readonly keep?: number
}

export function addBackup(program: Command): void {
  const backup = describe(
    program.command('backup'),
    'back up the embedded database into a folder, while the service runs',
    'cashwrap backup /mnt/backups --keep 7',
  )
    .argument('<folder>', 'the folder of backups; it is created if it is missing')
    .option(
      '--keep <number>',
      'afterwards, remove all but the newest backups of the folder, and what was archived before them',
      readKeep,
    )
    .action(back)
  // Options after `verify` are those of that command.
  backup.enablePositionalOptions()
  describe(
    backup.command('verify'),
    'start a PostgreSQL from a copy of the newest backup, check everything in it, and stop it',
    'cashwrap backup verify /mnt/backups',
  )
    .argument('<folder>', 'the folder of backups, or one backup in it')
    .action(verify)
}

function readKeep(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 to 999999.')
  return Number(text)
}

async function back(path: string, { keep, ...output }: BackupOptions): Promise<void> {
  const config = readConfig()
  const [
    { connect },
    { connectionError },
    { isMigrated },
    { rememberBackup, takeBackup },
    { requireOutside, withBackupFolder },
    { readSecretMark },
    { archiveState, isUnresumed, startArchiving },
  ] = await Promise.all([
    import('../database/connect.ts'),
    import('../database/connection-error.ts'),
    import('../database/migrate.ts'),
    import('../database/backup/take.ts'),
    import('../database/backup/folder.ts'),
    import('../secret.ts'),
    import('../database/backup/archive.ts'),
  ])
  const { connection, cluster, close } = await reachPostgres(config, printNote)
  try {
    // It migrates nothing: a backup is made before an upgrade, with the new program too.
    const database = connect(connection, { size: 2 })
    if (cluster === undefined)
      throw await otherTools(database)
        .catch((error) => connectionError(error, connection))
        .finally(() => database.close())
    const [used] = await database.query("select to_regclass('migrations') is not null")
    if (!used?.[0]) {
      await database.close()
      throw new OperatorError('The database is empty: no service has used it yet. Check that CASHWRAP_DATA is right.')
    }
    const isCurrent = await isMigrated(database)
    await requireOutside(cluster, path).catch((error) => database.close().then(() => Promise.reject(error)))
    const client = await database.connectAlone()
    try {
      const secretKey = await readSecretMark(database)
      const {
        removed = [],
        removedSegments,
        ...taken
      } = await withBackupFolder(path, async (folder) => {
        // Before the copy, so that the archive has all that follows it.
        if (isCurrent && config.archive !== undefined && (await archiveState(database)) === 'stopped')
          if (!(await isUnresumed(database))) await startArchiving(database, config.archive)
        const taken = await withProgress((progress) =>
          takeBackup({ client, cluster, version, secretKey, progress }, folder),
        )
        if (isCurrent) await rememberBackup(database, taken)
        const gone: RemovedBackups =
          keep === undefined ? { removed: [] } : await removeOlder(folder, { keep, made: taken.folder }, config.archive)
        return { ...taken, ...gone }
      })
      const { folder, bytes, manifest } = taken
      const said = { folder, bytes, ...about(manifest), removed, ...(removedSegments && { removedSegments }) }
      print(output, said, () => sheet('Backup complete', linesOf(said)))
    } finally {
      await client.end().catch(() => {})
      await database.close()
    }
  } catch (error) {
    throw isOfDatabase(error) ? connectionError(error, connection) : error
  } finally {
    await close()
  }
}

/** What was removed after a backup. */
interface RemovedBackups {
  readonly removed: readonly string[]
  readonly removedSegments?: number
}

/** Removes all but the newest backups, and what was archived before them. */
async function removeOlder(
  folder: string,
  { keep, made }: { readonly keep: number; readonly made: string },
  archive: string | undefined,
): Promise<RemovedBackups> {
  const [{ oldestBackup, removeOld }, { pruneArchive }] = await Promise.all([
    import('../database/backup/folder.ts'),
    import('../database/backup/archive.ts'),
  ])
  const removed = await removeOld(folder, keep, made)
  if (archive === undefined) return { removed }
  return { removed, removedSegments: await pruneArchive(archive, (await oldestBackup(folder)).manifest) }
}

const isoTime = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

/** The refusal to copy an operator's own PostgreSQL, with what its archiver says. */
async function otherTools(database: Queryable): Promise<OperatorError> {
  const [row] = await database.query(
    // Without functions of ours: the database may be empty.
    `select current_setting('archive_mode'), last_archived_wal, ${isoTime('last_archived_time')}, last_failed_wal, ${isoTime('last_failed_time')}
     from pg_stat_archiver`,
  )
  const [mode, archived, archivedAt, failed, failedAt] = row as (string | null)[]
  const parts = [
    mode === 'off'
      ? 'archive_mode is off there, so it cannot be restored to a point in time'
      : `archive_mode is ${mode}`,
    ...(archived === null ? [] : [`${archived} was archived at ${archivedAt}`]),
    ...(failed === null ? [] : [`archiving ${failed} failed at ${failedAt}`]),
  ]
  return new OperatorError(
    `DATABASE_URL names a PostgreSQL of your own: back it up with its own tools, such as pgBackRest, Barman or WAL-G. Its archiver: ${parts.join('; ')}.`,
  )
}

/** What a backup says of itself. */
const about = ({ until, cashwrap, postgres, migration, secretKey, files }: BackupManifest) => ({
  until,
  files: files.length,
  cashwrap,
  postgres,
  migration,
  secretKey,
})

interface Said extends ReturnType<typeof about>, RemovedBackups {
  readonly folder: string
  readonly bytes: number
}

const linesOf = (said: Said) => ({
  Folder: said.folder,
  Size: `${(said.bytes / 1e6).toFixed(1)} MB in ${said.files} files`,
  'Everything until': said.until,
  'Secret key': `${said.secretKey ?? 'none yet'} (its fingerprint; the key itself is not in the backup)`,
  Removed: said.removed.length > 0 ? said.removed.join(', ') : undefined,
  'Removed from the archive': said.removedSegments ? `${said.removedSegments} segments` : undefined,
})

async function verify(path: string, output: Output): Promise<void> {
  const { verifyBackup } = await import('../database/backup/verify.ts')
  const { folder, manifest, checked } = await withProgress((progress) =>
    verifyBackup(path, { progress, log: printNote }),
  )
  const said = { folder, ...about(manifest), ...checked }
  print(output, said, () => sheet('The backup is good', verified(said)))
}

const verified = (said: ReturnType<typeof about> & CheckedDatabase & { folder: string }) => ({
  Folder: said.folder,
  'Everything until': said.until,
  Checked: `${said.files} files, ${said.tables} tables, ${said.indexes} indexes`,
  Companies: String(said.rows.companies ?? 0),
  Rows: String(Object.values(said.rows).reduce((sum, rows) => sum + rows, 0)),
})
