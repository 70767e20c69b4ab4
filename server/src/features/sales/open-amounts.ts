// What an open order says of all its lines together, which a split must divide, and a merge add up.

import { bodyError, Problem } from '../../core/problem.ts'
import type { JsonObject } from '../../engine/record.ts'
import type { Sale, Share, Summary } from './sale.ts'

/** An open order as it is stored. */
export type OpenSale = JsonObject & Sale

/** Whether the goods of an open order left the shelf when it was parked. */
export const isOffShelf = ({ status, parkReduceStock }: JsonObject): boolean =>
  status === 'parked' && parkReduceStock === true

/** Amounts of the whole order, which only the till that computed them could change. */
const totals: readonly (keyof Summary)[] = ['total', 'subTotal', 'totalTaxes', 'discountTotal', 'taxes']

/** Throws 409 for an order with amounts that would have to be divided or added up; `pointer` is the member that asks for it. */
export function refuseTotals(
  { summary = {}, cartDiscount }: OpenSale,
  pointer: string,
  verb: 'divide' | 'add up',
): void {
  const total = totals.find((member) => summary[member] !== undefined)
  const why = `which only the till that computed it can ${verb}`
  if (total !== undefined)
    throw amountsOf(pointer, `The order has summary.${total}, ${why}. Remove it with PATCH /v1/order/{id}: the completion computes what is left out.`) // biome-ignore format: one thought
  if (cartDiscount?.amount !== undefined && cartDiscount.percentage === undefined)
    throw amountsOf(pointer, `The order has cartDiscount.amount without a percentage, ${why}. Send a percentage instead, with PATCH /v1/order/{id}.`) // biome-ignore format: one thought
}

/** The problem of an amount that stands in the way. */
export const amountsOf = (pointer: string, message: string): Problem =>
  new Problem('conflict', message, [bodyError(pointer, 'amounts', message)])

/** A discount by its percentage alone: its amount follows from the lines. */
export function rateOf(discount: Share | undefined): Share | undefined {
  if (discount === undefined) return undefined
  const { amount, ...rate } = discount
  return rate
}
