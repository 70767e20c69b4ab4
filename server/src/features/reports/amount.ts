// Sums as texts: exact, and each in one form.

/** Decimals that a currency usually has; 2 where none is known. */
function usualDecimals(currency: string | undefined): number {
  if (currency === undefined) return 2
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

/** A number of PostgreSQL's as an exact text without zeros at its end, but with as many decimals at least. */
export function decimalText(number: string, atLeast = 0): string {
  const [whole = '0', fraction = ''] = number.split('.')
  const kept = fraction.replace(/0+$/, '').padEnd(atLeast, '0')
  return kept === '' ? whole : `${whole}.${kept}`
}

/** Makes amounts of a currency: with its usual decimals, or as many as they need. */
export function amountsIn(currency: string | undefined): (number: string) => string {
  const decimals = usualDecimals(currency)
  return (number) => decimalText(number, decimals)
}
