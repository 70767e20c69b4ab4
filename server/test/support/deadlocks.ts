// Counts deadlocks: the service retries them, so no answer shows one, but each costs a second.
import type { Queryable } from '../../src/database/connect.ts'

/** The deadlocks that PostgreSQL has resolved in the database so far. */
export async function deadlocksIn(database: Queryable): Promise<number> {
  await database.query('select pg_stat_force_next_flush()')
  const [row] = await database.query('select deadlocks from pg_stat_database where datname = current_database()')
  return Number(row?.[0])
}
