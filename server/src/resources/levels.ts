// Stock as a variant shows it: `inventory`, a projection of the live inventory records of the variant (decisions §6).

import { BULK_ITEMS } from '../core/limits.ts'
import { orThrow } from '../core/problem.ts'
import type { Queryable } from '../database/connect.ts'
import { distinct, list, object, quantity, reference, required } from '../engine/field.ts'
import { lockedRecords } from '../engine/locked-records.ts'
import type { Projection } from '../engine/projection.ts'
import type { JsonObject } from '../engine/record.ts'
import type { RecordChange, SideEffects } from '../engine/resource.ts'
import { byOutlet, keyOf, type ShownLevel } from './held-variants.ts'
import { inventory } from './inventory.ts'
import { appendHistory, type ChainEnd, type HistoryEntry, lastEntries, levelKey } from './inventory-history.ts'
import { moveStock } from './stock.ts'

const level = object({
  outletId: required(reference({ description: 'Where the stock is.' })),
  stock: required(quantity({ description: 'Units on hand there, with at most six decimals.', example: 12 })),
})
/** The member: one entry for each outlet that has a live record. Sent entries are set; other outlets keep theirs. */
const levels = () =>
  // Unlike other nested objects a level is not stored as text: a further member would be lost, so it is refused.
  distinct(
    list(
      { ...level, schema: { ...level.schema, title: 'VariantLevel', additionalProperties: false } },
      { description: 'Stock by outlet. Sent entries set the stock of their outlets; other outlets keep theirs.' },
    ),
    'outletId',
  )

/** How a variant reads and writes its stock. */
export const inventoryProjection: Projection = {
  fields: { inventory: levels() },
  isAlways: true,
  merge: ({ inventory = [] }, { set: { inventory: sent = [] } }) => {
    const merged = new Map((inventory as ShownLevel[]).map((level) => [level.outletId, level]))
    for (const { outletId, stock } of sent as ShownLevel[]) merged.set(outletId, { outletId, stock })
    return { inventory: byOutlet([...merged.values()]) }
  },
  store: async (transaction, written) => {
    const moves = written.flatMap(({ scope, record, sent }) =>
      byOutlet((sent.set.inventory ?? []) as ShownLevel[]).map(({ outletId, stock }) => ({
        scope,
        variantId: record.id,
        outletId,
        productId: undefined,
        kind: 'ADJUSTMENT' as const,
        reason: undefined,
        change: { to: stock },
        mayGoBelow: true,
        at: '',
      })),
    )
    for (const result of await moveStock(transaction, moves)) orThrow(result)
  },
}

/** Moves the levels of variants that change their product, then starts the history of newly managed ones. */
export const variantSideEffects: SideEffects = {
  applies: (before, after) => isMoved(before, after) || isManagedNow(before, after),
  write: async (transaction, steps) => {
    await takeLevelsAlong(
      transaction,
      steps.filter(({ before, after }) => isMoved(before, after)),
    )
    await beginHistory(
      transaction,
      steps.filter(({ before, after }) => isManagedNow(before, after)),
    )
  },
}

type Concerns = SideEffects['applies']
const isMoved: Concerns = (before, after) => before !== undefined && before.productId !== after.productId
const isManagedNow: Concerns = (before, after) =>
  before !== undefined && !before.manageStock && after.manageStock === true

/**
 * The effect of an update of `manageStock` on the history. The chains of a managed variant end at its stock, so each
 * level whose chain does not gets an entry from the end of its chain, or from 0.
 */
async function beginHistory(transaction: Queryable, steps: readonly RecordChange[]): Promise<void> {
  if (steps.length === 0) return
  const variants = new Map(steps.map((step) => [keyOf(step.scope.companyId, step.id), step]))
  const known = await levelsOf(transaction, variants)
  const last = await lastEntries(transaction, known)
  const now = new Date().toISOString()
  const entries = known.flatMap(({ live, ...level }): HistoryEntry[] => {
    const end = last.get(levelKey(level))
    const previousStock = end?.newStock ?? 0
    const { inventoryId, productId, newStock } = live ?? { ...(end as ChainEnd), newStock: 0 }
    if (newStock === previousStock) return []
    return [
      {
        ...level,
        inventoryId,
        productId,
        newStock,
        kind: 'ADJUSTMENT',
        previousStock,
        reason: 'Its stock is managed from here on.',
        at: now,
      },
    ]
  })
  await appendHistory(transaction, entries, last)
}

