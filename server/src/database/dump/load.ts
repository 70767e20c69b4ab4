// Loads a dump into an empty database, in one transaction: all of it, or nothing.
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { escapeIdentifier } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { OperatorError } from '../../core/operator-error.ts'
import { queryable, withConnection } from '../alone.ts'
import { type Connection, connect, isMissingTable, type Queryable } from '../connect.ts'
import { connectionError } from '../connection-error.ts'
import { migrate, namesOfMigrations, newestMigration } from '../migrate.ts'
import { refuseOthers } from '../other-sessions.ts'
import { listed, ownSequences } from './dump.ts'
import { type DumpEnd, type DumpManifest, type DumpReader, textFormat } from './format.ts'

/** Bounds of a partition as PostgreSQL writes them: nothing else of the file is run as SQL. */
const BOUNDS = /^FOR VALUES FROM \('[^'\\]*'\) TO \('[^'\\]*'\)$/
/** Memory of PostgreSQL for each index that is created. */
const INDEX_MEMORY = '256MB'

/** What was loaded. */
export interface Loaded {
  readonly manifest: DumpManifest
  readonly rows: DumpEnd['rows']
}

interface LoadCallbacks {
  readonly waits: (message: string) => void
  /** Called in the transaction, once all rows are there. */
  readonly loaded: (transaction: Queryable, manifest: DumpManifest) => Promise<void>
}

/**
 * Loads a dump into a database without data, which then has the migrations that the dumped one had. Throws OperatorError, and leaves no data, if the database has
 * data, or the file is damaged or of a newer version.
 */
export async function loadDump(
  connection: Connection,
  dump: DumpReader,
  { waits, loaded }: LoadCallbacks,
): Promise<Loaded> {
  const manifest = await dump.manifest()
  if (manifest.migration > (await newestMigration()))
    throw new OperatorError(
      `The dump was written by a newer version of Cashwrap (${manifest.cashwrap}, migration ${manifest.migration}; this version knows ${await newestMigration()}). Load it with that version or a newer one.`,
    )
  await refuseOtherTables(manifest)
  const database = connect(connection)
  try {
    await refuseData(database, manifest)
    await migrate(database, waits, manifest.migration)
    await refuseOthers(database)
    const rows = await withConnection(database, async (client) => {
      const rows = await loadTables(client, dump, manifest, loaded).catch(async (error) => {
        // So that another try finds no session that is still at work.
        await client.query('rollback').catch(() => {})
        throw error
      })
      // As after any load: autovacuum would take a while to notice.
      await client.query('analyze')
      return rows
    })
    return { manifest, rows }
  } catch (error) {
    throw connectionError(error, connection)
  } finally {
    await database.close()
  }
}

/** Throws OperatorError if the dump has tables that Cashwrap's migrations do not make. */
async function refuseOtherTables({ tables }: DumpManifest): Promise<void> {
  const own = await namesOfMigrations()
  const others = tables.map(({ name }) => name).filter((name) => !own.has(name))
  if (others.length > 0)
    throw new OperatorError(
      `The dump contains tables that Cashwrap does not have: ${others.join(', ')}. Nothing was loaded.`,
    )
}

/** Throws OperatorError unless the database has no data, and no tables of a migration after the dump's. */
async function refuseData({ query }: Queryable, { migration }: DumpManifest): Promise<void> {
  const [newest] = await query('select max(number) from migrations').catch((error) => {
    if (isMissingTable(error)) return [[null]]
    throw error
  })
  if (newest?.[0] === null) return
  const [row] = await query(
    `select exists (select from organizations) or exists (select from companies) or exists (select from users)`,
  )
  if (row?.[0])
    throw new OperatorError(
      'The database already contains companies or users. Load the dump into a new one: set another CASHWRAP_DATA, or another database in DATABASE_URL.',
    )
  // An earlier load may have been stopped between two migrations.
  if (newest?.[0] > migration)
    throw new OperatorError(
      `The database has no data, but its tables are those of migration ${newest?.[0]}, and the dump is of migration ${migration}. Create a new, empty database.`,
    )
}

/** Loads all rows in one transaction; returns how many each table has. */
async function loadTables(
  client: pg.Client,
  dump: DumpReader,
  manifest: DumpManifest,
  loaded: LoadCallbacks['loaded'],
): Promise<DumpEnd['rows']> {
  const transaction = queryable(client)
  const { query } = transaction
  const { tables, partitions, sequences } = manifest
  const names = tables.map(({ name }) => escapeIdentifier(name))
  await query(`${textFormat}; set maintenance_work_mem = '${INDEX_MEMORY}'; begin`)
  // What migrations have written is in the dump too.
  await query(`truncate ${names.join(', ')}`)
  for (const { name, table, bounds } of partitions) await makePartition(query, name, table, bounds)
  // Rows are as they were: no trigger may change them. Indexes take a fraction of the time once the rows are there.
  for (const name of names) await query(`alter table ${name} disable trigger user`)
  const indexes = await dropIndexes(
    query,
    tables.map(({ name }) => name),
  )
  const rows: Record<string, number> = {}
  for (const { name, columns } of tables) {
    await dump.table(name)
    const stream = client.query(copyFrom(`copy ${escapeIdentifier(name)} (${listed(columns)}) from stdin`))
    await pipeline(dump.rows(), stream).catch((error) => {
      throw isInvalidRow(error) ? dump.damaged(`PostgreSQL refuses a row of ${name}: ${error.message}`) : error
    })
    rows[name] = stream.rowCount
  }
  await dump.end(rows)
  for (const index of indexes) await query(index)
  for (const name of names) await query(`alter table ${name} enable trigger user`)
  const own = new Set(await ownSequences(query))
  for (const { name, last, isCalled } of sequences)
    if (own.has(name)) await query('select setval(quote_ident($1), $2, $3)', [name, last, isCalled])
  await loaded(transaction, manifest)
  await query('commit')
  return rows
}

/** Whether PostgreSQL refuses values, and not the database or the connection failed. */
const isInvalidRow = (error: { code?: unknown }): boolean => /^2[23]/.test(String(error.code))

async function makePartition(query: Queryable['query'], name: string, table: string, bounds: string): Promise<void> {
  if (!BOUNDS.test(bounds))
    throw new OperatorError(`The dump contains invalid bounds of a partition: ${bounds}. Nothing was loaded.`)
  await query(`create table if not exists ${escapeIdentifier(name)} partition of ${escapeIdentifier(table)} ${bounds}`)
}

/** Drops the indexes that no constraint needs, of tables without partitions; returns the statements that make them again. */
async function dropIndexes(query: Queryable['query'], tables: readonly string[]): Promise<readonly string[]> {
  const rows = await query(
    `select index.relname, pg_get_indexdef(indexrelid)
     from pg_index join pg_class as index on index.oid = indexrelid join pg_class as whole on whole.oid = indrelid
     where whole.relnamespace = current_schema()::regnamespace and whole.relkind = 'r' and whole.relname = any ($1)
       and not exists (select from pg_constraint where conindid = indexrelid)
     order by index.relname`,
    [tables],
  )
  for (const [name] of rows) await query(`drop index ${escapeIdentifier(name)}`)
  return rows.map(([, statement]) => statement)
}
