// Voids of sales: in one transaction the payments become void, the order is cancelled, and the goods come back.

import { conflict, orThrow } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Queryable } from '../../database/connect.ts'
import type { JsonObject } from '../../engine/record.ts'
import { isInClosing } from '../../resources/closing.ts'
import { withRecounted } from '../../resources/later-money.ts'
import type { Summary } from './amounts/sale.ts'
import {
  changeSale,
  hasRefunds,
  holdSale,
  moveBack,
  notCompleted,
  type ReturnParts,
  refuseVoided,
} from './held-sale.ts'
import type { StockLine } from './line-moves.ts'
import { isOfOrder, recordsOfOrder } from './records-of-order.ts'
import type { SoldOrder } from './refund/sold-lines.ts'

/** A checked body. */
export interface VoidBody {
  readonly restock?: boolean
  readonly outletId?: string
}

/** Cancels a sale that was made by mistake: its payments become void, and its goods go back to the shelf. Throws 404 and 409. */
export async function voidSale(
  parts: ReturnParts,
  transaction: Queryable,
  { scope, id, wanted }: { readonly scope: Scope; readonly id: string; readonly wanted: VoidBody },
): Promise<string> {
  const { key, order, settings, text } = await holdSale(transaction, scope, id)
  refuseVoided(order)
  if (order.status === 'cancelled') throw conflict('sale_cancelled', 'The sale has already been cancelled.')
  if (await hasRefunds(transaction, key))
    throw conflict('sale_has_refunds', 'The sale has refunds and cannot be voided. What is left of it can be refunded.')
  if (order.status !== 'completed') throw notCompleted(order, 'voided')
  const payments = await paymentsOf(transaction, scope, id)
  await refuseCounted(transaction, scope, order, payments)
  const lines: readonly StockLine[] = wanted.restock !== false ? (order.lineItems ?? []) : []
  const stock = await moveBack(transaction, scope, {
    lines,
    outletId: wanted.outletId ?? order.outletId,
    cause: { reason: `Void of ${order.receiptId ?? id}`, orderId: id },
  })
  const transactions = await parts.transactions.updateMany(
    payments.map(({ id }) => ({ scope, id, value: { type: 'void' } })),
    transaction,
  )
  const own = { voidedAt: new Date().toISOString() }
  const stored: { readonly summary?: Summary } = JSON.parse(text)
  const ownCurrency = String(settings.currency)
  const removed = payments.map(({ record }) => ({ ...key, before: record, after: undefined }))
  const summary = withRecounted(stored.summary, removed, {
    currency: String(order.currency ?? ownCurrency),
    ownCurrency,
  })
  const value = { status: 'cancelled', ...(summary && { summary }) }
  const shownOrder = await changeSale(parts, transaction, key, { value, own })
  const texts = transactions.map((one) => orThrow(one).text).join(',')
  return `{"order":${shownOrder},"transactions":[${texts}],"stock":${JSON.stringify(stock)}}`
}

/** A payment of a sale, or what was paid back. */
interface HeldPayment {
  readonly id: string
  readonly sessionId: string
  readonly record: JsonObject
}

async function paymentsOf(transaction: Queryable, { companyId }: Scope, id: string): Promise<HeldPayment[]> {
  const rows = await recordsOfOrder(
    transaction,
    'transaction',
    {
      name: 'sales_transactions',
      text: `select id, session_id, body from transactions where ${isOfOrder} and type in ('', 'sale', 'refund') order by created_at, id`,
    },
    [companyId, id],
  )
  return rows.map(([payment, sessionId, body]) => ({ id: payment, sessionId, record: JSON.parse(body) }))
}

/**
 * Refuses a sale whose money was counted: its session, or that of a payment, was closed, or a closing took some of it and the
 * session is open again. The lock makes a closing wait for the end of the transaction, so that it sees the void.
 */
async function refuseCounted(
  transaction: Queryable,
  { companyId }: Scope,
  order: SoldOrder,
  payments: readonly HeldPayment[],
): Promise<void> {
  const sessions = [order.sessionId ?? '', ...payments.map(({ sessionId }) => sessionId)]
  const text =
    'select id, close_time from sessions where company_id = $1 and id = any ($2) order by company_id, id for share'
  const rows = await transaction.query({ name: 'sales_sessions_hold', text }, [companyId, [...new Set(sessions)]])
  const [id, closeTime] = rows.find(([, closeTime]) => closeTime !== '') ?? []
  if (closeTime !== undefined) {
    const what = id === order.sessionId ? 'The session of the sale' : 'The session of a payment of the sale'
    throw conflict('session_closed', `${what} was closed at ${closeTime}. Refund the sale instead.`)
  }
  if (await isInClosing(transaction, companyId, { order: [order.id], transaction: payments.map(({ id }) => id) }))
    throw conflict('closing_counted', 'A closing has counted the sale. Refund it instead.')
}
