// Migrates a database to the schema that this version needs: numbered SQL files, each applied once, under a lock that several servers share.
//
// A server whose newest migration is N may start on a database with newer ones if each of these names N or an older one as its
// oldest server (`-- Oldest server: N`). Without that line only servers that know the migration may start; those that run go on.
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, DatabaseError } from 'pg'
import { OperatorError } from '../core/operator-error.ts'
import { liftDeadlines, queryable } from './alone.ts'
import { type Database, isMissingTable, isRaceFault, type Queryable } from './connect.ts'
import { refuseSharedSessions } from './pooler.ts'
import { dropRowViews, keepRowViews } from './row-security/views.ts'
import { dependentsOf, dropViews } from './sql-readers.ts'

const folder = new URL('./migrations/', import.meta.url)
/** Key of the advisory lock of what changes tables; any number with no other use. */
export const migrationLock = 7_270_115_401

interface Migration {
  readonly number: number
  readonly name: string
}

async function migrations(): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_.*\.sql$/.test(file)).sort()
  return files.map((name) => ({ number: Number(name.slice(0, 4)), name }))
}

/** The number of this version's newest migration. */
export const newestMigration = async (): Promise<number> => (await knownNumbers()).at(-1) ?? 0

/** The names of all tables and sequences that migrations have ever created, of this version and earlier ones: others are the operator's own. */
export async function namesOfMigrations(): Promise<ReadonlySet<string>> {
  const texts = await Promise.all((await migrations()).map(({ name }) => readFile(new URL(name, folder), 'utf8')))
  return new Set(
    [...texts.join('\n').matchAll(/^create (?:table|unlogged table|sequence) (\w+)/gm)].map(
      ([, name]) => name as string,
    ),
  )
}

/** Read once: the files do not change under a running program. */
let numbers: Promise<number[]> | undefined
function knownNumbers(): Promise<number[]> {
  numbers ??= migrations().then((known) => known.map(({ number }) => number))
  return numbers
}

/**
 * Whether a database has all migrations of this version. It does not while it is being restored, or after an older
 * database took its place. It may have more, from a newer version.
 */
export async function isMigrated(database: Queryable): Promise<boolean> {
  const known = await knownNumbers()
  const text = 'select count(*)::int from migrations where number = any ($1)'
  try {
    const [row] = await database.query({ name: 'migrated', text }, [known])
    return row?.[0] === known.length
  } catch (error) {
    if (isMissingTable(error)) return false
    throw error
  }
}

/**
 * A statement that waits for a lock blocks all later users of the table; between two tries they continue. Well above
 * `deadlock_timeout` (1 s): only after that wait does PostgreSQL cancel an autovacuum in the way.
 */
const lockTimeoutMs = 2_000
/** Between two tries at first, doubled each time, and at most: beside a dump of an hour, writes wait two seconds of a minute. */
const pauseMs = 1_000
const pauseMostMs = 60_000

/**
 * Applies what is missing, up to the migration with the number `newest`, and returns its names; calls `waits` once with
 * the reason of a wait. Throws OperatorError when the database is newer, too old, or not UTF-8.
 */
