// Records in PostgreSQL: each function is one statement (statements.ts) over many rows, which writes the events of its rows too.

import type { Problem } from '../core/problem.ts'
import { traceparentOf } from '../core/trace-context.ts'
import type { Queryable, Row } from '../database/connect.ts'
import { rowsByItem } from '../database/size-limited-query.ts'
import { claimValues } from './idempotency.ts'
import { oneCompanyStore } from './one-company-store.ts'
import { textOf } from './projection.ts'
import type { Key } from './record.ts'
import type { Resource } from './resource.ts'
import type { RowToRemove, RowToReplace, RowToWrite, WriteResult } from './row-to-write.ts'
import { chosenStatement, type Statements, statementsOf } from './statements.ts'

export type { EventRow, RowToReplace, RowToWrite, WriteResult } from './row-to-write.ts'

/** A stored record as the API shows it, or why it cannot be shown. `version` grows with each write. */
export interface StoredRow {
  readonly version: number
  readonly text: string | Problem
}

export interface Store {
  /**
   * The rows of the keys, in their order; undefined where there is none. Ends early, but not before the first row, if
   * the texts would be more than one statement should carry. The others are for the next statement (`partOf`).
   */
  find(database: Queryable, keys: readonly Key[]): Promise<(StoredRow | undefined)[]>
  /** Locks the rows of the keys until the transaction ends. */
  lock(transaction: Queryable, keys: readonly Key[]): Promise<void>
  /** Writes new rows. Throws the unique index's error instead of returning write results when rows have claims. */
  insert(database: Queryable, rows: readonly RowToWrite[]): Promise<WriteResult[]>
  /** Writes rows whose version is still the one that was read. `waits: false` refuses what another transaction holds. */
  replace(database: Queryable, rows: readonly RowToReplace[], waits: boolean): Promise<WriteResult[]>
  /** Hard-deletes rows; each one's last state goes into its event. True for each that existed, and was not locked when it should not wait. */
  remove(database: Queryable, rows: readonly RowToRemove[], waits: boolean): Promise<boolean[]>
}

type Writes = Pick<Store, 'insert' | 'replace' | 'remove'>

/** Each dry run makes the routes of its resource again: a third of that was the text of statements. */
const made = new WeakMap<Resource, Store>()

/** The store of a resource. The database decides with which statements it writes: of many companies, or of one. */
export function store(resource: Resource): Store {
  const known = made.get(resource) ?? makeStore(resource)
  made.set(resource, known)
  return known
}

function makeStore(resource: Resource): Store {
  const statements = statementsOf(resource)
  const ofMany = manyCompaniesStore(resource, statements)
  const ofOne = oneCompanyStore(resource)
  const writes = ({ isSharded }: Queryable): Writes => (isSharded ? ofOne : ofMany)
  return {
    find: (database, keys) => findRows(resource, statements, database, keys),
    async lock(transaction, keys) {
      await transaction.query(statements.lock, [companies(keys), ids(keys)])
    },
    insert: (database, rows) => writes(database).insert(database, rows),
    replace: (database, rows, waits) => writes(database).replace(database, rows, waits),
    remove: (database, rows, waits) => writes(database).remove(database, rows, waits),
  }
}

/** Writes by one statement each, whatever companies the rows belong to. */
function manyCompaniesStore(resource: Resource, statements: Statements): Writes {
  const isUnique = resource.unique.length > 0
  return {
    insert: (database, rows) => insertRows(statements, isUnique, database, rows),
    replace: (database, rows, waits) => replaceRows(statements, database, rows, waits),
    async remove(database, rows, waits) {
      const eventIds = rows.map(({ eventId }) => eventId)
      const versions = rows.map(({ version }) => version)
      const traces = rows.map(({ scope: { trace } }) => trace && traceparentOf(trace))
      const actors = rows.map(({ scope }) => scope.actorText)
      const values = [now(), companies(rows), ids(rows), eventIds, versions, traces, actors]
      const removed = await database.query(chosenStatement(statements.remove, waits), values)
      return writeResults(rows, removed).map((result) => result === 'written')
    },
  }
}

async function findRows(
  { projection }: Resource,
  { find, findOne }: Statements,
  database: Queryable,
  keys: readonly Key[],
): Promise<(StoredRow | undefined)[]> {
  const one = only(keys)
  const rows = one
    ? await database.query(findOne, [one.scope.companyId, one.id])
    : await database.query(find, [companies(keys), ids(keys)])
  return rowsByItem(rows, keys.length).map(
    (row) => row && { version: row[1], text: textOf(projection, row) as StoredRow['text'] },
  )
}