/**
 * The levels of some variants: existing levels with their record, and those that only the history has. In the history
 * only the outlets are looked up, one after the other in the index, since a variant may have millions of entries.
 */
async function levelsOf(transaction: Queryable, variants: ReadonlyMap<string, RecordChange>) {
  const steps = [...variants.values()]
  const rows = await transaction.query(
    `with recursive item as materialized (
       select * from unnest($1::text[], $2::text[]) as item(company_id, variant_id)
     ), walked as (
       select item.*, (select entry.outlet_id from inventory_history as entry
         where entry.company_id = item.company_id and entry.variant_id = item.variant_id
         order by entry.outlet_id limit 1) as outlet_id
       from item
       union all
       select walked.company_id, walked.variant_id, (select entry.outlet_id from inventory_history as entry
         where entry.company_id = walked.company_id and entry.variant_id = walked.variant_id and entry.outlet_id > walked.outlet_id
         order by entry.outlet_id limit 1)
       from walked where walked.outlet_id is not null
     ), live as (
       select stored.company_id, stored.variant_id, stored.outlet_id, stored.id, stored.product_id, stored.body ->> 'stock'
       from item join inventories as stored on stored.company_id = item.company_id and stored.variant_id = item.variant_id
         and not stored.is_deleted
     )
     select * from live
     union all
     select walked.*, null, null, null from walked where walked.outlet_id is not null and not exists (
       select from live where live.company_id = walked.company_id and live.variant_id = walked.variant_id and live.outlet_id = walked.outlet_id)`,
    [steps.map(({ scope }) => scope.companyId), steps.map(({ id }) => id)],
  )
  return rows.map(([companyId, variantId, outletId, inventoryId, productId, stock]) => {
    const { scope } = variants.get(keyOf(companyId, variantId)) as RecordChange
    const live =
      inventoryId === null
        ? undefined
        : { inventoryId: inventoryId as string, productId: productId || undefined, newStock: Number(stock) }
    return { scope, variantId: variantId as string, outletId: outletId as string, live }
  })
}

const { changed, write } = lockedRecords(inventory)

/** Sets the current product of variants on their live levels. The caller has locked the variants. */
async function takeLevelsAlong(transaction: Queryable, steps: readonly RecordChange[]): Promise<void> {
  if (steps.length === 0) return
  const variants = new Map(steps.map((step) => [keyOf(step.scope.companyId, step.id), step]))
  for (;;) {
    const levels = await levelsLeftBehind(transaction, [...variants.values()])
    if (levels.length === 0) return
    const rows = levels.flatMap(({ companyId, variantId, version, text }) => {
      const { scope, after } = variants.get(keyOf(companyId, variantId)) as RecordChange
      const before: JsonObject = JSON.parse(text)
      return changed({ scope, id: String(before.id), version, before }, { productId: after.productId })
    })
    await write(transaction, rows)
  }
}

interface LeftBehind {
  readonly companyId: string
  readonly variantId: string
  readonly version: number
  readonly text: string
}

/** The first live levels whose product differs from their variant's, locked in the order that all writers use. */
async function levelsLeftBehind(transaction: Queryable, variants: readonly RecordChange[]): Promise<LeftBehind[]> {
  const rows = await transaction.query(
    {
      name: 'inventories_left_behind',
      text: `
      select stored.company_id, stored.variant_id, stored.version, stored.body
      from unnest($1::text[], $2::text[], $3::text[]) as item(company_id, variant_id, product_id)
      join inventories as stored on stored.company_id = item.company_id and stored.variant_id = item.variant_id
        and stored.product_id <> item.product_id and not stored.is_deleted
      order by stored.company_id, stored.id limit ${BULK_ITEMS} for update of stored`,
    },
    [
      variants.map(({ scope }) => scope.companyId),
      variants.map(({ id }) => id),
      variants.map(({ after }) => String(after.productId)),
    ],
  )
  return rows.map(([companyId, variantId, version, text]) => ({ companyId, variantId, version, text }))
}
