// The lines of an order as a refund sees them: what was sold, and what earlier refunds took back.

import { amountText, decimalsOf, type Exact, exact, plus, rounded, sumText, whole } from '../../../core/exact.ts'
import { feeAmount } from '../amounts/priced-items.ts'
import type { CustomSale, LineItem, Summary, Tax } from '../amounts/sale.ts'
import {
  addedQuantities,
  amountsOfUnits,
  type LineAmounts,
  leftOf,
  noAmounts,
  type SoldLine,
  sumOf,
} from './refund-lines.ts'

/** The placeholder for the product of a custom sale in a refund (the contract requires one). */
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
  readonly lineItems?: readonly LineItem[]
  readonly customSales?: readonly CustomSale[]
  readonly cartFees?: unknown
  readonly summary?: Summary & { readonly cashRounding?: string }
  readonly paid?: string
  readonly due?: string
  readonly returned?: string
  readonly voidedAt?: string
}

type RefundLine = LineItem & { readonly position?: number }

/** A refund of an order that was made before. */
export interface EarlierRefund {
  readonly id?: string
  readonly externalId?: string
  readonly occurredAt?: string
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

  of(amount: string | number | undefined): bigint {
    return amount === undefined ? 0n : rounded(exact(amount), this.digits)
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
  const sum = sumText(
    amounts.flatMap((amount) => amount ?? []),
    digits,
  )
  return new Money(decimalsOf(sum))
}

/** The amounts of a line as it was sold or returned. */
function amountsOf(line: LineItem | CustomSale, money: Money): LineAmounts {
  const { total, totalTax, taxes = [] } = line
  const { subTotal: sold = total, discount, fee } = line as LineItem
  const subTotal = money.of(sold)
  // A discount is stored as it was sent, and takes at most the whole price.
  const itemDiscount = atMost(money.of(discount?.itemDiscount?.amount), subTotal)
  const cartDiscount = atMost(money.of(discount?.cartDiscount?.amount), subTotal - itemDiscount)
  return {
    subTotal,
    itemDiscount,
    cartDiscount,
    total: money.of(total),
    totalTax: money.of(totalTax),
    fee: feesIn(fee, money),
    taxes: taxes.map(({ amount }) => money.of(amount)),
  }
}

/** An amount, or the bound if the amount is farther from zero. */
const atMost = (amount: bigint, bound: bigint): bigint => (amount * amount > bound * bound ? bound : amount)

/** The sum of fees, which are kept as they were sent, rounded once: one, or a list. */
export const feesIn = (fees: unknown, money: Money): bigint =>
  rounded(
    [fees].flat().reduce<Exact>((sum, fee) => plus(sum, exact(feeAmount(fee) ?? 0)), whole(0n)),
    money.digits,
  )

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
  const byPlace = new Map(lines.map((line, at) => [`${line.kind} ${line.position}`, at]))
  for (const returned of earlier.flatMap(({ lineItems }) => lineItems ?? [])) {
    const kind = returned.productId === CUSTOM_SALE ? 'customSale' : 'lineItem'
    const own = byPlace.get(`${kind} ${returned.position}`)
    takeBack(lines, own === undefined ? placesOf(lines, kind, returned) : [own], returned, money)
  }
  return lines
}

/** Subtracts what an earlier refund returned from the lines at some places, beginning with the first. */
function takeBack(lines: OrderLine[], places: readonly number[], returned: RefundLine, money: Money): void {
  const { quantity: units = 1 } = returned
  const none = { quantity: 0, amounts: noAmounts(returned.taxes?.length ?? 0) }
  let part: SoldLine = { quantity: units, amounts: amountsOf(returned, money), before: none }
  for (const [n, at] of places.entries()) {
    const line = lines[at] as OrderLine
    const left = leftOf(part)
    const taken = n === places.length - 1 ? left : Math.min(left, Math.max(leftOf(line), 0))
    // A refund line without units reduces the amounts of its line: the price was reduced after the sale.
    if (taken === 0 && units !== 0) continue
    const amounts = amountsOfUnits(part, taken)
    part = {
      ...part,
      before: { quantity: addedQuantities(part.before.quantity, taken), amounts: sumOf(part.before.amounts, amounts) },
    }
    const { before } = line
    lines[at] = {
      ...line,
      before: { quantity: addedQuantities(before.quantity, taken), amounts: sumOf(before.amounts, amounts) },
    }
  }
}

/** The places of the lines from which a line without a position came: by the till's id, else by product and variant. */
function placesOf(lines: readonly OrderLine[], kind: OrderLine['kind'], returned: RefundLine): number[] {
  const { internalId, productId, variantId } = returned
  const isOf = ({ kind: of, sold }: OrderLine) => {
    const line = sold as LineItem
    if (of !== kind) return false
    return internalId === undefined
      ? line.productId === productId && line.variantId === variantId
      : line.internalId === internalId
  }
  return lines.flatMap((line, at) => (isOf(line) ? [at] : []))
}