async function insertRows(
  { insert, insertOne, insertClaimed }: Statements,
  isUnique: boolean,
  database: Queryable,
  rows: readonly RowToWrite[],
): Promise<WriteResult[]> {
  if (hasClaims(rows)) {
    const written = await database.query(insertClaimed, [...insertValues(rows), ...claimValues(rows)])
    return writeResults(rows, written).map((result) => (result === 'written' ? result : 'claimed'))
  }
  const one = only(rows)
  const written = one
    ? await database.query(insertOne, [now(), one.scope.companyId, one.id, one.body, eventsText(one)])
    : await database.query(insert, insertValues(rows))
  return isUnique ? writeResults(rows, written) : rows.map(() => 'written')
}

async function replaceRows(
  { replaceOne, replaceMany, replaceClaimed }: Statements,
  database: Queryable,
  rows: readonly RowToReplace[],
  waits: boolean,
): Promise<WriteResult[]> {
  if (hasClaims(rows)) {
    const values = [...replaceValues(rows), ...claimValues(rows)]
    return writeResults(rows, await database.query(chosenStatement(replaceClaimed, waits), values))
  }
  // A single row that may wait needs no lock before it is written.
  const one = waits ? only(rows) : undefined
  const written = one
    ? await database.query(replaceOne, [now(), one.scope.companyId, one.id, one.version, one.body, eventsText(one)])
    : await database.query(chosenStatement(replaceMany, waits), replaceValues(rows))
  return writeResults(rows, written)
}

/** The values of a statement that inserts rows. */
const insertValues = (rows: readonly RowToWrite[]): unknown[] => [now(), companies(rows), ids(rows), ...texts(rows)]

/** The values of a statement that replaces rows. */
const replaceValues = (rows: readonly RowToReplace[]): unknown[] => {
  const versions = rows.map(({ version }) => version)
  return [now(), companies(rows), ids(rows), versions, ...texts(rows)]
}

/** The bodies of rows, and the events of each, as two JSON arrays. */
const texts = (rows: readonly RowToWrite[]): string[] => [
  jsonArray(rows.map(({ body }) => body)),
  jsonArray(rows.map((row) => eventsText(row))),
]

/** The only item, if there is just one. */
const only = <Item>(items: readonly Item[]): Item | undefined => (items.length === 1 ? items[0] : undefined)
const companies = (keys: readonly Key[]) => keys.map(({ scope }) => scope.companyId)
const ids = (keys: readonly Key[]) => keys.map(({ id }) => id)
const now = () => new Date().toISOString()
const hasClaims = (rows: readonly RowToWrite[]) => rows.some(({ claims }) => claims.length > 0)

/** Text of a JSON array whose items are JSON already: nothing is escaped, and PostgreSQL returns each item unchanged. */
const jsonArray = (items: readonly string[]): string => `[${items.join(',')}]`

/** The events of a row, as the statement reads them. */
const eventsText = ({ events, scope: { trace, actorText } }: RowToWrite): string =>
  jsonArray(
    events.map(
      ({ id, type, data, previous }) =>
        `{"id":"${id}","type":"${type}","actor":${actorText}${trace === undefined ? '' : `,"traceparent":"${traceparentOf(trace)}"`}${data === undefined ? '' : `,"data":${data}`}${previous === undefined ? '' : `,"previous":${previous}`}}`,
    ),
  )

/** The result of each key's write, from the rows that a statement returns: company, id, whether it was written. */
function writeResults(keys: readonly Key[], rows: readonly Row[]): WriteResult[] {
  const returned = new Map(rows.map(([companyId, id, isWritten]) => [`${companyId} ${id}`, isWritten]))
  return keys.map(({ scope, id }) => {
    const key = `${scope.companyId} ${id}`
    const isWritten = returned.get(key)
    // A repeated key is found once.
    returned.delete(key)
    return isWritten === undefined ? 'refused' : isWritten ? 'written' : 'claimed'
  })
}

/**
 * How many keys to request next, given how many were requested and how many were returned: keys that do not fit are
 * sent in vain.
 */
export const partOf = (asked: number, came: number): number =>
  came < asked ? Math.max(1, came * 2) : Number.POSITIVE_INFINITY

/**
 * Reads something for each item, in order, and calls `each` with the item and what was found. `read` reads the first of some
 * items, as many as one statement carries, so that no more than that is in memory.
 */
export async function inParts<Item, Found>(
  items: readonly Item[],
  read: (asked: readonly Item[]) => Promise<readonly Found[]>,
  each: (item: Item, found: Found) => void,
): Promise<void> {
  for (let done = 0, part = items.length; done < items.length; ) {
    const asked = items.slice(done, done + part)
    const found = await read(asked)
    for (const [n, one] of found.entries()) each(asked[n] as Item, one)
    part = partOf(asked.length, found.length)
    done += found.length
  }
}
