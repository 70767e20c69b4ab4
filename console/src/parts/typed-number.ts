// Reads typed and pasted numbers in the locale's format; ambiguous text is an error.
import { currencyDigits } from '../../../server/src/core/currency.ts'
import { locale } from '../language.ts'
import { text } from '../texts/numbers.ts'
import { Unreadable } from './unreadable.ts'

/** How a locale writes numbers, in Latin digits. */
export interface NumberSigns {
  readonly decimal: string
  /** Thousands separators of numbers and of amounts: Austria writes 1 000 and € 1.000. */
  readonly groups: readonly string[]
}

export function signsOf(tag?: string): NumberSigns {
  const parts = [{}, { style: 'currency', currency: 'EUR' } as const].flatMap((style) =>
    new Intl.NumberFormat(tag, { ...style, numberingSystem: 'latn', useGrouping: true }).formatToParts(1234567.5),
  )
  const signs = (type: string) => parts.flatMap((part) => (part.type === type ? part.value : []))
  return { decimal: signs('decimal')[0] ?? '.', groups: signs('group') }
}

/** Those of the shown language. */
export const ownSigns = signsOf(locale)

/** A number for editing: with the locale's decimal separator and at least some decimals, without thousands separators. */
export function typedNumber(value: string | number, { decimal = ownSigns.decimal, decimals = 0 } = {}): string {
  const [whole = '', after = ''] = plain(value).split('.')
  const shown = after.padEnd(decimals, '0')
  return shown === '' ? whole : `${whole}${decimal}${shown}`
}

/** All digits of a number, without an exponent. */
const plain = (value: string | number): string =>
  typeof value === 'string'
    ? value
    : new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 20 }).format(value)

/** Groups of digits: `1,234,567`, and `12,34,567` as in India. */
const isGrouped = (digits: string, sign: string): boolean => {
  const [first = '', ...groups] = digits.split(sign)
  return (
    /^\d{1,3}$/.test(first) &&
    groups.every((group) => /^\d{2,3}$/.test(group)) &&
    (groups.length === 0 || groups.at(-1)?.length === 3)
  )
}

/**
 * The number in JSON notation, with all typed decimals: `1.234,50` → `1234.50`. If the text has both a point and a comma, the
 * last one is the decimal separator. A single one has its meaning in the locale: `1.000` is a thousand in Austria and 1 in
 * Britain. If the locale uses it for neither thousands nor decimals, as `1,000` in Switzerland, the text is ambiguous.
 */
export function readNumber(typed: string, signs = ownSigns): string | Unreadable {
  const bare = typed.trim().replace(/^[−–]/, '-').replace(/^\+/, '')
  // Spaces and apostrophes are never decimal separators, so they are dropped between groups of digits.
  const tight =
    /[\s'’]/.test(bare) && /^-?\d{1,3}([\s'’]\d{3})+([.,]\d*)?$/.test(bare) ? bare.replaceAll(/[\s'’]/g, '') : bare
  const [, minus, digits = ''] = /^(-?)([\d.,]*\d[\d.,]*)$/.exec(tight) ?? []
  const wrong = new Unreadable(typed, text.notNumber(typed.trim()))
  if (minus === undefined) return wrong
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  const sign = digits[last] ?? ''
  const other = sign === '.' ? ',' : '.'
  const made = (whole: string, decimals = '') =>
    `${minus}${whole.replace(/^0+(?=\d)/, '') || '0'}${decimals === '' ? '' : `.${decimals}`}`
  if (sign === '') return made(digits)
  if (digits.split(sign).length > 2)
    return digits.includes(other) || !isGrouped(digits, sign) ? wrong : made(digits.replaceAll(sign, ''))
  const before = digits.slice(0, last)
  const after = digits.slice(last + 1)
  if (before.includes(other)) return isGrouped(before, other) ? made(before.replaceAll(other, ''), after) : wrong
  const looksGrouped = /^[1-9]\d{0,2}$/.test(before) && /^\d{3}$/.test(after)
  if (sign === signs.decimal || !looksGrouped) return made(before, after)
  if (signs.groups.includes(sign)) return made(before + after)
  const thousands = `${minus}${before}${after}`
  const decimal = typedNumber(made(before, after), signs)
  return new Unreadable(typed, text.ambiguous(typed.trim(), thousands, decimal))
}

/** The same for an amount of money, which is no finer than the smallest unit of its currency. */
export function readAmount(typed: string, currency: string, signs = ownSigns): string | Unreadable {
  const read = readNumber(typed, signs)
  if (read instanceof Unreadable) return read
  const digits = currencyDigits(currency)
  const [, decimals = ''] = read.split('.')
  return /[1-9]/.test(decimals.slice(digits)) ? new Unreadable(typed, text.finerThan(currency, digits)) : read
}

/** The same as a JSON number, which holds 15 digits exactly. */
export function readJsonNumber(typed: string, signs = ownSigns): number | Unreadable {
  const read = readNumber(typed, signs)
  if (read instanceof Unreadable) return read
  const digits = read.replace(/^-?0*\.?0*/, '').replace('.', '')
  if (digits.length > 15) return new Unreadable(typed, text.tooLong)
  return Number(read) || 0
}
