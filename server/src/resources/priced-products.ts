// Product operations that keep the price range of a product with priced variants: a sent range is replaced by the computed one.

import { fairSemaphore } from '../concurrency/fair-semaphore.ts'
import { companyActivity } from '../concurrency/tenant-activity.ts'
import { tenantBatcher } from '../concurrency/tenant-batcher.ts'
import { isId } from '../core/ids.ts'
import { SEMAPHORES } from '../core/limits.ts'
import type { Database, Queryable } from '../database/connect.ts'
import { inTransaction } from '../engine/bisect-on-error.ts'
import { type OperationSemaphores, type Operations, operations } from '../engine/operations.ts'
import type { ItemResult, ItemWithId } from '../engine/record.ts'
import { product } from './product.ts'
import { holdProducts, type PriceRange, rangesOf } from './product-prices.ts'

/** The operations of products. An update without prices is unaffected. */
export function productOperations(database: Database, semaphores?: OperationSemaphores): Operations {
  const own = operations(product, database, semaphores)

  /**
   * Locks products before reading their variants, as every write of either does. It locks all of them, not only those with sent
   * prices: the update locks the others too, and two bulk requests must lock their products in the same order.
   */
  async function updateHeld(transaction: Queryable, items: readonly ItemWithId[]): Promise<ItemResult[]> {
    const known = items.filter(({ id }) => isId(id))
    await holdProducts(transaction, known)
    const asked = known.filter(saysPrices)
    const ranges = new Map<ItemWithId, PriceRange>()
    for (const some of Map.groupBy(asked, ({ scope }) => scope.companyId).values()) {
      const [{ scope }] = some as [ItemWithId]
      const found = await rangesOf(
        transaction,
        scope,
        some.map(({ id }) => id),
      )
      for (const item of some) {
        const range = found.get(item.id)
        if (range) ranges.set(item, range)
      }
    }
    return own.updateMany(
      items.map((item) => withRange(item, ranges.get(item))),
      transaction,
    )
  }

  const updateMany: Operations['updateMany'] = (items, connection) =>
    items.some(saysPrices)
      ? inTransaction(database, connection, (transaction) => updateHeld(transaction, items))
      : own.updateMany(items, connection)
  const updateBatched = tenantBatcher(
    (items: ItemWithId[]) => updateMany(items),
    semaphores?.contended ?? fairSemaphore(SEMAPHORES.contended, companyActivity),
  )
  return { ...own, update: (item) => (saysPrices(item) ? updateBatched(item) : own.update(item)), updateMany }
}

const members = ['minPrice', 'maxPrice'] as const

/** Whether a value for the price range is valid; validation reports all others. */
const isPrice = (value: unknown): boolean => typeof value === 'number' || value === null || value === ''
const saysPrices = ({ value }: ItemWithId): boolean =>
  typeof value === 'object' && value !== null && members.some((member) => isPrice((value as JsonValue)[member]))
type JsonValue = { readonly [member: string]: unknown }

/** The item with the computed range instead of the sent one. */
function withRange(item: ItemWithId, range: PriceRange | undefined): ItemWithId {
  if (range === undefined) return item
  const value: { [member: string]: unknown } = { ...(item.value as JsonValue) }
  for (const member of members) if (value[member] === undefined || isPrice(value[member])) value[member] = range[member]
  return { ...item, value }
}
