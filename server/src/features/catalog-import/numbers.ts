// Reads prices and quantities as people, spreadsheets and shops of any country write them, and refuses those that could mean two things.
import { type Cell, refuse } from './values.ts'

const CURRENCY = '(?:[A-Z]{0,3}\\p{Sc}|[A-Z]{3}|kr\\.?|zł|Kč|Ft|lei|Rs\\.?|Fr\\.?|R)'
// A sign before or behind the currency, the digits, and the dash that stands for no cents: `-€ 5`, `19,-`.
const AMOUNT = new RegExp(
  `^([-−]?)\\s*${CURRENCY}?\\s*([-−]?)\\s*([\\d.,'’\\s]*\\d|)(?:[.,][-–—]+)?\\s*${CURRENCY}?$`,
  'u',
)
const PLAIN = /^(\d*)(?:[.,](\d+))?$/
const GROUPED = /^([1-9]\d{0,2}([.,'’\s])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/

/**
 * A number such as `19.90`, `19,90`, `1.234,50` or `€ 1 234.50`. `1,234` is refused, for it is one thing here and another
 * there; `1.234` only where commas separate decimals, which is where semicolons separate columns.
 */
export function numberOf(cell: Cell, separator: string): number | undefined {
  if (cell.text === '') return undefined
  const [, before = '', behind = '', digits = ''] = AMOUNT.exec(cell.text) ?? []
  const grouped = GROUPED.exec(digits)
  const plain = digits === '' ? null : PLAIN.exec(digits)
  if (plain && grouped && !(grouped[2] === '.' && separator !== ';')) {
    const [whole, rest] = digits.split(/[.,]/)
    refuse(cell, `can mean ${whole}${rest} or ${whole}.${rest}; write it with two decimals or without the separator`)
  }
  const [whole, fraction] = plain ? [plain[1], plain[2]] : [grouped?.[1], grouped?.[3]]
  if (whole === undefined || (before && behind)) refuse(cell, 'is not a number')
  const text = `${whole.replace(/\D/g, '') || '0'}.${fraction ?? '0'}`
  // More digits than a JSON number holds exactly.
  if (text.replace(/\.0*$|\./, '').replace(/^0+/, '').length > 15) refuse(cell, 'has more digits than can be kept')
  const value = Number(text)
  return (before || behind) && value !== 0 ? -value : value
}

/** A quantity on hand: at most six decimals, below zero only where more may be sold than there is. */
export function stockOf(cell: Cell, separator: string, allowBackorder: boolean): number | undefined {
  const stock = numberOf(cell, separator)
  if (stock === undefined) return undefined
  if (Number(stock.toFixed(6)) !== stock) refuse(cell, 'has more than six decimals')
  if (stock < 0 && !allowBackorder) refuse(cell, 'is below zero, which only an item with backorders allowed can be')
  return stock
}
