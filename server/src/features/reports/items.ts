// What orders, refunds and payments mean as sums: the only place that says which member is which amount.
import { eachInSlices } from '../../concurrency/time-slices.ts'
import { currencyDigits } from '../../core/currency.ts'
import { amountText, decimalText } from '../../core/exact.ts'
import {
  type Amount,
  absolute,
  amountOf,
  columnOf,
  isWithinUnit,
  isZero,
  minus,
  one,
  plus,
  times,
  zero,
} from './amounts.ts'
import { type Entries, type Texts, textsOf } from './entries.ts'
import { REPORT_LINES, REPORT_ROWS } from './limits.ts'

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

/** A line, or what only the summary of its record says. */
interface Item {
  readonly product: string
  readonly variant: string
  readonly taxes: unknown
  readonly sums: Readonly<Record<string, Amount>>
}

const listOf = (value: unknown): any[] => (Array.isArray(value) ? value.slice(0, REPORT_LINES) : [])
const sum = (amounts: readonly Amount[]): Amount => amounts.reduce(plus, zero)
/** The sum of amounts; undefined if there is none. */
const sumOfAny = (amounts: readonly (Amount | undefined)[]): Amount | undefined => {
  const known = amounts.filter((amount) => amount !== undefined)
  return known.length === 0 ? undefined : sum(known)
}
const amountIn = (object: any): Amount => amountOf(object?.amount) ?? zero
const taxOf = ({ totalTax, taxes }: any): Amount =>
  amountOf(totalTax) ?? sumOfAny((Array.isArray(taxes) ? taxes : []).map((tax: any) => amountOf(tax?.amount))) ?? zero

/** A line: gross is before discounts, paid after them. */
interface Line {
  readonly product: string
  readonly variant: string
  readonly name?: string
  readonly taxes: unknown
  readonly gross: Amount
  readonly paid: Amount
  readonly tax: Amount
  readonly quantity: Amount
}

function lineOf(line: any, decimals: number): Line {
  const quantity = amountOf(line.quantity) ?? one
  const [price, total] = [amountOf(line.price), amountOf(line.total)]
  const listed = amountOf(line.subTotal) ?? listPrice(price, quantity, total, decimals)
  // Discounts that the line names count only where its other members do not say enough.
  const named = plus(amountIn(line.discount?.itemDiscount), amountIn(line.discount?.cartDiscount))
  const [gross, paid] = [listed ?? (total ? plus(total, named) : zero), total ?? minus(listed ?? zero, named)]
  return {
    product: line.productId ?? '',
    variant: line.variantId ?? '',
    name: line.name,
    taxes: line.taxes,
    gross,
    paid,
    tax: taxOf(line),
    quantity,
  }
}

/** Price by quantity; the total, if that is the same but for rounding to `decimals`, whichever way: that is no discount. */
function listPrice(
  price: Amount | undefined,
  quantity: Amount,
  total: Amount | undefined,
  decimals: number,
): Amount | undefined {
  const listed = price && times(price, quantity)
  return listed && total && isWithinUnit(total, listed, Math.max(decimals, total.scale)) ? total : listed
}

/** The decimals in which a record is paid: those of its currency, or without one, of its total. */
function decimalsOf({ currency, summary }: any): number {
  return currency ? currencyDigits(currency) : (amountOf(summary?.total)?.scale ?? currencyDigits(undefined))
}

/** The lines of a record; custom sales are lines without a product. */
function linesOf(record: any): Line[] {
  const sold = listOf(record.customSales).map(({ quantity, price, total, totalTax, taxes }) => ({ quantity, price, total, totalTax, taxes })) // biome-ignore format: one thought
  const decimals = decimalsOf(record)
  return [...listOf(record.lineItems), ...sold].map((line) => lineOf(line, decimals))
}

