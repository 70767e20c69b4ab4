// Completes the lines of a sale from the present catalogue: with the product of a variant, the product's name, and what
// distinguishes the variant.

import type { Queryable, Statement } from '../../database/connect.ts'
import { keepsPlan } from '../../database/statement.ts'
import type { JsonObject } from '../../engine/record.ts'
import { variantName } from '../../resources/variant.ts'
import type { LineItem, Sale } from './sale.ts'

/** Characters of a variant's attributes that describe a line; longer ones are left out. */
const ATTRIBUTES_CHARACTERS = 500

const sold: Statement = {
  name: 'sales_line_products',
  text: `
  select asked.product_id, asked.variant_id, coalesce(product.id, variant.product_id), product.id is not null, product.name,
    case when length(variant.body ->> 'attributes') <= ${ATTRIBUTES_CHARACTERS} then variant.body ->> 'attributes' end
  from unnest($2::text[], $3::text[]) with ordinality as asked(product_id, variant_id, number)
  left join variants as variant on variant.company_id = $1 and variant.id = asked.variant_id
    and asked.product_id in ('', variant.product_id)
  left join products as product on product.company_id = $1 and product.id = coalesce(nullif(asked.product_id, ''), variant.product_id)
  where ${keepsPlan('asked.number')} and (product.id is not null or variant.id is not null)`,
}

const keyOf = ({ productId = '', variantId = '' }: LineItem): string => JSON.stringify([productId, variantId])
const isIncomplete = ({ name, productId, variantId }: LineItem): boolean =>
  (name === undefined || productId === undefined) && (productId ?? variantId) !== undefined

/** Adds products and names to the lines of orders. A line that gets a name also gets a description; a line of no product of the company stays as it is. */
export async function withLineProducts(
  database: Queryable,
  companyId: string,
  orders: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const linesOf = ({ lineItems = [] }: Sale) => lineItems
  const incomplete = orders.flatMap((order) => linesOf(order).filter(isIncomplete))
  if (incomplete.length === 0) return orders
  const lines = [...new Map(incomplete.map((line) => [keyOf(line), line])).values()]
  const rows = await database.query(sold, [
    companyId,
    lines.map(({ productId = '' }) => productId),
    lines.map(({ variantId = '' }) => variantId),
  ])
  const known = new Map(
    rows.map(([askedProduct, variantId, productId, isKnown, name, attributes]) => {
      const description = variantName(attributes)
      // A variant outlives its product: its line has the product's id, and no name.
      const shown = isKnown ? { ...(name && { name }), ...(description && { description }) } : {}
      return [keyOf({ productId: askedProduct, variantId }), { productId, shown }]
    }),
  )
  const completed = (line: LineItem): LineItem => {
    const found = isIncomplete(line) ? known.get(keyOf(line)) : undefined
    return found ? { productId: found.productId, ...(line.name === undefined && found.shown), ...line } : line
  }
  return orders.map((order) => (order.lineItems ? { ...order, lineItems: linesOf(order).map(completed) } : order))
}
