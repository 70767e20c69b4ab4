// Lasting states, read from their tables: triggers whose receivers fail, and stock that runs out.
import type { Queryable } from '../../database/connect.ts'
import { LOW_STOCK_BELOW, variantName } from '../inventory/low-stock.ts'
import type { AlertDetails, AlertKind, LowLevel } from './alert.ts'
import { LOW_LEVELS, LOW_LEVELS_NAMED, WEBHOOK_FAILING_MS } from './limits.ts'

/** Something that should not last. */
export interface Found {
  readonly companyId: string
  readonly kind: AlertKind
  readonly cause: string
  readonly details: AlertDetails
  /** Its parts, to find which of them are new: levels of stock, or that a trigger was switched off. */
  readonly parts: readonly string[]
}

/** The reason if a person switched the trigger off; `switchOff` of the triggers gives another one. */
const byRequest = 'Switched off by request.'

/** SQL condition: a trigger has failed for the seconds of a parameter, or was switched off for it. The first line is that of an index. */
export const isUnwell = (seconds: string): string => `(failing_since is not null or not is_active) and (
    is_active and failing_since <= now() - make_interval(secs => ${seconds})
    or not is_active and coalesce(body ->> 'inactiveReason', '${byRequest}') <> '${byRequest}'
  )`

/** Triggers of companies whose receivers have failed for some time, or that were switched off for it. */
export async function failingTriggers(
  database: Queryable,
  companyIds: readonly string[],
  failingMs = WEBHOOK_FAILING_MS,
): Promise<Found[]> {
  const rows = await database.query(
    `select company_id, id, body ->> 'customTriggerName', body ->> 'triggerUrl',
       coalesce(body ->> 'inactiveSince', iso_time(failing_since)), case when not is_active then body ->> 'inactiveReason' end
     from automation_triggers
     where company_id = any ($1) and ${isUnwell('$2')}`,
    [companyIds, failingMs / 1000],
  )
  return rows.map(([companyId, triggerId, name, url, since, offReason]) => ({
    ...{ companyId, kind: 'webhook', cause: triggerId },
    details: {
      ...{ kind: 'webhook', triggerId, since, host: URL.parse(url)?.host ?? url },
      ...(name && { name }),
      ...(offReason && { offReason }),
    },
    parts: [offReason ? 'off' : 'failing'],
  }))
}

/** The stock of a company that is low, as one finding; none if there is enough of everything. */
export async function lowStock(database: Queryable, companyId: string): Promise<Found[]> {
  const rows = await database.query(
    {
      name: 'alerts_low_stock',
      text: `
      with low as materialized (
        select level.id, level.variant_id, level.stock
        from inventories as level
        cross join lateral (
          select from variants as variant
          where variant.company_id = $1 and variant.id = level.variant_id and variant.body ->> 'manageStock' = 'true' limit 1
        ) as managed
        where level.company_id = $1 and level.stock < $2 and not level.is_deleted
      )
      select (select count(*) from low), array(select id from low order by stock, id limit $3)`,
    },
    [companyId, LOW_STOCK_BELOW, LOW_LEVELS],
  )
  const [count = 0, parts = []] = (rows[0] ?? []) as [number?, string[]?]
  if (Number(count) === 0) return []
  const levels = await namedLevels(database, companyId, parts.slice(0, LOW_LEVELS_NAMED))
  const details: AlertDetails = { kind: 'stock', below: LOW_STOCK_BELOW, count: Number(count), levels }
  return [{ companyId, kind: 'stock', cause: '', details, parts }]
}

/** Levels with the names of what and where they are. */
async function namedLevels(database: Queryable, companyId: string, ids: readonly string[]): Promise<LowLevel[]> {
  const rows = await database.query(
    `select level.variant_id, coalesce(nullif(variant.product_id, ''), level.product_id), level.outlet_id, product.name,
       variant.body -> 'attributes', outlet.name, level.body ->> 'stock'
     from inventories as level
     left join variants as variant on variant.company_id = $1 and variant.id = level.variant_id
     left join products as product on product.company_id = $1
       and product.id = coalesce(nullif(variant.product_id, ''), level.product_id)
     left join outlets as outlet on outlet.company_id = $1 and outlet.id = level.outlet_id
     where level.company_id = $1 and level.id = any ($2) order by level.stock, level.id`,
    [companyId, ids],
  )
  return rows.map(([variantId, productId, outletId, productName, attributes, outletName, stock]) => {
    const called = variantName(attributes)
    return {
      ...{ variantId, outletId, stock: Number(stock) },
      ...(productId && { productId }),
      ...(productName && { productName }),
      ...(called && { variantName: called }),
      ...(outletName && { outletName }),
    }
  })
}
