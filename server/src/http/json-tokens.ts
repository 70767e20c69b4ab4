// Tokens of a body's JSON, found in its bytes; parts that may be as long as the body are read in slices.

import { Malformed, notJson } from './json-syntax-error.ts'

/** Bytes of a body that are parsed at once: a millisecond's work. A longer body is parsed in chunks, with other work in between. */
export const JSON_CHUNK_BYTES = 32 * 1024

const quote = 34
const backslash = 92

/** Bytes of a body. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/** A string that is too long to be parsed at once, from quote to quote; its chunks end at character and escape boundaries. */
export interface LongText {
  readonly open: number
  readonly close: number
  readonly chunks: readonly ByteRange[]
}

/** Whether the four digits of an escape are NUL or half of a surrogate pair. */
export function isUnstorable(body: Buffer, at: number): boolean {
  const a = body[at] as number
  const b = body[at + 1] as number
  const c = body[at + 2]
  const d = body[at + 3]
  if (a === 48 && b === 48 && c === 48 && d === 48) return true
  return (a | 32) === 100 && (b === 56 || b === 57 || ((b | 32) >= 97 && (b | 32) <= 102))
}

/** Whether a character may occur in a number. */
export const isNumeric = (character: number): boolean =>
  (character >= 48 && character <= 57) ||
  character === 46 ||
  character === 69 ||
  character === 101 ||
  character === 43 ||
  character === 45

/** The place of a number's last character. Throws `malformed_body` where it is too long. */
export function numberEnd(body: Buffer, start: number): number {
  let at = start
  while (isNumeric(body[at + 1] as number))
    if (++at - start >= JSON_CHUNK_BYTES)
      throw new Malformed(`The body holds a number of more than ${JSON_CHUNK_BYTES} characters.`, start)
  return at
}

/** Whether a number may not fit a double; such a number has at least 15 digits, or an exponent. */
export function mayLoseDigits(body: Buffer, from: number, to: number): boolean {
  if (to - from >= 15) return true
  for (let at = from + 1; at <= to; at++) if (((body[at] as number) | 32) === 101 /* e */) return true
  return false
}

/** Skips white space from one place towards another, forwards or backwards; returns where it ends. */
export function* pastBlanks(body: Buffer, from: number, to: number): Generator<undefined, number> {
  const step = from < to ? 1 : -1
  let at = from
  for (let left = JSON_CHUNK_BYTES; at !== to && isBlank(body[at]); at += step)
    if (--left === 0) {
      yield
      left = JSON_CHUNK_BYTES
    }
  return at
}

const isBlank = (character: number | undefined): boolean =>
  character === 32 || character === 10 || character === 13 || character === 9

/** Cuts the long string that begins at `open`. Throws `malformed_body` where it does not end. */
export function* longTextOf(body: Buffer, open: number): Generator<undefined, LongText> {
  const chunks: ByteRange[] = []
  let from = open + 1
  let escapeEnd = open
  let at = from
  for (; body[at] !== quote; at++) {
    if (at >= body.length) throw notJson(body, body.length, body.length)
    const character = body[at] as number
    // Bytes of the form 10xxxxxx continue a character.
    if (at - from >= JSON_CHUNK_BYTES && at > escapeEnd && (character & 0xc0) !== 0x80) {
      chunks.push({ from, to: at })
      from = at
      yield
    }
    if (character === backslash) escapeEnd = body[++at] === 117 /* u */ ? at + 4 : at
  }
  chunks.push({ from, to: at })
  return { open, close: at, chunks }
}
