// Keeps the events table in weekly partitions, made ahead of time and dropped after 30 days, so that no event is ever deleted by a scan.
import type { Database } from '../../database/connect.ts'

const weekMs = 7 * 24 * 60 * 60 * 1000
/** Days that events are kept (decisions §9). */
const keptDays = 30
/** Weeks for which partitions stand ready; a server that was away longer writes into the default partition. */
const weeksAhead = 8

const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)
const nameOf = (time: number) => `events_${dateOf(time).replaceAll('-', '')}`

/**
 * Makes the partitions of the coming weeks and drops those that ended over 30 days ago. Several servers may do it at once.
 * Each step waits for the table only a moment and is left for the next time else: a backup reads the table for long, and
 * every write would queue behind us. Meanwhile rows go to the default partition, from which they move when theirs is made.
 */
export async function keepPartitions(database: Database): Promise<void> {
  // The database's clock, so that no server whose clock is wrong drops what is to be kept.
  const [row] = await database.query(`select (extract(epoch from now()) * 1000)::bigint`)
  const now: number = row?.[0]
  // Weeks are counted from 1970-01-01, so that all servers cut at the same days.
  const thisWeek = Math.floor(now / weekMs) * weekMs
  const rows = await database.query(
    `select relid::regclass::text from pg_partition_tree('events') where isleaf and relid::regclass::text ~ '^events_[0-9]{8}$'`,
  )
  const existing = new Set(rows.map(([name]) => name as string))
  for (let week = 0; week < weeksAhead; week++) {
    const from = thisWeek + week * weekMs
    if (!existing.has(nameOf(from))) await step(database, partitionOf(from))
  }
  const oldest = nameOf(now - keptDays * 24 * 60 * 60 * 1000 - weekMs)
  for (const name of existing) if (name < oldest) await step(database, [`drop table if exists ${name}`])
}

/** A table of the week's form, filled with what the default partition holds of that week, then made a part of the whole. */
function partitionOf(from: number): string[] {
  const name = nameOf(from)
  const [first, end] = [dateOf(from), dateOf(from + weekMs)]
  return [
    `create table ${name} (like events including defaults including constraints including indexes)`,
    `with moved as (
       delete from events_default where created_at >= '${first}' and created_at < '${end}' returning *
     ) insert into ${name} select * from moved`,
    `alter table events attach partition ${name} for values from ('${first}') to ('${end}')`,
  ]
}

async function step(database: Database, statements: readonly string[]): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query(`set local lock_timeout = '200ms'; select pg_advisory_xact_lock(7270115402)`)
    for (const statement of statements) await transaction.query(statement)
  })
}
