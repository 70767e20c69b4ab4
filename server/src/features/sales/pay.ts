// Takes payments of a sale that is not paid in full, such as one on account, or pays out what the shop owes of it: transactions, change, and
// the state of the order.

import { currencyDigits } from '../../core/currency.ts'
import { type Condition, requireMatch } from '../../core/etag.ts'
import { exact, negated, plus, rounded, sumText } from '../../core/exact.ts'
import { newId } from '../../core/ids.ts'
import { bodyError, conflict, invalid, orThrow, Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Queryable } from '../../database/connect.ts'
import { described, type Field, type Fields, list, reference } from '../../engine/field.ts'
import type { JsonObject, Key } from '../../engine/record.ts'
import { resource } from '../../engine/resource.ts'
import { bodySchema } from '../../engine/schema.ts'
import { type Answer, ok } from '../../http/route.ts'
import { withPayment } from '../../resources/later-money.ts'
import { transaction as transactionRecord } from '../../resources/transaction.ts'
import { checkedSums } from './amounts/checked-sums.ts'
import type { SentPayment, Share, Summary } from './amounts/sale.ts'
import { isCash, leftOf, wrongPayment } from './amounts/tender.ts'
import { missingAmount, negativeChange, otherCurrency, sentPayment, tooManyPayments, withUsualWords } from './body.ts'
import {
  changeSale,
  type HeldSale,
  holdSale,
  notCompleted,
  type ReturnParts,
  refuseVoided,
  tookPlace,
} from './held-sale.ts'
import { isOfOrder } from './records-of-order.ts'
import { shownPayment } from './sale-draft.ts'
import { moneyPlace } from './session.ts'
import { addedTips } from './tips.ts'

/** A member of a transaction, described as its request takes it. */
const ofTransaction = (member: string, description: string): Field<any> =>
  described(transactionRecord.fields[member] as Field<any>, description)

/** Declared like a resource, to share its checks and its shapes. */
export const paidSale = resource({
  name: { one: 'sale-payments', many: 'sale-payments' },
  title: 'Sales',
  description: 'Payments of a sale that was not paid in full, or for which the shop owes the customer money.',
  fields: {
    payments: { ...list(sentPayment(), { description: 'The payments. Each becomes a transaction.' }), required: true },
    occurredAt: ofTransaction('occurredAt', 'When the money was taken; now by default.'),
    stationId: reference({
      description:
        'The till that takes the money; by default the one that made the sale. The payments belong to its open session, and to its outlet.',
    }),
    sessionId: ofTransaction('sessionId', 'The session of the payments, if it is not the open one of `stationId`.'),
    employee: ofTransaction('employee', 'The account or user of the cashier.'),
  } as Fields,
  remove: 'hard',
  list: {},
  styleA: null,
  styleB: null,
  example: { payments: [{ paymentMethod: 'cash' }] },
})

/** A checked body. */
export interface PaymentsBody {
  readonly payments: readonly SentPayment[]
  readonly occurredAt?: string
  readonly stationId?: string
  readonly sessionId?: string
  readonly employee?: string
}

const schema = bodySchema(paidSale)

/** Checks a body. Throws 400. */
export function readPayments(value: unknown): PaymentsBody {
  const sent = orThrow(schema.create(value)).set as unknown as PaymentsBody
  const payments = sent.payments.map(withUsualWords)
  const wrong = tooManyPayments(payments, '') ?? missingAmount(payments, '') ?? negativeChange(payments, '')
  if (wrong) throw wrong
  if (payments.length === 0) throw invalid([bodyError('/payments', 'minItems', 'must have at least one payment')])
  return { ...sent, payments }
}

interface AskedPayments {
  readonly scope: Scope
  readonly id: string
  readonly sent: PaymentsBody
  /** The version of the order that was read, if the caller named one. */
  readonly ifMatch: Condition | undefined
  /** Whether nothing is stored if transactions of the sale have the numbers of the payments. */
  readonly isOnce: boolean
}

/** Takes or pays out payments of a sale; returns the response. Throws 400, 404, 409 and 412. */
export async function paySale(
  parts: ReturnParts,
  transaction: Queryable,
  { scope, id, sent, ifMatch, isOnce }: AskedPayments,
): Promise<Answer> {
  const held = await holdSale(transaction, scope, id)
  if (isOnce && (await wereTaken(transaction, held.key, sent))) return ok(`{"order":${held.text},"transactions":[]}`)
  requireMatch(ifMatch, held.text)
  return ok(await takePayments(parts, transaction, held, sent), 201)
}

/** Whether the payments of a request were taken before. Throws 409 for other ones under their numbers. */
async function wereTaken(transaction: Queryable, { scope, id }: Key, sent: PaymentsBody): Promise<boolean> {
  const numbers = sent.payments.map(({ externalId }) => externalId as string)
  const rows = await transaction.query(
    {
      name: 'sales_payments_by_number',
      text: `select external_id, id, occurred_at from transactions where ${isOfOrder} and external_id = any ($3)`,
    },
    [scope.companyId, id, numbers],
  )
  const [first] = rows
  if (first === undefined) return false
  const known = new Map(rows.map(([number, ...taken]) => [number, taken]))
  const n = numbers.findIndex((number) => !known.has(number))
  if (n !== -1) {
    const message = `The transaction ${first[1]} has the externalId ${first[0]}, but none of the sale has ${numbers[n]}. Send payments again as they were sent before, and new ones by themselves.`
    throw new Problem('conflict', message, [bodyError(`/payments/${n}/externalId`, 'other_payment', message)])
  }
  const [other] = rows.filter(([, , occurredAt]) => sent.occurredAt !== undefined && occurredAt !== sent.occurredAt)
  if (other === undefined) return true
  const message = `The transaction ${other[1]} of the sale has the same externalId, but a different time: ${other[2] ?? 'none'}. Give a different payment a different externalId.`
  throw new Problem('conflict', message, [bodyError('/occurredAt', 'other_payment', message)])
}

