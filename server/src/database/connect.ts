// The only access to PostgreSQL: a pool with a deadline for every statement; a lost connection becomes a 503 instead of a crash or a hang.

import pg from 'pg'
import { isId } from '../core/ids.ts'
import { PAGE_CHARACTERS } from '../core/limits.ts'
import { notFound } from '../core/problem.ts'
import { divided } from '../core/worker-share.ts'
import { type OpenCursor, cursors as sharedCursors } from './cursors.ts'
import { deferring } from './deferring.ts'
import { endsSession, StandbyError, unavailableIfLost } from './errors.ts'
import { type DatabaseMode, ofOneCompany } from './one-company.ts'
import { pipelineOf } from './pipeline.ts'
import { openPool, type Pool, STATEMENT_TIMEOUT_MS } from './pool.ts'
import { type Reader, Replica } from './replica.ts'
import { types } from './size-limited-query.ts'
import { type Queryable, type Row, runWithin, type Statement } from './statement.ts'

export {
  isMissingTable,
  isRaceFault,
  isRowFault,
  isTimeout,
  isUniqueFault,
  rowFault,
  serializationFailure,
  unavailableIfLost,
} from './errors.ts'
export type { DatabaseMode } from './one-company.ts'
export { CONNECTION_WAITING, STATEMENT_TIMEOUT_MS } from './pool.ts'
export type { Queryable, Row, Statement } from './statement.ts'

/** The default of `connectMs`. */
const CONNECT_TIMEOUT_MS = 4_000
/** Milliseconds after which a connection that does not answer is closed. */
const QUERY_DEADLINE_MS = 8_500
/** Asks whether a connection leads to a standby. */
const isStandby = { text: 'select pg_is_in_recovery()', rowMode: 'array', query_timeout: CONNECT_TIMEOUT_MS } as const
/** Connections that cursors share: enough for the transaction that cursors join, and those that are ending. */
export const CURSOR_CONNECTIONS = 3
/**
 * Connections of one server to PostgreSQL (its default limit is 100 for all). A worker has one more than its semaphores
 * let run.
 */
export const CONNECTIONS = divided(16, 10)
/**
 * Further connections that wait behind no other work: to find a key, and to report health. Concurrent look-ups of one
 * key share a statement, so only look-ups of different keys can keep them busy.
 */
export const RESERVED_CONNECTIONS = divided(2, 1)
/** Connections to the replica: as many as lists and searches run at once, and some for commands. */
const REPLICA_CONNECTIONS = divided(8, 4)
/** Milliseconds that a read waits for a new connection to the replica, and for its answer, before the primary answers. */
const REPLICA_CONNECT_MS = 1_000
const REPLICA_STATEMENT_MS = 2_500
const REPLICA_DEADLINE_MS = 3_000

export interface Database extends Queryable {
  /** Runs `work` in one transaction; committed when it returns, rolled back when it throws. */
  transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T>
  /** Connections that wait behind no other work: to find a key, and to report health. */
  readonly reserved: Queryable
  /**
   * Begins a list or a search, before it takes a place in a queue. Its statements see every write that was answered
   * before, and run on the replica if there is one. `as`: who reads instead of the owner of the tables.
   */
  beginRead(as?: Reader): Promise<Queryable>
  /** Why the replica cannot be used now, for the operator; undefined if it can, or if there is none. */
  replicaProblem(): Promise<string | undefined>
  /** Opens a cursor over a statement, on one of a few connections that only cursors use. */
  readonly openCursor: OpenCursor
  /** Maximum characters of a page that is not streamed. */
  readonly pageCharacters: number
  /**
   * The same database with the rights of the owner of its tables, if the database keeps companies apart
   * (row-security/).
   */
  readonly owner: Database
  /** A connection of its own outside the pool and past any pooler, for LISTEN and locks of a session. The caller ends it. */
  connectAlone(): Promise<pg.Client>
  close(): Promise<void>
}

/** A role of PostgreSQL and its password. */
export interface Login {
  readonly user: string
  readonly password: string
}

export interface Connection extends Pick<pg.ClientConfig, 'host' | 'port' | 'user' | 'database' | 'connectionString'> {
  /** Milliseconds that a statement may take; by default STATEMENT_TIMEOUT_MS. With another time, nothing goes through a pooler. */
  readonly statementMs?: number
  /** Milliseconds that a statement waits for a free or a new connection; tests let it wait longer. */
  readonly connectMs?: number | undefined
  /** The URL of a replica that answers lists and searches; by default the primary does. */
  readonly replica?: string | undefined
  /** The URL that leads past a pooler, for connections that must stay with one session of PostgreSQL. */
  readonly direct?: string | undefined
  /** Where the tables of companies are; by default, the database is asked when it is opened. */
  readonly mode?: DatabaseMode | undefined
  /** Maximum characters of a page that is not streamed; tests set a smaller one. */
  readonly pageCharacters?: number | undefined
  /**
   * The role that reads and writes the rows of companies in reach, if the database keeps companies apart
   * (row-security/).
   */
  readonly rowLogin?: Login | undefined
}

/** How a connection reaches PostgreSQL, and how long its statements may take. */
export function wayOf({
  statementMs: ownMs,
  connectMs = CONNECT_TIMEOUT_MS,
  replica,
  direct,
  mode,
  pageCharacters,
  rowLogin,
  ...given
}: Connection) {
  const statementMs = ownMs ?? STATEMENT_TIMEOUT_MS
  // A time limit other than the default is a setting of the session, and a pooler would lend this session to other
  // clients.
  const sharesSessions = direct !== undefined && ownMs === undefined
  const connection = direct === undefined || sharesSessions ? given : { ...given, connectionString: direct }
  const settings: pg.ClientConfig = {
    ...connection,
    // PGSSLMODE in the environment is meant for other databases than the embedded one, which is reached by a socket.
    ...(connection.connectionString === undefined && { ssl: false }),
    // What pg_stat_activity shows, unless the URL says otherwise.
    fallback_application_name: 'cashwrap',
    types,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
  }
  return { settings, statementMs, sharesSessions, deadlineMs: statementMs + QUERY_DEADLINE_MS - STATEMENT_TIMEOUT_MS }
}

