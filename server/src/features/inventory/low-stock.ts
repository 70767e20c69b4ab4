// Low stock, for the report and the alert: managed variants with little stock left at an outlet, lowest first.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import type { IsGone } from '../../core/is-gone.ts'
import type { Database, Queryable, Statement } from '../../database/connect.ts'
import { variantName } from '../../resources/variant.ts'

/** Stock below this number is low, unless a request says otherwise. */
export const LOW_STOCK_BELOW = 5

// Low levels are read only from an index, and a separate index has the managed variants, so no record is parsed.
// The company comes with the levels: of a given company that is new to its statistics, PostgreSQL expects a single record,
// and would read all of the company's records for each level. Parallel workers are disabled: on a busy machine they would start after the rest is done.
const low: Statement = {
  name: 'reports_low_stock',
  text: `
  with low as materialized (
    select level.company_id, level.id, level.variant_id, level.stock
    from inventories as level
    -- The limit forces a look-up for each level, never the reverse: the planner cannot know how many are managed.
    cross join lateral (
      select from variants as variant
      where variant.company_id = level.company_id and variant.id = level.variant_id and variant.body ->> 'manageStock' = 'true' limit 1
    ) as managed
    where level.company_id = $1 and level.stock < $2 and not level.is_deleted
  ), first as materialized (
    select * from low order by stock, id limit $3
  ), found as (
    select level.company_id, level.id, level.variant_id, coalesce(nullif(variant.product_id, ''), level.product_id) as product_id, level.outlet_id,
      variant.body -> 'attributes' as attributes, variant.sku, level.body ->> 'stock' as stock, first.stock as place
    from first
    join inventories as level on level.company_id = first.company_id and level.id = first.id
    join variants as variant on variant.company_id = first.company_id and variant.id = first.variant_id
  )
  select (select count(*) from low), found.id, found.variant_id, found.product_id, found.outlet_id, product.name, found.attributes, found.sku,
    outlet.name, found.stock, set_config('max_parallel_workers_per_gather', '0', true)
  from found
  left join products as product on product.company_id = found.company_id and product.id = found.product_id
  left join outlets as outlet on outlet.company_id = found.company_id and outlet.id = found.outlet_id
  order by found.place, found.id`,
}

/** A level of stock that is low, with the names of what and where it is. */
export interface LowLevel {
  readonly inventoryId: string
  readonly variantId: string
  readonly productId?: string | undefined
  readonly outletId: string
  readonly productName?: string | undefined
  readonly variantName?: string | undefined
  readonly sku?: string | undefined
  readonly outletName?: string | undefined
  readonly stock: number
}

/** How many levels of a company have less than `below`, and the lowest, at most `limit`. */
export async function lowLevels(
  database: Queryable,
  companyId: string,
  { below, limit }: { readonly below: number; readonly limit: number },
): Promise<{ count: number; levels: LowLevel[] }> {
  const rows = await database.query(low, [companyId, below, limit])
  const levels = rows.map(
    ([, inventoryId, variantId, productId, outletId, productName, attributes, sku, outletName, stock]) => ({
      inventoryId,
      variantId,
      productId: productId || undefined,
      outletId,
      productName: productName ?? undefined,
      variantName: variantName(attributes),
      sku: sku || undefined,
      outletName: outletName ?? undefined,
      stock: Number(stock),
    }),
  )
  return { count: Number(rows[0]?.[0] ?? 0), levels }
}

/** The report as JSON: at most `limit` levels with less than `below`. */
export async function lowStockReport(
  database: Database,
  lists: FairSemaphore,
  companyId: string,
  { below, limit, isGone }: { readonly below: number; readonly limit: number; readonly isGone: IsGone },
): Promise<string> {
  const { count, levels } = await lists({ tenant: companyId, isGone }, () =>
    lowLevels(database, companyId, { below, limit }),
  )
  return JSON.stringify({ data: levels, meta: { count } })
}
