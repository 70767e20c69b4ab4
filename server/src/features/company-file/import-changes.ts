// Updates an imported company by a file of changes, in one transaction, and makes sure that it then equals its source.

import type pg from 'pg'
import { OperatorError } from '../../core/operator-error.ts'
import { queryable } from '../../database/alone.ts'
import { newestMigration } from '../../database/migrate.ts'
import { dropCompanyKeys } from '../keys/key-store.ts'
import { triggerChannel } from '../webhooks/triggers.ts'
import { keyOf, readDigests } from './changes.ts'
import { readCompanyFile, type Whole } from './format.ts'
import { RowWriter } from './row-writer.ts'
import type { Wanted } from './rows.ts'
import { derivedTables, type FileTable, fileTables } from './tables.ts'

interface Writing {
  readonly file: string
  readonly whole: Whole
  readonly progress?: ((bytes: number) => void) | undefined
}

/** Suspends a company without changing the version or time of its record. */
export const suspendImported = (client: pg.Client, companyId: string): Promise<unknown> =>
  client.query(
    `update companies set status = 'suspended', suspended_reason = 'It is being moved here from another server.' where id = $1`,
    [companyId],
  )

/**
 * Writes changes in the transaction of the caller. Throws OperatorError if the company is not here, is not suspended,
 * or afterwards differs from its source.
 */
export async function writeChanges(client: pg.Client, { file, whole, progress }: Writing): Promise<void> {
  const { manifest } = whole
  const { id: companyId } = manifest.company
  const transaction = queryable(client)
  await requireSuspended(client, companyId)
  await requireSameVersion(whole)
  // For the keys that are deleted now; below, for those that are inserted.
  await dropCompanyKeys(transaction, companyId)
  await client.query('create temporary table kept_rows (key text not null) on commit drop')
  await client.query('create temporary table removed_events (id text not null) on commit drop')
  const writer = await RowWriter.open(client, { companyId, isThere: true })
  // The table whose rows that are not kept have not been deleted yet.
  let open: FileTable | undefined
  const clear = async () => {
    if (open !== undefined) await deleteOthers(client, open, { companyId, since: manifest.eventsSince })
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
      await client.query('insert into kept_rows select json_array_elements_text($1)', [JSON.stringify(keys)])
    },
    row: async (name, row) => {
      await clear()
      await writer.write(name, row)
    },
  })
  await clear()
  await writer.flush()
  if (again.end.sha256 !== whole.end.sha256) throw new OperatorError(`${file} changed while it was read.`)
  await requireSame(client, whole)
  await requireNewer(client, { companyId, since: manifest.eventsSince })
  await suspendImported(client, companyId)
  for (const table of derivedTables) await client.query(`delete from ${table} where company_id = $1`, [companyId])
  await dropCompanyKeys(transaction, companyId)
  await client.query('select pg_notify($1, $2)', [triggerChannel, companyId])
}

/** Rows that one statement deletes: their keys are some 25 KB. */
const DELETED = 1_000

/**
 * Deletes the rows of a table that the file does not keep. They are found first: where tables are distributed by company, a
 * delete cannot read a temporary table.
 */
async function deleteOthers(client: pg.Client, table: FileTable, { companyId, since }: Wanted): Promise<void> {
  const { name, key = 'company_id', changes } = table
  if (changes === 'added') await deleteLaterEvents(client, { companyId, since })
  else if (name !== 'companies') {
    const { rows } = await client.query({
      rowMode: 'array',
      text: `with here as materialized (select ${keyOf(table)} as key from ${name} where ${key} = $1)
        select key from here where not exists (select from kept_rows where kept_rows.key = here.key)`,
      values: [companyId],
    })
    const keys = rows.map(([one]) => one as string)
    const deleting = `delete from ${name} where ${key} = $1 and ${keyOf(table)} = any ($2)`
    for (let from = 0; from < keys.length; from += DELETED)
      await client.query(deleting, [companyId, keys.slice(from, from + DELETED)])
  }
  await client.query('truncate kept_rows')
}

/** Events after the last one that both sides certainly had are in the file again, in their order. */
async function deleteLaterEvents(client: pg.Client, { companyId, since }: Wanted): Promise<void> {
  const ask = async (text: string, value: unknown) =>
    (await client.query({ rowMode: 'array', text, values: [companyId, value] })).rows
  const [kept] = (await client.query({ rowMode: 'array', text: 'select key from kept_rows' })).rows
  const [last] = kept ? await ask('select sequence from events where company_id = $1 and id = $2', kept[0]) : []
  const later = 'from events where company_id = $1 and sequence > $2'
  await client.query(`insert into removed_events select id ${later} and created_at >= $3`, [
    ...[companyId, last?.[0] ?? 0, since],
  ])
  await ask(`delete ${later}`, last?.[0] ?? 0)
}

async function requireSuspended(client: pg.Client, companyId: string): Promise<void> {
  const text = 'select status from companies where id = $1 for update'
  const { rows } = await client.query({ rowMode: 'array', text, values: [companyId] })
  if (rows.length === 0)
    throw new OperatorError(
      `The company ${companyId} is not here, and the file has only changes. Import its whole file first, with --suspended.`,
    )
  if (rows[0]?.[0] !== 'suspended')
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
async function requireNewer(client: pg.Client, { companyId, since }: Wanted): Promise<void> {
  const text = `
    with here as materialized (select id from events where company_id = $1 and created_at >= $2)
    select from removed_events where not exists (select from here where here.id = removed_events.id) limit 1`
  const { rows } = await client.query(text, [companyId, since])
  if (rows.length > 0)
    throw new OperatorError(
      `The file is older than the data here of the company ${companyId}, and would remove later events. Nothing was imported.`,
    )
}

/** Compares all rows with those of the source. */
async function requireSame(client: pg.Client, { manifest }: Whole): Promise<void> {
  const { company, eventsSince: since, changes } = manifest
  const { digests } = await readDigests(client, { companyId: company.id, since })
  const others = Object.keys(digests).filter((table) => digests[table] !== changes?.digests[table])
  if (others.length > 0)
    throw new OperatorError(
      `The company ${company.id} would differ from the other server’s (${others.join(', ')}): it was changed here, or an earlier file of changes is missing. Nothing was imported. Export the changes since a file that was imported here.`,
    )
}
