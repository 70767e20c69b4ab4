// The changes of imports in PostgreSQL: one row for each record that an import wrote, however often it wrote it.
import type { RowKey } from '../../core/ids.ts'
import type { Queryable } from '../../database/connect.ts'
import { insertMany, type ManyRows } from '../../engine/many-rows.ts'
import type { JsonObject } from '../../engine/record.ts'
import type { ChangeKind } from './import.ts'
import type { StoredLevel } from './versions.ts'

/** What one step did to a record. */
export interface ImportChange {
  readonly id: string
  readonly wasCreated: boolean
  readonly versionBefore: number | undefined
  /** Absent if only stock was set. */
  readonly version?: number | undefined
  /** The members that were written, with their former values. */
  readonly before?: JsonObject
  /** Absent if no stock was set. */
  readonly level?: StoredLevel
  readonly levelBefore?: StoredLevel | undefined
}

interface KeptChange {
  readonly wasCreated: boolean
  readonly version: number | null
  readonly before: JsonObject | undefined
  readonly inventoryId: string | null
  readonly inventoryVersion: number | null
  readonly stockBefore: number | null
  readonly wasMoved: boolean
}

/** Stores the changes of a step, merged with those of earlier steps of the import to the same records. */
export async function keepChanges(
  transaction: Queryable,
  key: RowKey,
  kind: ChangeKind,
  changes: readonly ImportChange[],
): Promise<void> {
  if (changes.length === 0) return
  const ids = changes.map(({ id }) => id)
  const known = await findKept(transaction, key, kind, ids)
  const rows = changes.map((change) => ({ id: change.id, ...together(known.get(change.id), change) }))
  await insertMany(
    transaction,
    keeping,
    [key.companyId, key.id, kind],
    rows.map(({ id, wasCreated, version, before, inventoryId, inventoryVersion, stockBefore, wasMoved }) => [
      ...[id, wasCreated, version, before && JSON.stringify(before)],
      ...[inventoryId, inventoryVersion, stockBefore, wasMoved],
    ]),
  )
}

const keeping: ManyRows = {
  name: 'import_changes_keep',
  into: `insert into import_changes (company_id, import_id, kind, record_id, was_created, version, before,
    inventory_id, inventory_version, stock_before, was_moved)`,
  row: (of) => `$1, $2, $3, ${[0, 1, 2, 3, 4, 5, 6, 7].map(of).join(', ')}`,
  rest: `on conflict (company_id, import_id, kind, record_id) do update set version = excluded.version, before = excluded.before,
    inventory_id = excluded.inventory_id, inventory_version = excluded.inventory_version,
    stock_before = excluded.stock_before, was_moved = excluded.was_moved`,
}

async function findKept(
  transaction: Queryable,
  { companyId, id }: RowKey,
  kind: ChangeKind,
  ids: readonly string[],
): Promise<Map<string, KeptChange>> {
  const rows = await transaction.query(
    {
      name: 'import_changes_find',
      text: `
      select record_id, was_created, version, before, inventory_id, inventory_version, stock_before, was_moved
      from import_changes where company_id = $1 and import_id = $2 and kind = $3 and record_id = any ($4)`,
    },
    [companyId, id, kind, ids],
  )
  return new Map(
    rows.map(([recordId, wasCreated, version, before, inventoryId, inventoryVersion, stockBefore, wasMoved]) => [
      recordId,
      {
        wasCreated,
        version,
        inventoryId,
        inventoryVersion,
        wasMoved,
        before: before === null ? undefined : JSON.parse(before),
        stockBefore: stockBefore === null ? null : Number(stockBefore),
      },
    ]),
  )
}

/**
 * Two writes of a record as one. If another write came in between, the first version is kept, so that the record counts
 * as touched.
 */
function together(old: KeptChange | undefined, now: ImportChange): KeptChange {
  return { wasCreated: old?.wasCreated ?? now.wasCreated, ...memberPart(old, now), ...stockPart(old, now) }
}

function memberPart(old: KeptChange | undefined, now: ImportChange): Pick<KeptChange, 'version' | 'before'> {
  if (now.version === undefined) return { version: old?.version ?? null, before: old?.before }
  if (old === undefined || old.version === null) return { version: now.version, before: now.before }
  if (old.version !== now.versionBefore) return { version: old.version, before: old.before }
  const before = old.wasCreated ? undefined : { ...now.before, ...old.before }
  return { version: now.version, before }
}

function stockPart(
  old: KeptChange | undefined,
  { level, levelBefore }: ImportChange,
): Pick<KeptChange, 'inventoryId' | 'inventoryVersion' | 'stockBefore' | 'wasMoved'> {
  const { inventoryId = null, inventoryVersion = null, wasMoved = false } = old ?? {}
  if (level === undefined) return { inventoryId, inventoryVersion, stockBefore: old?.stockBefore ?? null, wasMoved }
  const set = { inventoryId: level.id, inventoryVersion: level.version }
  const stockBefore = levelBefore?.stock ?? null
  if (old === undefined || inventoryId === null) return { ...set, stockBefore, wasMoved }
  const isSame = inventoryId === levelBefore?.id && inventoryVersion === levelBefore.version
  return isSame ? { ...set, stockBefore: old.stockBefore, wasMoved } : { ...set, stockBefore, wasMoved: true }
}
