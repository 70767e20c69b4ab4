// Amounts of records, which are exact fractions, and their sums, which are JSON numbers while a double holds them exactly.
import {
  amountText,
  decimalText,
  type Exact,
  exact,
  over,
  plus,
  power,
  rounded,
  times,
  whole,
  wholeUnits,
} from '../../core/exact.ts'

// Amounts of a record: exact decimals, whose denominators are powers of ten.

export const zero = whole(0n)
export const one = whole(1n)

/** A decimal string or JSON number; undefined if it is neither. */
export const amountOf = (value: unknown): Exact | undefined =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) ? exact(value) : undefined

export const minus = (a: Exact, { n, d }: Exact): Exact => plus(a, { n: -n, d })
export const isZero = ({ n }: Exact): boolean => n === 0n
export const isLess = (a: Exact, b: Exact): boolean => minus(a, b).n < 0n
export const absolute = (amount: Exact): Exact => (amount.n < 0n ? minus(zero, amount) : amount)

/** An amount rounded to a number of digits, half a unit away from zero. */
export const inUnits = (amount: Exact, digits: number): Exact => ({ n: rounded(amount, digits), d: power(digits) })

/** Whether two amounts differ by less than one unit of the last of these decimals. */
export function isWithinUnit(a: Exact, b: Exact, decimals: number): boolean {
  const { n, d } = absolute(minus(a, b))
  return n * power(decimals) < d
}

// Sums of amounts.

/** Millionths, if they are a safe integer; any other decimal is a fraction whose denominator is a power of ten. */
export type Decimal = number | Exact
const DIGITS = 6

export function decimalOf(amount: Exact): Decimal {
  const millionths = Number(wholeUnits(amount, DIGITS))
  return Number.isSafeInteger(millionths) ? millionths : amount
}
const exactOf = (decimal: Decimal): Exact =>
  typeof decimal === 'number' ? { n: BigInt(decimal), d: power(DIGITS) } : decimal

/** The decimals of an amount whose denominator is a power of ten. */
export const scaleOf = ({ d }: Exact): number => String(d).length - 1

/** A decimal as JSON has it: fractions are texts. */
export const jsonOf = (decimal: Decimal): number | string =>
  typeof decimal === 'number' ? decimal : textOf(decimal, 0)
export const decimalOfJson = (json: number | string): Decimal =>
  typeof json === 'number' ? json : decimalOf(exact(json))

export function add(a: Decimal, b: Decimal): Decimal {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (Number.isSafeInteger(sum)) return sum
  }
  return decimalOf(plus(exactOf(a), exactOf(b)))
}
export const negated = (a: Decimal): Decimal => (typeof a === 'number' ? -a : { n: -a.n, d: a.d })
export const subtract = (a: Decimal, b: Decimal): Decimal => add(a, negated(b))
export const product = (a: Decimal, b: Decimal): Decimal => decimalOf(times(exactOf(a), exactOf(b)))

/** A decimal as a text without trailing zeros, but with at least `decimals`. */
export function textOf(decimal: Decimal, decimals: number): string {
  // Most amounts have the decimals of their currency, at most four. A double of this size is exact to less than half of the last digit.
  const step = 10 ** (DIGITS - decimals)
  if (typeof decimal === 'number' && decimal % step === 0) return (decimal / 10 ** DIGITS).toFixed(decimals)
  const { n, d } = exactOf(decimal)
  return decimalText(amountText(n, scaleOf({ n, d })), decimals)
}

/** The text of a decimal as a JSON number with all of its digits; other values as they are. */
export const rawNumber = <T>(text: T): object | T =>
  // TypeScript does not know it yet.
  typeof text === 'string' ? (JSON as unknown as { rawJSON(text: string): object }).rawJSON(text) : text

/** A sum divided by a count, rounded half away from zero; undefined if it counts nothing. */
export const average = (sum: Decimal, count: Decimal, decimals: number): string | undefined =>
  count === 0 ? undefined : amountText(rounded(over(exactOf(sum), exactOf(count)), decimals), decimals)

/** Compares texts or numbers, the smaller one first. */
export const ascending = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

/** Compares decimals, the larger one first. */
export function descending(a: Decimal, b: Decimal): number {
  if (typeof a === 'number' && typeof b === 'number') return b - a
  const difference = subtract(b, a)
  return typeof difference === 'number' ? difference : difference.n > 0n ? 1 : -1
}
