// Computes the refund of a sale: the record of the refund, and how much money goes back.

import { currencyDigits } from '../../../core/currency.ts'
import { decimalsOf, notNegative, power, sum } from '../../../core/exact.ts'
import { bodyError, conflict, invalid, Problem } from '../../../core/problem.ts'
import type { JsonObject } from '../../../engine/record.ts'
import type { RefundBody } from './refund-body.ts'
import { type LineAmounts, leftOf, noAmounts, sumOf } from './refund-lines.ts'
import { noTaxes, type Returned, ratesOf, refundLine, type Taxes, taxesBeyondLines } from './refund-record.ts'
import { type Extras, extrasLeft, extrasOf, inMoney, restOfSale } from './refund-rest.ts'
import { linesLeft, linesToReturn, takesAll } from './returned-lines.ts'
import { type EarlierRefund, type Money, moneyOf, type OrderLine, orderLines, type SoldOrder } from './sold-lines.ts'

/** A computed refund. */
export interface ComputedRefund {
  /** The members of the refund that follow from the order. */
  readonly members: JsonObject & { readonly summary: object }
  /** Units of each line of the order that go back to the shelf, by the line's position. */
  readonly restocked: ReadonlyMap<number, number>
  readonly money: Money
  readonly total: bigint
  /** Its part of the sale's cash rounding: `total` is the value of what comes back, plus this. */
  readonly saleRounding: bigint
  /** What the customer gets back: less than the refund is worth if the order was not paid in full, more if it was overpaid and nothing is left of it. */
  readonly payBack: bigint
  /** What earlier refunds paid in coins beyond what they owed; below zero if it was less. */
  readonly cashRounded: bigint
  /** Whether nothing of the order is left. */
  readonly isWhole: boolean
}

/** The refund of an order after earlier ones, or why it cannot be made. */
export function refundOf(
  order: SoldOrder,
  earlier: readonly EarlierRefund[],
  wanted: RefundBody,
  currency: string,
): ComputedRefund | Problem {
  const digits = currencyDigits(order.currency ?? currency)
  const money = moneyOf(order, digits)
  const lines = orderLines(order, earlier, money)
  const isInclusive = order.summary?.isTaxInclusive === true
  const { soldTotal, left, rounding, cashRounded } = restOfSale(order, earlier, money)
  const isExchange = soldTotal >= 0n && lines.some(({ quantity }) => quantity < 0)
  // Once all that was sold in an exchange is back, only delivery, tip and fees are left: the goods that the customer gave
  // were paid for. If no goods were sold, they paid for delivery, tip and fees, and go back with these.
  const isAllBack = lines.some(({ quantity }) => quantity > 0) && lines.every((line) => leftOf(line) <= 0)
  const isRest = wanted.lines === undefined && !(isExchange && isAllBack)
  const returned = isRest ? linesLeft(lines) : linesToReturn(lines, wanted.lines ?? [])
  if (returned instanceof Problem) return returned
  const unit = unitOf(order, money, digits)
  const asked = extrasOf(order, earlier, wanted, { money, unit })
  if (asked instanceof Problem) return asked
  const sums = sumsOf(returned)
  const worthOf = ({ total, totalTax, fee }: LineAmounts) => total + (isInclusive ? 0n : totalTax) + fee
  // In an exchange, more than the total can come back: the goods that the customer gave paid for some of what was sold, and
  // coins may not pay all of the rest.
  const most = left + (isExchange ? givenOf(lines, worthOf, unit) + notNegative(-rounding) : 0n)
  if (most < 0n) return nothingLeft(soldTotal, money)
  const before = sumsOf(lines.map(({ before }) => before))
  const goods = inMoney(worthOf(before), worthOf(sums), unit)
  const named = goods + allOf(asked)
  if (!isRest && returned.length === 0 && named === 0n)
    return wanted.lines
      ? invalid([bodyError('/lines', 'minItems', 'must have a line, or refund shippingTotal, tip or fees')])
      : refundedInFull()
  // Cash rounding belongs to no line: the refund that takes the last goods takes it too, and so does one whose goods are worth
  // more than what is left.
  const isLast = named + rounding === left || (named > left && named + rounding < left)
  const total = isRest || isLast ? left : named
  if (isRest && total <= 0n && returned.every(({ quantity }) => quantity < 0)) return refundedInFull()
  const wrong = wrongTotal(total, most, isRest, money)
  if (wrong) return wrong
  // For an exchange, and a sale that cost nothing, the units decide whether anything is left.
  const isWhole = isExchange
    ? takesAll(lines, returned)
    : left === total && (soldTotal !== 0n || takesAll(lines, returned))
  const payBack = payBackOf(order, { money, total, left, soldTotal, isWhole })
  // Once all goods are back, cash that was rounded down may have paid for all that is left of delivery, tip and fees: they come back too.
  const extrasOfRest = extrasLeft(order, earlier, { money, unit })
  const takesRest = isRest || (isWhole && !isExchange && goods + allOf(extrasOfRest) === total - rounding)
  const extras = takesRest ? extrasOfRest : asked
  const saleRounding = takesRest ? rounding : total - named
  const others = total - saleRounding - goods - extras.shipping - extras.tip
  const rest = { extras, others, isFirst: earlier.length === 0 }
  const beyond = takesRest ? taxesBeyondLines(order, lines, rest, money) : noTaxes
  // An order may have lines without amounts, or none: then what its rest has beyond them was paid for such goods.
  const isUnpriced = isRest && (lines.length === 0 || returned.some(({ line }) => line.sold.total === undefined))
  const unpriced = isUnpriced ? rest.others - (isInclusive ? 0n : sum(beyond.amounts)) : 0n
  const summary = summaryOf(returned, { ...sums, subTotal: sums.subTotal + unpriced }, extras, {
    isInclusive,
    value: total - saleRounding,
    money,
    beyond,
  })
  const lineItems = returned.map((one) => refundLine(one, money))
  return {
    members: { lineItems, summary, balance: money.text(left - total) },
    restocked: restockedOf(returned),
    money,
    total,
    saleRounding,
    payBack,
    cashRounded,
    isWhole,
  }
}

