// Exact sums of amounts in texts: integers of a millionth of a millionth, since a price and a quantity have six decimals each.

const DECIMALS = 12
/** Decimals of an amount that the API stores. */
const STORED_DECIMALS = 6

/** A decimal text, or a number, in units; an absent one is zero. */
export function unitsOf(decimal: string | number | undefined): bigint {
  const [whole = '0', fraction = ''] = String(decimal ?? '0').split('.')
  return BigInt(whole + fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0'))
}

/** A price times a quantity. */
export const times = (price: string, quantity: string): bigint =>
  rounded(unitsOf(price) * unitsOf(quantity), 10n ** BigInt(DECIMALS))

export const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, one) => sum + one, 0n)

/** An amount as a text with as many decimals as it needs, and at least those of `like`. */
export function amountText(units: bigint, like = ''): string {
  const kept = rounded(units, 10n ** BigInt(DECIMALS - STORED_DECIMALS))
  const digits = String(kept < 0n ? -kept : kept).padStart(STORED_DECIMALS + 1, '0')
  const fraction = digits.slice(-STORED_DECIMALS).replace(/0+$/, '').padEnd(decimalsOf(like), '0')
  return `${kept < 0n ? '-' : ''}${digits.slice(0, -STORED_DECIMALS)}${fraction && `.${fraction}`}`
}

const decimalsOf = (text: string): number => text.split('.')[1]?.length ?? 0

/** Parts of a total in proportion to weights, each with the decimals of `like`, which add up to the total. */
export function partsOf(total: bigint, weights: readonly bigint[], like: string): bigint[] {
  const all = sumOf(weights)
  if (all === 0n) return weights.map((_, n) => (n === 0 ? total : 0n))
  const unit = 10n ** BigInt(DECIMALS - decimalsOf(like))
  let before = 0n
  let weight = 0n
  return weights.map((own, n) => {
    weight += own
    const until = n === weights.length - 1 ? total : rounded(total * weight, all * unit) * unit
    const part = until - before
    before = until
    return part
  })
}

/** A fraction as an integer, half away from zero. */
function rounded(numerator: bigint, denominator: bigint): bigint {
  const [n, d] = denominator < 0n ? [-numerator, -denominator] : [numerator, denominator]
  const twice = 2n * (n < 0n ? -n : n) + d
  return n < 0n ? -(twice / (2n * d)) : twice / (2n * d)
}
