// Loads a file that has only stock, with a row for each variant and location: sets the levels of variants that the company has. So far
// that is the inventory export of Shopify.

import { Problem } from '../../core/problem.ts'
import type { CsvFile } from './csv.ts'
import { columnsOf, type Layout, type RefusedEntry, type RowView, rowEntries } from './layout.ts'
import { type Format, inBatches, type Loading } from './load.ts'
import { locationOutlets, type OutletStock, withoutOutlet } from './locations.ts'
import { type ImportDraft, reasonOf } from './records.ts'
import { findVariants, type Stored } from './stored.ts'
import { type Cell, codeOf, Refusal, stockOf, textOf } from './values.ts'

/** The stock of a variant at a location. */
interface StockRow {
  readonly line: number
  /** The id of the variant in the shop; one without it is found by its SKU. */
  readonly externalId: string
  readonly sku: string | undefined
  readonly location: string
  /** The heading of the location. */
  readonly column: string
  /** Undefined if the variant is not stocked there. */
  readonly stock: number | undefined
}

/** A row whose stock goes to an outlet. */
interface PlacedRow extends StockRow, OutletStock {
  readonly stock: number
}

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
export const shopifyStock: Format = { ...layout, load: loadStock }

/** The rows of a file. Its locations are in one column. */
function readStock(file: CsvFile): AsyncGenerator<StockRow | RefusedEntry> {
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

/** Reads the file twice: first for its locations, then for their stock. */
async function loadStock(loading: Loading): Promise<void> {
  const { load, refuse, followed } = loading
  const { outletOf, outletIds } = await findPlaces(loading)
  /** The lines of the levels so far, by variant and outlet. */
  const lines = new Map<string, number>()
  async function* placed(): AsyncGenerator<PlacedRow> {
    for await (const row of followed(readStock(load.file), 2, 2)) {
      if ('reason' in row || row.stock === undefined) continue
      const outletId = outletOf(row.location)
      if (outletId !== undefined) yield { ...row, stock: row.stock, outletId }
    }
  }
  await inBatches(placed(), async (batch) => {
    const drafts = await draftLevels(loading, batch, outletIds, lines)
    for (const [draft, outcome] of await loading.records.put('variants', drafts))
      if (outcome instanceof Problem) for (const line of draft.lines) refuse({ line, reason: reasonOf(outcome) })
  })
}

/**
 * Finds the locations of a file, even those without stock, and their outlets; refuses rows that cannot be read, and the first row of
 * each location that has stock but no outlet.
 */
async function findPlaces({ load, refuse, followed }: Loading) {
  const found = new Map<string, { first: StockRow | undefined; variants: number }>()
  for await (const row of followed(readStock(load.file), 1, 2)) {
    if ('reason' in row) {
      refuse(row)
      continue
    }
    const { first, variants } = found.get(row.location) ?? { first: undefined, variants: 0 }
    const hasStock = row.stock !== undefined
    found.set(row.location, { first: first ?? (hasStock ? row : undefined), variants: variants + (hasStock ? 1 : 0) })
  }
  if (load.setsStock === false || found.size === 0) return { outletOf: () => undefined, outletIds: [] }
  const places = await locationOutlets(load, [...found.keys()])
  for (const location of places.open) {
    const first = found.get(location)?.first
    if (first) refuse({ line: first.line, column: first.column, reason: withoutOutlet([location]) })
  }
  load.located?.(
    [...found].map(([location, { variants }]) => ({ location, outletId: places.outletOf(location), variants })),
  )
  return places
}

interface LevelsDraft extends ImportDraft {
  readonly levels: OutletStock[]
  readonly lines: number[]
}

/** The variants of a batch, each with its levels; refuses rows without a variant, and a second row for a level. */
async function draftLevels(
  { place, refuse }: Loading,
  batch: readonly PlacedRow[],
  outletIds: readonly string[],
  lines: Map<string, number>,
): Promise<LevelsDraft[]> {
  const byId = await findVariants(place, outletIds, batch)
  // Never those without an SKU: many variants may have none, and each row would read all of them.
  const skus = batch.flatMap(({ externalId, sku }) => (byId.has(externalId) || sku === undefined ? [] : [sku]))
  const bySku = await findVariants(
    place,
    outletIds,
    [...new Set(skus)].map((sku) => ({ externalId: sku })),
    'sku',
  )
  const drafts = new Map<string, LevelsDraft>()
  for (const { line, externalId, sku, location, outletId, stock } of batch)
    try {
      const stored: Stored | undefined = byId.get(externalId) ?? bySku.get(sku ?? '')
      if (stored === undefined)
        throw new Refusal(`the company has no variant "${externalId}"; import the products of the shop first`)
      const level = `${stored.id} ${outletId}`
      const before = lines.get(level)
      if (before !== undefined)
        throw new Refusal(`the stock of "${externalId}" at "${location}" is already in line ${before}`)
      lines.set(level, line)
      const draft = drafts.get(stored.id) ?? { stored, record: stored.record, levels: [], lines: [] }
      draft.levels.push({ outletId, stock })
      draft.lines.push(line)
      drafts.set(stored.id, draft)
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause
      refuse({ line, reason: cause.message })
    }
  return [...drafts.values()]
}
