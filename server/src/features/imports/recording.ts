// Stores what an import does to each record, in the transaction that does it, so that the import can be undone.

import type { RowKey } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import type { Queryable } from '../../database/connect.ts'
import { insertMany, type ManyRows } from '../../engine/many-rows.ts'
import { projectionPlaceholder } from '../../engine/projection.ts'
import type { JsonObject, Key } from '../../engine/record.ts'
import type { Resource } from '../../engine/resource.ts'
import { inParts, type StoredRow, store } from '../../engine/store.ts'
import { customer } from '../../resources/customer.ts'
import { outlet } from '../../resources/outlet.ts'
import { type RecordKind, resources, type StepItem, type Watch } from '../file-import/records.ts'
import type { ChangeKind } from './import.ts'
import { IMPORT_UNDO_BYTES } from './limits.ts'
import { holdOwners } from './owners.ts'

/** Bytes that a change takes besides the previous members, with its indexes. */
const IMPORT_CHANGE_BYTES = 350

/** The resources that an import writes. */
export const writtenResources: Readonly<Record<ChangeKind, Resource>> = {
  ...resources,
  outlets: outlet,
  // Without what a company's tables add, which no import sets.
  customers: { ...customer, projection: { ...projectionPlaceholder, text: () => '' } },
}

/** Keeps the changes of one import. */
export interface Recorder {
  readonly watch: Watch
  /** For an outlet that the import created. */
  readonly madeOutlet: (transaction: Queryable, id: string) => Promise<void>
  /** Approximate bytes of the changes, including earlier leases. */
  readonly bytes: () => number
}

/**
 * Makes the recorder of an import's changes; beyond `IMPORT_UNDO_BYTES` it stores nothing more, and the import cannot be
 * undone.
 */
export function recorder(scope: Scope, key: RowKey, outletId: () => string | undefined, bytesBefore: number): Recorder {
  const { companyId } = key
  let bytes = bytesBefore

  async function keep(transaction: Queryable, kind: ChangeKind, written: readonly WrittenRecord[]): Promise<void> {
    bytes += await keepChanges(transaction, key, kind, outletId() ?? '', written)
  }

  const watch: Watch = async (transaction, kind, items) => {
    const updates = items.filter(({ id }) => id !== '')
    const ids = updates.map(({ id }) => id)
    // Owners are locked first: a write of a variant may also change its product, which must not count as touched by
    // others.
    const ownerIds = items.flatMap(({ ownerId }) => ownerId ?? [])
    const owners = await holdOwners(transaction, companyId, kind, ids, ownerIds)
    if (bytes > IMPORT_UNDO_BYTES) return async () => {}
    const records = await holdRecords(transaction, scope, kind, updates)
    const stocked = updates.filter(({ setsStock }) => setsStock).map(({ id }) => id)
    const levels = await levelsAt(transaction, companyId, outletId() ?? '', stocked)
    return async (written) => {
      const all = [...written].map(([{ setsStock }, id]) => {
        return { id, setsStock, before: records.get(id), level: levels.get(id) }
      })
      await keep(transaction, kind, all)
      await owners?.settle(key.id)
    }
  }

  return {
    watch,
    madeOutlet: (transaction, id) => keep(transaction, 'outlets', [{ id, setsStock: false }]),
    bytes: () => bytes,
  }
}

/** A record that a step wrote, with its previous values; a new record has none. */
interface WrittenRecord {
  readonly id: string
  readonly setsStock: boolean
  readonly before?: Before | undefined
  readonly level?: StoredLevel | undefined
}

/** A record before a step, with the members that the step writes. */
interface Before {
  readonly version: number
  readonly members: JsonObject
}

/** The level of a variant before a step. */
interface StoredLevel {
  readonly id: string
  readonly version: number
  readonly stock: number
}

/** Locks the records that a step updates, as the update does; returns the values it will overwrite. */
async function holdRecords(
  transaction: Queryable,
  scope: Scope,
  kind: RecordKind,
  updates: readonly StepItem[],
): Promise<Map<string, Before>> {
  const keyOf = ({ id }: StepItem): Key => ({ scope, id })
  const found = new Map<string, Before>()
  if (updates.length === 0) return found
  const note = ({ id, members }: StepItem, row: StoredRow | undefined) => {
    if (row === undefined || typeof row.text !== 'string') return
    const record: JsonObject = JSON.parse(row.text)
    found.set(id, { version: row.version, members: Object.fromEntries(members.map((m) => [m, record[m] ?? null])) })
  }
  const { lock, find } = store(writtenResources[kind])
  await lock(transaction, updates.map(keyOf))
  await inParts(updates, (asked) => find(transaction, asked.map(keyOf)), note)
  return found
}

