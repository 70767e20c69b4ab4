// Refunds and voids of sales: in one transaction the order, the refund, the money, and the stock that comes back.

import { limitedTo, negated, sumText } from '../../core/exact.ts'
import { isId } from '../../core/ids.ts'
import { bodyError, invalid, notFound, Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Queryable } from '../../database/connect.ts'
import type { Operations } from '../../engine/operations.ts'
import type { ItemResult, Key, Written } from '../../engine/record.ts'
import { holdVariants } from '../../resources/held-variants.ts'
import { holdOrders, updateStates } from '../../resources/order-state.ts'
import { type Moved, moveStock } from '../../resources/stock.ts'
import { settingsOf } from './checked-sums.ts'
import { completed } from './completed-sale.ts'
import { movesOf, refusedLine, type StockLine, shownMove, variantsOf } from './lines.ts'
import { type QuoteSettings, quoteOf } from './quote.ts'
import { type ComputedRefund, refundOf } from './refund.ts'
import type { RefundBody } from './refund-body.ts'
import type { Sale } from './sale.ts'
import { openSessions, sessionOf } from './session.ts'
import type { EarlierRefund, SoldOrder } from './sold-lines.ts'

/** The operations of which refunds and voids are made; transactions and refunds without their side effects. */
export interface ReturnParts {
  readonly orders: Operations
  readonly transactions: Operations
  readonly refunds: Operations
}

/** A sale that is locked. */
interface HeldSale {
  readonly key: Key
  readonly order: SoldOrder
  readonly settings: QuoteSettings
}

/** Locks the order of a sale, and reads it with its present state. Throws 404. */
async function holdSale(transaction: Queryable, scope: Scope, id: string): Promise<HeldSale> {
  const key = { scope, id }
  if (!isId(id)) throw notFound('order', id)
  await holdOrders(transaction, [key])
  await updateStates(transaction, [key])
  const [row] = await transaction.query(
    { name: 'sales_order', text: 'select body from orders where company_id = $1 and id = $2' },
    [scope.companyId, id],
  )
  if (row === undefined) throw notFound('order', id)
  const settings = await settingsOf(transaction, scope.companyId)
  const sold: SoldOrder & Sale = JSON.parse(row[0])
  const quote = quoteOf(sold, settings)
  // Amounts that the order lacks are those that it comes to.
  return { key, settings, order: quote instanceof Problem ? sold : completed(sold, quote.computed) }
}

/** The statuses of a sale that took place. */
const refundable = ['completed', 'partial-refund', 'refunded']

