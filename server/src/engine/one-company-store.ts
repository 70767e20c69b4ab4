// Records where tables are distributed by company: each statement names the one company of its rows, and the events of a write follow it in the same transaction.

import type { Scope } from '../core/scope.ts'
import { traceparentOf } from '../core/trace-context.ts'
import { type Queryable, rowFault, type Statement } from '../database/connect.ts'
import { appendEvents, type NewEvent } from './append-events.ts'
import { columnsToSet, type MemberColumn, withRecord } from './columns.ts'
import { keptClaim } from './idempotency.ts'
import { inOne, insertMany, type ManyRows } from './many-rows.ts'
import { writeClaims } from './one-company-claims.ts'
import { textSql } from './projection.ts'
import type { Key } from './record.ts'
import type { Resource } from './resource.ts'
import type { RowToRemove, RowToReplace, RowToWrite, WriteResult } from './row-to-write.ts'
import { type ByWaiting, byWaiting, chosenStatement, suffix } from './statements.ts'

/** The writes of a store; reads are those of every store. */
interface OneCompanyStore {
  insert(database: Queryable, rows: readonly RowToWrite[]): Promise<WriteResult[]>
  replace(database: Queryable, rows: readonly RowToReplace[], waits: boolean): Promise<WriteResult[]>
  remove(database: Queryable, rows: readonly RowToRemove[], waits: boolean): Promise<boolean[]>
}

/** Makes the writes of a resource's store. The rows of a call belong to one company. */
export function oneCompanyStore(resource: Resource): OneCompanyStore {
  const parts: StoreStatements = {
    name: resource.name.one,
    isUnique: resource.unique.length > 0,
    insert: insertOf(resource, resource.unique.length > 0 ? 'on conflict do nothing returning id' : ''),
    insertAll: insertOf(resource, ''),
    lock: byWaiting((waits) => lockOf(resource, waits)),
    replace: byWaiting((waits) => replaceOf(resource, waits)),
    remove: byWaiting((waits) => removeOf(resource, waits)),
  }
  return {
    insert: (database, rows) => inOne(database, (transaction) => insertRows(parts, transaction, rows)),
    replace: (database, rows, waits) => inOne(database, (transaction) => replaceRows(parts, transaction, rows, waits)),
    remove: (database, rows, waits) => inOne(database, (transaction) => removeRows(parts, transaction, rows, waits)),
  }
}

/** The statements of a resource, in one company: `$1`. */
interface StoreStatements {
  readonly name: string
  readonly isUnique: boolean
  readonly insert: ManyRows
  /** Used if a row that a unique index refuses must fail the statement, and its claim with it. */
  readonly insertAll: ManyRows
  readonly lock: ByWaiting
  readonly replace: ByWaiting
  readonly remove: ByWaiting
}

/** The company of all rows. */
function companyOf(keys: readonly Key[]): string {
  const companies = new Set(keys.map(({ scope }) => scope.companyId))
  if (companies.size !== 1) throw new Error(`The rows of a write belong to ${companies.size} companies.`)
  return [...companies][0] as string
}

/** The value of a column, from the body alone: a row of `values` cannot name the members once for all columns. */
function valueIn(body: string, { member, type, value }: MemberColumn): string {
  const name = `'${member}'`
  const own =
    type === 'text'
      ? `${body} ->> ${name}`
      : type === 'jsonb'
        ? `nullif((${body} -> ${name})::jsonb, 'null')`
        : `(${body} ->> ${name})::${type}`
  return value.replaceAll(`record."${member}"`, `(${own})`)
}

function insertOf(resource: Resource, rest: string): ManyRows {
  const { table } = resource
  const columns = columnsToSet(resource)
  const names = ['company_id', 'id', 'body', ...columns.map(({ column }) => column)]
  return {
    name: `${table}_insert${rest === '' ? '_all' : ''}`,
    into: `insert into ${table} (${names.join(', ')})`,
    row: (of) =>
      ['$1', of(0), `${of(1)}::json`, ...columns.map((column) => valueIn(`${of(1)}::json`, column))].join(', '),
    rest,
  }
}

/** The rows of `items`, locked in the same order, so that two statements never wait for each other's rows. */
const lockedRows = (table: string, items: string, isUnchanged: string, waits: boolean) => `
      with item as materialized (
        select * from rows from (${items})
      ), locked as materialized (
        select item.* from item
        join ${table} as stored on stored.company_id = $1 and stored.id = item.id and ${isUnchanged}
        order by item.id for update of stored${waits ? '' : ' skip locked'}
      )`
const versions = 'unnest($2::text[]), unnest($3::int[])) as item(id, version'
const isSame = 'stored.version = item.version'

const lockOf = ({ table }: Resource, waits: boolean): Statement => ({
  name: `${table}_lock_version${suffix(waits)}`,
  text: `${lockedRows(table, versions, isSame, waits)}
      select id from locked`,
})

function replaceOf(resource: Resource, waits: boolean): Statement {
  const { table } = resource
  const columns = columnsToSet(resource)
  const set = ['body = item.body', 'version = stored.version + 1', ...columns.map((of) => `${of.column} = ${of.value}`)]
  const bodies = 'unnest($2::text[]), unnest($3::int[]), json_array_elements($4::json)) as item(id, version, body'
  return {
    name: `${table}_replace${suffix(waits)}`,
    text: `${lockedRows(table, bodies, isSame, waits)}
      update ${table} as stored set ${set.join(', ')}
      from ${withRecord('locked as item', columns)}
      where stored.company_id = $1 and stored.id = item.id and ${isSame}
      returning stored.id`,
  }
}

