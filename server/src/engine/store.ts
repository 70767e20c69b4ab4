// Records in PostgreSQL: each function is one statement over many rows, and writes the events of its rows in the same breath.
import type { Queryable, Row, Statement } from '../database/connect.ts'
import type { Scope } from '../http/scope.ts'
import type { Resource } from './resource.ts'

/** One record by id, in its company. */
export interface Key {
  readonly scope: Scope
  readonly id: string
}

/** What the event feed keeps of a write (decisions §9). `data` is left out where it is the row's own text. */
export interface EventRow {
  readonly id: string
  readonly type: string
  readonly data?: string
  readonly previous?: string
}

/** A row to be written: its ready JSON text, and what its writing raises. */
export interface RowToWrite extends Key {
  readonly body: string
  readonly events: readonly EventRow[]
}

/** A row to be written over the one that was read. */
export interface RowToReplace extends RowToWrite {
  readonly version: number
}

/** A stored record as the API shows it. `version` grows with each write. */
export interface StoredRow {
  readonly version: number
  readonly text: string
}

export interface Store {
  /** The rows of the keys, in their order; undefined where there is none. `lock` holds them until the transaction ends. */
  find(database: Queryable, keys: readonly Key[], lock?: boolean): Promise<(StoredRow | undefined)[]>
  /** Writes new rows; true for each that was written, false for one that a unique index refused. */
  insert(database: Queryable, rows: readonly RowToWrite[]): Promise<boolean[]>
  /** Writes over those rows whose version still is the one read; true for each that was written. */
  replace(database: Queryable, rows: readonly RowToReplace[]): Promise<boolean[]>
  /** Deletes rows for good; each one's last state goes into its event. True for each that was there. */
  remove(database: Queryable, rows: readonly (Key & { eventId: string })[]): Promise<boolean[]>
}

/** Text of a JSON array whose items are JSON already: no escaping, and PostgreSQL hands each item on as it stands. */
const jsonArray = (items: readonly string[]): string => `[${items.join(',')}]`

const eventsText = (events: readonly EventRow[]): string =>
  jsonArray(
    events.map(
      ({ id, type, data, previous }) =>
        `{"id":"${id}","type":"${type}"${data === undefined ? '' : `,"data":${data}`}${previous === undefined ? '' : `,"previous":${previous}`}}`,
    ),
  )

/** SQL of the text that a record is shown as. */
export const shownText = (view: Resource['view']): string => view?.text ?? 'stored.body'