const restockedOf = (returned: readonly Returned[]): ReadonlyMap<number, number> =>
  new Map(
    returned.flatMap(({ line, quantity, restocks }) =>
      restocks && line.kind === 'lineItem' ? [[line.position, quantity] as const] : [],
    ),
  )

const allOf = ({ shipping, tip, fees }: Extras): bigint => shipping + tip + fees

/** The problem of a sale that was a return, or whose refunds are more than its total. */
const nothingLeft = (soldTotal: bigint, money: Money): Problem =>
  soldTotal < 0n
    ? conflict(
        'sale_below_zero',
        'The sale’s total is below zero: it was a return, which cannot be refunded. Make a new sale instead.',
      )
    : conflict('sale_refunded', `More of the sale was refunded than its total, ${money.text(soldTotal)}.`)

/** The problem of a refund that comes to less than nothing, or to more than is left. */
function wrongTotal(total: bigint, most: bigint, isRest: boolean, money: Money): Problem | undefined {
  // A line may have a negative price, such as a voucher.
  if (total < 0n) {
    const message = isRest
      ? `With the goods that the customer gave in exchange, what is left comes to ${money.text(total)}. Name the lines that come back.`
      : `These lines come to ${money.text(total)}. Refund them together with the lines that they reduce.`
    return new Problem('conflict', message, [bodyError('/lines', 'minimum', message)])
  }
  if (total <= most) return undefined
  const message = `Only ${money.text(most)} of the sale is left, but this refund comes to ${money.text(total)}.`
  return conflict('refund_above_rest', message)
}

const refundedInFull = () => conflict('sale_refunded', 'The sale has already been refunded in full.')

/** The summary of a refund that is worth `value`. */
function summaryOf(
  returned: readonly Returned[],
  sums: LineAmounts,
  { shipping, tip }: Extras,
  {
    isInclusive,
    value,
    money,
    beyond,
  }: { readonly isInclusive: boolean; readonly value: bigint; readonly money: Money; readonly beyond: Taxes },
) {
  return {
    isTaxInclusive: isInclusive,
    subTotal: money.text(sums.subTotal),
    discountTotal: money.text(sums.itemDiscount + sums.cartDiscount),
    totalTaxes: money.text(sums.totalTax + sum(beyond.amounts)),
    taxes: ratesOf(returned, beyond, money),
    ...(shipping !== 0n && { shippingTotal: money.text(shipping) }),
    ...(tip !== 0n && { tip: { amount: money.text(tip) } }),
    total: money.text(value),
  }
}

/** What the customer gets back. The last refund also pays back what was paid beyond the total. */
function payBackOf(
  { paid, due }: SoldOrder,
  {
    money,
    total,
    left,
    soldTotal,
    isWhole,
  }: Pick<ComputedRefund, 'money' | 'total' | 'isWhole'> & { readonly left: bigint; readonly soldTotal: bigint },
): bigint {
  const most = total + (isWhole ? notNegative(money.of(paid) - soldTotal) : 0n)
  const owed = notNegative(total - (due === undefined ? left : money.of(due)))
  return owed < most ? owed : most
}

/** What goods are worth that the customer gave in an exchange and has not got back; at least 0. */
function givenOf(lines: readonly OrderLine[], worthOf: (amounts: LineAmounts) => bigint, unit: bigint): bigint {
  const given = linesLeft(lines).filter(({ quantity }) => quantity < 0)
  // In whole units as the total is, so that it and they add up to what was sold.
  return notNegative(inMoney(worthOf(sumsOf(lines)), -worthOf(sumsOf(given)), unit))
}

/** The smallest amount in which a sale is paid: a unit of its currency, or finer if its total is. */
function unitOf({ summary }: SoldOrder, money: Money, digits: number): bigint {
  return power(money.digits - Math.max(digits, decimalsOf(summary?.total ?? '')))
}

const sumsOf = (parts: readonly { readonly amounts: LineAmounts }[]): LineAmounts =>
  parts.reduce((sum, { amounts }) => sumOf(sum, amounts), noAmounts(0))
