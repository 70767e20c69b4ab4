// Sums as texts: exact, in canonical form.

/** The usual decimals of a currency; 2 if unknown. */
function usualDecimals(currency: string | undefined): number {
  if (currency === undefined) return 2
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

/** A PostgreSQL number as an exact text without trailing zeros, but with at least `atLeast` decimals. */
export function decimalText(number: string, atLeast = 0): string {
  // Most amounts have the decimals that they should have, or none.
  const point = number.indexOf('.')
  if (point === -1) return atLeast === 0 ? number : `${number}.${'0'.repeat(atLeast)}`
  if (atLeast > 0 && number.length - point - 1 === atLeast) return number
  const [whole = '0', fraction = ''] = number.split('.')
  const kept = fraction.replace(/0+$/, '').padEnd(atLeast, '0')
  return kept === '' ? whole : `${whole}.${kept}`
}

/** An exact number, as an integer and its decimals. */
const scaled = (number: string): [bigint, number] => {
  const [whole = '0', fraction = ''] = number.split('.')
  return [BigInt(whole + fraction), fraction.length]
}

/** One exact number less another. */
export function difference(one: string, other: string): string {
  const [[a, decimalsOfA], [b, decimalsOfB]] = [scaled(one), scaled(other)]
  const decimals = Math.max(decimalsOfA, decimalsOfB)
  return withDecimals(a * 10n ** BigInt(decimals - decimalsOfA) - b * 10n ** BigInt(decimals - decimalsOfB), decimals)
}

/** A number divided by a count above zero, rounded half away from zero to some decimals. */
export function quotient(number: string, count: string, decimals: number): string {
  const [amount, scale] = scaled(number)
  const [above, below] = [amount * 10n ** BigInt(decimals + 1), BigInt(count) * 10n ** BigInt(scale)]
  const tenths = above / below
  return withDecimals((tenths + (tenths < 0n ? -5n : 5n)) / 10n, decimals)
}

function withDecimals(amount: bigint, decimals: number): string {
  if (decimals === 0) return String(amount)
  const digits = String(amount < 0n ? -amount : amount).padStart(decimals + 1, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Makes amounts of a currency: with its usual decimals, or as many as they need. */
export function amountsIn(currency: string | undefined): ((number: string) => string) & { readonly decimals: number } {
  const decimals = usualDecimals(currency)
  return Object.assign((number: string) => decimalText(number, decimals), { decimals })
}
