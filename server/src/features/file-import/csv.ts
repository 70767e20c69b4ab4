// CSV files: read as rows of their header's width with their line numbers, in any separator and encoding; and the refused
// lines of an import, written as another.

import { closeSync, createReadStream, openSync, writeSync } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { csvLine } from '../../core/csv-line.ts'
import { IMPORT_COLUMNS } from '../../core/limits.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { type ByteSource, openText, type RawRecord, readRecords, readText, type TextFile } from './text-file.ts'

/** A row that has as many cells as the header. */
export interface CsvRow {
  line: number
  cells: string[]
}

/** A row that could not be read as one. */
export interface BrokenRow {
  line: number
  problem: string
}

/** A row that could not be imported completely, and the reason for the shop's owner. */
export interface RefusedRow {
  line: number
  reason: string
  column?: string
}

/** A CSV file whose header has been read. */
export interface CsvFile extends TextFile {
  separator: string
  /** The headings, unchanged. */
  headings: string[]
  /** The rows after the header; rows without any content are left out. Each call reads the file from its start. */
  rows: () => AsyncGenerator<CsvRow | BrokenRow>
  /** Bytes of the file that the rows yielded so far took, for showing progress. */
  bytesRead: () => number
}

/** Bytes that are parsed to find the header, which blank lines may precede. */
const HEADER_BYTES = 4096
const BLANK_LINES = 1_000
const SEPARATORS = [',', ';', '\t', '|']

/** Opens a local CSV file. */
export const openCsv = async (path: string): Promise<CsvFile> => csvOf(await fileSource(path))

/** Detects encoding and separator, and reads the header. Throws an OperatorError if it is not CSV. */
export async function csvOf(source: ByteSource): Promise<CsvFile> {
  const file = await openText(source)
  const { mostRows = Number.POSITIVE_INFINITY } = source
  const separator = await detectSeparator(file)
  const headings = await readHeadings(file, separator)
  if (headings.length > IMPORT_COLUMNS)
    throw new OperatorError(`${file.name} has ${headings.length} columns; the maximum is ${IMPORT_COLUMNS}.`)
  if (headings.some((heading) => heading.includes('\0')))
    throw new OperatorError(`The header of ${file.name} contains a NUL character. Export the file again.`)
  let bytes = 0
  return {
    ...file,
    separator,
    headings,
    bytesRead: () => bytes,
    async *rows() {
      bytes = 0
      let header = true
      let count = 0
      const onRead = (read: number) => {
        bytes += read
      }
      for await (const record of readRecords(file, separator, headings.length, onRead)) {
        // Counts blank rows too, but not the header.
        if (count++ > mostRows)
          throw new OperatorError(`${file.name} has more than ${mostRows} rows. Split it into several files.`)
        if (isBlank(record) || isSeparatorLine(record)) continue
        if (!header) yield toRow(record, headings)
        header = false
      }
    },
  }
}

async function readHeadings(file: TextFile, separator: string): Promise<string[]> {
  let count = 0
  for await (const record of readRecords(file, separator, 0, () => {}, HEADER_BYTES)) {
    if (++count > BLANK_LINES) break
    if (isBlank(record) || isSeparatorLine(record)) continue
    if (record.cells) return record.cells.map((heading) => heading.trim())
    throw new OperatorError(`Line ${record.line} of ${file.name}, the header, has a quotation mark that is not closed.`)
  }
  throw new OperatorError(`${file.name} is empty.`)
}

// Counted outside quotes: WooCommerce has a heading `GTIN, UPC, EAN, or ISBN`.
async function detectSeparator(file: TextFile): Promise<string> {
  for await (const block of readText(file, () => {})) {
    const text = block.toString().trimStart()
    const reported = /^"?sep=(.)/i.exec(text)?.[1]
    if (reported) return reported
    const header = /^(?:"[^"]*"|[^"\r\n])*/.exec(text)?.[0].replace(/"[^"]*"/g, '') ?? ''
    const counts = SEPARATORS.map((separator) => header.split(separator).length)
    return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ','
  }
  return ','
}

const isBlank = ({ cells }: RawRecord) => cells?.every((cell) => cell.trim() === '') ?? false

// The first line that Excel adds: `sep=;`.
const isSeparatorLine = ({ line, cells }: RawRecord) => line === 1 && /^sep=/i.test(cells?.[0] ?? '')

function toRow({ line, cells }: RawRecord, headings: string[]): CsvRow | BrokenRow {
  if (!cells) return { line, problem: 'a quotation mark in this line is not closed, or is closed too early' }
  const surplus = cells.slice(headings.length)
  if (cells.length < headings.length || surplus.some((cell) => cell.trim() !== '')) {
    return { line, problem: `the line has ${cells.length} columns, the header has ${headings.length}` }
  }
  const nul = cells.findIndex((cell) => cell.includes('\0'))
  if (nul >= 0) return { line, problem: `${headings[nul]} contains a NUL character` }
  return { line, cells: surplus.length > 0 ? cells.slice(0, headings.length) : cells }
}

const READ_BYTES = 1 << 18

/** Throws an OperatorError if the file does not exist or cannot be read. */
async function fileSource(path: string): Promise<ByteSource> {
  const cannot = ({ message }: Error) => new OperatorError(`${path} cannot be read: ${message}.`)
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new OperatorError(`There is no file ${path}.`) : cannot(error)
  })
  if (!found.isFile()) throw new OperatorError(`${path} is not a file.`)
  await access(path, constants.R_OK).catch((error: Error) => {
    throw cannot(error)
  })
  return {
    name: path,
    size: found.size,
    read: () => createReadStream(path, { highWaterMark: READ_BYTES }),
    adviceFor: (shop) => `Use "cashwrap import ${shop}" for it.`,
  }
}

/** The file of refused lines. */
export interface RefusedRows {
  /** The first of them, to show at once. */
  readonly first: readonly RefusedRow[]
  /** The file, once it exists. */
  readonly path: () => string | undefined
  readonly add: (row: RefusedRow) => void
  readonly close: () => void
}

/** Rows kept in memory; the file has all. */
const FIRST = 100

/** Without a path no file is made. Throws an OperatorError if it cannot be created. */
export function refusedRows(path: string | undefined): RefusedRows {
  const first: RefusedRow[] = []
  let file: number | undefined
  return {
    first,
    path: () => (file === undefined ? undefined : path),
    add({ line, column, reason }) {
      if (first.length < FIRST) first.push({ line, reason, ...(column && { column }) })
      if (path === undefined) return
      file ??= begin(path)
      writeSync(file, refusedLine({ line, reason, ...(column && { column }) }))
    },
    close() {
      if (file !== undefined) closeSync(file)
    },
  }
}

function begin(path: string): number {
  try {
    const file = openSync(path, 'w')
    writeSync(file, refusedHeader)
    return file
  } catch (error) {
    const { message } = error as Error
    throw new OperatorError(`Refused lines cannot be written: ${message}. Name another file with --refused.`)
  }
}

/** The header of the file. */
export const refusedHeader = 'line,column,reason\n'

/** A refused line as a line of the file. */
export const refusedLine = ({ line, column = '', reason }: RefusedRow): string =>
  csvLine([String(line), column, reason])
