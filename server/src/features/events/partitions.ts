// Keeps 30 days of events and webhook deliveries in weekly partitions: created ahead, and dropped when they are old, so
// that no scan deletes rows.
import { setTimeout as delay } from 'node:timers/promises'
import { OperatorError } from '../../core/operator-error.ts'
import { type Database, isRaceFault, type Queryable } from '../../database/connect.ts'
import { refuseCursorsBeforeEndOf } from './gaps.ts'

const dayMs = 24 * 60 * 60 * 1000
const weekMs = 7 * dayMs
/** Days that rows are kept (decisions §9): both by the clock, and as days on which the service ran. */
const keptDays = 30
/** Weeks for which partitions exist in advance; a server that was away longer writes to the default partition. */
const weeksAhead = 8

/** Milliseconds between two tries to create the partition of a past week, and how many there are: half a minute. */
const PAST_PAUSE_MS = 500
const PAST_TRIES = 60

/** A partitioned table: the column of its ranges, and how that column encodes a time. */
interface Partitioned {
  readonly table: string
  readonly column: string
  readonly boundAt: (time: number) => string
}

const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)
const tables: readonly Partitioned[] = [
  { table: 'events', column: 'created_at', boundAt: dateOf },
  // Ids begin with the seconds in hexadecimal (core/ids.ts).
  { table: 'webhook_deliveries', column: 'id', boundAt: (time) => (time / 1000).toString(16).padStart(8, '0') },
]

const nameOf = (table: string, time: number) => `${table}_${dateOf(time).replaceAll('-', '')}`

/**
 * Creates the partitions of the coming weeks, and drops those that ended over 30 days ago and have none of the last 30
 * days on which the service ran: a clock that jumps ahead drops nothing until it was wrong for 30 days. Several servers
 * may do it at once. Each step waits only a moment for the table, and is otherwise left for the next run: a backup reads
 * the table for a long time, and every write would queue behind this step. Meanwhile rows go to the default partition,
 * and move when their own is created.
 */
export async function keepPartitions(database: Database): Promise<void> {
  // The database's clock, so that a server with a wrong clock does not drop rows too early.
  const [row] = await database.query(`select (extract(epoch from now()) * 1000)::bigint`)
  const now = row?.[0] as number
  const days = await countToday(database, now)
  let failure: unknown
  // A step that fails now must not stop the others.
  for (const table of tables)
    await keep(database, table, { now, days }).catch((error) => {
      failure ??= error
    })
  if (failure !== undefined) throw failure
}

/** Counts this day as one on which the service runs, and returns the last 30 such days: their times, the newest first. */
async function countToday(database: Database, now: number): Promise<number[]> {
  await database.query(
    `insert into service_days (day, number) select $1, coalesce(max(number), 0) + 1 from service_days on conflict do nothing`,
    [dateOf(now)],
  )
  await database.query('delete from service_days where number <= (select max(number) from service_days) - $1', [
    keptDays,
  ])
  const rows = await database.query('select day::text from service_days order by number desc')
  return rows.map(([day]) => Date.parse(day))
}

/** The time of the database, and days on which the service ran. */
interface Clock {
  readonly now: number
  readonly days: readonly number[]
}

async function keep(database: Database, partitioned: Partitioned, { now, days }: Clock): Promise<void> {
  const { table } = partitioned
  // Weeks are counted from 1970-01-01, so that all servers cut at the same days.
  const weekOf = (time: number) => Math.floor(time / weekMs) * weekMs
  const rows = await database.query(
    `select relid::regclass::text from pg_partition_tree('${table}') where isleaf and relid::regclass::text ~ '^${table}_[0-9]{8}$'`,
  )
  const existing = new Set(rows.map(([name]) => name as string))
  for (let week = 0; week < weeksAhead; week++) {
    const from = weekOf(now) + week * weekMs
    if (!existing.has(nameOf(table, from))) await step(database, (transaction) => make(transaction, partitioned, from))
  }
  const served = new Set(days.map((day) => nameOf(table, weekOf(day))))
  const oldest = nameOf(table, now - keptDays * dayMs - weekMs)
  for (const name of existing)
    if (name < oldest && !served.has(name)) await step(database, (transaction) => drop(transaction, table, name))
}

/** Drops a partition; readers that have not read its events get an error from then on. */
async function drop(transaction: Queryable, table: string, name: string): Promise<void> {
  // Another server may have dropped it meanwhile.
  const [isThere] = await transaction.query('select 1 from pg_inherits where inhrelid = to_regclass($1)', [name])
  if (isThere === undefined) return
  if (table === 'events') await refuseCursorsBeforeEndOf(transaction, name)
  await transaction.query(`drop table ${name}`)
}

/**
 * Creates the partitions of past weeks, for old events that are about to be written. Partitions of more than 30 days
 * ago are dropped at the next run. Waits some time for readers of the events.
 */
export async function makePastPartitions(database: Database, since: string, until: string): Promise<void> {
  const [events] = tables as [Partitioned]
  const end = Math.min(Date.parse(until), Date.now())
  for (let week = Math.floor(Date.parse(since) / weekMs) * weekMs; week < end; week += weekMs)
    for (let tries = 1; ; tries++)
      try {
        await step(database, (transaction) => make(transaction, events, week))
        break
      } catch (error) {
        if (!isRaceFault(error)) throw error
        if (tries === PAST_TRIES)
          throw new OperatorError(
            'Events were being read for too long, so the partitions of past weeks could not be created. Run the command again.',
          )
        await delay(PAST_PAUSE_MS)
      }
}

/** Creates a partition, fills it with the week's rows of the default partition, and attaches it. */
async function make(transaction: Queryable, { table, column, boundAt }: Partitioned, from: number): Promise<void> {
  const name = nameOf(table, from)
  // Another server that starts at the same time may have created it meanwhile.
  const [there] = await transaction.query('select 1 from pg_inherits where inhrelid = to_regclass($1)', [name])
  if (there !== undefined) return
  const first = boundAt(from)
  const end = boundAt(from + weekMs)
  // A detached partition still exists, and is attached again.
  await transaction.query(
    `create table if not exists ${name} (like ${table} including defaults including constraints including indexes including generated)`,
  )
  const [row] = await transaction.query(
    `select string_agg(attname, ', ') from pg_attribute
     where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  )
  // Generated columns are generated again.
  const columns = row?.[0]
  await transaction.query(
    `with moved as (
       delete from ${table}_default where ${column} >= '${first}' and ${column} < '${end}' returning ${columns}
     ) insert into ${name} (${columns}) select * from moved`,
  )
  await transaction.query(`alter table ${table} attach partition ${name} for values from ('${first}') to ('${end}')`)
}

async function step(database: Database, work: (transaction: Queryable) => Promise<void>): Promise<void> {
  await database.transaction(async (transaction) => {
    // Waits longer for another server that does the same, since it locks the table no longer than this one.
    await transaction.query('select pg_advisory_xact_lock(7270115402)')
    // Each node waits too. Citus sends a setting to nodes as the text of its statement, so this must be a separate
    // statement.
    if (transaction.isSharded) await transaction.query(`set local citus.propagate_set_commands = 'local'`)
    await transaction.query(`set local lock_timeout = '200ms'`)
    await work(transaction)
  })
}
