// Writes many rows so that a refused row never affects the others, and a row that lost a race is retried.

import { RACE_TRIES } from '../core/limits.ts'
import { conflict, Problem, unavailable } from '../core/problem.ts'
import { type Database, isRaceFault, isRowFault, isUniqueFault, type Queryable } from '../database/connect.ts'

/** Rounds in which an update that lost a race is retried before it is answered 503. */
export const UPDATE_ROUNDS = 50

/** Writes rows in one go and returns one result per row; throws when any is refused, a Problem when the database is not at fault. */
type WriteRows<Write, Result> = (connection: Queryable, rows: readonly Write[]) => Promise<Result[]>

interface Settling {
  /** Where to write: a transaction in progress, or the database itself. */
  readonly connection: Database | Queryable
  /** The database, for a transaction where one is needed. */
  readonly database: Database
  /** True when `run` is several statements. */
  readonly needsTransaction: boolean
  /** The problem for a row that a unique index refused. */
  readonly conflict: string
}

/**
 * The results of `run`, in one statement where that succeeds. When a row is refused, runs in one transaction in halves,
 * and halves of halves, until only the refused ones are left; their result is a problem.
 */
export async function bisectOnError<Write, Result>(
  { connection, database, needsTransaction, conflict }: Settling,
  rows: readonly Write[],
  run: WriteRows<Write, Result>,
): Promise<(Result | Problem)[]> {
  if (rows.length === 0) return []
  if (connection.inTransaction) return halve(connection)
  if (!needsTransaction) {
    try {
      return await retryOnConflict(() => run(connection, rows))
    } catch (error) {
      if (!isRefused(error)) throw error
      if (rows.length === 1) return [refusal(error, conflict)]
    }
  }
  return retriedTransaction(database, (transaction) => halve(transaction))

  async function halve(transaction: Queryable, part: readonly Write[] = rows): Promise<(Result | Problem)[]> {
    await transaction.query('savepoint part')
    try {
      const results = await run(transaction, part)
      await transaction.query('release savepoint part')
      return results
    } catch (error) {
      if (!isRefused(error)) throw error
      await transaction.query('rollback to savepoint part; release savepoint part')
      if (part.length === 1) return [refusal(error, conflict)]
    }
    const middle = part.length >> 1
    const first = await halve(transaction, part.slice(0, middle))
    return [...first, ...(await halve(transaction, part.slice(middle)))]
  }
}

const isRefused = (error: unknown): boolean => isRowFault(error) || (error instanceof Problem && error.status < 500)

function refusal(error: unknown, message: string): Problem {
  if (error instanceof Problem) return error
  if (isUniqueFault(error)) return conflict('already_exists', message)
  return new Problem('validation_failed', `The record cannot be stored: ${(error as Error).message}.`)
}

/** The problem of a write that lost a race too often. */
export const overtakenTooOften = (): Problem =>
  unavailable('Too many requests are changing the record at once. Try again.', 'contention')

/** Runs again what PostgreSQL chose as a deadlock's victim: none of it was written. */
export async function retryOnConflict<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run()
    } catch (error) {
      if (!isRaceFault(error)) throw error
      if (tries === RACE_TRIES) throw overtakenTooOften()
    }
  }
}

/** Does the work in a transaction, which begins again if it loses a race. */
export const retriedTransaction = <T>(database: Database, work: (transaction: Queryable) => Promise<T>): Promise<T> =>
  retryOnConflict(() => database.transaction(work))

/** Does the work in the given transaction, or else in one of its own. */
export const inTransaction = <T>(
  database: Database,
  connection: Queryable | undefined,
  work: (transaction: Queryable) => Promise<T>,
): Promise<T> => (connection?.inTransaction ? work(connection) : retriedTransaction(database, work))
