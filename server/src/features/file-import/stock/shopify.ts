// Reads Shopify's inventory export: a row for each variant and location. The headings are those of its help page "Inventory CSV
// file format" of 2022 to 2024, and those that followed, with `(not editable)`, `(current)` and `(new)`.

import type { CsvFile } from '../csv.ts'
import { columnsOf, type Layout, type RefusedEntry, type RowView, rowEntries } from '../layout.ts'
import type { Format } from '../load.ts'
import { type Cell, codeOf, Refusal, stockOf, textOf } from '../values.ts'
import { loadStock, type StockRow } from './load.ts'

const HEADINGS = {
  handle: ['Handle', 'URL handle'],
  title: ['Title'],
  option1Value: ['Option1 Value'],
  option2Value: ['Option2 Value'],
  option3Value: ['Option3 Value'],
  sku: ['SKU', 'Variant SKU'],
  location: ['Location'],
  available: ['Available (not editable)', 'Available'],
  onHand: ['On hand (current)', 'On hand'],
  counted: ['On hand (new)'],
} as const
type StockMember = keyof typeof HEADINGS

const layout: Layout<StockMember> = {
  kind: 'stock',
  shop: 'shopify',
  source: 'shopify',
  what: 'an inventory export of Shopify',
  headings: HEADINGS,
  as: {
    handle: 'externalId',
    title: 'name',
    option1Value: 'externalId',
    option2Value: 'externalId',
    option3Value: 'externalId',
    location: 'outletId',
    available: 'stock',
    onHand: 'stock',
    counted: 'stock',
  },
  required: [['handle'], ['location'], ['available', 'onHand', 'counted']],
  signs: {
    atLeast: 2,
    of: ['hs code', 'coo', 'location', 'bin name', 'incoming', 'incoming (not editable)', 'unavailable', 'unavailable (not editable)', 'committed', 'committed (not editable)', 'available', 'available (not editable)', 'on hand', 'on hand (current)', 'on hand (new)'], // biome-ignore format: one list
  },
  others: () => undefined,
}

/** The stock in an inventory export of Shopify. */
export const shopifyStock: Format = { ...layout, load: (loading) => loadStock(loading, readShopifyStock) }

/** The rows of a file. Its locations are in one column. */
function readShopifyStock(file: CsvFile): AsyncGenerator<StockRow | RefusedEntry> {
  return rowEntries(file, columnsOf(file, layout), (row) => rowOf(row, file.separator))
}

function rowOf(row: RowView<StockMember>, separator: string): StockRow {
  const { cell, line } = row
  const handle = textOf(cell('handle'))
  const location = textOf(cell('location'))
  if (handle === undefined) throw new Refusal('the row has no handle', cell('handle').heading)
  if (location === undefined) throw new Refusal('the row has no location', cell('location').heading)
  const options = (['option1Value', 'option2Value', 'option3Value'] as const).flatMap((member) => {
    const value = textOf(cell(member))
    // The name of the only variant of a product, which the product export has too.
    return value === undefined || value === 'Default Title' ? [] : [value]
  })
  return {
    line,
    externalId: [handle, ...options].join('/'),
    sku: codeOf(cell('sku')),
    location,
    column: cell('location').heading,
    stock: quantityOf(row, separator),
  }
}

/**
 * The stock that can be sold, as in the product export: without units that are committed to orders or unavailable. A count that was
 * entered as `On hand (new)` changes it by the difference. Undefined if the variant is not stocked at the location.
 */
function quantityOf({ cell }: RowView<StockMember>, separator: string): number | undefined {
  const available = unitsOf(cell('available'), separator)
  const onHand = unitsOf(cell('onHand'), separator)
  const counted = unitsOf(cell('counted'), separator)
  if (available === undefined) return counted ?? onHand
  if (counted === undefined) return available
  return onHand === undefined ? counted : Number((available + counted - onHand).toFixed(6))
}

const unitsOf = (cell: Cell, separator: string): number | undefined =>
  cell.text.toLowerCase() === 'not stocked' ? undefined : stockOf(cell, separator)
