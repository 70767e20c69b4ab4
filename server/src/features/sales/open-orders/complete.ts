// Completes open orders: in one transaction a pending or parked order becomes a sale, with its payments and the moves of stock.

import type { Condition } from '../../../core/etag.ts'
import { requireMatch } from '../../../core/etag.ts'
import { isId } from '../../../core/ids.ts'
import { bodyError, conflict, notFound, orThrow, Problem } from '../../../core/problem.ts'
import type { Scope } from '../../../core/scope.ts'
import type { Queryable } from '../../../database/connect.ts'
import type { Operations } from '../../../engine/operations.ts'
import type { Item, ItemResult, JsonObject, Key, Written } from '../../../engine/record.ts'
import { store } from '../../../engine/store.ts'
import { withTip } from '../../../resources/later-money.ts'
import { isOpenStatus, order } from '../../../resources/order.ts'
import { holdOrders } from '../../../resources/order-state.ts'
import { settingsOf } from '../amounts/checked-sums.ts'
import type { Summary } from '../amounts/sale.ts'
import { checkSales } from '../check-sales.ts'
import { hasRefunds } from '../held-sale.ts'
import { earlierPayments } from '../records-of-order.ts'
import { writeCustomers } from '../sale-customers.ts'
import {
  type CheckedSale,
  type Created,
  type OpenOrder,
  ownMembers,
  paymentItems,
  type SaleToCheck,
  shownPayment,
} from '../sale-draft.ts'
import { moveAll, responseText, type SaleParts } from '../sell.ts'
import { tillOutlet } from '../session.ts'
import { isOffShelf } from './open-amounts.ts'

const { find } = store(order)

interface Completion {
  readonly scope: Scope
  readonly id: string
  /** The checked members of the body. */
  readonly sent: JsonObject
  /** The version of the order that was read, if the caller named one. */
  readonly ifMatch: Condition | undefined
}

/** Makes an open order a sale; returns the response to a sale. Throws 400, 404, 409 and 412. */
export async function completeSale(
  parts: SaleParts,
  transaction: Queryable,
  { scope, id, sent, ifMatch }: Completion,
): Promise<string> {
  const key = { scope, id }
  const before = await holdOpenOrder(transaction, key, ifMatch, 'completed')
  const item: SaleToCheck = { scope, value: wholeOrder(before, sent), open: await openOrder(transaction, before, key) }
  const { problems, sales, variants } = await checkSales(transaction, [item])
  const problem = problems.get(item)
  if (problem) throw problem
  const sale = sales.get(item) as CheckedSale
  const moved = (await moveAll(transaction, new Map([[item as Item, sale]]), variants)).get(item) ?? []
  if (moved instanceof Problem) throw moved
  const create = (operations: Operations, records: readonly Created[]): Promise<Written[]> =>
    createWhole(operations, transaction, scope, records)
  const created = (await writeCustomers(parts.customers, transaction, new Map([[item as Item, sale]]))).get(item)
  const customer = created && orThrow(created)
  // Another till may take the money of an order that stays at its outlet.
  const outletId =
    sent.outletId === undefined ? await tillOutlet(transaction, scope.companyId, sent, sale.order) : undefined
  const payments = await create(parts.transactions, paymentItems(sale, outletId))
  const { id: _, ...own } = ownMembers(sale)
  const value = { ...sale.order, sessionId: sale.order.sessionId ?? null }
  const [written] = (await parts.orders.updateMany([{ scope, id, value, own }], transaction)) as [ItemResult]
  return responseText([orThrow(written)], payments, customer, moved as object[])
}

/** Creates records of a sale, all of them. */
async function createWhole(
  { createMany }: Operations,
  transaction: Queryable,
  scope: Scope,
  records: readonly Created[],
): Promise<Written[]> {
  if (records.length === 0) return []
  const results = await createMany(
    records.map((record) => ({ scope, ...record })),
    transaction,
  )
  return results.map((result) => orThrow(result))
}

/** Locks an open order that is to be completed, split or merged, and reads it. Throws 404, 409 and 412. */
export async function holdOpenOrder(
  transaction: Queryable,
  key: Key,
  ifMatch: Condition | undefined,
  verb: 'completed' | 'split' | 'merged',
): Promise<JsonObject> {
  if (!isId(key.id)) throw notFound('order', key.id)
  await holdOrders(transaction, [key])
  const [stored] = await find(transaction, [key])
  if (stored === undefined) throw notFound('order', key.id)
  const text = orThrow(stored.text)
  requireMatch(ifMatch, text)
  const order: JsonObject = JSON.parse(text)
  const { status, voidedAt, completedAt } = order
  if (voidedAt !== undefined)
    throw conflict('sale_voided', `The sale was voided at ${voidedAt}. Make a new sale instead.`)
  if (!isOpenStatus(status)) {
    const known = status === undefined ? 'The order has no status' : `The order’s status is ${JSON.stringify(status)}`
    const message = `${known}; only a pending or parked order can be ${verb}.`
    throw conflict('order_not_open', message)
  }
  if (completedAt !== undefined) {
    const message = `The order was sold at ${completedAt}, and its goods left the shelf then. Set its status to "completed" with PATCH /v1/order/{id}, or make a new sale.`
    throw conflict('sale_completed', message)
  }
  if (await hasRefunds(transaction, key))
    throw conflict('sale_has_refunds', `The order has refunds, so it cannot be ${verb}. Make a new sale instead.`)
  if (![order.lineItems, order.customSales].some((lines) => Array.isArray(lines) && lines.length > 0)) {
    const message = `The order has no lines, so it cannot be ${verb}. Add them first, with PATCH /v1/order/{id}.`
    throw new Problem('conflict', message, [bodyError('/lineItems', 'minItems', message)])
  }
  return order
}

/** The order as a sale takes it. How it is paid, when it was made and its session follow from the sale. */
function wholeOrder(before: JsonObject, { tip, ...sent }: JsonObject): JsonObject {
  const { balance, paymentMethods, occurredAt, sessionId, customerId, summary, ...kept } = before
  const { cashRounding, ...totals } = (summary ?? {}) as Summary
  const isOfStation = (sent.stationId ?? kept.stationId) !== undefined
  return {
    ...kept,
    ...(!isOfStation && { sessionId }),
    ...(sent.customer === undefined && { customerId }),
    ...sent,
    summary: tip === undefined ? totals : withTip(totals, String(tip)),
    status: 'completed',
  }
}

/** What was paid of an order before, and whether its goods left the shelf. */
async function openOrder(transaction: Queryable, order: JsonObject, key: Key): Promise<OpenOrder> {
  const own = String((await settingsOf(transaction, key.scope.companyId)).currency)
  const payments = await earlierPayments(transaction, key, String(order.currency ?? own), own)
  const shown = (order.paymentMethods ?? []) as readonly { readonly transactionId?: string }[]
  const known = new Map(shown.map((payment) => [payment.transactionId, payment]))
  const shownPayments = payments.map((payment) => {
    const { id, occurredAt = payment.createdAt } = payment
    return known.get(String(id)) ?? shownPayment(payment, String(id), { occurredAt })
  })
  return { id: key.id, payments, shownPayments, isOffShelf: isOffShelf(order) }
}
