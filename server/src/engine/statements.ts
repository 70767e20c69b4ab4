// The SQL statements of a resource's table. All name the company first, and take whole arrays.

import { STATEMENT_CHARACTERS } from '../core/limits.ts'
import type { Statement } from '../database/connect.ts'
import { keepsPlan } from '../database/statement.ts'
import { columnsToSet, withRecord } from './columns.ts'
import { claiming, failing } from './idempotency.ts'
import { textColumns, textSql } from './projection.ts'
import type { Resource } from './resource.ts'

/** The statements with which the records of a resource are read and written. */
export interface Statements {
  readonly find: Statement
  /** The same for a single key, whose values are plain parameters: with arrays, PostgreSQL takes a fifth longer. */
  readonly findOne: Statement
  readonly lock: Statement
  readonly insert: Statement
  /** The same for a single row. */
  readonly insertOne: Statement
  readonly insertClaimed: Statement
  readonly replaceOne: Statement
  readonly replaceMany: ByWaiting
  readonly replaceClaimed: ByWaiting
  readonly remove: ByWaiting
}

/** A statement that waits for rows that other transactions hold, and the same one that skips them. */
export interface ByWaiting {
  readonly waiting: Statement
  readonly passing: Statement
}

/** Makes both of such a statement, whose names differ by `suffix`. */
export const byWaiting = (make: (waits: boolean) => Statement): ByWaiting => ({
  waiting: make(true),
  passing: make(false),
})
export const suffix = (waits: boolean): string => (waits ? '' : '_passing')
/** The one that waits, or the one that does not. */
export const chosenStatement = ({ waiting, passing }: ByWaiting, waits: boolean): Statement =>
  waits ? waiting : passing

/** Makes the statements of a resource. */
export const statementsOf = (resource: Resource): Statements => ({
  ...findStatements(resource),
  ...insertStatements(resource),
  ...replaceStatements(resource),
  remove: removeStatements(resource),
})

function findStatements({
  table,
  projection,
  existsCondition,
}: Resource): Pick<Statements, 'find' | 'findOne' | 'lock'> {
  const found = `
      from unnest($1::text[], $2::text[]) with ordinality as item(company_id, id, ordinality)
      join ${table} as stored on stored.company_id = item.company_id and stored.id = item.id${existsCondition ? ` and ${existsCondition}` : ''}
      where ${keepsPlan('item.ordinality')}`
  return {
    find: {
      name: `${table}_find`,
      most: STATEMENT_CHARACTERS,
      // In the order of the keys, so that the last ones are omitted.
      text: `select item.ordinality::int, stored.version, ${textColumns(projection)} ${found} order by item.ordinality`,
    },
    findOne: {
      name: `${table}_find_one`,
      most: STATEMENT_CHARACTERS,
      text: `select 1, stored.version, ${textColumns(projection)} from ${table} as stored
        where stored.company_id = $1 and stored.id = $2${existsCondition ? ` and ${existsCondition}` : ''}`,
    },
    // In the same order for all, so that two of them never wait for each other.
    lock: {
      name: `${table}_lock`,
      text: `select ${found} order by stored.company_id, stored.id for update of stored`,
    },
  }
}

function insertStatements(resource: Resource): Pick<Statements, 'insert' | 'insertOne' | 'insertClaimed'> {
  const { table, name, unique } = resource
  const appended = appending(name.one)
  const many = itemRows('json_array_elements($4::json), json_array_elements($5::json)', 'body, events')
  const one = itemRow('$4::json as body, $5::json as events')
  const columns = columnsToSet(resource)
  const names = ['company_id', 'id', 'body', ...columns.map(({ column }) => column)].join(', ')
  const values = ['item.company_id', 'item.id', 'item.body', ...columns.map(({ value }) => value)].join(', ')
  const inserting = (from: string) =>
    `written as (insert into ${table} (${names}) select ${values} from ${withRecord(`${from} as item`, columns)}`
  // If a row can be refused, the statement returns which rows were written.
  const insert = (items: string) =>
    unique.length > 0
      ? `${items}, ${inserting('item')} on conflict do nothing returning company_id, id
      ), ${begun('written')}, appended as (${appended('item', '(item.company_id, item.id) in (select company_id, id from written)')}
      )
      select company_id, id, true from written`
      : `${items}, ${inserting('item')}), ${begun('item')}${appended('item')}`
  return {
    insert: { name: `${table}_insert`, text: insert(many) },
    insertOne: { name: `${table}_insert_one`, text: insert(one) },
    // A row that a unique index refuses fails the statement and its claim.
    insertClaimed: {
      name: `${table}_insert_claimed`,
      text: `${many}, ${claiming('item', 6)}, free as materialized (
        select * from item where number not in (select number from refused)
      ), ${inserting('free')}
      ), ${begun('free')}, appended as (${appended('free')}
      )
      select company_id, id, true from free`,
    },
  }
}

