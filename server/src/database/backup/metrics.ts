// The ages of the last backup and of the last archived segment, for those that watch over them.

import { type Family, readFamily } from '../../metrics/instruments.ts'
import type { Queryable } from '../connect.ts'

/** Seconds since then; undefined if it never happened. */
export interface BackupAges {
  readonly backup: number | undefined
  readonly archived: number | undefined
  /** Whether archiving has given up, or its last attempt failed. */
  readonly isArchiveBroken: boolean
}

/** Reads how old the last backup and the last archived segment are. */
export async function readBackupAges(database: Queryable): Promise<BackupAges> {
  const [row] = await database.query(
    `select extract(epoch from now() - (select max(finished_at) from backups))::float8,
       extract(epoch from now() - last_archived_time)::float8,
       exists (select from archive_gaps where ended_at is null)
         or current_setting('archive_mode') <> 'off' and coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false)
     from pg_stat_archiver`,
  )
  const [backup, archived, isArchiveBroken] = row as [number | null, number | null, boolean]
  return { backup: backup ?? undefined, archived: archived ?? undefined, isArchiveBroken }
}

/** The metrics; an age is absent if there is none. */
export async function backupFamilies(database: Queryable): Promise<Family[]> {
  const { backup, archived, isArchiveBroken } = await readBackupAges(database)
  const age = (name: string, help: string, seconds: number | undefined) =>
    seconds === undefined ? [] : [readFamily({ name, help }, seconds)]
  return [
    ...age(
      'cashwrap_backup_age_seconds',
      'Seconds since the last `cashwrap backup` of this database; absent if there is none.',
      backup,
    ),
    ...age(
      'cashwrap_archive_age_seconds',
      'Seconds since the last segment of the log was archived; absent if none was.',
      archived,
    ),
    readFamily(
      { name: 'cashwrap_archive_broken', help: 'Whether the log should be archived and is not: 1 or 0.' },
      isArchiveBroken ? 1 : 0,
    ),
  ]
}
