// The sums of a sale: what was left out is computed, and what was sent and differs is refused, or listed.

import { bodyError, invalid, Problem, under } from '../../../core/problem.ts'
import type { Queryable } from '../../../database/connect.ts'
import type { JsonObject } from '../../../engine/record.ts'
import { type QuoteSettings, quoteOf } from './quote.ts'
import type { PaidPayment, Sale, SentPayment } from './sale.ts'
import type { Check } from './worksheet.ts'

interface SentSums {
  readonly order: JsonObject
  readonly payments: readonly SentPayment[]
  readonly isStrict: boolean
}

interface CheckedSums {
  /** The members of the order, with every amount. */
  readonly order: JsonObject
  readonly payments: readonly PaidPayment[]
  readonly checks: readonly Check[]
}

/**
 * Completes the amounts of a sale. Sent amounts stay as they are, and `checks` names those that differ from the
 * computed ones; in a strict sale they are a problem. So is a sale that cannot be computed, unless its total was sent.
 */
export function checkedSums(
  { order, payments, isStrict }: SentSums,
  settings: QuoteSettings,
  at: string,
): CheckedSums | Problem {
  const sent = { ...order, payments } as JsonObject & Sale
  const quote = quoteOf(sent, { ...settings, trustsTotal: !isStrict })
  if (quote instanceof Problem) return under(at, quote)
  // Cash without `change` is what the customer handed over.
  const settled = payments.map((payment, n) => {
    const computed = quote.computed.payments?.[n] as unknown as PaidPayment
    return payment.change === undefined && computed.change !== undefined
      ? computed
      : withComputed<any>(payment, computed)
  })
  if (isStrict && quote.checks.length > 0)
    return invalid(
      quote.checks.map(({ pointer, sent, computed }) =>
        bodyError(at + pointer, 'sum', `is ${sent}, but is computed as ${computed}`),
      ),
    )
  const { payments: _, ...completedOrder } = withComputed(sent, quote.computed)
  const checks = quote.checks.map((check) => atOrderPointer(check, settings.earlier?.length ?? 0))
  return { order: completedOrder, payments: settled, checks }
}

/** A check with the pointers of the order, whose payments are in `paymentMethods`, after the earlier ones. */
const atOrderPointer = (check: Check, earlier: number): Check => ({
  ...check,
  pointer: check.pointer.replace(/^\/payments\/(\d+)/, (_, n) => `/paymentMethods/${earlier + Number(n)}`),
})

/** How the company computes its sales. */
export async function settingsOf(transaction: Queryable, companyId: string): Promise<QuoteSettings> {
  const [row] = await transaction.query(
    { name: 'sales_settings', text: 'select currency, tax_rounding, cash_rounding from companies where id = $1' },
    [companyId],
  )
  const [currency, taxRounding, cashRounding] = row ?? []
  return { currency, taxRounding, cashRounding }
}

/** A value as it was sent, with the members that it left out as they were computed. */
export function withComputed<T>(sent: T, computed: T): T {
  if (sent === undefined || sent === computed) return computed
  if (typeof sent !== 'object' || sent === null || typeof computed !== 'object' || computed === null) return sent
  const members = Object.entries(computed).map(([name, value]) => [name, withComputed((sent as any)[name], value)])
  return Array.isArray(computed) ? (members.map(([, value]) => value) as T) : Object.fromEntries(members)
}
