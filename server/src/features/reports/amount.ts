// Sums as texts: exact, in canonical form.

import { currencyDigits } from '../../core/currency.ts'

/** A PostgreSQL number as an exact text without trailing zeros, but with at least `atLeast` decimals. */
export function decimalText(number: string, atLeast = 0): string {
  const [whole = '0', fraction = ''] = number.split('.')
  const kept = fraction.replace(/0+$/, '').padEnd(atLeast, '0')
  return kept === '' ? whole : `${whole}.${kept}`
}

/** Makes amounts of a currency: with its usual decimals, or as many as they need. */
export function amountsIn(currency: string | undefined): (number: string) => string {
  const decimals = currencyDigits(currency)
  return (number) => decimalText(number, decimals)
}
