// The columns of Shopify's product export, in its older and its newer headings, and their default values.

import type { Layout } from '../layout.ts'
import { inEveryFile, inOwnColumn, type SettingColumns } from './catalog.ts'

const HEADINGS = {
  handle: ['Handle', 'URL Handle'],
  title: ['Title'],
  price: ['Variant Price', 'Price'],
  description: ['Body (HTML)', 'Body HTML', 'Description'],
  vendor: ['Vendor'],
  type: ['Type', 'Custom Product Type'],
  taxonomy: ['Product Category', 'Standard Product Type', 'Standardized Product Type'],
  collection: ['Collection'],
  tags: ['Tags'],
  published: ['Published', 'Published on Online Store'],
  status: ['Status'],
  option1Name: ['Option1 Name'],
  option1Value: ['Option1 Value'],
  option2Name: ['Option2 Name'],
  option2Value: ['Option2 Value'],
  option3Name: ['Option3 Name'],
  option3Value: ['Option3 Value'],
  sku: ['Variant SKU', 'SKU'],
  barcode: ['Variant Barcode', 'Barcode'],
  compareAtPrice: ['Variant Compare at Price', 'Compare-at Price', 'Compare at Price'],
  cost: ['Cost Per Item'],
  tracker: ['Variant Inventory Tracker', 'Inventory Tracker'],
  stock: ['Variant Inventory Qty', 'Variant Inventory Quantity', 'Inventory Quantity'],
  policy: ['Variant Inventory Policy', 'Continue Selling when out of Stock'],
  image: ['Image Src', 'Product Image URL'],
  imagePosition: ['Image Position'],
  variantImage: ['Variant Image', 'Variant Image URL'],
} as const

/** The members of a row. */
export type ShopifyMember = keyof typeof HEADINGS

/** The export as a layout. */
export const SHOPIFY: Layout<ShopifyMember> = {
  kind: 'catalog',
  shop: 'shopify',
  source: 'shopify',
  what: 'an English product export of Shopify',
  headings: HEADINGS,
  as: {
    handle: 'externalId',
    title: 'name',
    vendor: 'supplier',
    published: 'status',
    compareAtPrice: 'salePrice',
    type: 'categories',
    taxonomy: 'categories',
    collection: 'categories',
    option1Name: 'attributes',
    option2Name: 'attributes',
    option3Name: 'attributes',
    option1Value: 'attributes',
    option2Value: 'attributes',
    option3Value: 'attributes',
    cost: 'costPrice',
    tracker: 'manageStock',
    policy: 'allowBackorder',
    image: 'images',
    imagePosition: 'images',
    variantImage: 'images',
  },
  required: [['handle'], ['title'], ['price']],
  // A handle, a title and a price are enough: no other export uses these names.
  only: { pattern: /^(url )?handle$/, example: 'Variant Price' },
  signs: {
    atLeast: 3,
    of: ['handle', 'url handle', 'title', 'option1 name', 'option1 value', 'variant price', 'vendor'],
  },
  others: (normal) => (noteColumn(normal) ? 'metadata' : undefined),
}

/** The members that its columns set. */
export const SHOPIFY_SETS: SettingColumns = {
  product: {
    ...inEveryFile('name', 'source'),
    ...inOwnColumn('description', 'sku', 'tags'),
    productType: ['option1Value'],
    attributes: ['option1Value'],
    status: ['status', 'published'],
    supplier: ['vendor'],
    images: ['image'],
    categories: ['type', 'taxonomy', 'collection'],
  },
  variant: {
    ...inEveryFile('price'),
    ...inOwnColumn('sku', 'barcode'),
    manageStock: ['tracker', 'stock'],
    allowBackorder: ['policy'],
    salePrice: ['compareAtPrice'],
    isOnSale: ['compareAtPrice'],
    costPrice: ['cost'],
    images: ['variantImage'],
    attributes: ['option1Value'],
  },
}

// How the web shop shows a product, not what it is.
const IGNORED = /^(image alt text|option\d linked to|variant weight unit|weight unit for display)$/
const VARIANT =
  /^variant |\(variant\.metafields\.|^(charge tax|tax code|requires shipping|fulfillment service|weight value \(grams\))$|^unit price |^(compare at )?price \//

const SILENT: [RegExp, string[]][] = [
  [/^gift card$|custom product$/, ['false']],
  [/^variant (taxable|requires shipping)$|^charge tax$|^requires shipping$|^included \//, ['true']],
  [/^(variant )?fulfillment service$/, ['manual']],
  [/^variant grams$|^weight value \(grams\)$/, ['0', '0.0']],
]

/** Where a column that is not a member belongs, and its default values; undefined if it is ignored. */
export function noteColumn(normal: string): { of: 'product' | 'variant'; silent: string[] } | undefined {
  if (IGNORED.test(normal)) return undefined
  const silent = SILENT.find(([pattern]) => pattern.test(normal))?.[1] ?? []
  return { of: VARIANT.test(normal) ? 'variant' : 'product', silent }
}
