// Ends sessions of logins for SQL that work for too long: a login can switch off the deadlines that PostgreSQL keeps for it.
import { type BackgroundLoop, backgroundLoop, type Failed } from '../../concurrency/background-loop.ts'
import type { Queryable } from '../../database/connect.ts'
import { isReader } from '../../database/sql-readers.ts'

/** Seconds of one statement: PostgreSQL cancels it, and the service ends sessions that switched this off. */
export const SQL_STATEMENT_SECONDS = 60
/** Seconds of one transaction: an open one keeps PostgreSQL from removing rows of every company. */
const SQL_TRANSACTION_SECONDS = 300
/** Hours of one session: an idle one keeps the files of a cursor that outlives its transaction. */
const SQL_SESSION_HOURS = 12

/** Milliseconds between two looks, and after a failed one. */
const LOOK_MS = 5_000
const AFTER_FAILURE_MS = 60_000
/** Seconds that PostgreSQL has to cancel a statement by itself, which keeps the session. */
const GRACE_SECONDS = 5
/** What the comment of a login says before a moment, in seconds of 1970. */
const oldSessions = 'Cashwrap ends sessions from before'

/**
 * Ends sessions whose statement or transaction is too old, and those that hold a lock by which servers coordinate: no reader takes one. They are
 * ended and not cancelled, since a block of code can catch that it is cancelled. Also ends sessions that should not
 * exist: those of an expired or closed role, or from before its password was set. Sessions in other databases count
 * too, since a login can open any that lets it in.
 */
const endLong = `
  select pg_terminate_backend(pid) from pg_stat_activity as session
  where ${isReader} and (
    state = 'active' and query_start < now() - make_interval(secs => $1)
    or xact_start < now() - make_interval(secs => $2)
    or backend_start < now() - make_interval(hours => $3)
    or exists (select from pg_locks where pg_locks.pid = session.pid and locktype = 'advisory')
    or exists (
      select from pg_roles where pg_roles.oid = usesysid and (
        not rolcanlogin or rolvaliduntil < now()
        or backend_start < to_timestamp(substring(shobj_description(usesysid, 'pg_authid') from '${oldSessions} ([0-9]{1,12}[.][0-9]{1,6})')::float8))))`

/** Looks once. Returns how many sessions it ended. */
export async function endLongSessions(
  database: Queryable,
  {
    statementSeconds = SQL_STATEMENT_SECONDS + GRACE_SECONDS,
    transactionSeconds = SQL_TRANSACTION_SECONDS,
    sessionHours = SQL_SESSION_HOURS,
  } = {},
): Promise<number> {
  const ended = await database.query({ name: 'sql_sessions', text: endLong }, [
    statementSeconds,
    transactionSeconds,
    sessionHours,
  ])
  return ended.length
}

/**
 * Ends the sessions of a login, and from now on all that began earlier: PostgreSQL reads the password when a session
 * begins, and waits up to a minute for the answer, so a session with the former password can still come in.
 */
export async function endSessionsBefore(database: Queryable, login: string): Promise<void> {
  const [row] = await database.query('select extract(epoch from clock_timestamp())::text')
  await database.query(`comment on role ${login} is '${oldSessions} ${row?.[0]}'`)
  await endLongSessions(database)
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
