// Sums records: makes columns of entries from them, from their lines, and from their lines by tax rate.
import { eachInSlices, mapInSlices } from '../../../concurrency/time-slices.ts'
import { absolute, amountOf, one, zero } from './amounts.ts'
import { columnOfAmounts } from './decimals.ts'
import { type Entries, textsOf } from './entries.ts'
import { byRate, type Item, itemsOfOrder, itemsOfRefund, type Keys, type Sums, sumOf } from './items.ts'
import { REPORT_ROWS } from './limits.ts'

/** A record that is summed, by its columns. */
export type SummedRecord = Readonly<Record<string, string>>

/** Entries that a source is summed to: whole records by till or by customer, or their lines by product or by tax rate. */
export interface Facet {
  /** The beginning of its columns in `report_buckets`. */
  readonly name: 'whole' | 'product' | 'line' | 'rate' | 'customer'
  /** What it sums. */
  readonly from: 'whole' | 'item' | 'rated'
  readonly keys: readonly string[]
  readonly sums: readonly string[]
}

/** How the records of a source are summed. */
export interface Summing {
  readonly counts: (record: SummedRecord) => boolean
  /** Its lines; none where the source has no lines, or they do not matter. */
  readonly itemsOf: (record: SummedRecord) => readonly Item[]
  /** The sums of the record as a whole. */
  readonly wholeOf: (items: readonly Item[], record: SummedRecord) => Sums
}

/** The sums of all items, by name. */
const sumsOf = (items: readonly Item[], names: readonly string[]): Sums =>
  Object.fromEntries(names.map((name) => [name, sumOf(items.map(({ sums }) => sums[name] ?? zero))]))

/** The sums of orders, and of refunds, that their lines have. */
export const orderSums = ['count', 'gross', 'discount', 'net', 'tax', 'tip', 'shipping', 'fee', 'quantity'] as const
export const refundSums = ['refund', 'refund_tip', 'refund_shipping', 'refund_fee'] as const

/** The statuses of orders that do not count. */
export const uncounted = ['pending', 'parked', 'cancelled']
/** Of orders, those that are neither pending, parked nor cancelled; of refunds, those whose order counts. */
const counts = ({ status = '' }: SummedRecord) => !uncounted.includes(status)

export const ofOrders: Summing = {
  counts,
  itemsOf: ({ body = '{}' }) => itemsOfOrder(JSON.parse(body)),
  wholeOf: (items) => ({ ...sumsOf(items, orderSums), count: one }),
}
export const ofRefunds: Summing = {
  counts,
  itemsOf: ({ body = '{}' }) => itemsOfRefund(JSON.parse(body)),
  wholeOf: (items) => ({ ...sumsOf(items, refundSums), refund_count: one }),
}
/** Orders that count, without reading their lines. */
export const ofOrderCounts: Summing = { counts, itemsOf: () => [], wholeOf: () => ({ count: one }) }
/** Payments and what was paid back, without signs; transactions of other types do not count. */
export const ofPayments: Summing = {
  counts: ({ type = '' }) => ['', 'sale', 'refund'].includes(type),
  itemsOf: () => [],
  wholeOf(_, { type, amount }) {
    const own = amountOf(amount) ?? zero
    return type === 'refund' ? { refund: absolute(own), refund_count: one } : { gross: own, count: one }
  },
}

/** A row of columns: it has the keys of its record, and further keys. A sum that it lacks is zero. */
interface Row {
  readonly record: SummedRecord
  readonly keys?: Keys
  readonly sums: Sums
}

/** What a facet sums of a record. */
function rowsOf({ wholeOf }: Summing, { from }: Facet, record: SummedRecord, items: readonly Item[]): Row[] {
  if (from === 'whole') return [{ record, sums: wholeOf(items, record) }]
  const parts = from === 'item' ? items : items.flatMap(byRate)
  return parts.map(({ keys, sums }) => ({ record, keys, sums }))
}

const entriesOf = (rows: readonly Row[], { keys, sums }: Facet): Entries => ({
  length: rows.length,
  keys: Object.fromEntries(
    keys.map((name) => [name, textsOf(rows.map(({ record, keys }) => keys?.[name] ?? record[name] ?? ''))]),
  ),
  sums: Object.fromEntries(sums.map((name) => [name, columnOfAmounts(rows.map(({ sums }) => sums[name] ?? zero))])),
})

/** The name of a product in a line, at the moment of its record. */
export interface ProductName {
  readonly product: string
  readonly name: string
  readonly moment: string
}

/**
 * Calls `add` with the entries of some facets of records, which must be in the order of their moments. Works in slices
 * of time. Returns the names in the latest lines of products.
 */
export async function sumRecords(
  { summing }: { readonly summing: Summing },
  records: readonly SummedRecord[],
  companyId: string,
  facets: readonly Facet[],
  add: (entries: Entries, facet: Facet) => Promise<void> | void,
): Promise<ProductName[]> {
  const counted = records.filter(summing.counts)
  const items = await mapInSlices(counted, companyId, summing.itemsOf)
  for (const facet of facets) {
    const made = await mapInSlices(counted, companyId, (record, n) => rowsOf(summing, facet, record, items[n] ?? []))
    const rows = made.flat()
    const portions = Array.from({ length: Math.ceil(rows.length / REPORT_ROWS) }, (_, n) => n * REPORT_ROWS)
    await eachInSlices(portions, companyId, (first) =>
      add(entriesOf(rows.slice(first, first + REPORT_ROWS), facet), facet),
    )
  }
  const names = new Map<string, ProductName>()
  for (const [n, { moment = '' }] of counted.entries())
    for (const { keys, name } of items[n] ?? [])
      if (name && keys.product) names.set(keys.product, { product: keys.product, name, moment })
  return [...names.values()]
}
