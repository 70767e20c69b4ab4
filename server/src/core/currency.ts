// How many decimals the amounts of a currency have: 0 for JPY, 2 for EUR, 3 for KWD.

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
