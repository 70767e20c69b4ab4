// Keeps the events table in weekly partitions, made ahead of time and dropped after 30 days, so that no event is ever deleted by a scan.
import type { Database } from '../../database/connect.ts'

const weekMs = 7 * 24 * 60 * 60 * 1000
/** Days that events are kept (decisions §9). */
const keptDays = 30
/** Weeks for which partitions stand ready; a server that was away longer writes into the default partition. */
const weeksAhead = 8

const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)
const nameOf = (time: number) => `events_${dateOf(time).replaceAll('-', '')}`

/** Makes the partitions of the coming weeks and drops those that ended over 30 days ago. Several servers may do it at once. */
export async function keepPartitions(database: Database, now = Date.now()): Promise<void> {
  // Weeks are counted from 1970-01-01, so that all servers cut at the same days.
  const thisWeek = Math.floor(now / weekMs) * weekMs
  await database.transaction(async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock(7270115402)')
    const rows = await transaction.query(
      `select relid::regclass::text from pg_partition_tree('events') where isleaf and relid::regclass::text ~ '^events_[0-9]{8}$'`,
    )
    const existing = new Set(rows.map(([name]) => name as string))
    for (let week = 0; week < weeksAhead; week++) {
      const from = thisWeek + week * weekMs
      if (!existing.has(nameOf(from)))
        await transaction.query(
          `create table ${nameOf(from)} partition of events for values from ('${dateOf(from)}') to ('${dateOf(from + weekMs)}')`,
        )
    }
    const oldest = nameOf(now - keptDays * 24 * 60 * 60 * 1000 - weekMs)
    for (const name of existing) if (name < oldest) await transaction.query(`drop table ${name}`)
  })
}
