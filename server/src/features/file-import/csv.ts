// CSV files: read as rows of their header's width with their line numbers, in any separator and encoding; and the refused
// lines of an import, written as another.

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
      const onRead = (read: number) => {
        bytes += read
      }
      const records = readRecords(file, separator, headings.length, onRead)
      let header = true
      for await (const record of withEmptyEnds(withContent(file.name, records, mostRows), headings.length)) {
        if (!header) yield toRow(record, headings)
        header = false
      }
    },
  }
}

/** The records with content, the header first. Throws an OperatorError if there are too many rows, blank ones included. */
async function* withContent(name: string, records: AsyncIterable<RawRecord>, mostRows: number) {
  let count = 0
  for await (const record of records) {
    if (count++ > mostRows)
      throw new OperatorError(`${name} has more than ${mostRows} rows. Split it into several files.`)
    if (!isBlank(record) && !isSeparatorLine(record)) yield record
  }
}

/** Rows that Excel saves as a block, the first block with the header: it omits last columns that are empty in the whole block. */
const SAVED_TOGETHER = 16

/**
 * The records, completed where Excel has left out empty cells at the ends of many rows in succession. Fewer rows that are
 * too short were damaged by something else, unless they are the last ones, and so were those of the block of the header. If
 * all of these are too short, the header may be wrong.
 */
async function* withEmptyEnds(records: AsyncIterable<RawRecord>, width: number): AsyncGenerator<RawRecord> {
  const completed = ({ line, cells = [] }: RawRecord): RawRecord => ({
    line,
    cells: [...cells, ...Array(width - cells.length).fill('')],
  })
  let row = 0
  let isHeaderRight = false
  /** The last rows, if they are too short, and all of one width. */
  let run: RawRecord[] = []
  for await (const record of records) {
    const cells = record.cells?.length ?? width
    const isBesideHeader = row++ < SAVED_TOGETHER
    if (isBesideHeader && row > 1 && record.cells && cells >= width) isHeaderRight = true
    if (run[0] && cells !== run[0].cells?.length) {
      if (run.length < SAVED_TOGETHER) yield* run
      run = []
    }
    if (cells >= width || isBesideHeader || !isHeaderRight) yield record
    else if (run.length === SAVED_TOGETHER) yield completed(record)
    else if (run.push(record) === SAVED_TOGETHER) yield* run.map(completed)
  }
  if (run.length < SAVED_TOGETHER) yield* run.length > 1 ? run.map(completed) : run
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

/** The header of the refused lines. */
export const refusedHeader = 'line,column,reason\n'

/** A refused line as a line of CSV. */
export const refusedLine = ({ line, column = '', reason }: RefusedRow): string =>
  csvLine([String(line), column, reason])
