// The lines of an order as a refund sees them: what was sold, and what earlier refunds took back.

import { amountText, exact, rounded, sumText } from '../../core/exact.ts'
import { type LineAmounts, leftOf, noAmounts, type SoldLine, sumOf } from './refund-lines.ts'
import type { CustomSale, LineItem, Summary, Tax } from './sale.ts'

/** What stands for the product of a custom sale in a refund (the contract requires one). */
export const CUSTOM_SALE = 'custom-sale'

/** An order, as far as its refunds need it. */
export interface SoldOrder {
  readonly id: string
  readonly status?: string
  readonly currency?: string
  readonly receiptId?: string
  readonly outletId?: string
  readonly stationId?: string
  readonly sessionId?: string
  readonly employee?: string
  readonly lineItems?: readonly LineItem[]
  readonly customSales?: readonly CustomSale[]
  readonly summary?: Summary & { readonly cashRounding?: string }
  readonly due?: string
  readonly returned?: string
}

export type RefundLine = LineItem & { readonly position?: number }

/** A refund of an order that was made before. */
export interface EarlierRefund {
  readonly lineItems?: readonly RefundLine[]
  readonly summary?: Summary
}

/** A line or a custom sale of an order. */
export interface OrderLine extends SoldLine {
  readonly kind: 'lineItem' | 'customSale'
  readonly position: number
  readonly sold: LineItem | CustomSale
  readonly taxes: readonly Tax[]
}

/** Amounts of a sale as integers of its smallest unit, and back. */
export class Money {
  readonly digits: number

  constructor(digits: number) {
    this.digits = digits
  }

  of(amount: unknown): bigint {
    return typeof amount === 'string' || typeof amount === 'number' ? rounded(exact(amount), this.digits) : 0n
  }

  text(amount: bigint): string {
    return amountText(amount, this.digits)
  }
}

/** As many decimals as the currency has, or as some amount of the order needs. */
export function moneyOf({ lineItems = [], customSales = [], summary }: SoldOrder, digits: number): Money {
  const amounts = [
    summary?.total,
    ...[...lineItems, ...customSales].flatMap(({ total, totalTax }) => [total, totalTax]),
  ]
  const most =
    sumText(
      amounts.flatMap((amount) => amount ?? []),
      digits,
    ).split('.')[1]?.length ?? 0
  return new Money(most)
}

/** The amounts of a line as it was sold or returned. */
function amountsOf(line: LineItem | CustomSale, money: Money): LineAmounts {
  const { total, totalTax, taxes = [] } = line
  const { subTotal = total, discount, fee } = line as LineItem
  return {
    subTotal: money.of(subTotal),
    itemDiscount: money.of(discount?.itemDiscount?.amount),
    cartDiscount: money.of(discount?.cartDiscount?.amount),
    total: money.of(total),
    totalTax: money.of(totalTax),
    fee: feeOf(fee, money),
    taxes: taxes.map(({ amount }) => money.of(amount)),
  }
}

/** The sum of a line's fees, which are kept as they were sent. */
const feeOf = (fee: unknown, money: Money): bigint =>
  [fee].flat().reduce<bigint>((sum, one) => sum + money.of((one as { readonly amount?: unknown } | null)?.amount), 0n)

/** The lines of an order, with what earlier refunds took of each. */
export function orderLines(order: SoldOrder, earlier: readonly EarlierRefund[], money: Money): OrderLine[] {
  const lineOf =
    (kind: OrderLine['kind']) =>
    (sold: LineItem | CustomSale, position: number): OrderLine => {
      const { quantity = 1, taxes = [] } = sold
      const before = { quantity: 0, amounts: noAmounts(taxes.length) }
      return { kind, position, sold, taxes, quantity, amounts: amountsOf(sold, money), before }
    }
  const lines = [
    ...(order.lineItems ?? []).map(lineOf('lineItem')),
    ...(order.customSales ?? []).map(lineOf('customSale')),
  ]
  for (const returned of earlier.flatMap(({ lineItems }) => lineItems ?? [])) {
    const at = lines.findIndex((line) => isOf(line, returned))
    const line = lines[at]
    if (line === undefined) continue
    const { before } = line
    const quantity = Number(sumText([String(before.quantity), String(returned.quantity ?? 1)], 0))
    lines[at] = { ...line, before: { quantity, amounts: sumOf(before.amounts, amountsOf(returned, money)) } }
  }
  return lines
}

/** Whether a line of a refund came from a line of the order: by its position, else by its ids while units are left. */
function isOf(line: OrderLine, returned: RefundLine): boolean {
  const isCustom = returned.productId === CUSTOM_SALE
  if (isCustom !== (line.kind === 'customSale')) return false
  if (returned.position !== undefined) return returned.position === line.position
  const { internalId, productId, variantId } = line.sold as LineItem
  if (returned.internalId !== undefined) return returned.internalId === internalId
  return returned.productId === productId && returned.variantId === variantId && leftOf(line) > 0
}
