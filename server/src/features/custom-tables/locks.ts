// In what order writers take hold of custom tables: the table first, then rows, then values, so that no two of them ever wait for each other.
import type { Queryable } from '../../database/connect.ts'

/** A table or a row of a company. */
export interface Place {
  readonly companyId: string
  readonly id: string
}

/** A place as a key of maps. */
export const placeKey = ({ companyId, id }: Place): string => `${companyId} ${id}`

/** The places, each once, in the one order of all writers. */
const inOrder = (places: readonly Place[]): Place[] =>
  [...new Map(places.map((place) => [placeKey(place), place]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, one]) => one)

/**
 * Holds the structure of tables until the transaction ends: many who write in them at once, or one who changes them. The
 * versions of those that are there come back. An advisory lock and not the row's, because row locks let every newcomer
 * share before the one who waits to change: under steady writing he would wait for ever.
 */
export async function lockTables(
  transaction: Queryable,
  places: readonly Place[],
  mode: 'shared' | 'alone',
): Promise<Map<string, number>> {
  const ordered = inOrder(places)
  if (ordered.length === 0) return new Map()
  const values = [ordered.map(({ companyId }) => companyId), ordered.map(({ id }) => id)]
  const lock = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock'
  await transaction.query(
    {
      name: `custom_tables_lock_${mode}`,
      text: `
      select ${lock}(key) from (
        select distinct hashtextextended('custom table ' || item.company_id || ' ' || item.id, 0) as key
        from unnest($1::text[], $2::text[]) as item(company_id, id) order by key
      ) as ordered`,
    },
    values,
  )
  // A statement of its own: it has to see what was committed before the lock was had.
  const rows = await transaction.query(
    {
      name: 'custom_tables_versions',
      text: `
      select stored.company_id, stored.id, stored.version
      from unnest($1::text[], $2::text[]) as item(company_id, id)
      join custom_tables as stored on stored.company_id = item.company_id and stored.id = item.id`,
    },
    values,
  )
  return new Map(rows.map(([companyId, id, version]) => [placeKey({ companyId, id }), version]))
}

/** A row that is held. */
export interface HeldRow {
  readonly tableId: string
  readonly version: number
  readonly body: string
  readonly cells: string
  readonly cellsAt: string
}

/** Holds live rows until the transaction ends, and gives back what stands in them. */
export async function lockRows(transaction: Queryable, places: readonly Place[]): Promise<Map<string, HeldRow>> {
  const ordered = inOrder(places)
  if (ordered.length === 0) return new Map()
  const rows = await transaction.query(
    {
      name: 'custom_rows_lock',
      text: `
      select stored.company_id, stored.id, stored.table_id, stored.version, stored.body, stored.cells, stored.cells_at
      from unnest($1::text[], $2::text[]) as item(company_id, id)
      join custom_table_rows as stored
        on stored.company_id = item.company_id and stored.id = item.id and not stored.is_deleted
      order by stored.company_id, stored.id for update of stored`,
    },
    [ordered.map(({ companyId }) => companyId), ordered.map(({ id }) => id)],
  )
  return new Map(
    rows.map(([companyId, id, tableId, version, body, cells, cellsAt]) => [
      placeKey({ companyId, id }),
      { tableId, version, body, cells, cellsAt },
    ]),
  )
}
