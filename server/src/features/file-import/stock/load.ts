// Loads a file that has only stock, with a row for each variant and location: sets the levels of variants that the company has.

import { Problem } from '../../../core/problem.ts'
import type { CsvFile } from '../csv.ts'
import type { RefusedEntry } from '../layout.ts'
import { inBatches, type Loading } from '../load.ts'
import { locationOutlets, type OutletStock, withoutOutlet } from '../locations.ts'
import { type ImportDraft, reasonOf } from '../records.ts'
import { findVariants, type Stored } from '../stored.ts'
import { Refusal } from '../values.ts'

/** The stock of a variant at a location. */
export interface StockRow {
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

type ReadStock = (file: CsvFile) => AsyncGenerator<StockRow | RefusedEntry>

/** A row whose stock goes to an outlet. */
interface PlacedRow extends StockRow, OutletStock {
  readonly stock: number
}

/** Reads the file twice: first for its locations, then for their stock. */
export async function loadStock(loading: Loading, read: ReadStock): Promise<void> {
  const { load, refuse, followed } = loading
  const { outletOf, outletIds } = await findPlaces(loading, read)
  /** The lines of the levels so far, by variant and outlet. */
  const lines = new Map<string, number>()
  async function* placed(): AsyncGenerator<PlacedRow> {
    for await (const row of followed(read(load.file), 2, 2)) {
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
async function findPlaces({ load, refuse, followed }: Loading, read: ReadStock) {
  const found = new Map<string, { first: StockRow | undefined; variants: number }>()
  for await (const row of followed(read(load.file), 1, 2)) {
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
