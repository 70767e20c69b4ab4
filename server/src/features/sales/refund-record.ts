// What the record of a refund says about the returned lines, and about their taxes.

import type { JsonObject } from '../../engine/record.ts'
import type { LineAmounts } from './refund-lines.ts'
import type { LineItem, Tax } from './sale.ts'
import { CUSTOM_SALE, type Money, type OrderLine } from './sold-lines.ts'
import { sumsByRate } from './taxes.ts'

/** A line that comes back. */
export interface Returned {
  readonly line: OrderLine
  readonly quantity: number
  readonly restocks: boolean
  readonly amounts: LineAmounts
}

/** The taxes of the refund, one entry for each rate. */
export function ratesOf(returned: readonly Returned[], money: Money): Tax[] {
  const rates = sumsByRate(returned.map(({ line, amounts }) => ({ taxes: line.taxes, amounts: amounts.taxes })))
  return [...rates.values()].map(({ tax, amount }) => ({ ...tax, amount: money.text(amount) }))
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
    ...{ ...ids, position, quantity, subTotal: money.text(amounts.subTotal) },
    ...(discount && { discount: { ...share('itemDiscount'), ...share('cartDiscount') } }),
    ...(amounts.fee !== 0n && { fee: { amount: money.text(amounts.fee) } }),
    ...{ total: money.text(amounts.total), totalTax: money.text(amounts.totalTax) },
    ...(taxes.length > 0 && {
      taxes: taxes.map((tax, n) => ({ ...tax, amount: money.text(amounts.taxes[n] as bigint) })),
    }),
    action: restocks ? 'RESTOCK' : 'REFUND_DAMAGE',
  }
}

// The contract requires both ids of a refund's line; a line of an order may have neither.
const productOf = ({ productId, variantId }: LineItem, position: number) => productId ?? variantId ?? String(position)
const variantOf = ({ productId, variantId }: LineItem, position: number) => variantId ?? productId ?? String(position)
