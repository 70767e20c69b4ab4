// Splits a text file into CSV records, block by block, and continues after a line with broken quotes.
import { CsvError, type Options, parse } from 'csv-parse/sync'
import { OperatorError } from '../../core/operator-error.ts'
import { readText, type TextFile } from './text-file.ts'

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
