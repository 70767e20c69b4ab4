// What a search looks for: its text as words, spellings, and the beginnings that a phone number may have in the index.

import { isId } from '../../core/ids.ts'
import { isShort } from '../../engine/lists/search-conditions.ts'

/** Words that are looked up, the longest first; the other words of a text only rank what these find. */
const WORDS = 6
/** Words of one or two characters that are looked up as beginnings, where there are no others. */
const SHORT_WORDS = 2
/** Digits from which a text is taken for a phone number. */
const PHONE_DIGITS = 4

/** The text of a search, taken apart. */
export interface Sought {
  readonly text: string
  readonly words: readonly string[]
  /** The words that the search index answers, the longest first. */
  readonly long: readonly string[]
  /** Words of one or two characters. */
  readonly short: readonly string[]
  /** The beginnings of members to look up: the text in the usual spellings. */
  readonly beginnings: readonly string[]
  readonly id: string | undefined
  readonly phone: SoughtPhone | undefined
}

/** A phone number as it was typed, perhaps not to its end. */
interface SoughtPhone {
  /** Its beginnings in the forms that numbers are stored in. */
  readonly beginnings: readonly string[]
}

/** Takes the text of a search apart. */
export function soughtOf(typed: string): Sought {
  const text = typed.trim().replaceAll(/\s+/g, ' ')
  const words = [...new Set(text.split(/[\s,;]+/).filter((word) => word !== ''))]
  const byLength = words.toSorted((one, other) => other.length - one.length).slice(0, WORDS)
  const long = byLength.filter((word) => !isShort(word))
  // Words that no index has are looked up as beginnings, each for itself.
  const begun = long.length > 0 ? [text] : [text, ...byLength.slice(0, SHORT_WORDS)]
  const id = text.toLowerCase()
  return {
    text,
    words,
    long,
    short: byLength.filter(isShort),
    beginnings: [...new Set(begun.flatMap(spellingsOf))],
    id: isId(id) ? id : undefined,
    phone: phoneOf(text),
  }
}

/** A text as it was typed, in lower and upper case, and with capitals. */
const spellingsOf = (text: string): string[] => {
  const lower = text.toLowerCase()
  const capitalised = lower.replaceAll(/(?<![\p{L}\p{N}])\p{L}/gu, (letter) => letter.toUpperCase())
  return [text, lower, text.toUpperCase(), capitalised, lower.replace(/^./u, (letter) => letter.toUpperCase())]
}

/** Country calling codes of E.164: those of one and two digits, and the beginnings of those of three. */
const shortCodes =
  '1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'
const longCodes = '21 22 23 24 25 26 29 35 37 38 42 50 59 67 68 69 80 85 87 88 96 97 99'
const callingCodes = [
  ...shortCodes.split(' '),
  ...longCodes.split(' ').flatMap((code) => Array.from({ length: 10 }, (_, digit) => `${code}${digit}`)),
]

/** The digits of a phone number, without the zeros before a country's code: the expression of the index of phone numbers. */
export const digitsOf = (phone: string): string => phone.replaceAll(/^[^0-9]*00|[^0-9]/g, '')

/**
 * A number is stored with its country's code or without, and with the zero that is dialled within the country or without.
 * `0679…` is therefore looked up after each code, and `+43 679…` without its code too.
 */
function phoneOf(text: string): SoughtPhone | undefined {
  const digits = digitsOf(text)
  if (!/^[+\d(][\d\s()/.+-]*$/.test(text) || digits.length < PHONE_DIGITS) return undefined
  const isInternational = /^[^\d]*(\+|00)/.test(text)
  const code = callingCodes.find((each) => digits.startsWith(each)) ?? ''
  const national = (isInternational ? digits.slice(code.length) : digits).replace(/^0/, '')
  if (isInternational) {
    const own = [digits, ...(national.length < PHONE_DIGITS ? [] : [national, `0${national}`])]
    return { beginnings: [...own, `${code}${national}`, `${code}0${national}`] }
  }
  return {
    beginnings: [
      digits,
      national,
      `0${national}`,
      ...callingCodes.flatMap((each) => [`${each}${national}`, `${each}0${national}`]),
    ],
  }
}
