// Customers with the columns that a company's tables add: one member for each table, read from and written to the
// customer's row of it. Writing rows changes these customers: it moves `updatedAt` and raises `customer.updated` (decisions §7).

import { later } from '../../core/date-time.ts'
import { newId, type RowKey } from '../../core/ids.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import { bodyError, invalid, type MemberError, Problem, stepTo } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Queryable } from '../../database/connect.ts'
import type { Field } from '../../engine/field.ts'
import { type Projection, StaleSchemaError } from '../../engine/projection.ts'
import type { Change, JsonObject, Key } from '../../engine/record.ts'
import type { Resource } from '../../engine/resource.ts'
import { partOf, type RowToReplace, type StoredRow, store } from '../../engine/store.ts'
import { writing } from '../../engine/writing.ts'
import { customer } from '../../resources/customer.ts'
import {
  type ColumnValues,
  cellOf,
  columnsOf,
  type ExtendingTable,
  extendingTableOf,
  showRows,
  writeRows,
} from './customer-rows.ts'
import { inOrder, lockTables } from './locks.ts'
import { cellsOf } from './row-state.ts'
import { type Extensions, schemaVersion } from './schema-cache.ts'
import { type Cells, type Column, customers, isResource, readTable, shownCell, type Table } from './table.ts'

/** Makes the projection of customers for one snapshot of a company's table schema. */
function columnsProjection({ tables, version }: Extensions): Projection {
  const extensions = tables.map(extendingTableOf)
  const heldText = heldReader(extensions)
  return {
    fields: Object.fromEntries(extensions.map(({ table }) => [table.name, member(table)])),
    isAlways: false,
    text: (held) => (held === null ? '' : heldText(held)),
    write: (record) =>
      joined(extensions.map(({ table, key }) => record[table.name] && key + shown(table, columnsOf(record, table)))),
    merge: (before, change) => merged(extensions, before, change),
    async lockFirst(transaction, keys) {
      const companyId = keys[0]?.scope.companyId
      if (companyId === undefined) return
      const places = tables.map(({ id }) => ({ companyId, id }))
      await lockTables(transaction, places, 'shared')
      if ((await schemaVersion(transaction, companyId)) !== version) throw new StaleSchemaError()
    },
    store: (transaction, written) => writeRows(transaction, extensions, written),
  }
}

/**
 * Makes the reader of what customers show: `{"link revision,link revision": [columns, columns]}` (`showRows`). With
 * a single table, columns that kept their names are used as they are; everything else is parsed and rendered again.
 */
function heldReader(extensions: readonly ExtendingTable[]): (held: string) => string {
  const byLink = new Map(extensions.map((extension) => [extension.link.id, extension]))
  return (held) => {
    const end = held.indexOf('"', 2)
    const head = held.slice(2, end)
    const parts = head.split(',').map((part) => {
      const [link = '', revision] = part.split(' ')
      return { extension: byLink.get(link), revision: Number(revision) }
    })
    const [only] = parts
    const unchanged =
      parts.length === 1 && only?.extension?.table.revision === only?.revision ? only?.extension : undefined
    if (unchanged) return `{${unchanged.key}${held.slice(end + 3, -2)}}`
    const rows: ColumnValues[] = JSON.parse(held)[head]
    const shownBy = new Map(
      parts.map(({ extension, revision }, n) => [
        extension,
        extension && renamed(extension, revision, rows[n] as ColumnValues),
      ]),
    )
    return joined(extensions.map((extension) => shownBy.get(extension)))
  }
}

/** A table's member, from columns with their names at a schema revision. */
function renamed({ table, key }: ExtendingTable, revision: number, columns: ColumnValues): string {
  const now = table.columns.flatMap((column): [string, unknown][] => {
    const name = nameIn(revision, column)
    return name !== undefined && Object.hasOwn(columns, name) ? [[column.name, columns[name]]] : []
  })
  return key + shown(table, Object.fromEntries(now))
}

/** The name of a column at a schema revision of its table; undefined before the column existed. */
function nameIn(revision: number, { name, since, former }: Column): string | undefined {
  if (since > revision) return undefined
  return former.find(([, until]) => until >= revision)?.[0] ?? name
}

