// The variant of a line of a sale that names it by a code, such as its SKU, and no id: only a variant has stock (decision 76).

import { mapInSlices } from '../../concurrency/time-slices.ts'
import { bodyError, invalid, Problem, stepTo } from '../../core/problem.ts'
import type { Queryable, Statement } from '../../database/connect.ts'
import { keepsPlan } from '../../database/statement.ts'
import type { JsonObject } from '../../engine/record.ts'
import { misnamed } from './misnamed.ts'
import type { LineItem, Sale } from './sale.ts'

/** Variants with the same code that are read: of several, only those of the line's product count. */
const SAME_CODE = 10

/** The members of a line that may name its variant, the most certain first, and the column of variants for each. */
const codes = { variantExternalId: 'external_id', sku: 'sku', barcode: 'barcode' } as const
type Code = keyof typeof codes

const variantsWith = (column: string): Statement => ({
  name: `sales_variants_by_${column}`,
  // As a range, so that a kept plan uses the index (decision 68).
  text: `
  select asked.value, found.id, found.product_id
  from unnest($2::text[]) with ordinality as asked(value, number)
  cross join lateral (
    select stored.id, stored.product_id from variants as stored
    where stored.company_id = $1 and stored.${column} >= asked.value and stored.${column} <= asked.value
    order by stored.${column} limit ${SAME_CODE}
  ) as found
  where ${keepsPlan('asked.number')}`,
})
const statements = Object.fromEntries(
  Object.entries(codes).map(([code, column]) => [code, variantsWith(column)]),
) as Readonly<Record<Code, Statement>>

interface FoundVariant {
  readonly id: string
  readonly productId: string
}

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
  const found = new Map<Code, Map<string, FoundVariant[]>>()
  for (const code of Object.keys(codes) as Code[]) {
    const values = [...new Set(unnamed.flatMap((line) => codeIn(line, code) ?? []))]
    if (values.length === 0) continue
    const rows = await database.query(statements[code], [companyId, values])
    const byValue = Map.groupBy(rows, ([value]) => value as string)
    found.set(
      code,
      new Map([...byValue].map(([value, of]) => [value, of.map(([, id, productId]) => ({ id, productId }))])),
    )
  }
  return mapInSlices(sales, companyId, ({ order, at }) => {
    if (!linesOf(order).some(({ variantId }) => variantId === undefined)) return order
    const lines = linesOf(order).map((line, n) => completed(line, `${at}/lineItems/${n}`, found))
    return lines.find((line) => line instanceof Problem) ?? { ...order, lineItems: lines }
  })
}

const linesOf = ({ lineItems = [] }: Sale): readonly LineItem[] => lineItems

/** A code of a line. A barcode is a further member, so it may be a number. */
function codeIn(line: LineItem, code: Code): string | undefined {
  const value = (line as JsonObject)[code]
  return value === '' || (typeof value !== 'string' && typeof value !== 'number') ? undefined : String(value)
}

function completed(
  line: LineItem,
  at: string,
  found: ReadonlyMap<Code, ReadonlyMap<string, readonly FoundVariant[]>>,
): LineItem | Problem {
  if (line.variantId !== undefined) return line
  for (const [code, byValue] of found) {
    const all = byValue.get(codeIn(line, code) ?? '') ?? []
    const own = all.filter(({ productId }) => line.productId === undefined || line.productId === productId)
    const [first, another] = own
    if (another) {
      const ids = own.map(({ id }) => id).join(', ')
      const message = `is that of several variants (${ids}); send the variantId of the one that is sold`
      return new Problem('conflict', `${at}/${code}: ${message}`, [bodyError(`${at}/${code}`, 'ambiguous', message)])
    }
    if (first) return { ...line, variantId: first.id }
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
