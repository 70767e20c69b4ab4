// What earlier refunds left of a sale: its value, and the rounding of its cash.

import { sum } from '../../core/exact.ts'
import type { EarlierRefund, Money, SoldOrder } from './sold-lines.ts'

/** What is left of a sale, in minor units. */
interface Rest {
  /** What the customer was to pay: the sale's total as cash was rounded. */
  readonly soldTotal: bigint
  /** How much of it was not returned yet. */
  readonly left: bigint
  /** How much of the sale's cash rounding is contained in `left`. */
  readonly rounding: bigint
  /** What earlier refunds paid in coins beyond what they owed; below zero if it was less. */
  readonly cashRounded: bigint
}

/** What earlier refunds left of an order. */
export function restOfSale({ summary, returned }: SoldOrder, earlier: readonly EarlierRefund[], money: Money): Rest {
  const value = money.of(summary?.total)
  const rounding = money.of(summary?.cashRounding)
  const soldTotal = value + rounding
  const allRounding = sum(earlier.map((refund) => cashRoundingOf(refund, money)))
  const valueBack = money.of(returned) - allRounding
  const included = roundingIn(valueBack, value, soldTotal)
  return {
    ...{ soldTotal, left: soldTotal - valueBack - included, rounding: rounding - included },
    cashRounded: allRounding - included,
  }
}

/**
 * How much of a sale's cash rounding earlier refunds have. Their value shows it: it reaches the total or the rounded total
 * only with the last goods, whose refund has the rounding. Earlier versions added it to the refund's own total. After a
 * rounding up, a value above the total means that lines of a negative price are left, and that theirs has the rounding.
 */
function roundingIn(valueBack: bigint, value: bigint, soldTotal: bigint): bigint {
  if (value < soldTotal) return valueBack === value ? soldTotal - value : 0n
  return soldTotal <= valueBack && valueBack <= value ? soldTotal - valueBack : 0n
}

/** The cash rounding of a refund. One that was written as a record may have all amounts negative. */
function cashRoundingOf({ summary }: EarlierRefund, money: Money): bigint {
  const [total, rounding] = [money.of(summary?.total), money.of(summary?.cashRounding)]
  return total < 0n && total + rounding < 0n ? -rounding : rounding
}
