// Reads WooCommerce's product export: one row for each product and each variation; a variation names its parent.
import { VOCABULARY_CHARACTERS } from '../../../core/limits.ts'
import { brokenRow, type Layout, memberRows, normalHeading, note, refused, refuseRepeated } from '../columns.ts'
import type { CsvFile } from '../csv.ts'
import type { Metadatum } from '../merge.ts'
import { textOf } from '../values.ts'
import type { CatalogEntry } from './catalog.ts'
import {
  attributeColumns,
  idOf,
  parentOf,
  pathsOf,
  productOf,
  variantOf,
  variationOf,
  WOO_HEADINGS,
  type WooAttribute,
  type WooMember,
  type WooRow,
} from './woocommerce-product.ts'

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
const ONLY =
  /^(regular price|is featured\?|visibility in catalog|in stock\?|backorders allowed\?|sold individually\?|allow customer reviews\?|date sale price (starts|ends)|low stock amount|purchase note|grouped products|upsells|cross-sells|download (limit|expiry days|\d+ (id|name|url))|attribute \d+ (name|value\(s\)|visible|global|default)|gtin, upc, ean, or isbn)$/
// Members that do not exist for a kind of row, stored as metadata in the same way.
const NOTED: Record<Kind, WooMember[]> = {
  single: ['saleStarts', 'saleEnds'],
  parent: ['price', 'salePrice', 'saleStarts', 'saleEnds', 'stock', 'barcode', 'cost'],
  variation: ['name', 'shortDescription', 'description', 'saleStarts', 'saleEnds', 'categories', 'tags', 'brands'],
}

/** The catalogue in a product export of WooCommerce. Variations come as additions, wherever their product is. */
export async function* readWooCommerce(file: CsvFile): AsyncGenerator<CatalogEntry> {
  const { columns, view } = memberRows(file, layoutOf(file))
  const attributes = attributeColumns(columns.others)
  const others = columns.others
    .filter(({ at }) => !attributes.some((attribute) => attribute.columns.includes(at)))
    .map(({ at, normal }) => ({ at, silent: SILENT.get(normal) ?? [] }))
  const idColumn = file.headings[columns.at.id ?? columns.at.sku ?? -1]
  const seen = new Map<string, number>()
  for await (const raw of file.rows()) {
    if ('problem' in raw) {
      yield brokenRow(raw)
      continue
    }
    const row = view(raw)
    try {
      const notes = others.flatMap(({ at, silent }) => note(row.at(at), silent))
      const found = attributes.flatMap(({ read }) => read(row))
      const entry = entryOf(row, found, notes, file.separator)
      refuseRepeated(seen, idOf(row), row.line, idColumn)
      yield entry
    } catch (cause) {
      yield refused(row.line, cause)
    }
  }
}

/** The export as a layout. Without its type, a product with variations looks like one without. */
export function layoutOf(file: CsvFile): Layout<WooMember> {
  const withParents = file.headings.some((heading) => normalHeading(heading) === 'parent')
  return {
    shop: 'WooCommerce',
    headings: WOO_HEADINGS,
    required: [['name'], ['price'], ['id', 'sku'], ...(withParents ? [['type'] as const] : [])],
    only: ONLY,
  }
}

function entryOf(row: WooRow, attributes: WooAttribute[], notes: Metadatum[], separator: string): CatalogEntry {
  const { line, cell } = row
  const { type, kind, isPlain } = typeOf(row)
  const metadata = [
    ...(isPlain ? [] : note(cell('type'))),
    ...NOTED[kind].flatMap((member) => note(cell(member))),
    ...notes,
  ]
  if (kind === 'variation') {
    const own = [...note(cell('published'), ['1', 'true']), ...metadata]
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
