// Columns of exact decimals and their totals: integers in units of a power of ten, as doubles while every sum of them is exact, else as BigInt.
import { amountText, decimalText, power, quotientText } from '../../../core/exact.ts'

/** A column of exact decimals. */
export interface Decimals {
  /** A unit is 10^-scale. */
  readonly scale: number
  readonly units: Float64Array | readonly bigint[]
  /** At least the sum of the absolute values in units. */
  readonly weight: number
}

/**
 * Doubles hold each integer below 2^53. Below 2^50 a text times a power of ten is less than half a unit off, so it rounds to
 * the right integer; and of integers whose absolute values add up to less, every sum is exact.
 */
export const EXACT = 2 ** 50
/** Beyond it, powers of ten leave no room for digits. */
export const EXACT_SCALE = 15

const isNarrow = (units: Decimals['units']): units is Float64Array => units instanceof Float64Array
const wide = (units: Decimals['units']): bigint[] => (isNarrow(units) ? Array.from(units, BigInt) : [...units])

/** A decimal text in units of 10^-scale. */
function unitsOf(text: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}

/** Reads PostgreSQL's numbers. */
export function decimalsOf(texts: readonly string[]): Decimals {
  let scale = 0
  for (const text of texts) {
    const point = text.indexOf('.')
    if (point !== -1) scale = Math.max(scale, text.length - point - 1)
  }
  const [units, factor] = [new Float64Array(texts.length), 10 ** scale]
  let weight = 0
  for (let n = 0; n < units.length; n++) {
    const unit = Math.round(Number(texts[n]) * factor)
    units[n] = unit
    weight += Math.abs(unit)
  }
  if (scale <= EXACT_SCALE && weight < EXACT) return { scale, units, weight }
  return { scale, units: texts.map((text) => unitsOf(text, scale)), weight }
}

/** Multiplies two columns row by row. */
export function product(a: Decimals, b: Decimals): Decimals {
  const scale = a.scale + b.scale
  if (scale <= EXACT_SCALE && isNarrow(a.units) && isNarrow(b.units)) {
    const units = new Float64Array(a.units.length)
    let weight = 0
    for (let n = 0; n < units.length; n++) {
      const unit = (a.units[n] as number) * (b.units[n] as number)
      units[n] = unit
      weight += Math.abs(unit)
    }
    if (weight < EXACT) return { scale, units, weight }
  }
  const [left, right] = [wide(a.units), wide(b.units)]
  const units = left.map((unit, n) => unit * (right[n] as bigint))
  return { scale, units, weight: a.weight * b.weight }
}

/** The rows at some places, in the order of these. */
export function picked({ scale, units, weight }: Decimals, places: ArrayLike<number>): Decimals {
  // A row may be taken more than once, and at most as often as there are places.
  const most = weight * places.length
  if (isNarrow(units) && most < EXACT)
    return { scale, units: Float64Array.from(places, (place) => units[place] as number), weight: most }
  return { scale, units: Array.from(places, (place) => BigInt(units[place] as number | bigint)), weight: most }
}

/** The totals of columns by group. */
export class GroupTotals implements Decimals {
  scale = 0
  weight = 0
  units: Float64Array | bigint[] = new Float64Array(16)

  /** Adds each row of a column to the group at its place, or subtracts it; `groups` is the number of groups until now. */
  add(column: Decimals, places: Uint32Array, groups: number, sign: 1 | -1 = 1): void {
    if (column.scale > this.scale) this.#rescale(column.scale)
    const factor = sign * 10 ** (this.scale - column.scale)
    this.weight += column.weight * Math.abs(factor)
    if (this.weight >= EXACT || this.scale > EXACT_SCALE || !isNarrow(column.units)) this.#widen()
    const { units } = this
    if (isNarrow(units)) {
      const own = groups <= units.length ? units : extended(units, groups)
      for (let n = 0; n < places.length; n++) {
        const place = places[n] as number
        own[place] = (own[place] as number) + ((column.units[n] ?? 0) as number) * factor
      }
      this.units = own
    } else {
      const exactFactor = BigInt(sign) * power(this.scale - column.scale)
      while (units.length < groups) units.push(0n)
      for (let n = 0; n < places.length; n++) {
        const place = places[n] as number
        units[place] = (units[place] as bigint) + BigInt(column.units[n] ?? 0) * exactFactor
      }
    }
  }

  #rescale(scale: number): void {
    const by = scale - this.scale
    this.weight *= 10 ** by
    this.scale = scale
    if (this.weight >= EXACT || scale > EXACT_SCALE) this.#widen()
    const { units } = this
    if (isNarrow(units)) for (let n = 0; n < units.length; n++) units[n] = (units[n] as number) * 10 ** by
    else for (let n = 0; n < units.length; n++) units[n] = (units[n] as bigint) * power(by)
  }

  #widen(): void {
    if (isNarrow(this.units)) this.units = wide(this.units)
  }
}

function extended(units: Float64Array, length: number): Float64Array {
  const longer = new Float64Array(Math.max(length, 2 * units.length))
  longer.set(units)
  return longer
}

/** The places of n groups. */
export const placesOf = (groups: number): Uint32Array => Uint32Array.from({ length: groups }, (_, place) => place)

/** The differences of two columns of n groups. */
export function differencesOf(a: Decimals, b: Decimals, groups: number): GroupTotals {
  const differences = new GroupTotals()
  differences.add(a, placesOf(groups), groups)
  differences.add(b, placesOf(groups), groups, -1)
  return differences
}

/** Digits with a point before the last `scale` of them. */
function pointed(unit: number, scale: number): string {
  if (scale === 0) return String(unit)
  const digits = String(Math.abs(unit)).padStart(scale + 1, '0')
  return `${unit < 0 ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** The number of a group as a text without trailing zeros, but with at least `decimals`; zero if nothing was added to it. */
export function textAt({ scale, units, weight }: Decimals, group: number, decimals: number): string {
  let unit = units[group] ?? 0
  if (typeof unit === 'bigint' || weight * 10 ** decimals >= EXACT)
    return decimalText(amountText(BigInt(unit), scale), decimals)
  let digits = scale
  for (; digits > decimals && unit % 10 === 0; digits--) unit /= 10
  return digits < decimals ? pointed(unit * 10 ** (decimals - digits), decimals) : pointed(unit, digits)
}

/** A group's sum divided by its count, rounded half away from zero; undefined if it counts nothing. */
export function averageAt(sums: Decimals, counts: Decimals, group: number, decimals: number): string | undefined {
  const [sum, count] = [sums.units[group] ?? 0, Number(counts.units[group] ?? 0) / 10 ** counts.scale]
  if (count === 0) return undefined
  if (typeof sum === 'bigint' || sums.scale > decimals || sums.weight * 10 ** decimals + count >= EXACT)
    return quotientText(textAt(sums, group, 0), String(count), decimals)
  // The quotient of doubles below 2^53 is floored to the right integer.
  const twice = 2 * Math.abs(sum) * 10 ** (decimals - sums.scale)
  return pointed(Math.sign(sum) * Math.floor((twice + count) / (2 * count)), decimals)
}

/** Compares the numbers of two groups, the larger one first. */
export function descending({ units }: Decimals, a: number, b: number): number {
  const [one, other] = [units[a] ?? 0, units[b] ?? 0]
  return one > other ? -1 : one < other ? 1 : 0
}

/** Whether the number of a group is zero. */
export const isZeroAt = ({ units }: Decimals, group: number): boolean => Number(units[group] ?? 0) === 0
