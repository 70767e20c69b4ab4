// The variants whose stock is written: the writer locks them, reads what stock depends on, and updates the stock that they show.
//
// The lock order of products, variants and stock, for every transaction:
//   0. orders (order-state.ts), by company and id
//   1. products (product-prices.ts), by company and id
//   2. variants (this file, or the engine's lock of the records that it changes), by company and id
//   3. inventory records: those of locked variants, then those whose variant does not exist, each by company and id
//   4. new inventory records, by variant, outlet and product
// One statement locks all rows of a kind, sorted. A transaction that locks an inventory record has locked the record's variant,
// and one that locks a variant to write a price or a product id has locked the products, even if the request seems to change
// nothing: another transaction may change the row before the lock is granted, and then the request does change something.
// A record that moved to another variant meanwhile, or a variant to another product, needs a lock out of this order: it is
// taken with NOWAIT, and on failure the transaction begins again. Rows are locked before any savepoint, since a rollback to it
// would release them. Events, history entries and idempotency keys wait for no lock.
// No answer reveals a wrong order, since deadlocks are retried, but each deadlock costs `deadlock_timeout`, a second.

import { BULK_ITEMS, STATEMENT_CHARACTERS } from '../core/limits.ts'
import { bodyError, invalid, type Problem } from '../core/problem.ts'
import type { Scope } from '../core/scope.ts'
import type { Queryable } from '../database/connect.ts'
import { keepsPlan } from '../database/statement.ts'
import { partOf } from '../engine/store.ts'

/** A variant of a company. */
export interface VariantKey {
  readonly scope: Scope
  readonly variantId: string
}

/** The facts about a variant that stock depends on. */
export interface HeldVariant {
  readonly productId: string | undefined
  readonly isManaged: boolean
  readonly allowsBackorder: boolean
  /** The members it shows, `{"inventory": […]}`; undefined where that is long, since a statement may return a thousand. */
  readonly shown: string | undefined
}

/** A level as the variant shows it: its stock, or undefined when it has no live record. */
interface LevelChange extends VariantKey {
  readonly outletId: string
  readonly stock: number | undefined
}

/** Stock of a variant at an outlet, as the variant shows it. */
export interface ShownLevel {
  readonly outletId: string
  readonly stock: number
}

/** One key for several texts: references may contain any text, so they cannot simply be joined. */
export const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts)
export const variantKey = ({ scope, variantId }: VariantKey) => keyOf(scope.companyId, variantId)

/**
 * Locks the existing variants until the transaction ends, in one order; returns them by `variantKey`. Only this
 * transaction then changes their stock and its rules. Every writer of stock, or of a variant, does this before it locks
 * any level. `waits: false` throws instead of waiting for another transaction, and the caller's transaction begins
 * again.
 */
export async function holdVariants(
  transaction: Queryable,
  variants: readonly VariantKey[],
  { waits = true } = {},
): Promise<Map<string, HeldVariant>> {
  const each = [...new Map(variants.map((variant) => [variantKey(variant), variant])).values()]
  if (each.length === 0) return new Map()
  const rows = await transaction.query(
    {
      name: `variants_hold${waits ? '' : '_at_once'}`,
      text: `
      select stored.company_id, stored.id, stored.product_id, stored.body ->> 'manageStock', stored.body ->> 'allowBackorder',
        case when length(stored.shown::text) <= ${Math.floor(STATEMENT_CHARACTERS / BULK_ITEMS)} then stored.shown end
      from unnest($1::text[], $2::text[]) with ordinality as item(company_id, id, number)
      join variants as stored on stored.company_id = item.company_id and stored.id = item.id
      where ${keepsPlan('item.number')}
      order by stored.company_id, stored.id for no key update of stored${waits ? '' : ' nowait'}`,
    },
    [each.map(({ scope }) => scope.companyId), each.map(({ variantId }) => variantId)],
  )
  return new Map(
    rows.map(([companyId, id, productId, manageStock, allowBackorder, shown]) => [
      keyOf(companyId, id),
      {
        productId: productId || undefined,
        isManaged: manageStock === 'true',
        allowsBackorder: allowBackorder === 'true',
        shown: shown ?? undefined,
      },
    ]),
  )
}

