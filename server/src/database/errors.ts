// What an error of PostgreSQL or its driver means: the database is lost or slow, a row is at fault, or a race was lost.
import pg from 'pg'
import { type Problem, unavailable } from '../core/problem.ts'

/** Thrown when a statement's deadline has passed: it may or may not have taken effect. */
export class DeadlineError extends Error {
  override name = 'DeadlineError'
}

/** Thrown by a connection that leads to a standby, such as a former primary: what it reads may be old. */
export class StandbyError extends Error {
  override name = 'StandbyError'
  /** The SQLSTATE with which a standby refuses to write. */
  readonly code = '25006'
  constructor() {
    super('PostgreSQL is a standby')
  }
}

/** The failure behind an error; of several together, as Node throws those of a name's addresses, the first. */
export function reasonOf(error: unknown): NodeJS.ErrnoException {
  const { cause = error } = error as Error
  return (cause instanceof AggregateError ? cause.errors[0] : cause) as NodeJS.ErrnoException
}

/** True of a statement that PostgreSQL cancelled: it took too long, or an operator ended it. */
export const isCancelled = (error: unknown): boolean => codeOf(error) === '57014'

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

// SQLSTATE classes (PostgreSQL manual, appendix A): 08 connection, 28 a refused login, 53 resources, 57 operator intervention, 58 system, 25006 and 55000 a standby, F0 config.
// 26000: the session has lost what was prepared in it, so it fails each statement that relies on that.
const lostStates = /^(08|28|53|57|58|F0|25006|26000|55000)/
// Codes and messages of the driver and Node for a connection that is lost or refused; they have no SQLSTATE.
const lostCodes = /^(ECONN|EPIPE|ENOENT|EACCES|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/
const lostMessages =
  /^(Connection terminated|timeout e|Connection ended|Client has encountered|Client was closed|Cannot use a pool after)/

// What the coordinator of a cluster says if a node was lost during a statement or a commit: it reports an internal
// error (XX000).
const lostNodes =
  /^(could not commit transaction for shard|failed to prepare transaction|failure on connection marked as essential|server closed the connection|no connection to the server|connection not open|could not (send data to|receive data from) server)/

/** True when the database is at fault, not the data: unreachable, shutting down, full or too slow. */
export function isLost(error: unknown): boolean {
  if (error instanceof DeadlineError || error instanceof StandbyError) return true
  const code = codeOf(error)
  if (error instanceof pg.DatabaseError)
    return lostStates.test(code) || isDiskFull(error) || (code === 'XX000' && lostNodes.test(error.message))
  return error instanceof Error && (lostCodes.test(code) || lostMessages.test(error.message))
}

/** True of a statement that was cancelled for taking too long, as callers of a database see it. */
export const isTimeout = (error: unknown): boolean => isLate((error as { cause?: unknown }).cause)

/** True when PostgreSQL found its disk full: nothing of the transaction is stored. It says so without a code where a session cannot begin. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '53100' || error.message.includes('No space left on device'))

/**
 * True when the session is lost too, or may still be busy. After a full disk the session is kept: PostgreSQL may be
 * unable to begin another one, and reads continue in the existing sessions.
 */
export const endsSession = (error: unknown): boolean => isLost(error) && !isDiskFull(error)

/**
 * True when a row of the statement is at fault (SQLSTATE 22, 23, 54), so that the other rows are worth another try. A missing partition
 * is reported as a violated check without a constraint. The operator must create it: see docs/operations.md.
 */
export const isRowFault = (error: unknown): boolean =>
  /^(22|23|54)/.test(codeOf(error)) &&
  !(codeOf(error) === '23514' && (error as pg.DatabaseError).constraint === undefined)

/** The error of a row that cannot be written with the others of its statement. */
export const rowFault = (message: string): Error => Object.assign(new Error(message), { code: '22000' })

/** True when a unique index refused the row. */
export const isUniqueFault = (error: unknown): boolean => codeOf(error) === '23505'

/** True when the table does not exist. */
export const isMissingTable = (error: unknown): boolean => codeOf(error) === '42P01'

/** True when the transaction was chosen to give way to another (deadlock, serialization) and none of it was written. */
export const isRaceFault = (error: unknown): boolean => /^(40P01|40001|55P03)$/.test(codeOf(error))

/**
 * The error of a transaction that finds that another one has changed what it read: it begins again as after a
 * serialization failure.
 */
export const serializationFailure = (message: string): Error => Object.assign(new Error(message), { code: '40001' })

/** True when a statement took too long: the database is up but slow, or another transaction held the rows for long. */
const isLate = (error: unknown): boolean => error instanceof DeadlineError || isCancelled(error)

/** The error as callers see it: `unavailable` if the database is at fault, with the cause. */
export const unavailableIfLost = (error: unknown): unknown => (isLost(error) ? unavailableFor(error) : error)

/** 503 for a database that is at fault. */
export function unavailableFor(cause: unknown): Problem {
  const problem = isDiskFull(cause)
    ? unavailable('The disk of the database is full. Try again once its operator has freed space.', 'database_full')
    : isLate(cause)
      ? unavailable('The database did not answer in time. Try again.', 'database_timeout')
      : unavailable()
  return Object.assign(problem, { cause })
}
