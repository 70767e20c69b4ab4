// The SQL conditions of searches: whether a text contains another, literally and in any case, by the search index or by reading a column.

import { SEARCHED_CHARACTERS } from '../../core/limits.ts'
import { type Field, isLongText } from '../field.ts'
import { snakeCase } from '../resource.ts'

/** Adds a value to a statement, and returns its placeholder. */
export type Bind = (value: unknown) => string

/** A text in the form that the search index has. */
const folded = (text: string) => `upper(${text} collate "und-x-icu")`

/** The LIKE pattern for texts that contain a text, taken literally. */
export const containing = (sought: string): string => `%${sought.replaceAll(/[\\%_]/g, '\\$&')}%`

/** Whether trigrams cannot answer a search: they need three characters. */
export const isShort = (sought: string): boolean => [...sought].length < 3

/**
 * The condition of a search of a member. `pairsByIndex`: pairs of letters or digits in the form that the search index
 * answers. That form is slow where no index is used, so it suits only statements that find all matches first.
 */
export function searchCondition(
  field: Field | undefined,
  member: string,
  sought: string,
  bind: Bind,
  pairsByIndex: boolean,
): string {
  const pattern = bind(containing(sought))
  const matches = (text: string) => `${folded(text)} like upper(${pattern}::text collate "und-x-icu")`
  const column = `stored.${snakeCase(member)}`
  const shortCondition = pairsByIndex && isPair(sought) ? pairCondition : readCondition
  const held = isShort(sought) ? shortCondition(column, sought, matches, bind) : matches(column)
  // The column holds the beginning of a long text; a text that may continue is searched whole.
  const whole = `length(${column}) = ${SEARCHED_CHARACTERS} and ${matches(`(stored.body ->> '${member}')`)}`
  return isLongText(field) ? `(${held} or (${whole}))` : held
}

/**
 * The condition of a search for one or two characters that reads the column. Most texts are ASCII, whose few spellings are
 * compared as bytes: ICU's upper case takes five times as long, so it is left for the others.
 */
function readCondition(column: string, sought: string, matches: (text: string) => string, bind: Bind): string {
  // Not in the form that the index has, since all of its trigrams would be read.
  const hasFolded = matches(`(${column} || '')`)
  if (!/^[\0-\x7f]*$/.test(sought)) return hasFolded
  const spellings = bind(spellingsOf(sought).map(containing))
  return `(${column} like any (${spellings}::text[]) or (octet_length(${column}) <> length(${column}) and ${hasFolded}))`
}

/** Each spelling of a text in upper and lower case. */
const spellingsOf = (text: string): string[] =>
  [...text].reduce<string[]>(
    (spellings, letter) =>
      [...new Set([letter.toLowerCase(), letter.toUpperCase()])].flatMap((each) =>
        spellings.map((before) => before + each),
      ),
    [''],
  )

/** Whether the search index answers a search; pairs only by `lowersPlainly` of `SearchFacts`. */
export const isIndexed = (sought: string, lowersPlainly: boolean): boolean =>
  !isShort(sought) || (lowersPlainly && isPair(sought))

const isPair = (sought: string): boolean => /^[0-9A-Za-z]{2}$/.test(sought)

/**
 * The condition of a search for two letters or digits of ASCII. A text that contains them has a trigram of them and a
 * neighbour: the next character, the previous one, or the word's beginning or end. There are few such trigrams if the
 * neighbour is ASCII. Texts in which neither neighbour is ASCII are in a small index of their own.
 */
function pairCondition(column: string, sought: string, matches: (text: string) => string, bind: Bind): string {
  const text = folded(column)
  const pair = sought.toUpperCase()
  return `(${text} ~ ${bind(`${pair}[\\x01-\\x7f]`)} or ${text} like ${bind(`%${pair}`)}
    or ${text} ~ ${bind(`[\\x01-\\x7f]${pair}`)} or ${text} like ${bind(`${pair}%`)}
    or (${hasEnclosedPair(column)} and ${matches(column)}))`
}

/** Whether a text contains two letters or digits of ASCII between two other characters: the predicate of the index of such texts. */
export const hasEnclosedPair = (column: string): string =>
  `octet_length(${column}) <> length(${column}) and ${folded(column)} ~ '[^\\x01-\\x7f][0-9A-Z]{2}[^\\x01-\\x7f]'`
