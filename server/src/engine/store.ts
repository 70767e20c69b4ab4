// Records in PostgreSQL: each function is one statement over many rows, which writes the events of its rows too.

import { STATEMENT_CHARACTERS } from '../core/limits.ts'
import type { Problem } from '../core/problem.ts'
import type { Queryable, Row, Statement } from '../database/connect.ts'
import { type AnsweredClaim, claiming, claimValues, failing } from './idempotency.ts'
import { textColumns, textOf, textSql } from './projection.ts'
import type { Key } from './record.ts'
import type { Resource } from './resource.ts'

/** What the event feed keeps of a write (decisions §9). `data` is omitted where it is the row's own text. */
export interface EventRow {
  readonly id: string
  readonly type: string
  readonly data?: string
  readonly previous?: string
}

/** A row to be written: its complete JSON text, and the events of the write. */
export interface RowToWrite extends Key {
  readonly body: string
  readonly events: readonly EventRow[]
  /** The idempotency keys under which it is written: only if all of them are granted, and together with them. */
  readonly claims: readonly AnsweredClaim[]
}

/** A new state for a row that was read. */
export interface RowToReplace extends RowToWrite {
  readonly version: number
}

/** A stored record as the API shows it, or why it cannot be shown. `version` grows with each write. */
export interface StoredRow {
  readonly version: number
  readonly text: string | Problem
}

/** A row to be deleted; with a version, only if it still is the one that was read. */
interface RowToRemove extends Key {
  readonly eventId: string
  readonly version?: number
}

/**
 * The result of a row's write: written; refused, by a unique index or because its version has changed; or claimed:
 * other work under the same idempotency key is in progress or done.
 */
export type WriteResult = 'written' | 'refused' | 'claimed'

