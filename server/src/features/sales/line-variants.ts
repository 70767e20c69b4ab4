// The variant of a line of a sale that names it by a code, such as its SKU, or only its product: only a variant has stock (decisions 76, 77).

import { mapInSlices } from '../../concurrency/time-slices.ts'
import { bodyError, invalid, Problem, stepTo } from '../../core/problem.ts'
import type { Queryable, Statement } from '../../database/connect.ts'
import { keepsPlan } from '../../database/statement.ts'
import type { JsonObject } from '../../engine/record.ts'
import {
  hasCode,
  namedVariants,
  SAME_CODE,
  severalVariants,
  type VariantsByCode,
  variantsByCode,
} from '../../resources/variant-codes.ts'
import { misnamed } from './amounts/misnamed.ts'
import type { LineItem, Sale } from './amounts/sale.ts'

/** Variants of products, those whose stock is counted first. */
const variantsOfProducts: Statement = {
  name: 'sales_variants_by_product',
  text: `
  select asked.product, found.id, found.is_managed
  from unnest($2::text[]) with ordinality as asked(product, number)
  cross join lateral (
    select stored.id, coalesce(stored.body ->> 'manageStock', '') = 'true' as is_managed from variants as stored
    where stored.company_id = $1 and stored.product_id >= asked.product and stored.product_id <= asked.product
    order by stored.product_id, is_managed desc limit ${SAME_CODE}
  ) as found
  where ${keepsPlan('asked.number')}`,
}

/** The ids of the variants of products. */
type VariantsOfProducts = ReadonlyMap<string, readonly string[]>

/** A sale whose lines are to be completed; `at` is its pointer in the request. */
interface SentSale {
  readonly order: JsonObject
  readonly at: string
}

/**
 * Adds the variant to each line that has none, but a code that one variant of the company has, or no code and a product with one
 * variant. A problem if several have it, or if a line has the id of a variant under another name. A line whose code no variant has stays as it is: it has no stock.
 */
export async function withLineVariants(
  database: Queryable,
  companyId: string,
  sales: readonly SentSale[],
): Promise<readonly (JsonObject | Problem)[]> {
  const unnamed = sales.flatMap(({ order }) => linesOf(order).filter(({ variantId }) => variantId === undefined))
  const found = await variantsByCode(database, companyId, unnamed)
  const ofProducts = await productVariants(database, companyId, unnamed)
  return mapInSlices(sales, companyId, ({ order, at }) => {
    if (!linesOf(order).some(({ variantId }) => variantId === undefined)) return order
    const lines = linesOf(order).map((line, n) => completed(line, `${at}/lineItems/${n}`, found, ofProducts))
    return lines.find((line) => line instanceof Problem) ?? { ...order, lineItems: lines }
  })
}

const linesOf = ({ lineItems = [] }: Sale): readonly LineItem[] => lineItems

/** The variants of the products of lines that have no code: the only one, or several of which some have stock. */
async function productVariants(
  database: Queryable,
  companyId: string,
  unnamed: readonly LineItem[],
): Promise<VariantsOfProducts> {
  const products = new Set(unnamed.filter((line) => !hasCode(line)).flatMap(({ productId }) => productId ?? []))
  if (products.size === 0) return new Map()
  const rows = await database.query(variantsOfProducts, [companyId, [...products]])
  const byProduct = Map.groupBy(rows, ([product]) => product as string)
  // Which of several variants is meant does not matter where none has stock.
  const meant = [...byProduct].filter(([, of]) => of.length === 1 || of.some(([, , isManaged]) => isManaged))
  return new Map(meant.map(([product, of]) => [product, of.map(([, id]) => id as string)]))
}

function completed(
  line: LineItem,
  at: string,
  found: VariantsByCode,
  ofProducts: VariantsOfProducts,
): LineItem | Problem {
  if (line.variantId !== undefined) return line
  const named = namedVariants(line, found)
  if (named)
    return withVariant(
      line,
      named.variants.map(({ id }) => id),
      `${at}/${named.code}`,
    )
  const misnamed = misnamedId(line, at)
  if (misnamed) return misnamed
  const ids = hasCode(line) ? undefined : ofProducts.get(line.productId ?? '')
  return ids ? withVariant(line, ids, `${at}/productId`) : line
}

/** The line with the only variant that the member at `at` names. A problem if the member names several. */
function withVariant(line: LineItem, ids: readonly string[], at: string): LineItem | Problem {
  const [only, another] = ids
  return another ? severalVariants(ids, at, 'sold') : { ...line, variantId: only as string }
}

/** The problem of an id under another name: no stock would move. Beside an external id, it is of that system. */
function misnamedId(line: LineItem, at: string): Problem | undefined {
  // Other systems send zero, also as a text, for a product without variants.
  const isSent = (value: unknown) => Boolean(value) && value !== '0'
  for (const name of ['variantId', 'productId'] as const) {
    const external = name === 'variantId' ? line.variantExternalId : line.productExternalId
    const member = line[name] || external ? undefined : misnamed(line, name, isSent)
    const message = `is not known here, so the line would be sold without its stock; did you mean ${name}?`
    if (member !== undefined) return invalid([bodyError(stepTo(member, at), 'unknown', message)])
  }
  return undefined
}
