// Exact decimals of sums: as JSON numbers while a double holds them exactly, else as fractions.
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
  wholeUnits,
} from '../../../core/exact.ts'

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
export const product = (a: Decimal, b: Decimal): Decimal => decimalOf(times(exactOf(a), exactOf(b)))

/** A decimal as a text without trailing zeros, but with at least `decimals`. */
export function textOf(decimal: Decimal, decimals: number): string {
  // Most amounts have the decimals of their currency.
  const step = 10 ** (DIGITS - decimals)
  if (typeof decimal === 'number' && decimal % step === 0) return amountText(BigInt(decimal / step), decimals)
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
  const difference = add(b, negated(a))
  return typeof difference === 'number' ? difference : difference.n > 0n ? 1 : -1
}
