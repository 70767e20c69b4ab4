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
interface Settled {
  readonly payments: readonly PaidBack[]
  readonly cashRounding?: string
}

const isCash = ({ paymentMethod }: PaidBack): boolean => paymentMethod === 'cash'

/** The payments of a request, if they add up to what goes back; those in cash may be rounded to the coin. */
export function checkedPayments(
  sent: NonNullable<RefundBody['payments']>,
  { money, payBack, cashRounded }: ComputedRefund,
  coin: bigint,
): Settled {
  const payments = sent.map(({ change, tip, ...payment }) => payment)
  const sumOf = (some: readonly PaidBack[]) => sumText(some.map(({ amount }) => amount), 0) // biome-ignore format: one thought
  const rest = payBack - money.of(sumOf(payments.filter((payment) => !isCash(payment))))
  // Where the other payments are too much already, no coins are left to be rounded.
  const inCash = rest >= 0n && payments.some(isCash) ? [nearest(rest, coin), inWholeCoins(rest, cashRounded, coin)] : []
  const wanted = [...new Set([rest, ...inCash])].map((cash) => money.text(payBack - rest + cash))
  const found = wanted.find((amount) => Number(sumText([sumOf(payments), negated(amount)], 0)) === 0)
  if (found === undefined || payments.some(({ amount }) => amount.startsWith('-')))
    throw invalid([bodyError('/payments', 'sum', `must add up to ${wanted.join(' or ')}, without negative amounts`)])
  return { payments, ...roundingOf(money.of(found) - payBack, money) }
}

const roundingOf = (amount: bigint, money: ComputedRefund['money']) =>
  amount === 0n ? {} : { cashRounding: money.text(amount) }

/** Cash in coins, so that it differs by half a coin at most from what is owed by all refunds together. */
function inWholeCoins(owed: bigint, cashRounded: bigint, coin: bigint): bigint {
  const paid = nearest(owed - cashRounded, coin)
  return paid > 0n ? paid : 0n
}

/**
 * Pays back by the methods with which the order was paid, each as far as it was. Cash goes back in coins if it was taken in coins, and
 * else to the cent: a shop may have begun or ended to round since.
 */
export async function sameMethods(
  transaction: Queryable,
  { scope, id }: Key,
  {
    money,
    payBack,
    cashRounded,
    currency,
    ownCurrency,
    coin,
  }: ComputedRefund & { readonly currency: unknown; readonly ownCurrency: unknown; readonly coin: bigint },
): Promise<Settled> {
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
  let [left, rounding] = [payBack, 0n]
  const payments = rows.flatMap(([paymentMethod, sum]) => {
    const inCash = paymentMethod === 'cash'
    const smallest = money.of(sum) % coin === 0n ? coin : 1n
    const paid = money.of(sum) + (inCash ? cashRounded : 0n)
    if (paid <= 0n || left === 0n) return []
    const owed = limitedTo(paid, left)
    left -= owed
    const amount = inCash ? inWholeCoins(owed, cashRounded, smallest) : owed
    rounding += amount - owed
    return amount === 0n ? [] : [{ paymentMethod: String(paymentMethod), amount: money.text(amount) }]
  })
  if (left > 0n) {
    const message = `The order’s transactions leave ${money.text(left)} without a method; send payments.`
    throw new Problem('conflict', message, [bodyError('/payments', 'required', message)])
  }
  return { payments, ...roundingOf(rounding, money) }
}