const joined = (members: readonly unknown[]): string => {
  const all = members.filter((member) => typeof member === 'string')
  return all.length === 0 ? '' : `{${all.join(',')}}`
}

/** Columns in the order of their fields, whatever order an object would give them. */
const shown = (table: Table, columns: ColumnValues): string =>
  `{${table.columns
    .flatMap((column) => {
      const value = cellOf(columns, column)
      return value === undefined ? [] : [column.key + JSON.stringify(value)]
    })
    .join(',')}}`

function member(table: Table): Field<ColumnValues> {
  const columns = (schemaOf: (column: Column) => JsonSchema) =>
    Object.fromEntries(
      table.columns.map((column) => [column.name, { ...schemaOf(column), description: aboutColumn(column, table) }]),
    )
  const needed = table.columns.filter(({ isRequired, defaultValue }) => isRequired && defaultValue === undefined)
  const about = `The customer’s row of the custom table \`${table.name}\`.`
  const needs =
    needed.length > 0 ? ` A new row requires ${needed.map(({ name }) => `\`${quoted(name)}\``).join(', ')}.` : ''
  return {
    comparison: 'set',
    schema: { type: 'object', description: about, properties: columns(shownSchema), additionalProperties: false },
    sent: {
      type: 'object',
      description: `${about} Columns sent are set, \`null\` clears a column, other columns stay; \`null\` for the whole row deletes it.${needs}`,
      properties: columns(sentSchema),
      additionalProperties: false,
    },
    check: (value, at) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return [bodyError(at, 'type', 'must be an object')]
      const cells = cellsOf(table, value, { isNew: false, at })
      return cells instanceof Problem ? [...cells.errors] : []
    },
    canonical: (value) => {
      const cells = cellsOf(table, value, { isNew: false }) as Cells
      return Object.fromEntries(table.columns.flatMap((column) => canonicalCell(column, cells.get(column.id))))
    },
  }
}

const canonicalCell = ({ name, type }: Column, stored: string | null | undefined): [string, unknown][] =>
  stored === undefined ? [] : [[name, stored === null ? null : JSON.parse(shownCell(type, stored))]]

const jsonTypes: Readonly<Record<Column['type'], JsonSchema>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date-time' },
  'json-string': { type: 'string' },
}
const meanings: Readonly<Record<Column['type'], string>> = {
  string: 'Text',
  number: 'A number',
  boolean: 'True or false',
  date: 'A date-time',
  'json-string': 'JSON in a string',
}
const aboutColumn = ({ name, type }: Column, table: Table): string =>
  `${meanings[type]}: the column \`${quoted(name)}\` of the custom table \`${table.name}\`.`
/** A name for people: control characters are escaped. */
const quoted = (name: string): string => JSON.stringify(name).slice(1, -1)

const shownSchema = ({ type }: Column): JsonSchema => jsonTypes[type]
const sentSchema = ({ type, reference }: Column): JsonSchema => ({
  ...jsonTypes[type],
  type: [...new Set([jsonTypes[type].type, ...(type === 'json-string' ? ['object', 'array'] : []), 'null'])],
  ...(reference?.member === 'id' && isResource(reference.collection) && { 'x-refers-to': reference.collection }),
})

/** What customers show after a change: its columns over the existing ones; for a new row also the defaults. */
function merged(
  extensions: readonly ExtendingTable[],
  before: JsonObject,
  { set, clear }: Change,
): JsonObject | Problem {
  const members: [string, ColumnValues][] = []
  const errors: MemberError[] = []
  for (const { table } of extensions) {
    const { name } = table
    const isThere = before[name] !== undefined
    if (clear.includes(name) || (set[name] === undefined && !isThere)) continue
    const old = columnsOf(before, table)
    const sent = columnsOf(set, table)
    const columns = table.columns.flatMap((column): [string, unknown][] => {
      const own = cellOf(sent, column)
      const current = isThere ? cellOf(old, column) : defaultOf(column)
      const value = own === undefined ? current : (own ?? undefined)
      // A row that was written value by value may lack a required column. Updates that do not touch that column do not
      // report it.
      const isMissed = column.isRequired && value === undefined && (!isThere || current !== undefined)
      if (isMissed && set[name] !== undefined)
        errors.push(bodyError(stepTo(column.name, stepTo(name)), 'required', isThere ? cannotBeCleared : 'is required'))
      return value === undefined ? [] : [[column.name, value]]
    })
    members.push([name, Object.fromEntries(columns)])
  }
  return errors.length > 0 ? invalid(errors) : Object.fromEntries(members)
}

