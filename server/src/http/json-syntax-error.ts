// Describes a body that is not JSON, with line and column of the first error; a long body is not searched completely.
import { isUtf8 } from 'node:buffer'
import { visit } from 'jsonc-parser'
import { Problem } from '../core/problem.ts'

/** Bytes that are searched for the first error of a text that is not JSON. */
const SEARCHED_FOR_ERROR = 256 * 1024

/** Bytes before an error in which a comma is looked for. */
const BLANKS_SKIPPED = 200

/** The jsonc-parser code of a string that is not closed on its line. */
const unexpectedEndOfString = 12

/** Thrown at the byte where a body is not JSON; line and column are computed later, in slices. */
export class Malformed {
  readonly message: string
  readonly offset: number

  constructor(message: string, offset: number) {
    this.message = message
    this.offset = offset
  }

  /** 400 `malformed_body`, with the place. */
  *placed(body: Buffer): Generator<undefined, Problem> {
    let line = 1
    let start = textStart(body)
    let characters = 0
    let before = 0
    for (let at = start; at < this.offset; at++) {
      if (at % COUNTED_AT_ONCE === 0) yield
      const byte = body[at] as number
      // A character of four bytes is two in UTF-16, all others are one.
      if ((byte & 0xc0) !== 0x80) characters += byte >= 0xf0 ? 2 : 1
      if (byte !== 10) continue
      line++
      start = at + 1
      before = characters
    }
    const column = characters - before + 1
    return new Problem('malformed_body', `${this.message.slice(0, -1)} at line ${line}, column ${column}.`, [
      { in: 'body', pointer: '', code: 'json', message: `line ${line}, column ${column} (character ${characters})` },
    ])
  }
}

/** Bytes in which lines and characters are counted at once. */
const COUNTED_AT_ONCE = 256 * 1024

/** Where the text of a body begins: after the byte order mark of UTF-8, if there is one. */
export const textStart = (body: Buffer): number => (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0)

/**
 * 400 for a body whose bytes from `from` to `to` are not JSON; `open` is the bracket before them. A short body is
 * searched from its beginning.
 */
export function notJson(body: Buffer, from: number, to: number, open = ''): Malformed {
  const isShort = body.length <= SEARCHED_FOR_ERROR
  const begin = isShort ? textStart(body) : from
  const end = isShort ? body.length : Math.min(to, from + SEARCHED_FOR_ERROR)
  if (begin >= body.length) return cut(body)
  const prefix = isShort ? '' : open
  const text = prefix + body.toString('utf8', begin, end)
  const found = firstError(text)
  if (found.isCut && end === body.length) return cut(body)
  const at = Math.max(0, found.at - prefix.length)
  const offset = begin + Buffer.byteLength(text.slice(prefix.length, prefix.length + at))
  const near = body.toString('utf8', offset, offset + 80).slice(0, 20)
  const [bracket] = near.trimStart()
  const before = body.toString('latin1', Math.max(0, offset - BLANKS_SKIPPED), offset)
  if ((bracket === '}' || bracket === ']') && before.trimEnd().endsWith(','))
    return new Malformed(`The body is not JSON (no comma may be before "${bracket}").`, offset)
  return new Malformed(`The body is not JSON (near ${JSON.stringify(near)}).`, offset)
}

const cut = (body: Buffer): Malformed =>
  new Malformed('The body is incomplete: it ends before the JSON does.', body.length)

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

/** 400 for a body that is not UTF-8, with the place of the first byte that belongs to no character. */
export function notUtf8(body: Buffer): Malformed {
  let good = 0
  let bad = body.length
  // Halves the range, down to a chunk that is searched byte by byte; a character that is divided by a cut is no error.
  while (bad - good > 1024) {
    let middle = (good + bad) >> 1
    while (middle > good && ((body[middle] as number) & 0xc0) === 0x80 && middle > good + 1) middle--
    if (isUtf8(body.subarray(good, middle))) good = middle
    else bad = middle
    if (bad - good <= 4) break
  }
  const rest = body.subarray(good, Math.min(body.length, bad + 4))
  const encoded = Buffer.from(rest.toString())
  let at = 0
  while (at < rest.length && encoded[at] === rest[at]) at++
  return new Malformed('The body is not valid UTF-8.', good + at)
}
