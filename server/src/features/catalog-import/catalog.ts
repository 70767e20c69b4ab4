// The contents of a catalogue file in our own terms, so that the loader does not depend on the shop that wrote it.

/** An additional fact about a record, as the API stores it. */
export interface Metadatum {
  key: string
  value: string
}

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

/** One variant, with its stock; no `stock` means that the file does not mention it. */
export interface CatalogVariant {
  line: number
  /** Stays the same when the file is exported again: the shop's own id, else what makes it unique there. */
  externalId: string
  variant: VariantMembers
  stock?: number
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
 * product, and count for its `attributes`, `minPrice` and `maxPrice`.
 */
export interface CatalogAddition {
  line: number
  parent: { externalId: string } | { sku: string }
  images: string[]
  variants: CatalogVariant[]
}

/** A row that could not be imported completely, and the reason for the shop's owner. */
export interface RefusedRow {
  line: number
  reason: string
  column?: string
}

/**
 * The output of a reader. A product of many rows comes after its last one; lines are those of the file, whose header is
 * line 1.
 */
export type CatalogEntry =
  | ({ kind: 'product' } & CatalogProduct)
  | ({ kind: 'addition' } & CatalogAddition)
  | ({ kind: 'refused' } & RefusedRow)
