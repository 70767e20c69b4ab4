// Lends a connection of its own for long work, such as one snapshot or one transaction over everything that a company has.
import type pg from 'pg'
import { type Database, type Queryable, unavailableIfLost } from './connect.ts'

/**
 * Takes away the deadlines that the role may have, such as those for connections through a pooler. Only for a connection that no
 * pooler shares: others would lose theirs.
 */
export const liftDeadlines = (client: pg.Client) =>
  // PostgreSQL has `transaction_timeout` since version 17.
  client.query(
    `select set_config(name, '0', false) from pg_settings
     where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`,
  )

/**
 * Runs `work` on a connection of its own, without deadlines, and ends it. Throws `unavailable` if it is lost. Once
 * `signal` is aborted, the connection is cut, whatever statement is running, and the signal's reason is thrown.
 */
export async function withConnection<T>(
  database: Database,
  work: (client: pg.Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  let client: pg.Client | undefined
  const cut = () => client?.connection.stream.destroy()
  try {
    client = await database.connectAlone()
    signal?.throwIfAborted()
    signal?.addEventListener('abort', cut)
    await liftDeadlines(client)
    return await work(client)
  } catch (error) {
    signal?.throwIfAborted()
    throw unavailableIfLost(error)
  } finally {
    signal?.removeEventListener('abort', cut)
    await client?.end().catch(() => {})
  }
}

/** The transaction of such a connection, for functions that take one. */
export const queryable = (client: pg.Client): Queryable => ({
  inTransaction: true,
  // Its statements name one company, or are about the whole database.
  isSharded: false,
  query: async (statement, values = []) => {
    const { text } = typeof statement === 'string' ? { text: statement } : statement
    return (await client.query({ rowMode: 'array', text, values: [...values] })).rows
  },
})
