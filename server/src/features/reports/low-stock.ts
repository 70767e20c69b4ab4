// The report of low stock: managed variants of which little is left at an outlet, the least first.
import type { Database, Statement } from '../../database/connect.ts'
import type { Lane } from '../../lane.ts'

const low = `
  from inventories as level
  join variants as variant on variant.company_id = level.company_id and variant.id = level.variant_id
    and variant.body ->> 'manageStock' = 'true'
  where level.company_id = $1 and level.stock < $2 and not level.is_deleted`

const page: Statement = {
  name: 'reports_low_stock',
  text: `
  select found.id, found.variant_id, found.product_id, found.outlet_id, product.name, found.attributes, found.sku, outlet.name, found.stock
  from (
    select level.id, level.variant_id, coalesce(nullif(variant.product_id, ''), level.product_id) as product_id, level.outlet_id,
      variant.body -> 'attributes' as attributes, variant.sku, level.body ->> 'stock' as stock, level.stock as place
    ${low} order by level.stock, level.id limit $3
  ) as found
  left join products as product on product.company_id = $1 and product.id = found.product_id
  left join outlets as outlet on outlet.company_id = $1 and outlet.id = found.outlet_id
  order by found.place, found.id`,
}
const count: Statement = { name: 'reports_low_stock_count', text: `select count(*) ${low}` }

/** The report as JSON: so many levels with less than `below`. */
export async function lowStockReport(
  database: Database,
  lists: Lane,
  companyId: string,
  { below, limit, isGone }: { readonly below: number; readonly limit: number; readonly isGone: () => boolean },
): Promise<string> {
  const ask = (statement: Statement, values: readonly unknown[]) =>
    lists({ line: companyId, isGone }, () => database.query(statement, values))
  const rows = await ask(page, [companyId, below, limit])
  // A page that is not full tells of all.
  const all = rows.length < limit ? rows.length : (await ask(count, [companyId, below]))[0]?.[0]
  const data = rows.map(
    ([inventoryId, variantId, productId, outletId, productName, attributes, sku, outletName, stock]) => ({
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
  return JSON.stringify({ data, meta: { count: all } })
}

/** What a variant is told from others by: the values of its attributes. */
function variantName(attributes: string | null): string | undefined {
  const values = ((attributes && JSON.parse(attributes)) || []) as { readonly value?: string }[]
  return values.flatMap(({ value }) => value || []).join(' / ') || undefined
}
