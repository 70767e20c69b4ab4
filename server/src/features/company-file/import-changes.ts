// Updates an imported company by a file of changes, in one transaction, and makes sure that it then equals its source.

import type pg from 'pg'
import { OperatorError } from '../../core/operator-error.ts'
import { queryable } from '../../database/alone.ts'
import { hasRow, type Queryable } from '../../database/connect.ts'
import { newestMigration } from '../../database/migrate.ts'
import { dropCompanyKeys } from '../keys/key-store.ts'
import { triggerChannel } from '../webhooks/triggers.ts'
import { keyOf, readDigests } from './changes.ts'
import { readCompanyFile, type Whole } from './format.ts'
import { RowWriter } from './row-writer.ts'
import type { CompanySince } from './rows.ts'
import { derivedTables, type FileTable, fileTables } from './tables.ts'

interface ChangesImport {
  readonly file: string
  readonly whole: Whole
  readonly progress?: ((bytes: number) => void) | undefined
}

/** Suspends a company without changing the version or time of its record. */
export const suspendImported = (transaction: Queryable, companyId: string): Promise<unknown> =>
  transaction.query(
    `update companies set status = 'suspended', suspended_reason = 'It is being moved here from another server.' where id = $1`,
    [companyId],
  )

/**
 * Writes changes in the transaction of the caller. Throws OperatorError if the company is not here, is not suspended,
 * or afterwards differs from its source.
 */
export async function writeChanges(client: pg.Client, { file, whole, progress }: ChangesImport): Promise<void> {
  const { manifest } = whole
  const { id: companyId } = manifest.company
  const transaction = queryable(client)
  await requireSuspended(transaction, companyId)
  await requireSameVersion(whole)
  // For the keys that are deleted now; below, for those that are inserted.
  await dropCompanyKeys(transaction, companyId)
  await transaction.query('create temporary table kept_rows (key text not null) on commit drop')
  await transaction.query('create temporary table removed_events (id text not null) on commit drop')
  const writer = await RowWriter.open(client, { companyId, isThere: true })
  // The table whose rows that are not kept have not been deleted yet.
  let open: FileTable | undefined
  const clear = async () => {
    if (open !== undefined) await deleteOthers(transaction, open, { companyId, since: manifest.eventsSince })
    open = undefined
  }
  const again = await readCompanyFile(file, {
    ...(progress && { progress }),
    kept: async (name, keys) => {
      if (name !== open?.name) {
        await clear()
        await writer.flush()
        open = fileTables.find((table) => table.name === name)
      }
      await transaction.query('insert into kept_rows select json_array_elements_text($1)', [JSON.stringify(keys)])
    },
    row: async (name, row) => {
      await clear()
      await writer.write(name, row)
    },
  })
  await clear()
  await writer.flush()
  if (again.end.sha256 !== whole.end.sha256) throw new OperatorError(`${file} changed while it was read.`)
  await requireSame(transaction, whole)
  await requireNewer(transaction, { companyId, since: manifest.eventsSince })
  await suspendImported(transaction, companyId)
  for (const table of derivedTables) await transaction.query(`delete from ${table} where company_id = $1`, [companyId])
  await dropCompanyKeys(transaction, companyId)
  await transaction.query('select pg_notify($1, $2)', [triggerChannel, companyId])
}

/** Rows that one statement deletes: their keys are some 25 KB. */
const DELETED = 1_000

/**
 * Deletes the rows of a table that the file does not keep. They are found first: where tables are distributed by company, a
 * delete cannot read a temporary table.
 */
async function deleteOthers(
  transaction: Queryable,
  table: FileTable,
  { companyId, since }: CompanySince,
): Promise<void> {
  const { name, key = 'company_id', changes } = table
  if (changes === 'added') await deleteLaterEvents(transaction, { companyId, since })
  else if (name !== 'companies') {
    const rows = await transaction.query(
      `with here as materialized (select ${keyOf(table)} as key from ${name} where ${key} = $1)
       select key from here where not exists (select from kept_rows where kept_rows.key = here.key)`,
      [companyId],
    )
    const keys = rows.map(([one]) => one as string)
    const deleting = `delete from ${name} where ${key} = $1 and ${keyOf(table)} = any ($2)`
    for (let from = 0; from < keys.length; from += DELETED)
      await transaction.query(deleting, [companyId, keys.slice(from, from + DELETED)])
  }
  await transaction.query('truncate kept_rows')
}

/** Events after the last one that both sides certainly had are in the file again, in their order. */
async function deleteLaterEvents({ query }: Queryable, { companyId, since }: CompanySince): Promise<void> {
  const [kept] = await query('select key from kept_rows')
  const [last] = await query('select sequence from events where company_id = $1 and id = $2', [companyId, kept?.[0]])
  const later = 'from events where company_id = $1 and sequence > $2'
  const own = [companyId, last?.[0] ?? 0]
  await query(`insert into removed_events select id ${later} and created_at >= $3`, [...own, since])
  await query(`delete ${later}`, own)
}

async function requireSuspended(transaction: Queryable, companyId: string): Promise<void> {
  const [row] = await transaction.query('select status from companies where id = $1 for update', [companyId])
  if (row === undefined)
    throw new OperatorError(
      `The company ${companyId} is not here, and the file has only changes. Import its whole file first, with --suspended.`,
    )
  if (row[0] !== 'suspended')
    throw new OperatorError(
      `The company ${companyId} is open here: changes would undo what was written here. Nothing was imported.`,
    )
}

/** Rows of another version may have other columns, and could not be compared. */
async function requireSameVersion({ manifest: { cashwrap, migration } }: Whole): Promise<void> {
  const newest = await newestMigration()
  if (migration !== newest)
    throw new OperatorError(
      `The changes are from another version of Cashwrap (${cashwrap}, migration ${migration}; here it is ${newest}). Upgrade the other server, or move the company with a whole file.`,
    )
}

/** Throws if an event that was here is not in the file: then the file is older than an imported one. */
async function requireNewer(transaction: Queryable, { companyId, since }: CompanySince): Promise<void> {
  const text = `
    with here as materialized (select id from events where company_id = $1 and created_at >= $2)
    select from removed_events where not exists (select from here where here.id = removed_events.id) limit 1`
  if (await hasRow(transaction, text, [companyId, since]))
    throw new OperatorError(
      `The file is older than the data of the company ${companyId} here, and would remove later events. Nothing was imported.`,
    )
}

/** Compares all rows with those of the source. */
async function requireSame(transaction: Queryable, { manifest }: Whole): Promise<void> {
  const { company, eventsSince: since, changes } = manifest
  const { digests } = await readDigests(transaction, { companyId: company.id, since })
  const others = Object.keys(digests).filter((table) => digests[table] !== changes?.digests[table])
  if (others.length > 0)
    throw new OperatorError(
      `The company ${company.id} would differ from the other server’s (${others.join(', ')}): it was changed here, or an earlier file of changes is missing. Nothing was imported. Export the changes since a file that was imported here.`,
    )
}
