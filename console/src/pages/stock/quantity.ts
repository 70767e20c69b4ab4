// Quantities as people type them, paste them and read them: numbers of the locale, with at most the six decimals that stock has.
import { readNumber, typedNumber } from '../../parts/typed-number.ts'
import { Unreadable } from '../../parts/unreadable.ts'
import { text } from '../../texts/numbers.ts'

const shown = new Intl.NumberFormat(undefined, { numberingSystem: 'latn', maximumFractionDigits: 6 })

/** For reading: `1,234.5`. */
export const shownQuantity = (quantity: number): string => shown.format(quantity)

/** For typing on, and for the clipboard: without signs between thousands. */
export const typedQuantity = (quantity: number): string => typedNumber(quantity)

/** The quantity that a text stands for, or why it is none. */
export function readQuantity(typed: string): number | Unreadable {
  const read = readNumber(typed)
  if (read instanceof Unreadable) return read
  const [whole = '', decimals = ''] = read.split('.')
  if (decimals.replace(/0+$/, '').length > 6) return new Unreadable(typed, text.tooFine)
  if (whole.replace(/^-?0*/, '').length > 15) return new Unreadable(typed, text.tooLong)
  return Number(read) || 0
}
