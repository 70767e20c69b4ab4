// Sums records: makes columns of entries from them, from their lines, and from their lines by tax rate.
import { eachInSlices } from '../../../concurrency/time-slices.ts'
import type { Exact } from '../../../core/exact.ts'
import { absolute, amountOf, one, zero } from './amounts.ts'
import { columnOfAmounts } from './decimals.ts'
import { type Entries, type Texts, textsOf } from './entries.ts'
import { byRate, type Item, itemsOfOrder, itemsOfRefund, linesOf, sumOf } from './items.ts'
import { REPORT_ROWS } from './limits.ts'

/** A record that is summed, by its columns. */
export type SummedRecord = Readonly<Record<string, string>>

/** What records are summed from: themselves, their lines, and their lines by tax rate. A report needs one of them, so each is made when it is asked for. */
export interface Summands {
  readonly whole: () => Entries
  readonly item: () => Entries
  readonly rated: () => Entries
  /** The names in the latest lines of products, each with the moment of its record. */
  readonly names: ReadonlyMap<string, { readonly name: string; readonly moment: string }>
}

/** The keys that whole records have. */
const recordKeys = ['label', 'currency', 'outlet', 'station', 'session', 'employee', 'customer', 'method']

/** The entries of rows, each with the keys of its record, and further keys. */
function entriesOf(
  keys: Readonly<Record<string, Texts>>,
  rows: readonly { readonly record: number; readonly sums: Item['sums'] }[],
  more: Readonly<Record<string, Texts>> = {},
): Entries {
  const places = Uint32Array.from(rows, ({ record }) => record)
  const own = Object.entries(keys).map(([name, texts]) => [name, { values: texts.values, places: places.map((place) => texts.places[place] as number) }]) // biome-ignore format: one thought
  const names = Object.keys(rows[0]?.sums ?? {})
  const sums = names.map((name) => [name, columnOfAmounts(rows.map(({ sums }) => sums[name] as Exact))])
  return { length: rows.length, keys: { ...Object.fromEntries(own), ...more }, sums: Object.fromEntries(sums) }
}

/** The sums of a whole record: those of its items, and itself as one. */
function wholeOf(items: readonly Item[], names: readonly string[], countName: string): Item['sums'] {
  const sums = names.map((name) => [name, sumOf(items.map(({ sums }) => sums[name] as Exact))])
  return { ...Object.fromEntries(sums), [countName]: one }
}

const keysOf = (records: readonly SummedRecord[]): Readonly<Record<string, Texts>> =>
  Object.fromEntries(
    recordKeys
      .filter((name) => records[0]?.[name] !== undefined)
      .map((name) => [name, textsOf(records.map((record) => record[name] as string))]),
  )

/** How records with lines are summed. */
interface Reading {
  readonly itemsOf: typeof itemsOfOrder
  readonly sums: readonly string[]
  readonly countName: string
}

/** Records whose items are made, until they are enough for columns. */
interface Batch {
  readonly records: SummedRecord[]
  readonly items: (readonly Item[])[]
  readonly names: Map<string, { name: string; moment: string }>
  /** Items, and tax rates of lines: rows of columns. */
  rows: number
}

/** Makes a value at the first call. */
function made<T>(make: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= make()
    return value
  }
}

function summandsOf({ records, items, names }: Batch, { sums, countName }: Reading): Summands {
  const keys = keysOf(records)
  const lines = items.flatMap((some, record) => some.map((item) => ({ ...item, record })))
  const ofLines = (items: readonly Item[]) => ({ product: textsOf(items.map(({ product }) => product)), variant: textsOf(items.map(({ variant }) => variant)) }) // biome-ignore format: a table
  return {
    whole: made(() =>
      entriesOf(
        keys,
        items.map((some, record) => ({ record, sums: wholeOf(some, sums, countName) })),
      ),
    ),
    item: made(() => entriesOf(keys, lines, ofLines(lines))),
    rated: made(() => {
      const rated = lines.flatMap((item) => byRate(item).map((one) => ({ ...item, ...one })))
      return entriesOf(keys, rated, { ...ofLines(rated), rate: textsOf(rated.map(({ rate }) => rate)) })
    }),
    names,
  }
}

/** Calls `add` with what records are summed from, in slices of time: many short lines are some batches. */
export type Summing = (
  records: readonly SummedRecord[],
  companyId: string,
  add: (summands: Summands) => Promise<void>,
) => Promise<void>

const uncounted = ['pending', 'parked', 'cancelled']
/** Orders that count, which are neither pending, parked nor cancelled; or refunds whose order counts. */
export const counted = (records: readonly SummedRecord[]) =>
  records.filter(({ status = '' }) => !uncounted.includes(status))

/** Sums the records with lines that count; they come in the order of their moments. */
const summing =
  (reading: Reading): Summing =>
  async (records, companyId, add) => {
    const newBatch = (): Batch => ({ records: [], items: [], names: new Map(), rows: 0 })
    let batch = newBatch()
    await eachInSlices(counted(records), companyId, async (record) => {
      const { body = '{}', moment = '' } = record
      const parsed = JSON.parse(body)
      const lines = linesOf(parsed)
      for (const { product, name } of lines) if (name && product !== '') batch.names.set(product, { name, moment })
      const items = reading.itemsOf(parsed, lines)
      batch.records.push(record)
      batch.items.push(items)
      for (const { taxes } of items) batch.rows += 1 + (Array.isArray(taxes) ? taxes.length : 0)
      if (batch.rows < REPORT_ROWS) return
      const full = batch
      batch = newBatch()
      await add(summandsOf(full, reading))
    })
    if (batch.records.length > 0) await add(summandsOf(batch, reading))
  }

export const sumOrders = summing({
  itemsOf: itemsOfOrder,
  sums: ['gross', 'discount', 'net', 'tax', 'tip', 'quantity'],
  countName: 'count',
})
export const sumRefunds = summing({ itemsOf: itemsOfRefund, sums: ['refund'], countName: 'refund_count' })

const nothing: Entries = { length: 0, keys: {}, sums: {} }
const onlyWhole = (records: readonly SummedRecord[], sumsOf: (record: SummedRecord) => Item['sums']): Summands => ({
  ...{ item: () => nothing, rated: () => nothing, names: new Map() },
  whole: made(() =>
    entriesOf(
      keysOf(records),
      records.map((one, record) => ({ record, sums: sumsOf(one) })),
    ),
  ),
})

/** Orders that count, without reading their lines. */
export const sumOrderCounts: Summing = (orders, _, add) => add(onlyWhole(counted(orders), () => ({ count: one })))

/** Payments and what was paid back, without signs; transactions of other types do not count. */
export const sumPayments: Summing = (transactions, _, add) => {
  const paid = transactions.filter(({ type = '' }) => ['', 'sale', 'refund'].includes(type))
  const summands = onlyWhole(paid, ({ type, amount }) => {
    const own = amountOf(amount) ?? zero
    if (type === 'refund') return { gross: zero, count: zero, refund: absolute(own), refund_count: one }
    return { gross: own, count: one, refund: zero, refund_count: zero }
  })
  return add(summands)
}
