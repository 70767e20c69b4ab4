// What the feed reports, read at a scrape: how far its watermark is behind, and how many partitions are made ahead.
import type { Queryable } from '../../database/connect.ts'
import { type Family, readFamily } from '../../metrics/instruments.ts'

/** The lag of the watermark: how many numbers, and how much time, the oldest uncommitted writer holds it back. */
export async function feedFamilies(database: Queryable): Promise<Family[]> {
  const [row] = await database.query(
    `select coalesce(max((given - lock.objid::bigint) & 4294967295), 0)::float8,
       coalesce(max(greatest(0, extract(epoch from clock_timestamp() - writer.xact_start))), 0)::float8
     from event_position() as given
     cross join pg_locks as lock
     left join pg_stat_activity as writer on writer.pid = lock.pid
     where lock.locktype = 'advisory' and lock.objsubid = 2 and lock.objid <> 7 and lock.granted and lock.mode = 'ShareLock'
       and lock.database = (select oid from pg_database where datname = current_database())`,
  )
  const [events = 0, seconds = 0] = (row ?? []).map(Number)
  const tables = await database.query(
    `select parent, count(*) filter (
       where right(relid::regclass::text, 8) > to_char(now(), 'YYYYMMDD')
         and right(relid::regclass::text, 8) <= to_char(now() + interval '7 weeks', 'YYYYMMDD')
     ) from unnest(array['events', 'webhook_deliveries']) as parent, pg_partition_tree(parent::regclass)
     where isleaf and relid::regclass::text ~ '_[0-9]{8}$' group by parent order by parent`,
  )
  return [
    readFamily(
      {
        name: 'cashwrap_feed_watermark_lag_events',
        help: 'Events of all companies since the oldest write that has not committed: its company reads none of its own beyond it.',
      },
      events,
    ),
    readFamily(
      {
        name: 'cashwrap_feed_watermark_lag_seconds',
        help: 'Age of the oldest write that holds a watermark of the feed back; 0 if none does.',
      },
      seconds,
    ),
    readFamily(
      {
        name: 'cashwrap_partitions_ahead',
        help: 'Weekly partitions that exist for the coming seven weeks, by table; at 0 rows go to the default partition.',
      },
      tables.map(([table, count]) => ({ value: Number(count), labels: { table } })),
    ),
  ]
}
