// Stock as a variant shows it: `inventory`, a view of the live inventory records of the variant (decisions §6).
import type { Queryable } from '../database/connect.ts'
import { distinct, list, object, quantity, reference, required } from '../engine/field.ts'
import type { Step, Trail } from '../engine/resource.ts'
import type { View } from '../engine/view.ts'
import { Problem } from '../http/problem.ts'
import { inOrder, keyOf, type ShownLevel } from './held-variants.ts'
import { appendHistory, type Entry, lastEntries, levelKey } from './inventory-history.ts'
import { moveStock } from './stock.ts'

const level = object({ outletId: required(reference()), stock: required(quantity()) })
/** The member: one entry for each outlet that has a live record. Those sent are set; outlets not named stay. */
export const levels = () =>
  // Unlike other nested objects a level is no text that is kept: a further member would be lost, so it is refused.
  distinct(list({ ...level, schema: { ...level.schema, additionalProperties: false } }), 'outletId')

/** How a variant reads and writes its stock. */
export const inventoryView: View = {
  fields: { inventory: levels() },
  isAlways: true,
  merge: ({ inventory = [] }, { set: { inventory: sent = [] } }) => {
    const merged = new Map((inventory as ShownLevel[]).map((level) => [level.outletId, level]))
    for (const { outletId, stock } of sent as ShownLevel[]) merged.set(outletId, { outletId, stock })
    return { inventory: inOrder([...merged.values()]) }
  },
  store: async (transaction, written) => {
    const moves = written.flatMap(({ scope, record, sent }) =>
      inOrder((sent.set.inventory ?? []) as ShownLevel[]).map(({ outletId, stock }) => ({
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
    for (const outcome of await moveStock(transaction, moves)) if (outcome instanceof Problem) throw outcome
  },
}

/**
 * What an update of `manageStock` leaves in the history: from when a variant is managed, its chain has to end at its
 * stock, so that each level of which it does not gets an entry from where its chain ended, or from 0.
 */
export const managingTrail: Trail = {
  concerns: (before, after) => before !== undefined && !before.manageStock && after.manageStock === true,
  write: async (transaction, steps) => {
    const variants = new Map(steps.map((step) => [keyOf(step.scope.companyId, step.id), step]))
    const keys = [
      [...variants.values()].map(({ scope }) => scope.companyId),
      [...variants.values()].map(({ id }) => id),
    ]
    const live = await levelsOf(transaction, variants, keys)
    const last = await lastEntries(transaction, live)
    const now = new Date().toISOString()
    const entries = live.flatMap((level): Entry[] => {
      const previousStock = last.get(levelKey(level))?.newStock ?? 0
      if (level.newStock === previousStock) return []
      return [
        {
          ...level,
          kind: 'ADJUSTMENT',
          previousStock,
          reason: 'Its stock is managed from here on.',
          at: now,
        },
      ]
    })
    await appendHistory(transaction, entries)
  },
}

/** The levels of some variants: those that are there, and at stock 0 those that only the history knows. */
async function levelsOf(transaction: Queryable, variants: ReadonlyMap<string, Step>, keys: readonly string[][]) {
  const rows = await transaction.query(
    `select item.company_id, item.id, level.*
     from unnest($1::text[], $2::text[]) as item(company_id, id)
     cross join lateral (
       select stored.outlet_id, stored.id, stored.product_id, stored.body ->> 'stock'
       from inventories as stored
       where stored.company_id = item.company_id and stored.variant_id = item.id and not stored.is_deleted
       union all (
         select distinct on (entry.outlet_id) entry.outlet_id, entry.inventory_id, entry.product_id, '0'
         from inventory_history as entry
         where entry.company_id = item.company_id and entry.variant_id = item.id and not exists (
           select from inventories as stored
           where stored.company_id = item.company_id and stored.variant_id = item.id
             and stored.outlet_id = entry.outlet_id and not stored.is_deleted)
         order by entry.outlet_id, entry.created_at desc, entry.id desc)
     ) as level`,
    [...keys],
  )
  return rows.map(([companyId, variantId, outletId, inventoryId, productId, stock]) => {
    const { scope } = variants.get(keyOf(companyId, variantId)) as Step
    return { scope, variantId, outletId, inventoryId, productId: productId || undefined, newStock: Number(stock) }
  })
}
