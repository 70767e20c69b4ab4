// The only access to PostgreSQL: a pool with a deadline for every statement; a lost connection becomes a 503 instead of a crash or a hang.

import pg from 'pg'
import { type Problem, unavailable } from '../core/problem.ts'
import { divided } from '../core/worker-share.ts'
import { beginStatement, tracing } from '../tracing/tracer.ts'
import { cursors, type OpenCursor } from './cursors.ts'
import { errorType, measureStatement, poolMetrics } from './metrics.ts'
import { hasPortions, PortionedQuery, types, upTo } from './size-limited-query.ts'

/** Milliseconds after which PostgreSQL cancels a statement by itself. */
export const STATEMENT_TIMEOUT_MS = 8_000
/** Milliseconds after which PostgreSQL ends an idle transaction: its server froze or is gone, and its locks are released. */
const IDLE_TRANSACTION_MS = 10_000
/** Milliseconds that a statement waits for a free or a new connection. */
const CONNECT_TIMEOUT_MS = 4_000
/** Milliseconds after which a connection that does not answer is closed. */
const QUERY_DEADLINE_MS = 8_500
/** Connections that cursors share: enough for the transaction that cursors join, and those that are ending. */
const CURSOR_CONNECTIONS = 3
/** Items of a statement up to which a cached plan is good enough; larger statements are planned again, in some 0.3 ms. */
const KEPT_PLAN_ITEMS = 50
/**
 * Connections of one server to PostgreSQL (its default limit is 100 for all). A worker has one more than its semaphores
 * let run.
 */
export const CONNECTIONS = divided(16, 10)
/**
 * Further connections that wait behind no other work: to find a key, and to report health. Concurrent look-ups of one
 * key share a statement, so only look-ups of different keys can keep them busy.
 */
const RESERVED_CONNECTIONS = divided(2, 1)
/** Statements that wait for a connection: only a flood of different unknown keys comes near it, and each is answered in 0.2 ms. */
export const CONNECTION_WAITING = divided(1_000, 250)

/** A statement; one with a name is planned once per connection. */
export interface Statement {
  readonly name?: string
  readonly text: string
  /** Characters of values that are kept: the value that exceeds the limit and all after it are null, so that no result fills the memory. */
  readonly most?: number | undefined
  /** Maximum number of rows. With `most`: a statement that would exceed it stops early and ends with a row of nulls. */
  readonly expected?: number
}

/** A row as PostgreSQL sends it: values in order; JSON stays text, so that it can be passed on unparsed. */
export type Row = any[]

export interface Queryable {
  /** True inside a transaction. */
  readonly inTransaction: boolean
  query(statement: Statement | string, values?: readonly unknown[]): Promise<Row[]>
}

export interface Database extends Queryable {
  /** Runs `work` in one transaction; committed when it returns, rolled back when it throws. */
  transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T>
  /** Connections that wait behind no other work: to find a key, and to report health. */
  readonly reserved: Queryable
  /** Opens a cursor over a statement, on one of a few connections that only cursors use. */
  readonly openCursor: OpenCursor
  /** A connection of its own outside the pool, for LISTEN. The caller ends it. */
  connectAlone(): Promise<pg.Client>
  close(): Promise<void>
}

export interface Connection extends Pick<pg.ClientConfig, 'host' | 'port' | 'user' | 'database' | 'connectionString'> {
  /** Milliseconds that a statement may take; by default STATEMENT_TIMEOUT_MS. Tests in which statements must hang set it. */
  readonly statementMs?: number
}

