// What is wrong with a body that is no JSON, with line and column of the first error; a long one is not searched whole.
import { isUtf8 } from 'node:buffer'
import { visit } from 'jsonc-parser'
import { SEARCHED_FOR_ERROR } from '../limits.ts'
import { Problem } from './problem.ts'

/** What jsonc-parser calls a string that is not closed on its line. */
const unexpectedEndOfString = 12

/** 400 `malformed_body`, with the place of a byte where one is given. */
export function malformed(message: string, body?: Buffer, offset?: number): Problem {
  if (body === undefined || offset === undefined) return new Problem('malformed_body', message)
  let line = 1
  let start = hasMark(body) ? 3 : 0
  let characters = 0
  let before = 0
  for (let at = start; at < offset; at++) {
    const byte = body[at] as number
    // A character of four bytes is two in UTF-16, all others are one.
    if ((byte & 0xc0) !== 0x80) characters += byte >= 0xf0 ? 2 : 1
    if (byte !== 10) continue
    line++
    start = at + 1
    before = characters
  }
  const column = characters - before + 1
  return new Problem('malformed_body', `${message.slice(0, -1)} at line ${line}, column ${column}.`, [
    { in: 'body', pointer: '', code: 'json', message: `line ${line}, column ${column} (character ${characters})` },
  ])
}

const hasMark = (body: Buffer): boolean => body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf

/**
 * 400 for bytes of which those from `from` to `to` are no JSON; `open` is the bracket that they stand behind. Where the body
 * is short, it is searched from its beginning.
 */
export function notJson(body: Buffer, from: number, to: number, open = ''): Problem {
  const isShort = body.length <= SEARCHED_FOR_ERROR
  const begin = isShort ? (hasMark(body) ? 3 : 0) : from
  const end = isShort ? body.length : Math.min(to, from + SEARCHED_FOR_ERROR)
  if (begin >= body.length) return cut(body)
  const prefix = isShort ? '' : open
  const text = prefix + body.toString('utf8', begin, end)
  const found = firstError(text)
  if (found.isCut && end === body.length) return cut(body)
  const at = Math.max(0, found.at - prefix.length)
  const offset = begin + Buffer.byteLength(text.slice(prefix.length, prefix.length + at))
  const near = body.toString('utf8', offset, offset + 80).slice(0, 20)
  return malformed(`The body is not JSON (near ${JSON.stringify(near)}).`, body, offset)
}

const cut = (body: Buffer): Problem =>
  malformed('The body is cut: it ends before the JSON does.', body, body.length)

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
export function notUtf8(body: Buffer): Problem {
  let good = 0
  let bad = body.length
  // Halves, down to a piece that is searched byte by byte; a character that a half cuts in two is no error.
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
  return malformed('The body is not valid UTF-8.', body, good + at)
}