/** How many connections the pools have, and what they are called in metrics. */
export interface PoolSizes {
  readonly size?: number
  readonly name?: string
  readonly cursors?: number
}

/** Opens the pools, whose metrics have the `name`. Nothing is connected until the first statement. */
export function connect(
  given: Connection,
  { size = CONNECTIONS, name = 'requests', cursors = CURSOR_CONNECTIONS }: PoolSizes = {},
): Database {
  const { replica, direct, pageCharacters = PAGE_CHARACTERS } = given
  const { settings, statementMs, sharesSessions, deadlineMs } = wayOf(given)
  const isSharded = given.mode === 'citus'
  /** A statement as tables that are distributed by company need it. */
  const sent = (statement: Statement | string, values: readonly unknown[]) =>
    isSharded ? ofOneCompany(statement, values) : ([statement, values] as const)
  const run = (client: pg.ClientBase, statement: Statement | string, values: readonly unknown[] = []) =>
    runWithin(deadlineMs, client, ...sent(statement, values))
  const shared = openPool(settings, { name, size, statementMs, sharesSessions })
  const reserved = openPool(settings, { name: 'reserved', size: RESERVED_CONNECTIONS, statementMs, sharesSessions })
  const forCursors = openPool(settings, { name: 'cursors', size: cursors, statementMs, sharesSessions })

  const query: Queryable['query'] = (statement, values) => shared.borrow((client) => run(client, statement, values))
  const forReads =
    replica === undefined
      ? undefined
      : openPool(
          { ...settings, connectionString: replica, connectionTimeoutMillis: REPLICA_CONNECT_MS },
          { name: 'replica', size: REPLICA_CONNECTIONS, statementMs: REPLICA_STATEMENT_MS, mayBeStandby: true },
        )
  const copy = forReads && new Replica({ primary: query, pool: forReads, deadlineMs: REPLICA_DEADLINE_MS })
  const plain: Queryable = { inTransaction: false, isSharded, query }

  const database: Database = {
    ...plain,
    get owner() {
      return database
    },
    beginRead: async (as) => (copy ? copy.begin(as) : (as ?? plain)),
    replicaProblem: async () => copy?.problem(),
    reserved: {
      ...plain,
      query: (statement, values) => reserved.borrow((client) => run(client, statement, values)),
    },
    transaction: (work) =>
      shared.borrow((client) => {
        const ask = deferring(deadlineMs, client)
        const query: Queryable['query'] = (statement, values = []) => ask(...sent(statement, values))
        return transact({ isSharded, query, pipeline: pipelineOf(client) }, work)
      }),
    openCursor: cursorsOn(forCursors, run),
    pageCharacters,
    connectAlone: () => connectAlone(settings, direct),
    close: async () => {
      await Promise.all([shared.end(), reserved.end(), forCursors.end(), forReads?.end()])
    },
  }
  return database
}

/** Opens cursors on the connections of a pool. */
export const cursorsOn = (
  pool: Pool,
  run: (client: pg.ClientBase, statement: string, values?: readonly unknown[]) => Promise<Row[]>,
): OpenCursor =>
  sharedCursors((work) =>
    pool.borrow((client) =>
      work((statement, values) =>
        run(client, statement, values).catch((error) => {
          throw unavailableIfLost(error)
        }),
      ),
    ),
  )

/** A connection by `settings`, or `direct` past a pooler. Throws StandbyError where it leads to a standby. */
async function connectAlone(settings: pg.ClientConfig, direct: string | undefined): Promise<pg.Client> {
  const client = new pg.Client(direct === undefined ? settings : { ...settings, connectionString: direct })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query(isStandby)
    if (rows[0]?.[0] === true) throw new StandbyError()
    return client
  } catch (error) {
    client.end().catch(() => {})
    throw error
  }
}

/** The values of a row by the names of its columns, in that order; columns that are null are left out. */
export const namedValues = <T>(row: Row, names: readonly (keyof T & string)[]): T =>
  Object.fromEntries(names.flatMap((name, n) => (row[n] === null ? [] : [[name, row[n]]]))) as T

/** Whether a statement returns a row. */
export const hasRow = async (
  connection: Queryable,
  statement: Statement | string,
  values: unknown[],
): Promise<boolean> => (await connection.query(statement, values)).length > 0

/** The row of the record with an `id`, which is not sent if it is no id of ours. Throws `not_found`. */
export async function requireRow(
  connection: Pick<Queryable, 'query'>,
  what: string,
  id: string,
  statement: Statement | string,
  values: readonly unknown[] = [id],
): Promise<Row> {
  const [row] = isId(id) ? await connection.query(statement, values) : []
  if (row === undefined) throw notFound(what, id)
  return row
}

/**
 * Runs `work` in a transaction on a connection. Each statement sees what was committed before it, whatever the
 * database's default is: locks and watermarks rely on it.
 */
export async function transact<T>(
  connection: Omit<Queryable, 'inTransaction'>,
  work: (transaction: Queryable) => Promise<T>,
): Promise<T> {
  const { query } = connection
  await query('begin isolation level read committed')
  try {
    const result = await work({ ...connection, inTransaction: true })
    await query('commit')
    return result
  } catch (error) {
    if (!endsSession(error)) await query('rollback').catch(() => {})
    throw error
  }
}
