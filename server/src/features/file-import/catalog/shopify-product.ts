// One row of Shopify's product export as a product and a variant, in our own terms.

import { DESCRIPTION_CHARACTERS, VOCABULARY_CHARACTERS } from '../../../core/limits.ts'
import { cellAsMetadata, type RowView } from '../columns.ts'
import {
  codeOf,
  imageOf,
  listOf,
  type Metadatum,
  numberOf,
  pathOf,
  presentMembers,
  Refusal,
  some,
  stockOf,
  textOf,
  wordOf,
} from '../values.ts'
import {
  type CatalogProduct,
  type CatalogVariant,
  type ProductMembers,
  priceOf,
  type VariantMembers,
} from './catalog.ts'
import type { ShopifyMember } from './shopify-columns.ts'

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
  const metadata = [...(type ? cellAsMetadata(cell('taxonomy')) : []), ...notes]
  const categories = [type ? [type] : path, collection ? [collection] : []]
  const status = textOf(cell('status'), VOCABULARY_CHARACTERS)?.toLowerCase()
  const product = presentMembers<ProductMembers>({
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
  const stock = stockOf(cell('stock'), separator)
  const tracker = cell('tracker')
  const variant = presentMembers<VariantMembers>({
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
