// Imports a company from its file into the database, in one transaction: completely, or not at all.
import pg from 'pg'
import { OperatorError } from '../../core/operator-error.ts'
import { queryable, withConnection } from '../../database/alone.ts'
import { type Database, hasRow, type Queryable } from '../../database/connect.ts'
import { newestMigration } from '../../database/migrate.ts'
import { moveEventsBeyond, refuseEarlierCursors } from '../events/gaps.ts'
import { makePastPartitions } from '../events/partitions.ts'
import type { ObjectStore } from '../files/object-store.ts'
import { registerCustomer } from '../payment-processor/customers.ts'
import { defaultPlan } from '../tenants/plans.ts'
import { triggerChannel } from '../webhooks/triggers.ts'
import { EVENT_DAYS, type FileManifest, type RowCounts, readCompanyFile, type Whole } from './format.ts'
import { RowWriter } from './row-writer.ts'
import { beginSnapshot, countRows, isSwitchedOff, readRows } from './rows.ts'
import { decryptSecrets, type Keyring, restoreSecrets } from './secrets.ts'

interface ImportRequest {
  readonly file: string
  /** By default that of the file if it exists here, or the only one. */
  readonly organizationId?: string | undefined
  /** Do everything and undo it. */
  readonly isDryRun?: boolean
  /** With it, triggers get their secrets from the file. */
  readonly keyring?: Keyring | undefined
  /**
   * Where files of attachments are, unless they are in the database: a company that exists is compared with the file.
   */
  readonly objects?: ObjectStore | undefined
  /** Bytes of the file: read and checked first, then read again and written. */
  readonly progress?: (bytes: number) => void
}

/** What is in the database now. */
export interface Imported {
  readonly companyId: string
  readonly organizationId: string
  readonly name: string
  /** An earlier import already did everything. */
  readonly wasThere: boolean
  readonly counts: RowCounts
  /** The number of the last imported event: readers of the company's feed continue after it. */
  readonly cursor: number
  /** Triggers that are switched off until their secret is set. */
  readonly secretsLeftOut: number
}

/**
 * Imports a company. Throws OperatorError, and changes nothing, if the file is incomplete or of a newer version, if the
 * passphrase is wrong, if the company exists with other content, or if a key or an external id belongs to another
 * company.
 */
export async function importCompany(
  database: Database,
  { file, progress, ...wanted }: ImportRequest,
): Promise<Imported> {
  // A file of an earlier version lacks newer columns.
  const columns = new Map<string, readonly string[]>()
  const noteColumns = (table: string, row: string) => {
    if (!columns.has(table)) columns.set(table, Object.keys(JSON.parse(row)))
  }
  const whole = await readCompanyFile(file, { row: noteColumns, ...(progress && { progress }) })
  const { manifest } = whole
  await refuseNewer(file, manifest)
  refuseLongerAgo(file, manifest)
  const { keyring, objects, isDryRun = false } = wanted
  const secrets = keyring && (await decryptSecrets(manifest, keyring.passphrase))
  const organizationId = await organizationOf(database, manifest, wanted.organizationId)
  return withConnection(database, async (client) => {
    const transaction = queryable(client)
    const wasThere = await isThere(transaction, { ...whole, columns, objects })
    if (!wasThere && !isDryRun) {
      await makePastPartitions(database, manifest.eventsSince, manifest.exportedAt)
      await moveEventsBeyond(database, manifest.cursor)
    }
    await transaction.query(`set timezone = 'UTC'; set jit = off; begin`)
    const { id: companyId } = manifest.company
    if (!wasThere) await write(client, { file, whole, organizationId, progress })
    // Also for a company that was imported without secrets.
    if (keyring && secrets) await restoreSecrets(transaction, { companyId, seal: keyring.seal, secrets })
    // Servers look for triggers of companies that they have not heard of, and for those that were switched on.
    await transaction.query('select pg_notify($1, $2)', [triggerChannel, companyId])
    const imported = { ...(await readImported(transaction, manifest)), wasThere }
    await transaction.query(isDryRun ? 'rollback' : 'commit')
    return imported
  }).catch((error) => {
    throw understood(file, manifest, error)
  })
}

async function refuseNewer(file: string, { migration, cashwrap }: FileManifest): Promise<void> {
  const newest = await newestMigration()
  if (migration > newest)
    throw new OperatorError(
      `${file} is from a newer version of Cashwrap (${cashwrap}, migration ${migration}; this version knows ${newest}). Upgrade this server first.`,
    )
}

const DAY_MS = 24 * 60 * 60 * 1000

/** A file that names a moment long ago would make partitions of thousands of weeks, which delay the feeds of all companies. */
function refuseLongerAgo(file: string, { exportedAt, eventsSince }: FileManifest): void {
  if (Date.parse(exportedAt) - Date.parse(eventsSince) < (EVENT_DAYS + 1) * DAY_MS) return
  throw new OperatorError(
    `${file} was changed: an export has the events of ${EVENT_DAYS} days, but this file says that its events begin at ${eventsSince} and end at ${exportedAt}. Nothing was imported.`,
  )
}

