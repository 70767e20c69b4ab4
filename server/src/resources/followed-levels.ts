// Levels follow their variant: when it changes its product, its live levels change too, without a history entry (decisions §6).

import { later } from '../core/date-time.ts'
import { newId } from '../core/ids.ts'
import { BULK_ITEMS } from '../core/limits.ts'
import type { Queryable } from '../database/connect.ts'
import type { JsonObject } from '../engine/record.ts'
import type { RecordChange } from '../engine/resource.ts'
import { type RowToReplace, store } from '../engine/store.ts'
import { writing } from '../engine/writing.ts'
import { keyOf } from './held-variants.ts'
import { inventory } from './inventory.ts'

const { replace } = store(inventory)
const { shown } = writing(inventory)

/** Sets the current product of variants on their live levels. The caller has locked the variants. */
export async function takeLevelsAlong(transaction: Queryable, steps: readonly RecordChange[]): Promise<void> {
  if (steps.length === 0) return
  const variants = new Map(steps.map((step) => [keyOf(step.scope.companyId, step.id), step]))
  const time = new Date().toISOString()
  for (;;) {
    const levels = await levelsLeftBehind(transaction, [...variants.values()])
    if (levels.length === 0) return
    const rows = levels.map(({ companyId, variantId, ...level }) =>
      rewritten(level, variants.get(keyOf(companyId, variantId)) as RecordChange, time),
    )
    await replace(transaction, rows, true)
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

function rewritten(
  { version, text }: Pick<LeftBehind, 'version' | 'text'>,
  step: RecordChange,
  time: string,
): RowToReplace {
  const before: JsonObject = JSON.parse(text)
  const { productId } = step.after
  const record: JsonObject = { ...before, productId, updatedAt: later(time, String(before.updatedAt)) }
  const body = shown(record)
  const previous = JSON.stringify({ productId: before.productId ?? null })
  const events = [{ id: newId(), type: 'inventory.updated', data: body, previous }]
  return { scope: step.scope, id: String(record.id), version, body, events, claims: [] }
}
