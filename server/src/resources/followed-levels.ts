// Levels follow their variant: when it changes its product, its live levels change too, without a history entry (decisions §6).

import { BULK_ITEMS } from '../core/limits.ts'
import type { Queryable } from '../database/connect.ts'
import { lockedRecords } from '../engine/locked-records.ts'
import type { JsonObject } from '../engine/record.ts'
import type { RecordChange } from '../engine/resource.ts'
import { keyOf } from './held-variants.ts'
import { inventory } from './inventory.ts'

const { changed, write } = lockedRecords(inventory)

/** Sets the current product of variants on their live levels. The caller has locked the variants. */
export async function takeLevelsAlong(transaction: Queryable, steps: readonly RecordChange[]): Promise<void> {
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
