// The shops whose exports can be imported: how their files are read, and which of our members they set.
import { OperatorError } from '../../core/operator-error.ts'
import type { CatalogEntry } from './catalog.ts'
import { beginning, findColumns, normalHeading, noteKey, SIGNS_ENOUGH, signs } from './columns.ts'
import type { CsvFile } from './csv.ts'
import { cannotImport, otherExport } from './other-shops.ts'
import { readShopify } from './shopify.ts'
import { SHOPIFY } from './shopify-columns.ts'
import { shopifyColumns, type UnderstoodColumn, wooColumns } from './understood.ts'
import { layoutOf, readWooCommerce } from './woocommerce.ts'

/** The members that a file has columns for; the stored values of all others stay. */
export interface Spoken {
  readonly product: readonly string[]
  /** For a variant next to its product, and for one elsewhere. */
  readonly variant: readonly string[]
  readonly addedVariant: readonly string[]
  /** Keys of metadata: the headings. */
  readonly metadata: ReadonlySet<string>
}

/** A shop whose export can be imported. */
export interface Shop {
  /** The `source` of its records. */
  readonly source: string
  readonly read: (file: CsvFile) => AsyncGenerator<CatalogEntry>
  /** Throws an OperatorError if the file is another shop's. */
  readonly spoken: (file: CsvFile) => Spoken
  readonly understood: (file: CsvFile) => UnderstoodColumn[]
}

const woocommerce: Shop = {
  source: 'woo-commerce',
  read: readWooCommerce,
  understood: wooColumns,
  spoken(file) {
    const { at, others } = findColumns(file, layoutOf(file))
    const attributes = others.find(({ normal }) => /^attribute \d+ name$/.test(normal))?.at
    const columns = { ...at, attributes }
    const variant = spokenOf(columns, {
      ...inEveryFile(['price']),
      ...inOwnColumn(['sku', 'barcode', 'salePrice']),
      manageStock: ['stock'],
      allowBackorder: ['backorders'],
      isOnSale: ['salePrice'],
      costPrice: ['cost'],
    })
    const product = spokenOf(columns, {
      ...inEveryFile(['name', 'source']),
      ...inOwnColumn(['description', 'shortDescription', 'sku', 'images', 'tags', 'categories', 'attributes']),
      productType: ['type'],
      status: ['published'],
      supplier: ['brands'],
    })
    // The images and attributes in the row of a product without variations are the product's.
    const addedVariant = [...variant, ...spokenOf(columns, inOwnColumn(['images', 'attributes']))]
    return { product, variant, addedVariant, metadata: headings(file) }
  },
}

const shopify: Shop = {
  source: 'shopify',
  read: readShopify,
  understood: shopifyColumns,
  spoken(file) {
    const { at } = findColumns(file, SHOPIFY)
    const product = spokenOf(at, {
      ...inEveryFile(['name', 'source']),
      ...inOwnColumn(['description', 'sku', 'tags']),
      productType: ['option1Value'],
      attributes: ['option1Value'],
      status: ['status', 'published'],
      supplier: ['vendor'],
      images: ['image'],
      categories: ['type', 'taxonomy', 'collection'],
    })
    const variant = spokenOf(at, {
      ...inEveryFile(['price']),
      ...inOwnColumn(['sku', 'barcode']),
      manageStock: ['tracker', 'stock'],
      allowBackorder: ['policy'],
      salePrice: ['compareAtPrice'],
      isOnSale: ['compareAtPrice'],
      costPrice: ['cost'],
      images: ['variantImage'],
      attributes: ['option1Value'],
    })
    return { product, variant, addedVariant: variant, metadata: headings(file) }
  },
}

/** The shops by their names on the command line. */
export const shops = { woocommerce, shopify }
export type ShopName = keyof typeof shops
export const shopNames = Object.keys(shops) as ShopName[]

/** The shop of a file, by its header; or the named one. Throws an OperatorError if the file is not that shop's. */
export function shopOf(file: CsvFile, named?: ShopName): ShopName {
  const [woo, other] = [signs(file, 'WooCommerce'), signs(file, 'Shopify')]
  const likely = named ?? (other > woo ? 'shopify' : 'woocommerce')
  try {
    shops[likely].spoken(file)
    return likely
  } catch (error) {
    if (named !== undefined || !(error instanceof OperatorError)) throw error
    const foreign = otherExport(file.headings.map(normalHeading))
    if (foreign !== undefined) throw new OperatorError(cannotImport(file, foreign))
    throw Math.max(woo, other) < SIGNS_ENOUGH
      ? new OperatorError(`${file.name} is not an English product export of WooCommerce or Shopify. ${beginning(file)}`)
      : error
  }
}

type ColumnsOf = Record<string, readonly string[]>

const inEveryFile = (members: readonly string[]): ColumnsOf => Object.fromEntries(members.map((name) => [name, []]))
const inOwnColumn = (members: readonly string[]): ColumnsOf => Object.fromEntries(members.map((name) => [name, [name]]))

/** The members that need no column, and those with a column in this file. */
function spokenOf(at: Record<string, number | undefined>, columnsOf: ColumnsOf): string[] {
  const spoken = Object.entries(columnsOf).filter(
    ([, columns]) => columns.length === 0 || columns.some((column) => at[column] !== undefined),
  )
  return spoken.map(([member]) => member)
}

const headings = (file: CsvFile): Set<string> => new Set(file.headings.map(noteKey))
