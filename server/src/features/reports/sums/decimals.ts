// Columns of exact decimals and their totals: integers in units of a power of ten, of 64 bits while every sum of them fits, else of any size.
import { amountText, decimalText, type Exact, over, power, rounded } from '../../../core/exact.ts'

/** A column of exact decimals. */
export interface Decimals {
  /** A unit is 10^-scale. */
  readonly scale: number
  readonly units: BigInt64Array | readonly bigint[]
  /** The sum of the absolute values in units. As a double it may be slightly off. */
  readonly weight: number
}

/** Integers whose absolute values add up to less have sums of 64 bits, with room for the error of the weight. */
const MOST_WEIGHT = 2 ** 62

function columnOf(scale: number, length: number, unitAt: (row: number) => bigint): Decimals {
  const units = new BigInt64Array(length)
  let weight = 0
  for (let n = 0; n < length; n++) {
    const unit = unitAt(n)
    units[n] = unit
    weight += Math.abs(Number(unit))
  }
  return { scale, weight, units: weight < MOST_WEIGHT ? units : Array.from(units, (_, n) => unitAt(n)) }
}

function decimalsIn(text: string): number {
  const point = text.indexOf('.')
  return point === -1 ? 0 : text.length - point - 1
}

/** Reads PostgreSQL's numbers. */
export function decimalsOf(texts: readonly string[]): Decimals {
  let scale = 0
  for (const text of texts) scale = Math.max(scale, decimalsIn(text))
  return columnOf(scale, texts.length, (n) => {
    const text = texts[n] as string
    return BigInt(text.replace('.', '')) * power(scale - decimalsIn(text))
  })
}

/** The decimals of an amount whose denominator is a power of ten. */
export const scaleOf = ({ d }: Exact): number => String(d).length - 1

/** Amounts whose denominators are powers of ten, as a column. */
export function columnOfAmounts(amounts: readonly Exact[]): Decimals {
  let most = 1n
  for (const { d } of amounts) if (d > most) most = d
  return columnOf(scaleOf({ n: 0n, d: most }), amounts.length, (row) => {
    const { n, d } = amounts[row] as Exact
    return d === most ? n : n * (most / d)
  })
}

/** Multiplies two columns row by row. */
export const product = (a: Decimals, b: Decimals): Decimals =>
  columnOf(a.scale + b.scale, a.units.length, (n) => (a.units[n] as bigint) * (b.units[n] as bigint))

/** The rows at some places, in the order of these. */
export const picked = ({ scale, units }: Decimals, places: ArrayLike<number>): Decimals =>
  columnOf(scale, places.length, (n) => units[places[n] as number] as bigint)

/** The totals of columns by group. */
export class GroupTotals implements Decimals {
  scale = 0
  weight = 0
  units: BigInt64Array | bigint[] = new BigInt64Array(16)

  /** Adds each row of a column to the group at its place, or subtracts it; `groups` is the number of groups until now. */
  add(column: Decimals, places: Uint32Array, groups: number, sign: 1 | -1 = 1): void {
    const scale = Math.max(this.scale, column.scale)
    const [own, others] = [power(scale - this.scale), power(scale - column.scale)]
    this.#hold(groups, this.weight * Number(own) + column.weight * Number(others))
    if (own > 1n) for (let n = 0; n < this.units.length; n++) this.units[n] = (this.units[n] as bigint) * own
    this.scale = scale
    const { units } = this
    const factor = BigInt(sign) * others
    // Totals have room for more groups than there are.
    const rows = Math.min(places.length, column.units.length)
    if (units instanceof BigInt64Array && column.units instanceof BigInt64Array)
      addSmall(units, column.units.subarray(0, rows), places, factor)
    else
      for (let n = 0; n < rows; n++) {
        const place = places[n] as number
        units[place] = (units[place] as bigint) + (column.units[n] as bigint) * factor
      }
  }

  /** Makes room for groups, and for sums of that weight. */
  #hold(groups: number, weight: number): void {
    this.weight = weight
    if (!(weight < MOST_WEIGHT) && this.units instanceof BigInt64Array) this.units = [...this.units]
    const { units } = this
    if (!(units instanceof BigInt64Array)) while (units.length < groups) units.push(0n)
    else if (units.length < groups) {
      this.units = new BigInt64Array(Math.max(groups, 2 * units.length))
      this.units.set(units)
    }
  }
}

/** The same where all fits in 64 bits: V8 then calculates without allocating a BigInt for each sum. */
function addSmall(units: BigInt64Array, column: BigInt64Array, places: Uint32Array, factor: bigint): void {
  for (let n = 0; n < column.length; n++) {
    const place = places[n] as number
    const summand = BigInt.asIntN(64, (column[n] as bigint) * factor)
    units[place] = BigInt.asIntN(64, (units[place] as bigint) + summand)
  }
}

/** The sums of some columns of n groups, minus other columns. */
export function balanceOf(groups: number, added: readonly Decimals[], subtracted: readonly Decimals[] = []): Decimals {
  const places = Uint32Array.from({ length: groups }, (_, place) => place)
  const balance = new GroupTotals()
  for (const column of added) balance.add(column, places, groups)
  for (const column of subtracted) balance.add(column, places, groups, -1)
  return balance
}

/** The number of a group as a text without trailing zeros, but with at least `decimals`; zero if nothing was added to it. */
export const textAt = ({ scale, units }: Decimals, group: number, decimals: number): string =>
  decimalText(amountText(units[group] ?? 0n, scale), decimals)

/** A group's sum divided by its count, rounded half away from zero; undefined if it counts nothing. */
export function averageAt(sums: Decimals, counts: Decimals, group: number, decimals: number): string | undefined {
  const at = ({ scale, units }: Decimals): Exact => ({ n: units[group] ?? 0n, d: power(scale) })
  const [sum, count] = [at(sums), at(counts)]
  return count.n === 0n ? undefined : amountText(rounded(over(sum, count), decimals), decimals)
}

/** Compares the numbers of two groups, the larger one first. */
export function descending({ units }: Decimals, a: number, b: number): number {
  const [one, other] = [units[a] ?? 0n, units[b] ?? 0n]
  return one > other ? -1 : one < other ? 1 : 0
}

/** Whether the number of a group is zero. */
export const isZeroAt = ({ units }: Decimals, group: number): boolean => (units[group] ?? 0n) === 0n
