// Reads a file of text in whatever encoding a spreadsheet wrote it, so that the rest sees UTF-8 only.
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { OperatorError } from '../../operator-error.ts'

/** The encodings in which spreadsheets and shops write text. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** A file that is text, with the encoding that it turned out to have. */
export interface TextFile {
  path: string
  /** Bytes of the whole file. */
  size: number
  encoding: Encoding
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

const startsWith = (bytes: Uint8Array, mark: number[]) => mark.every((byte, at) => bytes[at] === byte)

/** Finds out the encoding by reading the file once. Throws an OperatorError when it is no text. */
export async function openTextFile(path: string): Promise<TextFile> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new OperatorError(`There is no file ${path}.`)
    throw new OperatorError(`${path} cannot be read: ${error.message}.`)
  })
  if (!found.isFile()) throw new OperatorError(`${path} is not a file.`)
  if (found.size === 0) throw new OperatorError(`${path} is empty.`)
  return { path, size: found.size, encoding: await detectEncoding(path) }
}

async function detectEncoding(path: string): Promise<Encoding> {
  const head = await firstBytes(path, 4096)
  const kind = NO_CSV.find(([, mark]) => startsWith(head, mark))?.[0]
  if (kind)
    throw new OperatorError(`${path} is ${kind}, not CSV. Save or export it as "CSV UTF-8" and import that file.`)
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => startsWith(head, mark))?.[0]
  if (marked?.startsWith('utf-16')) return marked
  // Text has none; a stray one costs its row only. UTF-16 without a byte order mark is half of them.
  if (head.filter((byte) => byte === 0).length > head.length / 10)
    throw new OperatorError(`${path} is not text. Save it as "CSV UTF-8" and import that file.`)
  return (await isUtf8(path)) ? 'utf-8' : 'windows-1252'
}

async function firstBytes(path: string, length: number): Promise<Uint8Array> {
  const file = await open(path).catch((error: Error) => {
    throw new OperatorError(`${path} cannot be read: ${error.message}.`)
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

// A file does not change its encoding half way: UTF-8 beyond ASCII that is followed by an invalid byte means damage.
async function isUtf8(path: string): Promise<boolean> {
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
        `Line ${line} of ${path} is damaged: it is not UTF-8 as the lines before it. Export the file anew.`,
      )
    }
    line += newlines(text)
    beyondAscii ||= /[^\0-\x7f]/.test(text)
    return true
  }
  for await (const chunk of readBytes(path)) if (!valid(chunk)) return false
  return valid()
}

const newlines = (text: string) => text.split('\n').length - 1

const readBytes = (path: string): AsyncIterable<Buffer> => createReadStream(path, { highWaterMark: 1 << 18 })

/** The content in UTF-8, without a byte order mark, piece by piece; `onRead` hears how many bytes of the file went by. */
export async function* readText(file: TextFile, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(file.encoding, { fatal: true })
  try {
    for await (const chunk of readBytes(file.path)) {
      onRead(chunk.length)
      yield Buffer.from(decoder.decode(chunk, { stream: true }))
    }
    decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new OperatorError(`${file.path} is damaged: it is not ${file.encoding} throughout. Export the file anew.`)
  }
}
