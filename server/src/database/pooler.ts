// Refuses a pooler, such as PgBouncer, that would silently break notifications, session locks or named statements.
import pg, { type Client } from 'pg'
import { OperatorError } from '../core/operator-error.ts'
import { queryable } from './alone.ts'
import { type Connection, type Database, wayOf } from './connect.ts'
import { connectionError } from './connection-error.ts'
import { reasonOf } from './errors.ts'
import type { Statement } from './statement.ts'

/** PostgreSQL's process behind a connection. */
async function processOf(client: Client): Promise<number> {
  const [row] = await queryable(client).query('select pg_backend_pid()')
  return row?.[0]
}

/** Whether a client is connected to PostgreSQL directly: a pooler gives clients a made-up process number. */
const isDirect = (client: Client, process: number): boolean =>
  // The driver has the number, but not its types.
  process === (client as unknown as { processID: number }).processID

/** Times that two connections are compared, since a pooler under load lends them different processes by chance. */
const COMPARED = 20

/**
 * Throws OperatorError if two connections outside the pool share a process of PostgreSQL, or if one changes its
 * process: then a pooler in transaction mode is in between.
 */
export async function refuseSharedSessions(database: Database, client: Client): Promise<void> {
  const own = await processOf(client)
  if (isDirect(client, own)) return
  const other = await database.connectAlone()
  try {
    for (let times = 0; ; times++) {
      if (times === COMPARED) return
      await other.query('begin')
      // While the transaction keeps its process, a pooler lends another one.
      const others = await processOf(other)
      const now = await processOf(client)
      await other.query('commit')
      if (others === own || now !== own) break
    }
  } finally {
    await other.end().catch(() => {})
  }
  throw new OperatorError(
    'DATABASE_URL leads through a pooler in transaction mode, which loses notifications and locks of sessions. Set DATABASE_DIRECT_URL to PostgreSQL itself, or to the pooler in session mode.',
  )
}

/** Milliseconds that a start waits for the sessions of a pooler. */
const SESSIONS_MS = 3_000
/** Connections that a start already has open. */
const OPEN = 2

/**
 * How many of a server's connections for one role a pooler in session mode cannot serve at the same time; 0 without a
 * pooler. Without this check, requests would fail only under load, and the log could not explain it. All are missing if no
 * further connection is served, such as when PostgreSQL has none left.
 */
export async function missingSessions(connection: Connection, count: number): Promise<number> {
  const settings = { ...wayOf(connection).settings, query_timeout: SESSIONS_MS, connectionTimeoutMillis: SESSIONS_MS }
  const clients = Array.from({ length: count - OPEN }, () => new pg.Client(settings))
  const [first, ...others] = clients as [Client, ...Client[]]
  const processes = async (client: Client) => {
    client.on('error', () => {})
    await client.connect()
    return processOf(client)
  }
  try {
    const own = await processes(first).catch(() => undefined)
    if (own === undefined) return clients.length
    if (isDirect(first, own)) return 0
    const served = await Promise.allSettled(others.map(processes))
    return served.filter(({ status }) => status === 'rejected').length
  } finally {
    for (const client of clients) client.end().catch(() => {})
  }
}

const named: Statement = { name: 'pooler_probe', text: 'select 1' }

/**
 * Throws OperatorError if a pooler does not keep named statements apart: two clients that prepare one of the same name get the same
 * process, one after the other.
 */
export async function refuseLostStatements(database: Database): Promise<void> {
  try {
    for (const pool of [database, database.reserved, database]) await pool.query(named)
  } catch (error) {
    // 42P05: it exists already; 26000: it does not exist.
    if (!/^(42P05|26000)$/.test(String(reasonOf(error).code))) throw error
    throw new OperatorError(
      'The pooler of DATABASE_URL does not support named statements. Use PgBouncer 1.21 or newer with max_prepared_statements = 200, or session mode.',
    )
  }
}

/** The database, and the settings that it lacks of those which each connection has otherwise. */
const compared = `select (select system_identifier from pg_control_system()) || '/' || current_database(), (
  select string_agg(name, ', ' order by name) from pg_settings
  where (name, setting) in (('statement_timeout', '0'), ('idle_in_transaction_session_timeout', '0'), ('jit', 'on'), ('synchronous_commit', 'off'))
    or name = 'TimeZone' and setting not in ('UTC', 'Etc/UTC'))`

/**
 * Throws OperatorError if the pooler leads to another database than the direct URL, since notifications would be lost,
 * or if the role lacks the settings that shared connections cannot make. It checks before the first migration.
 */
export async function checkPooled(database: Database, { direct, ...rest }: Connection): Promise<void> {
  const aside = { ...rest, connectionString: direct as string }
  const client = await database.connectAlone().catch((error) => {
    throw connectionError(error, aside, 'DATABASE_DIRECT_URL')
  })
  try {
    const [[past] = []] = await queryable(client).query(compared)
    const [[pooled, lacking] = []] = await database.query(compared)
    if (pooled !== past)
      throw new OperatorError(
        `DATABASE_DIRECT_URL leads to another database (${past}) than DATABASE_URL (${pooled}). Set both to the same one.`,
      )
    if (lacking !== null)
      throw new OperatorError(
        `The role of DATABASE_URL needs settings for its connections through a pooler: ${lacking}. Set them by ALTER ROLE (docs/clusters.md, Poolers), then RECONNECT the pooler.`,
      )
  } finally {
    await client.end().catch(() => {})
  }
}