/** Opens the pools, whose metrics have the `name`. Nothing is connected until the first statement. */
export function connect(
  { statementMs = STATEMENT_TIMEOUT_MS, ...connection }: Connection,
  { size = CONNECTIONS, name = 'requests' } = {},
): Database {
  const deadlineMs = statementMs + QUERY_DEADLINE_MS - STATEMENT_TIMEOUT_MS
  const run = (client: pg.ClientBase, statement: Statement | string, values: readonly unknown[] = []) =>
    runWithin(deadlineMs, client, statement, values)
  const settings: pg.ClientConfig = {
    ...connection,
    // PGSSLMODE in the environment is meant for other databases than the embedded one, which is reached by a socket.
    ...(connection.connectionString === undefined && { ssl: false }),
    types,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  }
  const shared = openPool(settings, { name, size, statementMs })
  const reserved = openPool(settings, { name: 'reserved', size: RESERVED_CONNECTIONS, statementMs })
  const forCursors = openPool(settings, { name: 'cursors', size: CURSOR_CONNECTIONS, statementMs })

  return {
    inTransaction: false,
    query: (statement, values) => shared.borrow((client) => run(client, statement, values)),
    reserved: {
      inTransaction: false,
      query: (statement, values) => reserved.borrow((client) => run(client, statement, values)),
    },
    transaction: (work) =>
      shared.borrow(async (client) => {
        await run(client, 'begin')
        try {
          const result = await work({
            inTransaction: true,
            query: (statement, values) => run(client, statement, values),
          })
          await run(client, 'commit')
          return result
        } catch (error) {
          if (!isLost(error)) await run(client, 'rollback').catch(() => {})
          throw error
        }
      }),
    openCursor: cursors((work) =>
      forCursors.borrow((client) =>
        work((statement, values) =>
          run(client, statement, values).catch((error) => {
            throw unavailableIfLost(error)
          }),
        ),
      ),
    ),
    connectAlone: async () => {
      const client = new pg.Client(settings)
      client.on('error', () => {})
      await client.connect()
      return client
    },
    close: async () => {
      await Promise.all([shared.end(), reserved.end(), forCursors.end()])
    },
  }
}

/**
 * PostgreSQL ends an idle transaction, because its server froze or vanished, and releases its locks. It compiles no statement:
 * for one whose rows it overestimates, such as those of a JSON array, compiling takes longer than the statement.
 */
const sessionSettings = (statementMs: number) => `set statement_timeout = ${statementMs}; set jit = off;
  set idle_in_transaction_session_timeout = ${statementMs + IDLE_TRANSACTION_MS - STATEMENT_TIMEOUT_MS}; set timezone = 'UTC'`

interface PoolSettings {
  /** What it is called in metrics. */
  readonly name: string
  readonly size: number
  readonly statementMs: number
}

/** A pool of some connections, each lent for one piece of work. */
function openPool(settings: pg.ClientConfig, { name, size, statementMs }: PoolSettings) {
  const metrics = poolMetrics(name, size)
  const pool = new pg.Pool({ ...settings, max: size, idleTimeoutMillis: 60_000 })
  let open = 0
  // A broken idle connection does not matter: the pool makes a new one when it is needed.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    open++
    metrics.idle.value++
    client.on('error', () => {})
    client.query(sessionSettings(statementMs)).catch(() => {})
  })
  pool.on('remove', () => {
    open--
    metrics.idle.value--
  })

  /** Why there is no connection: all are in use, or the database refuses them (gone, full, another password). */
  const refusal = (error: unknown): Problem =>
    open >= size && isPoolTimeout(error) ? inUse() : Object.assign(unavailable(), { cause: error })

  async function waitForClient(): Promise<pg.PoolClient> {
    const begun = performance.now()
    metrics.pending.value++
    try {
      const client = await pool.connect()
      metrics.idle.value--
      metrics.used.value++
      return client
    } catch (error) {
      metrics.timeouts.value++
      throw refusal(error)
    } finally {
      metrics.pending.value--
      metrics.waits.observe((performance.now() - begun) / 1000)
    }
  }

  function giveBack(client: pg.PoolClient, isBroken = false): void {
    metrics.used.value--
    metrics.idle.value++
    client.release(isBroken)
  }

  async function borrow<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (pool.waitingCount >= CONNECTION_WAITING) throw inUse()
    const client = await waitForClient()
    try {
      const result = await work(client)
      giveBack(client)
      return result
    } catch (error) {
      // A connection that broke, or may still be busy with an abandoned statement, is closed.
      giveBack(client, isLost(error) || isLost((error as { cause?: unknown }).cause))
      throw unavailableIfLost(error)
    }
  }

  return { borrow, end: () => pool.end() }
}

// Some of an operation's statements may have been carried out before, so the message does not say that nothing was done.
const inUse = () => unavailable('All connections to the database are in use. Try again.', 'connections_in_use')

/** True when the wait was for a connection to be returned. */
const isPoolTimeout = (error: unknown): boolean => error instanceof Error && error.message.startsWith('timeout e')

