// The shops whose exports can be imported: how their files are read, which of our members they set, and the column
// mapping that the owner of a file is shown.

import { OperatorError } from '../../../core/operator-error.ts'
import {
  beginning,
  cannotImport,
  findColumns,
  normalHeading,
  noteKey,
  otherExport,
  SIGNS_ENOUGH,
  signs,
} from '../columns.ts'
import type { CsvFile } from '../csv.ts'
import type { MappedColumn } from '../load.ts'
import type { CatalogEntry } from './catalog.ts'
import { readShopify } from './shopify.ts'
import { noteColumn, SHOPIFY, type ShopifyMember } from './shopify-product.ts'
import { layoutOf, readWooCommerce } from './woocommerce.ts'
import { attributeColumns, type WooMember } from './woocommerce-product.ts'

const WOO_MEMBERS: Record<WooMember, string> = {
  id: 'externalId',
  sku: 'sku',
  name: 'name',
  price: 'price',
  salePrice: 'salePrice',
  type: 'productType',
  parent: 'productId',
  published: 'status',
  shortDescription: 'shortDescription',
  description: 'description',
  saleStarts: 'isOnSale',
  saleEnds: 'isOnSale',
  stock: 'stock',
  backorders: 'allowBackorder',
  barcode: 'barcode',
  cost: 'costPrice',
  categories: 'categories',
  tags: 'tags',
  brands: 'supplier',
  images: 'images',
}

const SHOPIFY_MEMBERS: Record<ShopifyMember, string> = {
  handle: 'externalId',
  title: 'name',
  price: 'price',
  description: 'description',
  vendor: 'supplier',
  type: 'categories',
  taxonomy: 'categories',
  collection: 'categories',
  tags: 'tags',
  published: 'status',
  status: 'status',
  option1Name: 'attributes',
  option1Value: 'attributes',
  option2Name: 'attributes',
  option2Value: 'attributes',
  option3Name: 'attributes',
  option3Value: 'attributes',
  sku: 'sku',
  barcode: 'barcode',
  compareAtPrice: 'salePrice',
  cost: 'costPrice',
  tracker: 'manageStock',
  stock: 'stock',
  policy: 'allowBackorder',
  image: 'images',
  imagePosition: 'images',
  variantImage: 'images',
}

/** The columns of a WooCommerce export: those without a member of ours are kept as metadata. */
function wooColumns(file: CsvFile): MappedColumn[] {
  const { at, others } = findColumns(file, layoutOf(file))
  const attributes = new Set(attributeColumns(others).flatMap(({ columns }) => columns))
  return inOrder(file, at, WOO_MEMBERS, (index) => (attributes.has(index) ? 'attributes' : 'metadata'))
}

/** The columns of a Shopify export. */
function shopifyColumns(file: CsvFile): MappedColumn[] {
  const { at, others } = findColumns(file, SHOPIFY)
  const noted = new Set(others.flatMap(({ at, normal }) => (noteColumn(normal) ? [at] : [])))
  return inOrder(file, at, SHOPIFY_MEMBERS, (index) => (noted.has(index) ? 'metadata' : undefined))
}

export function inOrder<Member extends string>(
  { headings }: CsvFile,
  at: Partial<Record<Member, number>>,
  members: Record<Member, string>,
  other: (index: number) => string | undefined,
): MappedColumn[] {
  const found = new Map((Object.keys(at) as Member[]).map((member) => [at[member], members[member]]))
  return headings.map((column, index) => {
    const as = found.get(index) ?? other(index)
    return { column, ...(as !== undefined && { as }) }
  })
}

/** The members that a file has columns for; the stored values of all others stay. */
export interface SetMembers {
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
  readonly membersSet: (file: CsvFile) => SetMembers
  readonly columnMapping: (file: CsvFile) => MappedColumn[]
}

const woocommerce: Shop = {
  source: 'woo-commerce',
  read: readWooCommerce,
  columnMapping: wooColumns,
  membersSet(file) {
    const { at, others } = findColumns(file, layoutOf(file))
    const attributes = others.find(({ normal }) => /^attribute \d+ name$/.test(normal))?.at
    const columns = { ...at, attributes }
    const variant = membersWithColumns(columns, {
      ...inEveryFile(['price']),
      ...inOwnColumn(['sku', 'barcode', 'salePrice']),
      manageStock: ['stock'],
      allowBackorder: ['backorders'],
      isOnSale: ['salePrice'],
      costPrice: ['cost'],
    })
    const product = membersWithColumns(columns, {
      ...inEveryFile(['name', 'source']),
      ...inOwnColumn(['description', 'shortDescription', 'sku', 'images', 'tags', 'categories', 'attributes']),
      productType: ['type'],
      status: ['published'],
      supplier: ['brands'],
    })
    // The images and attributes in the row of a product without variations are the product's.
    const addedVariant = [...variant, ...membersWithColumns(columns, inOwnColumn(['images', 'attributes']))]
    return { product, variant, addedVariant, metadata: headings(file) }
  },
}

const shopify: Shop = {
  source: 'shopify',
  read: readShopify,
  columnMapping: shopifyColumns,
  membersSet(file) {
    const { at } = findColumns(file, SHOPIFY)
    const product = membersWithColumns(at, {
      ...inEveryFile(['name', 'source']),
      ...inOwnColumn(['description', 'sku', 'tags']),
      productType: ['option1Value'],
      attributes: ['option1Value'],
      status: ['status', 'published'],
      supplier: ['vendor'],
      images: ['image'],
      categories: ['type', 'taxonomy', 'collection'],
    })
    const variant = membersWithColumns(at, {
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
export type CatalogShop = keyof typeof shops

/**
 * The shop of a catalogue, by its header; or the named one. Throws an OperatorError if the file is not that shop's, with
 * `advice` on files that no shop exported.
 */
export function shopOf(file: CsvFile, named?: CatalogShop, advice = ''): CatalogShop {
  const [woo, other] = [signs(file, 'WooCommerce'), signs(file, 'Shopify')]
  const likely = named ?? (other > woo ? 'shopify' : 'woocommerce')
  try {
    shops[likely].membersSet(file)
    return likely
  } catch (error) {
    if (named !== undefined || !(error instanceof OperatorError)) throw error
    const foreign = otherExport(file.headings.map(normalHeading))
    if (foreign !== undefined) throw new OperatorError(cannotImport(file, foreign))
    throw Math.max(woo, other) < SIGNS_ENOUGH
      ? new OperatorError(
          `${file.name} is not an English product export of WooCommerce or Shopify, nor a known file of customers or orders. ${beginning(file)} ${advice}`.trimEnd(),
        )
      : error
  }
}

type ColumnsOf = Record<string, readonly string[]>

const inEveryFile = (members: readonly string[]): ColumnsOf => Object.fromEntries(members.map((name) => [name, []]))
const inOwnColumn = (members: readonly string[]): ColumnsOf => Object.fromEntries(members.map((name) => [name, [name]]))

/** The members that need no column, and those with a column in this file. */
function membersWithColumns(at: Record<string, number | undefined>, columnsOf: ColumnsOf): string[] {
  const spoken = Object.entries(columnsOf).filter(
    ([, columns]) => columns.length === 0 || columns.some((column) => at[column] !== undefined),
  )
  return spoken.map(([member]) => member)
}

const headings = (file: CsvFile): Set<string> => new Set(file.headings.map(noteKey))
