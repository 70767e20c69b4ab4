// Finds what parsing a JSON text would lose, or PostgreSQL cannot store, with its place; it searches only where a loss is possible.
import { ERRORS_OF_LATER_ITEMS, ERRORS_OF_REQUEST, NUMBER_CHARACTERS, STRING_CHARACTERS } from '../core/limits.ts'
import { bodyError, ERRORS_LISTED, invalid, type MemberError, stepTo } from '../core/problem.ts'
import { isNumeric } from './json-tokens.ts'

/**
 * Characters of the pointers of everything that a body would lose. Beyond it, the whole body is refused: a name of a
 * megabyte may be in the path of each of 700,000 numbers. A thousand items with 200 pointers of 40 characters each stay
 * below the limit.
 */
const LOSSY_VALUES_CHARACTERS = 8 * 1024 * 1024

/** Names and indexes that lead to a value. */
export type Path = readonly (string | number)[]

/** The lossy values of a body. */
export interface LossyValues {
  readonly listed: readonly MemberError[]
  /** Adds one. When the list is full, throws `validation_failed` with its errors. */
  report(path: Path, code: string, message: string): void
}

/** JSON pointer (RFC 6901) of a path. */
const pointerOf = (path: Path): string =>
  path
    .map((step) => stepTo(String(step)))
    .join('')
    // Half of a surrogate pair, which a pointer may have to name, would make the response unreadable too.
    .toWellFormed()

/**
 * Makes the list of the lossy values of a body, as long as the list of one response. In a bulk request each item has a list of
 * its own, of `ERRORS_LISTED`, or of fewer once there are many; further errors are dropped, since the item is refused
 * anyway.
 */
export function lossyValuesOf(isBulk: boolean): LossyValues {
  const listed: MemberError[] = []
  const ofItems = new Map<unknown, number>()
  let characters = 0
  return {
    listed,
    report(path, code, message) {
      const item = isBulk ? (path[0] === 'items' ? path[1] : path[0]) : undefined
      const before = ofItems.get(item) ?? 0
      const most = listed.length < ERRORS_OF_REQUEST ? ERRORS_LISTED : ERRORS_OF_LATER_ITEMS
      if (before >= most) return
      ofItems.set(item, before + 1)
      const pointer = pointerOf(path)
      listed.push(bodyError(pointer, code, message))
      characters += pointer.length
      if (characters > LOSSY_VALUES_CHARACTERS || (!isBulk && listed.length === ERRORS_LISTED)) throw invalid(listed)
    },
  }
}

const quote = 34
const comma = 44
const backslash = 92

/** Reports what is wrong with a string, whose value or name is at `path`. */
export function checkText(text: string, path: Path, lossyValues: LossyValues): void {
  if (text.includes('\u0000')) lossyValues.report(path, 'nul', 'must not contain the character U+0000')
  if (!text.isWellFormed()) lossyValues.report(path, 'surrogate', 'must not contain half of a surrogate pair')
  if (text.length > STRING_CHARACTERS)
    lossyValues.report(path, 'maxLength', `must not have more than ${STRING_CHARACTERS} characters`)
}

/** What is wrong with a member whose name occurred before in its object. */
export const occursTwice = 'occurs twice in one object; send it once'

interface Frame {
  readonly names: Set<string> | undefined
  step: string | number
}

/** Reports each loss in a text that is valid JSON. Its value is at `path`; for an array, its first element has the index `first`. */
export function findLossyValues(text: string, path: Path, first: number, lossyValues: LossyValues): void {
  const frames: Frame[] = []
  let isName = false
  const here = (): Path => [...path, ...frames.map(({ step }) => step)]
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    const frame = frames.at(-1)
    if (character === quote) {
      const start = at
      let hasEscape = false
      for (at++; text.charCodeAt(at) !== quote; at++)
        if (text.charCodeAt(at) === backslash) {
          hasEscape = true
          at++
        }
      if (isName && frame?.names) {
        const token = text.slice(start, at + 1)
        const name: string = hasEscape ? JSON.parse(token) : token.slice(1, -1)
        frame.step = name
        if (hasEscape) checkText(name, here(), lossyValues)
        if (frame.names.has(name)) lossyValues.report(here(), 'duplicate', occursTwice)
        frame.names.add(name)
        isName = false
      } else if (hasEscape) checkText(JSON.parse(text.slice(start, at + 1)), here(), lossyValues)
    } else if (character === 123 /* { */) {
      frames.push({ names: new Set(), step: '' })
      isName = true
    } else if (character === 91 /* [ */) frames.push({ names: undefined, step: frames.length === 0 ? first : 0 })
    else if (character === 125 /* } */ || character === 93 /* ] */) {
      frames.pop()
      isName = false
    } else if (character === comma) {
      if (typeof frame?.step === 'number') frame.step++
      isName = frame?.names !== undefined
    } else if (character >= 48 && character <= 57) {
      const start = at
      while (isNumeric(text.charCodeAt(at + 1))) at++
      const token = text.slice(start, at + 1)
      if (at > start && !isExact(token)) lossyValues.report(here(), 'precision', lossOf(token))
    }
  }
}

/** Says why a number is not exact. */
function lossOf(token: string): string {
  const value = Math.abs(Number(token))
  return token.length <= NUMBER_CHARACTERS && (value === Number.POSITIVE_INFINITY || value === 0)
    ? 'is beyond the range of numbers (IEEE 754 double: 0, or from 5e-324 to 1.8e308)'
    : 'has more digits than a number keeps; send fewer digits, or a string if the member is a decimal string'
}

/**
 * True when a number's text and the resulting double are the same number. Nobody writes a number of `NUMBER_CHARACTERS`
 * on purpose.
 */
export function isExact(token: string): boolean {
  if (token.length < 15 && !/e/i.test(token)) return true
  if (token.length > NUMBER_CHARACTERS) return false
  const value = Number(token)
  return Number.isFinite(value) && significant(token) === significant(String(value))
}

/** A number's digits without zeros at either end, and its exponent: the same for equal numbers. */
function significant(token: string): string {
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  // A pattern for the trailing zeros would take quadratic time.
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return end === 0 ? '0' : `${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`
}
