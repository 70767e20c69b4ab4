// Writes computed amounts into the members of a sale, and keeps their other members.

import { sum } from '../../../core/exact.ts'
import type { PricedItem } from './priced-items.ts'
import type { CustomSale, LineItem, Payment, Summary } from './sale.ts'
import type { SaleTotals } from './totals.ts'
import type { Worksheet } from './worksheet.ts'

/** An amount within an object, with its other members. */
export const withAmount = <T extends { readonly amount?: string }>(
  at: string,
  amount: bigint,
  sent: T,
  sheet: Worksheet,
): T => ({
  ...sent,
  amount: sheet.amount(`${at}/amount`, amount, sent.amount),
})

/** A member that is present only if it was sent or is not zero. */
export function optionalAmount<M extends string>(
  at: string,
  name: M,
  amount: bigint,
  sent: { [N in M]?: string } | undefined,
  sheet: Worksheet,
) {
  if (amount === 0n && sent?.[name] === undefined) return {}
  return { [name]: sheet.amount(`${at}/${name}`, amount, sent?.[name]) }
}

/** `totalTax` and `taxes` of a line or a custom sale. */
function computedTaxes({ at, sent, table, taxes, bareTax }: PricedItem, amounts: readonly bigint[], sheet: Worksheet) {
  const entries = sent.taxes ?? (table && taxes)
  return {
    totalTax: sheet.amount(`${at}/totalTax`, sum(amounts) + bareTax, sent.totalTax),
    ...(entries && {
      taxes: entries.map((tax, n) => withAmount(`${at}/taxes/${n}`, amounts[n] ?? 0n, tax, sheet)),
    }),
  }
}

export function computedLine(item: PricedItem<LineItem>, taxes: readonly bigint[], sheet: Worksheet): LineItem {
  const { at, sent } = item
  const subTotal = sheet.amount(`${at}/subTotal`, item.subTotal, sent.subTotal)
  const discounts = (['itemDiscount', 'cartDiscount'] as const).flatMap((name) => {
    const share = sent.discount?.[name]
    if (share === undefined && item[name] === 0n) return []
    return [[name, withAmount(`${at}/discount/${name}`, item[name], share ?? {}, sheet)]]
  })
  const discount = discounts.length > 0 && { discount: { ...sent.discount, ...Object.fromEntries(discounts) } }
  const total = sheet.amount(`${at}/total`, item.total, sent.total)
  return { ...sent, subTotal, ...discount, total, ...computedTaxes(item, taxes, sheet) }
}

export function computedCustomSale(
  item: PricedItem<CustomSale>,
  taxes: readonly bigint[],
  sheet: Worksheet,
): CustomSale {
  const total = sheet.amount(`${item.at}/total`, item.total, item.sent.total)
  return { ...item.sent, total, ...computedTaxes(item, taxes, sheet) }
}

export function computedSummary(
  sent: Summary | undefined,
  totals: SaleTotals,
  isTaxInclusive: boolean,
  sheet: Worksheet,
): Summary {
  const amount = (name: Exclude<keyof SaleTotals, 'tip'>) =>
    sheet.amount(`/summary/${name}`, totals[name], sent?.[name])
  const shipping = sent?.shippingTotal
  const tip = (sent?.tip || totals.tip !== 0n) && withAmount('/summary/tip', totals.tip, sent?.tip ?? {}, sheet)
  return {
    ...sent,
    isTaxInclusive,
    subTotal: amount('subTotal'),
    discountTotal: amount('discountTotal'),
    totalTaxes: amount('totalTaxes'),
    ...(shipping && { shippingTotal: sheet.amount('/summary/shippingTotal', sheet.input(shipping), shipping) }),
    ...(tip && { tip }),
    total: amount('total'),
  }
}

export function computedPayments(
  sent: readonly Payment[],
  settled: readonly { readonly amount: bigint; readonly change: bigint }[],
  list: string,
  sheet: Worksheet,
): Payment[] {
  return sent.map((payment, n) => {
    const at = `/${list}/${n}`
    const { amount, change } = settled[n] as (typeof settled)[number]
    // Cash without `change` is what the customer handed over.
    const isHandedOver = payment.change === undefined && change > 0n
    const paid = sheet.amount(`${at}/amount`, amount, isHandedOver ? undefined : payment.amount)
    return { ...payment, amount: paid, ...optionalAmount(at, 'change', change, payment, sheet) }
  })
}
