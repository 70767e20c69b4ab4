// Writes the contents of rows: the cells that pages are read from, and the values that are records of their own.

import { isId, newId } from '../../core/ids.ts'
import { conflict } from '../../core/problem.ts'
import { isUniqueFault, type Queryable } from '../../database/connect.ts'
import { byCompany } from '../../database/one-company.ts'
import { insertMany, type ManyRows } from '../../engine/many-rows.ts'
import type { ItemWithId } from '../../engine/record.ts'
import { writing } from '../../engine/writing.ts'
import { customTableValue } from './resources.ts'
import type { Cells } from './table.ts'

/** A row whose cells change; the transaction has locked it. */
export interface CellsWrite {
  readonly companyId: string
  readonly tableId: string
  readonly rowId: string
  /** All cells of the row after the change, as JSON. */
  readonly cells: string
  readonly changed: Cells
  /** The column with the row's customer, if that changes. */
  readonly linkedBy: string | undefined
}

/** The cells before, with the changes applied. */
export function mergedCells(before: string, changed: Cells): string {
  const cells = new Map<string, string | null>(Object.entries(JSON.parse(before)))
  for (const [field, value] of changed) cells.set(field, value)
  return JSON.stringify(Object.fromEntries([...cells].filter(([, value]) => value !== null)))
}

/**
 * Writes the cells of rows. In tables that extend customers, the customers are locked before and their projections
 * updated afterwards (`showRows`). Throws 409 if another live row of the table belongs to the same customer.
 */
export async function writeCells(transaction: Queryable, writes: readonly CellsWrite[], now: string): Promise<void> {
  if (writes.length === 0) return
  try {
    await transaction.query(
      {
        name: 'custom_rows_cells',
        text: `
        update custom_table_rows as stored set cells = item.cells, cells_at = greatest(stored.cells_at, $1),
          linked_by = case when item.is_link then item.linked_by else stored.linked_by end,
          linked_id = case when item.is_link then item.linked_id else stored.linked_id end
        from rows from (unnest($2::text[], $3::text[]), json_array_elements($4::json), unnest($5::boolean[], $6::text[], $7::text[]))
          as item(company_id, id, cells, is_link, linked_by, linked_id)
        where stored.company_id = item.company_id and stored.id = item.id`,
      },
      [
        now,
        writes.map(({ companyId }) => companyId),
        writes.map(({ rowId }) => rowId),
        `[${writes.map(({ cells }) => cells).join(',')}]`,
        writes.map(({ linkedBy }) => linkedBy !== undefined),
        writes.map(({ linkedBy, changed }) => (changed.get(linkedBy ?? '') == null ? null : linkedBy)),
        writes.map(({ linkedBy, changed }) => changed.get(linkedBy ?? '') ?? null),
      ],
    )
  } catch (error) {
    if (isUniqueFault(error)) throw conflict('row_exists', 'The table already has a row for this customer.')
    throw error
  }
}

const { shown } = writing(customTableValue)

const makeValues: ManyRows = {
  name: 'custom_values_insert',
  into: 'insert into custom_table_values (company_id, id, body)',
  row: (of) => `$1, ${of(0)}, ${of(1)}::json`,
}

/** The live values of cells, by the places of the cells. */
async function liveValues(
  transaction: Queryable,
  wanted: readonly { readonly companyId: string; readonly rowId: string; readonly fieldId: string }[],
): Promise<Map<number, { readonly id: string; readonly body: string }>> {
  // Bound and order match only the index over live values. With another index, which PostgreSQL may prefer while it has
  // few statistics of the table, each look-up would scan all values of the field.
  const found = await transaction.query(
    {
      name: 'custom_values_of_cells',
      text: `
      select item.ordinality::int, live.id, live.body
      from unnest($1::text[], $2::text[], $3::text[]) with ordinality as item(company_id, row_id, field_id, ordinality)
      cross join lateral (
        select stored.id, stored.body, stored.row_id, stored.field_id from custom_table_values as stored
        where stored.company_id = item.company_id and (stored.row_id, stored.field_id) >= (item.row_id, item.field_id)
          and not stored.is_deleted
        order by stored.row_id, stored.field_id limit 1
      ) as live
      where live.row_id = item.row_id and live.field_id = item.field_id`,
    },
    [wanted.map(({ companyId }) => companyId), wanted.map(({ rowId }) => rowId), wanted.map(({ fieldId }) => fieldId)],
  )
  return new Map(found.map(([ordinal, id, body]) => [ordinal - 1, { id, body }]))
}

