// Dumps a whole database to a file, from one snapshot, while servers use it: to load it into another PostgreSQL, such as one of a newer version.

import { createHash } from 'node:crypto'
import type pg from 'pg'
import { escapeIdentifier } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { WriteBytes } from '../../core/new-file.ts'
import { queryable, withConnection } from '../alone.ts'
import type { Database, Queryable } from '../connect.ts'
import { namesOfMigrations } from '../migrate.ts'
import { DUMP_FORMAT, type DumpEnd, type DumpManifest, ROWS_END, tableLine, textFormat } from './format.ts'

/** Tables about this database and not about its contents: the backups of its files. */
const ofDatabase = ['backups', 'archive_gaps']

/** What was dumped. */
export interface Dumped {
  readonly manifest: DumpManifest
  readonly rows: DumpEnd['rows']
  readonly sha256: string
}

interface Dump {
  /** The version of Cashwrap. */
  readonly version: string
  readonly secretKey: string | null
  readonly write: WriteBytes
  readonly progress: (done: number, total: number) => void
}

/** Writes a dump. The snapshot holds back vacuum and migrations until its end. */
export const writeDump = (database: Database, dump: Dump): Promise<Dumped> =>
  withConnection(database, async (client) => {
    const transaction = queryable(client)
    await transaction.query(textFormat)
    const names = (await tablesOf(transaction.query)).map(([name]) => name)
    await transaction.query('begin isolation level repeatable read read only')
    // Before the snapshot, which does not keep the rows of a table or partition that is dropped or rewritten.
    await transaction.query(`lock table ${listed(names)} in access share mode`)
    const manifest = await manifestOf(transaction, dump)
    const digest = createHash('sha256')
    const write: WriteBytes = (bytes) => {
      digest.update(bytes)
      return dump.write(bytes)
    }
    await write(Buffer.from(`${JSON.stringify({ cashwrapDump: manifest })}\n`))
    const rows = await writeTables(client, manifest, { ...dump, write })
    const sha256 = digest.digest('hex')
    const end: DumpEnd = { rows, sha256 }
    await dump.write(Buffer.from(`${JSON.stringify(end)}\n`))
    await transaction.query('commit')
    return { manifest, rows, sha256 }
  })

/** Writes the rows of all tables; returns how many each has. */
async function writeTables(
  client: pg.Client,
  { tables }: DumpManifest,
  { write, progress }: Pick<Dump, 'write' | 'progress'>,
): Promise<DumpEnd['rows']> {
  const sizes = await sizesOf(
    queryable(client),
    tables.map(({ name }) => name),
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const rows: Record<string, number> = {}
  let done = 0
  for (const [n, { name, columns }] of tables.entries()) {
    await write(Buffer.from(tableLine(name)))
    const stream = client.query(copyTo(`copy (select ${listed(columns)} from ${escapeIdentifier(name)}) to stdout`))
    for await (const chunk of stream) await write(chunk)
    await write(Buffer.from(ROWS_END))
    rows[name] = stream.rowCount
    done += sizes[n] ?? 0
    progress(done, total)
  }
  return rows
}

/** Columns as SQL names them. */
export const listed = (columns: readonly string[]): string => columns.map(escapeIdentifier).join(', ')

async function manifestOf({ query }: Queryable, { version, secretKey }: Dump): Promise<DumpManifest> {
  const [about] = await query(
    `select max(number), current_setting('server_version'), to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
     from migrations`,
  )
  const [migration, postgres, dumpedAt] = about as [number, string, string]
  const tables = inOrder(await tablesOf(query)).map(([name, columns]) => ({ name, columns }))
  const partitions = await query(
    `select relname, inhparent::regclass::text, pg_get_expr(relpartbound, pg_class.oid)
     from pg_class join pg_inherits on inhrelid = pg_class.oid
     where relispartition and relkind = 'r' and relnamespace = current_schema()::regnamespace
       and inhparent::regclass::text = any ($1) order by relname`,
    [tables.map(({ name }) => name)],
  )
  return {
    format: DUMP_FORMAT,
    cashwrap: version,
    migration,
    postgres,
    dumpedAt,
    secretKey,
    tables,
    partitions: partitions
      .map(([name, table, bounds]) => ({ name, table, bounds }))
      .filter(({ bounds }) => bounds !== 'DEFAULT'),
    sequences: await sequencesOf(query),
  }
}

/** Cashwrap's tables, without those of the operator in the same schema. */
async function tablesOf(query: Queryable['query']): Promise<TableWithKeys[]> {
  const names = (await namesOfMigrations()).difference(new Set(ofDatabase))
  const rows = await query(
    `select relname, array(
       select attname::text from pg_attribute
       where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
     ), array(select confrelid::regclass::text from pg_constraint where conrelid = pg_class.oid and contype = 'f')
     from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition and relname = any ($1)
     order by relname`,
    [[...names]],
  )
  return rows as unknown as TableWithKeys[]
}

/** The names of Cashwrap's sequences: those of migrations, and those of columns of its tables. */
export async function ownSequences(query: Queryable['query']): Promise<string[]> {
  const rows = await query(
    `select relname from pg_class as sequence
     where relkind = 'S' and relnamespace = current_schema()::regnamespace and (relname = any ($1) or exists (
       select from pg_depend join pg_class as owner on owner.oid = refobjid
       where objid = sequence.oid and classid = 'pg_class'::regclass and deptype in ('a', 'i')
         and owner.relnamespace = sequence.relnamespace and owner.relname = any ($1)
     )) order by relname`,
    [[...(await namesOfMigrations())]],
  )
  return rows.map(([name]) => name)
}

/** Sequences with their values, as `setval` takes them. They are read in the snapshot's transaction, but are not part of it. */
async function sequencesOf(query: Queryable['query']): Promise<DumpManifest['sequences']> {
  const names = await ownSequences(query)
  const sequences: DumpManifest['sequences'][number][] = []
  for (const name of names) {
    const [row] = await query(`select last_value::text, is_called from ${escapeIdentifier(name)}`)
    const [last, isCalled] = row as [string, boolean]
    sequences.push({ name, last, isCalled })
  }
  return sequences
}

/** Bytes of each table, for the progress. */
async function sizesOf({ query }: Queryable, names: readonly string[]): Promise<number[]> {
  const rows = await query(
    `select coalesce((select sum(pg_table_size(relid)) from pg_partition_tree(name::regclass)), pg_table_size(name::regclass))::float8::text
     from unnest($1::text[]) with ordinality as wanted(name, number) order by number`,
    [names],
  )
  return rows.map(([bytes]) => Number(bytes))
}

/** A table, its columns, and the tables that its foreign keys refer to. */
type TableWithKeys = readonly [name: string, columns: readonly string[], refersTo: readonly string[]]

/** Sorts tables so that each comes after those that it refers to. Throws if they refer to each other in a circle. */
function inOrder(tables: readonly TableWithKeys[]): TableWithKeys[] {
  const sorted: TableWithKeys[] = []
  const placed = new Set<string>()
  let left = tables
  while (left.length > 0) {
    const next = left.filter(([name, , refersTo]) => refersTo.every((other) => other === name || placed.has(other)))
    if (next.length === 0) throw new Error(`Foreign keys form a circle: ${left.map(([name]) => name).join(', ')}.`)
    for (const table of next) placed.add(table[0])
    sorted.push(...next)
    left = left.filter(([name]) => !placed.has(name))
  }
  return sorted
}
