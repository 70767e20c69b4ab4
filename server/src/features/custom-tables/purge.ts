// Removes, in batches, what was deleted with a table or a field. It is already unreadable, and no lock on it is held
// for long.

import { type BackgroundLoop, backgroundLoop, type Failed, firstLookMs } from '../../concurrency/background-loop.ts'
import type { RowKey } from '../../core/ids.ts'
import { type Database, isTimeout, type Queryable, type Row } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { showRows } from './customer-rows.ts'
import { checkHeld, holdCustomers, holdCustomersOf } from './locks.ts'

/** Rows or values that one statement purges after a table or a field was deleted: locks are held for some ms. */
export const PURGED_ROWS = 2_000
/** Milliseconds between two looks for such rows; while there are some, the purge rests as long as it worked. */
const PURGE_LOOK_MS = 2_000

/** Stores, in the transaction of the delete, what is to be removed later. */
export const purgeLater = (transaction: Queryable, companyId: string, tableId: string, fieldId = ''): Promise<Row[]> =>
  transaction.query(
    `insert into custom_purges (company_id, table_id, field_id, created_at) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [companyId, tableId, fieldId, new Date().toISOString()],
  )

/** Removes one batch of at most `rows` rows; false if there is nothing to remove, or another server does it. */
export const purgeBatch = (database: Database, rows = PURGED_ROWS): Promise<boolean> =>
  retriedTransaction(database, (transaction) => removeBatch(transaction, rows))

async function removeBatch(transaction: Queryable, rows: number): Promise<boolean> {
  // A suspended company may be on its move to this server or from it, and must stay as it is.
  const [purge] = await transaction.query(
    `select company_id, table_id, field_id from custom_purges
       where not exists (select from companies where id = company_id and status = 'suspended')
       order by created_at, company_id, table_id, field_id limit 1 for update skip locked`,
  )
  if (purge === undefined) return false
  const [companyId, tableId, fieldId] = purge
  const hadSome =
    fieldId === ''
      ? (await removeValues(transaction, companyId, tableId, rows)) ||
        (await removeRows(transaction, companyId, tableId, rows))
      : await removeField(transaction, companyId, fieldId, rows)
  if (!hadSome)
    await transaction.query(
      'delete from custom_purges where company_id = $1 and table_id = $2 and field_id = $3',
      purge,
    )
  return true
}

/** Values of a deleted table. */
async function removeValues(
  transaction: Queryable,
  companyId: string,
  tableId: string,
  rows: number,
): Promise<boolean> {
  const [row] = await transaction.query(
    `with batch as materialized (
       select id from custom_table_values where company_id = $1 and table_id = $2 order by created_at, id limit $3
     ), gone as (
       delete from custom_table_values as stored using batch where stored.company_id = $1 and stored.id = batch.id returning 1
     )
     select count(*) from gone`,
    [companyId, tableId, rows],
  )
  return row?.[0] > 0
}

/** Rows of a deleted table, and what customers show of them. No request gives them to other customers now. */
async function removeRows(transaction: Queryable, companyId: string, tableId: string, rows: number): Promise<boolean> {
  const batch = await transaction.query(
    `select id, linked_id from custom_table_rows where company_id = $1 and table_id = $2
     order by created_at, id limit $3`,
    [companyId, tableId, rows],
  )
  const shown = ownersOf(companyId, batch)
  await holdCustomers(transaction, shown)
  await transaction.query('delete from custom_table_rows where company_id = $1 and id = any ($2::text[])', [
    companyId,
    batch.map(([id]) => id),
  ])
  await showRows(transaction, shown)
  return batch.length > 0
}

/** The customers that rows belong to: of `[id, linked_id]`. */
const ownersOf = (companyId: string, rows: readonly Row[]): RowKey[] =>
  rows.flatMap(([, id]) => (id === null ? [] : [{ companyId, id }]))

/** Values of a deleted field, their cells, and what customers show of them. Locks follow the order of all writers. */
async function removeField(transaction: Queryable, companyId: string, fieldId: string, rows: number): Promise<boolean> {
  const values = await transaction.query(
    `select id, row_id from custom_table_values where company_id = $1 and field_id = $2 limit $3`,
    [companyId, fieldId, rows],
  )
  if (values.length === 0) return false
  const rowIds = [...new Set(values.map(([, rowId]) => rowId))]
  const held = await holdCustomersOf(
    transaction,
    rowIds.map((id) => ({ companyId, id })),
  )
  const changed = await transaction.query(
    `with batch as materialized (
       select id, linked_id, linked_by from custom_table_rows where company_id = $1 and id = any ($2::text[]) order by id for update
     )
     update custom_table_rows as stored set cells = (stored.cells::jsonb - $3::text)::json,
       linked_by = nullif(stored.linked_by, $3), linked_id = case when stored.linked_by = $3 then null else stored.linked_id end
     from batch where stored.company_id = $1 and stored.id = batch.id
     returning batch.id, batch.linked_id`,
    [companyId, rowIds, fieldId],
  )
  const shown = ownersOf(companyId, changed)
  checkHeld(held, shown)
  await showRows(transaction, shown)
  await transaction.query('delete from custom_table_values where company_id = $1 and id = any ($2::text[])', [
    companyId,
    values.map(([id]) => id),
  ])
  return true
}

/**
 * Purges whenever there is something to purge, until it is stopped; a running batch is finished or rolled back. Several
 * servers share the work.
 */
export function keepPurging(database: Database, failed: Failed): Pick<BackgroundLoop, 'stop'> {
  let rows = PURGED_ROWS

  async function purge(): Promise<number> {
    const begun = performance.now()
    try {
      const hadSome = await purgeBatch(database, rows)
      rows = Math.min(PURGED_ROWS, rows * 2)
      // Pauses for as long as it worked: requests come first.
      return hadSome ? performance.now() - begun : PURGE_LOOK_MS
    } catch (error) {
      // Rows may be as long as the longest record: a batch that took too long is retried with half as many.
      if (isTimeout(error)) rows = Math.ceil(rows / 2)
      throw error
    }
  }

  const purging = backgroundLoop(purge, failed, PURGE_LOOK_MS)
  purging.schedule(firstLookMs())
  return purging
}
