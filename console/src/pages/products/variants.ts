// The queries for the variants of a product, and the initial values of a new one.
import type { ListQuery, RecordData } from '../../api/records.ts'
import type { Member, Resource } from '../../api/resources.ts'
import type { Variant } from '../../api/schemas.ts'
import { sumOf } from '../../parts/decimal.ts'
import { variantTitle } from '../../parts/record-title.ts'
import { type Section, sectionsOf } from '../../parts/sections.ts'

/** In the order of their creation. */
export const variantsQuery = (productId: string): ListQuery => ({ productId, sortBy: 'createdAt', sortOrder: 'asc' })

/** A variant's stock at all outlets. */
export const stockOf = ({ inventory }: Variant): number => Number(sumOf(inventory.map(({ stock }) => stock)))

/** The usual sections of a variant, without the product, which the page already shows. */
export const variantSections = (resource: Resource): Section[] =>
  sectionsOf(resource)
    .map(({ title, members }) => ({ title, members: members.filter(({ name }: Member) => name !== 'productId') }))
    .filter(({ members }) => members.length > 0)

/** A variant by its attributes or SKU; empty if it has neither. */
export const nameOf = (values: Readonly<Record<string, unknown>>): string =>
  variantTitle(values) || String(values.sku ?? '')

/** What a new variant has in common with its product and its existing variants. */
export function beginningOf(
  product: RecordData | undefined,
  last: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> {
  const price = last?.price ?? product?.minPrice
  return { ...(typeof price === 'number' && { price }), manageStock: last?.manageStock ?? true }
}

/** The initial values of a duplicate: what users enter, but nothing unique to one variant. */
export function copyOf(variant: RecordData, { members }: Resource): Readonly<Record<string, unknown>> {
  const own = new Set(['sku', 'barcode', 'externalId', 'inventory', 'productId'])
  return Object.fromEntries(
    members.flatMap(({ name, isServerOwned }) =>
      isServerOwned || own.has(name) || variant[name] === undefined ? [] : [[name, variant[name]]],
    ),
  )
}
