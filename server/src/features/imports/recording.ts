// Stores what an import does to each record, in the transaction that does it, so that the import can be undone. It locks the owners of
// records first.

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
export function recorder(scope: Scope, key: RowKey, bytesBefore: number): Recorder {
  const { companyId } = key
  let bytes = bytesBefore

  async function keep(transaction: Queryable, kind: ChangeKind, written: readonly WrittenRecord[]): Promise<void> {
    bytes += await keepChanges(transaction, key, kind, written)
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
    const levels = await levelsOf(transaction, companyId, stocked)
    return async (written) => {
      const all = [...written].map(([{ setsStock }, id]) => {
        return { id, setsStock, before: records.get(id), levels: levels.get(id) }
      })
      await keep(transaction, kind, all)
      await owners?.keepUnchanged(key.id)
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
  /** Its levels before, as JSON. */
  readonly levels?: string | undefined
}

/** A record before a step, with the members that the step writes. */
interface Before {
  readonly version: number
  readonly members: JsonObject
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

/** The live levels of variants, as JSON. Writers of a level lock its variant, as this transaction does. */
async function levelsOf(
  transaction: Queryable,
  companyId: string,
  variantIds: readonly string[],
): Promise<Map<string, string>> {
  if (variantIds.length === 0) return new Map()
  const rows = await transaction.query(
    {
      name: 'import_levels',
      text: `
      select stored.variant_id, json_agg(json_build_object('id', stored.id, 'version', stored.version, 'stock', stored.body -> 'stock'))
      from unnest($1::text[], $2::text[]) as item(company_id, variant_id)
      join inventories as stored on stored.company_id = item.company_id and stored.variant_id = item.variant_id and not stored.is_deleted
      group by stored.variant_id`,
    },
    [variantIds.map(() => companyId), variantIds],
  )
  return new Map(rows as [string, string][])
}

/** The levels that an import set for a variant, as JSON; a change of an earlier version has a single one, in columns. */
export const keptLevels = (change: string): string =>
  `coalesce(${change}.levels, case when ${change}.inventory_id is not null then json_build_array(json_build_object('id', ${change}.inventory_id,
    'version', ${change}.inventory_version, 'before', ${change}.stock_before, 'moved', ${change}.was_moved)) end)`

/**
 * The levels of a variant that this step or an earlier one of the import set: each has its version, its stock before, and whether
 * another write moved its stock between two steps.
 */
const variantLevels = `
  select count(written.id) as written, json_agg(json_build_object('id', coalesce(written.id, kept.id),
    'version', coalesce(written.version, kept.version),
    'before', case when written.id is null or written.version_before = kept.version then kept.before else written.before end,
    'moved', coalesce(kept.moved or written.id is not null and written.version_before is distinct from kept.version, false))) as levels
  from (
    select own.id, own.version, former.version as version_before, former.stock as before from inventories as own
    left join json_to_recordset(item.levels) as former(id text, version int, stock float8) on former.id = own.id
    where own.company_id = item.company_id and own.variant_id = item.id and not own.is_deleted and item.sets_stock
      and own.version is distinct from former.version
  ) as written
  full join json_to_recordset(${keptLevels('old')}) as kept(id text, version int, before float8, moved boolean) on kept.id = written.id`

/**
 * The changes to store for written records, merged with those of an earlier step of the import: two writes count as one. If
 * another write came in between, the earlier version is kept, which marks the record as changed by others, and its stock as moved.
 */
const changesOf = (kind: ChangeKind) => `
  select item.id, coalesce(old.was_created, item.version is null),
    case when is_rewritten and not is_touched then stored.version else old.version end,
    case when is_touched or not is_rewritten then old.before
      when old.was_created is distinct from true then coalesce((item.before::jsonb || old.before::jsonb)::json, item.before) end,
    level.levels
  from unnest($1::text[], $2::text[], $3::int[], $4::json[], $5::boolean[], $6::json[]) with ordinality
    as item(company_id, id, version, before, sets_stock, levels, place)
  join ${kind} as stored on stored.company_id = item.company_id and stored.id = item.id
  left join import_changes as old on old.company_id = item.company_id and old.import_id = $7 and old.kind = '${kind}'
    and old.record_id = item.id
  cross join lateral (select
    stored.version is distinct from item.version as is_rewritten,
    coalesce(old.version <> coalesce(item.version, 0), false) as is_touched) as compared
  cross join lateral (${kind === 'variants' ? variantLevels : 'select 0 as written, null::json as levels'}) as level
  where is_rewritten or level.written > 0
  order by item.place`

const keeping: ManyRows = {
  name: 'import_changes_keep',
  into: 'insert into import_changes (company_id, import_id, kind, record_id, was_created, version, before, levels)',
  row: (of) => `$1, $2, $3, ${[0, 1, 2, 3, 4].map(of).join(', ')}`,
  rest: `on conflict (company_id, import_id, kind, record_id) do update set version = excluded.version, before = excluded.before,
    levels = excluded.levels`,
}

/** Stores the changes of a step; returns their approximate bytes. */
async function keepChanges(
  transaction: Queryable,
  { companyId, id: importId }: RowKey,
  kind: ChangeKind,
  written: readonly WrittenRecord[],
): Promise<number> {
  if (written.length === 0) return 0
  const rows = await transaction.query({ name: `import_changes_of_${kind}`, text: changesOf(kind) }, [
    written.map(() => companyId),
    written.map(({ id }) => id),
    written.map(({ before }) => before?.version),
    written.map(({ before }) => before && JSON.stringify(before.members)),
    written.map(({ setsStock }) => setsStock),
    written.map(({ levels }) => levels),
    importId,
  ])
  await insertMany(transaction, keeping, [companyId, importId, kind], rows)
  return rows.reduce(
    (sum, [, , , before, levels]) => sum + IMPORT_CHANGE_BYTES + (before?.length ?? 0) + (levels?.length ?? 0),
    0,
  )
}

/**
 * The tables of owners, and the columns that name them: the product of a variant, the order of a payment or a refund. A write may change
 * the owner too, and an undo must not take that for a change by another writer.
 */
const ownerTables = {
  variants: { table: 'products', column: 'product_id' },
  transactions: { table: 'orders', column: 'order_id' },
  refunds: { table: 'orders', column: 'order_id' },
} as const
type PartKind = keyof typeof ownerTables
const isPart = (kind: ChangeKind): kind is PartKind => kind in ownerTables

/** Owners that are locked while records of them are written. */
interface HeldOwners {
  /** Keeps an owner that the import left unchanged marked as unchanged, although its records were written. */
  keepUnchanged(importId: string): Promise<void>
}

/** The current owners of the existing records. */
async function ownersOf(
  transaction: Queryable,
  companyId: string,
  of: PartKind,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await transaction.query(
    {
      name: `import_owners_${of}`,
      text: `
      select distinct stored.${ownerTables[of].column} from unnest($1::text[], $2::text[]) as item(company_id, id)
      join ${of} as stored on stored.company_id = item.company_id and stored.id = item.id`,
    },
    [ids.map(() => companyId), ids],
  )
  return rows.map(([id]) => id)
}

/** Locks the owners of records, and `others` that they will belong to, in one order, before the records; undefined if they have none. */
export async function holdOwners(
  transaction: Queryable,
  companyId: string,
  kind: ChangeKind,
  recordIds: readonly string[],
  others: readonly string[],
): Promise<HeldOwners | undefined> {
  if (!isPart(kind)) return undefined
  const { table } = ownerTables[kind]
  const ids = [...new Set([...(await ownersOf(transaction, companyId, kind, recordIds)), ...others])]
  const rows =
    ids.length === 0
      ? []
      : await transaction.query(
          {
            name: `import_owners_hold_${table}`,
            text: `
            select stored.id, stored.version from unnest($1::text[], $2::text[]) as item(company_id, id)
            join ${table} as stored on stored.company_id = item.company_id and stored.id = item.id
            order by stored.company_id, stored.id for no key update of stored`,
          },
          [ids.map(() => companyId), ids],
        )
  const before = new Map(rows as [string, number][])
  return {
    async keepUnchanged(importId) {
      if (before.size === 0) return
      await transaction.query(
        `update import_changes as change set version = stored.version
         from unnest($3::text[], $4::int[]) as item(id, version)
         join ${table} as stored on stored.company_id = $1 and stored.id = item.id and stored.version <> item.version
         where change.company_id = $1 and change.import_id = $2 and change.kind = '${table}'
           and change.record_id = item.id and change.version = item.version`,
        [companyId, importId, [...before.keys()], [...before.values()]],
      )
    },
  }
}
