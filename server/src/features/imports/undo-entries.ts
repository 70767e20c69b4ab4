// What is left to undo of an import, as steps read it: the next records of a kind, and what belongs to some orders.

import type { Queryable, Row } from '../../database/connect.ts'
import { store } from '../../engine/store.ts'
import { holdOrders } from '../../resources/order-state.ts'
import type { ChangeKind, ImportKey } from './import.ts'
import { IMPORT_UNDO_CHARACTERS } from './limits.ts'
import { written } from './recording.ts'
import type { StepParts, UndoEntry } from './undo-steps.ts'

const columns = `record_id, was_created, version, case when was_created then null else before end, inventory_id, inventory_version,
  stock_before, was_moved`

function entryOf(row: Row): UndoEntry {
  const [id, wasCreated, version, before, inventoryId, inventoryVersion, stockBefore, wasMoved] = row
  return {
    ...{ id, wasCreated, version: version ?? undefined, before: before === null ? {} : JSON.parse(before) },
    level:
      inventoryId === null
        ? undefined
        : {
            ...{ id: inventoryId, version: inventoryVersion, wasMoved },
            stockBefore: stockBefore === null ? undefined : Number(stockBefore),
          },
  }
}

/** The next records of a kind, last written first; as many as one transaction carries easily. */
export async function nextEntries(
  transaction: Queryable,
  { companyId, id }: ImportKey,
  kind: ChangeKind,
  size: number,
): Promise<UndoEntry[]> {
  const rows = await transaction.query(
    {
      name: 'import_changes_next',
      text: `
      select ${columns}
      from (
        select *, sum(length(before::text)) over (order by number desc) as characters, row_number() over (order by number desc) as place
        from (
          select * from import_changes
          where company_id = $1 and import_id = $2 and kind = $3 and result is null
          order by number desc limit $4
        ) as waiting
      ) as counted
      where place = 1 or coalesce(characters, 0) <= ${IMPORT_UNDO_CHARACTERS}
      order by number desc`,
    },
    [companyId, id, kind, size],
  )
  return rows.map(entryOf)
}

/** What belongs to an order, in the order of an undo. */
export const partsOfOrders = ['transactions', 'refunds'] as const
type Part = (typeof partsOfOrders)[number]

/**
 * Locks orders with all their payments and refunds, and returns those of them that the import wrote. Until the transaction ends,
 * no other writer can change whether an order stays.
 */
export async function holdOrdersWhole(
  { transaction, scope, importId }: StepParts,
  orderIds: readonly string[],
): Promise<Readonly<Record<Part, readonly UndoEntry[]>>> {
  await holdOrders(transaction, orderIds.map((id) => ({ scope, id }))) // biome-ignore format: one thought
  const entries: Record<Part, readonly UndoEntry[]> = { transactions: [], refunds: [] }
  for (const part of partsOfOrders) {
    const values = [scope.companyId, orderIds]
    const stored = await transaction.query(
      `select id from ${part} where company_id = $1 and order_id = any ($2)`,
      values,
    )
    await store(written[part]).lock(transaction, stored.map(([id]) => ({ scope, id }))) // biome-ignore format: one thought
    const rows = await transaction.query(
      `select ${columns} from import_changes
       where company_id = $1 and import_id = $3 and kind = '${part}' and result is null and record_id in (
         select id from ${part} where company_id = $1 and order_id = any ($2))
       order by number desc`,
      [...values, importId],
    )
    entries[part] = rows.map(entryOf)
  }
  return entries
}
