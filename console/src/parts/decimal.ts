// Sums of amounts, which are decimal strings: exact, unlike floating point numbers.

const digits = 6

/** An amount in millionths; zero if it is not an amount. */
function unitsOf(amount: unknown): bigint {
  const text = typeof amount === 'number' ? amount.toFixed(digits) : amount
  if (typeof text !== 'string' || !/^-?\d+(\.\d+)?$/.test(text)) return 0n
  const [whole = '0', part = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole + part.slice(0, digits).padEnd(digits, '0'))
  return text.startsWith('-') ? -units : units
}

/** The sum of amounts. */
export function sumOf(amounts: Iterable<unknown>): string {
  let sum = 0n
  for (const amount of amounts) sum += unitsOf(amount)
  return textOf(sum)
}

/** A price times a quantity, rounded to the decimals of its currency. */
export function productOf(price: unknown, quantity: unknown, decimals: number): string {
  const product = unitsOf(price) * unitsOf(quantity)
  const step = 10n ** BigInt(2 * digits - decimals)
  const half = product < 0n ? -step / 2n : step / 2n
  return textOf(((product + half) / step) * 10n ** BigInt(digits - decimals))
}

function textOf(sum: bigint): string {
  const text = (sum < 0n ? -sum : sum).toString().padStart(digits + 1, '0')
  const whole = text.slice(0, -digits)
  const part = text.slice(-digits).replace(/0{1,4}$/, '')
  return `${sum < 0n ? '-' : ''}${whole}.${part}`
}

/** The negative of an amount. */
export const minus = (amount: string | undefined): string =>
  sumOf([amount]).replace(/^(-?)/, (sign) => (sign ? '' : '-'))

/** Whether an amount is less than another one. */
export const isLess = (amount: unknown, other: unknown): boolean => unitsOf(amount) < unitsOf(other)

export const isZero = (amount: unknown): boolean => unitsOf(amount) === 0n
