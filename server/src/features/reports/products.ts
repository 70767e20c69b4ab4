// The report of best-selling products, by amount or by quantity.

import { amountsIn } from '../../core/currency.ts'
import { decimalText } from '../../core/exact.ts'
import type { Statement } from '../../database/connect.ts'
import type { Snapshot } from './answer.ts'
import { entriesOf } from './dirty.ts'
import { wholeOf } from './period.ts'
import { productFacet, sourceOf } from './sources.ts'

/** What products can be ordered by, largest first. */
export const productOrders = ['total', 'quantity'] as const
type ProductOrder = (typeof productOrders)[number]

// A product without a record has the name in its latest line, be that summed or not.
const bestOf = (order: ProductOrder): Statement => ({
  name: `reports_products_${order}`,
  text: `
  with ${entriesOf(sourceOf('orders'), { ...productFacet, sums: ['gross', 'discount', 'quantity'] })}, best as materialized (
    select product as item, sum(quantity) as quantity, sum(gross) - sum(discount) as total from labelled_entry
    where currency = any ($8::text[]) and product <> ''
    group by product having (sum(quantity), sum(gross) - sum(discount)) <> (0, 0)
    order by ${order} desc, item limit $9
  )
  select item, coalesce(product.name, (
      select name from (
        select name, moment from called where called.item = best.item
        union all select name, moment from report_products_sold where company_id = $1 and product_id = best.item
      ) as named order by moment desc limit 1
    )), quantity, total
  from best left join products as product on product.company_id = $1 and product.id = best.item
  order by ${order} desc, item`,
})
const statements = { total: bestOf('total'), quantity: bestOf('quantity') }

/** The report as JSON. */
export async function productsReport(
  { currency, timezone, period, isComplete, ask }: Snapshot,
  { limit, sortBy }: { readonly limit: number; readonly sortBy: ProductOrder },
): Promise<string> {
  const { from, to } = period
  const rows = await ask(
    'orders',
    wholeOf(period),
    statements[sortBy],
    currency === undefined ? [''] : ['', currency],
    limit,
  )
  const amount = amountsIn(currency)
  const head = JSON.stringify({ currency, timezone, from, to, isComplete })
  const data = rows.map(([productId, name, quantity, total]) => {
    const known = JSON.stringify({ productId, name: name ?? undefined, total: amount(total) })
    // As a number with all of its digits.
    return `${known.slice(0, -1)},"quantity":${decimalText(quantity)}}`
  })
  return `${head.slice(0, -1)},"data":[${data.join(',')}]}`
}