const cannotBeCleared = 'is required and cannot be cleared'
const defaultOf = ({ type, defaultValue }: Column): unknown =>
  defaultValue === undefined ? undefined : JSON.parse(shownCell(type, defaultValue))

/** The customer resource with the columns that a company's tables add. */
export function extendedCustomer(extensions: Extensions): Resource {
  const view = columnsProjection(extensions)
  return {
    ...customer,
    fields: { ...customer.fields, ...view.fields },
    projection: view,
    isProjected: extensions.tables.length > 0,
  }
}

/**
 * Updates the rows shown in customers (`showRows`). For each customer whose columns changed, moves `updatedAt` and raises one
 * `customer.updated`. For writes of rows, values and table data; a write through the customer raises its own
 * event. The caller has locked all customers; they belong to the scope's company.
 */
export async function updateCustomers(transaction: Queryable, scope: Scope, owners: readonly RowKey[]): Promise<void> {
  const keys = inOrder(owners).map(({ id }): Key => ({ scope, id }))
  if (keys.length === 0) return
  const resource = extendedCustomer({ tables: await extendingTables(transaction, scope), version: 0 })
  const { find, replace } = store(resource)
  let part = Number.POSITIVE_INFINITY
  for (let at = 0; at < keys.length; ) {
    const asked = keys.slice(at, at + part)
    const before = await find(transaction, asked)
    const some = asked.slice(0, before.length)
    await showRows(
      transaction,
      some.map(({ id }) => ({ companyId: scope.companyId, id })),
    )
    // Customers may have grown, so a statement may return fewer than before.
    for (let from = 0; from < some.length; ) {
      const after = await find(transaction, some.slice(from))
      const rows = after.flatMap((row, n) => rewritten(resource, some[from + n] as Key, before[from + n], row))
      if (rows.length > 0 && (await replace(transaction, rows, true)).some((result) => result !== 'written'))
        throw new Error('Another transaction changed a locked customer.')
      from += after.length
    }
    part = partOf(asked.length, before.length)
    at += before.length
  }
}

/** The company's tables that extend customers, in order of creation, as the transaction sees them. */
async function extendingTables(transaction: Queryable, { companyId }: Scope): Promise<Table[]> {
  const rows = await transaction.query(
    {
      name: 'custom_tables_extending',
      text: `
      select stored.id from custom_tables as stored
      where stored.company_id = $1 and exists (
        select from custom_table_fields as field
        where field.company_id = stored.company_id and field.linked = $2 and field.table_id = stored.id)
      order by stored.created_at, stored.id`,
    },
    [companyId, customers],
  )
  const tables: Table[] = []
  for (const [id] of rows) {
    const table = await readTable(transaction, companyId, id)
    if (table?.link) tables.push(table)
  }
  return tables
}

/** The customer's row with its event if its columns have changed. */
function rewritten(
  resource: Resource,
  key: Key,
  before: StoredRow | undefined,
  after: StoredRow | undefined,
): RowToReplace[] {
  if (before === undefined || after === undefined) return []
  if (before.text instanceof Problem || after.text instanceof Problem || before.text === after.text) return []
  const old = JSON.parse(before.text)
  const now = JSON.parse(after.text)
  const previous = Object.fromEntries(
    Object.keys(resource.projection?.fields ?? {})
      .filter((member) => JSON.stringify(old[member]) !== JSON.stringify(now[member]))
      .map((member) => [member, old[member] ?? null]),
  )
  const record = { ...now, updatedAt: later(new Date().toISOString(), now.updatedAt) }
  const { shown, body } = writing(resource)
  const data = shown(record)
  const event = { id: newId(), type: `${customer.name.one}.updated`, data, previous: JSON.stringify(previous) }
  return [{ ...key, version: after.version, body: body(record, data), events: [event], claims: [] }]
}
