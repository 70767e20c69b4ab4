// Reads exports that have one row per variation and repeat the item's cells in each: the rows of an item are a product. Each
// shop declares the columns of its items and variations.

import type { CsvFile } from '../csv.ts'
import {
  brokenRow,
  type ColumnPositions,
  cellAsMetadata,
  columnsOf,
  type Layout,
  type RowView,
  refusedRow,
  refuseRepeated,
  rowViews,
} from '../layout.ts'
import { levelsAt, type OutletOf } from '../locations.ts'
import { type Metadatum, textOf } from '../values.ts'
import {
  type CatalogEntry,
  type CatalogVariant,
  completedProduct,
  type ProductMembers,
  type SettingColumns,
} from './catalog.ts'
import { catalogFormat } from './load.ts'

/** What a reader needs besides the row itself. */
export interface RowFacts {
  readonly separator: string
  /** True if any location counts the variation. */
  readonly isCounted: boolean
  /** The values of the item's options. */
  readonly options: readonly { readonly name: string; readonly value: string }[]
  /** The columns of the variation that have no member. */
  readonly notes: Metadatum[]
  /** True if it is the only row of its item. */
  readonly isAlone: boolean
}

/** The part of an export that is the shop's own. */
export interface VariationRows<Member extends string> {
  readonly layout: Layout<Member>
  /** The member that identifies a variation. */
  readonly idMember: Member
  /** Headings of the stock at a location: the pattern of their prefix, and the prefix as the shop writes it. */
  readonly stock: { readonly pattern: RegExp; readonly shown: string }
  /** Headings of option values, with the option's number as a group, and the heading of its name by that number. */
  readonly option: { readonly value: RegExp; readonly name: (number: string) => string }
  /** Whether another column belongs to the variation, and its default values. */
  readonly note: (normal: string) => { readonly ofVariation: boolean; readonly silent: readonly string[] }
  /** The key of a row's item. */
  readonly itemOf: (row: RowView<Member>) => string
  /** The product of an item, by its first row that can be imported. */
  readonly productOf: (
    row: RowView<Member>,
    notes: Metadatum[],
    rows: readonly RowView<Member>[],
  ) => { product: ProductMembers; categories: string[][] }
  /** The variation of a row, without its stock. */
  readonly variationOf: (row: RowView<Member>, facts: RowFacts) => CatalogVariant
}

/** The state of reading one file. */
interface Reading<Member extends string> {
  readonly shop: VariationRows<Member>
  readonly separator: string
  /** The columns of stock, and the outlets of their locations. */
  readonly stocks: readonly StockColumn[]
  readonly outletOf: OutletOf
  readonly options: readonly { readonly name: number; readonly value: number }[]
  readonly notes: readonly { readonly at: number; readonly ofVariation: boolean; readonly silent: readonly string[] }[]
  /** The lines of the items and variations that were read so far. */
  readonly items: Map<string, number>
  readonly variations: Map<string, number>
}

/** A column with the stock at a location. */
interface StockColumn {
  readonly at: number
  readonly heading: string
  readonly location: string
}

// Shops allow some hundred variations of an item; a file with a single item must not fill the memory.
const ITEM_ROWS = 2500

type Others = ColumnPositions<string>['others']

/** The format of an export with a row per variation. */
export const variationFormat = <Member extends string>(shop: VariationRows<Member>, sets: SettingColumns) =>
  catalogFormat({
    layout: shop.layout,
    sets,
    read: (file, outletOf) => readVariationRows(shop, file, outletOf),
    locations: (file) => stockColumns(columnsOf(file, shop.layout).others, shop.stock),
  })

/**
 * The catalogue in an export with a row per variation, with the stock of its locations. An item that appears again further
 * down yields an addition.
 */