async function organizationOf(
  database: Queryable,
  { company }: FileManifest,
  wanted: string | undefined,
): Promise<string> {
  const rows = await database.query(
    'select id from organizations where id = $1 or $1 is null or $2 order by id = $3 desc limit 2',
    [wanted ?? null, wanted === undefined, company.organizationId],
  )
  const [first, second] = rows.map(([id]) => id as string)
  if (first === undefined)
    throw new OperatorError(
      wanted === undefined
        ? 'There is no organization yet; create one first with "cashwrap organization create".'
        : `There is no organization ${wanted}.`,
    )
  if (first !== company.organizationId && second !== undefined)
    throw new OperatorError(
      `The file's organization ${company.organizationId} is not here, and there are several others: name one with --organization.`,
    )
  return first
}

interface ComparedFile extends Whole {
  /** The columns that the file has, of each table with rows. */
  readonly columns: ReadonlyMap<string, readonly string[]>
  readonly objects: ObjectStore | undefined
}

/**
 * Whether the company is already in the database with the content of the file. Throws OperatorError if it has other
 * content.
 */
async function isThere(connection: Queryable, { manifest, end, columns, objects }: ComparedFile): Promise<boolean> {
  const { company, eventsSince: since, exportedAt: at } = manifest
  await beginSnapshot(connection)
  try {
    if (!(await hasRow(connection, 'select 1 from companies where id = $1', [company.id]))) return false
    const digests = await readRows(connection, { companyId: company.id, since, at, columns, objects }, () => {})
    const others = Object.entries(end.tables)
      .filter(([table, digest]) => digests[table] !== digest)
      .map(([table]) => table)
    if (others.length > 0)
      throw new OperatorError(
        `The company ${company.id} exists, and its content differs from the file's (${others.join(', ')}). Nothing was imported.`,
      )
    return true
  } finally {
    await connection.query('rollback').catch(() => {})
  }
}

/** What is in the database now. */
async function readImported(
  transaction: Queryable,
  { company, eventsSince: since }: FileManifest,
): Promise<Omit<Imported, 'wasThere'>> {
  const [row] = await transaction.query(
    `select organization_id, name, (select coalesce(max(sequence), 0) from events where company_id = $1),
       (select count(*)::int from automation_triggers where company_id = $1 and ${isSwitchedOff})
     from companies where id = $1`,
    [company.id],
  )
  const [organizationId, name, cursor, secretsLeftOut] = row as [string, string, string, number]
  const counts = await countRows(transaction, { companyId: company.id, since })
  return { companyId: company.id, organizationId, name, counts, cursor: Number(cursor), secretsLeftOut }
}

interface FileImport {
  readonly file: string
  readonly whole: Whole
  readonly organizationId: string
  readonly progress?: ((bytes: number) => void) | undefined
}

/** Writes all rows in the transaction of the caller, and then compares the database with the file. */
async function write(client: pg.Client, { file, whole, organizationId, progress }: FileImport): Promise<void> {
  const { manifest } = whole
  const { id: companyId } = manifest.company
  const transaction = queryable(client)
  const planId = await defaultPlan(transaction, organizationId)
  const writer = await RowWriter.open(client, { companyId, organizationId, planId })
  const again = await readCompanyFile(file, {
    row: (table, row) => writer.write(table, row),
    ...(progress && { progress }),
  })
  if (again.end.sha256 !== whole.end.sha256) throw new OperatorError(`${file} changed while it was read.`)
  await writer.flush()
  await registerCustomer(transaction, { companyId, organizationId })
  await refuseEarlierCursors(transaction, companyId)
  const counts = await countRows(transaction, { companyId, since: manifest.eventsSince })
  const others = Object.keys(counts).filter((table) => counts[table] !== (manifest.counts[table] ?? 0))
  if (others.length > 0) throw new OperatorError(`${file} could not be imported whole: ${others.join(', ')} differ.`)
}

/** A refusal of PostgreSQL, for the operator. */
function understood(file: string, { company }: FileManifest, error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  const { code = '', constraint, message } = error
  if (constraint?.startsWith('api_keys'))
    return new OperatorError(`A key of the file belongs to another company here. Nothing was imported.`)
  if (constraint === 'companies_external_id')
    return new OperatorError(`Another company of the organization has the file's externalId. Nothing was imported.`)
  if (constraint === 'companies_pkey')
    return new OperatorError(`Another import of the company ${company.id} has just finished; run this one again.`)
  return /^2[23]/.test(code)
    ? new OperatorError(`${file} cannot be imported: ${message}. Nothing was imported.`)
    : error
}