/** The sums of each line of an order, and of a line without a product for what only the summary has: the tip, and discounts, taxes or amounts that no line has. */
function itemsOfOrder(order: any, lines: readonly Line[]): Item[] {
  const { subTotal, total, totalTaxes, discountTotal, tip: tips, isTaxInclusive } = order.summary ?? {}
  const netOf = (paid: Amount, tax: Amount) => (isTaxInclusive === true ? minus(paid, tax) : paid)
  const items = lines.map(({ product, variant, taxes, gross, paid, tax, quantity }): Item => {
    const sums = { count: one, gross, discount: minus(gross, paid), net: netOf(paid, tax), tax, tip: zero, quantity }
    return { product, variant, taxes, sums }
  })
  const [taxes, discounts] = [amountOf(totalTaxes) ?? zero, amountOf(discountTotal)]
  const tip = amountIn(tips)
  const isBare = lines.length === 0
  const of = (name: string) => sum(items.map(({ sums }) => sums[name] as Amount))
  const discount = isZero(of('discount')) ? (discounts ?? amountIn(order.cartDiscount)) : zero
  const tax = isZero(of('tax')) ? taxes : zero
  const gross = isBare ? (amountOf(subTotal) ?? beforeDiscounts()) : zero
  if (isBare || ![gross, discount, tax, tip].every(isZero)) {
    const sums = { count: isBare ? one : zero, gross, discount, net: netOf(minus(gross, discount), tax), tax, tip, quantity: zero } // biome-ignore format: a table
    items.push({ product: '', variant: '', taxes: undefined, sums })
  }
  return items

  function beforeDiscounts(): Amount {
    const paid = amountOf(total)
    if (paid === undefined) return zero
    return minus(minus(plus(paid, discounts ?? zero), tip), isTaxInclusive === true ? zero : taxes)
  }
}

/** What each line of a refund pays back, with its tax, and in a line without a product what the refund's total pays back beyond its lines. */
function itemsOfRefund(refund: any, lines: readonly Line[]): Item[] {
  const { total, isTaxInclusive } = refund.summary ?? {}
  const items = lines.map(({ product, variant, taxes, paid, tax }): Item => {
    const sums = { refund: absolute(isTaxInclusive === true ? paid : plus(paid, tax)) }
    // A custom sale is refunded as a product of this name.
    return product === 'custom-sale' ? { product: '', variant: '', taxes, sums } : { product, variant, taxes, sums }
  })
  const paidBack = amountOf(total)
  const rest = paidBack && minus(absolute(paidBack), sum(items.map(({ sums }) => sums.refund as Amount)))
  if (rest && !isZero(rest)) items.push({ product: '', variant: '', taxes: undefined, sums: { refund: rest } })
  return items
}

/** An item by its tax rates, with its tax at each; a rate is '' if there is none. */
function byRate({ taxes, sums }: Item): { readonly rate: string; readonly sums: Item['sums'] }[] {
  if (!Array.isArray(taxes) || taxes.length === 0) return [{ rate: '', sums }]
  const rates = Map.groupBy(taxes, (tax: any) => rateOf(tax?.percentage))
  return Array.from(rates, ([rate, own]) => {
    const tax = sumOfAny(own.map((one: any) => amountOf(one?.amount)))
    return { rate, sums: tax === undefined || sums.tax === undefined ? sums : { ...sums, tax } }
  })
}

/** A percentage without trailing zeros, as reports show it. */
function rateOf(percentage: unknown): string {
  const amount = amountOf(percentage)
  return amount === undefined ? '' : decimalText(amountText(BigInt(amount.units), amount.scale))
}

/** The entries of rows, each with the keys of its record, and further keys. */
function entriesOf(
  keys: Readonly<Record<string, Texts>>,
  rows: readonly { readonly record: number; readonly sums: Item['sums'] }[],
  more: Readonly<Record<string, Texts>> = {},
): Entries {
  const places = Uint32Array.from(rows, ({ record }) => record)
  const own = Object.entries(keys).map(([name, texts]) => [name, { values: texts.values, places: places.map((place) => texts.places[place] as number) }]) // biome-ignore format: one thought
  const names = Object.keys(rows[0]?.sums ?? {})
  const sums = names.map((name) => [name, columnOf(rows.map(({ sums }) => sums[name] as Amount))])
  return { length: rows.length, keys: { ...Object.fromEntries(own), ...more }, sums: Object.fromEntries(sums) }
}

/** The sums of a whole record: those of its items, and itself as one. */
function wholeOf(items: readonly Item[], names: readonly string[], countName: string): Item['sums'] {
  const sums = names.map((name) => [name, sum(items.map(({ sums }) => sums[name] as Amount))])
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
  readonly itemsOf: (body: any, lines: readonly Line[]) => readonly Item[]
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
