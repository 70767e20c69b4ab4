// A database that keeps companies apart: statements see only the rows of the companies in reach, through a role that
// has views in place of tables.
import type pg from 'pg'
import { currentReach, everything, keepReach, keepReaches, type Reach } from '../../core/reach.ts'
import { divided } from '../../core/worker-share.ts'
import { type Ahead, isPrepared } from '../ahead.ts'
import {
  CONNECTIONS,
  type Connection,
  CURSOR_CONNECTIONS,
  connect,
  cursorsOn,
  type Database,
  type Login,
  type Queryable,
  RESERVED_CONNECTIONS,
  type Statement,
  transact,
  wayOf,
} from '../connect.ts'
import type { OpenCursor } from '../cursors.ts'
import { deferring } from '../deferring.ts'
import { pipelineOf } from '../pipeline.ts'
import { openPool, type Pool } from '../pool.ts'
import { missingSessions } from '../pooler.ts'
import { hasManyItems, prepareWithin, runWithin } from '../statement.ts'
import { connectionAs } from './login.ts'
import { gatheredSchema, gatheredSetting, reachSetting, rowSchema } from './names.ts'

/**
 * The owner's share of a server's connections, for people, queues and background work, and for its few cursors. The
 * role has the others, so that there are no more connections than without row-level security, unless there are too few
 * to share.
 */
const OWNER_CONNECTIONS = divided(6, 4)
const OWNER_CURSORS = 1

/**
 * Sends the company ahead of a statement. The setting lasts until the end of its transaction, so no later statement of the
 * connection has it, whatever borrows it.
 */
const aheadOf = (company: string): Ahead => ({
  name: 'reach',
  text: `select set_config('${reachSetting}', $1, true)`,
  values: [company],
})

const gatheredName = 'reach_gathered'

/**
 * The same for a statement over items of several companies, which uses the gathered views: PostgreSQL plans a
 * comparison with a list differently from one with a single company, so the views of one company do not use a list.
 */
const aheadOfGathered = (companies: ReadonlySet<string>): Ahead => ({
  name: gatheredName,
  text: `select set_config('${gatheredSetting}', $1, true),
    set_config('search_path', '${gatheredSchema}, ' || current_setting('search_path'), true)`,
  values: [JSON.stringify(Object.fromEntries([...companies].map((company) => [company, 1])))],
})

const gatheredTexts = new Map<string, string>()

/**
 * A statement over several companies, under a separate name: PostgreSQL would discard the plan of a name whose tables
 * resolve to other views.
 */
function gathered(statement: Statement | string): Statement | string {
  if (typeof statement === 'string' || statement.name === undefined) return statement
  const { name } = statement
  // A pooler knows statements by their text.
  const text = gatheredTexts.get(name) ?? `${statement.text}\n-- gathered`
  gatheredTexts.set(name, text)
  return { ...statement, name: `${name}_gathered`, text }
}

/**
 * The same on a replica, whose connections are the owner's: the transaction switches to the role, and uses the views as
 * the role does.
 */
const aheadAtReplica = (company: string, { user }: Login): Ahead => ({
  name: 'reach_as',
  text: `select set_config('role', $2, true), set_config('${reachSetting}', $1, true),
    set_config('search_path', '${rowSchema}, ' || current_setting('search_path'), true)`,
  values: [company, user],
})

const withoutReach = () => new Error('A statement has no reach: it is neither of a company nor of everything.')

type Companies = Exclude<Reach, typeof everything>

/** The companies in reach; undefined for everything. Throws where code has lost its reach, so that it reads nothing by mistake. */
function companiesInReach(): Companies | undefined {
  const reach = currentReach()
  if (reach === undefined) throw withoutReach()
  return reach === everything ? undefined : reach
}

/** The company in reach, for statements that are never of several companies. */
function companyInReach(): string | undefined {
  const reach = companiesInReach()
  if (typeof reach === 'object') throw new Error('A list is of one company.')
  return reach
}

