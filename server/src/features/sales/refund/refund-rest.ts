// What earlier refunds left of a sale: its value, the rounding of its cash, delivery, tip and fees of the cart.

import { nearest, sum } from '../../../core/exact.ts'
import { bodyError, Problem } from '../../../core/problem.ts'
import type { RefundBody } from './refund-body.ts'
import { type EarlierRefund, feesIn, type Money, type SoldOrder } from './sold-lines.ts'

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
    soldTotal,
    left: soldTotal - valueBack - included,
    rounding: rounding - included,
    cashRounded: allRounding - included,
  }
}

/**
 * How much of a sale's cash rounding earlier refunds have. A refund's own `cashRounding` does not show it, since that also rounds the
 * refund's cash. The value of the refunds reaches the total or the rounded total only with the last goods, and the refund of those has
 * the rounding. If the sale was rounded up, a value above the total means that lines with a negative price are left, and that the
 * refund of those lines has the rounding.
 */
function roundingIn(valueBack: bigint, value: bigint, soldTotal: bigint): bigint {
  if (value < soldTotal) return valueBack === value ? soldTotal - value : 0n
  return soldTotal <= valueBack && valueBack <= value ? soldTotal - valueBack : 0n
}

/** The cash rounding of a refund. One that was written as a record may have all amounts negative. */
function cashRoundingOf({ summary }: EarlierRefund, money: Money): bigint {
  const total = money.of(summary?.total)
  const rounding = money.of(summary?.cashRounding)
  return total < 0n && total + rounding < 0n ? -rounding : rounding
}

/** What comes back beside lines, in minor units. */
export interface Extras {
  readonly shipping: bigint
  readonly tip: bigint
  readonly fees: bigint
}

/** How amounts are counted: goods are paid in whole `unit`s. */
interface Counting {
  readonly money: Money
  readonly unit: bigint
}

/** What earlier refunds left of delivery, tip and fees. */
export function extrasLeft(
  { summary, cartFees }: SoldOrder,
  earlier: readonly EarlierRefund[],
  { money, unit }: Counting,
): Extras {
  const sumOf = (amountOf: (refund: EarlierRefund) => string | undefined) =>
    earlier.reduce((sum, refund) => sum + money.of(amountOf(refund)), 0n)
  return {
    shipping: restOf(
      money.of(summary?.shippingTotal),
      sumOf((refund) => refund.summary?.shippingTotal),
    ),
    tip: restOf(
      money.of(summary?.tip?.amount),
      sumOf((refund) => refund.summary?.tip?.amount),
    ),
    fees: restOf(feesIn(cartFees, money), feesBack(earlier, money, unit)),
  }
}

/** Delivery, tip and fees that come back: those that are named, or all that is left of them. */
export function extrasOf(
  order: SoldOrder,
  earlier: readonly EarlierRefund[],
  wanted: RefundBody,
  counting: Counting,
): Extras | Problem {
  const { money } = counting
  const left = extrasLeft(order, earlier, counting)
  for (const [member, amount] of Object.entries({ shippingTotal: left.shipping, tip: left.tip, fees: left.fees })) {
    const asked = money.of(wanted[member as 'tip'])
    if (asked > 0n && asked > amount) {
      const message = `Only ${money.text(amount)} of ${member} is left.`
      return new Problem('conflict', message, [bodyError(`/${member}`, 'left', message, Number(money.text(amount)))])
    }
  }
  if (wanted.lines === undefined) return left
  return { shipping: money.of(wanted.shippingTotal), tip: money.of(wanted.tip), fees: money.of(wanted.fees) }
}

/** What is left of an amount. A refund that was written as a record may have more of it than was sold: then nothing is. */
const restOf = (sold: bigint, back: bigint): bigint => (sold >= 0n && back > sold ? 0n : sold - back)

/**
 * What goods are worth in whole units, so that together with the earlier ones they add up to what all of them are
 * worth.
 */
export const inMoney = (before: bigint, worth: bigint, unit: bigint): bigint =>
  nearest(before + worth, unit) - nearest(before, unit)

/**
 * The fees of the cart in earlier refunds. Only their totals contain them, so they are each total minus its other
 * parts. A refund that was written as a record, without a subtotal or with lines without a position, says nothing about
 * fees.
 */
function feesBack(earlier: readonly EarlierRefund[], money: Money, unit: bigint): bigint {
  let before = 0n
  let fees = 0n
  for (const { lineItems = [], summary } of earlier) {
    if (summary?.subTotal === undefined || lineItems.some(({ position }) => position === undefined)) continue
    const goods = lineItems.reduce(
      (sum, { total, totalTax, fee }) =>
        sum + money.of(total) + (summary.isTaxInclusive === true ? 0n : money.of(totalTax)) + feesIn(fee, money),
      0n,
    )
    const others = inMoney(before, goods, unit) + money.of(summary.shippingTotal) + money.of(summary.tip?.amount)
    const rest = money.of(summary.total) - others
    if (rest > 0n) fees += rest
    before += goods
  }
  return fees
}
