// The columns that a company's tables add to its customers, as a view: one member for each table, read from and written to the customer's row of it.
import type { Queryable } from '../../database/connect.ts'
import { later } from '../../engine/date-time.ts'
import type { Field, JsonSchema } from '../../engine/field.ts'
import { newId } from '../../engine/ids.ts'
import type { Change, JsonObject } from '../../engine/schema.ts'
import { store } from '../../engine/store.ts'
import { Outgrown, type View, type ViewWrite } from '../../engine/view.ts'
import { writing } from '../../engine/writing.ts'
import { bodyError, invalid, type MemberError, Problem, stepTo } from '../../http/problem.ts'
import { type Belonging, showRows } from './belonging.ts'
import { type Cells, type CellsWrite, flagValues, writeCells, writeValues } from './cells.ts'
import { type Column, fromJson, nameIn, shownCell } from './column.ts'
import { lockTables } from './locks.ts'
import { dangling } from './references.ts'
import { customTableRow } from './row.ts'
import { cellsOf } from './row-body.ts'
import { type Extensions, structureVersion, type Table } from './structure.ts'

/** A table that extends customers, without the column that refers to them: what a customer shows of it. */
interface Extension {
  readonly table: Table
  readonly link: Column
  /** `"loyalty":` */
  readonly key: string
}

/** Makes the view of customers by the structure of a company, as it was in one moment. */
export function customerColumns({ tables, version }: Extensions): View {
  const extensions = tables.map(extensionOf)
  const heldText = heldReader(extensions)
  return {
    fields: Object.fromEntries(extensions.map(({ table }) => [table.name, member(table)])),
    isAlways: false,
    text: (held) => (held === null ? '' : heldText(held)),
    write: (record) =>
      joined(extensions.map(({ table, key }) => record[table.name] && key + shown(table, columnsOf(record, table)))),
    merge: (before, change) => merged(extensions, before, change),
    async hold(transaction, keys) {
      const companyId = keys[0]?.scope.companyId
      if (companyId === undefined) return
      const places = tables.map(({ id }) => ({ companyId, id }))
      await lockTables(transaction, places, 'shared')
      if ((await structureVersion(transaction, companyId)) !== version) throw new Outgrown()
    },
    store: (transaction, written) => writeRows(transaction, extensions, written),
  }
}

function extensionOf(table: Table): Extension {
  const link = table.link as Column
  const columns = table.columns.filter(({ id }) => id !== link.id)
  const byName = new Map(columns.map((column) => [column.name, column]))
  return { table: { ...table, columns, byName }, link, key: `${JSON.stringify(table.name)}:` }
}

/**
 * Makes the reader of what customers hold: `{"link shape,link shape": [columns, columns]}` (`belonging.ts`). The columns of
 * the only table are taken as they stand, where they are called what they were; all else is read and said anew.
 */
function heldReader(extensions: readonly Extension[]): (held: string) => string {
  const byLink = new Map(extensions.map((extension) => [extension.link.id, extension]))
  type Part = { readonly extension: Extension | undefined; readonly shape: number }
  const heads = new Map<string, { readonly parts: readonly Part[]; readonly key: string | undefined }>()
  function read(head: string) {
    const parts = head.split(',').map((part): Part => {
      const [link = '', shape] = part.split(' ')
      return { extension: byLink.get(link), shape: Number(shape) }
    })
    const [only] = parts
    const isAsItStands = parts.length === 1 && only?.extension?.table.shape === only?.shape
    const known = { parts, key: isAsItStands ? only?.extension?.key : undefined }
    heads.set(head, known)
    return known
  }
  return (held) => {
    const end = held.indexOf('"', 2)
    const head = held.slice(2, end)
    const { parts, key } = heads.get(head) ?? read(head)
    if (key !== undefined) return `{${key}${held.slice(end + 3, -2)}}`
    const rows: Columns[] = JSON.parse(held)[head]
    const shownBy = new Map(
      parts.map(({ extension, shape }, n) => [extension, extension && renamed(extension, shape, rows[n] as Columns)]),
    )
    return joined(extensions.map((extension) => shownBy.get(extension)))
  }
}

/** A table's member, of columns that are called what they were called in a shape. */
function renamed({ table, key }: Extension, shape: number, columns: Columns): string {
  const now = table.columns.flatMap((column): [string, unknown][] => {
    const name = nameIn(shape, column)
    return name !== undefined && Object.hasOwn(columns, name) ? [[column.name, columns[name]]] : []
  })
  return key + shown(table, Object.fromEntries(now))
}

