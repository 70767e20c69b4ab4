// The file of a dump: a line of JSON that says what it is, the rows of each table as COPY writes them, and a line with the digest of all before it.
import { createHash } from 'node:crypto'
import { OperatorError } from '../../core/operator-error.ts'

/** The version of the format. Files of a later one are refused. */
export const DUMP_FORMAT = 1
/** Bytes of a line of JSON at most, so that a file of something else does not fill the memory. */
const LINE_BYTES = 4 * 1024 * 1024

/** The first line. */
export interface DumpManifest {
  readonly format: number
  /** The version of Cashwrap that wrote the file, its newest migration, and the version of PostgreSQL. */
  readonly cashwrap: string
  readonly migration: number
  readonly postgres: string
  /** The moment of the snapshot. */
  readonly dumpedAt: string
  /** The fingerprint of the secret key that the data needs; null if no server has started yet. */
  readonly secretKey: string | null
  /** The tables in the order of the file. Rows of a table refer only to those of earlier tables. */
  readonly tables: readonly DumpedTable[]
  /** Partitions, with the bounds that `create table … partition of` takes. */
  readonly partitions: readonly { readonly name: string; readonly table: string; readonly bounds: string }[]
  readonly sequences: readonly { readonly name: string; readonly last: string; readonly isCalled: boolean }[]
}

interface DumpedTable {
  readonly name: string
  /** All columns but generated ones. */
  readonly columns: readonly string[]
}

/** The last line: the number of rows of each table, and the SHA-256 of all bytes before it. */
export interface DumpEnd {
  readonly rows: Readonly<Record<string, number>>
  readonly sha256: string
}

/** SQL: how times and numbers are written and read as text, whatever the database or the role has set. */
export const textFormat = `set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 1`

/** Before the rows of a table, and after them. COPY never writes the latter as a row. */
export const tableLine = (name: string): string => `${JSON.stringify({ table: name })}\n`
export const ROWS_END = '\\.\n'

const afterRows = Buffer.from(`\n${ROWS_END}`)
const atOnce = Buffer.from(ROWS_END)

/** Reads a dump from its beginning to its end. All methods throw OperatorError if the file is cut off or no dump. */
export class DumpReader {
  readonly #name: string
  readonly #chunks: AsyncIterator<Buffer>
  readonly #digest = createHash('sha256')
  #rest: Buffer = Buffer.alloc(0)

  constructor(name: string, chunks: AsyncIterable<Buffer>) {
    this.#name = name
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** The first line. */
  async manifest(): Promise<DumpManifest> {
    const { cashwrapDump: manifest } = (await this.#line()) as { cashwrapDump?: DumpManifest }
    if (typeof manifest?.format !== 'number') throw this.#foreign()
    if (manifest.format > DUMP_FORMAT)
      throw new OperatorError(
        `${this.#name} has the format ${manifest.format} of a newer version of Cashwrap (${manifest.cashwrap}); this version reads up to ${DUMP_FORMAT}.`,
      )
    const { tables, partitions, sequences } = manifest
    if (![tables, partitions, sequences].every(Array.isArray)) throw this.damaged()
    return manifest
  }

  /** The line before a table's rows. Throws OperatorError if another table follows. */
  async table(name: string): Promise<void> {
    const line = (await this.#line()) as { table?: string }
    if (line.table !== name) throw this.damaged()
  }

  /** The rows of a table, in any pieces, up to the end of its last row. */
  async *rows(): AsyncGenerator<Buffer> {
    while (this.#rest.length < atOnce.length) await this.#more()
    if (this.#rest.subarray(0, atOnce.length).equals(atOnce)) {
      this.#take(atOnce.length)
      return
    }
    for (;;) {
      const end = this.#rest.indexOf(afterRows)
      if (end >= 0) {
        yield this.#take(end + 1)
        this.#take(atOnce.length)
        return
      }
      // The end may begin in this piece.
      const whole = this.#rest.length - (afterRows.length - 1)
      if (whole > 0) yield this.#take(whole)
      await this.#more()
    }
  }

  /** The last line. Throws OperatorError unless the file was read as it was written. */
  async end(rows: DumpEnd['rows']): Promise<void> {
    const sha256 = this.#digest.copy().digest('hex')
    const end = (await this.#line()) as unknown as Partial<DumpEnd>
    const isSame = end.sha256 === sha256 && JSON.stringify(end.rows) === JSON.stringify(rows)
    if (!isSame || this.#rest.length > 0 || !(await this.#chunks.next()).done) throw this.damaged()
  }

  /** The next line, which is an object of JSON. */
  async #line(): Promise<object> {
    let end = this.#rest.indexOf(10)
    for (; end < 0; end = this.#rest.indexOf(10)) {
      if (this.#rest.length > LINE_BYTES) throw this.#foreign()
      await this.#more()
    }
    const line = this.#take(end + 1).toString()
    try {
      const value = JSON.parse(line)
      if (typeof value === 'object' && value !== null) return value
    } catch {}
    throw this.#foreign()
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    this.#digest.update(taken)
    return taken
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#chunks.next()
    if (done) throw new OperatorError(`${this.#name} is cut off: its end is missing. Nothing was loaded.`)
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value])
  }

  #foreign = () => new OperatorError(`${this.#name} is not a dump of Cashwrap, or it is damaged. Nothing was loaded.`)

  /** The error for a file that was changed or damaged, with what shows it. */
  damaged = (reason = 'its content is not what `cashwrap dump` wrote') =>
    new OperatorError(`${this.#name} was changed or damaged: ${reason}. Nothing was loaded.`)
}
