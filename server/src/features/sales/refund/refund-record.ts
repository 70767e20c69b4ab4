// What the record of a refund says about the returned lines, and about their taxes.

import { sum } from '../../../core/exact.ts'
import type { JsonObject } from '../../../engine/record.ts'
import type { LineItem, Tax } from '../amounts/sale.ts'
import { rateKey, sumsByRate } from '../amounts/taxes.ts'
import type { LineAmounts } from './refund-lines.ts'
import type { Extras } from './refund-rest.ts'
import { CUSTOM_SALE, type Money, type OrderLine, type SoldOrder } from './sold-lines.ts'

/** A line that comes back. */
export interface Returned {
  readonly line: OrderLine
  readonly quantity: number
  readonly restocks: boolean
  readonly amounts: LineAmounts
}

/** Taxes with their amounts in minor units; further amounts have no rate. */
export interface Taxes {
  readonly taxes: readonly Tax[]
  readonly amounts: readonly bigint[]
}
export const noTaxes: Taxes = { taxes: [], amounts: [] }

/** What decides whether the rest of a sale contains its taxes that no line has. */
interface RestOfTaxes {
  readonly extras: Extras
  /** What the rest has beyond its goods, delivery and tip. */
  readonly others: bigint
  readonly isFirst: boolean
}

/**
 * The taxes of a sale that none of its lines has, such as that on delivery. Those that were added to prices come back with a rest that has
 * that much beyond its other parts; those that prices contain, with a whole sale or with all of the delivery.
 */
export function taxesBeyondLines(
  { summary = {} }: SoldOrder,
  lines: readonly OrderLine[],
  { extras, others, isFirst }: RestOfTaxes,
  money: Money,
): Taxes {
  const amount = money.of(summary.totalTaxes) - sum(lines.map(({ amounts }) => amounts.totalTax))
  const hasDelivery = extras.shipping > 0n && extras.shipping === money.of(summary.shippingTotal)
  const isContained = summary.isTaxInclusive === true ? isFirst || hasDelivery : others >= amount
  if (amount <= 0n || !isContained) return noTaxes
  const ofLines = sumsByRate(lines.map(({ taxes, amounts }) => ({ taxes, amounts: amounts.taxes })))
  const rates = (summary.taxes ?? [])
    .map((tax) => ({ tax, amount: money.of(tax.amount) - (ofLines.get(rateKey(tax))?.amount ?? 0n) }))
    .filter(({ amount }) => amount !== 0n)
  const isWhole = sum(rates.map(({ amount }) => amount)) === amount
  return isWhole
    ? { taxes: rates.map(({ tax }) => tax), amounts: rates.map(({ amount }) => amount) }
    : { taxes: [], amounts: [amount] }
}

/** The taxes of the refund, one entry for each rate. */
export function ratesOf(returned: readonly Returned[], beyond: Taxes, money: Money): Tax[] {
  const ofLines = returned.map(({ line, amounts }) => ({ taxes: line.taxes, amounts: amounts.taxes }))
  return [...sumsByRate([...ofLines, beyond]).values()].map(({ tax, amount }) => ({
    ...tax,
    amount: money.text(amount),
  }))
}

/** A line of the refund. */
export function refundLine({ line, quantity, restocks, amounts }: Returned, money: Money): JsonObject {
  const { kind, position, sold, taxes } = line
  const { discount, fee, ...members } = sold as LineItem
  const { customSaleId, applyTaxes, ...others } = members as JsonObject
  const share = (name: 'itemDiscount' | 'cartDiscount') =>
    discount?.[name] && { [name]: { ...discount[name], amount: money.text(amounts[name]) } }
  const ids =
    kind === 'customSale'
      ? { productId: CUSTOM_SALE, variantId: String(customSaleId ?? position) }
      : { productId: productOf(sold as LineItem, position), variantId: variantOf(sold as LineItem, position) }
  return {
    ...others,
    ...ids,
    position,
    quantity,
    subTotal: money.text(amounts.subTotal),
    ...(discount && { discount: { ...share('itemDiscount'), ...share('cartDiscount') } }),
    ...(amounts.fee !== 0n && { fee: { amount: money.text(amounts.fee) } }),
    total: money.text(amounts.total),
    totalTax: money.text(amounts.totalTax),
    ...(taxes.length > 0 && {
      taxes: taxes.map((tax, n) => ({ ...tax, amount: money.text(amounts.taxes[n] as bigint) })),
    }),
    action: restocks ? 'RESTOCK' : 'REFUND_DAMAGE',
  }
}

// The contract requires both ids of a refund's line; a line of an order may have neither.
const productOf = ({ productId, variantId }: LineItem, position: number) => productId ?? variantId ?? String(position)
const variantOf = ({ productId, variantId }: LineItem, position: number) => variantId ?? productId ?? String(position)