const joined = (members: readonly unknown[]): string => {
  const all = members.filter((member) => typeof member === 'string')
  return all.length === 0 ? '' : `{${all.join(',')}}`
}

type Columns = Readonly<Record<string, unknown>>
const columnsOf = (record: Columns, { name }: Table) => (Object.hasOwn(record, name) ? record[name] : {}) as Columns
/** A column may be called as something that every object has. */
const cellOf = (columns: Columns, { name }: Column) => (Object.hasOwn(columns, name) ? columns[name] : undefined)

/** Columns in the order of their fields, whatever order an object would give them. */
const shown = (table: Table, columns: Columns): string =>
  `{${table.columns
    .flatMap((column) => {
      const value = cellOf(columns, column)
      return value === undefined ? [] : [column.key + JSON.stringify(value)]
    })
    .join(',')}}`

/** A table as a member of customers. */
function member(table: Table): Field<Columns> {
  const columns = (schemaOf: (column: Column) => JsonSchema) =>
    Object.fromEntries(table.columns.map((column) => [column.name, schemaOf(column)]))
  const needed = table.columns.filter(({ isRequired, defaultValue }) => isRequired && defaultValue === undefined)
  const about = `The customer’s row of the custom table \`${table.name}\`.`
  const needs =
    needed.length > 0 ? ` A new one needs ${needed.map(({ name }) => `\`${JSON.stringify(name).slice(1, -1)}\``).join(', ')}.` : '' // biome-ignore format: one thought
  return {
    comparison: 'set',
    schema: { type: 'object', description: about, properties: columns(shownSchema), additionalProperties: false },
    sent: {
      type: 'object',
      description: `${about} Columns sent are set, \`null\` clears one, the others stay; \`null\` for the whole deletes the row.${needs}`,
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
  'json-string': { type: 'string', description: 'JSON in a string.' },
}
const shownSchema = ({ type }: Column): JsonSchema => jsonTypes[type]
const sentSchema = ({ type }: Column): JsonSchema => ({
  ...jsonTypes[type],
  type: [...new Set([jsonTypes[type].type, ...(type === 'json-string' ? ['object', 'array'] : []), 'null'])],
})

