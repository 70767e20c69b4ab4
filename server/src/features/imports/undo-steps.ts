// How an undo handles records of each kind, by the operations of their resources, in the transaction of one step.

import { Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { operations } from '../../engine/operations.ts'
import type { ItemResult, ItemWithId, JsonObject, Key } from '../../engine/record.ts'
import { inParts, type StoredRow, store } from '../../engine/store.ts'
import { inventory } from '../../resources/inventory.ts'
import { reasonOf } from '../file-import/records.ts'
import { operationsOf } from '../file-import/writers.ts'
import type { ChangeKind } from './import.ts'
import { written } from './recording.ts'
import { inUse, ofOrdersThatStay } from './undo-conditions.ts'
import { holdOwners, levelsOf, ownerOf, ownersOf, type StoredLevel } from './versions.ts'

/** What an import did to a record. */
export interface UndoEntry {
  readonly id: string
  readonly wasCreated: boolean
  /** The version after the import; absent if only stock was set. */
  readonly version: number | undefined
  readonly before: JsonObject
  readonly level:
    | {
        readonly id: string
        readonly version: number
        readonly wasMoved: boolean
        readonly stockBefore: number | undefined
      }
    | undefined
}

/** The result for a record; for one that stays, its name and the reason. */
export interface UndoResult {
  readonly id: string
  readonly became: 'deleted' | 'restored' | 'left'
  readonly name?: string | undefined
  readonly reason?: string | undefined
  readonly stock?: 'restored' | 'left' | undefined
}

/** One step of an undo. */
export interface StepParts {
  readonly database: Database
  readonly transaction: Queryable
  readonly scope: Scope
  readonly importId: string
}

const reasons = {
  gone: 'It was deleted since.',
  changed: 'It was changed since the import.',
  moved: 'Its stock has moved since the import.',
  stockMoved: 'Its stock has moved since the import, and stays; the rest is restored.',
  recordChanged: 'It was changed since the import, and stays; its stock is restored.',
  orderStays: 'Its order stays: it, or a payment or refund of it, was changed since the import.',
  both: 'It was changed, and its stock has moved since the import.',
} as const

/** Undoes entries, last written first, and returns a result for each. */
type Take = (parts: StepParts, entries: readonly UndoEntry[]) => Promise<UndoResult[]>

const plain =
  (kind: Exclude<ChangeKind, 'variants'>): Take =>
  async (parts, entries) => {
    const { transaction, scope, importId } = parts
    const owner = ownerOf(kind)
    const ids = entries.map(({ id }) => id)
    const owners =
      owner &&
      (await holdOwners(transaction, scope.companyId, owner, await ownersOf(transaction, scope.companyId, owner, ids)))
    const found = await heldRecords(parts, kind, entries)
    const free = untouched(entries, found)
    const uses = await inUse(transaction, scope.companyId, kind, free)
    const kept =
      kind === 'transactions' || kind === 'refunds'
        ? await ofOrdersThatStay(transaction, { companyId: scope.companyId, id: importId }, kind, free)
        : new Set()
    const results = new Map<string, UndoResult>()
    const removes: string[] = []
    const updates: UndoEntry[] = []
    for (const entry of entries) {
      const { id, wasCreated, version } = entry
      const stored = found.get(id)
      const left = (reason: string) => results.set(id, { id, became: 'left', name: stored?.name, reason })
      if (stored === undefined) left(reasons.gone)
      else if (stored.version !== version) left(reasons.changed)
      else if (!wasCreated) updates.push(entry)
      else {
        const reason = kept.has(id) ? reasons.orderStays : uses(id)
        if (reason === undefined) removes.push(id)
        else left(reason)
      }
    }
    await execute(parts, kind, { removes, updates }, results, found)
    await owners?.settle(importId)
    return entries.map(({ id }) => results.get(id) as UndoResult)
  }

/** Ids of records that the import created and no write has touched. */
const untouched = (entries: readonly UndoEntry[], found: ReadonlyMap<string, Stored>): string[] =>
  entries.filter(({ id, wasCreated, version }) => wasCreated && found.get(id)?.version === version).map(({ id }) => id)

const variants: Take = async (parts, entries) => {
  const { transaction, scope, importId } = parts
  const ids = entries.map(({ id }) => id)
  const restored = entries.flatMap(({ before: { productId } }) => (typeof productId === 'string' ? [productId] : []))
  const owner = ownerOf('variants')
  const current = await ownersOf(transaction, scope.companyId, owner, ids)
  const owners = await holdOwners(transaction, scope.companyId, owner, [...current, ...restored])
  const found = await heldRecords(parts, 'variants', entries)
  const levels = await levelsOf(transaction, scope.companyId, ids)
  const results = new Map<string, UndoResult>()
  const planned = entries.map((entry) => planOf(entry, found.get(entry.id), levels.get(entry.id) ?? []))
  const stock = await setStock(parts, planned)
  const removes: string[] = []
  const updates: UndoEntry[] = []
  for (const { entry, record, level, reason } of planned) {
    const { id } = entry
    const refused = stock.get(id)
    const became = refused ? 'left' : level
    if (record === 'delete' && !refused) removes.push(id)
    if (record === 'restore' && !refused) updates.push(entry)
    const why = refused ?? reason
    const result: UndoResult['became'] = why === undefined ? (record === 'delete' ? 'deleted' : 'restored') : 'left'
    results.set(id, { id, became: result, name: found.get(id)?.name, reason: why, stock: became })
  }
  await execute(parts, 'variants', { removes, updates }, results, found)
  await owners.settle(importId)
  return entries.map(({ id }) => results.get(id) as UndoResult)
}

/** What to do with each kind of record. */
export const takers: Readonly<Record<ChangeKind, Take>> = {
  variants,
  products: plain('products'),
  categories: plain('categories'),
  outlets: plain('outlets'),
  customers: plain('customers'),
  orders: plain('orders'),
  transactions: plain('transactions'),
  refunds: plain('refunds'),
}

/** What to do with a variant and with its level; `reason` if any of it stays. */
interface Plan {
  readonly entry: UndoEntry
  readonly record: 'delete' | 'restore' | undefined
  readonly level: 'restored' | 'left' | undefined
  readonly reason: string | undefined
}

function planOf(entry: UndoEntry, stored: Stored | undefined, levels: readonly StoredLevel[]): Plan {
  const { wasCreated, version, level: own } = entry
  const none = { entry, record: undefined, level: own && ('left' as const) }
  if (stored === undefined) return { ...none, reason: reasons.gone }
  const now = levels.find(({ id }) => id === own?.id)
  const isStill = own !== undefined && now?.version === own.version
  const isSame = version === undefined || stored.version === version
  if (wasCreated) {
    if (!isSame) return { ...none, reason: reasons.changed }
    // A variant that was sold, or counted elsewhere, is in the shop's books.
    const isUnmoved = own === undefined ? levels.length === 0 : isStill && !own.wasMoved && levels.length === 1
    if (!isUnmoved) return { ...none, reason: reasons.moved }
    return { entry, record: 'delete', level: own && 'restored', reason: undefined }
  }
  const level = own && (isStill ? 'restored' : 'left')
  const record = version !== undefined && isSame ? 'restore' : undefined
  if (isSame && level !== 'left') return { entry, record, level, reason: undefined }
  if (isSame) return { entry, record, level, reason: version === undefined ? reasons.moved : reasons.stockMoved }
  const reason = level === 'restored' ? reasons.recordChanged : level === 'left' ? reasons.both : reasons.changed
  return { entry, record, level, reason }
}

/**
 * Sets levels back, or deletes those that the import created; returns, by variant, why a level could not be changed.
 */
async function setStock(
  { database, transaction, scope }: StepParts,
  plans: readonly Plan[],
): Promise<Map<string, string>> {
  const levels = operations(inventory, database)
  const back = plans.flatMap(({ entry, level, record }) =>
    level === 'restored' && entry.level
      ? [{ variantId: entry.id, id: entry.level.id, stock: record === 'delete' ? undefined : entry.level.stockBefore }]
      : [],
  )
  const updates = back.flatMap(({ stock, ...own }) => (stock === undefined ? [] : [{ ...own, value: { stock } }]))
  const removes = back.filter(({ stock }) => stock === undefined)
  const outcomes: [string, ItemResult | undefined][] = []
  if (updates.length > 0) {
    const done = await levels.updateMany(updates.map(({ id, value }) => ({ scope, id, value })), transaction) // biome-ignore format: one thought
    outcomes.push(...updates.map(({ variantId }, n): [string, ItemResult | undefined] => [variantId, done[n]]))
  }
  if (removes.length > 0) {
    const done = await levels.removeMany(removes.map(({ id }) => item(scope, id)), transaction) // biome-ignore format: one thought
    outcomes.push(...removes.map(({ variantId }, n): [string, ItemResult | undefined] => [variantId, done[n]]))
  }
  return new Map(outcomes.flatMap(([id, outcome]) => (outcome instanceof Problem ? [[id, reasonOf(outcome)]] : [])))
}

const item = (scope: Scope, id: string): ItemWithId => ({ scope, id, value: {} })

/** Deletes and sets back, and stores the result of each. */
async function execute(
  { database, transaction, scope }: StepParts,
  kind: ChangeKind,
  { removes, updates }: { readonly removes: readonly string[]; readonly updates: readonly UndoEntry[] },
  results: Map<string, UndoResult>,
  found: ReadonlyMap<string, Stored>,
): Promise<void> {
  const own = kind === 'customers' ? operationsOf(kind, database) : operations(written[kind], database)
  const note = (id: string, outcome: ItemResult | undefined, became: UndoResult['became']) => {
    const before = results.get(id)
    if (outcome instanceof Problem)
      results.set(id, { ...before, id, became: 'left', name: found.get(id)?.name, reason: reasonOf(outcome) })
    else if (before === undefined) results.set(id, { id, became })
  }
  if (updates.length > 0) {
    const items = updates.map(({ id, before }) => ({ scope, id, value: before }))
    const done = await own.updateMany(items, transaction)
    updates.forEach(({ id }, n) => {
      note(id, done[n], 'restored')
    })
  }
  if (removes.length > 0) {
    const done = await own.removeMany(removes.map((id) => item(scope, id)), transaction) // biome-ignore format: one thought
    removes.forEach((id, n) => {
      note(id, done[n], 'deleted')
    })
  }
}

/** The current record. */
interface Stored {
  readonly version: number
  readonly name: string | undefined
}

/** Locks the records of entries, and reads them. */
async function heldRecords(
  { transaction, scope }: StepParts,
  kind: ChangeKind,
  entries: readonly UndoEntry[],
): Promise<Map<string, Stored>> {
  const { lock, find } = store(written[kind])
  const keys = entries.map(({ id }) => ({ scope, id }))
  await lock(transaction, keys)
  const found = new Map<string, Stored>()
  const note = ({ id }: Key, row: StoredRow | undefined) => {
    if (row !== undefined) found.set(id, { version: row.version, name: nameOf(row.text) })
  }
  await inParts(keys, (asked) => find(transaction, asked), note)
  return found
}

function nameOf(text: string | Problem): string | undefined {
  if (text instanceof Problem) return undefined
  const { name, sku, receiptId, email, externalId } = JSON.parse(text) as Record<string, string | undefined>
  return name ?? sku ?? receiptId ?? email ?? externalId
}
