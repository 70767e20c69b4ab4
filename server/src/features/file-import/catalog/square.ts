// Reads Square's item library export: one row per variation. The rows of an item are consecutive and repeat the item's cells.

import { DESCRIPTION_CHARACTERS } from '../../../core/limits.ts'
import { cellAsMetadata, type Layout, type RowView } from '../layout.ts'
import { codeOf, type Metadatum, numberOf, pathsOf, presentMembers, Refusal, some, textOf, wordOf } from '../values.ts'
import {
  type CatalogVariant,
  inEveryFile,
  inOwnColumn,
  type ProductMembers,
  type SettingColumns,
  type VariantMembers,
} from './catalog.ts'
import { type RowFacts, type VariationRows, variationFormat } from './variation-rows.ts'

const HEADINGS = {
  handle: ['Reference Handle'],
  token: ['Token'],
  name: ['Item Name'],
  variation: ['Variation Name'],
  sku: ['SKU'],
  description: ['Description'],
  categories: ['Categories', 'Category'],
  reportingCategory: ['Reporting Category'],
  barcode: ['GTIN'],
  price: ['Price'],
  archived: ['Archived'],
  cost: ['Default Unit Cost'],
  vendor: ['Default Vendor Name'],
} as const
type SquareMember = keyof typeof HEADINGS

/** Headings of the stock at a location, and of the new stock that an import into Square would set. */
const STOCK = /^current quantity\b */
const NEW_STOCK = /^new quantity\b/
const OPTION = /^option (name|value) (\d+)$/

const layout: Layout<SquareMember> = {
  kind: 'catalog',
  shop: 'square',
  source: 'square',
  what: 'an English item library export of Square',
  headings: HEADINGS,
  as: {
    handle: 'externalId',
    token: 'externalId',
    variation: 'attributes',
    reportingCategory: 'categories',
    archived: 'status',
    cost: 'costPrice',
    vendor: 'supplier',
  },
  required: [['name'], ['price'], ['token', 'variation']],
  only: { pattern: /^(token|item name|variation name|reference handle|customer-facing name)$/, example: 'Item Name' },
  signs: {
    atLeast: 3,
    of: ['token', 'item name', 'variation name', 'reference handle', 'customer-facing name', 'reporting category', 'sellable', 'stockable', 'skip detail screen in pos'], // biome-ignore format: one list
  },
  others: (normal) => {
    if (STOCK.test(normal)) return 'stock'
    if (OPTION.test(normal)) return 'attributes'
    return NEW_STOCK.test(normal) ? undefined : 'metadata'
  },
}

const sets: SettingColumns = {
  product: {
    ...inEveryFile('name', 'source'),
    ...inOwnColumn('description'),
    productType: ['variation', 'attributes'],
    attributes: ['variation', 'attributes'],
    sku: ['sku'],
    status: ['archived'],
    supplier: ['vendor'],
    categories: ['categories', 'reportingCategory'],
  },
  variant: {
    ...inEveryFile('price'),
    ...inOwnColumn('sku', 'barcode'),
    manageStock: ['stock'],
    costPrice: ['cost'],
    attributes: ['variation', 'attributes'],
  },
}

/** Other columns that belong to a variation, not to its item. */
const OF_VARIATION =
  /^(unit and precision|weight|sellable|stockable|online sale price|default vendor code|enabled |price |stock alert)/
/** Columns whose default is yes; the default of all others is no, or empty. */
const USUALLY_YES = /^(enabled |sellable$|stockable$)/
const USUAL_TEXTS = ['visible', 'physical', 'physical good']

type SquareRow = RowView<SquareMember>

const square: VariationRows<SquareMember> = {
  layout,
  idMember: 'token',
  stock: { pattern: STOCK, shown: 'Current Quantity ' },
  option: { value: /^option value (\d+)$/, name: (number) => `option name ${number}` },
  note: (normal) => ({
    ofVariation: OF_VARIATION.test(normal),
    silent: USUALLY_YES.test(normal) ? ['y'] : ['n', ...USUAL_TEXTS],
  }),
  itemOf: (row) => itemOf(row),
  productOf,
  variationOf,
}

export const squareCatalog = variationFormat(square, sets)

/** The key of a row's item. Exports without handles identify an item by its name alone. */
const itemOf = ({ cell }: SquareRow): string => cell('handle').text || cell('name').text

/** The product of an item. */
function productOf({ cell }: SquareRow, notes: Metadatum[]): { product: ProductMembers; categories: string[][] } {
  const product = presentMembers<ProductMembers>({
    name: textOf(cell('name')) ?? '',
    productType: 'simple',
    status: wordOf(cell('archived'), { y: 'archived', n: 'active' }) ?? 'active',
    source: layout.source,
    description: textOf(cell('description'), DESCRIPTION_CHARACTERS),
    supplier: textOf(cell('vendor')),
    metadata: some(notes),
  })
  // Square adds the id to categories with the same name: `Books (T2B3ROTJ3HFGVBO22QLOOJDE)`.
  const categories = (['categories', 'reportingCategory'] as const).flatMap((member) => {
    const { heading, text } = cell(member)
    return pathsOf({ heading, text: text.replace(/\([A-Z0-9]{20,}\)/g, '') })
  })
  return { product, categories: [...new Map(categories.map((path) => [path.join('\n'), path])).values()] }
}

/** The variation of a row. */
function variationOf(row: SquareRow, { separator, options, isAlone, ...facts }: RowFacts): CatalogVariant {
  const { cell, line } = row
  if (cell('name').text === '') throw new Refusal('the product has no name', cell('name').heading)
  const price = cell('price')
  // The till asks for the price.
  const isOpenPrice = price.text.toLowerCase() === 'variable'
  const variation = textOf(cell('variation'))
  const named = options.length > 0 || variation === undefined ? options : [{ name: 'Variation', value: variation }]
  // `Regular` is Square's default name for the only variation of an item.
  const isPlain = isAlone && options.length === 0 && variation?.toLowerCase() === 'regular'
  const variant = presentMembers<VariantMembers>({
    manageStock: facts.isCounted,
    allowBackorder: false,
    sku: codeOf(cell('sku')),
    barcode: codeOf(cell('barcode')),
    price: isOpenPrice ? undefined : numberOf(price, separator),
    costPrice: numberOf(cell('cost'), separator),
    attributes: some(isPlain ? [] : [...named]),
    metadata: some([...(isOpenPrice ? cellAsMetadata(price) : []), ...facts.notes]),
  })
  // The same with one variation or several, since a second one may be added later.
  const id = textOf(cell('token')) ?? [itemOf(row), ...named.map(({ value }) => value)].join('/')
  return {
    line,
    externalId: textOf({ heading: 'Item Name with variation', text: id }) ?? id,
    variant,
  }
}
