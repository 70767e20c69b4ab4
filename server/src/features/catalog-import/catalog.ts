// What a catalogue file means in our own terms, so that the loader need not know which shop wrote it.

/** A further fact about a record, as the API keeps it. */
export interface Metadatum {
  key: string
  value: string
}

/** The members of a product that a file can give. One that is absent is one that the file says nothing about. */
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

/** The members of a variant that a file can give. */
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

/** One variant, with what is on hand of it; no `stock` means that the file does not say. */
export interface CatalogVariant {
  line: number
  /** What stays the same when the file is exported anew: the shop's own id, else what makes it unique there. */
  externalId: string
  variant: VariantMembers
  stock?: number
}

/** One product with the variants that stand beside it; each product of a file comes once. */
export interface CatalogProduct {
  line: number
  externalId: string
  product: ProductMembers
  /** Paths of names, outermost first: `[['Clothing', 'Shirts']]`. */
  categories: string[][]
  variants: CatalogVariant[]
}

/**
 * Variants and images of a product that stands elsewhere in the file, perhaps further down. They count besides those of the
 * product, and for its `attributes`, `minPrice` and `maxPrice`.
 */
export interface CatalogAddition {
  line: number
  parent: { externalId: string } | { sku: string }
  images: string[]
  variants: CatalogVariant[]
}

/** A row that could not be kept whole, and why, for the owner of the shop. */
export interface RefusedRow {
  line: number
  reason: string
  column?: string
}

/** What a reader yields. A product of many rows comes after its last one; lines are those of the file, its header is line 1. */
export type CatalogEntry =
  | ({ kind: 'product' } & CatalogProduct)
  | ({ kind: 'addition' } & CatalogAddition)
  | ({ kind: 'refused' } & RefusedRow)
