// Exact arithmetic for sums of a sale: fractions of integers, rounded once, half away from zero. No floating point takes part.

/** A number as a fraction; `d` is positive. */
export interface Exact {
  readonly n: bigint
  readonly d: bigint
}

const powers = Array.from({ length: 32 }, (_, exponent) => 10n ** BigInt(exponent))
export const power = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent)
const absolute = (number: bigint): bigint => (number < 0n ? -number : number)
export const notNegative = (number: bigint): bigint => (number > 0n ? number : 0n)

/** The decimal that a text or a JSON number shows: `0.1` is a tenth, not the nearest binary fraction. */
export function exact(value: string | number): Exact {
  const text = String(value)
  const [mantissa = '', exponent = '0'] = text.includes('e') ? text.split('e') : [text]
  const point = mantissa.indexOf('.')
  const decimals = point === -1 ? 0 : mantissa.length - point - 1
  const n = BigInt(mantissa.replace('.', ''))
  const shift = Number(exponent) - decimals
  return shift < 0 ? { n, d: power(-shift) } : { n: n * power(shift), d: 1n }
}

/** A rate in percent as a factor, rounded to six decimals, so that a float's 0.07 × 100 is 7 %. */
export const percent = (rate: number): Exact => ({ n: rounded(exact(rate), 6), d: 100_000_000n })

export function plus(a: Exact, b: Exact): Exact {
  // Denominators are often equal or multiples. Without that they would grow with each sum.
  if (a.d === b.d) return { n: a.n + b.n, d: a.d }
  if (a.d % b.d === 0n) return { n: a.n + b.n * (a.d / b.d), d: a.d }
  if (b.d % a.d === 0n) return { n: a.n * (b.d / a.d) + b.n, d: b.d }
  return { n: a.n * b.d + b.n * a.d, d: a.d * b.d }
}

export const times = (a: Exact, b: Exact): Exact => ({ n: a.n * b.n, d: a.d * b.d })

/** `a` divided by a positive `b`. */
export const over = (a: Exact, b: Exact): Exact => ({ n: a.n * b.d, d: a.d * b.n })

/** JSON numbers have at least 15 correct digits, and sums of several numbers have fewer. */
const NEAR = power(12)

/**
 * Whether two numbers differ by less than a millionth of a millionth of the second, which is the error of sums of JSON
 * numbers.
 */
export function isNear(a: Exact, b: Exact): boolean {
  const { n, d } = plus(a, { n: -b.n, d: b.d })
  return absolute(n) * NEAR * b.d <= absolute(b.n) * d
}

/** A whole number as a fraction. */
export const whole = (n: bigint): Exact => ({ n, d: 1n })

/** The number with `digits` decimals as an integer, half a unit rounded away from zero: 0.125 is 13 cents, −0.125 is −13. */
export function rounded({ n, d }: Exact, digits = 0): bigint {
  const scaled = n * power(digits)
  const units = (2n * absolute(scaled) + d) / (2n * d)
  return scaled < 0n ? -units : units
}

/** The number with `digits` decimals as an integer, if it is a whole number of them: 0.05 is 5 cents; 0.001 is undefined. */
export function wholeUnits({ n, d }: Exact, digits: number): bigint | undefined {
  const scaled = n * power(digits)
  return scaled % d === 0n ? scaled / d : undefined
}

/** The nearest multiple of a unit, half a unit away from zero. */
export const nearest = (amount: bigint, unit: bigint): bigint => rounded({ n: amount, d: unit }) * unit

/** `amount`, but no further from zero than `bound`, and with the sign of `bound`. */
export function limitedTo(amount: bigint, bound: bigint): bigint {
  const size = absolute(amount)
  if (size > absolute(bound)) return bound
  return bound < 0n ? -size : size
}

export const sum = (numbers: readonly bigint[]): bigint => numbers.reduce((total, one) => total + one, 0n)

/**
 * The sum of many parts. Their common denominator could have a million digits, so they are added with 24 decimals. The
 * sum has 18, so that parts such as a third and a sixth add up to exactly a half.
 */
export const sumOfParts = (parts: readonly Exact[]): Exact => ({
  n: rounded({ n: sum(parts.map((part) => rounded(part, 24))), d: power(6) }),
  d: power(18),
})

/**
 * Rounds parts so that they add up to their rounded sum. All are rounded down; then one part goes up for each missing
 * unit, in the order of the largest remainders, and of equal remainders the first. A whole part never changes.
 */
export function apportion(parts: readonly Exact[], total: bigint): bigint[] {
  if (total < 0n)
    return apportion(
      parts.map(({ n, d }) => ({ n: -n, d })),
      -total,
    ).map((part) => -part)
  const floors = parts.map(({ n, d }) => (n - remainder(n, d)) / d)
  const missing = Number(total - sum(floors))
  const largest = parts
    .map(({ n, d }, at) => ({ at, n: remainder(n, d), d }))
    .sort((a, b) => sign(b.n * a.d - a.n * b.d) || a.at - b.at)
  for (const { at } of largest.slice(0, missing)) floors[at] = (floors[at] as bigint) + 1n
  return floors
}

/** What is left above the next lower integer. */
const remainder = (n: bigint, d: bigint): bigint => ((n % d) + d) % d
const sign = (n: bigint): number => (n > 0n ? 1 : n < 0n ? -1 : 0)

/** An amount in minor units as a decimal string: 1250 with two digits is "12.50". */
export function amountText(amount: bigint, digits: number): string {
  const text = absolute(amount)
    .toString()
    .padStart(digits + 1, '0')
  const point = text.length - digits
  return `${amount < 0n ? '-' : ''}${text.slice(0, point)}${digits > 0 ? `.${text.slice(point)}` : ''}`
}

/** A decimal string without trailing zeros, but with at least `atLeast` decimals. */
export function decimalText(number: string, atLeast = 0): string {
  // Most amounts have the decimals that they should have, or none.
  const point = number.indexOf('.')
  if (point === -1) return atLeast === 0 ? number : `${number}.${'0'.repeat(atLeast)}`
  if (atLeast > 0 && number.length - point - 1 === atLeast) return number
  const [whole = '0', fraction = ''] = number.split('.')
  const kept = fraction.replace(/0+$/, '').padEnd(atLeast, '0')
  return kept === '' ? whole : `${whole}.${kept}`
}

/** The decimals of a decimal string: 2 of `12.50`. */
export const decimalsOf = (amount: string): number => amount.split('.')[1]?.length ?? 0

/** The exact sum of decimal strings, with as many decimals as the longest of them and at least `digits`. */
export function sumText(terms: readonly string[], digits: number): string {
  const most = terms.reduce((most, term) => Math.max(most, decimalsOf(term)), digits)
  return amountText(rounded(terms.map(exact).reduce(plus, whole(0n)), most), most)
}

/** The decimal string with the other sign. */
export const negated = (term: string): string => (term.startsWith('-') ? term.slice(1) : `-${term}`)
