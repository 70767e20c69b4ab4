// Completes the lines of a sale from the present catalogue: with the product of a variant, the product's name, what
// distinguishes the variant, and its current price (decision 79).

import { currencyDigits } from '../../core/currency.ts'
import { amountText, decimalText, exact, rounded } from '../../core/exact.ts'
import type { Queryable, Statement } from '../../database/connect.ts'
import { keepsPlan, unseenCompany } from '../../database/statement.ts'
import { variantName } from '../../resources/variant.ts'
import { misnamedPrice } from './amounts/misnamed.ts'
import type { LineItem, Sale } from './amounts/sale.ts'

/** Characters of a variant's attributes that describe a line; longer ones are left out. */
const ATTRIBUTES_CHARACTERS = 500

const sold: Statement = {
  name: 'sales_line_products',
  text: `
  select asked.product_id, asked.variant_id, coalesce(product.id, variant.product_id), product.id is not null, product.name,
    case when length(variant.body ->> 'attributes') <= ${ATTRIBUTES_CHARACTERS} then variant.body ->> 'attributes' end,
    case when variant.body ->> 'isOnSale' = 'true' then variant.body ->> 'salePrice' else variant.body ->> 'price' end
  from unnest($2::text[], $3::text[]) with ordinality as asked(product_id, variant_id, number)
  left join variants as variant on variant.company_id = ${unseenCompany} and variant.id = asked.variant_id
    and asked.product_id in ('', variant.product_id)
  left join products as product on product.company_id = ${unseenCompany} and product.id = coalesce(nullif(asked.product_id, ''), variant.product_id)
  where ${keepsPlan('asked.number')} and (product.id is not null or variant.id is not null)`,
}

const keyOf = ({ productId = '', variantId = '' }: LineItem): string => JSON.stringify([productId, variantId])
/**
 * Whether a line needs the price of its variant. Goods that come back have the price at which they are taken back, and a sale with a total is stored
 * as its till computed it. A line with a price under another name is refused: the customer may have agreed to that price.
 */
function lacksPrice(line: LineItem, { summary }: Sale): boolean {
  const { variantId, price, subTotal, total, quantity = 1 } = line
  const isUnpriced = (price ?? subTotal ?? total ?? summary?.total) === undefined
  return isUnpriced && variantId !== undefined && quantity >= 0 && misnamedPrice(line) === undefined
}
const lacksName = ({ name, productId, variantId }: LineItem): boolean =>
  (name === undefined || productId === undefined) && (productId ?? variantId) !== undefined

/** The decimals that a price can have. */
const PRICE_DECIMALS = 6
/** A price as a decimal string, rounded to its decimals: programs compute prices such as 23.788099999999996. None if a line cannot have it. */
function decimalOf(price: string | null, currency: string | undefined): { price?: string } {
  const text = price === null ? '' : amountText(rounded(exact(price), PRICE_DECIMALS), PRICE_DECIMALS)
  return /^\d{1,15}\./.test(text) ? { price: decimalText(text, currencyDigits(currency)) } : {}
}

/** Completes the lines of an order, with prices if `currency` is given: that of the company, in which its variants have theirs. */
type LineCompletion = <T extends Sale>(order: T, currency?: string) => T

/**
 * Reads what adds products, names and prices to the lines of orders. A line that gets a name also gets a description; a line of no product of the
 * company gets nothing.
 */
export async function lineCompletion(
  database: Queryable,
  companyId: string,
  orders: readonly Sale[],
): Promise<LineCompletion> {
  const isIncomplete = (order: Sale) => (line: LineItem) => lacksName(line) || lacksPrice(line, order)
  const incomplete = orders.flatMap((order) => (order.lineItems ?? []).filter(isIncomplete(order)))
  if (incomplete.length === 0) return (order) => order
  const lines = [...new Map(incomplete.map((line) => [keyOf(line), line])).values()]
  const rows = await database.query(sold, [
    companyId,
    lines.map(({ productId = '' }) => productId),
    lines.map(({ variantId = '' }) => variantId),
  ])
  const known = new Map(
    rows.map(([askedProduct, variantId, productId, isKnown, name, attributes, price]) => {
      const description = variantName(attributes)
      // A variant outlives its product: its line has the product's id, and no name.
      const shown = isKnown ? { ...(name && { name }), ...(description && { description }) } : {}
      return [keyOf({ productId: askedProduct, variantId }), { productId, shown, price }]
    }),
  )
  return (order, currency) => {
    const isPriced = currency !== undefined && (order.currency ?? currency) === currency
    const completed = (line: LineItem): LineItem => {
      const found = isIncomplete(order)(line) ? known.get(keyOf(line)) : undefined
      if (found === undefined) return line
      const price = isPriced && lacksPrice(line, order) ? decimalOf(found.price, currency) : {}
      return { productId: found.productId, ...(line.name === undefined && found.shown), ...price, ...line }
    }
    return order.lineItems ? { ...order, lineItems: order.lineItems.map(completed) } : order
  }
}
