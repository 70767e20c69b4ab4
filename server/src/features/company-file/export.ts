// Writes a company as the text of its file: one snapshot of all its rows, while the service continues. A file on disk
// gets its name only once it is complete.

import { createHash } from 'node:crypto'
import { writeNewFile } from '../../core/new-file.ts'
import { notFound } from '../../core/problem.ts'
import { queryable, withConnection } from '../../database/alone.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { newestMigration } from '../../database/migrate.ts'
import { version } from '../../version.ts'
import type { ObjectStore } from '../files/object-store.ts'
import { EVENT_DAYS, type FileEnd, type FileManifest, FORMAT, rowLine } from './format.ts'
import { beginSnapshot, countRows, readRows } from './rows.ts'
import { encryptSecrets, type Keyring } from './secrets.ts'

/** Characters that are collected for one write. */
const WRITTEN = 1 << 20

/** Where the file goes. */
export interface Sink {
  readonly write: (bytes: Buffer) => Promise<void>
  /** Called with the rows written so far, and all. */
  readonly progress: (done: number, total: number) => void
}

/** What was written. */
export interface WrittenFile {
  readonly manifest: FileManifest
  readonly rows: number
  /** Size and SHA-256 of the whole file. */
  readonly bytes: number
  readonly sha256: string
}

interface ExportRequest {
  readonly companyId: string
  /** With it, the secrets of triggers are in the file, encrypted. */
  readonly keyring?: Keyring | undefined
  /** Where files of attachments are, unless they are in the database. */
  readonly objects?: ObjectStore | undefined
}

/** Writes a company's file to a sink, in a transaction of the connection that the caller ends. Throws `not_found`. */
export async function writeCompany(connection: Queryable, wanted: ExportRequest, sink: Sink): Promise<WrittenFile> {
  const { companyId, objects } = wanted
  const manifest = await beginManifest(connection, wanted)
  const total = Object.values(manifest.counts).reduce((sum, count) => sum + count, 0)
  const digest = createHash('sha256')
  let waiting = `${JSON.stringify({ cashwrapCompany: manifest })}\n`
  let rows = 0
  let bytes = 0
  const flush = async () => {
    const chunk = Buffer.from(waiting)
    waiting = ''
    digest.update(chunk)
    bytes += chunk.length
    await sink.write(chunk)
    sink.progress(rows, total)
  }
  const reading = { companyId, objects, since: manifest.eventsSince, at: manifest.exportedAt }
  const tables = await readRows(connection, reading, async (table, texts) => {
    rows += texts.length
    waiting += texts.map((text) => rowLine(table, text)).join('')
    if (waiting.length >= WRITTEN) await flush()
  })
  await flush()
  const end: FileEnd = { rows, tables, sha256: digest.copy().digest('hex') }
  waiting = `${JSON.stringify(end)}\n`
  await flush()
  return { manifest, rows, bytes, sha256: digest.digest('hex') }
}

/** Begins the snapshot, and says what is in it. */
async function beginManifest(connection: Queryable, { companyId, keyring }: ExportRequest): Promise<FileManifest> {
  // Read before the snapshot: whatever is committed up to here is in it.
  const [settled] = await connection.query(
    `select settled, iso_time(now() - make_interval(days => ${EVENT_DAYS})), iso_time(now()) from events_settled($1)`,
    [[companyId]],
  )
  const [cursor, since, exportedAt] = settled as [number, string, string]
  await beginSnapshot(connection)
  const [row] = await connection.query(
    `select id, name, organization_id,
       (select count(*)::int from automation_triggers where company_id = $1 and secret is not null)
     from companies where id = $1`,
    [companyId],
  )
  if (row === undefined) throw notFound('company', companyId)
  const [id, name, organizationId, secretCount] = row
  const secrets = keyring && (await encryptSecrets(connection, companyId, keyring))
  return {
    format: FORMAT,
    cashwrap: version,
    migration: await newestMigration(),
    exportedAt,
    company: { id, name, organizationId },
    eventsSince: since,
    cursor: Number(cursor),
    secretsLeftOut: keyring ? 0 : secretCount,
    ...(secrets && { secrets }),
    counts: await countRows(connection, { companyId, since }),
  }
}

/** What was written, and where. */
interface Exported extends Omit<FileManifest, 'secrets'>, Pick<WrittenFile, 'rows' | 'bytes' | 'sha256'> {
  readonly file: string
}

interface FileExport extends ExportRequest {
  readonly file: string
  readonly progress?: (done: number, total: number) => void
}

/** Exports a company to a new file. Throws `not_found`, and OperatorError if the file exists or cannot be written. */
export async function exportCompany(
  database: Database,
  { file, progress = () => {}, ...wanted }: FileExport,
): Promise<Exported> {
  const {
    manifest: { secrets: _, ...manifest },
    ...about
  } = await writeNewFile(file, (write) =>
    withConnection(database, (client) => writeCompany(queryable(client), wanted, { write, progress })),
  )
  return { ...manifest, file, ...about }
}
