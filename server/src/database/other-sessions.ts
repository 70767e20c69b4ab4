// Refuses work on a whole database while servers or other commands are at work in it: they would not notice what it changes.
import { OperatorError } from '../core/operator-error.ts'
import type { Queryable } from './connect.ts'

/**
 * Throws OperatorError while other sessions of the role are at work in the database: those in a statement or a
 * transaction, and those that hold advisory locks, as the listening sessions of servers do. Sessions that wait for the
 * lock of migrations do not count.
 */
export async function refuseOthers({ query }: Queryable): Promise<void> {
  const [row] = await query(
    `select count(*)::int from pg_stat_activity as other
     where datname = current_database() and usename = current_user and backend_type = 'client backend'
       and pid <> pg_backend_pid() and application_name not like 'citus%'
       and (state <> 'idle' and wait_event is distinct from 'advisory'
         or exists (select from pg_locks as held where held.pid = other.pid and locktype = 'advisory' and granted))`,
  )
  const [count] = row as [number]
  if (count > 0)
    throw new OperatorError(
      `Other sessions are at work in the database: ${count}. Stop all servers and other commands first; pg_stat_activity shows what is left.`,
    )
}
