// Reads a text file in any encoding that spreadsheets write, so that other code sees only UTF-8.
import { OperatorError } from '../../core/operator-error.ts'

/** The encodings in which spreadsheets and shops write text. */
type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** Bytes that can be read any number of times, wherever they are stored. */
export interface Source {
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
  /** Advice for a file of another shop than the named one: `Use "…" for it.` */
  readonly adviceFor: (shop: string) => string
}

/** A text file, with its detected encoding. */
export interface TextFile extends Source {
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
export async function openText(source: Source): Promise<TextFile> {
  if (source.size === 0) throw new OperatorError(`${source.name} is empty.`)
  return { ...source, encoding: await detectEncoding(source) }
}

async function detectEncoding(source: Source): Promise<Encoding> {
  const { name } = source
  const head = await firstBytes(source)
  const kind = NO_CSV.find(([, mark]) => startsWith(head, mark))?.[0]
  if (kind)
    throw new OperatorError(`${name} is ${kind}, not CSV. Save or export it as "CSV UTF-8" and import that file.`)
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => startsWith(head, mark))?.[0]
  if (marked?.startsWith('utf-16')) return marked
  // Text has none; a stray one costs only its row. UTF-16 without a byte order mark is half NUL, a picture a tenth.
  const controls = head.filter((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x20))
  if (controls.filter((byte) => byte === 0).length > head.length / 10 || controls.length > HEAD_BYTES / 20)
    throw new OperatorError(`${name} is not text. Save it as "CSV UTF-8" and import that file.`)
  return (await isUtf8(source)) ? 'utf-8' : 'windows-1252'
}

async function firstBytes(source: Source): Promise<Uint8Array> {
  let head: Buffer = Buffer.alloc(0)
  for await (const bytes of source.read()) {
    head = Buffer.concat([head, bytes.subarray(0, HEAD_BYTES - head.length)])
    if (head.length === HEAD_BYTES) break
  }
  return head
}

// A file does not change its encoding half way: an invalid byte after non-ASCII UTF-8 means damage.
async function isUtf8({ name, read, isCut }: Source): Promise<boolean> {
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
