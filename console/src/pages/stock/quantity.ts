// Reads and writes stock quantities in the locale's number format, with at most six decimals.
import { readNumber, typedNumber } from '../../parts/typed-number.ts'
import { Unreadable } from '../../parts/unreadable.ts'
import { text } from '../../texts/numbers.ts'

const shown = new Intl.NumberFormat(undefined, { numberingSystem: 'latn', maximumFractionDigits: 6 })

/** For display: `1,234.5`. */
export const shownQuantity = (quantity: number): string => shown.format(quantity)

/** For editing and for the clipboard: without thousands separators. */
export const typedQuantity = (quantity: number): string => typedNumber(quantity)

/** The quantity in a text, or why it is not a quantity. */
export function readQuantity(typed: string): number | Unreadable {
  const read = readNumber(typed)
  if (read instanceof Unreadable) return read
  const [whole = '', decimals = ''] = read.split('.')
  if (decimals.replace(/0+$/, '').length > 6) return new Unreadable(typed, text.tooFine)
  if (whole.replace(/^-?0*/, '').length > 15) return new Unreadable(typed, text.tooLong)
  return Number(read) || 0
}
