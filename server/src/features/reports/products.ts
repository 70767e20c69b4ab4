// The report of best-selling products, by amount or by quantity.

import { currencyDigits } from '../../core/currency.ts'
import type { Statement } from '../../database/connect.ts'
import type { Snapshot } from './answer.ts'
import { lineNames } from './line-names.ts'
import { REPORT_KEYS, tooMany } from './period.ts'
import { add, ascending, descending, negated, rawNumber, textOf } from './sums/decimals.ts'
import { Groups } from './sums/entries.ts'
import { timeLabels } from './time-labels.ts'

/** What products can be ordered by, largest first. */
export const productOrders = ['total', 'quantity'] as const
type ProductOrder = (typeof productOrders)[number]

const recorded: Statement = {
  name: 'reports_products_recorded',
  text: 'select id, name from products where company_id = $1 and id = any($2)',
}
/** The names of products: from their records, or else from lines of the last orders of the period. */
async function namesOf(snapshot: Snapshot, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>((await snapshot.query(recorded, ids)).map(([id, name]) => [id, name]))
  const others = ids.filter((id) => !names.has(id))
  for (const [id, { name }] of await lineNames(snapshot, 'productId', others)) names.set(id, name)
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
  return JSON.stringify({ currency, timezone: zone.name, dayStartHour: zone.dayStartHour, from, to, isComplete, data })
}
