// Amounts and rates that apply to all lines of an open order: a split cannot divide such an amount, and a merge cannot add it up.

import { bodyError, Problem } from '../../../core/problem.ts'
import type { JsonObject } from '../../../engine/record.ts'
import { linesOf } from '../amounts/order-ways.ts'
import { isSoldFor } from '../amounts/priced-items.ts'
import type { Sale, Share, Summary } from '../amounts/sale.ts'

/** An open order as it is stored. */
export type OpenSale = JsonObject & Sale

/** Whether the goods of an open order left the shelf when it was parked. */
export const isOffShelf = ({ status, parkReduceStock }: JsonObject): boolean =>
  status === 'parked' && parkReduceStock === true

/** Totals of the whole order. Only the till that computed them can recompute them. */
const totals: readonly (keyof Summary)[] = ['total', 'subTotal', 'totalTaxes', 'discountTotal', 'taxes']

/** Throws 409 for an order with amounts that only its till can divide or add up; `pointer` is the member that names the order. */
export function refuseTotals(
  { summary = {}, cartDiscount }: OpenSale,
  pointer: string,
  { subject, verb }: { readonly subject: 'The order' | 'The other order'; readonly verb: 'divide it' | 'add it up' },
): void {
  const total = totals.find((member) => summary[member] !== undefined)
  const why = `and only the till that computed it can ${verb}`
  if (total !== undefined)
    throw amountsOf(pointer, `${subject} has summary.${total}, ${why}. Remove it with PATCH /v1/order/{id}; the completion computes it.`) // biome-ignore format: one thought
  if (cartDiscount?.amount !== undefined && cartDiscount.percentage === undefined)
    throw amountsOf(pointer, `${subject} has cartDiscount.amount without a percentage, ${why}. Set a percentage instead with PATCH /v1/order/{id}.`) // biome-ignore format: one thought
}

/** The problem of an amount that prevents a split or a merge. */
export const amountsOf = (pointer: string, message: string): Problem =>
  new Problem('conflict', message, [bodyError(pointer, 'amounts', message)])

/** A discount by its percentage alone: its amount follows from the lines. */
export function rateOf(discount: Share | undefined): Share | undefined {
  if (discount === undefined) return undefined
  const { amount, ...rate } = discount
  return rate
}

/** Whether an order sells something. If so, its cart discount applies to what it sells, and not to returned goods. */
export const isSelling = (order: Sale): boolean =>
  linesOf(order).some(({ price, subTotal, total, quantity = 1 }) =>
    isSoldFor(price === undefined ? Number(subTotal ?? total ?? 0) : Number(price) * quantity, quantity),
  )
