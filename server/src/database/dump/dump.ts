// Dumps a whole database to a file, from one snapshot, while servers use it: to load it into another PostgreSQL, such as one of a newer version.
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { escapeIdentifier } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { WriteBytes } from '../../core/new-file.ts'
import { queryable, withConnection } from '../alone.ts'
import type { Database, Queryable } from '../connect.ts'
import { DUMP_FORMAT, type DumpEnd, type DumpManifest, ROWS_END, tableLine, textFormat } from './format.ts'
import { inOrder } from './tables.ts'

/** Tables about this database and not about its contents: its migrations, and the backups of its files. */
const ofDatabase = ['migrations', 'backups', 'archive_gaps']

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
    await transaction.query(`${textFormat}; begin isolation level repeatable read read only`)
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
  const tables = await query(
    `select relname, array(
       select attname::text from pg_attribute
       where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
     ), array(select confrelid::regclass::text from pg_constraint where conrelid = pg_class.oid and contype = 'f')
     from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> all ($1)
       and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
     order by relname`,
    [ofDatabase],
  )
  const partitions = await query(
    `select relname, inhparent::regclass::text, pg_get_expr(relpartbound, pg_class.oid)
     from pg_class join pg_inherits on inhrelid = pg_class.oid
     where relispartition and relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname`,
  )
  return {
    format: DUMP_FORMAT,
    cashwrap: version,
    migration,
    postgres,
    dumpedAt,
    secretKey,
    tables: inOrder(tables as [string, string[], string[]][]).map(([name, columns]) => ({ name, columns })),
    partitions: partitions
      .map(([name, table, bounds]) => ({ name, table, bounds }))
      .filter(({ bounds }) => bounds !== 'DEFAULT'),
    sequences: await sequencesOf(query),
  }
}

/** Sequences with their values, as `setval` takes them. They are read in the snapshot's transaction, but are not part of it. */
async function sequencesOf(query: Queryable['query']): Promise<DumpManifest['sequences']> {
  const names = await query(
    `select relname from pg_class where relkind = 'S' and relnamespace = current_schema()::regnamespace order by relname`,
  )
  const sequences: DumpManifest['sequences'][number][] = []
  for (const [name] of names) {
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
