// Reads all rows of a company's file from one snapshot of the database, table by table, as the text of their lines.
import { createHash, type Hash } from 'node:crypto'
import pg from 'pg'
import type { Queryable } from '../../database/connect.ts'
import { memberColumns } from '../../engine/columns.ts'
import { resources } from '../../resources/index.ts'
import { fileDamaged, type ObjectStore } from '../files/object-store.ts'
import { type FilePlaces, readChunk } from '../files/stored.ts'
import { type FileTable, fileTables } from './tables.ts'

/** Rows of one fetch: twenty of the largest, events with a record of 2 MiB before and after, take 80 MB. */
const FETCHED = 20

/** The columns of each table that are in the file, with their types. */
export type FileColumns = ReadonlyMap<string, ReadonlyMap<string, string>>

/**
 * The columns that a trigger sets from the record if an insert does not: all by which lists filter, search and sort,
 * except the moment of a sale.
 */
const derivedColumns = new Map(
  resources
    .filter(({ columns }) => columns === 'set')
    .map((resource) => {
      const derived = memberColumns(resource).filter(({ member }) => member !== resource.moment)
      return [resource.table, new Set(derived.map(({ column }) => column))] as const
    }),
)

/** Reads which columns the tables of the file have. */
export async function readColumns(transaction: Queryable): Promise<FileColumns> {
  const rows = await transaction.query(
    `select relname, attname, format_type(atttypid, atttypmod) from pg_attribute join pg_class on pg_class.oid = attrelid
     where attrelid = any ($1::regclass[]) and attnum > 0 and not attisdropped and attgenerated = '' order by attrelid, attnum`,
    [fileTables.map(({ name }) => name)],
  )
  return new Map(
    fileTables.map(({ name, without = [] }) => [
      name,
      new Map(
        rows
          .filter(([table]) => table === name)
          .filter(([, column]) => column !== 'company_id' && !without.includes(column))
          .filter(([, column]) => !derivedColumns.get(name)?.has(column))
          .map(([, column, type]) => [column, type]),
      ),
    ]),
  )
}

/** Begins the snapshot; the caller ends the transaction. */
export const beginSnapshot = (connection: Queryable): Promise<unknown> =>
  connection.query(`set timezone = 'UTC'; set jit = off; begin isolation level repeatable read read only`)

/** The condition of a table's rows: company $1, for events those since $2. */
const conditionOf = ({ name, key = 'company_id', only }: FileTable): string => {
  const moment = name === 'events' ? 'created_at >= $2' : '$2::timestamptz is not null'
  return [`${key} = $1`, moment, only].filter((condition) => condition !== undefined).join(' and ')
}

/** A company, and the moment from which its events are read. */
interface CompanySince {
  readonly companyId: string
  readonly since: string
}

/** SQL: the rows of a table, each as its text in the file. */
function rowTexts(columns: FileColumns, table: FileTable): string {
  const own = [...(columns.get(table.name)?.keys() ?? [])].join(', ')
  // Line breaks in stored JSON can only be between its values.
  return `select replace(replace(row_to_json(line)::text, e'\\n', ' '), e'\\r', ' ')
    from (select ${own} from ${table.name} where ${conditionOf(table)} order by ${table.order}) as line`
}

/** Calls `take` with some rows after the other of a query, whose parameters are a company and a moment. */
async function fetchRows(
  transaction: Queryable,
  { text, companyId, since }: CompanySince & { readonly text: string },
  take: (rows: readonly string[]) => void | Promise<void>,
): Promise<void> {
  // A cursor takes no parameters.
  const bound = text.replaceAll('$1', pg.escapeLiteral(companyId)).replaceAll('$2', pg.escapeLiteral(since))
  await transaction.query(`declare company_rows no scroll cursor for ${bound}`)
  for (;;) {
    const rows = await transaction.query(`fetch ${FETCHED} from company_rows`)
    if (rows.length === 0) break
    await take(rows.map(([row]) => row))
  }
  await transaction.query('close company_rows')
}

/** Why a trigger is off: without its secret, its receiver would refuse calls, or trust any call. */
const REASON = 'Its apiKey is not in the file of the company. Set apiKey, and isActive to true.'

/** SQL: whether a trigger is still off for that. */
export const isSwitchedOff = `body ->> 'inactiveReason' = '${REASON}'`

async function triggersWithSecret(transaction: Queryable, companyId: string): Promise<ReadonlySet<string>> {
  const text = 'select id from automation_triggers where company_id = $1 and secret is not null'
  const rows = await transaction.query(text, [companyId])
  return new Set(rows.map(([id]) => id))
}