/** What customers show once a change is made: its columns over those that are there; of a new row also the defaults. */
function merged(extensions: readonly Extension[], before: JsonObject, { set, clear }: Change): JsonObject | Problem {
  const members: [string, Columns][] = []
  const errors: MemberError[] = []
  for (const { table } of extensions) {
    const { name } = table
    const isThere = before[name] !== undefined
    if (clear.includes(name) || (set[name] === undefined && !isThere)) continue
    const old = columnsOf(before, table)
    const sent = columnsOf(set, table)
    const columns = table.columns.flatMap((column): [string, unknown][] => {
      const own = cellOf(sent, column)
      const stands = isThere ? cellOf(old, column) : defaultOf(column)
      const value = own === undefined ? stands : (own ?? undefined)
      // A row that was made value by value may lack what is required; whoever does not touch that is not told.
      const isMissed = column.isRequired && value === undefined && (!isThere || stands !== undefined)
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

/** A customer's row of a table, as it was and as it is to be. */
interface RowWrite {
  readonly companyId: string
  readonly customerId: string
  readonly extension: Extension
  /** What the customer shows of it; undefined when the row is to go. */
  readonly columns: Columns | undefined
}

const { insert, replace } = store(customTableRow)
const rowWriting = writing(customTableRow)

/**
 * Writes what was sent of customers that are held. No event tells of these rows: the customer's does (decisions §7).
 * Throws 400 where a column refers to a record that is not there.
 */
async function writeRows(
  transaction: Queryable,
  extensions: readonly Extension[],
  written: readonly ViewWrite[],
): Promise<void> {
  const now = new Date().toISOString()
  const meant = new Map<string, RowWrite & Pick<ViewWrite, 'scope'>>()
  for (const { scope, record, sent } of written)
    for (const extension of extensions) {
      const { name } = extension.table
      if (sent.set[name] === undefined && !sent.clear.includes(name)) continue
      const columns = record[name] === undefined ? undefined : columnsOf(record, extension.table)
      const { companyId } = scope
      meant.set(`${record.id} ${extension.link.id}`, { scope, companyId, customerId: record.id, extension, columns })
    }
  const writes = [...meant.values()]
  const rows = await linkedRows(transaction, writes)
  const made: Parameters<typeof insert>[1][number][] = []
  const gone: Parameters<typeof replace>[1][number][] = []
  const cells: CellsWrite[] = []
  const belongings: Belonging[] = []
  for (const { scope, companyId, customerId, extension, columns } of writes) {
    const { table, link } = extension
    const row = rows.get(`${companyId} ${link.id} ${customerId}`)
    if (row === undefined && columns === undefined) continue
    belongings.push({ companyId, customerId, linkedBy: link.id })
    if (columns === undefined) {
      const { id, version, body } = row as LinkedRow
      const before = JSON.parse(body)
      const record = { ...before, isDeleted: true, updatedAt: later(now, before.updatedAt) }
      gone.push({ scope, id, version, body: rowWriting.shown(record), events: [], claims: [] })
      continue
    }
    const id = row?.id ?? newId()
    if (row === undefined) {
      const ids = { id, tableId: { $oid: table.id }, companyId: { $oid: companyId } }
      const record = { ...ids, isDeleted: false, createdAt: now, updatedAt: now }
      made.push({ scope, id, body: rowWriting.shown(record), events: [], claims: [] })
    }
    const before: Readonly<Record<string, string>> = row ? JSON.parse(row.cells) : {}
    const after = new Map(table.columns.map((column) => [column.id, storedCell(column, columns)]))
    const changed: Cells = new Map([...after].filter(([field, stored]) => (before[field] ?? null) !== stored))
    if (row === undefined) changed.set(link.id, customerId)
    if (changed.size === 0) continue
    const whole = new Map<string, string | null>([...Object.entries(before), ...changed])
    const linkedBy = row === undefined ? link.id : undefined
    const text = JSON.stringify(Object.fromEntries([...whole].filter(([, stored]) => stored !== null)))
    cells.push({ companyId, tableId: table.id, rowId: id, cells: text, changed, linkedBy })
  }
  await refuseDangling(transaction, extensions, cells)
  if (made.length > 0) await insert(transaction, made)
  if (gone.length > 0) await replace(transaction, gone, true)
  await writeCells(transaction, cells, now)
  await writeValues(transaction, cells, now)
  await flagValues(
    transaction,
    gone.map(({ scope, id }) => ({ companyId: scope.companyId, rowId: id })),
    now,
  )
  await showRows(transaction, belongings)
}

function storedCell(column: Column, columns: Columns): string | null {
  const value = cellOf(columns, column)
  return value === undefined ? null : (fromJson(column.type, value) as string)
}

interface LinkedRow {
  readonly id: string
  readonly version: number
  readonly body: string
  readonly cells: string
}

/** The live rows of customers, held; by company, field and customer. */
async function linkedRows(transaction: Queryable, writes: readonly RowWrite[]): Promise<Map<string, LinkedRow>> {
  const rows = await transaction.query(
    {
      name: 'custom_rows_lock_linked',
      text: `
      select stored.company_id, stored.linked_by, stored.linked_id, stored.id, stored.version, stored.body, stored.cells
      from unnest($1::text[], $2::text[], $3::text[]) as item(company_id, linked_by, linked_id)
      join custom_table_rows as stored on stored.company_id = item.company_id and stored.linked_by = item.linked_by
        and stored.linked_id = item.linked_id and stored.linked_by is not null and not stored.is_deleted
      order by stored.company_id, stored.id for update of stored`,
    },
    [
      writes.map(({ companyId }) => companyId),
      writes.map(({ extension }) => extension.link.id),
      writes.map(({ customerId }) => customerId),
    ],
  )
  return new Map(
    rows.map(([companyId, linkedBy, linkedId, id, version, body, cells]) => [
      `${companyId} ${linkedBy} ${linkedId}`,
      { id, version, body, cells },
    ]),
  )
}

/** Throws 400 for columns that refer to a record that is not there. */
async function refuseDangling(
  transaction: Queryable,
  extensions: readonly Extension[],
  writes: readonly CellsWrite[],
): Promise<void> {
  const tables = new Map(extensions.map(({ table }) => [table.id, table]))
  const references = writes.flatMap(({ companyId, tableId, changed }) => {
    const { name: of, columns } = tables.get(tableId) as Table
    return columns.flatMap(({ id, name, reference }) => {
      const value = changed.get(id)
      return reference && typeof value === 'string' ? [{ ...reference, companyId, value, of, name }] : []
    })
  })
  const missing = await dangling(transaction, references)
  if (missing.length > 0)
    throw invalid(
      missing.map(({ of, name, collection, member }) =>
        bodyError(stepTo(name, stepTo(of)), 'reference', `is no ${member} of any of ${collection}`),
      ),
    )
}
