// Merges two open orders in one transaction: the lines and payments of one move to the other, and the empty order is cancelled.

import type { Condition } from '../../../core/etag.ts'
import { isId } from '../../../core/ids.ts'
import { BULK_ITEMS } from '../../../core/limits.ts'
import { bodyError, invalid, orThrow, Problem } from '../../../core/problem.ts'
import type { Scope } from '../../../core/scope.ts'
import type { Queryable } from '../../../database/connect.ts'
import { body } from '../../../engine/body.ts'
import { reference } from '../../../engine/field.ts'
import { holdOrders } from '../../../resources/order-state.ts'
import { settingsOf } from '../amounts/checked-sums.ts'
import { changeSale, type ReturnParts } from '../held-sale.ts'
import { isOfOrder } from '../records-of-order.ts'
import { holdOpenOrder } from './complete.ts'
import { amountsOf, isOffShelf, isSelling, type OpenSale, rateOf, refuseTotals } from './open-amounts.ts'

/** The body, which names the other order. */
export const mergeBody = body(
  'OrderMerge',
  {
    orderId: reference({
      description: 'The open order whose lines and payments move to the order in the path. It is cancelled.',
    }),
  },
  {},
  { orderId: '6740a1f2c3d4e5f6a7b8c9db' },
)

interface Merge {
  readonly scope: Scope
  readonly id: string
  /** The order that is cancelled. */
  readonly otherId: string
  /** The expected version of the first order, if the caller sent one. */
  readonly ifMatch: Condition | undefined
}

/** Lists of the other order that are appended to those of the first. */
const joined = ['lineItems', 'customSales', 'cartFees', 'paymentMethods', 'notes'] as const

/** The sums of an order that was never paid. With its former sums, the cancelled order would look as if it had been paid back. */
const neverPaid = { paid: undefined, refunded: undefined, returned: undefined, returnedQuantity: undefined }

/** Moves the lines and payments of an open order to another one; returns both. Throws 400, 404, 409 and 412. */
export async function mergeOrders(
  parts: ReturnParts,
  transaction: Queryable,
  { scope, id, otherId, ifMatch }: Merge,
): Promise<string> {
  if (otherId === id) throw invalid([bodyError('/orderId', 'same', 'must be the id of another order')])
  const key = { scope, id }
  const otherKey = { scope, id: otherId }
  // Both are locked at once: merges of the same orders in both directions would deadlock.
  const keys = [key, otherKey].filter((one) => isId(one.id))
  await holdOrders(transaction, keys)
  const order: OpenSale = await holdOpenOrder(transaction, key, ifMatch, 'merged')
  const other: OpenSale = await holdOpenOrder(transaction, otherKey, undefined, 'merged').catch(ofOther)
  const { currency } = await settingsOf(transaction, scope.companyId)
  refuseMerge(order, other, String(currency))
  await movePayments(parts, transaction, { scope, id, otherId })
  const lists = joined.flatMap((member) => {
    const items = [...((order[member] ?? []) as object[]), ...((other[member] ?? []) as object[])]
    return items.length > 0 ? [[member, items]] : []
  })
  const ofLines = isSelling(other) && !isSelling(order) ? other : order
  const cartDiscount = rateOf(ofLines.cartDiscount ?? order.cartDiscount)
  const value = { ...Object.fromEntries(lists), balance: null, ...(cartDiscount && { cartDiscount }) }
  const merged = await changeSale(parts, transaction, key, { value })
  const none = { lineItems: [], customSales: [], cartFees: null, paymentMethods: null, notes: null, balance: null }
  const cancelled = await changeSale(parts, transaction, otherKey, {
    value: { ...none, status: 'cancelled' },
    own: neverPaid,
  })
  return `{"order":${merged},"cancelledOrder":${cancelled}}`
}