/** Refunds a sale, whole or in part; returns the response. Throws 400, 404 and 409. */
export async function refundSale(
  parts: ReturnParts,
  transaction: Queryable,
  { scope, id, wanted }: { readonly scope: Scope; readonly id: string; readonly wanted: RefundBody },
): Promise<string> {
  const { key, order, settings } = await holdSale(transaction, scope, id)
  if (!refundable.includes(order.status ?? ''))
    throw new Problem(
      'conflict',
      `Only a completed sale can be refunded. The order’s status is ${JSON.stringify(order.status ?? '')}.`,
    )
  const currency = order.currency ?? settings.currency
  const earlier = await earlierRefunds(transaction, key)
  const computed = refundOf(order, earlier, wanted, String(settings.currency))
  if (computed instanceof Problem) throw computed
  const occurredAt = wanted.occurredAt ?? new Date().toISOString()
  const sessionId = await sessionFor(transaction, scope, { ...wanted, stationId: wanted.stationId ?? order.stationId, occurredAt }) // biome-ignore format: one thought
  const payments = wanted.payments
    ? checkedPayments(wanted.payments, computed)
    : await sameMethods(transaction, key, { ...computed, currency, ownCurrency: settings.currency })
  const outletId = wanted.outletId ?? order.outletId
  const lines = (order.lineItems ?? []).map(({ variantId }, n) => ({
    variantId,
    quantity: computed.restocked.get(n) ?? 0,
  }))
  const stock = await moveBack(transaction, scope, { lines, outletId, reason: `Refund of ${order.receiptId ?? id}` })
  const { reason, refundedBy, refundedByExternalId, externalId } = wanted
  const common = { sessionId, currency, occurredAt }
  const [refund] = await parts.refunds.createMany(
    [
      {
        scope,
        value: {
          ...{ orderId: id, ...common, reason, refundedBy, refundedByExternalId, externalId, ...computed.members },
        },
      },
    ],
    transaction,
  )
  const refundId = written(refund).id
  const transactions = await parts.transactions.createMany(
    payments.map((payment, n) => ({
      scope,
      at: `/payments/${n}`,
      value: {
        ...{ employee: refundedBy, ...payment, type: 'refund', orderId: id, refundId, ...common },
        ...{ outletId: order.outletId, receiptId: order.receiptId },
      },
    })),
    transaction,
  )
  const payment = transactions.map((one, n) => ({
    ...{ paymentType: payments[n]?.paymentMethod, amount: payments[n]?.amount, transactionId: written(one).id },
  }))
  const [shownRefund] = await parts.refunds.updateMany([{ scope, id: refundId, value: { payment } }], transaction)
  await updateStates(transaction, [key])
  const status = computed.isWhole ? 'refunded' : 'partial-refund'
  const [shownOrder] = await parts.orders.updateMany([{ scope, id, value: { status } }], transaction)
  const texts = transactions.map((one) => written(one).text).join(',')
  return `{"refund":${written(shownRefund).text},"transactions":[${texts}],"order":${written(shownOrder).text},"stock":${JSON.stringify(stock)}}`
}

/** Cancels a sale that was made by mistake: its payments become void, and its goods go back to the shelf. Throws 404 and 409. */
export async function voidSale(
  parts: ReturnParts,
  transaction: Queryable,
  { scope, id, restocks }: { readonly scope: Scope; readonly id: string; readonly restocks: boolean },
): Promise<string> {
  const { key, order } = await holdSale(transaction, scope, id)
  if (order.status === 'cancelled') throw new Problem('conflict', 'The sale was cancelled before.')
  if (order.status !== 'completed')
    throw new Problem('conflict', 'Only a completed sale without refunds can be voided. Refund it instead.')
  if ((await earlierRefunds(transaction, key)).length > 0)
    throw new Problem('conflict', 'The sale has refunds and cannot be voided. Refund the rest instead.')
  const closeTime = await heldCloseTime(transaction, scope, order.sessionId)
  if (closeTime)
    throw new Problem('conflict', `The session of the sale was closed at ${closeTime}. Refund the sale instead.`)
  const lines: readonly StockLine[] = restocks ? (order.lineItems ?? []) : []
  const stock = await moveBack(transaction, scope, {
    lines,
    outletId: order.outletId,
    reason: `Void of ${order.receiptId ?? id}`,
  })
  const rows = await transaction.query(
    {
      name: 'sales_transactions',
      text: `select id from transactions where company_id = $1 and order_id = $2 and type in ('', 'sale', 'refund') order by created_at, id`,
    },
    [scope.companyId, id],
  )
  const transactions = await parts.transactions.updateMany(
    rows.map(([of]) => ({ scope, id: of, value: { type: 'void' } })),
    transaction,
  )
  await updateStates(transaction, [key])
  const [shownOrder] = await parts.orders.updateMany([{ scope, id, value: { status: 'cancelled' } }], transaction)
  const texts = transactions.map((one) => written(one).text).join(',')
  return `{"order":${written(shownOrder).text},"transactions":[${texts}],"stock":${JSON.stringify(stock)}}`
}

/** When a session was closed, if it was. The lock makes a closing wait for the end of the transaction, so that it sees the void. */
async function heldCloseTime(
  transaction: Queryable,
  { companyId }: Scope,
  sessionId: string | undefined,
): Promise<string | undefined> {
  if (sessionId === undefined) return undefined
  const text = 'select close_time from sessions where company_id = $1 and id = $2 for share'
  const [row] = await transaction.query({ name: 'sales_session_hold', text }, [companyId, sessionId])
  return row?.[0]
}