/** Throws 400 and 409. */
async function takePayments(
  parts: ReturnParts,
  transaction: Queryable,
  { key, order, settings, text }: HeldSale,
  sent: PaymentsBody,
): Promise<string> {
  const { scope, id } = key
  const currency = String(order.currency ?? settings.currency)
  const asked = { ...dueOf({ order, settings }), currency }
  const stored: JsonObject & { readonly summary?: Summary } = JSON.parse(text)
  // Without a tip of its own, the order is read with the tips of its payments, but its total may not have them.
  const before = stored.summary?.tip && order.summary?.tip
  const tips = await addedTips(transaction, sent.payments, {
    ...asked,
    key,
    stored,
    before,
    ownCurrency: settings.currency,
  })
  const tip = sumText(
    tips.map((added = '0') => added),
    currencyDigits(currency),
  )
  const { payments, balance, rounding, roundedAt } = settled(sent.payments, { ...asked, tip })
  const occurredAt = sent.occurredAt ?? new Date().toISOString()
  const { sessionId, stationId, employee } = sent
  const place = await moneyPlace(transaction, scope.companyId, { sent: { sessionId, stationId }, occurredAt, order })
  const ids = payments.map(() => newId())
  const common = { orderId: id, ...place, receiptId: order.receiptId, currency, occurredAt }
  const written = await parts.transactions.createMany(
    payments.map(({ change, tip, ...payment }, n) => ({
      scope,
      at: `/payments/${n}`,
      own: {
        id: ids[n],
        ...(n === roundedAt && { cashRounding: rounding }),
        ...(tips[n] && { addedTip: tips[n] }),
      },
      value: { type: 'sale', employee, ...payment, ...common },
    })),
    transaction,
  )
  const texts = written.map((one) => orThrow(one).text)
  const shown = payments.map((payment, n) => shownPayment(payment, ids[n] as string, { occurredAt }))
  const paymentMethods = [...((stored.paymentMethods ?? []) as readonly object[]), ...shown]
  const summary = paidSummary(stored.summary, { tip, before, rounding })
  const value = { paymentMethods, balance, ...(summary && { summary }) }
  const updated = await changeSale(parts, transaction, key, { value })
  return `{"order":${updated},"transactions":[${texts.join(',')}]}`
}

/**
 * What is due of a sale, without payments its total, and how cash is rounded. What the shop keeps of a cancelled order, such as a deposit,
 * is paid out to the cent: `due` of such an order knows no rounding. Throws 409 for any other order that is no sale.
 */
function dueOf({ order, settings }: Pick<HeldSale, 'order' | 'settings'>) {
  const { status, due, summary: { total = '0', cashRounding = '0' } = {} } = order
  if (status === 'cancelled' && Number(due ?? 0) < 0)
    return { due: String(due), settings: { ...settings, cashRounding: undefined } }
  refuseVoided(order)
  if (!tookPlace(order)) throw notCompleted(order, 'paid')
  return { due: due ?? sumText([total, cashRounding], 0), settings }
}

/** Less than any difference of amounts, which have six decimals: added to half a unit below zero, it rounds that to zero. */
const leastPart = exact('0.0000001')

/** The payments with their amounts and change, what is due after them, and what cash is rounded by, at the last payment in cash. Throws 400 and 409. */
function settled(
  sent: readonly SentPayment[],
  { due, tip, currency, settings }: Pick<HeldSale, 'settings'> & { readonly [amount in 'due' | 'tip' | 'currency']: string }, // biome-ignore format: one thought
) {
  // A part of the smallest unit can be due of a total that is finer than its currency; no payment could be so small. Half a unit is due, but
  // not owed to the customer: to pay out a unit would make the other half due again.
  const owed = rounded(plus(exact(due), leastPart), currencyDigits(currency))
  if (owed === 0n) throw conflict('sale_paid', 'Nothing is due: the sale is paid.')
  // A sale that costs what is due, and the tip.
  const total = sumText([due, tip], 0)
  const asked = { order: { currency, summary: { total } }, payments: sent, isStrict: false }
  const summed = orThrow(checkedSums(asked, settings, ''))
  const wrong = otherCurrency(sent, currency, '') ?? wrongPayment(sent, summed.payments, total, '')
  if (wrong) throw wrong
  const { payments } = summed
  const { cashRounding = '0' } = summed.order.summary as Summary
  // What was sent is stored as it is, also where it is finer than the currency.
  const balance = sumText([leftOf(total, payments), cashRounding], currencyDigits(currency))
  if (owed < 0n && rounded(exact(balance), currencyDigits(currency)) > 0n) {
    const message = `must not add up to more than the shop owes, ${negated(due)}`
    throw invalid([bodyError('/payments', 'maximum', message, Number(negated(due)))])
  }
  return {
    payments,
    balance,
    rounding: cashRounding,
    roundedAt: Number(cashRounding) === 0 ? -1 : payments.findLastIndex(isCash),
  }
}

/** The totals with what payments add to the tip, which was `before`, and to the cash rounding; undefined if that is nothing. */
function paidSummary(
  summary: Summary = {},
  { tip, before, rounding }: { readonly tip: string; readonly before: Share | undefined; readonly rounding: string },
): Summary | undefined {
  if (Number(tip) === 0 && Number(rounding) === 0) return undefined
  const tipped = Number(tip) !== 0 && before ? { ...summary, tip: before } : summary
  return withPayment(tipped, { addedTip: tip, cashRounding: rounding })
}
