// A sale that is paid, refunded or voided: its order, locked and with its present state, and the return of its goods.

import { inSlices } from '../../concurrency/time-slices.ts'
import { sumText } from '../../core/exact.ts'
import { isId } from '../../core/ids.ts'
import { conflict, notFound, orThrow, type Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import { hasRow, type Queryable } from '../../database/connect.ts'
import type { Operations } from '../../engine/operations.ts'
import type { Item, ItemResult, Key } from '../../engine/record.ts'
import { holdVariants } from '../../resources/held-variants.ts'
import { isOpenStatus } from '../../resources/order.ts'
import { dueOf } from '../../resources/order-due.ts'
import { currentOrder, holdOrders } from '../../resources/order-state.ts'
import { moveStock } from '../../resources/stock.ts'
import { settingsOf } from './amounts/checked-sums.ts'
import { completedOrder } from './amounts/order-readings.ts'
import type { QuoteSettings } from './amounts/quote.ts'
import type { Sale, Summary } from './amounts/sale.ts'
import { type MovedLines, movesOf, shownMoves, variantsOf } from './line-moves.ts'
import { lineCompletion } from './line-products.ts'
import { isOfOrder, recordsOfOrder } from './records-of-order.ts'
import type { EarlierRefund, SoldOrder } from './refund/sold-lines.ts'

/** The operations that make up later payments, refunds and voids; transactions and refunds without their side effects. */
export interface ReturnParts {
  readonly orders: Operations
  readonly transactions: Operations
  readonly refunds: Operations
}

/** A sale that is locked. */
export interface HeldSale {
  readonly key: Key
  readonly order: SoldOrder
  /** The record as it is stored. */
  readonly text: string
  readonly settings: QuoteSettings
}

/** Locks the order of a sale that is to be paid, refunded or voided, and reads it with its present state. Throws 404. */
export async function holdSale(transaction: Queryable, scope: Scope, id: string): Promise<HeldSale> {
  const key = { scope, id }
  if (!isId(id)) throw notFound('order', id)
  await holdOrders(transaction, [key])
  const current = await currentOrder(transaction, key)
  if (current === undefined) throw notFound('order', id)
  const { text, order } = current
  const settings = await settingsOf(transaction, scope.companyId)
  // A line of an order that was not sold by this service may name only a variant; the line of a refund needs its
  // product.
  const complete = await lineCompletion(transaction, scope.companyId, [order])
  const sold = complete(order) as unknown as SoldOrder & Sale
  // Amounts that the order lacks are computed, except its cash rounding, since the setting may have changed.
  const whole = await inSlices(completedOrder(sold, { ...settings, cashRounding: undefined }), scope.companyId)
  // Without a total, the order says that nothing is due, whatever was paid.
  const due = sold.summary?.total === undefined ? dueOf(whole).due : sold.due
  return { key, settings, text, order: { ...whole, ...(due !== undefined && { due }) } }
}

/** Refuses a sale that was voided: its goods were returned and its payments voided, whatever its status was set to afterwards. Throws 409. */
export function refuseVoided({ voidedAt }: SoldOrder): void {
  if (voidedAt !== undefined)
    throw conflict('sale_voided', `The sale was voided at ${voidedAt}. Make a new sale instead.`)
}

/** Whether an order is a sale that took place, whatever came back of it. */
export const tookPlace = ({ status = '' }: SoldOrder): boolean =>
  ['completed', 'partial-refund', 'refunded'].includes(status)

/** The problem of an order that is no sale, such as a parked one. */
export function notCompleted({ status = '' }: SoldOrder, verb: 'refunded' | 'voided' | 'paid'): Problem {
  const known = `Only a completed sale can be ${verb}. The order’s status is ${JSON.stringify(status)}.`
  const advice =
    verb === 'paid'
      ? 'Complete it with the payments (POST /v1/sale/{orderId}/complete), or store a deposit as a transaction with its orderId and the sessionId of the till.'
      : 'Nothing was sold: set its status to "cancelled" with PATCH /v1/order/{id}, and then pay back its deposit, if it has one, with POST /v1/sale/{orderId}/payments.'
  return conflict('sale_not_completed', isOpenStatus(status) ? `${known} ${advice}` : known)
}

/** Changes a sale once its transactions and refunds are written: its state follows from them, and all of it is one event. */
export async function changeSale(
  { orders }: ReturnParts,
  transaction: Queryable,
  key: Key,
  { value, own }: Pick<Item, 'value' | 'own'>,
): Promise<string> {
  const current = await currentOrder(transaction, key)
  const change = { ...key, value, own: { ...current?.state, ...own } }
  const [written] = (await orders.updateMany([change], transaction)) as [ItemResult]
  return orThrow(written).text
}

/** Whether a locked order has refunds. */
export const hasRefunds = (transaction: Queryable, { scope, id }: Key): Promise<boolean> =>
  hasRow(
    transaction,
    {
      name: 'sales_has_refunds',
      text: `select 1 from refunds where ${isOfOrder} limit 1`,
    },
    [scope.companyId, id],
  )

/** The refunds of a locked order, in the order in which they were made. */
export async function earlierRefunds(transaction: Queryable, { scope, id }: Key): Promise<EarlierRefund[]> {
  const rows = await recordsOfOrder(
    transaction,
    'refund',
    {
      name: 'sales_refunds',
      text: `select body from refunds where ${isOfOrder} order by created_at, id`,
    },
    [scope.companyId, id],
  )
  return rows.map(([body]) => withSizes(body))
}

const signed = new Set(['quantity', 'total', 'subTotal', 'totalTax', 'shippingTotal', 'amount'])

/**
 * A refund. If its total is below zero, it was written as a record, and its other amounts count without their signs too; so do
 * those of a record whose lines alone are negative together.
 */
function withSizes(body: string): EarlierRefund {
  const refund: EarlierRefund = JSON.parse(body)
  const { summary, lineItems = [] } = refund
  const isRecord = lineItems.some(({ position }) => position === undefined)
  const worth = sumText(
    lineItems.flatMap(({ total }) => total ?? []),
    0,
  )
  if (!(Number(summary?.total) < 0) && !(isRecord && Number(worth) < 0)) return refund
  const sizes: EarlierRefund = JSON.parse(body, (member, value) => {
    if (!signed.has(member)) return value
    return typeof value === 'number' ? Math.abs(value) : typeof value === 'string' ? value.replace(/^-/, '') : value
  })
  return { ...sizes, summary: { ...sizes.summary, total: summary?.total } as Summary }
}

/** Puts units of lines back on the shelf; returns what the response says of each. */
export async function moveBack(
  transaction: Queryable,
  scope: Scope,
  returned: Pick<MovedLines, 'lines' | 'outletId' | 'cause' | 'lineAt'>,
): Promise<object[]> {
  const back = { scope, ...returned, mayGoBelow: true, at: '' }
  const variants = await holdVariants(transaction, variantsOf(back))
  const moves = orThrow(movesOf(back, variants, 'in'))
  const moved = await moveStock(transaction, moves, variants)
  return shownMoves(moves, moved.map(orThrow))
}