/** The live level of each of these variants at an outlet. Writers of a level lock its variant, as this transaction does. */
async function levelsAt(
  transaction: Queryable,
  companyId: string,
  outletId: string,
  variantIds: readonly string[],
): Promise<Map<string, StoredLevel>> {
  if (variantIds.length === 0) return new Map()
  const rows = await transaction.query(
    {
      name: 'import_levels',
      text: `
      select stored.variant_id, stored.id, stored.version, stored.body ->> 'stock'
      from unnest($1::text[], $2::text[]) as item(company_id, variant_id)
      join inventories as stored on stored.company_id = item.company_id and stored.variant_id = item.variant_id
        and stored.outlet_id = $3 and not stored.is_deleted`,
    },
    [variantIds.map(() => companyId), variantIds, outletId],
  )
  return new Map(rows.map(([variantId, id, version, stock]) => [variantId, { id, version, stock: Number(stock) }]))
}

/**
 * The changes to store for written records, merged with those of an earlier step of the import: two writes count as one. If
 * another write came in between, the earlier version stays, so that the record counts as touched, and its stock as moved.
 */
const changesOf = (kind: ChangeKind) => `
  select item.id, coalesce(old.was_created, item.version is null),
    case when is_rewritten and not is_touched then stored.version else old.version end,
    case when is_touched or not is_rewritten then old.before
      when old.was_created is distinct from true then coalesce((item.before::jsonb || old.before::jsonb)::json, item.before) end,
    coalesce(level.id, old.inventory_id), coalesce(level.version, old.inventory_version),
    case when level.id is null or is_same_level then old.stock_before else item.stock end,
    coalesce(old.was_moved or level.id is not null and old.inventory_id is not null and not is_same_level, false)
  from unnest($1::text[], $2::text[], $3::int[], $4::json[], $5::boolean[], $6::text[], $7::int[], $8::float8[]) with ordinality
    as item(company_id, id, version, before, sets_stock, level_id, level_version, stock, place)
  join ${kind} as stored on stored.company_id = item.company_id and stored.id = item.id
  left join inventories as level on level.company_id = item.company_id and level.variant_id = item.id and level.outlet_id = $9
    and not level.is_deleted and item.sets_stock and level.version is distinct from item.level_version
  left join import_changes as old on old.company_id = item.company_id and old.import_id = $10 and old.kind = '${kind}'
    and old.record_id = item.id
  cross join lateral (select
    stored.version is distinct from item.version as is_rewritten,
    coalesce(old.version <> coalesce(item.version, 0), false) as is_touched,
    coalesce(old.inventory_id = item.level_id and old.inventory_version = item.level_version, false) as is_same_level) as compared
  where is_rewritten or level.id is not null
  order by item.place`

const keeping: ManyRows = {
  name: 'import_changes_keep',
  into: `insert into import_changes (company_id, import_id, kind, record_id, was_created, version, before,
    inventory_id, inventory_version, stock_before, was_moved)`,
  row: (of) => `$1, $2, $3, ${[0, 1, 2, 3, 4, 5, 6, 7].map(of).join(', ')}`,
  rest: `on conflict (company_id, import_id, kind, record_id) do update set version = excluded.version, before = excluded.before,
    inventory_id = excluded.inventory_id, inventory_version = excluded.inventory_version,
    stock_before = excluded.stock_before, was_moved = excluded.was_moved`,
}

/** Stores the changes of a step; returns their approximate bytes. */
async function keepChanges(
  transaction: Queryable,
  { companyId, id: importId }: RowKey,
  kind: ChangeKind,
  outletId: string,
  written: readonly WrittenRecord[],
): Promise<number> {
  if (written.length === 0) return 0
  const rows = await transaction.query({ name: `import_changes_of_${kind}`, text: changesOf(kind) }, [
    ...[written.map(() => companyId), written.map(({ id }) => id)],
    ...[
      written.map(({ before }) => before?.version),
      written.map(({ before }) => before && JSON.stringify(before.members)),
    ],
    written.map(({ setsStock }) => setsStock),
    ...[written.map(({ level }) => level?.id), written.map(({ level }) => level?.version)],
    written.map(({ level }) => level?.stock),
    ...[outletId, importId],
  ])
  await insertMany(transaction, keeping, [companyId, importId, kind], rows)
  return rows.reduce((sum, [, , , before]) => sum + IMPORT_CHANGE_BYTES + (before?.length ?? 0), 0)
}
