// The report of best-selling products, by amount or by quantity.

import { currencyDigits } from '../../core/currency.ts'
import type { Statement } from '../../database/connect.ts'
import { sizeOf } from '../events/pages.ts'
import type { Snapshot } from './answer.ts'
import { timeOf } from './local-days.ts'
import { REPORT_KEYS, tooMany } from './period.ts'
import { add, ascending, descending, negated, rawNumber, textOf } from './sums/decimals.ts'
import { Groups } from './sums/entries.ts'
import { momentColumn } from './sums/sources.ts'
import { timeLabels } from './time-labels.ts'

/**
 * Orders in which a report looks for names of products without a record, some 10 ms; then those in which it looks for
 * what is left, at last some 0.1 s; and characters of such an order.
 */
const REPORT_NAMING_ORDERS = [200, 1_000, 5_000]
const REPORT_NAMING_CHARACTERS = 64 * 1024

/** What products can be ordered by, largest first. */
export const productOrders = ['total', 'quantity'] as const
type ProductOrder = (typeof productOrders)[number]

const recorded: Statement = {
  name: 'reports_products_recorded',
  text: 'select id, name from products where company_id = $1 and id = any($2)',
}
/** The names in the newest lines of products, among the last $5 orders from the moment $3 to before $4. */
const sold: Statement = {
  name: 'reports_products_sold',
  text: `
  select distinct on (product) product, name
  from (
    select moment, line ->> 'productId' as product, line ->> 'name' as name
    from (
      select ${momentColumn} as moment, body -> 'lineItems' as lines
      from orders as stored
      where company_id = $1 and ${momentColumn} >= $3 and ${momentColumn} < $4 and ${sizeOf('body')} < ${REPORT_NAMING_CHARACTERS}
      order by 1 desc limit $5
    ) as newest
    cross join lateral json_array_elements(case json_typeof(lines) when 'array' then lines else '[]' end) as line
  ) as line
  where product = any($2) and name <> '' order by product, moment desc`,
}

/** The names of products: from their records, or else from lines of the last orders of the period. */
async function namesOf({ query, period }: Snapshot, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const known = await query(recorded, ids)
  const names = new Map<string, string>(known.map(([id, name]) => [id, name]))
  for (const orders of REPORT_NAMING_ORDERS) {
    const others = ids.filter((id) => !names.has(id))
    if (others.length === 0) break
    const called = await query(sold, others, timeOf(period.first), timeOf(period.end), orders)
    for (const [id, name] of called) names.set(id, name)
  }
  return names
}

/** The report as JSON. */
export async function productsReport(
  snapshot: Snapshot,
  { limit, sortBy }: { readonly limit: number; readonly sortBy: ProductOrder },
): Promise<string> {
  const { currency, zone, period, isComplete, readEntries } = snapshot
  const { from, to } = period
  const { segments } = timeLabels(zone, [], period)
  const groups = new Groups(['currency', 'product'])
  await readEntries(['orders', 'product'], segments, (entries) => {
    groups.add(entries)
    if (groups.size > REPORT_KEYS) throw tooMany('products')
  })
  const products = groups.paths.map(([code, productId = ''], place) => {
    const total = add(groups.sum('gross', place), negated(groups.sum('discount', place)))
    return { code, productId, total, quantity: groups.sum('quantity', place) }
  })
  const isSold = ({ code, productId, total, quantity }: (typeof products)[number]) =>
    code === (currency ?? '') && productId !== '' && !(total === 0 && quantity === 0)
  const best = products
    .filter(isSold)
    .sort((a, b) => descending(a[sortBy], b[sortBy]) || ascending(a.productId, b.productId))
    .slice(0, limit)
  const names = await namesOf(
    snapshot,
    best.map(({ productId }) => productId),
  )
  const data = best.map(({ productId, total, quantity }) => ({
    productId,
    name: names.get(productId),
    total: textOf(total, currencyDigits(currency)),
    quantity: rawNumber(textOf(quantity, 0)),
  }))
  return JSON.stringify({ currency, timezone: zone.name, from, to, isComplete, data })
}
