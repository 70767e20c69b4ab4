// The report of best-selling products, by amount or by quantity.

import { currencyDigits } from '../../core/currency.ts'
import type { Statement } from '../../database/connect.ts'
import type { Snapshot } from './answer.ts'
import { descending, isZeroAt, minus, textAt } from './decimals.ts'
import { summed } from './dirty.ts'
import { Groups, inCurrencies } from './entries.ts'
import { REPORT_KEYS } from './limits.ts'
import { tooMany, wholeOf } from './period.ts'
import { productFacet, sourceOf } from './sources.ts'

/** What products can be ordered by, largest first. */
export const productOrders = ['total', 'quantity'] as const
type ProductOrder = (typeof productOrders)[number]

const orders = sourceOf('orders')
const ascending = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const recorded: Statement = {
  name: 'reports_products_recorded',
  text: 'select id, name from products where company_id = $1 and id = any($2)',
}
/** The names of products in their latest lines, be these in dirty chunks ($3 numbers, $4 chunks) or not. */
const called: Statement = {
  name: 'reports_products_called',
  text: `
  with dirty as materialized (
    select * from unnest($3::int[], $4::text[]) as dirty(number, chunk)
  ), ${summed(orders, 'dirty', false)}
  select distinct on (item) item, name from (
    select item, name, moment from called where item = any($2)
    union all select product_id, name, moment from report_products_sold where company_id = $1 and product_id = any($2)
  ) as named order by item, moment desc`,
}

/** The names of products: of their records, or else of their latest lines. */
async function namesOf({ query, partsIn, period }: Snapshot, ids: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>((await query(recorded, ids)).map(([id, name]) => [id, name]))
  const others = ids.filter((id) => !names.has(id))
  if (others.length === 0) return names
  const { dirty } = partsIn('orders', wholeOf(period))
  const rows = await query(called, others, dirty.map(({ number }) => number), dirty.map(({ chunk }) => chunk)) // biome-ignore format: one thought
  for (const [id, name] of rows) names.set(id, name)
  return names
}

/** The report as JSON. */
export async function productsReport(
  snapshot: Snapshot,
  { limit, sortBy }: { readonly limit: number; readonly sortBy: ProductOrder },
): Promise<string> {
  const { currency, timezone, period, isComplete, readEntries } = snapshot
  const { from, to } = period
  const sold = new Groups(['currency', 'product'])
  await readEntries(orders, productFacet, wholeOf(period), async (_, entries) => {
    sold.add(inCurrencies(entries, currency))
    if (sold.size > REPORT_KEYS) throw tooMany('products')
  })
  const quantity = sold.total('quantity')
  const total = minus(sold.total('gross'), sold.total('discount'), sold.size)
  const order = { total, quantity }[sortBy]
  const best = Array.from({ length: sold.size }, (_, place) => ({ place, values: sold.valuesAt(place) }))
    .filter(({ values: [own, product] }) => own === (currency ?? '') && product !== '')
    .filter(({ place }) => !isZeroAt(total, place) || !isZeroAt(quantity, place))
    .sort((a, b) => descending(order, a.place, b.place) || ascending(a.values[1] ?? '', b.values[1] ?? ''))
    .slice(0, limit)
  const names = await namesOf(snapshot, best.map(({ values: [, product = ''] }) => product)) // biome-ignore format: one thought
  const decimals = currencyDigits(currency)
  const data = best.map(({ place, values: [, productId = ''] }) => {
    const known = JSON.stringify({ productId, name: names.get(productId), total: textAt(total, place, decimals) })
    // As a number with all of its digits.
    return `${known.slice(0, -1)},"quantity":${textAt(quantity, place, 0)}}`
  })
  const head = JSON.stringify({ currency, timezone, from, to, isComplete })
  return `${head.slice(0, -1)},"data":[${data.join(',')}]}`
}
