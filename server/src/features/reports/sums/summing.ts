// Sums records: makes columns of entries from their items, which are their lines, or a whole payment.
import { eachInSlices, inSlices, mapInSlices } from '../../../concurrency/time-slices.ts'
import { decimalOf } from '../../sold-items/decimals.ts'
import { byRate, type SummedItem } from '../../sold-items/lines.ts'
import { type Entries, textsOf } from './entries.ts'
import type { Facet, Source, SummedRecord } from './sources.ts'

/** Lines and tax rates that are converted to columns at a time: some 5 ms. */
const REPORT_ROWS = 2_000

/** An item of a record. It has the keys of the record and its own. A sum that it lacks is zero. */
type ItemRow = SummedItem & { readonly record: SummedRecord }

const entriesOf = (rows: readonly ItemRow[], keys: readonly string[], sums: readonly string[]): Entries => ({
  length: rows.length,
  keys: Object.fromEntries(
    keys.map((name) => [name, textsOf(rows.map(({ record, keys }) => keys[name] ?? record[name] ?? ''))]),
  ),
  sums: Object.fromEntries(
    sums.map((name) => [name, rows.map(({ sums }) => (sums[name] ? decimalOf(sums[name]) : 0))]),
  ),
})

/** The company whose records are summed; records may not name their currency. */
export interface SummedCompany {
  readonly companyId: string
  readonly currency: string | undefined
}

/** The items of records. It pauses after each record. */
function* itemRows(
  { itemsOf }: Source,
  records: readonly SummedRecord[],
  currency: string | undefined,
): Generator<undefined, ItemRow[]> {
  const rows: ItemRow[] = []
  for (const record of records) {
    const made = itemsOf(record, currency)
    for (const item of Array.isArray(made) ? made : yield* made) rows.push({ ...item, record })
    yield
  }
  return rows
}

/** Calls `add` with the entries of some facets of records, in slices of time. */
export async function sumRecords(
  source: Source,
  records: readonly SummedRecord[],
  { companyId, currency }: SummedCompany,
  facets: readonly Facet[],
  add: (entries: Entries, facet: Facet) => Promise<void> | void,
): Promise<void> {
  const items = await inSlices(itemRows(source, records, currency), companyId)
  for (const facet of facets) {
    const rows = facet.keys.includes('rate') ? (await mapInSlices(items, companyId, byRate)).flat() : items
    const portions = Array.from({ length: Math.ceil(rows.length / REPORT_ROWS) }, (_, n) => n * REPORT_ROWS)
    await eachInSlices(portions, companyId, (first) =>
      add(entriesOf(rows.slice(first, first + REPORT_ROWS), facet.keys, source.sums), facet),
    )
  }
}
