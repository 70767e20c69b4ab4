// Reads a request body so that nothing is lost in silence: invalid UTF-8, duplicate members, NUL, lone surrogates and numbers that a double cannot hold are refused, each with its place.
import { isUtf8 } from 'node:buffer'
import { type JSONPath, visit } from 'jsonc-parser'
import { JSON_DEPTH, JSON_VALUES, LOSSES_CHARACTERS, STRING_CHARACTERS } from '../limits.ts'
import { invalid, type MemberError, Problem, stepTo } from './problem.ts'

const [quote, comma, colon, backslash] = [34, 44, 58, 92]
/** What jsonc-parser calls a string that is not closed on its line. */
const unexpectedEndOfString = 12

/** JSON pointer (RFC 6901) of a path. */
const pointerOf = (path: JSONPath): string =>
  path
    .map((step) => stepTo(String(step)))
    .join('')
    // Half of a surrogate pair, which is what a pointer may have to tell of, would make the answer unreadable in turn.
    .toWellFormed()

/** A body: its JSON value, and what parsing it lost or PostgreSQL cannot hold, each with its pointer. */
export interface ReadBody {
  readonly value: unknown
  readonly losses: readonly MemberError[]
}

/** Reads a body. Throws `malformed_body` when it is no JSON, too deep, or holds too much, and `validation_failed` when it would lose too much. */
export function readJson(body: Buffer): ReadBody {
  if (!isUtf8(body)) throw notUtf8(body)
  const text = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.toString('utf8', 3) : body.toString()
  if (text.trim() === '') throw malformed('The body is empty; JSON is expected.')
  const seen = scan(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw notJson(text)
  }
  const isWhole = !seen.suspicious && seen.members === countMembers(value)
  return { value, losses: isWhole ? [] : lossesOf(text) }
}

/**
 * One pass over the text, before it is parsed: its depth is bounded, its members are counted (fewer after parsing means
 * duplicates), and what could be lost is noticed, so that the costly search for its place runs only then.
 */
function scan(text: string): { members: number; suspicious: boolean } {
  let depth = 0
  let members = 0
  let values = 0
  let suspicious = /\\u(?:0000|[dD][89a-fA-F])/.test(text)
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === quote) {
      const start = at
      do at = text.indexOf('"', at + 1)
      while (at !== -1 && isEscaped(text, at))
      if (at === -1) break // cut in a string: JSON.parse says so
      if (at - start > STRING_CHARACTERS) suspicious = true
    } else if (character === comma) {
      if (++values > JSON_VALUES) throw malformed(`The body holds more than ${JSON_VALUES} values.`, text, at)
    } else if (character === colon) members++
    else if (character === 123 /* { */ || character === 91 /* [ */) {
      if (++depth > JSON_DEPTH) throw malformed(`The body is nested deeper than ${JSON_DEPTH} levels.`, text, at)
    } else if (character === 125 /* } */ || character === 93 /* ] */) depth--
    else if (character >= 48 && character <= 57) {
      const start = at
      while (at + 1 < text.length && isNumeric(text.charCodeAt(at + 1))) at++
      if (at - start >= 15 || /[eE]/.test(text.slice(start, at + 1))) suspicious = true
    }
  }
  return { members, suspicious }
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++
  return slashes % 2 === 1
}

const isNumeric = (character: number): boolean =>
  (character >= 48 && character <= 57) ||
  character === 46 ||
  character === 69 ||
  character === 101 ||
  character === 43 ||
  character === 45

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) for (const item of value) count += countMembers(item)
  else for (const item of Object.values(value)) count += 1 + countMembers(item)
  return count
}

/** Each thing that parsing would lose or that cannot be stored. */
function lossesOf(text: string): MemberError[] {
  const errors: MemberError[] = []
  let characters = 0
  const report = (path: JSONPath, code: string, message: string) => {
    const pointer = pointerOf(path)
    errors.push({ in: 'body', pointer, code, message })
    characters += pointer.length
    if (characters > LOSSES_CHARACTERS) throw invalid(errors)
  }
  const members: Set<string>[] = []
  const checkText = (value: string, path: JSONPath) => {
    if (value.includes('\u0000')) report(path, 'nul', 'must not hold the character U+0000')
    if (!value.isWellFormed()) report(path, 'surrogate', 'must not hold half of a surrogate pair')
    if (value.length > STRING_CHARACTERS)
      report(path, 'maxLength', `must not have more than ${STRING_CHARACTERS} characters`)
  }
  visit(text, {
    onObjectBegin: () => void members.push(new Set()),
    onObjectEnd: () => void members.pop(),
    onObjectProperty: (member, _offset, _length, _line, _column, path) => {
      const here = [...path(), member]
      checkText(member, here)
      if (members.at(-1)?.has(member)) report(here, 'duplicate', 'stands twice in one object; only one can be kept')
      members.at(-1)?.add(member)
    },
    onLiteralValue: (value, offset, length, _line, _column, path) => {
      if (typeof value === 'string') checkText(value, path())
      if (typeof value === 'number' && !isExact(text.slice(offset, offset + length)))
        report(path(), 'precision', 'is a number that would lose digits; send it as a string')
    },
  })
  return errors
}

/** True when a number's text and the double that it becomes are the same number. */
export function isExact(token: string): boolean {
  const value = Number(token)
  return Number.isFinite(value) && significant(token) === significant(String(value))
}

/** A number's digits without zeros at either end, and its exponent: equal for equal numbers however they are written. */
function significant(token: string): string {
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  // A pattern for the zeros at the end would take the square of their number.
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return end === 0 ? '0' : `${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`
}

/** What is wrong with a text that is no JSON, with line and column of the first error. */
function notJson(text: string): Problem {
  const { at, isCut } = firstError(text)
  if (isCut) return malformed('The body is cut: it ends before the JSON does.', text, text.length)
  return malformed(`The body is not JSON (near ${JSON.stringify(text.slice(at, at + 20))}).`, text, at)
}

/** Stops at the first error: a text of nothing but errors would have millions. */
function firstError(text: string): { at: number; isCut: boolean } {
  const end = text.trimEnd().length
  let first = { at: 0, isCut: false }
  try {
    visit(
      text,
      {
        onError: (error, at, length) => {
          const isOpenString = error === unexpectedEndOfString && at + length >= end
          first = { at, isCut: at >= end || isOpenString }
          throw first
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    )
  } catch (error) {
    if (error !== first) throw error
  }
  return first
}

/** Finds the first byte that belongs to no character: the first that is another after decoding and encoding. */
function notUtf8(body: Buffer): Problem {
  const encoded = Buffer.from(body.toString())
  let at = 0
  while (encoded[at] === body[at]) at++
  const before = body.toString('utf8', 0, at)
  return malformed('The body is not valid UTF-8.', before, before.length)
}

function malformed(message: string, text?: string, offset?: number): Problem {
  if (text === undefined || offset === undefined) return new Problem('malformed_body', message)
  let [line, start] = [1, 0]
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', start)) {
    line++
    start = at + 1
  }
  const column = offset - start + 1
  return new Problem('malformed_body', `${message.slice(0, -1)} at line ${line}, column ${column}.`, [
    { in: 'body', pointer: '', code: 'json', message: `line ${line}, column ${column} (character ${offset})` },
  ])
}
