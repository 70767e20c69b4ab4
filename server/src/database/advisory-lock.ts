// Serializes counting against a limit: each transaction waits until earlier ones have ended, so that two at once never both take the last place.
import type { Queryable } from './connect.ts'

/** Locks the count of this name until the transaction ends. A later statement of the transaction counts, so that it sees what earlier ones wrote. */
export const lockForTransaction = (transaction: Queryable, name: string): Promise<unknown> =>
  transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name])
