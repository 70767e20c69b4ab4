// Reads Square's item library export: one row per variation. The rows of an item are consecutive and repeat the item's cells.

import { DESCRIPTION_CHARACTERS } from '../../../core/limits.ts'
import { OperatorError } from '../../../core/operator-error.ts'
import type { CsvFile } from '../csv.ts'
import {
  brokenRow,
  type ColumnPositions,
  cellAsMetadata,
  columnsOf,
  type Layout,
  normalHeading,
  type RowView,
  refusedRow,
  refuseRepeated,
  rowViews,
} from '../layout.ts'
import {
  codeOf,
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
import {
  type CatalogEntry,
  type CatalogVariant,
  completedProduct,
  inEveryFile,
  inOwnColumn,
  type ProductMembers,
  type SettingColumns,
  type VariantMembers,
} from './catalog.ts'
import { catalogFormat } from './load.ts'

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

/** The state of reading one file. */
interface Reading {
  readonly separator: string
  /** The column of the stock at the outlet, and those of all locations. */
  readonly stock: number | undefined
  readonly stocks: readonly number[]
  readonly options: readonly { readonly name: number; readonly value: number }[]
  readonly notes: readonly { readonly at: number; readonly ofVariation: boolean; readonly silent: readonly string[] }[]
  /** The lines of the items and variations that were read so far. */
  readonly items: Map<string, number>
  readonly variations: Map<string, number>
}

// Square allows 250 variations of an item; a file with a single item must not fill the memory.
const ITEM_ROWS = 2500

/**
 * The catalogue in an item library export of Square, with the stock of the location that has the outlet's name. An item
 * that appears again further down yields an addition. Throws an OperatorError if no location has the outlet's name.
 */
export async function* readSquare(file: CsvFile, outletName?: string): AsyncGenerator<CatalogEntry> {
  const columns = columnsOf(file, layout)
  const view = rowViews(file, columns)
  const stocks = columns.others.filter(({ normal }) => STOCK.test(normal))
  const reading: Reading = {
    separator: file.separator,
    stock: stockColumn(file, stocks, outletName),
    stocks: stocks.map(({ at }) => at),
    options: optionColumns(columns.others),
    notes: noteColumns(columns.others),
    items: new Map(),
    variations: new Map(),
  }
  let rows: SquareRow[] = []
  for await (const raw of file.rows()) {
    if ('problem' in raw) {
      yield brokenRow(raw)
      continue
    }
    const row = view(raw)
    if (rows.length === ITEM_ROWS || (rows[0] && itemOf(rows[0]) !== itemOf(row))) {
      yield* entriesOf(rows, reading)
      rows = []
    }
    rows.push(row)
  }
  yield* entriesOf(rows, reading)
}

export const squareCatalog = catalogFormat({ layout, sets, read: readSquare })

/** The key of a row's item. Exports without handles identify an item by its name alone. */
const itemOf = ({ cell }: SquareRow): string => cell('handle').text || cell('name').text

/** The stock column for an outlet: the only one, else that of the location with the outlet's name. */
function stockColumn(
  file: CsvFile,
  found: ColumnPositions<SquareMember>['others'],
  outletName: string | undefined,
): number | undefined {
  if (found.length < 2) return found[0]?.at
  const own = found.find(({ normal }) => normal.replace(STOCK, '') === normalHeading(outletName ?? ''))
  if (own) return own.at
  const locations = found.map(({ heading }) => `"${heading.replace(/^current quantity\s*/i, '')}"`).join(', ')
  throw new OperatorError(
    `${file.name} has stock for the locations ${locations}, but ${outletName === undefined ? 'the company has no outlet' : `the outlet is called "${outletName}"`}. Give each outlet the name of its location and import the file once per outlet, or remove the columns "Current Quantity …" to import no stock.`,
  )
}

const optionColumns = (others: ColumnPositions<SquareMember>['others']): Reading['options'] =>
  others.flatMap(({ at, normal }) => {
    const [, part, number] = OPTION.exec(normal) ?? []
    if (part !== 'value') return []
    return [{ value: at, name: others.find((other) => other.normal === `option name ${number}`)?.at ?? -1 }]
  })

const noteColumns = (others: ColumnPositions<SquareMember>['others']): Reading['notes'] =>
  others
    .filter(({ normal }) => layout.others?.(normal) === 'metadata')
    .map(({ at, normal }) => ({
      at,
      ofVariation: OF_VARIATION.test(normal),
      silent: USUALLY_YES.test(normal) ? ['y'] : ['n', ...USUAL_TEXTS],
    }))

const notesOf = ({ at }: SquareRow, { notes }: Reading, ofVariation: boolean): Metadatum[] =>
  notes.flatMap((column) => (column.ofVariation === ofVariation ? cellAsMetadata(at(column.at), column.silent) : []))

/** The item of consecutive rows, and the rows that cannot be imported. */
function* entriesOf(rows: readonly SquareRow[], reading: Reading): Generator<CatalogEntry> {
  const variants: CatalogVariant[] = []
  let first: SquareRow | undefined
  for (const row of rows)
    try {
      const variant = variationOf(row, rows.length === 1, reading)
      const { heading, text } = row.cell('token')
      refuseRepeated(reading.variations, variant.externalId, row.line, text === '' ? undefined : heading)
      variants.push(variant)
      first ??= row
    } catch (cause) {
      yield refusedRow(row.line, cause)
    }
  if (first === undefined) return
  const { line } = first
  const externalId = itemOf(first)
  try {
    const isKnown = reading.items.has(externalId)
    const product = isKnown ? undefined : productOf(first, reading)
    reading.items.set(externalId, line)
    yield product === undefined
      ? { kind: 'addition', line, parent: { externalId }, images: [], variants }
      : { kind: 'product', ...completedProduct({ line, externalId, ...product, variants }, []) }
  } catch (cause) {
    for (const variant of variants) yield refusedRow(variant.line, cause)
  }
}

/** The product of an item, from its first row that can be imported. */
function productOf(row: SquareRow, reading: Reading): { product: ProductMembers; categories: string[][] } {
  const { cell } = row
  const product = presentMembers<ProductMembers>({
    name: textOf(cell('name')) ?? '',
    productType: 'simple',
    status: wordOf(cell('archived'), { y: 'archived', n: 'active' }) ?? 'active',
    source: layout.source,
    description: textOf(cell('description'), DESCRIPTION_CHARACTERS),
    supplier: textOf(cell('vendor')),
    metadata: some(notesOf(row, reading, false)),
  })
  // Square adds the id to categories with the same name: `Books (T2B3ROTJ3HFGVBO22QLOOJDE)`.
  const categories = (['categories', 'reportingCategory'] as const).flatMap((member) => {
    const { heading, text } = cell(member)
    return pathsOf({ heading, text: text.replace(/\([A-Z0-9]{20,}\)/g, '') })
  })
  return { product, categories: [...new Map(categories.map((path) => [path.join('\n'), path])).values()] }
}

/** The variation of a row; `isAlone` if it is the only one of its item. */
function variationOf(row: SquareRow, isAlone: boolean, reading: Reading): CatalogVariant {
  const { cell, line } = row
  const { separator } = reading
  if (cell('name').text === '') throw new Refusal('the product has no name', cell('name').heading)
  const price = cell('price')
  // The till asks for the price.
  const isOpenPrice = price.text.toLowerCase() === 'variable'
  const stock = reading.stock === undefined ? undefined : stockOf(row.at(reading.stock), separator)
  const options = optionsOf(row, reading)
  const variation = textOf(cell('variation'))
  const named = options.length > 0 || variation === undefined ? options : [{ name: 'Variation', value: variation }]
  // `Regular` is Square's default name for the only variation of an item.
  const isPlain = isAlone && options.length === 0 && variation?.toLowerCase() === 'regular'
  const variant = presentMembers<VariantMembers>({
    // True if any location counts it: the file is imported once for each location.
    manageStock: reading.stocks.some((column) => row.at(column).text !== ''),
    allowBackorder: false,
    sku: codeOf(cell('sku')),
    barcode: codeOf(cell('barcode')),
    price: isOpenPrice ? undefined : numberOf(price, separator),
    costPrice: numberOf(cell('cost'), separator),
    attributes: some(isPlain ? [] : named),
    metadata: some([...(isOpenPrice ? cellAsMetadata(price) : []), ...notesOf(row, reading, true)]),
  })
  // The same with one variation or several, since a second one may be added later.
  const id = textOf(cell('token')) ?? [itemOf(row), ...named.map(({ value }) => value)].join('/')
  return {
    line,
    externalId: textOf({ heading: 'Item Name with variation', text: id }) ?? id,
    variant,
    ...(stock !== undefined && { stock }),
  }
}

/** The value of each option of an item. */
const optionsOf = ({ at }: SquareRow, { options }: Reading): { name: string; value: string }[] =>
  options.flatMap(({ name, value }) => {
    const text = textOf(at(value))
    return text === undefined ? [] : [{ name: textOf(at(name)) ?? 'Option', value: text }]
  })
