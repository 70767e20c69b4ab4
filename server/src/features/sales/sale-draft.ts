// A sale before it is stored: checked, with the ids that it gets and the records that it will consist of.

import { currencyDigits } from '../../core/currency.ts'
import { amountText, negated, sumText } from '../../core/exact.ts'
import { newId } from '../../core/ids.ts'
import { Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Item, JsonObject } from '../../engine/record.ts'
import { dueOf } from '../../resources/order-due.ts'
import { checkedSums } from './amounts/checked-sums.ts'
import type { QuoteSettings } from './amounts/quote.ts'
import type { PaidPayment, Summary } from './amounts/sale.ts'
import { leftOf, wrongPayment } from './amounts/tender.ts'
import type { Check } from './amounts/worksheet.ts'
import { otherCurrency, type SaleBody } from './body.ts'
import type { MovedLines, StockLine } from './line-moves.ts'
import type { SessionAsked } from './session.ts'

/** An order that becomes a sale, with what was paid of it before. */
export interface OpenOrder {
  readonly id: string
  /** Its payments so far, in its currency. */
  readonly payments: readonly PaidPayment[]
  /** The same as the order shows them. */
  readonly shownPayments: readonly object[]
  /** Whether its goods left the shelf already, when it was parked. */
  readonly isOffShelf: boolean
}

/** A sale as it was sent, or an open order with all its members. */
export interface SaleToCheck extends Item {
  readonly open?: OpenOrder
}

/** A checked sale. */
export interface CheckedSale extends SaleBody {
  readonly scope: Scope
  readonly at: string
  readonly id: string
  readonly order: JsonObject
  readonly payments: readonly PaidPayment[]
  readonly paymentIds: readonly string[]
  /** Amounts that differ from the computed ones. */
  readonly checks: readonly Check[]
  readonly open: OpenOrder | undefined
}

/** What a company's sales begin with. */
interface Defaults {
  readonly settings: QuoteSettings
  readonly now: string
}

/** A record to be created, as an item. */
export type Created = Pick<Item, 'value' | 'at' | 'own'>

/** The sale of an item and its checked body, or what is wrong with its sums. */
export function saleOf(
  { scope, at = '', open }: SaleToCheck,
  body: SaleBody,
  { settings, now }: Defaults,
): CheckedSale | Problem {
  const earlier = open?.payments ?? []
  const summed = checkedSums(body, { ...settings, earlier }, at)
  if (summed instanceof Problem) return summed
  const { payments } = summed
  const paymentIds = payments.map(() => newId())
  const order: JsonObject = { currency: settings.currency, occurredAt: now, ...summed.order }
  const nothing = amountText(0n, currencyDigits(String(order.currency)))
  const checks = [...summed.checks, ...body.shown.map((shown) => ({ ...shown, computed: nothing }))]
  const { total } = (order.summary ?? {}) as Summary
  const left = total === undefined ? undefined : leftOf(total, earlier)
  const wrong = otherCurrency(payments, order.currency, at) ?? wrongPayment(body.payments, payments, left, at)
  if (wrong) return wrong
  const shown = payments.map((payment, n) => shownPayment(payment, paymentIds[n] as string, order))
  order.paymentMethods ??= [...(open?.shownPayments ?? []), ...shown]
  const sale = { ...body, scope, at, id: open?.id ?? newId(), order, payments, paymentIds, checks, open }
  // Payments are stored as sent, so a quote’s balance, which corrects them, may not be what is due.
  if (body.order.balance === undefined) order.balance = dueOf({ ...order, ...ownMembers(sale) }).due
  return sale
}

/** A payment as the order shows it. */
export function shownPayment(
  { paymentMethod, amount, change, tip, paymentData }: PaidPayment,
  transactionId: string,
  { occurredAt }: JsonObject,
) {
  const { processor } = (paymentData ?? {}) as { readonly processor?: string }
  return { transactionId, paymentType: paymentMethod, amount, timestamp: occurredAt, processor, change, tip }
}

/** What the order of a sale says about its session. */
export const askedOf = ({ sessionId, stationId, occurredAt }: JsonObject, now: string, at = ''): SessionAsked =>
  ({ sessionId, stationId, occurredAt: occurredAt ?? now, at }) as SessionAsked

/** Its lines, as far as stock is concerned. */
export const linesOf = ({ scope, order, mayOversell, at, id, open }: CheckedSale): MovedLines => ({
  scope,
  at,
  mayGoBelow: mayOversell,
  lines: open?.isOffShelf ? [] : ((order.lineItems ?? []) as StockLine[]),
  outletId: order.outletId as string | undefined,
  cause: { reason: `Sale ${order.receiptId ?? id}`, orderId: id },
})

/** The members of its order that the service sets. */
export function ownMembers({ id, order, payments, checks, open }: CheckedSale): JsonObject {
  const digits = currencyDigits(String(order.currency))
  const sum = (type: string) =>
    sumText(
      [...payments, ...(open?.payments ?? [])].flatMap(({ type: own = 'sale', amount }) =>
        own !== type ? [] : type === 'refund' && amount.startsWith('-') ? negated(amount) : amount,
      ),
      digits,
    )
  return {
    id,
    paid: sum('sale'),
    refunded: sum('refund'),
    returned: sumText([], digits),
    returnedQuantity: 0,
    completedAt: new Date().toISOString(),
    ...(checks.length > 0 && { checks }),
  }
}

/** Its transactions, at the outlet of the order or at another one that takes the money. */
export function paymentItems(
  { order, payments, paymentIds, id, at }: CheckedSale,
  outletId: unknown = order.outletId,
): Created[] {
  const { sessionId, receiptId, currency, employee, occurredAt } = order
  return payments.map(({ change, tip, ...payment }, n) => ({
    value: {
      type: 'sale',
      employee,
      ...payment,
      orderId: id,
      outletId,
      sessionId,
      receiptId,
      currency,
      occurredAt,
    },
    at: `${at}/payments/${n}`,
    own: { id: paymentIds[n] },
  }))
}
