// How the money of a refund goes back: by the payments of the request, or by the methods with which the order was paid; cash in coins.

import { limitedTo, nearest, negated, sumText } from '../../core/exact.ts'
import { bodyError, invalid, Problem } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import type { Key } from '../../engine/record.ts'
import type { ComputedRefund } from './refund.ts'
import type { RefundBody } from './refund-body.ts'

interface PaidBack {
  readonly paymentMethod: string
  readonly amount: string
}

/** Money that goes back; `cashRounding` is what it differs by from what is owed, since coins cannot pay that. */
interface Settled<P extends PaidBack> {
  readonly payments: readonly P[]
  readonly cashRounding?: string
}

const isCash = ({ paymentMethod }: PaidBack): boolean => paymentMethod === 'cash'

/** The payments of a request, if they add up to what goes back; those in cash may be rounded to the coin. */
export function checkedPayments(
  sent: NonNullable<RefundBody['payments']>,
  { money, payBack }: ComputedRefund,
  coin: bigint,
): Settled<PaidBack> {
  const payments = sent.map(({ change, tip, ...payment }) => payment)
  const sumOf = (some: readonly PaidBack[]) => sumText(some.map(({ amount }) => amount), 0) // biome-ignore format: one thought
  const rest = payBack - money.of(sumOf(payments.filter((payment) => !isCash(payment))))
  const rounding = payments.some(isCash) ? nearest(rest, coin) - rest : 0n
  const wanted = [...new Set([payBack, payBack + rounding])].map((amount) => money.text(amount))
  const found = wanted.find((amount) => Number(sumText([sumOf(payments), negated(amount)], 0)) === 0)
  if (found === undefined || payments.some(({ amount }) => amount.startsWith('-')))
    throw invalid([bodyError('/payments', 'sum', `must add up to ${wanted.join(' or ')}, without negative amounts`)])
  return { payments, ...roundingOf(money.of(found) - payBack, money) }
}

const roundingOf = (amount: bigint, money: ComputedRefund['money']) =>
  amount === 0n ? {} : { cashRounding: money.text(amount) }

/** Payments whose cash is rounded to the coin. */
export function inCoins(payments: readonly PaidBack[], { money }: ComputedRefund, coin: bigint): Settled<PaidBack> {
  const [cash] = payments.filter(isCash)
  if (cash === undefined) return { payments }
  const owed = money.of(cash.amount)
  const paid = nearest(owed, coin)
  const rounded = payments.map((payment) => (payment === cash ? { ...payment, amount: money.text(paid) } : payment))
  return { payments: rounded.filter((payment) => payment !== cash || paid > 0n), ...roundingOf(paid - owed, money) }
}

/** Pays back by the methods with which the order was paid, each as far as it was. */
export async function sameMethods(
  transaction: Queryable,
  { scope, id }: Key,
  {
    money,
    payBack,
    currency,
    ownCurrency,
  }: ComputedRefund & { readonly currency: unknown; readonly ownCurrency: unknown },
): Promise<PaidBack[]> {
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
