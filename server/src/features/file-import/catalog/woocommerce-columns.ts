// The columns of WooCommerce's product export: its members, and attributes in numbered columns.

import type { ColumnPositions, Layout } from '../layout.ts'
import { type Cell, listOf, refuseCell, textOf } from '../values.ts'
import { inEveryFile, inOwnColumn, type SettingColumns } from './catalog.ts'

/** The columns with a member of ours, by the headings of the export. */
const HEADINGS = {
  id: ['ID'],
  sku: ['SKU'],
  name: ['Name'],
  price: ['Regular price', 'Price'],
  salePrice: ['Sale price'],
  type: ['Type'],
  parent: ['Parent'],
  published: ['Published'],
  shortDescription: ['Short description'],
  description: ['Description'],
  saleStarts: ['Date sale price starts'],
  saleEnds: ['Date sale price ends'],
  stock: ['Stock'],
  backorders: ['Backorders allowed?'],
  barcode: ['GTIN, UPC, EAN, or ISBN'],
  cost: ['Cost of goods'],
  categories: ['Categories'],
  tags: ['Tags'],
  brands: ['Brands'],
  images: ['Images'],
} as const

/** The members of a row. */
export type WooMember = keyof typeof HEADINGS
const ONLY =
  /^(regular price|is featured\?|visibility in catalog|in stock\?|backorders allowed\?|sold individually\?|allow customer reviews\?|date sale price (starts|ends)|low stock amount|purchase note|grouped products|upsells|cross-sells|download (limit|expiry days|\d+ (id|name|url))|attribute \d+ (name|value\(s\)|visible|global|default)|gtin, upc, ean, or isbn)$/

/** A column of an attribute. */
const ATTRIBUTE = /^attribute (\d+) (name|value\(s\)|visible|global)$/

/** The export as a layout. */
export const WOOCOMMERCE: Layout<WooMember> = {
  kind: 'catalog',
  shop: 'woocommerce',
  source: 'woo-commerce',
  what: 'an English product export of WooCommerce',
  headings: HEADINGS,
  as: {
    id: 'externalId',
    type: 'productType',
    parent: 'productId',
    published: 'status',
    brands: 'supplier',
    saleStarts: 'isOnSale',
    saleEnds: 'isOnSale',
    backorders: 'allowBackorder',
    cost: 'costPrice',
  },
  required: [['name'], ['price'], ['id', 'sku']],
  // Without its type, a product with variations looks like one without.
  requiredWith: { has: 'parent', needs: 'type' },
  only: { pattern: ONLY, example: 'Regular price' },
  signs: {
    atLeast: 3,
    of: ['type', 'sku', 'name', 'regular price', 'published', 'in stock?', 'tax status'],
  },
  others: (normal) => (ATTRIBUTE.test(normal) ? 'attributes' : 'metadata'),
}

/** The members that its columns set. */
export const WOOCOMMERCE_SETS: SettingColumns = {
  product: {
    ...inEveryFile('name', 'source'),
    ...inOwnColumn('description', 'shortDescription', 'sku', 'images', 'tags', 'categories', 'attributes'),
    productType: ['type'],
    status: ['published'],
    supplier: ['brands'],
  },
  variant: {
    ...inEveryFile('price'),
    ...inOwnColumn('sku', 'barcode', 'salePrice'),
    manageStock: ['stock'],
    allowBackorder: ['backorders'],
    isOnSale: ['salePrice'],
    costPrice: ['cost'],
  },
  // The images and attributes in the row of a product without variations are the product's.
  addedVariant: inOwnColumn('images', 'attributes'),
}

/** One attribute of a row; `text` is its whole value, as a variation has it. */
export interface WooAttribute {
  name: string
  values: string[]
  text: string
}

interface AttributeColumns {
  /** All columns of this attribute that are not read in another way. */
  columns: number[]
  read: (row: { at: (index: number) => Cell }) => WooAttribute[]
}

/** The attributes that a file has columns for: `Attribute 1 name`, `Attribute 1 value(s)` and so on. */
export function attributeColumns(others: ColumnPositions<string>['others']): AttributeColumns[] {
  const byNumber = new Map<number, Record<string, number>>()
  for (const { at, normal } of others) {
    const [, number, part] = ATTRIBUTE.exec(normal) ?? []
    if (part) byNumber.set(Number(number), { ...byNumber.get(Number(number)), [part]: at })
  }
  const numbers = [...byNumber.entries()].sort(([one], [other]) => one - other)
  return numbers.map(([number, parts]) => ({
    columns: Object.values(parts),
    read: ({ at }) => {
      const name = textOf(at(parts.name ?? -1))
      const value = at(parts['value(s)'] ?? -1)
      if (name) return [{ name, values: listOf(value), text: value.text.replaceAll('\\,', ',') }]
      if (value.text) refuseCell(value, `has no name in the column Attribute ${number} name`)
      return []
    },
  }))
}
