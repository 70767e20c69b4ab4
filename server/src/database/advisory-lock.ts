// Room that is counted: whoever would take some of it waits until those before him have, so that two at once are never both the last.
import type { Queryable } from './connect.ts'

/** Puts those in line who count what is called so, until the transaction ends. They count in a later statement, which sees what those before them wrote. */
export const lockForTransaction = (transaction: Queryable, room: string): Promise<unknown> =>
  transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [room])
