// Turns the texts in a file's cells into values that the API accepts, or refuses them in words that their owner
// understands.
import { canonicalDateTime, isDateTime } from '../../core/date-time.ts'
import { NAME_CHARACTERS, URL_CHARACTERS } from '../../core/limits.ts'

/** Levels of a category: no shop has a tenth of that. */
const IMPORT_CATEGORY_LEVELS = 32

/** The contents of one column in a row, trimmed; empty if the file does not have the column. */
export interface Cell {
  heading: string
  text: string
}

/** The reason why a row cannot be imported. */
export class Refusal extends Error {
  column: string | undefined
  constructor(reason: string, column?: string) {
    super(reason)
    this.column = column
  }
}

/** A text for a message: on one line, cut to a length. */
export function shorten(text: string, length: number): string {
  const line = text.slice(0, length + 1).replace(/[\s\p{Cc}]+/gu, ' ')
  return text.length > length ? `${line.slice(0, length)}…` : line
}

/** Refuses a cell: `refuseCell(price, 'is not a number')`. */
export function refuseCell({ heading, text }: Cell, why: string): never {
  throw new Refusal(`${heading} "${shorten(text, 60)}" ${why}`, heading)
}

const characters = (text: string, max: number) => (text.length > max ? [...text].length : text.length)

/** A text of at most `max` characters. */
export function textOf(cell: Cell, max: number = NAME_CHARACTERS): string | undefined {
  if (cell.text === '') return undefined
  const length = characters(cell.text, max)
  if (length > max) refuseCell(cell, `is ${length} characters long; the maximum is ${max}`)
  return cell.text
}