/** Inserts, updates and flags the values of cells. They raise no event; the row's event covers them. */
export async function writeValues(transaction: Queryable, writes: readonly CellsWrite[], now: string): Promise<void> {
  const wanted = writes.flatMap(({ companyId, tableId, rowId, changed }) =>
    [...changed].map(([fieldId, value]) => ({ companyId, tableId, rowId, fieldId, value })),
  )
  if (wanted.length === 0) return
  const live = await liveValues(transaction, wanted)
  const made: [string, string, string][] = []
  const changed: [string, string, string][] = []
  wanted.forEach(({ companyId, tableId, rowId, fieldId, value }, n) => {
    const before = live.get(n)
    if (before) {
      const record = JSON.parse(before.body)
      const updatedAt = now > record.updatedAt ? now : record.updatedAt
      const next = value === null ? { isDeleted: true } : { value }
      changed.push([companyId, before.id, shown({ ...record, ...next, updatedAt })])
    } else if (value !== null) {
      const id = newId()
      const oids = { tableId: { $oid: tableId }, rowId: { $oid: rowId }, fieldId: { $oid: fieldId } }
      const times = { createdAt: now, updatedAt: now }
      const record = { id, ...oids, value, isDeleted: false, ...times, companyId: { $oid: companyId } }
      made.push([companyId, id, shown(record)])
    }
  })
  const columns = (rows: readonly [string, string, string][]) => [
    rows.map(([companyId]) => companyId),
    rows.map(([, id]) => id),
    `[${rows.map(([, , body]) => body).join(',')}]`,
  ]
  const items = `rows from (unnest($1::text[], $2::text[]), json_array_elements($3::json)) as item(company_id, id, body)`
  if (changed.length > 0)
    await transaction.query(
      {
        name: 'custom_values_change',
        text: `
        update custom_table_values as stored set body = item.body, version = stored.version + 1
        from ${items} where stored.company_id = item.company_id and stored.id = item.id`,
      },
      columns(changed),
    )
  if (made.length > 0 && transaction.isSharded)
    for (const own of byCompany(transaction, made, ([companyId]) => companyId))
      await insertMany(
        transaction,
        makeValues,
        [own[0]?.[0]],
        own.map(([, ...rest]) => rest),
      )
  else if (made.length > 0)
    await transaction.query(
      {
        name: 'custom_values_make',
        text: `insert into custom_table_values (company_id, id, body) select company_id, id, body from ${items}`,
      },
      columns(made),
    )
}

/**
 * Flags the live values of deleted rows. The texts are edited in place: inside a string every quote is escaped, so a
 * match can only be a member.
 */
export async function flagValues(
  transaction: Queryable,
  rows: readonly { readonly companyId: string; readonly rowId: string }[],
  now: string,
): Promise<void> {
  if (rows.length === 0) return
  await transaction.query(
    {
      name: 'custom_values_flag',
      text: `
      update custom_table_values as stored set version = stored.version + 1,
        body = regexp_replace(replace(stored.body::text, '"isDeleted":false', '"isDeleted":true'),
          '"updatedAt":"[^"]*"', '"updatedAt":"' || greatest($1, stored.updated_at) || '"')::json
      from unnest($2::text[], $3::text[]) as item(company_id, row_id)
      where stored.company_id = item.company_id and stored.row_id = item.row_id and not stored.is_deleted`,
    },
    [now, rows.map(({ companyId }) => companyId), rows.map(({ rowId }) => rowId)],
  )
}

/** The place of a value. */
export interface CellKey {
  readonly companyId: string
  readonly tableId: string
  readonly rowId: string
  readonly fieldId: string
}

/** The places of live values, by the position of their items; none for missing or deleted ones. */
export async function readCellKeys(
  transaction: Queryable,
  items: readonly ItemWithId[],
): Promise<Map<number, CellKey>> {
  const rows = await transaction.query(
    {
      name: 'custom_values_spots',
      text: `
      select item.ordinality::int, stored.company_id, stored.table_id, stored.row_id, stored.field_id
      from unnest($1::text[], $2::text[]) with ordinality as item(company_id, id, ordinality)
      join custom_table_values as stored on stored.company_id = item.company_id and stored.id = item.id
        and not stored.is_deleted and ${customTableValue.existsCondition}`,
    },
    [items.map(({ scope }) => scope.companyId), items.map(({ id }) => (isId(id) ? id : ''))],
  )
  return new Map(rows.map(([n, companyId, tableId, rowId, fieldId]) => [n - 1, { companyId, tableId, rowId, fieldId }]))
}
