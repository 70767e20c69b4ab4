// One row of Shopify's product export as a product and a variant, in our own terms; the export's columns, in its older
// and its newer headings, and their default values.

import { DESCRIPTION_CHARACTERS, VOCABULARY_CHARACTERS } from '../../../core/limits.ts'
import { type Layout, note, type RowView } from '../columns.ts'
import type { Metadatum } from '../merge.ts'
import { some } from '../merge.ts'
import { codeOf, imageOf, listOf, numberOf, pathOf, present, Refusal, stockOf, textOf, wordOf } from '../values.ts'
import type { CatalogProduct, CatalogVariant, ProductMembers, VariantMembers } from './catalog.ts'

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
  shop: 'Shopify',
  headings: HEADINGS,
  required: [['handle'], ['title'], ['price']],
  // A handle, a title and a price are enough: no other export uses these names.
  only: /^(url )?handle$/,
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

/** A row of the export. */
export type ShopifyRow = RowView<ShopifyMember>

const OPTIONS = [
  ['option1Name', 'option1Value'],
  ['option2Name', 'option2Value'],
  ['option3Name', 'option3Value'],
] as const
const VARIANT_MEMBERS = ['sku', 'barcode', 'price', 'compareAtPrice', 'cost', 'stock', 'variantImage'] as const
const PUBLISHED = { true: 'active', '1': 'active', yes: 'active', false: 'draft', '0': 'draft', no: 'draft' }
const POLICY = { continue: true, true: true, yes: true, '1': true, deny: false, false: false, no: false, '0': false }

/** False for a row that only adds an image. */
export const saysVariant = ({ cell }: ShopifyRow): boolean =>
  [...VARIANT_MEMBERS, ...OPTIONS.map(([, value]) => value)].some((member) => cell(member).text !== '')

/** The names of a product's options by position; only its first row has them. */
export const optionNames = ({ cell }: ShopifyRow): string[] => OPTIONS.map(([name]) => textOf(cell(name)) ?? '')

/** The product of a handle's first row, without the members that depend on its variants and images. */
export function productOf({ cell, line }: ShopifyRow, externalId: string, notes: Metadatum[]): CatalogProduct {
  const name = textOf(cell('title'))
  if (name === undefined) throw new Refusal(`no row above gives the product "${externalId}" a title`)
  const type = textOf(cell('type'))
  const collection = textOf(cell('collection'))
  const path = pathOf(cell('taxonomy'))
  // The merchant's own type says more about the shop than Shopify's general taxonomy.
  const metadata = [...(type ? note(cell('taxonomy')) : []), ...notes]
  const categories = [type ? [type] : path, collection ? [collection] : []]
  const status = textOf(cell('status'), VOCABULARY_CHARACTERS)?.toLowerCase()
  const product = present<ProductMembers>({
    name,
    productType: 'simple',
    status: status ?? wordOf(cell('published'), PUBLISHED) ?? 'active',
    source: 'shopify',
    description: textOf(cell('description'), DESCRIPTION_CHARACTERS),
    supplier: textOf(cell('vendor')),
    tags: some(listOf(cell('tags'))),
    metadata: some(metadata),
  })
  return { line, externalId, product, categories: categories.filter((names) => names.length > 0), variants: [] }
}

/** The variant of a row. The export has no ids for variants, but their options are unique within a product. */
export function variantOf(
  { cell, line }: ShopifyRow,
  handle: string,
  options: string[],
  notes: Metadatum[],
  separator: string,
): CatalogVariant {
  const attributes = OPTIONS.flatMap(([, member], index) => {
    const name = options[index] ?? ''
    const value = textOf(cell(member))
    if (value === undefined || (name === 'Title' && value === 'Default Title')) return []
    if (name === '') throw new Refusal(`${cell(member).heading} "${value}" has no option name`, cell(member).heading)
    return [{ name, value }]
  })
  const id = [handle, ...attributes.map(({ value }) => value)].join('/')
  const price = numberOf(cell('price'), separator)
  const compareAt = numberOf(cell('compareAtPrice'), separator)
  const isOnSale = price !== undefined && compareAt !== undefined && compareAt > price
  const allowBackorder = wordOf(cell('policy'), POLICY) ?? false
  const stock = stockOf(cell('stock'), separator, allowBackorder)
  const tracker = cell('tracker')
  const variant = present<VariantMembers>({
    // Without the column, a quantity is the only sign that stock is tracked.
    manageStock: tracker.heading === '' ? stock !== undefined : tracker.text !== '',
    allowBackorder,
    sku: codeOf(cell('sku')),
    barcode: codeOf(cell('barcode')),
    price: isOnSale ? compareAt : price,
    salePrice: isOnSale ? price : undefined,
    isOnSale,
    costPrice: numberOf(cell('cost'), separator),
    images: cell('variantImage').text ? [imageOf(cell('variantImage'))] : undefined,
    attributes: some(attributes),
    metadata: some(notes),
  })
  return {
    line,
    externalId: textOf({ heading: 'Handle with options', text: id }) ?? handle,
    variant,
    ...(stock !== undefined && { stock }),
  }
}

/** A product with the members that depend on its variants. */
export function completed(entry: CatalogProduct, images: string[]): CatalogProduct {
  const variants = entry.variants.map(({ variant }) => variant)
  const values = new Map<string, Set<string>>()
  for (const { name, value } of variants.flatMap(({ attributes = [] }) => attributes)) {
    values.set(name, (values.get(name) ?? new Set()).add(value))
  }
  const prices = variants.flatMap(({ isOnSale, salePrice, price }) => (isOnSale ? salePrice : price) ?? [])
  const product = present<ProductMembers>({
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
