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
 * only with the last goods, whose refund has the rounding. Earlier versions added it to the refund's own total.
 */
function roundingIn(valueBack: bigint, value: bigint, soldTotal: bigint): bigint {
  const [least, most] = value < soldTotal ? [value, soldTotal] : [soldTotal, value]
  return least <= valueBack && valueBack <= most ? soldTotal - valueBack : 0n
}

/** The cash rounding of a refund. One that was written as a record may have a negative total. */
function cashRoundingOf({ summary }: EarlierRefund, money: Money): bigint {
  const rounding = money.of(summary?.cashRounding)
  return money.of(summary?.total) < 0n ? -rounding : rounding
}