/** The error for a `productId` that is not the product of an existing variant. */
export const wrongProduct = (
  sent: unknown,
  variant: Pick<HeldVariant, 'productId'> | undefined,
  at = '',
): Problem | undefined =>
  sent === undefined || variant?.productId === undefined || sent === variant.productId
    ? undefined
    : invalid([
        bodyError(
          `${at}/productId`,
          'mismatch',
          `must be ${JSON.stringify(variant.productId)}, the product of the variant`,
        ),
      ])

/** Levels in the order in which a variant shows them: by the bytes of their outlets' UTF-8, as PostgreSQL orders. */
export const byOutlet = (levels: readonly ShownLevel[]): ShownLevel[] =>
  levels.toSorted((a, b) => Buffer.compare(Buffer.from(a.outletId), Buffer.from(b.outletId)))

/**
 * Updates the levels that locked variants show; the others stay as they are. It uses as many statements as their texts
 * require.
 */
export async function showLevels(
  transaction: Queryable,
  held: ReadonlyMap<string, HeldVariant>,
  changes: readonly LevelChange[],
): Promise<void> {
  const changed = [...Map.groupBy(changes, variantKey)].filter(([key]) => held.has(key))
  const known = changed.filter(([key]) => held.get(key)?.shown !== undefined)
  const long = changed.filter(([key]) => held.get(key)?.shown === undefined)
  await writeShown(
    transaction,
    known.map(([key, own]) => shownWith(own, held.get(key)?.shown as string)),
  )
  let part = Number.POSITIVE_INFINITY
  for (let at = 0; at < long.length; ) {
    const some = long.slice(at, at + part)
    const texts = await readShown(
      transaction,
      some.map(([, [first]]) => first as LevelChange),
    )
    await writeShown(
      transaction,
      texts.map((text, n) => shownWith((some[n] as (typeof some)[number])[1], text)),
    )
    part = partOf(some.length, texts.length)
    at += texts.length
  }
}

interface ShownVariant {
  readonly companyId: string
  readonly variantId: string
  readonly before: string
  readonly shown: string
}

/** What a variant shows once some of its levels have changed. */
function shownWith(own: readonly LevelChange[], before: string): ShownVariant {
  const { scope, variantId } = own[0] as LevelChange
  const levels = new Map((JSON.parse(before).inventory as ShownLevel[]).map((level) => [level.outletId, level]))
  for (const { outletId, stock } of own)
    if (stock === undefined) levels.delete(outletId)
    else levels.set(outletId, { outletId, stock })
  const shown = JSON.stringify({ inventory: byOutlet([...levels.values()]) })
  return { companyId: scope.companyId, variantId, before, shown }
}

/** What the first of some locked variants show, in their order: as many as one statement should return. */
async function readShown(transaction: Queryable, variants: readonly VariantKey[]): Promise<string[]> {
  const rows = await transaction.query(
    {
      name: 'variants_shown',
      most: STATEMENT_CHARACTERS,
      text: `
      select stored.shown from unnest($1::text[], $2::text[]) with ordinality as item(company_id, id, ordinality)
      join variants as stored on stored.company_id = item.company_id and stored.id = item.id
      where ${keepsPlan('item.ordinality')} order by item.ordinality`,
    },
    [variants.map(({ scope }) => scope.companyId), variants.map(({ variantId }) => variantId)],
  )
  return rows.flatMap(([shown]) => (shown === null ? [] : [shown]))
}

async function writeShown(transaction: Queryable, all: readonly ShownVariant[]): Promise<void> {
  const written = all.filter(({ before, shown }) => shown !== before)
  if (written.length === 0) return
  await transaction.query(
    {
      name: 'variants_show',
      text: `
      update variants as stored set shown = item.shown
      from rows from (unnest($1::text[], $2::text[]), json_array_elements($3::json)) with ordinality as item(company_id, id, shown, number)
      where stored.company_id = item.company_id and stored.id = item.id and ${keepsPlan('item.number')}`,
    },
    [
      written.map(({ companyId }) => companyId),
      written.map(({ variantId }) => variantId),
      `[${written.map(({ shown }) => shown).join(',')}]`,
    ],
  )
}
