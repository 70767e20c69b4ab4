// The report of best-selling products, by amount or by quantity.
import { currencyDigits } from '../../core/currency.ts'
import { type JsonSchema, string } from '../../core/json-schema.ts'
import { ascending, descending, rawNumber, subtract, textOf } from '../sold-items/decimals.ts'
import type { Snapshot } from './answer.ts'
import { amount, head, heading, headingOf, object } from './documents.ts'
import { namesOf } from './names.ts'
import { REPORT_KEYS, tooMany } from './period.ts'
import { Groups } from './sums/entries.ts'

/** What products can be ordered by, largest first. */
export const productOrders = ['total', 'quantity'] as const
type ProductOrder = (typeof productOrders)[number]

export const productsSchema: JsonSchema = object(
  'ProductsReport',
  {
    ...heading,
    data: {
      type: 'array',
      description: 'The best-selling products, in the order of `sortBy`.',
      items: object(
        'SoldProduct',
        {
          productId: string('The product, as lines of orders name it.'),
          name: string(
            'The name of the product. If it has no record, that of its last line among the last 5,000 orders of the period.',
          ),
          total: amount('The amount of its lines: `total`, or else price times quantity.'),
          quantity: { type: 'number', description: 'The number sold; a line without a quantity counts as one.' },
        },
        'name',
      ),
    },
  },
  'currency',
)
export const productsExample = {
  ...head,
  data: [{ productId: '6740a1f2c3d4e5f6a7b8c9d1', name: 'Espresso beans', total: '525.00', quantity: 42 }],
}

/** The report as JSON. */
export async function productsReport(
  snapshot: Snapshot,
  { limit, sortBy }: { readonly limit: number; readonly sortBy: ProductOrder },
): Promise<string> {
  const { currency, period, readEntries } = snapshot
  const groups = new Groups(['currency', 'product'])
  await readEntries(['orders', 'product'], [{ ...period, label: 0 }], (entries) => {
    groups.add(entries)
    if (groups.size > REPORT_KEYS) throw tooMany('products')
  })
  const products = groups.paths.map(([code, productId = ''], place) => {
    const total = subtract(groups.sum('gross', place), groups.sum('discount', place))
    return { code, productId, total, quantity: groups.sum('quantity', place) }
  })
  const isSold = ({ code, productId, total, quantity }: (typeof products)[number]) =>
    code === (currency ?? '') && productId !== '' && !(total === 0 && quantity === 0)
  const best = products
    .filter(isSold)
    .sort((a, b) => descending(a[sortBy], b[sortBy]) || ascending(a.productId, b.productId))
    .slice(0, limit)
  const ids = best.map(({ productId }) => productId)
  const names = await namesOf(snapshot, 'productId', ids)
  const data = best.map(({ productId, total, quantity }) => ({
    productId,
    name: names.get(productId)?.[0] ?? undefined,
    total: textOf(total, currencyDigits(currency)),
    quantity: rawNumber(textOf(quantity, 0)),
  }))
  return JSON.stringify({ ...headingOf(snapshot), data })
}
