// The names of a sale's lines that were sent without one: those of their products and variants, as they are at the time of the sale.

import { NAME_CHARACTERS } from '../../core/limits.ts'
import type { Queryable, Statement } from '../../database/connect.ts'
import type { JsonObject } from '../../engine/record.ts'
import { variantName } from '../inventory/low-stock.ts'
import type { LineItem, Sale } from './sale.ts'

/** Characters of a variant's attributes of which a name is made. */
const ATTRIBUTES_CHARACTERS = 2_000

const named: Statement = {
  name: 'sales_line_names',
  text: `
  select asked.product_id, asked.variant_id, product.name,
    case when length(variant.body ->> 'attributes') <= ${ATTRIBUTES_CHARACTERS} then variant.body ->> 'attributes' end
  from unnest($2::text[], $3::text[]) as asked(product_id, variant_id)
  left join variants as variant on variant.company_id = $1 and variant.id = asked.variant_id
  join products as product on product.company_id = $1 and product.id = coalesce(nullif(asked.product_id, ''), variant.product_id)
  where product.name <> ''`,
}

const keyOf = ({ productId = '', variantId = '' }: LineItem): string => JSON.stringify([productId, variantId])
const isNameless = ({ name, productId, variantId }: LineItem): boolean =>
  name === undefined && (productId ?? variantId) !== undefined

/** The orders, each with the names of its lines. What is no product of the company stays without one. */
export async function withLineNames(
  database: Queryable,
  companyId: string,
  orders: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const linesOf = ({ lineItems = [] }: Sale) => lineItems
  const nameless = new Map(orders.flatMap((order) => linesOf(order).filter(isNameless)).map((line) => [keyOf(line), line])) // biome-ignore format: one thought
  if (nameless.size === 0) return orders
  const lines = [...nameless.values()]
  const rows = await database.query(named, [
    companyId,
    lines.map(({ productId = '' }) => productId),
    lines.map(({ variantId = '' }) => variantId),
  ])
  const names = new Map(
    rows.map(([productId, variantId, product, attributes]) => {
      const whole = [product, variantName(attributes)].filter(Boolean).join(', ')
      return [keyOf({ productId, variantId }), whole.length <= NAME_CHARACTERS ? whole : (product as string)]
    }),
  )
  const withName = (line: LineItem): LineItem => {
    const name = isNameless(line) ? names.get(keyOf(line)) : undefined
    return name === undefined ? line : { ...line, name }
  }
  return orders.map((order) => (order.lineItems ? { ...order, lineItems: linesOf(order).map(withName) } : order))
}