function removeOf({ table, projection, existsCondition }: Resource, waits: boolean): Statement {
  const isUnchanged = `(item.version is null or ${isSame})${existsCondition ? ` and ${existsCondition}` : ''}`
  return {
    name: `${table}_remove${suffix(waits)}`,
    text: `${lockedRows(table, versions, isUnchanged, waits)}
      delete from ${table} as stored using locked as item
      where stored.company_id = $1 and stored.id = item.id
      returning stored.id, ${textSql(projection)}`,
  }
}

async function insertRows(
  { name, isUnique, insert, insertAll }: StoreStatements,
  transaction: Queryable,
  rows: readonly RowToWrite[],
): Promise<WriteResult[]> {
  const companyId = companyOf(rows)
  const now = new Date().toISOString()
  const refused = await claimRows(transaction, companyId, now, rows)
  const free = rows.filter((row) => !refused.has(row))
  const bodies = free.map(({ id, body }) => [id, body])
  const hasClaims = rows.some(({ claims }) => claims.length > 0)
  const returned = await insertMany(transaction, hasClaims ? insertAll : insert, [companyId], bodies)
  const ids = new Set(returned.map(([id]) => id as string))
  const isWritten = (row: RowToWrite) => !refused.has(row) && (hasClaims || !isUnique || ids.has(row.id))
  await appendEvents(transaction, companyId, now, eventsOf(name, rows.filter(isWritten)))
  return rows.map((row) => (isWritten(row) ? 'written' : refused.has(row) ? 'claimed' : 'refused'))
}

async function replaceRows(
  { name, lock, replace }: StoreStatements,
  transaction: Queryable,
  rows: readonly RowToReplace[],
  waits: boolean,
): Promise<WriteResult[]> {
  const companyId = companyOf(rows)
  const now = new Date().toISOString()
  let wanted = rows
  let refused: ReadonlySet<RowToWrite> = new Set()
  if (rows.some(({ claims }) => claims.length > 0)) {
    // Locked rows can be written, so a claim succeeds or fails with its row: only claims of locked rows are written.
    const found = await transaction.query(chosenStatement(lock, waits), [companyId, ...idsAndVersions(rows)])
    const locked = new Set(found.map(([id]) => id as string))
    wanted = rows.filter(({ id }) => locked.has(id))
    refused = await claimRows(transaction, companyId, now, wanted)
    wanted = wanted.filter((row) => !refused.has(row))
  }
  const bodies = `[${wanted.map(({ body }) => body).join(',')}]`
  const returned =
    wanted.length === 0
      ? []
      : await transaction.query(chosenStatement(replace, waits), [companyId, ...idsAndVersions(wanted), bodies])
  const ids = new Set(returned.map(([id]) => id as string))
  // A repeated key is written once.
  const written = new Set(wanted.filter(({ id }) => ids.delete(id)))
  await appendEvents(transaction, companyId, now, eventsOf(name, [...written]))
  return rows.map((row) => (written.has(row) ? 'written' : refused.has(row) ? 'claimed' : 'refused'))
}

async function removeRows(
  { name, remove }: StoreStatements,
  transaction: Queryable,
  rows: readonly RowToRemove[],
  waits: boolean,
): Promise<boolean[]> {
  const companyId = companyOf(rows)
  const now = new Date().toISOString()
  const returned = await transaction.query(chosenStatement(remove, waits), [companyId, ...idsAndVersions(rows)])
  const bodies = new Map(returned.map(([id, body]) => [id as string, body as string]))
  const events: NewEvent[] = []
  const gone = rows.map(({ scope, id, eventId }) => {
    const data = bodies.get(id)
    // A repeated key is found once.
    if (!bodies.delete(id) || data === undefined) return false
    events.push({ id: eventId, type: `${name}.deleted`, resource: name, recordId: id, data, ...causeOf(scope) })
    return true
  })
  await appendEvents(transaction, companyId, now, events)
  return gone
}

const idsAndVersions = (rows: readonly (Key & { readonly version?: number })[]) => [
  rows.map(({ id }) => id),
  rows.map(({ version }) => version),
]

const causeOf = ({ trace, actorText }: Scope) => ({ traceparent: trace && traceparentOf(trace), actor: actorText })

/** The events of rows, in their order; an event without data of its own has the row's body. */
const eventsOf = (resource: string, rows: readonly RowToWrite[]): NewEvent[] =>
  rows.flatMap(({ scope, id: recordId, body, events }) =>
    events.map(({ id, type, data = body, previous }) => ({
      id,
      type,
      resource,
      recordId,
      data,
      previous,
      ...causeOf(scope),
    })),
  )

/**
 * Writes the claims of rows; returns the rows whose claim was refused: they must not be written. If a row gets one claim and
 * not another, it throws a fault of the row, since a claim must never exist without its work.
 */
async function claimRows<Of extends RowToWrite>(
  transaction: Queryable,
  companyId: string,
  now: string,
  rows: readonly Of[],
): Promise<Set<RowToWrite>> {
  const all = rows.flatMap((row) => row.claims.map((claimed) => ({ row, kept: keptClaim(claimed, row.body) })))
  const written = await writeClaims(
    transaction,
    companyId,
    now,
    all.map(({ kept }) => kept),
  )
  const refused = new Set<RowToWrite>(all.flatMap(({ row }, n) => (written[n] ? [] : [row])))
  if (all.some(({ row }, n) => written[n] && refused.has(row)))
    throw rowFault('One of the keys of a row is in use, and another was claimed.')
  return refused
}
