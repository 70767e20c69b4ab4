// Finds variants by a code that other systems know, such as a SKU: for lines of sales and for items that move stock (decision 76).

import { bodyError, Problem } from '../core/problem.ts'
import type { Queryable, Statement } from '../database/connect.ts'
import { equals, keepsPlan } from '../database/statement.ts'

/** Variants with the same code, or of the same product, that are read. */
export const SAME_CODE = 10

/** The members that may name a variant, the most certain first, and the column of variants for each. */
const codes = { variantExternalId: 'external_id', sku: 'sku', barcode: 'barcode' } as const
type VariantCode = keyof typeof codes
export const variantCodes = Object.keys(codes) as readonly VariantCode[]

/** What may name a variant by its codes; `productId` says which product it belongs to. */
type CodedItem = { readonly productId?: unknown } & { readonly [code in VariantCode]?: unknown }

/** A variant that has a code. */
interface CodedVariant {
  readonly id: string
  readonly productId: string
}

/** The variants that have a code, by code and product. */
export type VariantsByCode = ReadonlyMap<VariantCode, ReadonlyMap<string, readonly CodedVariant[]>>

const variantsWith = (column: string): Statement => ({
  name: `variants_by_${column}`,
  // As ranges, so that a kept plan uses an index (decision 68): that of the code or, since many products may have the same one, of the product.
  text: `
  select asked.key, found.id, found.product_id
  from unnest($2::text[], $3::text[], $4::text[]) with ordinality as asked(key, value, product, number)
  cross join lateral (
    (
      select stored.id, stored.product_id from variants as stored
      where asked.product = '' and stored.company_id = $1 and ${equals(`stored.${column}`, 'asked.value')}
      order by stored.${column} limit ${SAME_CODE}
    )
    union all
    (
      select stored.id, stored.product_id from variants as stored
      where asked.product <> '' and stored.company_id = $1 and ${equals('stored.product_id', 'asked.product')}
        and stored.${column} = asked.value
      order by stored.product_id limit ${SAME_CODE}
    )
  ) as found
  where ${keepsPlan('asked.number')}`,
})
const statements = Object.fromEntries(
  Object.entries(codes).map(([code, column]) => [code, variantsWith(column)]),
) as Readonly<Record<VariantCode, Statement>>

/** The variants of a company that have a code of these items: one statement for each kind of code that any has. */
export async function variantsByCode(
  database: Queryable,
  companyId: string,
  items: readonly CodedItem[],
): Promise<VariantsByCode> {
  const found = new Map<VariantCode, ReadonlyMap<string, CodedVariant[]>>()
  for (const code of variantCodes) {
    const keys = [...new Set(items.flatMap((item) => codeKey(item, code) ?? []))]
    if (keys.length === 0) continue
    const asked: string[][] = keys.map((key) => JSON.parse(key))
    const columns = [keys, asked.map(([value]) => value), asked.map(([, product]) => product)]
    const rows = await database.query(statements[code], [companyId, ...columns])
    const byKey = Map.groupBy(rows, ([key]) => key as string)
    found.set(code, new Map([...byKey].map(([key, of]) => [key, of.map(([, id, productId]) => ({ id, productId }))])))
  }
  return found
}

/** The variants that have the first code of an item that any variant has. */
export function namedVariants(
  item: CodedItem,
  found: VariantsByCode,
): { readonly code: VariantCode; readonly variants: readonly CodedVariant[] } | undefined {
  for (const [code, byKey] of found) {
    const variants = byKey.get(codeKey(item, code) ?? '')
    if (variants) return { code, variants }
  }
  return undefined
}

/** Whether an item has a code, known or not. */
export const hasCode = (item: CodedItem): boolean => variantCodes.some((code) => codeKey(item, code) !== undefined)

/** The problem of a member at `at` that names several variants. */
export function severalVariants(ids: readonly string[], at: string, what: string): Problem {
  const message = `belongs to several variants (${ids.join(', ')}); send the variantId of the one that is ${what}`
  return new Problem('conflict', `${at}: ${message}`, [bodyError(at, 'ambiguous', message)])
}

/** A code of an item and its product, or '' if it has none, as JSON. A barcode of a line is a further member, so it may be a number. */
function codeKey(item: CodedItem, code: VariantCode): string | undefined {
  const value = item[code]
  const { productId } = item
  const isCode = value !== '' && (typeof value === 'string' || typeof value === 'number')
  return isCode ? JSON.stringify([String(value), typeof productId === 'string' ? productId : '']) : undefined
}
