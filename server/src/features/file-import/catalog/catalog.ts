// The contents of a catalogue file in our own terms, so that the loader does not depend on the shop that wrote it; which
// of these terms a file sets; and how the product of one row is merged with what other rows add to it.

import type { JsonObject } from '../../../engine/record.ts'
import type { CsvFile, RefusedRow } from '../csv.ts'
import { columnsOf, type Layout, noteKey } from '../layout.ts'
import type { OutletStock } from '../locations.ts'
import { type Metadatum, presentMembers, some } from '../values.ts'

/** The members of a product that a file can set. An absent one is one that the file does not mention. */
export interface ProductMembers {
  name: string
  productType: string
  status: string
  source: string
  description?: string
  shortDescription?: string
  sku?: string
  supplier?: string
  images?: string[]
  tags?: string[]
  attributes?: { name: string; values: string[] }[]
  metadata?: Metadatum[]
  minPrice?: number
  maxPrice?: number
}

/** The members of a variant that a file can set. */
export interface VariantMembers {
  manageStock: boolean
  allowBackorder: boolean
  sku?: string
  barcode?: string
  price?: number
  salePrice?: number
  isOnSale?: boolean
  costPrice?: number
  images?: string[]
  attributes?: { name: string; value: string }[]
  metadata?: Metadatum[]
}

/** One variant, with its stock: at the outlets of the file's locations, or `stock` of a file without locations. */
export interface CatalogVariant {
  line: number
  /** Stays the same when the file is exported again: the shop's own id, else what makes it unique there. */
  externalId: string
  variant: VariantMembers
  stock?: number
  levels?: OutletStock[]
}

/** One product with its adjacent variants; each product of a file comes once. */
export interface CatalogProduct {
  line: number
  externalId: string
  product: ProductMembers
  /** Paths of names, outermost first: `[['Clothing', 'Shirts']]`. */
  categories: string[][]
  variants: CatalogVariant[]
}

/**
 * Variants and images of a product that is elsewhere in the file, perhaps further down. They are added to those of the
 * product, and its `attributes`, `minPrice` and `maxPrice` include them.
 */
export interface CatalogAddition {
  line: number
  parent: { externalId: string } | { sku: string }
  images: string[]
  variants: CatalogVariant[]
}

/**
 * The output of a reader. A product of many rows is yielded after its last row; lines are those of the file, whose
 * header is line 1.
 */
export type CatalogEntry =
  | ({ kind: 'product' } & CatalogProduct)
  | ({ kind: 'addition' } & CatalogAddition)
  | ({ kind: 'refused' } & RefusedRow)

/** What other rows of the file add to a product, kept until the product is written; after that only its id. */
export interface ProductAdditions {
  /** The external id of the product, and its id. */
  owner?: string
  productId?: string
  /** The line in which the product was refused. */
  refusedIn?: number
  /** For a product without a row in this file: the prices of the variants added to it, by id. */
  prices?: Map<string, number | undefined>
  /** The prices of that product before the file's variants were written. */
  range?: { readonly minPrice: unknown; readonly maxPrice: unknown }
  images: Set<string>
  attributes: Map<string, Set<string>>
  /** The prices that the file has for the added variants, by external id. */
  filePrices: Map<string, number | undefined>
}

export const noAdditions = (): ProductAdditions => ({
  images: new Set(),
  attributes: new Map(),
  filePrices: new Map(),
})

/** The name by which other rows refer to a product. */
export const parentKey = (parent: CatalogAddition['parent']): string =>
  'externalId' in parent ? `id:${parent.externalId}` : `sku:${parent.sku}`

/** The price that customers pay for a variant. */
export const priceOf = ({ isOnSale, salePrice, price }: { isOnSale?: unknown; salePrice?: unknown; price?: unknown }) =>
  (isOnSale ? salePrice : price) as number | undefined

