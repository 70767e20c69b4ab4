// Keeps `minPrice` and `maxPrice` of products: every write of variants sets them to the lowest and highest current price.

import { STATEMENT_CHARACTERS } from '../core/limits.ts'
import type { Scope } from '../core/scope.ts'
import { type Queryable, serializationFailure } from '../database/connect.ts'
import { rowsByItem } from '../database/size-limited-query.ts'
import { equals, keepsPlan } from '../database/statement.ts'
import { columnsOf, holdRows, inOrder } from '../engine/held-rows.ts'
import { lockedRecords } from '../engine/locked-records.ts'
import type { Key } from '../engine/record.ts'
import type { RecordChange, SideEffects } from '../engine/resource.ts'
import { product } from './product.ts'

type PricedVariant = NonNullable<RecordChange['before']>

/** The lowest and highest current price of a product's variants. */
export interface PriceRange {
  readonly minPrice: number
  readonly maxPrice: number
}

/** The members of a variant on which the price range of its product depends. */
const priced = ['productId', 'isOnSale', 'salePrice', 'price']

/** The current price of a variant; undefined if it has none. */
const paidFor = ({ isOnSale, salePrice, price }: PricedVariant): number | undefined => (isOnSale ? salePrice : price)

/** SQL: the same for the row `variant`, as a number. Takes the price from its column, since each look into `body` parses all of it. */
const paidSql = `case when variant.body ->> 'isOnSale' = 'true' then (variant.body ->> 'salePrice')::float8
  else nullif(variant.price, '-Infinity')::float8 end`

const { changed, write } = lockedRecords(product)

/** The products of a variant, before and after a write. */
const productsOf = ({ scope, before, after }: RecordChange): Key[] =>
  [...new Set([before?.productId, after.productId])].flatMap((id) => (typeof id === 'string' ? [{ scope, id }] : []))

/**
 * Locks the existing products until the transaction ends. Every write of variant prices does this first, in the order that
 * held-variants.ts describes. `waits: false` throws instead of waiting for another transaction, and the caller's
 * transaction begins again.
 */
export const holdProducts = (
  transaction: Queryable,
  keys: readonly Key[],
  options?: { readonly waits: boolean },
): Promise<void> => holdRows(transaction, product.table, keys, options)

/** The price ranges of products with priced variants, by id. All products belong to one company. */
export async function rangesOf(
  connection: Queryable,
  { companyId }: Scope,
  ids: readonly string[],
): Promise<Map<string, PriceRange>> {
  const distinct = [...new Set(ids)]
  const rows = await connection.query(
    {
      name: 'products_ranges',
      // "offset 0" makes PostgreSQL compute each price once, not for the minimum and again for the maximum. Each item names its company: of
      // a given company that is new, PostgreSQL expects a single variant, and may read all of them for each product.
      text: `
      select item.id, range.least, range.most from unnest($1::text[], $2::text[]) with ordinality as item(company_id, id, number)
      cross join lateral (
        select min(paid) as least, max(paid) as most from (
          select ${paidSql} as paid from variants as variant
          where variant.company_id = item.company_id and ${equals('variant.product_id', 'item.id')} order by variant.product_id offset 0
        ) as priced
      ) as range
      where range.least is not null and ${keepsPlan('item.number')}`,
    },
    [distinct.map(() => companyId), distinct],
  )
  return new Map(rows.map(([id, least, most]) => [id, { minPrice: Number(least), maxPrice: Number(most) }]))
}

/**
 * Updates the price ranges of locked products that differ from the computed ones, and raises `product.updated`. Products
 * without a priced variant stay unchanged.
 */
async function updateRanges(transaction: Queryable, keys: readonly Key[]): Promise<void> {
  for (const own of Map.groupBy(inOrder(keys), ({ scope }) => scope.companyId).values()) {
    const [{ scope }] = own as [Key]
    const ranges = await rangesOf(
      transaction,
      scope,
      own.map(({ id }) => id),
    )
    const wanted = [...ranges].map(([id, range]) => ({ scope, id, ...range }))
    while (wanted.length > 0) wanted.splice(0, await updateSome(transaction, wanted))
  }
}

/** Updates the first of some products, as many as one statement should handle; returns how many. */
async function updateSome(transaction: Queryable, wanted: readonly (Key & PriceRange)[]): Promise<number> {
  const rows = await transaction.query(
    {
      name: 'products_of_other_ranges',
      most: STATEMENT_CHARACTERS,
      text: `
      select item.ordinality::int, stored.version, stored.body
      from unnest($1::text[], $2::text[], $3::float8[], $4::float8[]) with ordinality
        as item(company_id, id, least, most, ordinality)
      join products as stored on stored.company_id = item.company_id and stored.id = item.id
        and ((stored.body ->> 'minPrice')::float8 is distinct from item.least
          or (stored.body ->> 'maxPrice')::float8 is distinct from item.most)
      where ${keepsPlan('item.ordinality')}
      order by item.ordinality`,
    },
    [...columnsOf(wanted), wanted.map(({ minPrice }) => minPrice), wanted.map(({ maxPrice }) => maxPrice)],
  )
  const found = rowsByItem(rows, wanted.length)
  const changes = found.flatMap((row, n) => {
    const { scope, id, minPrice, maxPrice } = wanted[n] as (typeof wanted)[number]
    return row ? changed({ scope, id, version: row[1], before: JSON.parse(row[2]) }, { minPrice, maxPrice }) : []
  })
  await write(transaction, changes)
  return found.length
}

/** The effect of variant writes on the price ranges of their products. */
export const priceSideEffects: SideEffects = {
  applies: (before, after) => {
    const old = before && paidFor(before)
    const now = paidFor(after)
    return old !== now || (before !== undefined && before.productId !== after.productId && now !== undefined)
  },
  locksFirst: {
    isNeeded: ({ set, clear }) => priced.some((member) => set[member] !== undefined || clear.includes(member)),
    keysOf: productsOf,
    lock: holdProducts,
  },
  async write(transaction, steps) {
    // If a variant's product changed between `hold` and the variant's own lock, the new product is not locked yet.
    const changed = steps.filter(({ before }) => before !== undefined)
    await holdProducts(transaction, changed.flatMap(productsOf), { waits: false })
    await updateRanges(transaction, steps.flatMap(productsOf))
  },
  async removing(transaction, keys, remove) {
    const products = await pricedProducts(transaction, keys, false)
    await holdProducts(transaction, products)
    const held = new Set(products.map(({ id }) => id))
    const now = await pricedProducts(transaction, keys, true)
    if (now.some(({ id }) => !held.has(id)))
      throw serializationFailure('Another transaction moved a variant to another product at the same time.')
    await remove()
    await updateRanges(transaction, now)
  },
}

/** The products of the variants that have a price. `isHeld` locks these variants. */
async function pricedProducts(transaction: Queryable, keys: readonly Key[], isHeld: boolean): Promise<Key[]> {
  const rows = await transaction.query(
    {
      name: `variants_priced${isHeld ? '_held' : ''}`,
      text: `
      select item.ordinality::int, variant.product_id, ${paidSql}
      from unnest($1::text[], $2::text[]) with ordinality as item(company_id, id, ordinality)
      join variants as variant on variant.company_id = item.company_id and variant.id = item.id
      ${isHeld ? 'order by variant.company_id, variant.id for update of variant' : ''}`,
    },
    columnsOf(keys),
  )
  return rows.flatMap(([ordinal, id, paid]) => (paid === null ? [] : [{ scope: (keys[ordinal - 1] as Key).scope, id }]))
}
