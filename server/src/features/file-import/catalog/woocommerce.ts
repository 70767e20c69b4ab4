// Reads WooCommerce's product export: one row for each product and each variation; a variation names its parent.
import { VOCABULARY_CHARACTERS } from '../../../core/limits.ts'
import { cellAsMetadata, refuseRepeated, rowEntries } from '../columns.ts'
import type { CsvFile } from '../csv.ts'
import { type Metadatum, textOf } from '../values.ts'
import type { CatalogEntry } from './catalog.ts'
import { findColumns } from './layout.ts'
import { catalogFormat } from './load.ts'
import { attributeColumns, layoutOf, type WooAttribute, type WooMember, wooMembersSet } from './woocommerce-columns.ts'
import { idOf, parentOf, pathsOf, productOf, variantOf, variationOf, type WooRow } from './woocommerce-product.ts'

type Kind = 'single' | 'parent' | 'variation'

// Columns with default values; any other value of a column without a member of ours becomes metadata.
const SILENT = new Map([
  ['is featured?', ['0']],
  ['visibility in catalog', ['visible']],
  ['tax status', ['taxable']],
  ['tax class', ['parent']],
  ['in stock?', ['1']],
  ['sold individually?', ['0']],
  ['allow customer reviews?', ['0', '1']],
  ['position', ['0']],
])
// Members that do not exist for a kind of row, stored as metadata in the same way.
const NOTED: Record<Kind, WooMember[]> = {
  single: ['saleStarts', 'saleEnds'],
  parent: ['price', 'salePrice', 'saleStarts', 'saleEnds', 'stock', 'barcode', 'cost'],
  variation: ['name', 'shortDescription', 'description', 'saleStarts', 'saleEnds', 'categories', 'tags', 'brands'],
}

/** The catalogue in a product export of WooCommerce. Variations come as additions, wherever their product is. */
export function readWooCommerce(file: CsvFile): AsyncGenerator<CatalogEntry> {
  const columns = findColumns(file, layoutOf(file))
  const attributes = attributeColumns(columns.others)
  const others = columns.others
    .filter(({ at }) => !attributes.some((attribute) => attribute.columns.includes(at)))
    .map(({ at, normal }) => ({ at, silent: SILENT.get(normal) ?? [] }))
  const idColumn = file.headings[columns.at.id ?? columns.at.sku ?? -1]
  const seen = new Map<string, number>()
  return rowEntries(file, columns, (row) => {
    const notes = others.flatMap(({ at, silent }) => cellAsMetadata(row.at(at), silent))
    const found = attributes.flatMap(({ read }) => read(row))
    const entry = entryOf(row, found, notes, file.separator)
    refuseRepeated(seen, idOf(row), row.line, idColumn)
    return entry
  })
}

function entryOf(row: WooRow, attributes: WooAttribute[], notes: Metadatum[], separator: string): CatalogEntry {
  const { line, cell } = row
  const { type, kind, isPlain } = typeOf(row)
  const metadata = [
    ...(isPlain ? [] : cellAsMetadata(cell('type'))),
    ...NOTED[kind].flatMap((member) => cellAsMetadata(cell(member))),
    ...notes,
  ]
  if (kind === 'variation') {
    const own = [...cellAsMetadata(cell('published'), ['1', 'true']), ...metadata]
    const variants = [variationOf(row, attributes, own, separator)]
    return { kind: 'addition', line, parent: parentOf(row), images: [], variants }
  }
  const variants = kind === 'single' ? [variantOf(row, separator)] : []
  const product = productOf(row, type, attributes, metadata, variants[0]?.variant)
  return { kind: 'product', line, externalId: idOf(row), product, categories: pathsOf(cell('categories')), variants }
}

// `simple, downloadable, virtual` is a simple product; plugins have types of their own, such as `variable-subscription`.
function typeOf({ cell }: WooRow): { type: string; kind: Kind; isPlain: boolean } {
  const words = cell('type').text.toLowerCase().split(',')
  const types = words.map((word) => word.trim()).filter((word) => !['', 'virtual', 'downloadable'].includes(word))
  const text = types[0] ?? (cell('parent').text === '' ? 'simple' : 'variation')
  const type = textOf({ ...cell('type'), text }, VOCABULARY_CHARACTERS) ?? text
  const kind = type.includes('variation') ? 'variation' : /^variable|^grouped$/.test(type) ? 'parent' : 'single'
  return { type, kind, isPlain: words.length === 1 }
}

export const woocommerceCatalog = catalogFormat({
  shop: 'woocommerce',
  source: 'woo-commerce',
  layoutOf,
  read: readWooCommerce,
  membersSet: wooMembersSet,
  others: (columns) => {
    const attributes = new Set(attributeColumns(columns.others).flatMap(({ columns }) => columns))
    return ({ at }) => (attributes.has(at) ? 'attributes' : 'metadata')
  },
  signs: {
    atLeast: 3,
    of: ['type', 'sku', 'name', 'regular price', 'published', 'in stock?', 'tax status'],
  },
})