/**
 * The companies whose gathered views a statement finds; undefined for the views of one company. A statement over many
 * items uses the gathered views even for one company, since its plan then depends only on the items. With an equality
 * with the company, and with statistics from a time when the company had few rows, PostgreSQL would read all rows of
 * the company for each item.
 */
const gatheredFor = (reach: Companies, values: readonly unknown[]): ReadonlySet<string> | undefined => {
  if (typeof reach !== 'string') return reach
  return hasManyItems(values) ? new Set([reach]) : undefined
}

/** What is sent ahead of a statement, and the statement. */
function reaching(
  reach: Companies,
  statement: Statement | string,
  values: readonly unknown[],
): [Statement | string, Ahead] {
  const companies = gatheredFor(reach, values)
  return companies === undefined
    ? [statement, aheadOf(reach as string)]
    : [gathered(statement), aheadOfGathered(companies)]
}

/**
 * Whether a statement begins or ends a transaction, or sets how it works. Nothing is sent ahead of such a statement,
 * since that would fail in a failed transaction. A savepoint is not such a statement: the setting must come before it,
 * or a rollback to it would undo the setting.
 */
const isOfTransaction = (statement: Statement | string): boolean =>
  /^(begin|set|commit|rollback)\b/.test(typeof statement === 'string' ? statement : statement.text)

/**
 * Sent ahead only of a cursor's statements that read: the others are about the transaction, which cursors of several
 * companies share.
 */
const aheadOfCursor = (statement: string): Ahead[] =>
  /^(declare|fetch)\b/.test(statement) ? [aheadOf(companyInReach() ?? '')] : []

/** Asks within a transaction. The reach is ahead of the first statement that reads or writes, since a transaction's own settings must come before it. */
function askerOf(deadlineMs: number, client: pg.PoolClient, reach: Companies): Queryable['query'] {
  /**
   * What was already sent ahead: for one company, or for gathered views, which the rest of the transaction then uses.
   */
  let found: Ahead['name'] | undefined
  const ask = deferring(deadlineMs, client)
  return (statement, values = []) => {
    if (isOfTransaction(statement)) return ask(statement, values)
    const [sent, ahead] = reaching(reach, statement, values)
    const isThere = found === ahead.name || found === gatheredName
    if (!isThere) found = ahead.name
    return ask(found === gatheredName ? gathered(statement) : sent, values, isThere ? undefined : ahead)
  }
}

/** Of `size` connections of a server, those that statements on companies' rows have. */
export const companyConnections = (size: number): number =>
  Math.max(Math.min(size, OWNER_CONNECTIONS), size - OWNER_CONNECTIONS - OWNER_CURSORS)

/** The owner's pools beside those of the role. */
export const ownerPools = ({ size = CONNECTIONS, name = 'requests' } = {}) => ({
  size: Math.min(size, OWNER_CONNECTIONS),
  name: `${name}_owner`,
  cursors: OWNER_CURSORS,
})

/**
 * How many of the sessions that a server needs a pooler cannot serve. Imports and exports are not counted. `missing` is 0
 * without a pooler, and with one that shares sessions.
 */
export async function missingOfPooler(connection: Connection): Promise<{ missing: number; all: number }> {
  const { direct, connectionString, rowLogin } = connection
  const cursors = rowLogin === undefined ? CURSOR_CONNECTIONS : OWNER_CURSORS
  const size = rowLogin === undefined ? CONNECTIONS : Math.min(CONNECTIONS, OWNER_CONNECTIONS)
  // Plus the connection that listens for notifications.
  const owners = size + cursors + RESERVED_CONNECTIONS + 1
  const companies = rowLogin === undefined ? 0 : companyConnections(CONNECTIONS) + CURSOR_CONNECTIONS
  const all = owners + companies
  if (direct !== undefined || connectionString === undefined) return { missing: 0, all }
  // Both roles at once: a pooler may limit each role and the whole database.
  const missing = await Promise.all([
    missingSessions(connection, owners),
    rowLogin === undefined ? 0 : missingSessions(connectionAs(connection, rowLogin), companies),
  ])
  return { missing: missing[0] + missing[1], all }
}

