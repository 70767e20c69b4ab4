// Refuses a pooler such as PgBouncer where it would break the service silently: notifications, locks of sessions, named statements.
import type { Client } from 'pg'
import { OperatorError } from '../core/operator-error.ts'
import type { Database } from './connect.ts'
import type { Statement } from './statement.ts'

/** PostgreSQL's process behind a connection. */
async function processOf(client: Client): Promise<number> {
  const { rows } = await client.query({ text: 'select pg_backend_pid()', rowMode: 'array' })
  return (rows[0] as unknown as [number])[0]
}

/**
 * Throws OperatorError if two connections of their own share a process of PostgreSQL: a pooler in transaction mode is between. A
 * pooler invents the number that clients are given, so a connection without one costs a statement more.
 */
export async function refuseSharedSessions(database: Database, client: Client): Promise<void> {
  const own = await processOf(client)
  // The number is in the driver, but not in its types.
  if (own === (client as unknown as { processID: number }).processID) return
  const other = await database.connectAlone()
  try {
    if ((await processOf(other)) !== own) return
  } finally {
    await other.end().catch(() => {})
  }
  throw new OperatorError(
    'DATABASE_URL leads through a pooler in transaction mode, which loses notifications and locks of sessions. Set DATABASE_DIRECT_URL to PostgreSQL itself, or to the pooler in session mode.',
  )
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
    if (!/^(42P05|26000)$/.test(String((error as { code?: unknown }).code))) throw error
    throw new OperatorError(
      'The pooler of DATABASE_URL does not support named statements. Use PgBouncer 1.21 or newer with max_prepared_statements = 200, or session mode.',
    )
  }
}
