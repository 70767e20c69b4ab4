// How wide columns of amounts and times are: what is left of an amount that is cut reads as another one, and a time without its minutes is no time.
import { dateTime } from './format.ts'

/** Pixels for millions with cents and currency, and for the padding of a cell on both sides. */
export const MONEY_WIDTH = 124
/** Pixels of a digit in a table, of a character on average, of one of a title, and of the padding. */
const DIGIT = 8
const CHARACTER = 7
const TITLE_CHARACTER = 7.5
const PADDING = 28
/** Pixels of a badge around its text, and the most for a column of badges: longer words of others are cut. */
const BADGE = 18
const BADGES = 190

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

/** Pixels for the badge of the longest of some labels. */
export const badgeWidth = (labels: readonly string[]): number =>
  Math.min(BADGES, Math.ceil(Math.max(...labels.map(({ length }) => length)) * TITLE_CHARACTER) + BADGE + PADDING)

/** A column's pixels, so that its title fits in any language. */
export const titledWidth = (width: number, title: string): number =>
  Math.max(width, Math.ceil(title.length * TITLE_CHARACTER) + PADDING)

/** Pixels for a time in the locale; in some, such as that of the United States, it is a third longer than in others. */
export const timeWidth = (): number =>
  Math.max(156, dateTime('2025-11-28T22:58:00Z', 'UTC').length * CHARACTER + PADDING)
