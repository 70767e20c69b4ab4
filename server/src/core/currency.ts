// How many decimals the amounts of a currency have: 0 for JPY, 2 for EUR, 3 for KWD.

import { decimalText } from './exact.ts'

const known = new Map<string, number>()

/** The usual decimals of a currency; 2 if it is missing or unknown. */
export function currencyDigits(currency: string | undefined): number {
  if (currency === undefined) return 2
  const digits =
    known.get(currency) ??
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
    2
  // Made once for each code, which has three letters: making the formatter costs more than a whole sum.
  known.set(currency, digits)
  return digits
}

/** Makes amounts of a currency: with its usual decimals, or as many as they need. */
export function amountsIn(currency: string | undefined): ((number: string) => string) & { readonly decimals: number } {
  const decimals = currencyDigits(currency)
  return Object.assign((number: string) => decimalText(number, decimals), { decimals })
}
