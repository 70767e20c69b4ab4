// Refunds of sales: in one transaction the refund, the money, the stock that comes back, and the state of the order.

import { newId } from '../../../core/ids.ts'
import { bodyError, orThrow, Problem } from '../../../core/problem.ts'
import type { Scope } from '../../../core/scope.ts'
import type { Queryable } from '../../../database/connect.ts'
import type { ItemResult } from '../../../engine/record.ts'
import { store } from '../../../engine/store.ts'
import { type Answer, ok } from '../../../http/route.ts'
import { refund as refundRecord } from '../../../resources/refund.ts'
import { coinOf } from '../amounts/quote.ts'
import { otherCurrency } from '../body.ts'
import {
  changeSale,
  earlierRefunds,
  type HeldSale,
  holdSale,
  moveBack,
  notCompleted,
  type ReturnParts,
  refuseVoided,
  tookPlace,
} from '../held-sale.ts'
import { moneyPlace } from '../session.ts'
import { type ComputedRefund, refundOf } from './refund-amounts.ts'
import type { RefundBody } from './refund-body.ts'
import { checkedPayments, methodsOf, sameMethods } from './refund-payments.ts'
import type { EarlierRefund } from './sold-lines.ts'

const { find } = store(refundRecord)

interface AskedRefund {
  readonly scope: Scope
  readonly id: string
  readonly wanted: RefundBody
  /** Whether a refund of the order with the same `externalId` is the answer, and nothing is stored. */
  readonly isOnce: boolean
}

/** Refunds a sale, whole or in part; returns the response. Throws 400, 404 and 409. */
export async function refundSale(
  parts: ReturnParts,
  transaction: Queryable,
  { scope, id, wanted, isOnce }: AskedRefund,
): Promise<Answer> {
  const held = await holdSale(transaction, scope, id)
  refuseVoided(held.order)
  const earlier = await earlierRefunds(transaction, held.key)
  const made = isOnce ? earlier.find(({ externalId }) => externalId === wanted.externalId) : undefined
  return made
    ? ok(await madeBefore(transaction, scope, { made, wanted, text: held.text }))
    : ok(await makeRefund(parts, transaction, { ...held, earlier, wanted }), 201)
}

async function makeRefund(
  parts: ReturnParts,
  transaction: Queryable,
  {
    key,
    order,
    settings,
    earlier,
    wanted,
  }: HeldSale & { readonly earlier: readonly EarlierRefund[]; readonly wanted: RefundBody },
): Promise<string> {
  const { scope, id } = key
  if (!tookPlace(order)) throw notCompleted(order, 'refunded')
  const currency = order.currency ?? settings.currency
  const wrong = otherCurrency(wanted.payments ?? [], currency, '')
  if (wrong) throw wrong
  const computed = orThrow(refundOf(order, earlier, wanted, String(settings.currency)))
  const occurredAt = wanted.occurredAt ?? new Date().toISOString()
  const { sessionId: named, stationId } = wanted
  const asked = { sent: { sessionId: named, stationId }, occurredAt, order }
  const { sessionId, outletId } = await moneyPlace(transaction, scope.companyId, asked)
  const coin = coinOf(currency, settings, computed.money.digits)
  const methods = await methodsOf(transaction, key, { ...computed, currency, ownCurrency: settings.currency })
  const { payments, rounding } = wanted.payments
    ? checkedPayments(wanted.payments, computed, methods, coin)
    : sameMethods(computed, methods, coin)
  const { reason, refundedBy, refundedByExternalId, externalId } = wanted
  const common = { sessionId, currency, occurredAt }
  // Ids come first, so that the refund is created whole, and its event has the payments.
  const refundId = newId()
  const stock = await returnGoods(transaction, { ...key, refundId }, order, wanted, computed)
  const paymentIds = payments.map(() => newId())
  const payment = payments.map(({ paymentMethod, amount }, n) => ({
    paymentType: paymentMethod,
    amount,
    transactionId: paymentIds[n],
  }))
  const cashRounding = computed.saleRounding + rounding
  const summary = {
    ...computed.members.summary,
    ...(cashRounding !== 0n && { cashRounding: computed.money.text(cashRounding) }),
  }
  const members = {
    ...common,
    reason,
    refundedBy,
    refundedByExternalId,
    externalId,
    ...computed.members,
    summary,
    payment,
  }
  const [refund] = (await parts.refunds.createMany(
    [{ scope, value: { orderId: id, ...members }, own: { id: refundId } }],
    transaction,
  )) as [ItemResult]
  const transactions = await parts.transactions.createMany(
    payments.map((payment, n) => ({
      scope,
      at: `/payments/${n}`,
      own: { id: paymentIds[n] },
      value: {
        employee: refundedBy,
        ...payment,
        type: 'refund',
        orderId: id,
        refundId,
        ...common,
        outletId,
        receiptId: order.receiptId,
      },
    })),
    transaction,
  )
  const status = computed.isWhole ? 'refunded' : 'partial-refund'
  const shownOrder = await changeSale(parts, transaction, key, { value: { status } })
  const texts = transactions.map((one) => orThrow(one).text).join(',')
  return `{"refund":${orThrow(refund).text},"transactions":[${texts}],"order":${shownOrder},"stock":${JSON.stringify(stock)}}`
}

/** Returns the goods that come back to stock; what the response says of them. */
function returnGoods(
  transaction: Queryable,
  { scope, id, refundId }: HeldSale['key'] & { readonly refundId: string },
  order: HeldSale['order'],
  wanted: RefundBody,
  { restocked }: ComputedRefund,
): Promise<readonly object[]> {
  const lines = (order.lineItems ?? []).map(({ variantId }, n) => ({ variantId, quantity: restocked.get(n) ?? 0 }))
  const lineAt = (line: number) => `/lines/${wanted.lines?.findIndex(({ lineItem }) => lineItem === line)}`
  return moveBack(transaction, scope, {
    lines,
    outletId: wanted.outletId ?? order.outletId,
    cause: { reason: `Refund of ${order.receiptId ?? id}`, orderId: id, refundId },
    ...(wanted.lines && { lineAt }),
  })
}

/** The response to a refund that was made before. Throws 409 if its time shows that it is another one. */
async function madeBefore(
  transaction: Queryable,
  scope: Scope,
  {
    made: { id = '', occurredAt },
    wanted,
    text,
  }: { readonly made: EarlierRefund; readonly wanted: RefundBody; readonly text: string },
): Promise<string> {
  if (wanted.occurredAt !== undefined && wanted.occurredAt !== occurredAt) {
    const message = `The refund ${id} of the sale has the same externalId, but a different time: ${occurredAt ?? 'none'}. Give a different refund a different externalId.`
    throw new Problem('conflict', message, [bodyError('/occurredAt', 'other_refund', message)])
  }
  const [stored] = await find(transaction, [{ scope, id }])
  return `{"refund":${stored?.text},"transactions":[],"order":${text},"stock":[]}`
}
