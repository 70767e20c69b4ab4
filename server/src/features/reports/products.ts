// The report of best-selling products, by amount or by quantity.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import type { Database, Statement } from '../../database/connect.ts'
import { aggregators } from './aggregators.ts'
import { amountsIn, decimalText } from './amount.ts'
import type { CaughtUp } from './catching-up.ts'
import { blocksOf } from './local-days.ts'
import type { Period } from './period.ts'
import { isWhole as isAll, unaggregatedOf } from './unaggregated-events.ts'

/** What products can be ordered by, largest first. */
export const productOrders = ['total', 'quantity'] as const
type ProductOrder = (typeof productOrders)[number]

// The sums of blocks of days are found by their index; those in days of another time zone must not be shown.
const bestOf = (order: ProductOrder): Statement => ({
  name: `reports_products_${order}`,
  text: `
  with ${unaggregatedOf(aggregators.products, 'timezone = $2')}, ${aggregators.products.summing({ from: '$8', ahead: '$9' })},
  stored as (
    select stored.product_id, stored.quantity, stored.total
    from unnest($4::int[], $5::int[]) as block(days, first_day)
    join report_products as stored on stored.company_id = $1 and stored.days = block.days
      and stored.first_day = block.first_day and stored.currency = any ($6::text[])
    where exists (select from reader)
    union all
    select product_id, quantity, total from summed where day between $10 and $11 and currency = any ($6::text[])
  ), best as materialized (
    select product_id, sum(quantity) as quantity, sum(total) as total from stored
    group by product_id
    having (sum(quantity), sum(total)) <> (0, 0)
    order by ${order} desc, product_id limit $7
  )
  select ${isAll}, best.product_id, coalesce(product.name, called.name, named.name), best.quantity, best.total
  from (values (1)) as one
  left join best on true
  left join products as product on product.company_id = $1 and product.id = best.product_id
  left join called on called.product_id = best.product_id
  left join report_product_names as named on named.company_id = $1 and named.product_id = best.product_id
  order by best.${order} desc, best.product_id`,
})
const statements = { total: bestOf('total'), quantity: bestOf('quantity') }

/** The report as JSON. */
export async function productsReport(
  database: Database,
  lists: FairSemaphore,
  { company, range, isWhole }: CaughtUp<Period>,
  { limit, sortBy, isGone }: { readonly limit: number; readonly sortBy: ProductOrder; readonly isGone: () => boolean },
): Promise<string> {
  const { currency, timezone, zone } = company
  const { from, to, firstDay, lastDay, today, since } = range
  const blocks = blocksOf(firstDay, lastDay, today)
  const rows = await lists({ tenant: company.id, isGone }, () =>
    database.query(statements[sortBy], [
      ...[company.id, zone.key, since],
      ...[blocks.map(({ days }) => days), blocks.map(({ firstDay }) => firstDay)],
      ...[currency === undefined ? [''] : ['', currency], limit],
      ...[zone.from, zone.ahead, firstDay, lastDay],
    ]),
  )
  const amount = amountsIn(currency)
  const isComplete = isWhole && rows[0]?.[0] === true
  const head = JSON.stringify({ currency, timezone, from, to, isComplete })
  const data = rows
    .filter(([, productId]) => productId !== null)
    .map(([, productId, name, quantity, total]) => {
      const known = JSON.stringify({ productId, name: name ?? undefined, total: amount(total) })
      // As a number with all of its digits.
      return `${known.slice(0, -1)},"quantity":${decimalText(quantity)}}`
    })
  return `${head.slice(0, -1)},"data":[${data.join(',')}]}`
}
