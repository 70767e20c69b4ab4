// What is known of backups and of the archive of the log, read at a scrape.
import { type Family, readFamily } from '../../metrics/instruments.ts'
import type { Queryable } from '../connect.ts'

/**
 * Ages of the last backup and of the last archived segment, and what a restore or a full archive left to be done. Until its first
 * backup, an embedded database counts from its creation, so that an operator who never made a backup is alerted too.
 */
export async function backupFamilies(database: Queryable, isEmbedded = false): Promise<Family[]> {
  const [row] = await database.query(
    // Not one from the future, made while the clock was wrong: with it, backups that fail would look new until then.
    `select extract(epoch from now() - coalesce((select max(finished_at) from backups where finished_at <= now()),
         case when $1 then (select min(applied_at) from migrations) end))::float8,
       extract(epoch from now() - (select last_archived_time from pg_stat_archiver))::float8,
       (select count(*) from archive_gaps where ended_at is null)::int + (select count(*) from pg_stat_archiver
         where current_setting('archive_mode') <> 'off' and (last_failed_time > coalesce(last_archived_time, '-infinity')
           or current_setting('archive_library') || current_setting('archive_command') = ''))::int,
       (select count(*) from restores where webhooks_resumed_at is null)::int`,
    [isEmbedded],
  )
  const [backup, segment, gaps = 0, silent = 0] = row ?? []
  // Cashwrap does not back up this database, so no sample.
  const age = (seconds: number | null) => (seconds == null ? [] : [{ value: Math.max(0, seconds), labels: {} }])
  return [
    readFamily(
      {
        name: 'cashwrap_last_backup_age_seconds',
        help: 'Seconds since the last `cashwrap backup` ended; before the first, since the embedded database was created. Absent for a PostgreSQL of your own.',
      },
      age(backup),
    ),
    readFamily(
      {
        name: 'cashwrap_last_archived_segment_age_seconds',
        help: 'Seconds since PostgreSQL archived a segment of its log; absent where it has archived none.',
      },
      age(segment),
    ),
    readFamily(
      { name: 'cashwrap_archive_interrupted', help: 'Whether the log should be archived and is not: 1 or 0.' },
      Math.min(1, gaps),
    ),
    readFamily(
      {
        name: 'cashwrap_webhooks_silent',
        help: 'Whether neither webhooks are sent nor the payment processor is called, since the database was restored or loaded and calls were not resumed: 1 or 0.',
      },
      Math.min(1, silent),
    ),
  ]
}
