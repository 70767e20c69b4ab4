// Discounts of a sale: what a line's own discount takes off, and how the discount on the cart is divided over the lines.

import { apportion, limitedTo, percent, rounded, sum, times, whole } from '../../core/exact.ts'
import type { Sale, Share } from './sale.ts'
import type { Worksheet } from './worksheet.ts'

/**
 * What a discount takes off an amount: by its percentage if it has one, and never more than all. The discount on a
 * returned line is negative, as its price is.
 */
export function discountOn(base: bigint, discount: Share | undefined, at: string, sheet: Worksheet): bigint {
  if (discount?.percentage === undefined) {
    const amount = sheet.input(discount?.amount)
    if (amount < 0n && base > 0n)
      sheet.refuse(`${at}/amount`, 'minimum', 'must not be negative; use a fee to add to the price', 0)
    return limitedTo(amount, base)
  }
  sheet.boundRate(`${at}/percentage`, discount.percentage, 100)
  return limitedTo(rounded(times(whole(base), percent(discount.percentage))), base)
}

/** A line before the discount on the cart: `base` is its price after its own discount. */
interface DiscountedLine {
  readonly at: string
  readonly sent: { readonly quantity?: number }
  readonly base: bigint
  readonly share: Share | undefined
}

/** Whether something is sold and not returned. What is given away counts as sold. */
const isSoldFor = (amount: number, quantity: number): boolean => amount > 0 || (amount === 0 && quantity > 0)

/**
 * The discount on the cart, and each line's part of it. It applies to what is sold; returned lines have a part only if
 * all lines are returned. Without a discount for the whole cart, the lines keep the parts that were sent.
 */
export function cartDiscountOf(
  { cartDiscount, customSales = [] }: Sale,
  lines: readonly DiscountedLine[],
  sheet: Worksheet,
) {
  if (cartDiscount?.amount === undefined && cartDiscount?.percentage === undefined) {
    const parts = lines.map(({ at, base, share }) => discountOn(base, share, `${at}/discount/cartDiscount`, sheet))
    return { amount: sum(parts), parts }
  }
  // Custom sales have no discount, but are sold.
  const isSold =
    lines.some(({ base, sent: { quantity = 1 } }) => isSoldFor(Number(base), quantity)) ||
    customSales.some(({ price, total = 0, quantity = 1 }) =>
      isSoldFor(price === undefined ? Number(total) : Number(price) * quantity, quantity),
    )
  const bases = lines.map(({ base }) => (isSold && base < 0n ? 0n : base))
  const base = sum(bases)
  const amount = discountOn(base, cartDiscount, '/cartDiscount', sheet)
  // Any division that adds up is right: a coupon may exclude some lines.
  const sent = lines.map(({ share }, n) => limitedTo(sheet.input(share?.amount), bases[n] as bigint))
  if (sum(sent) === amount) return { amount, parts: sent }
  const d = base < 0n ? -base : base
  const exactParts = bases.map((one) => ({ n: base < 0n ? -amount * one : amount * one, d }))
  return { amount, parts: apportion(exactParts, amount) }
}
