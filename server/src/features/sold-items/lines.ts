// What the lines of orders and refunds mean as sums: which of their members is which amount.
import { currencyDigits } from '../../core/currency.ts'
import { amountText, apportion, decimalText, type Exact, over, plus, rounded, times, whole } from '../../core/exact.ts'
import { absolute, amountOf, inUnits, isWithinUnit, isZero, minus, one, scaleOf, zero } from './decimals.ts'

/** Lines of an order that are summed, the first ones: as many as records in a bulk request; 2 MB of them would be 100,000. */
const REPORT_LINES = 1_000

/** The keys that distinguish sums: texts by the names of keys. */
type Keys = Readonly<Record<string, string>>
/** Amounts by the names of sums. */
type ItemSums = Readonly<Record<string, Exact>>

/** A line, or the amounts that only the summary of its record has. */
export interface SummedItem {
  readonly keys: Keys
  readonly taxes?: unknown
  readonly sums: ItemSums
}

export const noProduct: Keys = { product: '', variant: '' }
export const listOf = (value: unknown, most = REPORT_LINES): any[] => (Array.isArray(value) ? value.slice(0, most) : [])
export const sumOf = (amounts: readonly Exact[]): Exact => amounts.reduce(plus, zero)
/** The sum of amounts; undefined if there is none. */
const sumOfAny = (amounts: readonly (Exact | undefined)[]): Exact | undefined => {
  const known = amounts.filter((amount) => amount !== undefined)
  return known.length === 0 ? undefined : sumOf(known)
}
export const amountIn = (object: any): Exact => amountOf(object?.amount) ?? zero
export const taxOf = ({ totalTax, taxes }: any): Exact =>
  amountOf(totalTax) ?? sumOfAny((Array.isArray(taxes) ? taxes : []).map((tax: any) => amountOf(tax?.amount))) ?? zero

/** A line: gross is before discounts, paid after them. */
export interface SummedLine extends Omit<SummedItem, 'sums'> {
  readonly gross: Exact
  readonly paid: Exact
  readonly tax: Exact
  readonly quantity: Exact
  /** Whether it has an amount. */
  readonly isPriced: boolean
}

function lineOf(line: any, rounding: Rounding): SummedLine {
  const quantity = amountOf(line.quantity) ?? one
  const total = amountOf(line.total)
  const listed = listPrice(line, quantity, total, rounding)
  // Discounts that the line names count only if its other members do not determine them.
  const named = plus(amountIn(line.discount?.itemDiscount), amountIn(line.discount?.cartDiscount))
  const gross = listed ?? (total ? plus(total, named) : zero)
  const paid = total ?? minus(listed ?? zero, named)
  const tax = taxOf(line)
  return {
    keys: { product: line.productId ?? '', variant: line.variantId ?? '' },
    taxes: withAmounts(line.taxes, tax, rounding),
    gross,
    paid,
    tax,
    quantity,
    isPriced: (listed ?? total) !== undefined,
  }
}

/** The taxes of a line with their amounts. Taxes without an amount share the rest of the line's tax in proportion to their rates. */
function withAmounts(taxes: unknown, tax: Exact, { digits }: Rounding): unknown {
  if (!Array.isArray(taxes)) return taxes
  const isOpen = taxes.map((one) => amountOf(one?.amount) === undefined)
  if (!isOpen.includes(true)) return taxes
  const rest = minus(tax, sumOf(taxes.map(amountIn)))
  const rates = taxes.map((one, n) => (isOpen[n] ? absolute(amountOf(one?.percentage) ?? zero) : zero))
  const shares = isZero(sumOf(rates)) ? isOpen.map((isOne) => (isOne ? one : zero)) : rates
  const scale = Math.max(digits, scaleOf(rest))
  const units = rounded(rest, scale)
  const parts = shares.map((share) => over(times(whole(units), share), sumOf(shares)))
  const amounts = apportion(parts, units)
  return taxes.map((one, n) => (isOpen[n] ? { ...one, amount: amountText(amounts[n] as bigint, scale) } : one))
}

/**
 * What a line costs before discounts: its subtotal, else its price times its quantity, rounded as its total is, or to units of its currency; or its total, if that
 * differs only by rounding in either direction, which is not a discount.
 */
function listPrice(
  line: any,
  quantity: Exact,
  total: Exact | undefined,
  { digits, finest }: Rounding,
): Exact | undefined {
  const subTotal = amountOf(line.subTotal)
  const price = amountOf(line.price)
  const listed = subTotal ?? (price && times(price, quantity))
  if (listed === undefined) return undefined
  if (total === undefined) return subTotal ?? inUnits(listed, digits)
  if (isWithinUnit(total, listed, Math.max(finest, scaleOf(total)))) return total
  return subTotal ?? inUnits(listed, Math.max(digits, scaleOf(total)))
}

/** How the amounts of a record's lines are rounded. */
interface Rounding {
  /** Their least number of decimals. */
  readonly digits: number
  /** The decimals up to which a total that differs is rounded, and not discounted. */
  readonly finest: number
}

function roundingOf({ currency, summary }: any): Rounding {
  const discounts = amountOf(summary?.discountTotal)
  const digits = currencyDigits(currency)
  // If a record says that it has no discount, tills have rounded to whole units where nobody pays with less; the service used to do so for forints and rupees.
  return { digits, finest: discounts && isZero(discounts) ? 0 : digits }
}

/** The lines of a record, the first ones; custom sales are lines without a product. */
export function linesOf(record: any, most?: number): SummedLine[] {
  const sold = listOf(record.customSales, most).map(({ quantity, price, total, totalTax, taxes }) => ({
    quantity,
    price,
    total,
    totalTax,
    taxes,
  }))
  const rounding = roundingOf(record)
  return [...listOf(record.lineItems, most), ...sold].map((line) => lineOf(line, rounding))
}

/** An item by its tax rates, as a further key, with its tax at each, or what is paid back of it; a rate is '' if there is none. */
export function byRate<T extends SummedItem>(item: T): T[] {
  const { keys, taxes, sums } = item
  if (!Array.isArray(taxes) || taxes.length === 0) return [{ ...item, keys: { rate: '', ...keys } }]
  const rates = Map.groupBy(taxes, (tax: any) => rateOf(tax?.percentage))
  return Array.from(rates, ([rate, own]) => {
    const tax = sumOf(own.map(amountIn))
    return { ...item, keys: { ...keys, rate }, sums: sumsAtRate(sums, tax) }
  })
}

/** The sums of an item at one of its rates. A refund contains tax, so only the tax at this rate stays in it. */
function sumsAtRate(sums: ItemSums, tax: Exact): ItemSums {
  const { refund = zero, refund_tax } = sums
  if (refund_tax === undefined) return { ...sums, tax }
  return { ...sums, refund: plus(minus(refund, refund_tax), tax), refund_tax: tax }
}

/** A percentage without trailing zeros, as reports show it. */
export function rateOf(percentage: unknown): string {
  const amount = amountOf(percentage)
  return amount === undefined ? '' : decimalText(amountText(amount.n, scaleOf(amount)))
}