async function* readVariationRows<Member extends string>(
  shop: VariationRows<Member>,
  file: CsvFile,
  outletOf: OutletOf,
): AsyncGenerator<CatalogEntry> {
  const columns = columnsOf(file, shop.layout)
  const view = rowViews(file, columns)
  const reading = readingOf(shop, file, columns.others, outletOf)
  let rows: RowView<Member>[] = []
  for await (const raw of file.rows()) {
    if ('problem' in raw) {
      yield brokenRow(raw)
      continue
    }
    const row = view(raw)
    if (rows.length === ITEM_ROWS || (rows[0] && shop.itemOf(rows[0]) !== shop.itemOf(row))) {
      yield* entriesOf(rows, reading)
      rows = []
    }
    rows.push(row)
  }
  yield* entriesOf(rows, reading)
}

function readingOf<Member extends string>(
  shop: VariationRows<Member>,
  file: CsvFile,
  others: Others,
  outletOf: OutletOf,
): Reading<Member> {
  const notes = others.filter(({ normal }) => shop.layout.others?.(normal) === 'metadata')
  return {
    shop,
    separator: file.separator,
    stocks: stockColumns(others, shop.stock),
    outletOf,
    options: optionColumns(others, shop.option),
    notes: notes.map(({ at, normal }) => ({ at, ...shop.note(normal) })),
    items: new Map(),
    variations: new Map(),
  }
}

const stockColumns = (others: Others, { pattern, shown }: VariationRows<string>['stock']): StockColumn[] =>
  others
    .filter(({ normal }) => pattern.test(normal))
    .map(({ at, heading }) => ({ at, heading, location: heading.trim().slice(shown.length).trim() }))

const optionColumns = (others: Others, { value, name }: VariationRows<string>['option']) =>
  others.flatMap(({ at, normal }) => {
    const [, number] = value.exec(normal) ?? []
    if (number === undefined) return []
    return [{ value: at, name: others.find((other) => other.normal === name(number))?.at ?? -1 }]
  })

const notesOf = <Member extends string>({ at }: RowView<Member>, { notes }: Reading<Member>, ofVariation: boolean) =>
  notes.flatMap((column) => (column.ofVariation === ofVariation ? cellAsMetadata(at(column.at), column.silent) : []))

/** The item of consecutive rows, and the rows that cannot be imported. */
function* entriesOf<Member extends string>(
  rows: readonly RowView<Member>[],
  reading: Reading<Member>,
): Generator<CatalogEntry> {
  const { shop } = reading
  const variants: CatalogVariant[] = []
  const good: RowView<Member>[] = []
  for (const row of rows)
    try {
      const variant = { ...shop.variationOf(row, factsOf(row, rows.length === 1, reading)), ...stockIn(row, reading) }
      const { heading, text } = row.cell(shop.idMember)
      refuseRepeated(reading.variations, variant.externalId, row.line, text === '' ? undefined : heading)
      variants.push(variant)
      good.push(row)
    } catch (cause) {
      yield refusedRow(row.line, cause)
    }
  const [first] = good
  if (first === undefined) return
  const { line } = first
  const externalId = shop.itemOf(first)
  try {
    const product = reading.items.has(externalId)
      ? undefined
      : shop.productOf(first, notesOf(first, reading, false), good)
    reading.items.set(externalId, line)
    yield product === undefined
      ? { kind: 'addition', line, parent: { externalId }, images: [], variants }
      : { kind: 'product', ...completedProduct({ line, externalId, ...product, variants }, []) }
  } catch (cause) {
    for (const variant of variants) yield refusedRow(variant.line, cause)
  }
}

/** The levels in a row, at the outlets of their locations. */
function stockIn<Member extends string>(row: RowView<Member>, { stocks, outletOf, separator }: Reading<Member>) {
  const levels = stocks.flatMap(({ at, location }) => levelsAt(outletOf, location, row.at(at), separator))
  return levels.length > 0 ? { levels } : {}
}

function factsOf<Member extends string>(row: RowView<Member>, isAlone: boolean, reading: Reading<Member>): RowFacts {
  return {
    separator: reading.separator,
    isCounted: reading.stocks.some(({ at }) => row.at(at).text !== ''),
    options: reading.options.flatMap(({ name, value }) => {
      const text = textOf(row.at(value))
      return text === undefined ? [] : [{ name: textOf(row.at(name)) ?? 'Option', value: text }]
    }),
    notes: notesOf(row, reading, true),
    isAlone,
  }
}
