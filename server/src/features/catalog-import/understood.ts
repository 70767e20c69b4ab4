// Shows the owner of a file its column mapping: which columns are imported, and as what.
import { findColumns } from './columns.ts'
import type { CsvFile } from './csv.ts'
import { noteColumn, SHOPIFY, type ShopifyMember } from './shopify-columns.ts'
import { layoutOf } from './woocommerce.ts'
import { attributeColumns } from './woocommerce-cells.ts'
import type { WooMember } from './woocommerce-product.ts'

/** A column of the file; `as` is the member of products or variants that it becomes, absent if it is ignored. */
export interface UnderstoodColumn {
  readonly column: string
  readonly as?: string
}

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
export function wooColumns(file: CsvFile): UnderstoodColumn[] {
  const { at, others } = findColumns(file, layoutOf(file))
  const attributes = new Set(attributeColumns(others).flatMap(({ columns }) => columns))
  return inOrder(file, at, WOO_MEMBERS, (index) => (attributes.has(index) ? 'attributes' : 'metadata'))
}

/** The columns of a Shopify export. */
export function shopifyColumns(file: CsvFile): UnderstoodColumn[] {
  const { at, others } = findColumns(file, SHOPIFY)
  const noted = new Set(others.flatMap(({ at, normal }) => (noteColumn(normal) ? [at] : [])))
  return inOrder(file, at, SHOPIFY_MEMBERS, (index) => (noted.has(index) ? 'metadata' : undefined))
}

function inOrder<Member extends string>(
  { headings }: CsvFile,
  at: Partial<Record<Member, number>>,
  members: Record<Member, string>,
  other: (index: number) => string | undefined,
): UnderstoodColumn[] {
  const found = new Map((Object.keys(at) as Member[]).map((member) => [at[member], members[member]]))
  return headings.map((column, index) => {
    const as = found.get(index) ?? other(index)
    return { column, ...(as !== undefined && { as }) }
  })
}
