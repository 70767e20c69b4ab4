// Writes a company to a file: one snapshot of all its rows, while the service goes on.
import { createHash, randomBytes } from 'node:crypto'
import { access, open, rename, rm } from 'node:fs/promises'
import type pg from 'pg'
import { OperatorError } from '../../core/operator-error.ts'
import { notFound } from '../../core/problem.ts'
import type { Database } from '../../database/connect.ts'
import { newestMigration } from '../../database/migrate.ts'
import { version } from '../../version.ts'
import { type End, FORMAT, type Manifest, rowLine } from './format.ts'
import { beginSnapshot, countRows, readRows } from './rows.ts'

/** Days of events that are in the file: all that a server keeps. */
const EVENT_DAYS = 30
/** Characters that are collected for one write. */
const WRITTEN = 1 << 20

/** What was written. */
interface Exported extends Manifest {
  readonly file: string
  readonly rows: number
  readonly sha256: string
}

type Progress = (done: number, total: number) => void

/** Exports a company to a new file. Throws `not_found`, and OperatorError if the file exists or cannot be written. */
export async function exportCompany(
  database: Database,
  { companyId, file, progress = () => {} }: { companyId: string; file: string; progress?: Progress },
): Promise<Exported> {
  const exists = await access(file).then(
    () => true,
    () => false,
  )
  if (exists) throw new OperatorError(`${file} exists already; name another file.`)
  const client = await database.connectAlone()
  // A file under its own name is always whole.
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`
  try {
    const manifest = await readManifest(client, companyId)
    const end = await writeFile(client, { manifest, partial, progress })
    await rename(partial, file)
    return { ...manifest, file, rows: end.rows, sha256: end.sha256 }
  } catch (error) {
    throw ofFile(file, error)
  } finally {
    await rm(partial, { force: true }).catch(() => {})
    await client.end().catch(() => {})
  }
}

/** Begins the snapshot, and says what is in it. */
async function readManifest(client: pg.Client, companyId: string): Promise<Manifest> {
  // Read before the snapshot: whatever is committed up to here is in it.
  const settled = await client.query({
    rowMode: 'array',
    text: `select settled, iso_time(now() - make_interval(days => ${EVENT_DAYS})), iso_time(now()) from events_settled($1)`,
    values: [[companyId]],
  })
  const [cursor, eventsSince, exportedAt] = settled.rows[0] as [number, string, string]
  await beginSnapshot(client)
  const found = await client.query({
    rowMode: 'array',
    text: `select id, name, organization_id,
        (select count(*)::int from automation_triggers where company_id = $1 and secret is not null)
      from companies where id = $1`,
    values: [companyId],
  })
  const [row] = found.rows
  if (row === undefined) throw notFound('company', companyId)
  const [id, name, organizationId, secretsLeftOut] = row
  return {
    ...{ format: FORMAT, cashwrap: version, migration: await newestMigration(), exportedAt },
    company: { id, name, organizationId },
    ...{ eventsSince, cursor: Number(cursor), secretsLeftOut },
    counts: await countRows(client, { companyId, since: eventsSince }),
  }
}

/** Writes the lines, and makes sure that they are on the disk. */
async function writeFile(
  client: pg.Client,
  { manifest, partial, progress }: { manifest: Manifest; partial: string; progress: Progress },
): Promise<End> {
  const total = Object.values(manifest.counts).reduce((sum, count) => sum + count, 0)
  const digest = createHash('sha256')
  // It holds personal data and the hashes of keys.
  const handle = await open(partial, 'wx', 0o600)
  try {
    let waiting = `${JSON.stringify({ cashwrapCompany: manifest })}\n`
    let rows = 0
    const flush = async () => {
      digest.update(waiting)
      await handle.writeFile(waiting)
      waiting = ''
      progress(rows, total)
    }
    const tables = await readRows(
      client,
      { companyId: manifest.company.id, since: manifest.eventsSince },
      async (table, texts) => {
        for (const text of texts) waiting += rowLine(table, text)
        rows += texts.length
        if (waiting.length >= WRITTEN) await flush()
      },
    )
    await flush()
    const end = { rows, tables, sha256: digest.digest('hex') }
    await handle.writeFile(`${JSON.stringify(end)}\n`)
    await handle.sync()
    return end
  } finally {
    await handle.close()
  }
}

/** An error of the file system, for the operator. */
function ofFile(file: string, error: unknown): unknown {
  const { syscall, message } = error as NodeJS.ErrnoException
  if (syscall === undefined || /^(connect|read)$/.test(syscall)) return error
  return new OperatorError(`${file} cannot be written: ${message}`)
}
