// Reads the product export of Lightspeed Retail (X-Series, formerly Vend): one row per variant. The rows of a handle are a
// product. The columns are those of the template in "Formatting Retail POS (R-Series) product data for import into Retail POS
// (X-Series)" (support.vendhq.com, article 4650130313487), and those with the names of outlets.

import { DESCRIPTION_CHARACTERS } from '../../../core/limits.ts'
import { cellAsMetadata, type Layout, type RowView } from '../layout.ts'
import {
  codeOf,
  listOf,
  type Metadatum,
  numberOf,
  pathOf,
  presentMembers,
  Refusal,
  some,
  textOf,
  wordOf,
} from '../values.ts'
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
  id: ['id'],
  handle: ['handle'],
  sku: ['sku'],
  // A component of this composite product.
  part: ['composite_sku'],
  name: ['name'],
  description: ['description'],
  category: ['product_category', 'type'],
  tags: ['tags'],
  price: ['retail_price'],
  cost: ['supply_price'],
  supplier: ['supplier_name'],
  active: ['active'],
  tracked: ['track_inventory'],
} as const
type LightspeedMember = keyof typeof HEADINGS

/** Headings of the stock at an outlet: `inventory_Main_Outlet`. */
const STOCK = /^inventory\b */
const OPTION = /^variant option (one|two|three) (name|value)$/

const layout: Layout<LightspeedMember> = {
  kind: 'catalog',
  shop: 'lightspeed',
  source: 'lightspeed',
  what: 'a product export of Lightspeed Retail (X-Series)',
  headings: HEADINGS,
  as: {
    id: 'externalId',
    handle: 'externalId',
    part: 'metadata',
    category: 'categories',
    cost: 'costPrice',
    active: 'status',
    tracked: 'manageStock',
  },
  required: [['handle'], ['name'], ['price']],
  only: { pattern: /^(supply price|retail price)$/, example: 'supply_price' },
  signs: {
    atLeast: 3,
    of: ['composite handle', 'composite name', 'composite sku', 'variant option one name', 'variant option one value', 'supply price', 'retail price', 'loyalty value', 'brand name', 'supplier code', 'track inventory'], // biome-ignore format: one list
  },
  others: (normal) => {
    if (STOCK.test(normal)) return 'stock'
    return OPTION.test(normal) ? 'attributes' : 'metadata'
  },
}

const sets: SettingColumns = {
  product: {
    ...inEveryFile('name', 'source'),
    ...inOwnColumn('description', 'sku', 'tags', 'supplier'),
    productType: ['attributes'],
    attributes: ['attributes'],
    status: ['active'],
    categories: ['category'],
  },
  variant: {
    ...inEveryFile('price'),
    ...inOwnColumn('sku'),
    manageStock: ['tracked', 'stock'],
    costPrice: ['cost'],
    attributes: ['attributes'],
  },
}

/** Further columns of the product. All others belong to the variant. */
const OF_PRODUCT = /^(brand name|account code|account code purchase|active online|dimensions unit|weight unit)$/

type LightspeedRow = RowView<LightspeedMember>

const lightspeed: VariationRows<LightspeedMember> = {
  layout,
  idMember: 'id',
  stock: { pattern: STOCK, shown: 'inventory_' },
  option: { value: /^variant option (one|two|three) value$/, name: (number) => `variant option ${number} name` },
  note: (normal) => ({ ofVariation: !OF_PRODUCT.test(normal), silent: [] }),
  itemOf: ({ cell }) => cell('handle').text,
  productOf,
  variationOf,
}

export const lightspeedCatalog = variationFormat(lightspeed, sets)

const ACTIVE = { '1': true, true: true, yes: true, '0': false, false: false, no: false }
const isActive = ({ cell }: LightspeedRow): boolean => wordOf(cell('active'), ACTIVE) ?? true

/** The product of a handle. It is archived only if none of its variants is active. */
function productOf(
  { cell }: LightspeedRow,
  notes: Metadatum[],
  rows: readonly LightspeedRow[],
): { product: ProductMembers; categories: string[][] } {
  const category = cell('category')
  // Categories within categories are `Clothing / Shirts`.
  const path = pathOf({ ...category, text: category.text.replaceAll(' / ', ' > ') })
  const tags = cell('tags')
  const product = presentMembers<ProductMembers>({
    name: textOf(cell('name')) ?? '',
    productType: 'simple',
    status: rows.some(isActive) ? 'active' : 'archived',
    source: layout.source,
    description: textOf(cell('description'), DESCRIPTION_CHARACTERS),
    supplier: textOf(cell('supplier')),
    tags: some(listOf({ ...tags, text: tags.text.replaceAll(';', ',') })),
    metadata: some(notes),
  })
  return { product, categories: path.length > 0 ? [path] : [] }
}

/** The variant of a row. */
function variationOf(row: LightspeedRow, { separator, options, isCounted, notes }: RowFacts): CatalogVariant {
  const { cell, line } = row
  const handle = textOf(cell('handle'))
  if (handle === undefined) {
    const { heading, text } = cell('part')
    throw text === ''
      ? new Refusal('the row has no handle', cell('handle').heading)
      : new Refusal(
          'the row is a part of a composite product; Cashwrap imports such a product without its parts',
          heading,
        )
  }
  if (cell('name').text === '') throw new Refusal('the product has no name', cell('name').heading)
  const variant = presentMembers<VariantMembers>({
    manageStock: wordOf(cell('tracked'), ACTIVE) ?? isCounted,
    allowBackorder: false,
    sku: codeOf(cell('sku')),
    price: numberOf(cell('price'), separator),
    costPrice: numberOf(cell('cost'), separator),
    attributes: some([...options]),
    metadata: some([
      ...cellAsMetadata(cell('part')),
      ...cellAsMetadata(cell('active'), ['1', 'true', 'yes']),
      ...notes,
    ]),
  })
  const id = textOf(cell('id')) ?? [handle, ...options.map(({ value }) => value)].join('/')
  return {
    line,
    externalId: textOf({ heading: 'handle with options', text: id }) ?? id,
    variant,
  }
}
