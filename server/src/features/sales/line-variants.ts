// The variant of a line of a sale that names it by a code, such as its SKU, and no id: only a variant has stock (decision 76).

import { mapInSlices } from '../../concurrency/time-slices.ts'
import { bodyError, invalid, Problem, stepTo } from '../../core/problem.ts'
import type { Queryable, Statement } from '../../database/connect.ts'
import { keepsPlan } from '../../database/statement.ts'
import type { JsonObject } from '../../engine/record.ts'
import { misnamed } from './misnamed.ts'
import type { LineItem, Sale } from './sale.ts'

/** Variants with the same code that are read. */
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

/** The ids of variants, by code and product. */
type FoundVariants = ReadonlyMap<string, readonly string[]>

/** A sale whose lines are to be completed; `at` is its pointer in the request. */
interface SentSale {
  readonly order: JsonObject
  readonly at: string
}

/**
 * Adds the variant to each line that has none, but a code that one variant of the company has. A problem if several have it, or
 * if a line has the id of a variant under another name. A line whose code no variant has stays as it is: it has no stock.
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
  return mapInSlices(sales, companyId, ({ order, at }) => {
    if (!linesOf(order).some(({ variantId }) => variantId === undefined)) return order
    const lines = linesOf(order).map((line, n) => completed(line, `${at}/lineItems/${n}`, found))
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

function completed(line: LineItem, at: string, found: ReadonlyMap<Code, FoundVariants>): LineItem | Problem {
  if (line.variantId !== undefined) return line
  for (const [code, byKey] of found) {
    const ids = byKey.get(keyOf(line, code) ?? '') ?? []
    const [first, another] = ids
    if (another) {
      const message = `is that of several variants (${ids.join(', ')}); send the variantId of the one that is sold`
      return new Problem('conflict', `${at}/${code}: ${message}`, [bodyError(`${at}/${code}`, 'ambiguous', message)])
    }
    if (first) return { ...line, variantId: first }
  }
  return misnamedId(line, at) ?? line
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
