// The report of best-selling products, by amount or by quantity.

import { currencyDigits } from '../../core/currency.ts'
import type { Statement } from '../../database/connect.ts'
import type { Snapshot } from './answer.ts'
import { ascending, firstPlaces } from './first-places.ts'
import { REPORT_KEYS } from './limits.ts'
import { tooMany } from './period.ts'
import { balanceOf, descending, isZeroAt, textAt } from './sums/decimals.ts'
import { Groups } from './sums/entries.ts'
import type { Query } from './sums/records.ts'
import { sourceOf } from './sums/sources.ts'
import type { Facet, ProductName } from './sums/summing.ts'
import { timeLabels } from './time-labels.ts'

/** What products can be ordered by, largest first. */
export const productOrders = ['total', 'quantity'] as const
type ProductOrder = (typeof productOrders)[number]

const orders = sourceOf('orders')
const byProduct = orders.facets.find(({ name }) => name === 'product') as Facet
const recorded: Statement = {
  name: 'reports_products_recorded',
  text: 'select id, name from products where company_id = $1 and id = any($2)',
}
/** The names in the latest lines that are summed. */
const sold: Statement = {
  name: 'reports_products_sold',
  text: 'select product_id, name, moment from report_products_sold where company_id = $1 and product_id = any($2)',
}

/** The names of products: from their records, otherwise from their newest line, summed or in `latest`. */
async function namesOf(
  query: Query,
  ids: readonly string[],
  latest: readonly ProductName[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>((await query(recorded, ids)).map(([id, name]) => [id, name]))
  const others = ids.filter((id) => !names.has(id))
  if (others.length === 0) return names
  const called = (await query(sold, others)).map(([product, name, moment]): ProductName => ({ product, name, moment }))
  called.push(...latest.filter(({ product }) => others.includes(product)))
  for (const { product, name } of called.sort((a, b) => ascending(a.moment, b.moment))) names.set(product, name)
  return names
}

/** The report as JSON. */
export async function productsReport(
  snapshot: Snapshot,
  { limit, sortBy }: { readonly limit: number; readonly sortBy: ProductOrder },
): Promise<string> {
  const { companyId, currency, zone, period, isComplete, readEntries, query } = snapshot
  const { from, to } = period
  const { segments } = timeLabels(zone, [], period)
  const groups = new Groups(['currency', 'product'])
  const latest = await readEntries(orders, byProduct, segments, (entries) => {
    groups.add(entries)
    if (groups.size > REPORT_KEYS) throw tooMany('products')
  })
  const quantity = groups.total('quantity')
  const total = balanceOf(groups.size, [groups.total('gross')], [groups.total('discount')])
  const order = { total, quantity }[sortBy]
  const productAt = (place: number) => groups.lastValueAt(place)
  const isShown = (place: number) =>
    productAt(place) !== '' &&
    !(isZeroAt(total, place) && isZeroAt(quantity, place)) &&
    groups.valuesAt(place)[0] === (currency ?? '')
  const compare = (a: number, b: number) => descending(order, a, b) || ascending(productAt(a), productAt(b))
  const places = await firstPlaces({ size: groups.size, limit, line: companyId }, isShown, compare)
  const best = places.map((place) => ({ place, productId: productAt(place) }))
  const names = await namesOf(query, best.map(({ productId }) => productId), latest) // biome-ignore format: one thought
  const decimals = currencyDigits(currency)
  const data = best.map(({ place, productId }) => {
    const known = JSON.stringify({ productId, name: names.get(productId), total: textAt(total, place, decimals) })
    // As a number with all of its digits.
    return `${known.slice(0, -1)},"quantity":${textAt(quantity, place, 0)}}`
  })
  const head = JSON.stringify({ currency, timezone: zone.name, from, to, isComplete })
  return `${head.slice(0, -1)},"data":[${data.join(',')}]}`
}
