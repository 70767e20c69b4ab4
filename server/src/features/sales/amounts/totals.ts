// The totals of a sale from its computed lines: sums, taxes by rate, tip, and the total.

import { type Exact, exact, percent, plus, rounded, sum, times, whole } from '../../../core/exact.ts'
import { feesOf, type PricedItem } from './priced-items.ts'
import type { Payment, Sale, Summary, Tax } from './sale.ts'
import { rateKey, sumsByRate } from './taxes.ts'
import type { Worksheet } from './worksheet.ts'

/** The highest tip in percent. */
const TIP = 1_000

export interface SaleTotals {
  readonly subTotal: bigint
  readonly discountTotal: bigint
  readonly totalTaxes: bigint
  readonly tip: bigint
  readonly total: bigint
}

/** The sums of a sale in minor units; `taxes` are the amounts of each item's taxes. */
export function totalsOf(
  sale: Sale,
  items: readonly PricedItem[],
  { taxes, cartDiscount, isInclusive }: { taxes: readonly bigint[][]; cartDiscount: bigint; isInclusive: boolean },
  sheet: Worksheet,
): SaleTotals {
  const { summary } = sale
  const fees = sum(items.map(({ fee }) => fee)) + feesOf(sale.cartFees, '/cartFees', sheet)
  const further = sheet.input(summary?.shippingTotal) + fees
  if (items.length === 0) return enteredTotals(sale, isInclusive, further, sheet)
  const subTotal = sum(items.map((item) => item.subTotal))
  const discountTotal = sum(items.map(({ itemDiscount }) => itemDiscount)) + cartDiscount
  const totalTaxes = sum(taxes.flat()) + sum(items.map(({ bareTax }) => bareTax))
  const tip = tipOf(sale, subTotal - discountTotal, sheet)
  const total = subTotal - discountTotal + (isInclusive ? 0n : totalTaxes) + further + tip
  return { subTotal, discountTotal, totalTaxes, tip, total }
}

/** The sums of a sale without lines, such as an amount that was keyed in: they follow from the parts of its summary. */
function enteredTotals(sale: Sale, isInclusive: boolean, further: bigint, sheet: Worksheet): SaleTotals {
  const { summary } = sale
  const discountTotal = sheet.input(summary?.discountTotal)
  const totalTaxes = sheet.input(summary?.totalTaxes)
  const taxAdded = isInclusive ? 0n : totalTaxes
  const entered = sheet.input(summary?.subTotal ?? summary?.total)
  const tip = tipOf(sale, entered - discountTotal, sheet)
  const subTotal = summary?.subTotal === undefined ? entered + discountTotal - taxAdded - further - tip : entered
  return { subTotal, discountTotal, totalTaxes, tip, total: subTotal - discountTotal + taxAdded + further + tip }
}

/** The tip: its amount, else its percentage of the lines after discounts, else the tips of the payments. */
function tipOf({ summary, payments, paymentMethods }: Sale, base: bigint, sheet: Worksheet): bigint {
  const { amount, percentage } = summary?.tip ?? {}
  if (amount !== undefined) return sheet.input(amount)
  if (percentage === undefined)
    return rounded((payments ?? paymentMethods ?? []).map(tipAmount).reduce(plus, whole(0n)), sheet.digits)
  sheet.boundRate('/summary/tip/percentage', percentage, TIP)
  return rounded(times(whole(base), percent(percentage)))
}

const tipAmount = ({ tip }: Payment): Exact => exact(tip?.amount ?? '0')

/** The taxes of the sale, one entry for each rate; those that were sent keep their position. */
export function ratesOf(
  summary: Summary | undefined,
  items: readonly PricedItem[],
  taxes: readonly bigint[][],
  sheet: Worksheet,
): Tax[] {
  const rates = sumsByRate(items.map((item, n) => ({ taxes: item.taxes, amounts: taxes[n] ?? [] })))
  // A line that names no rates may have any of those in the summary.
  const isOpen = items.length === 0 || items.some(({ bareTax }) => bareTax !== 0n)
  const sent = (summary?.taxes ?? []).map((tax, n) => {
    const rate = rates.get(rateKey(tax))
    rates.delete(rateKey(tax))
    const amount = rate?.amount ?? (isOpen ? sheet.input(tax.amount) : 0n)
    return { ...tax, amount: sheet.amount(`/summary/taxes/${n}/amount`, amount, tax.amount) }
  })
  const others = [...rates.values()].map(({ tax, amount }, n) => ({
    ...tax,
    amount: sheet.amount(`/summary/taxes/${sent.length + n}/amount`, amount),
  }))
  return [...sent, ...others]
}
