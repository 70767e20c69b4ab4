// Reads a text file in any encoding that spreadsheets write as UTF-8, and splits it into CSV records, block by block. It
// continues after a line with broken quotes.

import { CsvError, type Options, parse } from 'csv-parse/sync'
import { OperatorError } from '../../core/operator-error.ts'

/** The encodings in which spreadsheets and shops write text. */
type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'macintosh'

/** Bytes that can be read any number of times, wherever they are stored. */
export interface ByteSource {
  /** Its name in messages. */
  readonly name: string
  /** Bytes of the whole. */
  readonly size: number
  /** The bytes from their start, in chunks. */
  readonly read: () => AsyncIterable<Buffer>
  /** They are a beginning: it may end in the middle of a character. */
  readonly isCut?: boolean
  /** The maximum number of rows after the header, if limited. */
  readonly mostRows?: number
}

/** A text file, with its detected encoding. */
export interface TextFile extends ByteSource {
  readonly encoding: Encoding
}

const BYTE_ORDER_MARKS: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

const NO_CSV: [string, number[]][] = [
  ['an Excel workbook or a ZIP archive', [0x50, 0x4b, 0x03, 0x04]],
  ['an old Excel workbook', [0xd0, 0xcf, 0x11, 0xe0]],
  ['a compressed file', [0x1f, 0x8b]],
  ['a PDF', [0x25, 0x50, 0x44, 0x46]],
  ['a web page or XML', [0x3c]],
  ['JSON', [0x5b]],
  ['JSON', [0x7b]],
]

/** The first bytes that identify a kind of file. */
const HEAD_BYTES = 4096

const startsWith = (bytes: Uint8Array, mark: number[]) => mark.every((byte, at) => bytes[at] === byte)

/** Detects the encoding by reading everything once. Throws an OperatorError if it is not text. */
export async function openText(source: ByteSource): Promise<TextFile> {
  if (source.size === 0) throw new OperatorError(`${source.name} is empty.`)
  return { ...source, encoding: await detectEncoding(source) }
}

async function detectEncoding(source: ByteSource): Promise<Encoding> {
  const { name } = source
  const head = await firstBytes(source)
  const kind = NO_CSV.find(([, mark]) => startsWith(head, mark))?.[0]
  if (kind)
    throw new OperatorError(`${name} is ${kind}, not CSV. Save or export it as "CSV UTF-8" and import that file.`)
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => startsWith(head, mark))?.[0]
  if (marked?.startsWith('utf-16')) return marked
  // Text has no control characters; a stray one costs only its row. Of UTF-16 without a byte order mark half is NUL, of
  // a picture a tenth.
  const controls = head.filter((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x20))
  if (controls.filter((byte) => byte === 0).length > head.length / 10 || controls.length > HEAD_BYTES / 20)
    throw new OperatorError(`${name} is not text. Save it as "CSV UTF-8" and import that file.`)
  if (await isUtf8(source)) return 'utf-8'
  // Excel for Mac may end lines with a carriage return, as early Macs did, and then uses their encoding.
  return head.includes(0x0d) && !head.includes(0x0a) ? 'macintosh' : 'windows-1252'
}

async function firstBytes(source: ByteSource): Promise<Uint8Array> {
  let head: Buffer = Buffer.alloc(0)
  for await (const bytes of source.read()) {
    head = Buffer.concat([head, bytes.subarray(0, HEAD_BYTES - head.length)])
    if (head.length === HEAD_BYTES) break
  }
  return head
}

// A file does not change its encoding half way: an invalid byte after non-ASCII UTF-8 means damage.
async function isUtf8({ name, read, isCut }: ByteSource): Promise<boolean> {
  const strict = new TextDecoder('utf-8', { fatal: true })
  const lenient = new TextDecoder('utf-8')
  let line = 1
  let beyondAscii = false
  const valid = (chunk?: Buffer) => {
    const text = lenient.decode(chunk, { stream: chunk !== undefined })
    try {
      strict.decode(chunk, { stream: chunk !== undefined })
    } catch {
      const before = text.slice(0, text.indexOf('\ufffd'))
      if (!beyondAscii && !/[^\0-\x7f]/.test(before)) return false
      line += newlines(before)
      throw new OperatorError(
        `Line ${line} of ${name} is damaged: it is not UTF-8 like the lines before it. Export the file again.`,
      )
    }
    line += newlines(text)
    beyondAscii ||= /[^\0-\x7f]/.test(text)
    return true
  }
  for await (const chunk of read()) if (!valid(chunk)) return false
  return isCut || valid()
}

