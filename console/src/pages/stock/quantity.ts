// Stock quantities, in the locale's number format and with at most six decimals.
import { locale } from '../../language.ts'
import type { ValueFormat } from '../../parts/sheet/format.ts'
import { type NumberSigns, readNumber, typedNumber } from '../../parts/typed-number.ts'
import { Unreadable } from '../../parts/unreadable.ts'
import { text } from '../../texts/numbers.ts'

const shown = new Intl.NumberFormat(locale, { numberingSystem: 'latn', maximumFractionDigits: 6 })

export const shownQuantity = (quantity: number): string => shown.format(quantity)

export const quantities: ValueFormat = {
  read: (typed) => readQuantity(typed),
  shown: shownQuantity,
  typed: typedNumber,
  cleared: 0,
}

export function readQuantity(typed: string, signs?: NumberSigns): number | Unreadable {
  const read = readNumber(typed, signs)
  if (read instanceof Unreadable) return read
  const [whole = '', decimals = ''] = read.split('.')
  if (decimals.replace(/0+$/, '').length > 6) return new Unreadable(typed, text.tooFine)
  if (whole.replace(/^-?0*/, '').length > 15) return new Unreadable(typed, text.tooLong)
  return Number(read) || 0
}
