// For each payment method: the expected amount, the counted amount, and the difference. Pure functions.

import { currencyDigits } from '../../core/currency.ts'
import { amountText, decimalText, exact, rounded } from '../../core/exact.ts'
import { usualMethod } from '../../resources/sale-shapes.ts'

/** Decimals of stored amounts. */
const DECIMALS = 6

/** Amounts by payment method. */
export type AmountsByMethod = Readonly<Record<string, string>>

/** An amount of a payment method in a currency. */
export interface MethodAmount {
  readonly currency: string
  readonly paymentMethod: string
  readonly amount: string
}

/** A payment method as it was counted. */
export interface Balance {
  readonly currency: string
  readonly paymentMethod: string
  readonly expected: string
  readonly counted?: string
  readonly difference?: string
}

/** Amounts by the methods that transactions have. */
export const byUsualMethod = (amounts: AmountsByMethod): AmountsByMethod =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [usualMethod(name), amount]))

/** An exact amount in its currency's usual form. */
export const amountOf = (currency: string, millionths: bigint): string =>
  decimalText(amountText(millionths, DECIMALS), currencyDigits(currency))

/** A decimal text in millionths. */
export const millionths = (amount: string): bigint => rounded(exact(amount), DECIMALS)

/** The balances of all methods that moved or were counted: the company's currency first, cash first, then by name. */
export function balancesOf(
  moved: readonly MethodAmount[],
  counted: readonly MethodAmount[],
  ownCurrency: string,
): Balance[] {
  const keyOf = ({ currency, paymentMethod }: MethodAmount) => JSON.stringify([currency, paymentMethod])
  const expected = new Map<string, bigint>()
  for (const one of [...moved, ...counted.map((one) => ({ ...one, amount: '0' }))])
    expected.set(keyOf(one), (expected.get(keyOf(one)) ?? 0n) + millionths(one.amount))
  const found = new Map(counted.map((one) => [keyOf(one), millionths(one.amount)]))
  const balances = [...expected].map(([key, amount]): Balance => {
    const [currency, paymentMethod] = JSON.parse(key)
    const is = found.get(key)
    return {
      currency,
      paymentMethod,
      expected: amountOf(currency, amount),
      ...(is !== undefined && { counted: amountOf(currency, is), difference: amountOf(currency, is - amount) }),
    }
  })
  const rank = ({ currency, paymentMethod }: Balance) =>
    `${currency === ownCurrency ? '' : currency} ${paymentMethod === 'cash' ? '' : paymentMethod}`
  return balances.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
}
