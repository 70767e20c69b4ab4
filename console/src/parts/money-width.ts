// How wide a column of amounts is: an amount must never be cut, since what is left of it reads as another one.

/** Pixels for tens of millions with cents and currency, and for the padding of a cell on both sides. */
export const MONEY_WIDTH = 148
/** Pixels of a digit in a table, and of the padding. */
const DIGIT = 8
const PADDING = 28

/** Pixels for the longest of some amounts, and at least `least`. They are compared as they are stored, and only one is formatted. */
export function moneyWidth(
  amounts: readonly unknown[],
  money: (amount: string) => string,
  least = MONEY_WIDTH,
): number {
  let longest = ''
  for (const amount of amounts) if (String(amount ?? '').length > longest.length) longest = String(amount)
  return Math.max(least, money(longest).length * DIGIT + PADDING)
}
