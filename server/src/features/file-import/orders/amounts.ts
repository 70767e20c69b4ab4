// Sums of amounts in texts, in integers of a millionth of a millionth: a price and a quantity have six decimals each.

import {
  apportion,
  decimalsOf,
  decimalText,
  exact,
  over,
  amountText as plainText,
  rounded,
  sum,
  times as timesExact,
} from '../../../core/exact.ts'

const DECIMALS = 12
/** Decimals of an amount that the API stores. */
const STORED_DECIMALS = 6

/** A decimal text in units; an absent one is zero. */
export const unitsOf = (decimal: string | undefined): bigint => rounded(exact(decimal ?? '0'), DECIMALS)

/** A price times a quantity. */
export const lineAmount = (price: string, quantity: string): bigint =>
  rounded(timesExact(exact(price), exact(quantity)), DECIMALS)

/** The price of one of several units, rounded to what the API stores. */
export const priceOf = (total: string, quantity: string): string =>
  amountText(rounded(over(exact(total), exact(quantity)), DECIMALS), total)

/** An amount as a text with as many decimals as it needs, and at least those of `like`. */
export function amountText(units: bigint, like = ''): string {
  const text = plainText(rounded({ n: units, d: powerOf(DECIMALS) }, STORED_DECIMALS), STORED_DECIMALS)
  return decimalText(text, decimalsOf(like))
}

const powerOf = (exponent: number): bigint => 10n ** BigInt(exponent)

/** Parts of a total in proportion to weights, with the decimals of the total or of `like`, which add up to the total. */
export function partsOf(total: bigint, weights: readonly bigint[], like: string): bigint[] {
  const all = sum(weights)
  if (all <= 0n) return weights.map((_, n) => (n === 0 ? total : 0n))
  const unit = powerOf(DECIMALS - decimalsOf(amountText(total, like)))
  const parts = weights.map((own) => ({ n: total * own, d: all * unit }))
  return apportion(parts, total / unit).map((part) => part * unit)
}
