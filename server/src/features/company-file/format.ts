// The file of a company: a line that says what it is, a line per row, and a line with the digest of all before it.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { unreadable } from '../../core/file-errors.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { newestMigration } from '../../database/migrate.ts'
import type { EncryptedSecrets } from './secrets.ts'

/** The version of the format. Files of another one are refused. */
export const FORMAT = 1
/** Days of events that are in a file: all that a server keeps. */
export const EVENT_DAYS = 30
/** Bytes of a line: more than any row has, so that a file of something else does not fill the memory. */
const LINE_BYTES = 256 * 1024 * 1024

/** Number of rows by table. */
export type RowCounts = Readonly<Record<string, number>>

/** The first line. */
export interface FileManifest {
  readonly format: number
  /** The version of Cashwrap that wrote the file, and its newest migration. */
  readonly cashwrap: string
  readonly migration: number
  readonly exportedAt: string
  readonly company: { readonly id: string; readonly name: string; readonly organizationId: string }
  /** Events from this moment on are in the file. */
  readonly eventsSince: string
  /** The number up to which all events of the server are in the file: a reader of its feed continues after it. */
  readonly cursor: number
  /** Triggers whose secret is not in the file. */
  readonly secretsLeftOut: number
  /** The secrets of triggers, if a passphrase was given. */
  readonly secrets?: EncryptedSecrets
  readonly counts: RowCounts
}

/** The last line. */
export interface FileEnd {
  readonly rows: number
  /** SHA-256 of the lines of each table, and of all lines before this one. */
  readonly tables: Readonly<Record<string, string>>
  readonly sha256: string
}

/** The line of a row, which is JSON as PostgreSQL wrote it. */
export const rowLine = (table: string, row: string): string => `{"table":"${table}","row":${row}}\n`

/** A file that was read to its end, and is complete. */
export interface Whole {
  readonly manifest: FileManifest
  readonly end: FileEnd
}

/** Called with each row. */
interface RowReader {
  readonly row?: (table: string, row: string) => void | Promise<void>
  /** Bytes read so far. */
  readonly progress?: (bytes: number) => void
}

/** Reads a file. Throws OperatorError if it is cut off, changed, of another format, or no such file. */
export async function readCompanyFile(path: string, { row, progress }: RowReader = {}): Promise<Whole> {
  const digest = createHash('sha256')
  const counts: Record<string, number> = {}
  let manifest: FileManifest | undefined
  let last: string | undefined
  let bytes = 0
  for await (const line of lines(path)) {
    if (last !== undefined) digest.update(`${last}\n`)
    if (manifest === undefined) manifest = await manifestOf(path, line)
    else if (last?.startsWith('{"table":"')) {
      const [table, text] = rowOf(path, last)
      counts[table] = (counts[table] ?? 0) + 1
      await row?.(table, text)
    } else if (last?.startsWith('{"rows":')) throw changed(path)
    last = line
    bytes += line.length + 1
    progress?.(bytes)
  }
  if (manifest === undefined) throw foreign(path)
  if (!last?.startsWith('{"rows":')) throw cut(path)
  const end: FileEnd = parsed(last) ?? fail(changed(path))
  if (end.sha256 !== digest.digest('hex')) throw changed(path)
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const isSame = Object.entries(manifest.counts).every(([table, count]) => (counts[table] ?? 0) === count)
  if (rows !== end.rows || !isSame) throw changed(path)
  return { manifest, end }
}

async function manifestOf(path: string, line: string): Promise<FileManifest> {
  const { cashwrapCompany: manifest } = (parsed(line) ?? {}) as { cashwrapCompany?: FileManifest }
  if (typeof manifest?.format !== 'number') throw foreign(path)
  const { format, cashwrap, migration } = manifest
  if (format !== FORMAT) {
    const isNewer = migration > (await newestMigration())
    throw new OperatorError(
      `${path} has the format ${format} of ${isNewer ? 'a newer' : 'an earlier'} version of Cashwrap (${cashwrap}, migration ${migration}); this version reads the format ${FORMAT}. ` +
        (isNewer ? 'Upgrade this server first.' : 'Import it with that version, or export the company again.'),
    )
  }
  return manifest
}

function rowOf(path: string, line: string): [table: string, row: string] {
  const end = line.indexOf('","row":{', 10)
  if (end < 0 || !line.endsWith('}}')) throw changed(path)
  return [line.slice(10, end), line.slice(end + 8, -1)]
}

function parsed<T>(text: string): T | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The lines of a file without their ends. Throws OperatorError if the last one has no end. */
async function* lines(path: string): AsyncGenerator<string> {
  let parts: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
      let from = 0
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        yield Buffer.concat([...parts, chunk.subarray(from, at)]).toString()
        parts = []
        size = 0
        from = at + 1
      }
      parts.push(chunk.subarray(from))
      size += chunk.length - from
      if (size > LINE_BYTES) throw foreign(path)
    }
  } catch (error) {
    unreadable(path)(error)
  }
  if (size > 0) throw cut(path)
}

function fail(error: Error): never {
  throw error
}

const cut = (path: string) =>
  new OperatorError(`${path} is cut off: its end is missing. Nothing was imported; copy or export it again.`)
const changed = (path: string) =>
  new OperatorError(`${path} was changed or damaged: its SHA-256 differs. Nothing was imported; export it again.`)
const foreign = (path: string) => new OperatorError(`${path} is not the file of a company.`)
