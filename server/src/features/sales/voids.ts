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
  const stored: JsonObject & { readonly summary?: Summary } = JSON.parse(text)
  await refuseCounted(transaction, scope, { id, record: stored }, payments)
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
  readonly record: JsonObject
}

async function paymentsOf(transaction: Queryable, { companyId }: Scope, id: string): Promise<HeldPayment[]> {
  const rows = await recordsOfOrder(
    transaction,
    'transaction',
    {
      name: 'sales_transactions',
      text: `select id, body from transactions where ${isOfOrder} and type in ('', 'sale', 'refund') order by created_at, id`,
    },
    [companyId, id],
  )
  return rows.map(([payment, body]) => ({ id: payment, record: JSON.parse(body) }))
}

/**
 * Refuses a sale whose money was counted: its session, or that of a payment, was closed after it, or a closing took some of it. The lock
 * makes a closing wait for the end of the transaction, so that it sees the void. The next closing of the station takes what was sold after
 * its session was closed, and waits too.
 */
async function refuseCounted(
  transaction: Queryable,
  { companyId }: Scope,
  order: Pick<HeldPayment, 'id' | 'record'>,
  payments: readonly HeldPayment[],
): Promise<void> {
  const records = [order, ...payments].map(({ record }) => record)
  const sessions = [...new Set(records.map(({ sessionId = '' }) => sessionId))]
  const text =
    'select id, close_time from sessions where company_id = $1 and id = any ($2) order by company_id, id for share'
  const rows = await transaction.query({ name: 'sales_sessions_hold', text }, [companyId, sessions])
  const closed = new Map<unknown, string>(rows.flatMap(([id, time]) => (time === '' ? [] : [[id, time]])))
  const counted = records.find(({ sessionId, occurredAt, createdAt }) => {
    const closeTime = closed.get(sessionId)
    return closeTime !== undefined && String(occurredAt ?? createdAt) <= closeTime
  })
  if (counted !== undefined) {
    const what = counted === order.record ? 'The session of the sale' : 'The session of a payment of the sale'
    const message = `${what} was closed at ${closed.get(counted.sessionId)}. Refund the sale instead.`
    throw conflict('session_closed', message)
  }
  if (closed.size > 0) await holdNextSessions(transaction, companyId, [...closed.keys()])
  if (await isInClosing(transaction, companyId, { order: [order.id], transaction: payments.map(({ id }) => id) }))
    throw conflict('closing_counted', 'A closing has counted the sale. Refund it instead.')
}

/** Locks the open sessions of the stations of closed sessions. */
async function holdNextSessions(transaction: Queryable, companyId: string, closed: readonly unknown[]): Promise<void> {
  const text = `
    select id from sessions where company_id = $1 and close_time = '' and station_id in (
      select closed.station_id from sessions as closed where closed.company_id = $1 and closed.id = any ($2) and closed.station_id <> ''
    ) order by company_id, id for share`
  await transaction.query({ name: 'sales_next_sessions_hold', text }, [companyId, closed])
}
