// Single exact decimals, as the amounts of a record are computed: an integer and its scale, a double while it is small, else a BigInt.
import { exact, power } from '../../../core/exact.ts'
import { type Decimals, EXACT, EXACT_SCALE } from './decimals.ts'

/** An exact decimal in units of 10^-scale. Doubles stay below 2^50. */
export interface Amount {
  readonly units: number | bigint
  readonly scale: number
}

export const zero: Amount = { units: 0, scale: 0 }
export const one: Amount = { units: 1, scale: 0 }

/** A decimal string or JSON number; undefined if it is neither. */
export function amountOf(value: unknown): Amount | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const point = mantissa.indexOf('.')
  const scale = point === -1 ? 0 : mantissa.length - point - 1
  if (exponent === '0' && scale <= EXACT_SCALE) {
    const units = Math.round(Number(mantissa) * 10 ** scale)
    if (Math.abs(units) < EXACT) return { units, scale }
  }
  if (!/^-?\d+(\.\d+)?$/.test(mantissa)) return undefined
  const { n, d } = exact(value)
  return { units: n, scale: String(d).length - 1 }
}

const at = ({ units, scale }: Amount, wanted: number): bigint => BigInt(units) * power(wanted - scale)

export function plus(a: Amount, b: Amount): Amount {
  if (a.scale === b.scale && typeof a.units === 'number' && typeof b.units === 'number') {
    const units = a.units + b.units
    if (Math.abs(units) < EXACT) return { units, scale: a.scale }
  }
  if (a.units === 0) return b
  if (b.units === 0) return a
  const scale = Math.max(a.scale, b.scale)
  return narrowed(at(a, scale) + at(b, scale), scale)
}

const narrowed = (units: bigint, scale: number): Amount => {
  const double = Number(units)
  return { units: Math.abs(double) < EXACT ? double : units, scale }
}

const negated = ({ units, scale }: Amount): Amount => ({ units: -units, scale })
export const minus = (a: Amount, b: Amount): Amount => plus(a, negated(b))
export const isZero = ({ units }: Amount): boolean => Number(units) === 0
export const absolute = (amount: Amount): Amount => (amount.units < 0 ? negated(amount) : amount)

export function times(a: Amount, b: Amount): Amount {
  const scale = a.scale + b.scale
  if (typeof a.units === 'number' && typeof b.units === 'number') {
    const units = a.units * b.units
    if (Math.abs(units) < EXACT) return { units, scale }
  }
  return { units: BigInt(a.units) * BigInt(b.units), scale }
}

/** Whether two amounts differ by less than one unit of the last of these decimals. */
export function isWithinUnit(a: Amount, b: Amount, decimals: number): boolean {
  const { units, scale } = absolute(minus(a, b))
  return BigInt(units) * power(decimals) < power(scale)
}

/** Amounts as a column. */
export function columnOf(amounts: readonly Amount[]): Decimals {
  let scale = 0
  for (const amount of amounts) if (amount.scale > scale) scale = amount.scale
  const units = new Float64Array(amounts.length)
  let weight = 0
  for (let n = 0; n < units.length; n++) {
    const amount = amounts[n] as Amount
    const own = Number(amount.units) * 10 ** (scale - amount.scale)
    units[n] = own
    weight += Math.abs(own)
  }
  if (scale <= EXACT_SCALE && weight < EXACT) return { scale, units, weight }
  return { scale, units: amounts.map((amount) => at(amount, scale)), weight }
}
