// Ends sessions of logins for SQL that work for too long: a login can switch off the deadlines that PostgreSQL keeps for it.
import { type BackgroundLoop, backgroundLoop, type Failed } from '../../concurrency/background-loop.ts'
import type { Queryable } from '../../database/connect.ts'
import { SQL_STATEMENT_SECONDS, SQL_TRANSACTION_SECONDS } from './limits.ts'
import { loginPrefix } from './views.ts'

/** Milliseconds between two looks, and after a failed one. */
const LOOK_MS = 5_000
const AFTER_FAILURE_MS = 60_000
/** Seconds that PostgreSQL has to cancel a statement by itself, which keeps the session. */
const GRACE_SECONDS = 5

/**
 * Ends sessions whose statement or transaction is too old, and those that hold a lock by which servers coordinate: no reader takes one. They are
 * ended and not cancelled, since a block of code can catch that it is cancelled.
 */
const endLong = `
  select pg_terminate_backend(pid) from pg_stat_activity as session
  where starts_with(usename::text, $1) and datname = current_database() and (
    state = 'active' and query_start < now() - make_interval(secs => $2)
    or xact_start < now() - make_interval(secs => $3)
    or exists (select from pg_locks where pg_locks.pid = session.pid and locktype = 'advisory'))`

/** Looks once. Returns how many sessions it ended. */
export async function endLongSessions(
  database: Queryable,
  { statementSeconds = SQL_STATEMENT_SECONDS + GRACE_SECONDS, transactionSeconds = SQL_TRANSACTION_SECONDS } = {},
): Promise<number> {
  const ended = await database.query({ name: 'sql_sessions', text: endLong }, [
    loginPrefix,
    statementSeconds,
    transactionSeconds,
  ])
  return ended.length
}

/** Looks from time to time, until it is stopped. */
export function keepEndingSessions(database: Queryable, failed: Failed): BackgroundLoop {
  const work = async () => {
    await endLongSessions(database)
    return LOOK_MS
  }
  const loop = backgroundLoop(work, failed, AFTER_FAILURE_MS)
  loop.schedule(LOOK_MS)
  return loop
}
