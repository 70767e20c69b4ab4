// One pass over the bytes of a body before it is parsed: refuses what exceeds a limit, notices what parsing may lose, and cuts a long body into parts that are parsed separately.
import { JSON_DEPTH, STRING_CHARACTERS } from '../core/limits.ts'
import { Malformed, notJson } from './json-syntax-error.ts'
import {
  type ByteRange,
  isUnstorable,
  JSON_CHUNK_BYTES,
  type LongText,
  longTextOf,
  mayLoseDigits,
  numberEnd,
  pastBlanks,
} from './json-tokens.ts'

/**
 * Values in one body: 15 bytes each in one of 10 MB. Those of real records take more, so that only their bytes are
 * limited; shorter ones could only be there to exhaust the memory.
 */
const JSON_VALUES = 700_000

/** A run of members or elements between two commas; or one member or element with the value `child`. */
export interface CutPart extends ByteRange {
  /** The number of its members, by their colons: fewer after parsing means duplicates. */
  readonly members: number
  /** Whether it may lose something else, so that the expensive search for the place is needed. */
  readonly isDoubtful: boolean
  readonly child?: Cut | LongText
}

/** An object or array that is too long to be parsed at once. */
export interface Cut {
  readonly isObject: boolean
  readonly open: number
  readonly close: number
  readonly parts: readonly CutPart[]
}

/** Members and possible lossy values, counted up to a place. */
interface MemberCount {
  readonly members: number
  readonly doubts: number
}

/** An object or array that is open at the current place. */
interface OpenValue {
  readonly isObject: boolean
  readonly open: number
  readonly parts: CutPart[]
  /** Where the next part begins, and where the current member or element begins. */
  start: number
  item: number
  atStart: MemberCount
  atItem: MemberCount
  /** The counts before its bracket. */
  readonly before: MemberCount
  /** The value of the current member, where it is a long one. */
  child: ((Cut | LongText) & { readonly before: MemberCount }) | undefined
}

const quote = 34
const comma = 44
const colon = 58
const backslash = 92

/** The body as one part, and its root where it is long. */
interface Cuts {
  readonly whole: CutPart
  readonly root: Cut | LongText | undefined
  readonly isEmpty: boolean
  readonly values: number
}

/** Cuts a body; pauses at each `yield`. Throws `malformed_body` where it is too deep, too large or incomplete. */
export function* cutsOf(body: Buffer, begin: number): Generator<undefined, Cuts> {
  const { length } = body
  const scan = new Scan(body)
  let first = -1
  let rest = begin + JSON_CHUNK_BYTES
  for (let at = begin; at < length; at++) {
    if (at > rest) {
      yield
      rest = at + JSON_CHUNK_BYTES
    }
    const character = body[at] as number
    if (character === 32 || character === 10 || character === 13 || character === 9) continue
    if (first === -1) first = at
    if (character === quote) {
      const start = at
      const end = Math.min(length, start + JSON_CHUNK_BYTES)
      for (at++; at < end && body[at] !== quote; at++)
        if (body[at] === backslash && body[++at] === 117 /* u */ && isUnstorable(body, at + 1)) scan.doubts++
      if (at < end || end === length) continue
      const text = yield* longTextOf(body, start)
      at = text.close
      scan.takeLongText(text, start)
    } else if (character === comma) scan.separate(at)
    else if (character === colon) scan.members++
    else if (character === 123 /* { */ || character === 91 /* [ */) scan.open(at, character === 123)
    else if (character === 125 /* } */ || character === 93 /* ] */) scan.close(at, character === 125)
    else if (character >= 48 && character <= 57) {
      const start = at
      at = numberEnd(body, start)
      if (mayLoseDigits(body, start, at)) scan.doubts++
    }
  }
  const { frames, root, members, doubts, values } = scan
  if (frames.length > 0) throw notJson(body, length, length)
  if (root && (first !== root.open || (yield* pastBlanks(body, root.close + 1, length)) < length))
    throw notJson(body, begin, length)
  const whole = { from: first === -1 ? begin : first, to: length, members, isDoubtful: doubts > 0 }
  return { whole, root, isEmpty: first === -1, values }
}

/** What is open at the current place of a body, and what was counted up to it. */
class Scan {
  readonly body: Buffer
  /** The open objects and arrays, the innermost last. */
  readonly frames: OpenValue[] = []
  /** The value of the body, where it is a long one. */
  root: Cut | LongText | undefined = undefined
  members = 0
  /** Values that parsing may lose. */
  doubts = 0
  values = 0

  constructor(body: Buffer) {
    this.body = body
  }

  /** A string that is too long to be parsed with its neighbours: a value, or the name of a member. */
  takeLongText(text: LongText, start: number): void {
    const frame = this.frames.at(-1)
    // No colon precedes it.
    const isName = frame?.isObject && frame.atItem.members === this.members
    if (isName && text.close - start > STRING_CHARACTERS)
      throw new Malformed(`The body holds a member name of more than ${STRING_CHARACTERS} bytes.`, start)
    if (frame === undefined) this.root = text
    else if (isName) this.doubts++
    else frame.child = { ...text, before: this.#count() }
  }

  /** A comma. */
  separate(at: number): void {
    if (++this.values > JSON_VALUES) throw new Malformed(`The body holds more than ${JSON_VALUES} values.`, at)
    const frame = this.frames.at(-1)
    if (frame) this.#endItem(frame, at, false)
  }

  /** An opening bracket. */
  open(at: number, isObject: boolean): void {
    if (this.frames.length === JSON_DEPTH)
      throw new Malformed(`The body is nested deeper than ${JSON_DEPTH} levels.`, at)
    const count = this.#count()
    const place = { open: at, start: at + 1, item: at + 1, before: count, atStart: count, atItem: count }
    this.frames.push({ ...place, isObject, parts: [], child: undefined })
  }

  /** A closing bracket. */
  close(at: number, isObject: boolean): void {
    const frame = this.frames.pop()
    if (frame === undefined || frame.isObject !== isObject || this.root) throw notJson(this.body, at, at + 1)
    if (at - frame.open <= JSON_CHUNK_BYTES) return
    this.#endItem(frame, at, true)
    const { open, parts, before } = frame
    const cut = { isObject, open, close: at, parts, before }
    const around = this.frames.at(-1)
    if (around) around.child = cut
    else this.root = cut
  }

  #count(): MemberCount {
    return { members: this.members, doubts: this.doubts }
  }

  /** A member or element ends at `at`, and with it a part, if the part is long enough or the last one. */
  #endItem(frame: OpenValue, at: number, isLast: boolean): void {
    const { child, start, item, atStart, atItem } = frame
    const now = this.#count()
    if (child) {
      if (item > start) frame.parts.push(partOf(start, item - 1, atStart, atItem))
      frame.parts.push({ ...partOf(item, at, atItem, child.before), child })
    } else if (isLast || at - start >= JSON_CHUNK_BYTES) frame.parts.push(partOf(start, at, atStart, now))
    else {
      frame.item = at + 1
      frame.atItem = now
      return
    }
    frame.child = undefined
    frame.start = at + 1
    frame.item = at + 1
    frame.atStart = now
    frame.atItem = now
  }
}

const partOf = (from: number, to: number, before: MemberCount, behind: MemberCount): CutPart => ({
  from,
  to,
  members: behind.members - before.members,
  isDoubtful: behind.doubts > before.doubts,
})
