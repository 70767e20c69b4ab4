// Delivery, tip and fees of the cart in a refund: what of them comes back, and never more than is left.

import { bodyError, Problem } from '../../core/problem.ts'
import { feeAmount } from './priced-items.ts'
import type { RefundBody } from './refund-body.ts'
import type { EarlierRefund, Money, SoldOrder } from './sold-lines.ts'

/** What comes back beside lines, in minor units. */
interface Extras {
  readonly shipping: bigint
  readonly tip: bigint
  readonly fees: bigint
}

/** Delivery, tip and fees that come back: those that are named, or all that is left of them. */
export function extrasOf(
  { summary, cartFees }: SoldOrder,
  earlier: readonly EarlierRefund[],
  wanted: RefundBody,
  money: Money,
): Extras | Problem {
  const sumOf = (amountOf: (refund: EarlierRefund) => bigint) =>
    earlier.reduce((sum, refund) => sum + amountOf(refund), 0n)
  const left = {
    shippingTotal: money.of(summary?.shippingTotal) - sumOf((refund) => money.of(refund.summary?.shippingTotal)),
    tip: money.of(summary?.tip?.amount) - sumOf((refund) => money.of(refund.summary?.tip?.amount)),
    fees: feesIn(cartFees, money) - sumOf((refund) => feesBack(refund, money)),
  }
  for (const member of ['shippingTotal', 'tip', 'fees'] as const)
    if (wanted[member] !== undefined && money.of(wanted[member]) > left[member]) {
      const message = `Only ${money.text(left[member])} of it is left.`
      return new Problem('conflict', message, [bodyError(`/${member}`, 'left', message)])
    }
  // What is left of the fees of the cart is in what is left of the total.
  if (wanted.lines === undefined) return { shipping: left.shippingTotal, tip: left.tip, fees: 0n }
  return { shipping: money.of(wanted.shippingTotal), tip: money.of(wanted.tip), fees: money.of(wanted.fees) }
}

const feesIn = (fees: unknown, money: Money): bigint =>
  [fees].flat().reduce<bigint>((sum, fee) => sum + money.of(feeAmount(fee)), 0n)

/**
 * The fees of the cart in an earlier refund, which only its total has: what it comes to beyond its other parts. A refund
 * that was written as a record, whose lines have no position, says nothing of fees.
 */
function feesBack({ lineItems = [], summary }: EarlierRefund, money: Money): bigint {
  if (summary === undefined || lineItems.some(({ position }) => position === undefined)) return 0n
  const goods = lineItems.reduce(
    (sum, { total, totalTax, fee }) =>
      sum + money.of(total) + (summary.isTaxInclusive === true ? 0n : money.of(totalTax)) + feesIn(fee, money),
    0n,
  )
  const fees = money.of(summary.total) - goods - money.of(summary.shippingTotal) - money.of(summary.tip?.amount)
  return fees > 0n ? fees : 0n
}