export interface Store {
  /**
   * The rows of the keys, in their order; undefined where there is none. Ends early, but not before the first, where
   * the texts would be more than one statement should carry: the others are for the next one (`partOf`).
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

/** Text of a JSON array whose items are JSON already: nothing is escaped, and PostgreSQL returns each item unchanged. */
const jsonArray = (items: readonly string[]): string => `[${items.join(',')}]`

const eventsText = (events: readonly EventRow[]): string =>
  jsonArray(
    events.map(
      ({ id, type, data, previous }) =>
        `{"id":"${id}","type":"${type}"${data === undefined ? '' : `,"data":${data}`}${previous === undefined ? '' : `,"previous":${previous}`}}`,
    ),
  )

/** The statements of a resource. All name the company first, and take whole arrays. */
export function store({ table, name, view, unique, isThere }: Resource): Store {
  const isUnique = unique.length > 0
  const found = `
      from unnest($1::text[], $2::text[]) with ordinality as item(company_id, id, ordinality)
      join ${table} as stored on stored.company_id = item.company_id and stored.id = item.id${isThere ? ` and ${isThere}` : ''}`
  const find: Statement = {
    name: `${table}_find`,
    most: STATEMENT_CHARACTERS,
    // In the order of the keys, so that the last ones are omitted.
    text: `select item.ordinality::int, stored.version, ${textColumns(view)} ${found} order by item.ordinality`,
  }
  // In one order, so that two of them never wait for each other.
  const lock: Statement = {
    name: `${table}_lock`,
    text: `select ${found} order by stored.company_id, stored.id for update of stored`,
  }
  /** The items of a statement, as rows: parameters from number 2 on. */
  const items = (columns: string, names: string) => `
      with item as materialized (
        select * from rows from (unnest($2::text[]), unnest($3::text[]), ${columns}) with ordinality
          as item(company_id, id, ${names}, number)
      )`
  // An event gets its number only once its company's lock is held: the condition is evaluated before the first row is
  // made (0010_webhooks.sql). A join would work too, but might reorder the events of a statement.
  const begun = (from: string) => `
      begun as materialized (
        select begin_events(company_id) from (select distinct company_id from ${from}) as company
      )`
  const isBegun = '(select count(*) from begun) >= 0'
  const appended = (from: string, condition = 'true') => `
        insert into events (company_id, id, type, created_at, resource, record_id, data, previous)
        select item.company_id, event.id, event.type, $1::timestamptz, '${name.one}', item.id, coalesce(event.data, item.body), event.previous
        from ${from} as item, json_to_recordset(item.events) as event(id text, type text, data json, previous json)
        where ${isBegun} and ${condition}`
  const itemsToInsert = items('json_array_elements($4::json), json_array_elements($5::json)', 'body, events')
  const inserting = (from: string) =>
    `written as (insert into ${table} (company_id, id, body) select company_id, id, body from ${from}`
  const insert: Statement = {
    name: `${table}_insert`,
    // Where a row can be refused, the statement says which ones were written.
    text: isUnique
      ? `${itemsToInsert}, ${inserting('item')} on conflict do nothing returning company_id, id
      ), ${begun('written')}, appended as (${appended('item', '(item.company_id, item.id) in (select company_id, id from written)')}
      )
      select company_id, id, true from written`
      : `${itemsToInsert}, ${inserting('item')}), ${begun('item')}${appended('item')}`,
  }
  // A row that a unique index refuses fails the statement and its claim.
  const insertClaimed: Statement = {
    name: `${table}_insert_claimed`,
    text: `${itemsToInsert}, ${claiming('item', 6)}, free as materialized (
        select * from item where number not in (select number from refused)
      ), ${inserting('free')}
      ), ${begun('free')}, appended as (${appended('free')}
      )
      select company_id, id, true from free`,
  }
  // Rows are locked in one order, whatever the plan: two statements never wait for each other's. One that should not
  // wait skips rows that others hold.
  const locked = (isUnchanged: string, waits: boolean) => `
      locked as materialized (
        select item.* from item
        join ${table} as stored on stored.company_id = item.company_id and stored.id = item.id and ${isUnchanged}
        order by item.company_id, item.id for update of stored${waits ? '' : ' skip locked'}
      )`
  const itemsToReplace = items(
    'unnest($4::int[]), json_array_elements($5::json), json_array_elements($6::json)',
    'version, body, events',
  )
  const replacing = (from: string, condition = 'true') => `
      written as (
        update ${table} as stored set body = item.body, version = stored.version + 1
        from ${from} as item
        where stored.company_id = item.company_id and stored.id = item.id and stored.version = item.version and ${condition}
        returning item.company_id, item.id, item.body, item.events
      ), ${begun('written')}, appended as (${appended('written')}
      )`
  const replaceOne: Statement = {
    name: `${table}_replace_one`,
    text: `${itemsToReplace}, ${replacing('item')}
      select company_id, id, true from written`,
  }
  const byWaiting = (make: (waits: boolean) => Statement) => ({ waiting: make(true), passing: make(false) })
  const suffix = (waits: boolean) => (waits ? '' : '_passing')
  const replaceMany = byWaiting((waits) => ({
    name: `${table}_replace${suffix(waits)}`,
    text: `${itemsToReplace}, ${locked('stored.version = item.version', waits)}, ${replacing('locked')}
      select company_id, id, true from written`,
  }))
  // What is locked can be written, so a claim succeeds or fails with its row: only those of locked rows are written.
  const replaceClaimed = byWaiting((waits) => ({
    name: `${table}_replace_claimed${suffix(waits)}`,
    text: `${itemsToReplace}, ${locked('stored.version = item.version', waits)}, ${claiming('locked', 7)},
      ${replacing('locked', 'item.number not in (select number from refused)')}
      select company_id, id, number not in (select number from refused), ${failing} from locked`,
  }))
  const remove = byWaiting((waits) => ({
    name: `${table}_remove${suffix(waits)}`,
    text: `
      with item as materialized (
        select * from unnest($2::text[], $3::text[], $4::text[], $5::int[]) as item(company_id, id, event_id, version)
      ), ${locked(`(item.version is null or stored.version = item.version)${isThere ? ` and ${isThere}` : ''}`, waits)}, gone as (
        delete from ${table} as stored using locked as item
        where stored.company_id = item.company_id and stored.id = item.id
        returning stored.company_id, stored.id, (${textSql(view)})::json as body, item.event_id
      ), ${begun('gone')}, appended as (
        insert into events (company_id, id, type, created_at, resource, record_id, data)
        select company_id, event_id, '${name.one}.deleted', $1::timestamptz, '${name.one}', id, body from gone where ${isBegun}
      )
      select company_id, id, true from gone`,
  }))

  const companies = (keys: readonly Key[]) => keys.map(({ scope }) => scope.companyId)
  const ids = (keys: readonly Key[]) => keys.map(({ id }) => id)
  const now = () => new Date().toISOString()
  const hasClaims = (rows: readonly RowToWrite[]) => rows.some(({ claims }) => claims.length > 0)
  const writeResults = (keys: readonly Key[], rows: readonly Row[]): WriteResult[] => {
    const told = new Map(rows.map(([companyId, id, isWritten]) => [`${companyId} ${id}`, isWritten]))
    return keys.map(({ scope, id }) => {
      const key = `${scope.companyId} ${id}`
      const isWritten = told.get(key)
      // A repeated key is found once.
      told.delete(key)
      return isWritten === undefined ? 'refused' : isWritten ? 'written' : 'claimed'
    })
  }

  return {
    async find(database, keys) {
      const rows = await database.query(find, [companies(keys), ids(keys)])
      const stored: (StoredRow | undefined)[] = new Array(keys.length).fill(undefined)
      let end = 0
      for (const row of rows) {
        const [ordinal, version] = row
        const text = textOf(view, row)
        if (text === null) return stored.slice(0, end)
        stored[ordinal - 1] = { version, text }
        end = ordinal
      }
      return stored
    },
    async lock(transaction, keys) {
      await transaction.query(lock, [companies(keys), ids(keys)])
    },
    async insert(database, rows) {
      const bodies = jsonArray(rows.map(({ body }) => body))
      const events = jsonArray(rows.map((row) => eventsText(row.events)))
      const values = [now(), companies(rows), ids(rows), bodies, events]
      if (hasClaims(rows)) {
        const written = await database.query(insertClaimed, [...values, ...claimValues(rows)])
        return writeResults(rows, written).map((writeResult) => (writeResult === 'written' ? writeResult : 'claimed'))
      }
      const written = await database.query(insert, values)
      return isUnique ? writeResults(rows, written) : rows.map(() => 'written')
    },
    async replace(database, rows, waits) {
      const versions = rows.map(({ version }) => version)
      const bodies = jsonArray(rows.map(({ body }) => body))
      const events = jsonArray(rows.map((row) => eventsText(row.events)))
      const values = [now(), companies(rows), ids(rows), versions, bodies, events]
      if (hasClaims(rows))
        return writeResults(
          rows,
          await database.query(chosen(replaceClaimed, waits), [...values, ...claimValues(rows)]),
        )
      // A single row that may be waited for needs no lock before it is written.
      const statement = rows.length === 1 && waits ? replaceOne : chosen(replaceMany, waits)
      return writeResults(rows, await database.query(statement, values))
    },
    async remove(database, rows, waits) {
      const eventIds = rows.map(({ eventId }) => eventId)
      const values = [now(), companies(rows), ids(rows), eventIds, rows.map(({ version }) => version)]
      return writeResults(rows, await database.query(chosen(remove, waits), values)).map(
        (writeResult) => writeResult === 'written',
      )
    },
  }
}

interface ByWaiting {
  readonly waiting: Statement
  readonly passing: Statement
}
const chosen = ({ waiting, passing }: ByWaiting, waits: boolean): Statement => (waits ? waiting : passing)

/** How many keys to request next, given how many were requested and how many were returned: what does not fit is sent in vain. */
export const partOf = (asked: number, came: number): number =>
  came < asked ? Math.max(1, came * 2) : Number.POSITIVE_INFINITY
