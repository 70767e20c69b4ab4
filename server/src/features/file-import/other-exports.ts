// Exports of shop systems that Cashwrap cannot import, which a message names instead of a missing column.

import { normalHeading } from './columns.ts'
import type { CsvFile } from './csv.ts'

/** Normalized headings of an export; some of them are unique to the shop. */
interface Signature {
  /** What the file is, as a noun phrase: `a product export of Vendure`. */
  readonly what: string
  readonly headings: readonly string[]
}

/** How many headings of a signature identify a file. */
const ENOUGH = 3

const signatures: readonly Signature[] = [
  {
    what: 'a product import file of Vendure',
    headings: ['assets', 'facets', 'optiongroups', 'optionvalues', 'stockonhand', 'trackinventory', 'variantassets'],
  },
  {
    what: 'an item library export of Square',
    headings: ['token', 'item name', 'customer-facing name', 'variation name', 'reference handle', 'square online item visibility', 'sellable', 'stockable', 'skip detail screen in pos'], // biome-ignore format: one list
  },
  {
    what: 'a product export of Lightspeed Retail (X-Series)',
    headings: ['composite handle', 'composite sku', 'variant option one name', 'variant option one value', 'supply price', 'retail price', 'loyalty value', 'brand name', 'supplier code', 'track inventory'], // biome-ignore format: one list
  },
  {
    what: 'an item export of Lightspeed Retail (R-Series)',
    headings: ['system id', 'custom sku', 'manufacturer sku', 'default cost', 'msrp', 'qoh', 'upc', 'ean'],
  },
  {
    what: 'an inventory export of Clover',
    headings: ['clover id', 'alternate name', 'price type', 'price unit', 'modifier groups', 'non-revenue item'],
  },
  {
    what: 'an item export of Loyverse',
    headings: ['sold by weight', 'option 1 name', 'option 1 value', 'default price', 'sku of included item', 'quantity of included item', 'track stock'], // biome-ignore format: one list
  },
  {
    what: 'a product export of Magento (Adobe Commerce)',
    headings: ['store view code', 'attribute set code', 'product websites', 'product online', 'tax class name', 'special price', 'url key'], // biome-ignore format: one list
  },
  {
    what: 'a product export of Wix',
    headings: ['handleid', 'fieldtype', 'productimageurl', 'ribbon', 'surcharge', 'discountmode', 'discountvalue'],
  },
  {
    what: 'a product export of Squarespace',
    headings: ['product id [non editable]', 'variant id [non editable]', 'product type [non editable]', 'product page', 'hosted image urls'], // biome-ignore format: one list
  },
  {
    what: 'a product export of BigCommerce',
    headings: ['item type', 'product code/sku', 'product name', 'brand name', 'option set', 'current stock level', 'allow purchases?', 'product visible?'], // biome-ignore format: one list
  },
  {
    what: 'a product export of Ecwid',
    headings: ['product internal id', 'product sku', 'product name', 'product price', 'product is inventory tracked'],
  },
]

/** What a file looks like, as a noun phrase; undefined if its headings do not show it. */
export function otherExport({ headings }: CsvFile): string | undefined {
  const own = new Set(headings.map(normalHeading))
  const counted = signatures.map(({ what, headings }) => ({
    what,
    count: headings.filter((one) => own.has(one)).length,
  }))
  const [best] = counted.toSorted((one, other) => other.count - one.count)
  return best && best.count >= ENOUGH ? best.what : undefined
}
