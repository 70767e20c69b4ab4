// What payments of a stored sale add to its totals: tips, and the rounding of cash. It is taken off when such a payment is void or deleted.

import { negated, sumText } from '../core/exact.ts'
import type { Queryable } from '../database/connect.ts'
import { keepsPlan } from '../database/statement.ts'
import { columnsOf } from '../engine/held-rows.ts'
import type { JsonObject, Key } from '../engine/record.ts'
import type { RecordChange } from '../engine/resource.ts'

/** The totals of an order, as far as payments change them. */
interface PaidTotals {
  readonly total?: string
  readonly tip?: { readonly amount?: string }
  readonly cashRounding?: string
}

/** The members of a transaction that say what it added to its order. */
interface LaterPayment {
  readonly addedTip?: string
  readonly cashRounding?: string
}

/** The totals with another tip. */
export function withTip<S extends PaidTotals>(summary: S, amount: string): S {
  const { tip, total, ...others } = summary
  const own = { ...others, tip: { amount } } as S
  if (total === undefined) return own
  return { ...own, total: sumText([total, negated(tip?.amount ?? '0'), amount], 0) }
}

/** The totals with what a payment adds to the tip and to the cash rounding. */
export function withPayment<S extends PaidTotals>(summary: S, { addedTip = '0', cashRounding = '0' }: LaterPayment): S {
  const tipped = Number(addedTip) === 0 ? summary : withTip(summary, sumText([summary.tip?.amount ?? '0', addedTip], 0))
  if (Number(cashRounding) === 0) return tipped
  return { ...tipped, cashRounding: sumText([summary.cashRounding ?? '0', cashRounding], 0) }
}

/** The totals without what a payment added. A caller may have replaced them meanwhile: what they do not have is not taken off. */
const withoutPayment = <S extends PaidTotals>(summary: S, { addedTip, cashRounding }: LaterPayment): S =>
  withPayment(summary, {
    addedTip: negated(part(addedTip, summary.tip?.amount)),
    cashRounding: negated(part(cashRounding, summary.cashRounding)),
  })

/** An amount, but no more than a whole of the same sign. */
function part(amount = '0', whole = '0'): string {
  if (Number(amount) * Number(whole) <= 0) return '0'
  return Math.abs(Number(amount)) < Math.abs(Number(whole)) ? amount : whole
}

/** A payment of an order before and after a write. */
export interface RewrittenPayment extends Key {
  readonly before: JsonObject
  /** Undefined if it was deleted, or no longer counts. */
  readonly after: JsonObject | undefined
}

/** The currency of an order, and that of its company, in which a payment without one is. */
interface OrderCurrency {
  readonly currency: string
  readonly ownCurrency: string
}

/** The totals of an order with the payments that count in it now, and without those that no longer do. */
export const withRecounted = <S extends PaidTotals>(
  summary: S | undefined,
  payments: readonly RewrittenPayment[],
  currencies: OrderCurrency,
): S | undefined =>
  payments.reduce((totals, { id, before, after }) => {
    const counts = after !== undefined && countsIn(id, after, currencies)
    if (totals === undefined || counts === countsIn(id, before, currencies)) return totals
    return counts ? withPayment(totals, after) : withoutPayment(totals, before)
  }, summary)

/** The members that say whether a payment counts in an order, and what it added to it. */
const countedMembers = ['orderId', 'type', 'currency', 'addedTip', 'cashRounding']

/** Whether a payment counts in an order. */
const countsIn = (
  id: string,
  { orderId, type = '', currency }: JsonObject,
  { currency: ofOrder, ownCurrency }: OrderCurrency,
): boolean => orderId === id && ['', 'sale', 'refund'].includes(String(type)) && (currency ?? ownCurrency) === ofOrder

/** The payments that a write changes, for their orders. New ones are added by the request that takes them. */
export const rewrittenPayments = ({ scope, before, after }: RecordChange): RewrittenPayment[] =>
  [...new Set([before?.orderId, after.orderId])].flatMap((id) =>
    before === undefined || typeof id !== 'string' ? [] : [{ scope, id, before, after }],
  )

/** Of stored transactions, the payments that added to the totals of their orders, as if they were deleted. */
export async function laterPayments(transaction: Queryable, keys: readonly Key[]): Promise<RewrittenPayment[]> {
  const rows = await transaction.query(
    {
      name: 'transactions_later',
      text: `
      select item.ordinality::int, stored.order_id, json_strip_nulls(json_build_object(${countedMembers.map((member) => `'${member}', stored.body -> '${member}'`).join(', ')}))::text
      from unnest($1::text[], $2::text[]) with ordinality as item(company_id, id, ordinality)
      join transactions as stored on stored.company_id = item.company_id and stored.id = item.id
      where stored.body::text ~ '"(addedTip|cashRounding)"' and ${keepsPlan('item.ordinality')}`,
    },
    columnsOf(keys),
  )
  return rows.map(([ordinal, id, body]) => {
    const { scope } = keys[ordinal - 1] as Key
    return { scope, id, before: JSON.parse(body), after: undefined }
  })
}
