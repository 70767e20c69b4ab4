// Writes the columns sent with customers to their rows of the tables: inserted, updated, or flagged with their values.

import { later } from '../../core/date-time.ts'
import { newId, type RowKey } from '../../core/ids.ts'
import { RECORD_CHARACTERS } from '../../core/limits.ts'
import { invalid, stepTo } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import type { ProjectionWrite } from '../../engine/projection.ts'
import { store } from '../../engine/store.ts'
import { tooLarge, writing } from '../../engine/writing.ts'
import { type CellsWrite, flagValues, mergedCells, writeCells, writeValues } from './cells.ts'
import { customTableRow } from './resources.ts'
import { type Cells, type Column, customers, danglingColumns, fromJson, type Table } from './table.ts'

/** A table that extends customers, without the column that refers to them: what a customer shows of it. */
export interface ExtendingTable {
  readonly table: Table
  readonly link: Column
  /** `"loyalty":` */
  readonly key: string
}

/** A table, apart from the column that refers to customers. */
export function extendingTableOf(table: Table): ExtendingTable {
  const link = table.link as Column
  const columns = table.columns.filter(({ id }) => id !== link.id)
  const byName = new Map(columns.map((column) => [column.name, column]))
  return { table: { ...table, columns, byName }, link, key: `${JSON.stringify(table.name)}:` }
}

/** Values by the names of their columns. */
export type ColumnValues = Readonly<Record<string, unknown>>

/** The columns of a table in a record. */
export const columnsOf = (record: ColumnValues, { name }: Table) =>
  (Object.hasOwn(record, name) ? record[name] : {}) as ColumnValues

/** A column may have the name of a property that every object has. */
export const cellOf = (columns: ColumnValues, { name }: Column) =>
  Object.hasOwn(columns, name) ? columns[name] : undefined

/** A customer's row of a table, before and after. */
interface RowWrite {
  readonly companyId: string
  readonly customerId: string
  readonly extension: ExtendingTable
  /** What the customer shows of it; undefined if the row is to be deleted. */
  readonly columns: ColumnValues | undefined
}

const { insert, replace } = store(customTableRow)
const rowWriting = writing(customTableRow)

/**
 * Writes what was sent for locked customers. These rows raise no event; the customer's event covers them (decisions
 * §7). Throws 400 if a column refers to a record that does not exist.
 */
export async function writeRows(
  transaction: Queryable,
  extensions: readonly ExtendingTable[],
  written: readonly ProjectionWrite[],
): Promise<void> {
  const now = new Date().toISOString()
  const meant = new Map<string, RowWrite & Pick<ProjectionWrite, 'scope'>>()
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
  const owners: RowKey[] = []
  for (const { scope, companyId, customerId, extension, columns } of writes) {
    const { table, link } = extension
    const row = rows.get(`${companyId} ${link.id} ${customerId}`)
    if (row === undefined && columns === undefined) continue
    owners.push({ companyId, id: customerId })
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
    const linkedBy = row === undefined ? link.id : undefined
    const whole = mergedCells(row?.cells ?? '{}', changed)
    cells.push({ companyId, tableId: table.id, rowId: id, cells: whole, changed, linkedBy })
  }
  const tables = new Map(extensions.map(({ table }) => [table.id, table]))
  const dangling = await danglingColumns(
    transaction,
    cells.map(({ companyId, tableId, changed }) => {
      const { name, columns } = tables.get(tableId) as Table
      return { companyId, columns, changed, at: stepTo(name) }
    }),
  )
  if (dangling.length > 0) throw invalid(dangling)
  if (made.length > 0) await insert(transaction, made)
  if (gone.length > 0) await replace(transaction, gone, true)
  await writeCells(transaction, cells, now)
  await writeValues(transaction, cells, now)
  await flagValues(
    transaction,
    gone.map(({ scope, id }) => ({ companyId: scope.companyId, rowId: id })),
    now,
  )
  await showRows(transaction, owners)
}

function storedCell(column: Column, columns: ColumnValues): string | null {
  const value = cellOf(columns, column)
  return value === undefined ? null : (fromJson(column.type, value) as string)
}

interface LinkedRow {
  readonly id: string
  readonly version: number
  readonly body: string
  readonly cells: string
}

/** The live rows of customers, locked; by company, field and customer. */
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

/**
 * Updates what customers show of their rows: the columns of their live rows, in all tables that extend customers. It
 * reads the rows as the transaction left them, so it must be called last, for the old and the new customers. The
 * customers are locked before the rows. The customer's version grows; its record, its times and its events stay. Throws
 * 413 if a customer would show more than a record may hold; removals are never refused.
 */
export async function showRows(transaction: Queryable, owners: readonly RowKey[]): Promise<void> {
  if (owners.length === 0) return
  const rows = await transaction.query({ name: 'customers_show', text: showing }, [
    RECORD_CHARACTERS,
    owners.map(({ companyId }) => companyId),
    owners.map(({ id }) => id),
    customers,
  ])
  if (rows.some(([isTooLong]) => isTooLong)) throw tooLarge('The customer, with its columns in all tables,')
}

// The text is made here as customers show it, so that readers need not parse it (`customer-columns.ts`).
const showing = `
  with item as materialized (
    select distinct company_id, customer_id from unnest($2::text[], $3::text[]) as item(company_id, customer_id)
  ), part as materialized (
    select item.company_id, item.customer_id, link.id as link, tables.shape, '{' || coalesce((
        select string_agg(to_json(field.name)::text || ':' || case when field.body ->> 'type' in ('number', 'boolean')
          then cell.value else to_json(cell.value)::text end, ',' order by field.created_at, field.id)
        from json_each_text(own.cells) as cell
        join custom_table_fields as field on field.company_id = item.company_id and field.id = cell.key and field.id <> link.id
      ), '') || '}' as columns
    from item
    join custom_table_fields as link on link.company_id = item.company_id and link.linked = $4
    join custom_tables as tables on tables.company_id = item.company_id and tables.id = link.table_id
    join custom_table_rows as own on own.company_id = item.company_id and own.linked_by = link.id
      and own.linked_id = item.customer_id and own.linked_by is not null and not own.is_deleted
  ), fresh as (
    select item.company_id, item.customer_id, ('{"' || string_agg(part.link || ' ' || part.shape, ',' order by part.link) || '":['
      || string_agg(part.columns, ',' order by part.link) || ']}')::json as shown
    from item left join part on part.company_id = item.company_id and part.customer_id = item.customer_id
    group by item.company_id, item.customer_id
  )
  update customers as stored set version = stored.version + 1, shown = fresh.shown
  from fresh join customers as old on old.company_id = fresh.company_id and old.id = fresh.customer_id
  where stored.company_id = fresh.company_id and stored.id = fresh.customer_id
  returning length(stored.shown::text) > coalesce(length(old.shown::text), 0)
    and length(stored.body::text) + length(stored.shown::text) > $1::int`
