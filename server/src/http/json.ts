// Reads a request body so that nothing is lost silently, and a long body chunk by chunk: invalid UTF-8, duplicate
// members, NUL, lone surrogates and numbers that a double cannot hold are refused, each with its place.
import { isUtf8 } from 'node:buffer'
import type { Hash } from 'node:crypto'
import { RECORD_CHARACTERS, STRING_CHARACTERS } from '../core/limits.ts'
import { noteLong } from '../core/long-values.ts'
import type { MemberError } from '../core/problem.ts'
import { type Cut, type CutPart, cutsOf } from './json-cuts.ts'
import { Malformed, notJson, notUtf8, textStart } from './json-syntax-error.ts'
import { type LongText, pastBlanks } from './json-tokens.ts'
import { checkText, findLossyValues, type LossyValues, lossyValuesOf, occursTwice, type Path } from './lossy-values.ts'

/** Members of one object: twice as many columns as a customer may have of a company's own tables; more would only block other work. */
export const OBJECT_MEMBERS = 20_000

/** A body: its JSON value, and what parsing lost or PostgreSQL cannot store, each with its pointer. */
export interface ReadBody {
  readonly value: unknown
  readonly lossyValues: readonly MemberError[]
  /** For a long body under an idempotency key: the beginning of its fingerprint. */
  readonly begun?: Hash
}

/**
 * Reads a body; pauses at each `yield`. In a bulk request the lossy values of each item are listed, up to a bound; otherwise
 * reading ends when the list of errors is full. Throws `malformed_body` when it is not JSON, too deep, or too large,
 * and `validation_failed` when it would lose too much.
 */
export function* readingBody(body: Buffer, isBulk = false, hold: Hold = () => {}): Generator<undefined, ReadBody> {
  try {
    return yield* read(body, isBulk, hold)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    yield
    throw yield* error.placed(body)
  }
}

/** Counts memory that parsing takes beside the body's own bytes; an error it throws ends the reading. */
type Hold = (bytes: number) => void

/** Values for which the bytes of a body stand in the memory budget; more are counted before they are made. */
const VALUES_COUNTED = 250_000
const VALUE_BYTES = 64

function* read(body: Buffer, isBulk: boolean, hold: Hold): Generator<undefined, ReadBody> {
  if (!isUtf8(body)) throw notUtf8(body)
  const start = textStart(body)
  const { whole, root, isEmpty, values } = yield* cutsOf(body, start)
  // Clients that always send the header send it without a body too; the route decides whether it needs one.
  if (isEmpty) return { value: undefined, lossyValues: [] }
  if (values > VALUES_COUNTED) hold((values - VALUES_COUNTED) * VALUE_BYTES)
  const lossyValues = lossyValuesOf(isBulk)
  const reader = { body, lossyValues }
  const value = root ? yield* built(reader, root, []) : yield* parsed(reader, whole, [], '', '')
  return { value, lossyValues: lossyValues.listed }
}

interface BodyReader {
  readonly body: Buffer
  readonly lossyValues: LossyValues
}

/** An object, array or string that is too long to be parsed at once, assembled from its parts. */
function* built(reader: BodyReader, cut: Cut | LongText, path: Path): Generator<undefined, unknown> {
  if ('chunks' in cut) return yield* joined(reader, cut, path)
  const { isObject, parts } = cut
  const [open, close] = isObject ? ['{', '}'] : ['[', ']']
  const value: unknown[] | Record<string, unknown> = isObject ? {} : []
  let members = 0
  for (const part of parts) {
    const first = Array.isArray(value) ? value.length : 0
    const { child } = part
    if (child === undefined) {
      const found = (yield* parsed(reader, part, path, open, close, first)) as typeof value
      // A comma precedes a missing element.
      if (parts.length > 1 && Object.keys(found).length === 0) throw notJson(reader.body, part.to, part.to + 1)
      if (Array.isArray(value)) for (const item of found as unknown[]) value.push(item)
      else for (const name of Object.keys(found)) put(name, (found as Record<string, unknown>)[name])
    } else {
      const prefix = { ...part, to: child.open }
      const found = (yield* parsed(reader, prefix, path, open, `null${close}`, first)) as typeof value
      const step = Object.keys(found)[0] as string
      if (Object.keys(found).length !== 1) throw notJson(reader.body, part.from, child.open)
      if ((yield* pastBlanks(reader.body, child.close + 1, part.to)) < part.to)
        throw notJson(reader.body, child.close + 1, part.to)
      const held = yield* built(reader, child, [...path, isObject ? step : first])
      if (Array.isArray(value)) value.push(held)
      else put(step, held)
    }
    yield
  }
  if (cut.close - cut.open > RECORD_CHARACTERS) noteLong(value)
  return value

  function put(name: string, content: unknown): void {
    if (Object.hasOwn(value, name)) reader.lossyValues.report([...path, name], 'duplicate', occursTwice)
    else if (members === OBJECT_MEMBERS) {
      reader.lossyValues.report(path, 'maxProperties', `must not have more than ${OBJECT_MEMBERS} members`)
      members++
    } else if (members < OBJECT_MEMBERS) {
      members++
      // Assigning `__proto__` would set the prototype.
      if (name === '__proto__')
        Object.defineProperty(value, name, { value: content, enumerable: true, writable: true, configurable: true })
      else (value as Record<string, unknown>)[name] = content
    }
  }
}

/** A long string; beyond the maximum length it is only checked to be JSON. */
function* joined(
  { body, lossyValues }: BodyReader,
  { open, close, chunks }: LongText,
  path: Path,
): Generator<undefined, string> {
  let text = ''
  for (const { from, to } of chunks) {
    let chunk: string
    try {
      chunk = JSON.parse(`"${body.toString('utf8', from, to)}"`)
    } catch {
      throw notJson(body, open, close + 1)
    }
    if (text.length <= STRING_CHARACTERS) text += chunk
    yield
  }
  checkText(text, path, lossyValues)
  return text
}

/**
 * Parses a part of a body between `open` and `close`; notes what parsing lost. `first` is the index of its first
 * element.
 */
function* parsed(
  { body, lossyValues }: BodyReader,
  part: CutPart,
  path: Path,
  open: string,
  close: string,
  first = 0,
): Generator<undefined, unknown> {
  const from = yield* pastBlanks(body, part.from, part.to)
  const to = from === part.to ? from : 1 + (yield* pastBlanks(body, part.to - 1, from))
  const text = open + body.toString('utf8', from, to) + close
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw notJson(body, from, to, open)
  }
  if (part.isDoubtful || countMembers(value) !== part.members) {
    yield
    findLossyValues(text, path, first, lossyValues)
  }
  return value
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) for (const item of value) count += countMembers(item)
  else for (const name of Object.keys(value)) count += 1 + countMembers((value as Record<string, unknown>)[name])
  return count
}
