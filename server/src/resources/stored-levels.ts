// Finds and locks the stored levels that stock moves name by product, variant and outlet.

import type { Queryable, Row } from '../database/connect.ts'
import { keepsPlan } from '../database/statement.ts'
import { type HeldVariant, keyOf, variantKey } from './held-variants.ts'
import { type LevelKey, levelKey } from './inventory-history.ts'

/** Identifies a level; `productId` is empty if it has none. */
export interface Tuple extends LevelKey {
  readonly productId: string
}

/** A tuple as a map key. */
export const tupleKey = (tuple: Tuple): string => keyOf(tuple.productId, levelKey(tuple))

interface LockedLevel {
  readonly version: number
  readonly text: string
}

type SoughtLevel = LevelKey & { readonly productId: string | undefined }

/**
 * For moves without a product whose variant does not exist: the products of the live levels of that variant id at the
 * outlet, by `levelKey`. At most two, since more make no difference. Locks nothing.
 */
export async function unnamedProducts(
  transaction: Queryable,
  variants: ReadonlyMap<string, HeldVariant>,
  moves: readonly SoughtLevel[],
): Promise<Map<string, Set<string>>> {
  const unnamed = moves.filter((move) => move.productId === undefined && !variants.has(variantKey(move)))
  return productsAt(transaction, [...new Map(unnamed.map((move) => [levelKey(move), move])).values()])
}

/**
 * The products of the first two live levels of variants at outlets. The bound and the order match one index, so that
 * PostgreSQL never prefers another index and scans all levels of an outlet.
 */
async function productsAt(transaction: Queryable, levels: readonly LevelKey[]): Promise<Map<string, Set<string>>> {
  const found = new Map(levels.map((level) => [levelKey(level), new Set<string>()]))
  if (levels.length === 0) return found
  const rows = await transaction.query(
    {
      name: 'inventories_products_at',
      text: `
      select item.company_id, item.variant_id, item.outlet_id, live.product_id
      from unnest($1::text[], $2::text[], $3::text[]) with ordinality as item(company_id, variant_id, outlet_id, number)
      cross join lateral (
        select stored.variant_id, stored.outlet_id, stored.product_id from inventories as stored
        where stored.company_id = item.company_id and not stored.is_deleted
          and (stored.variant_id, stored.outlet_id, stored.product_id) >= (item.variant_id, item.outlet_id, '')
        order by stored.variant_id, stored.outlet_id, stored.product_id limit 2
      ) as live
      where live.variant_id = item.variant_id and live.outlet_id = item.outlet_id and ${keepsPlan('item.number')}`,
    },
    columnsOf(levels),
  )
  for (const [companyId, variantId, outletId, productId] of rows)
    found.get(keyOf(companyId, variantId, outletId))?.add(productId)
  return found
}

const columnsOf = (levels: readonly LevelKey[]) => [
  levels.map(({ scope }) => scope.companyId),
  levels.map(({ variantId }) => variantId),
  levels.map(({ outletId }) => outletId),
]

/**
 * The live levels of some tuples, by `tupleKey`, locked until the transaction ends, in the same order for all writers. An
 * existing variant has one at an outlet, and is locked: no other transaction can hold it and wait for another.
 */
export async function lockLevels(
  transaction: Queryable,
  wanted: ReadonlyMap<string, Tuple & { readonly variant: HeldVariant | undefined }>,
): Promise<Map<string, LockedLevel>> {
  const { known = [], others = [] } = Object.groupBy(wanted.values(), ({ variant }) => (variant ? 'known' : 'others'))
  return new Map([...(await lockOfVariants(transaction, known)), ...(await lockTuples(transaction, others))])
}

/** The levels of existing variants, one at each outlet. For a thousand levels, three times as fast as `lockTuples`. */
async function lockOfVariants(transaction: Queryable, tuples: readonly Tuple[]): Promise<Map<string, LockedLevel>> {
  if (tuples.length === 0) return new Map()
  const rows = await transaction.query(
    {
      name: 'inventories_lock_levels',
      text: `
      select item.number::int, stored.version, stored.body
      from unnest($1::text[], $2::text[], $3::text[]) with ordinality as item(company_id, variant_id, outlet_id, number)
      join inventories as stored on stored.company_id = item.company_id and stored.variant_id = item.variant_id
        and stored.outlet_id = item.outlet_id and not stored.is_deleted
      where ${keepsPlan('item.number')}
      order by stored.company_id, stored.id for update of stored`,
    },
    columnsOf(tuples),
  )
  return levelsOf(rows, tuples)
}

const levelsOf = (rows: readonly Row[], tuples: readonly Tuple[]): Map<string, LockedLevel> =>
  new Map(rows.map(([number, version, text]) => [tupleKey(tuples[number - 1] as Tuple), { version, text }]))

async function lockTuples(transaction: Queryable, tuples: readonly Tuple[]): Promise<Map<string, LockedLevel>> {
  if (tuples.length === 0) return new Map()
  const rows = await transaction.query(
    {
      name: 'inventories_lock_tuples',
      // Found by the index of tuples, as above, then locked by id. A level moved meanwhile no longer counts.
      text: `
      with found as materialized (
        select item.*, live.id
        from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality
          as item(company_id, variant_id, outlet_id, product_id, number)
        cross join lateral (
          select stored.id, stored.variant_id, stored.outlet_id, stored.product_id from inventories as stored
          where stored.company_id = item.company_id and not stored.is_deleted
            and (stored.variant_id, stored.outlet_id, stored.product_id) >= (item.variant_id, item.outlet_id, item.product_id)
          order by stored.variant_id, stored.outlet_id, stored.product_id limit 1
        ) as live
        where live.variant_id = item.variant_id and live.outlet_id = item.outlet_id and live.product_id = item.product_id
      )
      select found.number::int, stored.version, stored.body
      from found join inventories as stored on stored.company_id = found.company_id and stored.id = found.id
        and not stored.is_deleted and (stored.variant_id, stored.outlet_id, stored.product_id)
          is not distinct from (found.variant_id, found.outlet_id, found.product_id)
      order by stored.company_id, stored.id for update of stored`,
    },
    [...columnsOf(tuples), tuples.map(({ productId }) => productId)],
  )
  return levelsOf(rows, tuples)
}