function replaceStatements(resource: Resource): Pick<Statements, 'replaceOne' | 'replaceMany' | 'replaceClaimed'> {
  const { table, name } = resource
  const appended = appending(name.one)
  const items = itemRows(
    'unnest($4::int[]), json_array_elements($5::json), json_array_elements($6::json)',
    'version, body, events',
  )
  const one = itemRow('$4::int as version, $5::json as body, $6::json as events')
  const locked = (waits: boolean) => lockedRows(table, 'stored.version = item.version', waits)
  const columns = columnsToSet(resource)
  const set = ['body = item.body', 'version = stored.version + 1', ...columns.map((of) => `${of.column} = ${of.value}`)]
  const replacing = (from: string, condition = 'true') => `
      written as (
        update ${table} as stored set ${set.join(', ')}
        from ${withRecord(`${from} as item`, columns)}
        where stored.company_id = item.company_id and stored.id = item.id and stored.version = item.version and ${keepsPlan('item.number')} and ${condition}
        returning item.company_id, item.id, item.body, item.events
      ), ${begun('written')}, appended as (${appended('written')}
      )`
  return {
    replaceOne: {
      name: `${table}_replace_one`,
      text: `${one}, ${replacing('item')}
      select company_id, id, true from written`,
    },
    replaceMany: byWaiting((waits) => ({
      name: `${table}_replace${suffix(waits)}`,
      text: `${items}, ${locked(waits)}, ${replacing('locked')}
      select company_id, id, true from written`,
    })),
    // Locked rows can be written, so a claim succeeds or fails with its row: only claims of locked rows are written.
    replaceClaimed: byWaiting((waits) => ({
      name: `${table}_replace_claimed${suffix(waits)}`,
      text: `${items}, ${locked(waits)}, ${claiming('locked', 7)},
      ${replacing('locked', 'item.number not in (select number from refused)')}
      select company_id, id, number not in (select number from refused), ${failing} from locked`,
    })),
  }
}

function removeStatements({ table, name, projection, existsCondition }: Resource): ByWaiting {
  const isUnchanged = `(item.version is null or stored.version = item.version)${existsCondition ? ` and ${existsCondition}` : ''}`
  return byWaiting((waits) => ({
    name: `${table}_remove${suffix(waits)}`,
    text: `
      with item as materialized (
        select * from unnest($2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $7::text[]) with ordinality
          as item(company_id, id, event_id, version, traceparent, actor, number)
      ), ${lockedRows(table, isUnchanged, waits)}, gone as (
        delete from ${table} as stored using locked as item
        where stored.company_id = item.company_id and stored.id = item.id
        returning stored.company_id, stored.id, (${textSql(projection)})::json as body, item.event_id, item.traceparent, item.actor
      ), ${begun('gone')}, appended as (
        insert into events (company_id, id, type, created_at, resource, record_id, data, traceparent, actor)
        select company_id, event_id, '${name.one}.deleted', $1::timestamptz, '${name.one}', id, body, traceparent, actor::json from gone where ${isBegun}
      )
      select company_id, id, true from gone`,
  }))
}

/** The items of a statement, as rows: parameters from number 2 on. */
const itemRows = (columns: string, names: string) => `
      with item as materialized (
        select * from rows from (unnest($2::text[]), unnest($3::text[]), ${columns}) with ordinality
          as item(company_id, id, ${names}, number)
      )`

/** The only item of a statement, as a row: PostgreSQL puts its parameters where they are used. */
const itemRow = (columns: string) => `
      with item as not materialized (select $2::text as company_id, $3::text as id, ${columns}, 1::bigint as number)`

/**
 * Takes the lock of each company in `from`. An event gets its number only once its company's lock is held: the
 * condition `isBegun` is evaluated before the first row is made (0010_webhooks.sql). A join would work too, but might
 * reorder the events of a statement.
 */
const begun = (from: string) => `
      begun as materialized (
        select begin_events(company_id) from (select distinct company_id from ${from}) as company
      )`
const isBegun = '(select count(*) from begun) >= 0'

/** Appends the events of the rows of `from`. */
const appending =
  (name: string) =>
  (from: string, condition = 'true') =>
    `
        insert into events (company_id, id, type, created_at, resource, record_id, data, previous, traceparent, actor)
        select item.company_id, event.id, event.type, $1::timestamptz, '${name}', item.id, coalesce(event.data, item.body), event.previous, event.traceparent, event.actor
        from ${from} as item, json_to_recordset(item.events) as event(id text, type text, data json, previous json, traceparent text, actor json)
        where ${isBegun} and ${condition}`

/**
 * Locks the rows of the items in the same order, whatever the plan, so that two statements never wait for each other's
 * rows. A statement that must not wait skips rows that others hold.
 */
const lockedRows = (table: string, isUnchanged: string, waits: boolean) => `
      locked as materialized (
        select item.* from item
        join ${table} as stored on stored.company_id = item.company_id and stored.id = item.id and ${isUnchanged}
        where ${keepsPlan('item.number')}
        order by item.company_id, item.id for update of stored${waits ? '' : ' skip locked'}
      )`