/** A number that identifies: an SKU or a barcode, kept as text. */
export function codeOf(cell: Cell): string | undefined {
  if (/^\d([.,]\d+)?E\+\d+$/i.test(cell.text)) {
    refuseCell(
      cell,
      'was rounded by a spreadsheet and has lost its digits; export it again, or format the column as text',
    )
  }
  // A spreadsheet's sign for "this is text", which shops export to keep leading zeros.
  return textOf({ ...cell, text: cell.text.replace(/^'(?=\d)/, '') })
}

const currencyNames = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' })

/** A currency, in any case. Refuses a code that no currency has or had, which in a file is a mistake. */
export function currencyOf(cell: Cell): string | undefined {
  const code = cell.text.toUpperCase()
  if (code === '') return undefined
  if (!/^[A-Z]{3}$/.test(code) || currencyNames.of(code) === undefined)
    refuseCell(cell, 'is not the code of a currency, such as EUR')
  return code
}

/** One of the words with a meaning in this column, in any case. */
export function wordOf<T>(cell: Cell, words: Record<string, T>): T | undefined {
  if (cell.text === '') return undefined
  const word = cell.text.toLowerCase()
  if (!Object.hasOwn(words, word)) refuseCell(cell, `is not one of ${Object.keys(words).join(', ')}`)
  return words[word]
}

/** The values between commas; a comma within a value is written `\,`. Each value appears once. */
export function listOf(cell: Cell, max: number = NAME_CHARACTERS): string[] {
  const values = cell.text.split(/(?<!\\),/).map((value) => value.replaceAll('\\,', ',').trim())
  const kept = [...new Set(values)].filter((value) => value !== '')
  for (const text of kept) textOf({ heading: cell.heading, text }, max)
  return kept
}

/** A category with its parents, outermost first: `Clothing > Shirts`. */
export function pathOf(cell: Cell): string[] {
  const names = cell.text.split('>').flatMap((text) => textOf({ ...cell, text: text.trim() }) ?? [])
  if (names.length > IMPORT_CATEGORY_LEVELS)
    refuseCell(cell, `is ${names.length} levels deep; the maximum is ${IMPORT_CATEGORY_LEVELS}`)
  return names
}

/** Maximum number of categories in a row, ten times what any shop has. */
const IMPORT_CATEGORIES_OF_ROW = 200

/** The categories in a cell: `Clothing > Shirts, Sale`. */
export function pathsOf(cell: Cell): string[][] {
  const paths = listOf(cell, Number.POSITIVE_INFINITY)
  if (paths.length > IMPORT_CATEGORIES_OF_ROW)
    refuseCell(cell, `names ${paths.length} categories; the maximum is ${IMPORT_CATEGORIES_OF_ROW}`)
  return paths.map((text) => pathOf({ ...cell, text })).filter((path) => path.length > 0)
}

/** The addresses between commas, where a comma may also be part of an address: `https://…/w_100,h_100/a.jpg`. */
export function imagesOf(cell: Cell): string[] {
  const images: string[][] = []
  let isAddress = false
  for (const part of cell.text.split(/(?<!\\),/)) {
    const goesOn: boolean = isAddress && /^\S/.test(part) && !/^https?:\/\//i.test(part)
    if (goesOn) images.at(-1)?.push(part)
    else images.push([part])
    isAddress = goesOn || part.includes('://')
  }
  const texts = images.map((parts) => parts.join(',').replaceAll('\\,', ',').trim())
  return [...new Set(texts)].filter((text) => text !== '').map((text) => imageOf({ ...cell, text }))
}

/** The address of one image. */
export function imageOf(cell: Cell): string {
  return textOf(cell, URL_CHARACTERS) ?? ''
}

/** An additional fact about a record, as the API stores it. */
export interface Metadatum {
  key: string
  value: string
}

/** A non-empty list, or nothing. */
export const some = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined)

/** The members that have a value: what a file does not mention is absent, not undefined. */
export function presentMembers<T extends object>(
  members: {
    [M in keyof T]: object extends Pick<T, M> ? T[M] | undefined : T[M]
  },
): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T
}

const CURRENCY = '(?:[A-Z]{0,3}\\p{Sc}|[A-Z]{3}|kr\\.?|zł|Kč|Ft|lei|Rs\\.?|Fr\\.?|R)'
// A sign before or after the currency, the digits, and a dash for no cents: `-€ 5`, `19,-`.
const AMOUNT = new RegExp(
  `^([-−]?)\\s*${CURRENCY}?\\s*([-−]?)\\s*([\\d.,'’\\s]*\\d|)(?:[.,][-–—]+)?\\s*${CURRENCY}?$`,
  'u',
)
/** Characters after which a text is not examined: the patterns are slow over many spaces. */
const NUMBER_CHARACTERS = 60
const PLAIN = /^(\d*)(?:[.,](\d+))?$/
const GROUPED = /^([1-9]\d{0,2}([.,'’\s])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/

/**
 * A decimal such as `19.90`, `19,90`, `1.234,50` or `€ 1 234.50`, as a text with the digits of the cell: `1234.50`. Refuses
 * `1,234`, which means different numbers in different countries; and `1.234` only if commas separate decimals, which is the
 * case if semicolons separate columns.
 */
function digitsOf(cell: Cell, separator: string): string | undefined {
  if (cell.text === '') return undefined
  if (cell.text.length > NUMBER_CHARACTERS) refuseCell(cell, 'is not a number')
  const [, before = '', behind = '', digits = ''] = AMOUNT.exec(cell.text) ?? []
  const grouped = GROUPED.exec(digits)
  const plain = digits === '' ? null : PLAIN.exec(digits)
  if (plain && grouped && !(grouped[2] === '.' && separator !== ';')) {
    const [whole, rest] = digits.split(/[.,]/)
    refuseCell(cell, `can mean ${whole}${rest} or ${whole}.${rest}; write ${whole}${rest} or ${whole}.${rest}0`)
  }
  const [whole, fraction] = plain ? [plain[1], plain[2]] : [grouped?.[1], grouped?.[3]]
  if (whole === undefined || (before && behind)) refuseCell(cell, 'is not a number')
  const text = `${whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '') || '0'}${fraction === undefined ? '' : `.${fraction}`}`
  return (before || behind) && /[1-9]/.test(text) ? `-${text}` : text
}

/** The same with as many digits as an amount can have. */
export function decimalOf(cell: Cell, separator: string): string | undefined {
  // Some exports write all amounts with eight decimals.
  const text = digitsOf(cell, separator)?.replace(/(\.\d{6}\d*?)0+$/, '$1')
  const [whole = '', fraction = ''] = text?.replace('-', '').split('.') ?? []
  if (whole.length > 15) refuseCell(cell, 'has more digits than can be stored')
  if (fraction.length > 6) refuseCell(cell, 'has more than six decimals')
  return text
}

/** The same as a number. */
export function numberOf(cell: Cell, separator: string): number | undefined {
  const text = digitsOf(cell, separator)
  if (text === undefined) return undefined
  // More digits than a JSON number holds exactly.
  const digits = text.includes('.') ? text.replace(/\.?0*$/, '') : text
  if (digits.replace(/[-.]/g, '').replace(/^0+/, '').length > 15) refuseCell(cell, 'has more digits than can be stored')
  return Number(text)
}

/** A stock quantity: at most six decimals, and below zero where more was sold than was counted. */
export function stockOf(cell: Cell, separator: string): number | undefined {
  const stock = numberOf(cell, separator)
  if (stock === undefined) return undefined
  if (Number(stock.toFixed(6)) !== stock) refuseCell(cell, 'has more than six decimals')
  return stock
}

/** A date with dots, which has the day first everywhere. With slashes it has the month first in some countries. */
const DOTTED = /^(\d\d?)\.(\d\d?)\.(\d{4}|\d\d)(?!\d)/
const SLASHED = /^(\d\d?)\/(\d\d?)\/(\d{4}|\d\d)(?!\d)/
const ANY_SLASHED = /^\d\d?\/\d\d?\/\d\d/
/** A date, with or without a time (of 24 hours, or of 12 with AM or PM) and an offset. */
const DATE =
  /^(\d{4}-\d\d-\d\d)(?:(?:T|,?\s+)(\d\d?)(:\d\d(?::\d\d(?:\.\d+)?)?)(?:\s*([ap])\.?\s?m\b\.?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/i

/** Detects whether a file's dates with slashes have the day first: a number above 12 shows it. */
export function slashedDates() {
  let isDay = false
  let isMonth = false
  return {
    see(date: string): void {
      const [, one, two] = SLASHED.exec(date) ?? []
      isDay ||= Number(one) > 12
      isMonth ||= Number(two) > 12
    },
    /** Undefined if no date shows it, or if dates contradict each other. */
    isDayFirst: (): boolean | undefined => (isDay === isMonth ? undefined : isDay),
  }
}

/** A year of two digits, as spreadsheets shorten it, is one of 1970 to 2069. */
const fullYear = (year: string) => (year.length === 4 ? year : `${Number(year) < 70 ? 20 : 19}${year}`)
const isoDay = (day: string, month: string, year: string) =>
  `${fullYear(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`

/**
 * Returns the function that reads a time such as `2026-05-31 14:30:00 +0200` in the format of the API. It refuses a date with
 * slashes if `isDayFirst` is undefined.
 */
export function timesIn(timezone: string | null, isDayFirst?: boolean): (cell: Cell) => string | undefined {
  const clock = clockIn(timezone ?? 'UTC')
  return (cell) => {
    if (cell.text === '') return undefined
    let text = cell.text.replace(DOTTED, (_, day, month, year) => isoDay(day, month, year))
    if (isDayFirst !== undefined)
      text = text.replace(SLASHED, (_, one, two, year) =>
        isDayFirst ? isoDay(one, two, year) : isoDay(two, one, year),
      )
    const [, day, hour = '00', minutes = ':00:00', half, zone] = DATE.exec(text) ?? []
    const local = `${day}T${half === undefined ? hour.padStart(2, '0') : hourOfDay(hour, half)}${minutes}`
    const offset = zone === undefined || /^(utc|gmt)$/i.test(zone) ? 'Z' : zone
    if (day === undefined || !isDateTime(`${local}${offset}`))
      refuseCell(
        cell,
        ANY_SLASHED.test(text)
          ? 'may have the day or the month first; write 2026-05-31 14:30 (in a spreadsheet, format the column as yyyy-mm-dd hh:mm)'
          : 'is not a date such as 2026-05-31 14:30 or 2026-05-31 14:30:00 +0200',
      )
    const at = canonicalDateTime(`${local}${offset}`)
    return zone === undefined ? inZone(clock, at) : at
  }
}

/** The hour of the day for an hour with AM or PM: 12 AM is 00, and 12 PM is 12. An hour outside 1 to 12 becomes 99, which no day has. */
function hourOfDay(hour: string, half: string): string {
  if (Number(hour) < 1 || Number(hour) > 12) return '99'
  return `${(Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)}`.padStart(2, '0')
}

/** The clock of a zone; that of UTC if this server does not know the zone. */
function clockIn(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  } catch {
    return clockIn('UTC')
  }
}

/** The time at which the clocks of a zone show what `shown` says in UTC; if they show it twice, the first time. */
function inZone(clock: Intl.DateTimeFormat, shown: string): string {
  const ms = Date.parse(shown)
  const hour = 60 * 60 * 1000
  // The offset may change in between, so an offset near that time is used first.
  const near = ms - offsetAt(clock, ms - 14 * hour)
  const found = [near, ms - offsetAt(clock, ms + 14 * hour)].find((at) => at + offsetAt(clock, at) === ms)
  return new Date(found ?? near).toISOString()
}

/** Milliseconds by which a zone is ahead of UTC. */
function offsetAt(clock: Intl.DateTimeFormat, ms: number): number {
  const name = clock.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(name) ?? ['', '+', '0', '0']
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60 * 1000
}