export async function migrate(
  database: Database,
  waits: (message: string) => void = () => {},
  newest = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const known = (await migrations()).filter(({ number }) => number <= newest)
  const client = await database.connectAlone()
  const { query } = queryable(client)
  try {
    const [row] = await query(
      `select current_setting('server_version_num')::int, current_setting('server_encoding'), current_setting('server_version')`,
    )
    const [version, encoding, versionText] = row as [number, string, string]
    if (version < 150_000) throw new OperatorError(`PostgreSQL ${versionText} is too old; Cashwrap needs 15 or newer.`)
    if (encoding !== 'UTF8')
      throw new OperatorError(
        `The database is encoded in ${encoding}; Cashwrap needs UTF8. Create another: create database … encoding 'UTF8' template template0.`,
      )
    await refuseSharedSessions(database, client)
    // Commands often start at the same time, so take the lock only when there is something to apply.
    if (missingOf(known, await appliedNumbers(query)).length === 0) return []
    await liftDeadlines(client)
    const [lock] = await query(`select pg_try_advisory_lock(${migrationLock})`)
    if (!lock?.[0]) {
      waits('Waiting for another program that brings the database up to date.')
      await query(`select pg_advisory_lock(${migrationLock})`)
    }
    await query(
      'create table if not exists migrations (number integer primary key, name text not null, applied_at timestamptz not null default now())',
    )
    // Only if it is missing: it would wait for each transaction that has read the table, such as a dump, and servers that ask whether they are ready behind it.
    const [hasOldest] = await query(
      `select from pg_attribute where attrelid = 'migrations'::regclass and attname = 'oldest_server'`,
    )
    if (hasOldest === undefined) await query('alter table migrations add column oldest_server integer')
    const missing = missingOf(known, await appliedNumbers(query))
    for (const { number, name } of missing) {
      const sql = await readFile(new URL(name, folder), 'utf8')
      for (let tries = 0; !(await applyMigration(client, { number, name }, sql)); tries++) {
        if (tries === 0)
          waits(
            `Migration ${name} waits for a transaction or a vacuum that locks what it changes; retrying within a minute each time. ${await oldestTransaction(query)}`,
          )
        await delay(Math.min(pauseMs * 2 ** tries, pauseMostMs))
      }
    }
    return missing.map(({ name }) => name)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Says which transaction has been open longest: it is the one that a migration waits for, or leads to it. */
async function oldestTransaction(query: Queryable['query']): Promise<string> {
  // Without pg_read_all_stats, PostgreSQL does not show when transactions of other roles began.
  const [oldest] = await query(
    `select pid, usename, nullif(application_name, ''), to_char(xact_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
     from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
     order by xact_start limit 1`,
  )
  const all = 'pg_stat_activity shows what is open.'
  if (oldest === undefined) return all
  const [pid, usename, program, since] = oldest
  const who = [usename, program].filter((name) => name !== null).join(', ') || 'autovacuum'
  return `The oldest open transaction is that of process ${pid} (${who}), since ${since}; ${all}`
}

/** The applied migrations, each with its oldest server; empty for a new database. */
async function appliedNumbers(query: Queryable['query']): Promise<ReadonlyMap<number, number>> {
  const [found] = await query(`select to_regclass('migrations') is not null`)
  if (!found?.[0]) return new Map()
  // The column is missing if only versions before it have migrated.
  const oldest = `coalesce((to_jsonb(migrations) ->> 'oldest_server')::integer, number)`
  return new Map((await query(`select number, ${oldest} from migrations`)) as [number, number][])
}

/** The migrations still to apply. Throws OperatorError if the database has one on which this version may not start. */
function missingOf(known: readonly Migration[], applied: ReadonlyMap<number, number>): Migration[] {
  const newest = known.at(-1)?.number ?? 0
  const highest = Math.max(0, ...applied.keys())
  if (Math.max(0, ...[...applied].map(([number, oldest]) => (number > newest ? oldest : 0))) > newest)
    throw new OperatorError(
      `The database was created by a newer version of Cashwrap (migration ${highest}; this version knows ${newest}). Start that version or a newer one.`,
    )
  return known.filter(({ number }) => !applied.has(number))
}

/**
 * A migration as it is sent: as a whole, or statement by statement if tables are distributed, since Citus sends each
 * statement to other nodes separately.
 */
async function partsOf({ query }: Queryable, sql: string): Promise<string[]> {
  const [row] = await query(`select to_regclass('pg_dist_partition') is not null`)
  if (!row?.[0]) return [sql]
  // Triggers of distributed tables read and write rows of the same company only, which are on the same node.
  await query('set local citus.enable_unsafe_triggers = on')
  // Nodes wait for a lock as long as this one does.
  await query(`set local citus.propagate_set_commands = 'local'`)
  // Functions and tables of one transaction can be changed on one connection to each node only.
  await query(`set local citus.multi_shard_modify_mode = 'sequential'`)
  return statementsOf(sql)
}

/** The statements of a migration, without its comments. */
const statementsOf = (sql: string): string[] =>
  sql
    .replaceAll(/(\$(\w*)\$[\s\S]*?\$\2\$|'[^']*')|--.*|;/g, (text, quoted) => quoted ?? (text === ';' ? '\0' : ''))
    .split('\0')
    .filter((statement) => /\S/.test(statement))

/**
 * The statements of a migration, without its comments, if one of them changes tables; empty if all read and write rows,
 * make indexes, or set how a table is vacuumed. If one does, the others count too: a migration that holds a table and waits for another could
 * deadlock with a request that uses both.
 */
function changesOf(sql: string): string {
  const statements = statementsOf(sql)
  const keepsTables = /^\s*((select|insert|update|delete|with|create (unique )?index)\s|alter table \w+ set \()/i
  return statements.every((statement) => keepsTables.test(statement)) ? '' : statements.join(';\n')
}

/**
 * Carries out the parts of a migration. Views of row-level security are dropped until its end: those of the tables that
 * its changes name, or all if another view depends on what it changes.
 */
async function carryOut(transaction: Queryable, parts: readonly string[], changes: string): Promise<void> {
  await dropRowViews(transaction, changes)
  await transaction.query('savepoint beside_views')
  try {
    for (const part of parts) await transaction.query(part)
  } catch (error) {
    if (!isHeldByViews(error)) throw error
    await transaction.query('rollback to savepoint beside_views')
    await dropRowViews(transaction)
    for (const part of parts) await transaction.query(part)
  }
}

/** True when a view, or something else, depends on what is dropped, or on a column whose type changes. */
const isHeldByViews = (error: unknown): boolean => /^(2BP01|0A000)$/.test(String((error as { code?: string }).code))

/**
 * Applies a migration. If another transaction blocks it for long, it applies nothing and returns false. Tests apply
 * their own.
 */
export async function applyMigration(client: Client, { number, name }: Migration, sql: string): Promise<boolean> {
  const transaction = queryable(client)
  const { query } = transaction
  await query('begin')
  try {
    const parts = await partsOf(transaction, dropViews + sql)
    await query(`set local lock_timeout = ${lockTimeoutMs}`)
    await carryOut(transaction, parts, changesOf(sql))
    await keepRowViews(transaction)
    const oldest = /^-- Oldest server: (\d{4})$/m.exec(sql)?.[1] ?? number
    await query('insert into migrations (number, name, oldest_server) values ($1, $2, $3)', [number, name, oldest])
    await query('commit')
    return true
  } catch (error) {
    const dependents = dependentsOf(error)
    if (dependents !== undefined) throw new OperatorError(`Migration ${name} cannot be applied. ${dependents}`)
    if (isRaceFault(error)) {
      await query('rollback')
      return false
    }
    if (error instanceof DatabaseError) error.message = `migration ${name} failed and changed nothing: ${error.message}`
    throw error
  }
}