/** Completes a product with its images and the members that follow from its variants. */
export function completedProduct(entry: CatalogProduct, images: string[]): CatalogProduct {
  const variants = entry.variants.map(({ variant }) => variant)
  const values = new Map<string, Set<string>>()
  for (const { name, value } of variants.flatMap(({ attributes = [] }) => attributes)) {
    values.set(name, (values.get(name) ?? new Set()).add(value))
  }
  const prices = variants.flatMap((variant) => priceOf(variant) ?? [])
  const product = presentMembers<ProductMembers>({
    ...entry.product,
    productType: values.size > 0 ? 'variable' : 'simple',
    sku: variants.length === 1 ? variants[0]?.sku : undefined,
    images: some(images),
    attributes: some([...values].map(([name, set]) => ({ name, values: [...set] }))),
    minPrice: prices.length > 0 ? Math.min(...prices) : undefined,
    maxPrice: prices.length > 0 ? Math.max(...prices) : undefined,
  })
  return { ...entry, product }
}

/** Adds a variant to the additions of a product. */
export function addVariant(own: ProductAdditions, { externalId, variant }: CatalogVariant): void {
  own.filePrices.set(externalId, priceOf(variant))
  for (const { name, value } of variant.attributes ?? []) {
    own.attributes.set(name, (own.attributes.get(name) ?? new Set()).add(value))
  }
}

/** A product with the prices of all its variants, and with its additions. */
export function withAdditions(
  product: JsonObject,
  variantPrices: readonly (number | undefined)[],
  additions: readonly ProductAdditions[],
): JsonObject {
  // Math.min cannot take this many arguments.
  let minPrice = Number.POSITIVE_INFINITY
  let maxPrice = Number.NEGATIVE_INFINITY
  for (const price of variantPrices) {
    if (price === undefined) continue
    minPrice = Math.min(minPrice, price)
    maxPrice = Math.max(maxPrice, price)
  }
  // Of variants without any price, the lowest is above the highest.
  const whole = { ...product, ...(minPrice <= maxPrice && { minPrice, maxPrice }) }
  if (additions.length === 0) return whole
  const { images = [], attributes = [] } = product as Partial<ProductMembers>
  const every = new Map(attributes.map((attribute) => [attribute.name, attribute]))
  for (const [name, values] of additions.flatMap((own) => [...own.attributes])) {
    const before = every.get(name)
    every.set(name, { ...before, name, values: [...new Set(before?.values).union(values)] })
  }
  return {
    ...whole,
    images: some([...new Set([...images, ...additions.flatMap((own) => [...own.images])])]),
    attributes: some([...every.values()]),
  }
}

/**
 * The members that a shop's files set, each with its possible columns: one is enough. An empty list means that every file
 * sets the member.
 */
export interface SettingColumns {
  readonly product: MemberColumns
  readonly variant: MemberColumns
  /** Additional members of a variant whose row is not next to its product's. */
  readonly addedVariant?: MemberColumns
}
type MemberColumns = Readonly<Record<string, readonly string[]>>

export const inEveryFile = (...members: string[]): MemberColumns =>
  Object.fromEntries(members.map((name) => [name, []]))
export const inOwnColumn = (...members: string[]): MemberColumns =>
  Object.fromEntries(members.map((name) => [name, [name]]))

/** The members that a file sets; all others keep their stored values. */
export interface SetMembers {
  readonly product: readonly string[]
  /** For a variant next to its product, and for one elsewhere. */
  readonly variant: readonly string[]
  readonly addedVariant: readonly string[]
  /** Keys of metadata: the headings. */
  readonly metadata: ReadonlySet<string>
}

/** The members that the columns of a file set. */
export function membersSetBy<Member extends string>(
  file: CsvFile,
  layout: Layout<Member>,
  { product, variant, addedVariant = {} }: SettingColumns,
): SetMembers {
  const { at, others } = columnsOf(file, layout)
  const found = new Set([...Object.keys(at), ...others.map(({ normal }) => layout.others?.(normal))])
  const set = (members: MemberColumns) =>
    Object.keys(members).filter(
      (member) => members[member]?.length === 0 || members[member]?.some((name) => found.has(name)),
    )
  return {
    product: set(product),
    variant: set(variant),
    addedVariant: set({ ...variant, ...addedVariant }),
    metadata: new Set(file.headings.map(noteKey)),
  }
}
