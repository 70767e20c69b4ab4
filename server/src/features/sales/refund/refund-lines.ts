// The amounts of a refund: the parts of an order's lines that come back, so that all refunds together add up to the order.

import { type Exact, exact, isNear, over, plus, rounded, times, whole } from '../../../core/exact.ts'

/** The amounts of a line in minor units, by the member that they are stored in. */
export interface LineAmounts {
  readonly subTotal: bigint
  readonly itemDiscount: bigint
  readonly cartDiscount: bigint
  readonly total: bigint
  readonly totalTax: bigint
  readonly fee: bigint
  readonly taxes: readonly bigint[]
}

/** A line of an order, and what came back of it before. */
export interface SoldLine {
  readonly quantity: number
  readonly amounts: LineAmounts
  readonly before: { readonly quantity: number; readonly amounts: LineAmounts }
}

const nothing = { subTotal: 0n, itemDiscount: 0n, cartDiscount: 0n, total: 0n, totalTax: 0n, fee: 0n }

/** Amounts of nothing, with that many taxes. */
export const noAmounts = (taxes: number): LineAmounts => ({
  ...nothing,
  taxes: Array.from({ length: taxes }, () => 0n),
})

/** The sums of amounts; those of taxes by their place. */
export const sumOf = (a: LineAmounts, b: LineAmounts): LineAmounts => ({
  subTotal: a.subTotal + b.subTotal,
  itemDiscount: a.itemDiscount + b.itemDiscount,
  cartDiscount: a.cartDiscount + b.cartDiscount,
  total: a.total + b.total,
  totalTax: a.totalTax + b.totalTax,
  fee: a.fee + b.fee,
  taxes: a.taxes.map((tax, n) => tax + (b.taxes[n] ?? 0n)),
})

/** Units that are left of a line. */
export const leftOf = ({ quantity, before }: SoldLine): number =>
  isSameQuantity(before.quantity, quantity) ? 0 : addedQuantities(quantity, -before.quantity)

/** The sum of two quantities. */
export const addedQuantities = (a: number, b: number): number => numberOf(plus(exact(a), exact(b)))

/** A quantity as the nearest JSON number; sums may be beyond all of them. */
const numberOf = ({ n, d }: Exact): number => {
  const number = Number(`${n}e-${d.toString().length - 1}`)
  return Math.max(-Number.MAX_VALUE, Math.min(number, Number.MAX_VALUE))
}

/** Whether two quantities differ by rounding alone: two halves of a third are not quite a third. */
export const isSameQuantity = (a: number, b: number): boolean => isNear(exact(a), exact(b))

/**
 * The amounts of some units of a line: the part up to them minus the part before, each rounded, so that no order of refunds
 * gains or loses a cent. The last units get what is left.
 */
export function amountsOfUnits(line: SoldLine, units: number): LineAmounts {
  const { amounts, before, quantity } = line
  const isRest = units === leftOf(line)
  // Zero units have no part, although a refund of a negative quantity may have left some.
  const upTo = (units: Exact, amount: bigint) =>
    quantity === 0 ? 0n : rounded(over(times(whole(amount), units), exact(quantity)))
  const from = exact(before.quantity)
  const to = plus(exact(before.quantity), exact(units))
  const part = (amount: bigint, returned: bigint) =>
    isRest ? amount - returned : upTo(to, amount) - upTo(from, amount)
  const { total, totalTax } = amounts
  const parts = {
    subTotal: part(amounts.subTotal, before.amounts.subTotal),
    itemDiscount: part(amounts.itemDiscount, before.amounts.itemDiscount),
    cartDiscount: part(amounts.cartDiscount, before.amounts.cartDiscount),
    total: part(total, before.amounts.total),
    fee: part(amounts.fee, before.amounts.fee),
    taxes: amounts.taxes.map((tax, n) => part(tax, before.amounts.taxes[n] ?? 0n)),
  }
  // Parts of taxes and of their sum, each rounded, may differ by a cent, and receipts print both: then the sum is that of the parts.
  const isTaxSum = amounts.taxes.length > 0 && totalTax === amounts.taxes.reduce((sum, tax) => sum + tax, 0n)
  return {
    ...(isRest ? parts : { ...parts, ...summed(parts, amounts, before.amounts) }),
    totalTax:
      isTaxSum && !isRest ? parts.taxes.reduce((sum, tax) => sum + tax, 0n) : part(totalTax, before.amounts.totalTax),
  }
}

type Discounted = Pick<LineAmounts, 'subTotal' | 'itemDiscount' | 'cartDiscount' | 'total'>

/**
 * The total of a part, computed as in the sale: subtotal minus discounts, if that was the sale's total. Three roundings
 * could make it negative, or more than is left; then the discount is adjusted to fit.
 */
function summed({ subTotal, itemDiscount, cartDiscount }: Discounted, sold: Discounted, before: Discounted) {
  if (sold.total !== sold.subTotal - sold.itemDiscount - sold.cartDiscount) return {}
  const sum = subTotal - itemDiscount - cartDiscount
  const total = within(sum, sold.total - before.total)
  if (sold.cartDiscount === 0n) return { total, itemDiscount: itemDiscount + sum - total }
  return { total, cartDiscount: cartDiscount + sum - total }
}

/** The amount between zero and a bound that is nearest to another amount. */
function within(amount: bigint, bound: bigint): bigint {
  const [low, high] = bound < 0n ? [bound, 0n] : [0n, bound]
  if (amount < low) return low
  return amount > high ? high : amount
}
