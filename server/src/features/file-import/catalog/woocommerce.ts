// Reads WooCommerce's product export: one row for each product and each variation; a variation names its parent.

import { DESCRIPTION_CHARACTERS, VOCABULARY_CHARACTERS } from '../../../core/limits.ts'
import type { CsvFile } from '../csv.ts'
import { cellAsMetadata, columnsOf, type RowView, refuseRepeated, rowEntries } from '../layout.ts'
import {
  type Cell,
  codeOf,
  imagesOf,
  listOf,
  type Metadatum,
  numberOf,
  pathsOf,
  presentMembers,
  Refusal,
  some,
  stockOf,
  textOf,
  wordOf,
} from '../values.ts'
import { type CatalogEntry, type CatalogVariant, type ProductMembers, priceOf, type VariantMembers } from './catalog.ts'
import { catalogFormat } from './load.ts'
import {
  attributeColumns,
  WOOCOMMERCE,
  WOOCOMMERCE_SETS,
  type WooAttribute,
  type WooMember,
} from './woocommerce-columns.ts'

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
function readWooCommerce(file: CsvFile): AsyncGenerator<CatalogEntry> {
  const columns = columnsOf(file, WOOCOMMERCE)
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
  layout: WOOCOMMERCE,
  sets: WOOCOMMERCE_SETS,
  read: readWooCommerce,
})

/** A description: the export writes a line break as `\n`, and these two characters as `\\n`. */
function descriptionOf(cell: Cell): string | undefined {
  const text = cell.text.replace(/\\(\\n|n)/g, (_, what) => (what === 'n' ? '\n' : '\\n'))
  return textOf({ ...cell, text }, DESCRIPTION_CHARACTERS)
}

/** True if a sale price is valid today, by its dates. */
function isSaleTime(starts: Cell, ends: Cell): boolean {
  const now = Date.now()
  return momentOf(starts, '00:00:00', Number.NEGATIVE_INFINITY) <= now && now <= momentOf(ends, '23:59:59', Infinity)
}

function momentOf(cell: Cell, time: string, without: number): number {
  if (cell.text === '') return without
  const [, day, clock = time] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d{1,2}:\d\d(?::\d\d)?).*)?$/.exec(cell.text) ?? []
  const moment = Date.parse(`${day}T${clock.replace(/^(?=\d:)/, '0')}Z`)
  if (Number.isNaN(moment))
    throw new Refusal(`${cell.heading} "${cell.text}" is not a date such as 2026-05-31`, cell.heading)
  return moment
}

/** A row of the export. */
type WooRow = RowView<WooMember>

const STATUS = { '1': 'active', true: 'active', '0': 'draft', '-1': 'draft', '2': 'draft', false: 'draft' }
const BACKORDERS = { '0': false, no: false, false: false, '1': true, yes: true, true: true, notify: true }

/** The row's name in the shop: its ID, or its SKU if the ID was not exported. */
function idOf({ cell }: WooRow): string {
  const id = textOf(cell('id')) ?? codeOf(cell('sku'))
  if (id === undefined)
    throw new Refusal('the row has neither an ID nor a SKU, so a later import could not find it again')
  return id
}

/** The product that a variation names: `id:741`, or its SKU. */
function parentOf({ cell }: WooRow): { externalId: string } | { sku: string } {
  const parent = codeOf(cell('parent'))
  if (parent === undefined) throw new Refusal('the variation names no product in the column Parent', 'Parent')
  const id = /^id:\s*(\S+)$/i.exec(parent)?.[1]
  return id ? { externalId: id } : { sku: parent }
}

/** The product of a row; `variant` is its own variant, if it has one. */
function productOf(
  { cell }: WooRow,
  productType: string,
  attributes: WooAttribute[],
  metadata: Metadatum[],
  variant?: VariantMembers,
): ProductMembers {
  const name = textOf(cell('name'))
  if (name === undefined) throw new Refusal('the product has no name', cell('name').heading)
  const price = variant && priceOf(variant)
  return presentMembers<ProductMembers>({
    name,
    productType,
    status: wordOf(cell('published'), STATUS) ?? 'active',
    source: 'woo-commerce',
    description: descriptionOf(cell('description')),
    shortDescription: descriptionOf(cell('shortDescription')),
    sku: codeOf(cell('sku')),
    supplier: textOf(cell('brands')),
    images: some(imagesOf(cell('images'))),
    tags: some(listOf(cell('tags'))),
    attributes: some(attributes.map(({ name, values }) => ({ name, values }))),
    metadata: some(metadata),
    minPrice: price,
    maxPrice: price,
  })
}

/** What this row sells: a variation, or a product without variations. */
function variantOf(row: WooRow, separator: string): CatalogVariant {
  const { cell, line } = row
  const price = numberOf(cell('price'), separator)
  const salePrice = numberOf(cell('salePrice'), separator)
  const isReduced = salePrice !== undefined && (price === undefined || salePrice < price)
  const allowBackorder = wordOf(cell('backorders'), BACKORDERS) ?? false
  // A variation's stock can be that of its product, which is not a quantity of its own.
  const shared = cell('stock').text.toLowerCase() === 'parent'
  const stock = shared ? undefined : stockOf(cell('stock'), separator)
  const variant = presentMembers<VariantMembers>({
    manageStock: stock !== undefined,
    allowBackorder,
    sku: codeOf(cell('sku')),
    barcode: codeOf(cell('barcode')),
    price,
    salePrice,
    isOnSale: isReduced && isSaleTime(cell('saleStarts'), cell('saleEnds')),
    costPrice: numberOf(cell('cost'), separator),
    metadata: some(shared ? cellAsMetadata(cell('stock')) : []),
  })
  return { line, externalId: idOf(row), variant, ...(stock !== undefined && { stock }) }
}

/** The variant of a variation, which has its own images, attributes and further facts. */
function variationOf(
  row: WooRow,
  attributes: WooAttribute[],
  metadata: Metadatum[],
  separator: string,
): CatalogVariant {
  const entry = variantOf(row, separator)
  const chosen = attributes.filter(({ text }) => text !== '').map(({ name, text }) => ({ name, value: text }))
  const own = presentMembers<Partial<VariantMembers>>({
    images: some(imagesOf(row.cell('images'))),
    attributes: some(chosen),
    metadata: some([...(entry.variant.metadata ?? []), ...metadata]),
  })
  return { ...entry, variant: { ...entry.variant, ...own } }
}
