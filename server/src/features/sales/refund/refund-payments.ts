// How the money of a refund goes back: by the payments of the request, or by the methods with which the order was paid; cash in coins.

import { limitedTo, nearest, negated, notNegative, sum, sumText } from '../../../core/exact.ts'
import { bodyError, invalid, Problem } from '../../../core/problem.ts'
import type { Queryable } from '../../../database/connect.ts'
import type { Key } from '../../../engine/record.ts'
import { isOfOrder } from '../records-of-order.ts'
import type { ComputedRefund } from './refund-amounts.ts'
import type { RefundBody } from './refund-body.ts'

interface PaidBack {
  readonly paymentMethod: string
  readonly amount: string
}

/** Money that goes back; `rounding` is what it differs by from what is owed, since coins cannot pay that. */
interface SettledRefund {
  readonly payments: readonly PaidBack[]
  readonly rounding: bigint
}

const isCash = ({ paymentMethod }: Pick<PaidBack, 'paymentMethod'>): boolean => paymentMethod === 'cash'

/** What a method took for an order, and how much of it was not paid back, in minor units. */
interface TakenByMethod {
  readonly paymentMethod: string
  readonly taken: bigint
  readonly left: bigint
}

/** The methods with which an order was paid, in their order. */
export async function methodsOf(
  transaction: Queryable,
  { scope, id }: Key,
  {
    money,
    currency,
    ownCurrency,
  }: Pick<ComputedRefund, 'money'> & { readonly currency: unknown; readonly ownCurrency: unknown },
): Promise<TakenByMethod[]> {
  const rows = await transaction.query(
    {
      name: 'sales_methods',
      text: `
      select payment_method, coalesce(sum(amount) filter (where type <> 'refund'), 0)::text,
        sum(case when type = 'refund' then -abs(amount) else amount end)::text
      from transactions where ${isOfOrder} and type in ('', 'sale', 'refund')
        and coalesce(nullif(currency, ''), $4) = $3
      group by payment_method order by min(created_at || id)`,
    },
    [scope.companyId, id, currency, ownCurrency],
  )
  return rows.map(([paymentMethod, taken, left]) => ({
    paymentMethod: String(paymentMethod),
    taken: money.of(taken),
    left: money.of(left),
  }))
}

/** The payments of a request, if they add up to what goes back; those in cash may be rounded to the coin. One without an amount pays what the others leave. */
export function checkedPayments(
  sent: NonNullable<RefundBody['payments']>,
  computed: ComputedRefund,
  methods: readonly TakenByMethod[],
  coin: bigint,
): SettledRefund {
  const { money, payBack } = computed
  const payments = withRest(sent, computed, methods, coin)
  const rest = payBack - money.of(sumOf(payments.filter((payment) => !isCash(payment))))
  // Without payments, zero is paid in cash, which is right if less than half a coin is owed. If the other payments are
  // already too much, no coins are left to be rounded.
  const isInCash = payments.length === 0 || payments.some(isCash)
  const inCash = rest >= 0n && isInCash ? cashFor(rest, computed, methods.find(isCash), coin) : [rest]
  const wanted = inCash.map((cash) => money.text(payBack - rest + cash))
  const found = wanted.find((amount) => Number(sumText([sumOf(payments), negated(amount)], 0)) === 0)
  if (found === undefined || payments.some(({ amount }) => amount.startsWith('-')))
    throw invalid([
      bodyError(
        '/payments',
        'sum',
        `must add up to ${wanted.join(' or ')}, without negative amounts`,
        Number(wanted[0]),
      ),
    ])
  return { payments, rounding: money.of(found) - payBack }
}

const sumOf = (payments: readonly { readonly amount?: string }[]): string =>
  sumText(
    payments.map(({ amount = '0' }) => amount),
    0,
  )

/** The payments of a request, with the amount of the one that lacks it: what the others leave, in cash as all refunds together are rounded. */
function withRest(
  sent: NonNullable<RefundBody['payments']>,
  computed: ComputedRefund,
  methods: readonly TakenByMethod[],
  coin: bigint,
): PaidBack[] {
  const { money, payBack } = computed
  const payments = sent.map(({ change, tip, ...payment }) => payment)
  const open = payments.find(({ amount }) => amount === undefined)
  const paid = (some: readonly { readonly amount?: string }[]) => money.of(sumOf(some))
  const amountLeft = (): bigint => {
    if (open === undefined || !isCash(open)) return payBack - paid(payments)
    const rest = payBack - paid(payments.filter((payment) => !isCash(payment)))
    const cash = rest >= 0n ? cashFor(rest, computed, methods.find(isCash), coin).at(-1) : undefined
    return (cash ?? rest) - paid(payments.filter(isCash))
  }
  return payments.map((payment) => ({ ...payment, amount: payment.amount ?? money.text(amountLeft()) }))
}

/**
 * The amounts of cash that a request may name if `rest` is to be paid in cash: exact, or in coins. The last refund pays
 * what is left, whatever the earlier ones were rounded by. No refund pays back more cash than was taken, unless that
 * was less than what is owed.
 */
function cashFor(
  rest: bigint,
  { cashRounded, isWhole }: ComputedRefund,
  { taken, left }: Pick<TakenByMethod, 'taken' | 'left'> = { taken: 0n, left: 0n },
  coin: bigint,
): bigint[] {
  const owed = rest - cashRounded
  const exact = isWhole ? owed : rest
  // All that is left of cash that was taken in coins.
  const isRest = isWhole && owed === left && taken % coin === 0n
  const amounts = isRest ? [owed] : [exact, nearest(exact, coin), nearest(owed, coin)]
  const most = (amount: bigint) => (owed <= left && amount > left ? left : amount)
  return [...new Set(amounts.map(most).map(notNegative))]
}

/**
 * Pays back by the methods with which the order was paid, and to each at most what it took; what is beyond that in cash,
 * if the order has any. Cash goes back in coins if it was taken in coins, otherwise to the cent, since a shop may have
 * started or stopped rounding. It differs by at most half a coin from what all refunds together owe.
 */
export function sameMethods(
  { money, payBack, cashRounded }: ComputedRefund,
  methods: readonly TakenByMethod[],
  coin: bigint,
): SettledRefund {
  let rest = payBack
  let rounding = 0n
  const paidBy = (method: TakenByMethod) => notNegative(method.left + (isCash(method) ? cashRounded : 0n))
  // For an exchange, more can go back than was paid.
  const beyond = notNegative(payBack - sum(methods.map(paidBy)))
  const payments = methods.flatMap((method) => {
    const { paymentMethod, left } = method
    const inCash = isCash(method)
    const paid = paidBy(method) + (inCash ? beyond : 0n)
    if (paid === 0n || rest === 0n) return []
    const owed = limitedTo(paid, rest)
    rest -= owed
    const smallest = left % coin === 0n ? coin : 1n
    const amount = inCash ? notNegative(nearest(owed - cashRounded, smallest)) : owed
    rounding += amount - owed
    return amount === 0n ? [] : [{ paymentMethod, amount: money.text(amount) }]
  })
  if (rest > 0n) {
    const message = `This refund comes to ${money.text(payBack)}, ${money.text(rest)} more than is left of what was paid for the order. Send payments that say how it is paid back.`
    throw new Problem('conflict', message, [bodyError('/payments', 'required', message, Number(money.text(payBack)))])
  }
  return { payments, rounding }
}