/** The row of a trigger whose secret is left out: switched off. */
function switchedOff(text: string, at: string): string {
  const row = JSON.parse(text)
  const { isActive, inactiveSince = at } = row.body
  row.body = {
    ...row.body,
    isActive: false,
    inactiveSince: isActive === false ? inactiveSince : at,
    inactiveReason: REASON,
  }
  return JSON.stringify(row)
}

/** Which rows are read: as of a moment, and only of the tables in `columns`. */
interface RowSelection extends CompanySince {
  readonly at: string
  readonly columns?: ReadonlyMap<string, readonly string[]>
  /** Where files of attachments are, unless they are in the database. */
  readonly objects?: ObjectStore | undefined
}

/** The number of rows of each table. */
export async function countRows(
  database: Queryable,
  { companyId, since }: CompanySince,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of fileTables) {
    const text = `select count(*)::int from ${table.name} where ${conditionOf(table)}`
    const [row] = await database.query(text, [companyId, since])
    counts[table.name] = row?.[0]
  }
  return counts
}

/**
 * Makes the file's texts of rows that were read: triggers with a secret are switched off, and chunks of files contain
 * their bytes, wherever these are stored. Throws if these are not the bytes that were uploaded; chunks come file by
 * file, and complete.
 */
async function textInFile(transaction: Queryable, { companyId, at, objects }: RowSelection) {
  const secretive = await triggersWithSecret(transaction, companyId)
  const places = { database: transaction, objects }
  let sum: FileSum | undefined
  return async (table: string, rows: readonly string[]): Promise<readonly string[]> => {
    if (table === 'automation_triggers')
      return rows.map((row) => (secretive.has(JSON.parse(row).id) ? switchedOff(row, at) : row))
    if (table !== 'attachment_file_pieces') return rows
    const texts: string[] = []
    for (const text of rows) {
      const row = JSON.parse(text)
      const bytes = row.bytes === null ? await chunkOf(places, companyId, row) : Buffer.from(row.bytes.slice(2), 'hex')
      sum = sum?.id === row.file_id ? sum : await beginSum(places.database, companyId, row.file_id)
      addChunk(sum as FileSum, row.number, bytes)
      texts.push(row.bytes === null ? JSON.stringify({ ...row, bytes: `\\x${bytes.toString('hex')}` }) : text)
    }
    return texts
  }
}

interface ChunkRow {
  readonly file_id: string
  readonly number: number
}

/** The bytes of a chunk that is an object. */
async function chunkOf(places: FilePlaces, companyId: string, { file_id, number }: ChunkRow): Promise<Buffer> {
  const bytes = await readChunk(places, { companyId, id: file_id }, number)
  if (bytes === undefined) throw new Error(`The chunk ${number} of the file ${file_id} is not in the snapshot.`)
  return bytes
}

/** The digest of a file's chunks so far, and what it must be after the last one. */
interface FileSum {
  readonly id: string
  readonly sha256: string
  readonly last: number
  readonly digest: Hash
}

async function beginSum(database: Queryable, companyId: string, id: string): Promise<FileSum> {
  const text = `select sha256, (select max(number) from attachment_file_pieces where company_id = $1 and file_id = $2)
    from attachment_files where company_id = $1 and id = $2`
  const [row] = await database.query(text, [companyId, id])
  return { id, sha256: row?.[0], last: row?.[1], digest: createHash('sha256') }
}

/** Throws at the last chunk of a file whose bytes are not those that were sent. */
function addChunk({ id, sha256, last, digest }: FileSum, number: number, chunk: Buffer): void {
  digest.update(chunk)
  if (number === last && digest.digest('hex') !== sha256)
    throw fileDamaged(`the bytes of the file ${id} are not those that were sent`)
}

/** Calls `write` with the rows of each table at a moment, in order. Returns the SHA-256 of each table's rows. */
export async function readRows(
  transaction: Queryable,
  reading: RowSelection,
  write: (table: string, rows: readonly string[]) => void | Promise<void>,
): Promise<Record<string, string>> {
  const { companyId, since, columns: only } = reading
  const columns = narrowed(await readColumns(transaction), only)
  const inFile = await textInFile(transaction, reading)
  const digests: Record<string, string> = {}
  for (const table of fileTables) {
    const digest = createHash('sha256')
    await fetchRows(transaction, { companyId, since, text: rowTexts(columns, table) }, async (rows) => {
      const texts = await inFile(table.name, rows)
      digest.update(texts.join('\n')).update('\n')
      await write(table.name, texts)
    })
    digests[table.name] = digest.digest('hex')
  }
  return digests
}

const narrowed = (columns: FileColumns, only: RowSelection['columns'] = new Map()): FileColumns =>
  new Map(
    [...columns].map(([table, types]) => {
      const names = only.get(table)
      return [table, names ? new Map([...types].filter(([name]) => names.includes(name))) : types]
    }),
  )
