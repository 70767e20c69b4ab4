// Amounts of a record: exact decimals, whose denominators are powers of ten.
import { type Exact, exact, plus, power, rounded, whole } from '../../../core/exact.ts'

export const zero = whole(0n)
export const one = whole(1n)

/** A decimal string or JSON number; undefined if it is neither. */
export const amountOf = (value: unknown): Exact | undefined =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) ? exact(value) : undefined

const negated = ({ n, d }: Exact): Exact => ({ n: -n, d })
export const minus = (a: Exact, b: Exact): Exact => plus(a, negated(b))
export const isZero = ({ n }: Exact): boolean => n === 0n
export const isLess = (a: Exact, b: Exact): boolean => minus(a, b).n < 0n
export const absolute = (amount: Exact): Exact => (amount.n < 0n ? negated(amount) : amount)

/** An amount rounded to a number of digits, half a unit away from zero. */
export const inUnits = (amount: Exact, digits: number): Exact => ({ n: rounded(amount, digits), d: power(digits) })

/** Whether two amounts differ by less than one unit of the last of these decimals. */
export function isWithinUnit(a: Exact, b: Exact, decimals: number): boolean {
  const { n, d } = absolute(minus(a, b))
  return n * power(decimals) < d
}
