// What a till counted when it closed its session itself, without a closing (Z), beside what the session's records come to.
import type { RecordData } from '../../api/records.ts'
import type { ClosingBalance } from '../../api/schemas.ts'
import { minus, sumOf } from '../../parts/decimal.ts'

/** The cash that was counted: in `closingAmounts` it takes precedence. */
export const countedCash = ({ closingAmount, closingAmounts }: RecordData): string | undefined =>
  closingAmounts?.cash ?? closingAmount

/** The counted amounts by payment method, in the company's currency. */
function countsOf(session: RecordData): ReadonlyMap<string, string> {
  const cash = countedCash(session)
  return new Map(Object.entries<string>({ ...(cash !== undefined && { cash }), ...session.closingAmounts }))
}

/** The balances with what was counted; a method that only the count names was expected to have nothing. */
export function withCounts(
  balances: readonly ClosingBalance[],
  session: RecordData,
  currency: string | undefined,
): readonly ClosingBalance[] {
  const counts = countsOf(session)
  if (currency === undefined || session.closeTime === undefined || counts.size === 0) return balances
  const own = balances.filter((balance) => balance.currency === currency)
  const missing = [...counts.keys()].filter((method) => own.every(({ paymentMethod }) => paymentMethod !== method))
  const all = [...balances, ...missing.map((paymentMethod) => ({ currency, paymentMethod, expected: '0' }))]
  return all.map((balance) => {
    const counted = balance.currency === currency ? counts.get(balance.paymentMethod) : undefined
    return counted === undefined
      ? balance
      : { ...balance, counted, difference: sumOf([counted, minus(balance.expected)]) }
  })
}