const newlines = (text: string) => text.split('\n').length - 1

/** The content in UTF-8, without a byte order mark, in chunks; `onRead` is called with the bytes read so far. */
export async function* readText(file: TextFile, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(file.encoding, { fatal: true })
  try {
    for await (const chunk of file.read()) {
      onRead(chunk.length)
      yield Buffer.from(decoder.decode(chunk, { stream: true }))
    }
    if (!file.isCut) decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new OperatorError(`${file.name} is damaged: it is not ${file.encoding} throughout. Export the file again.`)
  }
}

/** A record and its position: the first of its lines. */
export interface RawRecord {
  line: number
  /** Absent if the quotes of this line are broken. */
  cells?: string[]
}

/** What is parsed at once: some hundred rows. */
const BLOCK_BYTES = 1 << 16
// An unclosed quote would turn the rest of the file into one cell; no real record comes near this length.
const RECORD_BYTES = 1 << 22

/**
 * The records of a file with their line numbers. `width` is the number of cells with which a line is accepted although
 * its quotes are not CSV; `onRead` is called with the bytes read so far; `blockBytes` are parsed at once.
 */
export async function* readRecords(
  file: TextFile,
  separator: string,
  width: number,
  onRead: (bytes: number) => void,
  blockBytes = BLOCK_BYTES,
): AsyncGenerator<RawRecord> {
  let held: Buffer = Buffer.alloc(0)
  let wanted = blockBytes
  let line = 1
  const take = function* (last: boolean): Generator<RawRecord> {
    for (;;) {
      const { records, rest, broken } = parseBlock(held, separator, last)
      for (const { cells, bytes } of records) {
        yield { line, cells }
        line += countLines(bytes)
      }
      held = held.subarray(rest)
      const whole = last ? held.length === 0 : held.length < RECORD_BYTES
      if (whole && !broken) break
      const end = endOfLine(held, last)
      if (end === undefined && held.length < RECORD_BYTES) break
      if (end === undefined) throw new OperatorError(`${file.name} is not CSV: line ${line} is longer than 4 MB.`)
      yield { line, ...parseAlone(held.subarray(0, end), separator, width) }
      line += 1
      held = held.subarray(end)
    }
    // A record longer than the block is not parsed again for every further block.
    wanted = Math.max(blockBytes, held.length * 2)
  }
  for await (const text of readText(file, onRead)) {
    for (let at = 0; at < text.length; at += blockBytes) {
      const block = text.subarray(at, at + blockBytes)
      held = held.length === 0 ? block : Buffer.concat([held, block])
      if (held.length >= wanted) yield* take(false)
    }
  }
  yield* take(true)
}

/**
 * The complete records of a block, and where the rest begins: at a record that continues after the block, or at a
 * broken one.
 */
function parseBlock(block: Buffer, separator: string, last: boolean) {
  const records: { cells: string[]; bytes: Buffer }[] = []
  let rest = 0
  let broken = false
  const onRecord = (cells: string[], { bytes }: { bytes: number }) => {
    if (bytes < block.length || last) {
      records.push({ cells, bytes: block.subarray(rest, bytes) })
      rest = bytes
    }
    return null
  }
  try {
    parse(block, { ...options(separator), on_record: onRecord })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    broken = error.code !== 'CSV_QUOTE_NOT_CLOSED'
  }
  return { records, rest, broken }
}

/** One line whose quotes are not CSV, such as `12" ruler`: unambiguous if the line is complete. */
function parseAlone(line: Buffer, separator: string, width: number): { cells?: string[] } {
  try {
    const [cells] = parse(line, { ...options(separator), relax_quotes: true }) as string[][]
    return cells?.length === width ? { cells } : {}
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return {}
  }
}

const options = (separator: string): Options => ({
  delimiter: separator,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
})

function endOfLine(text: Buffer, last: boolean): number | undefined {
  for (let at = 0; at < text.length; at++) {
    if (text[at] === 0x0a) return at + 1
    if (text[at] === 0x0d && (at + 1 < text.length || last)) return text[at + 1] === 0x0a ? at + 2 : at + 1
  }
  return last ? text.length : undefined
}

function countLines(record: Buffer): number {
  let lines = 0
  for (let at = 0; at < record.length; at++) {
    if (record[at] === 0x0a || (record[at] === 0x0d && record[at + 1] !== 0x0a)) lines++
  }
  return lines
}