/** The statements of a resource. All name the company first, and take whole arrays. */
export function store({ table, name, view, unique }: Resource): Store {
  const shown = shownText(view)
  const isUnique = unique.length > 0
  const find: Statement = {
    name: `${table}_find`,
    text: `
      select item.ordinality::int, stored.version, ${shown}
      from unnest($1::text[], $2::text[]) with ordinality as item(company_id, id, ordinality)
      join ${table} as stored on stored.company_id = item.company_id and stored.id = item.id`,
  }
  // One that locks takes its rows in one order, so that two of them never wait for each other.
  const findAndLock: Statement = {
    name: `${table}_lock`,
    text: `${find.text} order by stored.company_id, stored.id for update of stored`,
  }
  const appendEvents = `
      insert into events (company_id, id, type, created_at, resource, record_id, data, previous)
      select item.company_id, event.id, event.type, $1::timestamptz, '${name.one}', item.id, coalesce(event.data, item.body), event.previous`
  const inserting = `
      with item as materialized (
        select *
        from rows from (unnest($2::text[]), unnest($3::text[]), json_array_elements($4::json), json_array_elements($5::json))
          as item(company_id, id, body, events)
      ), written as (
        insert into ${table} (company_id, id, body) select company_id, id, body from item`
  const appendInserted = `
      ${appendEvents}
      from item, json_to_recordset(item.events) as event(id text, type text, data json, previous json)`
  const insert: Statement = {
    name: `${table}_insert`,
    // Where a row can be refused, the statement says which ones were written.
    text: isUnique
      ? `${inserting} on conflict do nothing returning company_id, id
      ), appended as (
        ${appendInserted} where (item.company_id, item.id) in (select company_id, id from written)
      )
      select company_id, id from written`
      : `${inserting})${appendInserted}`,
  }
  // Rows are locked in one order, whatever the plan: two statements never wait for each other's.
  const locked = `
      locked as materialized (
        select item.* from item
        join ${table} as stored on stored.company_id = item.company_id and stored.id = item.id
        order by item.company_id, item.id for update of stored
      )`
  const replacing = (isOne: boolean): Statement => ({
    name: `${table}_replace${isOne ? '_one' : ''}`,
    text: `
      with item as materialized (
        select *
        from rows from (
          unnest($2::text[]), unnest($3::text[]), unnest($4::int[]), json_array_elements($5::json), json_array_elements($6::json)
        ) as item(company_id, id, version, body, events)
      ), ${isOne ? '' : `${locked},`} written as (
        update ${table} as stored set body = item.body, version = stored.version + 1
        from ${isOne ? 'item' : 'locked as item'}
        where stored.company_id = item.company_id and stored.id = item.id and stored.version = item.version
        returning item.company_id, item.id, item.body, item.events
      ), appended as (
        ${appendEvents}
        from written as item, json_to_recordset(item.events) as event(id text, type text, data json, previous json)
      )
      select company_id, id from written`,
  })
  const replaceOne = replacing(true)
  const replaceMany = replacing(false)
  const remove: Statement = {
    name: `${table}_remove`,
    text: `
      with item as materialized (
        select * from unnest($2::text[], $3::text[], $4::text[]) as item(company_id, id, event_id)
      ), ${locked}, gone as (
        delete from ${table} as stored using locked as item
        where stored.company_id = item.company_id and stored.id = item.id
        returning stored.company_id, stored.id, (${shown})::json as body, item.event_id
      ), appended as (
        insert into events (company_id, id, type, created_at, resource, record_id, data)
        select company_id, event_id, '${name.one}.deleted', $1::timestamptz, '${name.one}', id, body from gone
      )
      select company_id, id from gone`,
  }

  const companies = (keys: readonly Key[]) => keys.map(({ scope }) => scope.companyId)
  const ids = (keys: readonly Key[]) => keys.map(({ id }) => id)
  const now = () => new Date().toISOString()
  const found = (keys: readonly Key[], rows: readonly Row[]): boolean[] => {
    const left = new Set(rows.map(([companyId, id]) => `${companyId} ${id}`))
    // A key that stands twice is found once.
    return keys.map(({ scope, id }) => left.delete(`${scope.companyId} ${id}`))
  }

  return {
    async find(database, keys, lock = false) {
      const rows = await database.query(lock ? findAndLock : find, [companies(keys), ids(keys)])
      const stored: (StoredRow | undefined)[] = new Array(keys.length).fill(undefined)
      for (const [ordinal, version, text] of rows) stored[ordinal - 1] = { version, text }
      return stored
    },
    async insert(database, rows) {
      const bodies = jsonArray(rows.map(({ body }) => body))
      const events = jsonArray(rows.map((row) => eventsText(row.events)))
      const values = [now(), companies(rows), ids(rows), bodies, events]
      const written = await database.query(planned(insert, rows), values)
      return isUnique ? found(rows, written) : rows.map(() => true)
    },
    async replace(database, rows) {
      const versions = rows.map(({ version }) => version)
      const bodies = jsonArray(rows.map(({ body }) => body))
      const events = jsonArray(rows.map((row) => eventsText(row.events)))
      const values = [now(), companies(rows), ids(rows), versions, bodies, events]
      const statement = rows.length === 1 ? replaceOne : replaceMany
      return found(rows, await database.query(planned(statement, rows), values))
    },
    async remove(database, rows) {
      const values = [now(), companies(rows), ids(rows), rows.map(({ eventId }) => eventId)]
      return found(rows, await database.query(planned(remove, rows), values))
    },
  }
}

/** A large batch is planned for its size; the plan that is kept for small ones would join it row by row. */
const planned = (statement: Statement, rows: readonly unknown[]): Statement =>
  rows.length <= 200 ? statement : { text: statement.text }