/** Moves all transactions of an order, also those that do not count, such as the authorization of a card. */
async function movePayments(
  { transactions }: ReturnParts,
  transaction: Queryable,
  { scope, id, otherId }: Omit<Merge, 'ifMatch'>,
): Promise<void> {
  const rows = await transaction.query(
    {
      name: 'sales_all_transactions',
      text: `select id from transactions where ${isOfOrder} order by id limit ${BULK_ITEMS + 1}`,
    },
    [scope.companyId, otherId],
  )
  if (rows.length > BULK_ITEMS)
    throw amountsOf('/orderId', `The other order has more than ${BULK_ITEMS} transactions. Complete it on its own.`)
  const moved = rows.map(([payment]) => ({ scope, id: payment, value: { orderId: id } }))
  for (const result of await transactions.updateMany(moved, transaction)) orThrow(result)
}

/** Rethrows a problem of the other order, with the pointer to its id in the body. */
function ofOther(problem: unknown): never {
  if (!(problem instanceof Problem)) throw problem
  const { code, reason, errors } = problem
  const message = problem.message.replace(/^The (order|sale)/, 'The other $1')
  const rule = reason ?? errors[0]?.code ?? code
  throw new Problem(code, message, [bodyError('/orderId', rule, message)], reason && { reason })
}

/** Throws 409 for orders that differ in a member that applies to all lines, and for amounts that a person has to assign. */
function refuseMerge(order: OpenSale, other: OpenSale, currency: string): void {
  refuseTotals(order, '', { subject: 'The order', verb: 'add it up' })
  refuseTotals(other, '/orderId', { subject: 'The other order', verb: 'add it up' })
  const { tip, shippingTotal } = other.summary ?? {}
  const amounts = { 'tip.amount': tip?.amount, shippingTotal }
  const [amount] = Object.entries(amounts).find(([, value]) => value !== undefined) ?? []
  if (amount !== undefined)
    throw amountsOf(
      '/orderId',
      `The other order has summary.${amount}. Remove it with PATCH /v1/order/{id}; if the customer still owes it, add it to this order.`,
    )
  const isMixed = isSelling(order) !== isSelling(other)
  if (isMixed) refuseDiscountOfReturns(isSelling(order) ? other : order, isSelling(order) ? 'other order' : 'order')
  const ofLines = ofAllLines(order, currency, isMixed)
  const ofOthers = ofAllLines(other, currency, isMixed)
  const member = Object.keys(ofLines).find((name) => ofLines[name] !== ofOthers[name])
  if (member === undefined) return
  const message = `The orders differ in ${member}, which applies to all lines. Set the same value in both with PATCH /v1/order/{id}.`
  throw new Problem('conflict', message, [bodyError('/orderId', 'differs', message)])
}

/** Throws 409 if the order of returned goods has a cart discount. Beside goods that are sold, it would not apply to them. */
function refuseDiscountOfReturns({ cartDiscount }: OpenSale, which: 'order' | 'other order'): void {
  if ((cartDiscount?.percentage ?? 0) === 0) return
  const message = `The ${which} only takes goods back, and its cartDiscount would be lost beside goods that are sold. Move the discount to discount.itemDiscount of the lines with PATCH /v1/order/{id}.`
  throw new Problem('conflict', message, [bodyError('/orderId', 'differs', message)])
}

/** The values of an order that apply to all its lines. In a mixed merge, the cart discount applies to the lines of only one order. */
const ofAllLines = (order: OpenSale, currency: string, isMixed: boolean): Readonly<Record<string, unknown>> => ({
  currency: order.currency ?? currency,
  'cartDiscount.percentage': isMixed ? 0 : (order.cartDiscount?.percentage ?? 0),
  // Without it, the tax tables of the lines decide.
  'summary.isTaxInclusive': order.summary?.isTaxInclusive,
  'summary.tip.percentage': order.summary?.tip?.amount === undefined ? (order.summary?.tip?.percentage ?? 0) : 0,
  parkReduceStock: isOffShelf(order),
  // A void restocks all goods at one outlet.
  outletId: isOffShelf(order) ? order.outletId : undefined,
})