/**
 * Opens a database that keeps companies apart, if the connection has a login for that; otherwise does the same as
 * `connect`. `open` is the database with the owner's pools, if it is open already.
 */
export function connectIsolated(
  connection: Connection,
  { size = CONNECTIONS, name = 'requests', open = undefined as Database | undefined } = {},
): Database {
  const { rowLogin } = connection
  if (rowLogin === undefined) return connect(connection, { size, name })
  const owner = open ?? connect(connection, ownerPools({ size, name }))
  return behind(owner, connection, { size: companyConnections(size), name })
}

/** The same over a database that is open with the rights of the owner. */
function behind(owner: Database, connection: Connection, { size, name }: { size: number; name: string }): Database {
  const login = connection.rowLogin as Login
  const forgetReaches = keepReaches()
  const { settings, statementMs, sharesSessions, deadlineMs } = wayOf(connectionAs(connection, login))
  const prepared = [aheadOf(''), aheadOfGathered(new Set())] as const
  const prepareAll = async (client: pg.PoolClient) => {
    for (const each of prepared) await prepareWithin(deadlineMs, client, each)
  }
  const open = (pool: string, connections: number): Pool => {
    const { borrow, end } = openPool(settings, { name: pool, size: connections, statementMs, sharesSessions })
    // Adds no promise: each keeps the rows of a result in memory for longer.
    const lend: Pool['borrow'] = (work) =>
      borrow((client) => (isPrepared(client, prepared[1]) ? work(client) : prepareAll(client).then(() => work(client))))
    return { borrow: lend, end }
  }
  const shared = open(`${name}_companies`, size)
  const forCursors = open(`${name}_cursors`, CURSOR_CONNECTIONS)
  const queryOf =
    (reach: Companies): Queryable['query'] =>
    (statement, values = []) => {
      const [sent, ahead] = reaching(reach, statement, values)
      return shared.borrow((client) => runWithin(deadlineMs, client, sent, values, [ahead]))
    }
  const readerOf = (company: string) => {
    const plain = { inTransaction: false, isSharded: false, query: queryOf(company) }
    return { ...plain, ahead: aheadAtReplica(company, login) }
  }
  const openOwn: OpenCursor = cursorsOn(forCursors, (client, statement, values = []) =>
    runWithin(deadlineMs, client, statement, values, aheadOfCursor(statement)),
  )
  return {
    inTransaction: false,
    isSharded: false,
    owner,
    reserved: owner.reserved,
    replicaProblem: owner.replicaProblem,
    connectAlone: owner.connectAlone,
    pageCharacters: owner.pageCharacters,
    query(statement, values) {
      const reach = currentReach()
      if (reach === undefined) return Promise.reject(withoutReach())
      return reach === everything ? owner.query(statement, values) : queryOf(reach)(statement, values)
    },
    async beginRead() {
      const company = companyInReach()
      return owner.beginRead(company === undefined ? undefined : readerOf(company))
    },
    async transaction(work) {
      const reach = companiesInReach()
      if (reach === undefined) return owner.transaction(work)
      return shared.borrow((client) => {
        const query = askerOf(deadlineMs, client, reach)
        return transact({ isSharded: false, query, pipeline: pipelineOf(client) }, work)
      })
    },
    async openCursor(waiter, text, values) {
      if (companyInReach() === undefined) return owner.openCursor(waiter, text, values)
      const cursor = await openOwn(waiter, text, values)
      return { first: cursor.first, fetch: keepReach((rows) => cursor.fetch(rows)), close: keepReach(cursor.close) }
    },
    async close() {
      await Promise.all([shared.end(), forCursors.end(), owner.close()])
      forgetReaches()
    },
  }
}
