// The variant of a line of a sale that names it by a code, such as its SKU, or only its product: only a variant has stock (decisions 76, 77).

import { mapInSlices } from '../../concurrency/time-slices.ts'
import { bodyError, invalid, Problem, stepTo } from '../../core/problem.ts'
import type { Queryable, Statement } from '../../database/connect.ts'
import { keepsPlan } from '../../database/statement.ts'
import type { JsonObject } from '../../engine/record.ts'
import { misnamed } from './misnamed.ts'
import type { LineItem, Sale } from './sale.ts'

/** Variants with the same code, or of the same product, that are read. */
const SAME_CODE = 10

/** The members of a line that may name its variant, the most certain first, and the column of variants for each. */
const codes = { variantExternalId: 'external_id', sku: 'sku', barcode: 'barcode' } as const
type Code = keyof typeof codes

const variantsWith = (column: string): Statement => ({
  name: `sales_variants_by_${column}`,
  // As ranges, so that a kept plan uses an index (decision 68): that of the code or, since many products may have the same one, of the product.
  text: `
  select asked.key, found.id
  from unnest($2::text[], $3::text[], $4::text[]) with ordinality as asked(key, value, product, number)
  cross join lateral (
    (
      select stored.id from variants as stored
      where asked.product = '' and stored.company_id = $1 and stored.${column} >= asked.value and stored.${column} <= asked.value
      order by stored.${column} limit ${SAME_CODE}
    )
    union all
    (
      select stored.id from variants as stored
      where asked.product <> '' and stored.company_id = $1 and stored.product_id >= asked.product and stored.product_id <= asked.product
        and stored.${column} = asked.value
      order by stored.product_id limit ${SAME_CODE}
    )
  ) as found
  where ${keepsPlan('asked.number')}`,
})
const statements = Object.fromEntries(
  Object.entries(codes).map(([code, column]) => [code, variantsWith(column)]),
) as Readonly<Record<Code, Statement>>

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

/** The ids of variants, by code and product, or by product. */
type FoundVariants = ReadonlyMap<string, readonly string[]>

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
  const found = new Map<Code, FoundVariants>()
  for (const code of Object.keys(codes) as Code[]) {
    const keys = [...new Set(unnamed.flatMap((line) => keyOf(line, code) ?? []))]
    if (keys.length === 0) continue
    const asked: string[][] = keys.map((key) => JSON.parse(key))
    const columns = [keys, asked.map(([value]) => value), asked.map(([, product]) => product)]
    const rows = await database.query(statements[code], [companyId, ...columns])
    const byKey = Map.groupBy(rows, ([key]) => key as string)
    found.set(code, new Map([...byKey].map(([key, of]) => [key, of.map(([, id]) => id as string)])))
  }
  const ofProducts = await productVariants(database, companyId, unnamed)
  return mapInSlices(sales, companyId, ({ order, at }) => {
    if (!linesOf(order).some(({ variantId }) => variantId === undefined)) return order
    const lines = linesOf(order).map((line, n) => completed(line, `${at}/lineItems/${n}`, found, ofProducts))
    return lines.find((line) => line instanceof Problem) ?? { ...order, lineItems: lines }
  })
}

const linesOf = ({ lineItems = [] }: Sale): readonly LineItem[] => lineItems

/** A code of a line and its product, or '' if it has none, as JSON. A barcode is a further member, so it may be a number. */
function keyOf(line: LineItem, code: Code): string | undefined {
  const value = (line as JsonObject)[code]
  const isCode = value !== '' && (typeof value === 'string' || typeof value === 'number')
  return isCode ? JSON.stringify([String(value), line.productId ?? '']) : undefined
}

/** Whether only the product of a line says which variant it is. */
const hasOnlyProduct = (line: LineItem): boolean =>
  Object.keys(codes).every((code) => keyOf(line, code as Code) === undefined)

/** The variants of the products of lines that have no code: the only one, or several of which some have stock. */
async function productVariants(
  database: Queryable,
  companyId: string,
  unnamed: readonly LineItem[],
): Promise<FoundVariants> {
  const products = new Set(unnamed.filter(hasOnlyProduct).flatMap(({ productId }) => productId ?? []))
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
  found: ReadonlyMap<Code, FoundVariants>,
  ofProducts: FoundVariants,
): LineItem | Problem {
  if (line.variantId !== undefined) return line
  for (const [code, byKey] of found) {
    const ids = byKey.get(keyOf(line, code) ?? '')
    if (ids) return withVariant(line, ids, at, code)
  }
  const misnamed = misnamedId(line, at)
  if (misnamed) return misnamed
  const ids = hasOnlyProduct(line) ? ofProducts.get(line.productId ?? '') : undefined
  return ids ? withVariant(line, ids, at, 'productId') : line
}

/** The line with the only variant that a member of it names. A problem if the member names several. */
function withVariant(line: LineItem, ids: readonly string[], at: string, member: string): LineItem | Problem {
  const [only, another] = ids
  if (!another) return { ...line, variantId: only as string }
  const message = `is that of several variants (${ids.join(', ')}); send the variantId of the one that is sold`
  return new Problem('conflict', `${at}/${member}: ${message}`, [bodyError(`${at}/${member}`, 'ambiguous', message)])
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