/** The refunds of a locked order, in the order in which they were made. */
async function earlierRefunds(transaction: Queryable, { scope, id }: Key): Promise<EarlierRefund[]> {
  const rows = await transaction.query(
    {
      name: 'sales_refunds',
      text: 'select body from refunds where company_id = $1 and order_id = $2 order by created_at, id',
    },
    [scope.companyId, id],
  )
  return rows.map(([body]) => JSON.parse(body))
}

async function sessionFor(
  transaction: Queryable,
  { companyId }: Scope,
  { sessionId, stationId, occurredAt }: { readonly sessionId?: string | undefined; readonly stationId?: string | undefined; readonly occurredAt: string }, // biome-ignore format: one thought
): Promise<string | undefined> {
  const asked = { ...(sessionId && { sessionId }), ...(stationId && { stationId }), occurredAt, at: '' }
  const session = sessionOf(asked, await openSessions(transaction, companyId, [asked]))
  if (session instanceof Problem) throw session
  return session
}

/** Puts units of lines back on the shelf; returns what the response says of each. */
async function moveBack(
  transaction: Queryable,
  scope: Scope,
  { lines, outletId, reason }: { lines: readonly StockLine[]; outletId: string | undefined; reason: string },
): Promise<object[]> {
  const back = { scope, lines: lines.filter(({ quantity }) => quantity !== 0).length > 0 ? lines : [], outletId, reason, mayGoBelow: true, at: '' } // biome-ignore format: one thought
  const variants = await holdVariants(transaction, variantsOf(back))
  const moves = movesOf(back, variants, 'in')
  if (moves instanceof Problem) throw moves
  const moved = await moveStock(transaction, moves, variants)
  return moves.map((move, n) => {
    const done = moved[n] as Moved | Problem
    if (done instanceof Problem) throw refusedLine(move, done)
    return shownMove(move, done)
  })
}

/** The payments of a request, if they add up to what goes back. */
function checkedPayments(payments: NonNullable<RefundBody['payments']>, { money, payBack }: ComputedRefund) {
  const isExact = sumText([...payments.map(({ amount }) => amount), negated(money.text(payBack))], 0)
  if (Number(isExact) !== 0 || payments.some(({ amount }) => amount.startsWith('-')))
    throw invalid([bodyError('/payments', 'sum', `must add up to ${money.text(payBack)}, without negative amounts`)])
  return payments.map(({ change, tip, ...payment }) => payment)
}

/** Pays back by the methods with which the order was paid, each as far as it was. */
async function sameMethods(
  transaction: Queryable,
  { scope, id }: Key,
  {
    money,
    payBack,
    currency,
    ownCurrency,
  }: ComputedRefund & { readonly currency: unknown; readonly ownCurrency: unknown },
) {
  const rows = await transaction.query(
    {
      name: 'sales_methods',
      text: `
      select payment_method, sum(case when type = 'refund' then -abs(amount) else amount end)::text
      from transactions where company_id = $1 and order_id = $2 and type in ('', 'sale', 'refund')
        and coalesce(nullif(currency, ''), $4) = $3
      group by payment_method order by min(created_at || id)`,
    },
    [scope.companyId, id, currency, ownCurrency],
  )
  let left = payBack
  const payments = rows.flatMap(([paymentMethod, sum]) => {
    const paid = money.of(sum)
    if (paid <= 0n || left === 0n) return []
    const amount = limitedTo(paid, left)
    left -= amount
    return [{ paymentMethod: String(paymentMethod), amount: money.text(amount) }]
  })
  if (left > 0n) {
    const message = `The order’s transactions leave ${money.text(left)} without a method; send payments.`
    throw new Problem('conflict', message, [bodyError('/payments', 'required', message)])
  }
  return payments
}

/** A written record; a problem is thrown, and undoes the whole. */
function written(result: ItemResult | undefined): Written {
  if (result instanceof Problem) throw result
  return result as Written
}
