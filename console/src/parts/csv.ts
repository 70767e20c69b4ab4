// Writes CSV files (RFC 4180) as spreadsheets of the shown language split them: where decimals have a comma, cells are separated by
// semicolons, as Excel does it there.
import { withoutFormulas } from '../../../server/src/core/formulas.ts'
import { language } from '../language.ts'
import { readCsv } from './read-csv.ts'
import { type NumberSigns, ownSigns, typedNumber } from './typed-number.ts'

/** How a file separates its cells and writes its numbers. */
interface CsvStyle {
  readonly separator: ',' | ';'
  readonly signs: Pick<NumberSigns, 'decimal'>
}

/** Switzerland writes decimals with a point, and its spreadsheets separate cells by semicolons nevertheless. */
export const csvStyleOf = (signs: NumberSigns, shown: string): CsvStyle => ({
  separator: signs.decimal === ',' || shown === 'de' ? ';' : ',',
  signs,
})

/** That of the shown language. */
export const ownStyle = csvStyleOf(ownSigns, language)

/** A number, or an amount of the API, as the text of a cell; anything else unchanged. Text that only looks like one, such as an SKU, is no number. */
export const numberText = (value: unknown, { signs } = ownStyle): unknown =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
    ? typedNumber(value, signs)
    : value

/** One line of a file. */
export const csvLine = (values: readonly unknown[], style = ownStyle): string =>
  `${values.map((value) => cell(value, style)).join(style.separator)}\r\n`

/** A file of such lines. Excel recognizes UTF-8 only by the mark at its beginning. */
export const csvFile = (lines: readonly string[]): Blob =>
  new Blob(['\ufeff', ...lines], { type: 'text/csv;charset=utf-8' })

/** A file of the server, which separates cells by commas, with other titles, and the last cell of each line in other words. */
export const csvFileOf = (csv: string, titles: readonly string[], said: (last: string) => string): Blob =>
  csvFile(
    [
      titles,
      ...readCsv(csv)
        .slice(1)
        .map((cells) => [...cells.slice(0, -1), said(cells.at(-1) ?? '')]),
    ].map((cells) => csvLine(cells)),
  )

/** A time as spreadsheets read it: 2026-11-24 15:51:55. */
export const timeText = (value: unknown, timeZone: string): unknown =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value))
    ? new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(new Date(value))
    : value

/** One cell. A formula gets an apostrophe, so that no record can run anything. */
function cell(value: unknown, style: CsvStyle): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number') return String(numberText(value, style))
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = withoutFormulas(text)
  return safe.includes(style.separator) || /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