/** Thrown when a statement's deadline has passed: it may or may not have taken effect. */
class DeadlineError extends Error {
  override name = 'DeadlineError'
}

/** Runs one statement. By callback: the driver's promise keeps each result's rows alive through several collections. */
function runWithin(
  deadlineMs: number,
  client: pg.ClientBase,
  statement: Statement | string,
  values: readonly unknown[],
): Promise<Row[]> {
  const query: Statement = typeof statement === 'string' ? { text: statement } : statement
  const { name, text, most, expected = 0 } = query
  const kept = most === undefined ? undefined : upTo(most)
  // PostgreSQL's cached plan of a named statement expects few items, and the tables as they were when it was made. With
  // it, a thousand items may take too long in a table that has grown since. Planning again is cheap for them.
  const isLong = values.some((value) => Array.isArray(value) && value.length > KEPT_PLAN_ITEMS)
  const config = {
    name: isLong ? undefined : name,
    text,
    types: kept,
    values: values as unknown[],
    rowMode: 'array',
  } as pg.QueryArrayConfig
  return new Promise((resolve, reject) => {
    const begun = performance.now()
    const span = tracing.tracer && beginStatement(name, text)
    const timer = setTimeout(() => reject(new DeadlineError('PostgreSQL did not answer in time')), deadlineMs)
    const settle = (error: Error | null | undefined, answer: pg.QueryArrayResult) => {
      clearTimeout(timer)
      measureStatement(begun, error)
      span?.end({ error: error ? errorType(error) : undefined })
      if (error) reject(error)
      else resolve(answer.rows as Row[])
    }
    if (kept && most !== undefined && hasPortions(expected))
      client.query(new PortionedQuery(config, { expected, most, kept }, settle))
    else client.query(config, settle)
  })
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

// SQLSTATE classes (PostgreSQL manual, appendix A): 08 connection, 53 resources, 57 operator intervention, 58 system, 25006 a standby, F0 config.
const lostStates = /^(08|53|57|58|F0|25006)/
// Codes and messages of the driver and Node for a connection that is lost or refused; they have no SQLSTATE.
const lostCodes = /^(ECONN|EPIPE|ENOENT|EACCES|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/
const lostMessages =
  /^(Connection terminated|timeout e|Connection ended|Client has encountered|Client was closed|Cannot use a pool after)/

/** True when the database is at fault, not the data: unreachable, shutting down, full or too slow. */
function isLost(error: unknown): boolean {
  if (error instanceof DeadlineError) return true
  const code = codeOf(error)
  if (error instanceof pg.DatabaseError) return lostStates.test(code)
  return error instanceof Error && (lostCodes.test(code) || lostMessages.test(error.message))
}

/** True of a statement that was cancelled for taking too long, as callers of a database see it. */
export const isTimeout = (error: unknown): boolean => isLate((error as { cause?: unknown }).cause)

/** True when a row of the statement is at fault (SQLSTATE 22, 23, 54), so that the other rows are worth another try. */
export const isRowFault = (error: unknown): boolean => /^(22|23|54)/.test(codeOf(error))

/** True when a unique index refused the row. */
export const isUniqueFault = (error: unknown): boolean => codeOf(error) === '23505'

/** True when the table does not exist. */
export const isMissingTable = (error: unknown): boolean => codeOf(error) === '42P01'

/** True when the transaction was chosen to give way to another (deadlock, serialization) and none of it was written. */
export const isRaceFault = (error: unknown): boolean => /^(40P01|40001|55P03)$/.test(codeOf(error))

/** The error of a transaction that found what it had read changed by another one: it begins again as after a serialization failure. */
export const serializationFailure = (message: string): Error => Object.assign(new Error(message), { code: '40001' })

/** True when a statement took too long: the database is up but slow, or another transaction held the rows for long. */
const isLate = (error: unknown): boolean => error instanceof DeadlineError || codeOf(error) === '57014'

/** The error as callers see it: `unavailable` if the database is at fault, with the cause. */
export function unavailableIfLost(error: unknown): unknown {
  if (!isLost(error)) return error
  const problem = isLate(error)
    ? unavailable('The database did not answer in time. Try again.', 'database_timeout')
    : unavailable()
  return Object.assign(problem, { cause: error })
}
