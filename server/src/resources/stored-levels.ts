// Finds the stored levels that moves of stock name, by the whole tuple of product, variant and outlet, and locks them.
import type { Queryable } from '../database/connect.ts'
import { type HeldVariant, keyOf, variantKey } from './held-variants.ts'
import { type Level, levelKey } from './inventory-history.ts'

/** What names a level; `productId` is empty where it has none. */
export interface Tuple extends Level {
  readonly productId: string
}

/** One text for a tuple. */
export const tupleKey = (tuple: Tuple): string => keyOf(tuple.productId, levelKey(tuple))

interface LockedLevel {
  readonly version: number
  readonly text: string
}

/** No reference comes behind it, by the order of the column: 64 characters of the last code point. */
const lastReference = '\u{10FFFF}'.repeat(64)

/**
 * For moves without a product, of variants that do not exist: the products of the live levels of their variant at their
 * outlet, two at most since more make no difference; by `levelKey`. Nothing is locked.
 */
export async function unnamedProducts(
  transaction: Queryable,
  variants: ReadonlyMap<string, HeldVariant>,
  moves: readonly (Level & { readonly productId: string | undefined })[],
): Promise<Map<string, Set<string>>> {
  const unnamed = moves.filter((move) => move.productId === undefined && !variants.has(variantKey(move)))
  const found = new Map(unnamed.map((move) => [levelKey(move), new Set<string>()]))
  if (found.size === 0) return found
  const levels = [...new Map(unnamed.map((move) => [levelKey(move), move])).values()]
  const rows = await transaction.query(
    {
      name: 'inventories_unnamed',
      text: `
      select item.company_id, item.variant_id, item.outlet_id, live.product_id
      from unnest($1::text[], $2::text[], $3::text[]) as item(company_id, variant_id, outlet_id)
      cross join lateral (
        select stored.product_id from inventories as stored
        where stored.company_id = item.company_id and stored.variant_id = item.variant_id
          and stored.outlet_id = item.outlet_id and not stored.is_deleted
        order by stored.company_id, stored.variant_id, stored.outlet_id, stored.product_id limit 2
      ) as live`,
    },
    [
      levels.map(({ scope }) => scope.companyId),
      levels.map(({ variantId }) => variantId),
      levels.map(({ outletId }) => outletId),
    ],
  )
  for (const [companyId, variantId, outletId, productId] of rows)
    found.get(keyOf(companyId, variantId, outletId))?.add(productId)
  return found
}

/**
 * The live levels of some tuples, by `tupleKey`, locked until the transaction ends, in one order for all writers. Of a variant
 * that exists the level is found whatever product its record has: a server of the version before may have written another.
 */
export async function lockLevels(
  transaction: Queryable,
  wanted: ReadonlyMap<string, Tuple & { readonly variant: HeldVariant | undefined }>,
): Promise<Map<string, LockedLevel>> {
  const tuples = [...wanted.values()]
  const rows = await transaction.query(
    {
      name: 'inventories_lock_tuples',
      // A range of one product or of all: either is a range of the index.
      text: `
      select stored.company_id, stored.variant_id, stored.outlet_id, stored.product_id, item.number::int, stored.version, stored.body
      from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) with ordinality
        as item(company_id, variant_id, outlet_id, first_product, last_product, number)
      join inventories as stored on stored.company_id = item.company_id and stored.variant_id = item.variant_id
        and stored.outlet_id = item.outlet_id and stored.product_id >= item.first_product
        and stored.product_id <= item.last_product and not stored.is_deleted
      order by stored.company_id, stored.id for update of stored`,
    },
    [
      tuples.map(({ scope }) => scope.companyId),
      tuples.map(({ variantId }) => variantId),
      tuples.map(({ outletId }) => outletId),
      tuples.map(({ variant, productId }) => (variant ? '' : productId)),
      tuples.map(({ variant, productId }) => (variant ? lastReference : productId)),
    ],
  )
  const keys = [...wanted.keys()]
  const locked = new Map<string, LockedLevel>()
  for (const [, , , productId, number, version, text] of rows) {
    const key = keys[number - 1] as string
    const isRight = productId === tuples[number - 1]?.productId
    if (isRight || !locked.has(key)) locked.set(key, { version, text })
  }
  return locked
}
