// Stores the changes of an import to each record, in the same transaction, so that the import can be undone.

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
import { holdOwners, levelsAt, type StoredLevel, versionsOf } from './versions.ts'

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

/** The record before a step, with the members that the step writes. */
interface Before {
  readonly version: number
  readonly members: JsonObject
}

/**
 * Makes the recorder of an import's changes; beyond `IMPORT_UNDO_BYTES` it stores nothing more, and the import cannot be
 * undone.
 */
export function recorder(scope: Scope, key: RowKey, outletId: () => string | undefined, bytesBefore: number): Recorder {
  let bytes = bytesBefore

  async function keep(transaction: Queryable, kind: ChangeKind, changes: readonly ImportChange[]): Promise<void> {
    await keepChanges(transaction, key, kind, changes)
    for (const { before } of changes)
      bytes += IMPORT_CHANGE_BYTES + (before === undefined ? 0 : JSON.stringify(before).length)
  }

  const watch: Watch = async (transaction, kind, items) => {
    // Owners are locked first: a write of a variant may also change its product, which must not count as touched by
    // others.
    const stored = items.flatMap(({ id }) => id || [])
    const owners = await holdOwners(
      transaction,
      key.companyId,
      kind,
      stored,
      items.flatMap(({ ownerId }) => ownerId ?? []),
    )
    if (bytes > IMPORT_UNDO_BYTES) return async () => {}
    const records = await holdRecords(transaction, scope, kind, items)
    const at = outletId() ?? ''
    const setting = items.filter(({ setsStock, id }) => setsStock && id !== '').map(({ id }) => id)
    const levels = await levelsAt(transaction, key.companyId, at, setting)
    return async (good) => {
      const ids = [...good.values()]
      const versions = await versionsOf(transaction, key.companyId, writtenResources[kind].table, ids)
      const stocked = [...good].filter(([{ setsStock }]) => setsStock).map(([, id]) => id)
      const after = await levelsAt(transaction, key.companyId, at, stocked)
      const changes = [...good].flatMap(([item, id]) =>
        changeOf(item, id, { version: versions.get(id), before: records.get(id) }, levels.get(id), after.get(id)),
      )
      await keep(transaction, kind, changes)
      await owners?.settle(key.id)
    }
  }

  return {
    watch,
    async madeOutlet(transaction, id) {
      const versions = await versionsOf(transaction, key.companyId, outlet.table, [id])
      await keep(transaction, 'outlets', [
        { id, wasCreated: true, versionBefore: undefined, version: versions.get(id) },
      ])
    },
    bytes: () => bytes,
  }
}

/** What a step did to a record, if anything. */
function changeOf(
  { done }: StepItem,
  id: string,
  { version, before }: { version: number | undefined; before: Before | undefined },
  levelBefore: StoredLevel | undefined,
  level: StoredLevel | undefined,
): ImportChange[] {
  const isRewritten = done === 'created' || before?.version !== version
  const isMoved = level !== undefined && level.version !== levelBefore?.version
  if (!isRewritten && !isMoved) return []
  return [
    {
      id,
      wasCreated: done === 'created',
      versionBefore: before?.version,
      ...(isRewritten && { version, ...(before && { before: before.members }) }),
      ...(isMoved && { level, levelBefore }),
    },
  ]
}

/** Locks the records that a step updates, as the update does; returns the values it will overwrite. */
async function holdRecords(
  transaction: Queryable,
  scope: Scope,
  kind: RecordKind,
  items: readonly StepItem[],
): Promise<Map<string, Before>> {
  const updates = items.filter(({ id }) => id !== '')
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

/** What one step did to a record. */
interface ImportChange {
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
async function keepChanges(
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
