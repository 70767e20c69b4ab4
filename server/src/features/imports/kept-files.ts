// The files of imports in the database: stored in chunks as they arrive, read by the server that works on them, and
// deleted with everything else of imports that has expired or is too much.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RowKey } from '../../core/ids.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import type { ByteSource } from '../file-import/text-file.ts'
import { shorten } from '../file-import/values.ts'
import { IMPORT_READ_BYTES, IMPORT_ROWS, IMPORTS_KEPT, IMPORTS_KEPT_BYTES } from './limits.ts'

/** Bytes of the changes of all imports of a company: beyond them the oldest import can no longer be undone. */
const IMPORTS_UNDO_BYTES = 512 * 1024 * 1024
/** Changes that one statement deletes after they expire. */
const IMPORT_CHANGES_CLEARED = 10_000

/** Characters of a file's name in messages. */
const TOLD_CHARACTERS = 100

/** A file as its readers see it, wherever it is stored. */
export const sourceOf = (fileName: string, size: number, read: ByteSource['read']): ByteSource => ({
  name: shorten(fileName, TOLD_CHARACTERS),
  size,
  read,
  mostRows: IMPORT_ROWS,
})

/** Stores a chunk while its file is still wanted; false if it is not. Each renews the lease on the import. */
export async function storeChunk(
  database: Queryable,
  { companyId, id }: RowKey,
  { number, bytes, leaseMs }: { number: number; bytes: Buffer; leaseMs: number },
): Promise<boolean> {
  const rows = await database.query(
    {
      name: 'import_chunk_store',
      text: `
      with sent as (
        update imports set leased_until = now() + make_interval(secs => $5)
        where company_id = $1 and id = $2 and state = 'sending' returning company_id, id
      )
      insert into import_pieces (company_id, import_id, number, bytes)
      select company_id, id, $3, $4 from sent returning 1`,
    },
    [companyId, id, number, bytes, leaseMs / 1000],
  )
  return rows.length > 0
}

/** Thrown if a file is deleted while it is read, with its import. */
export class FileGone extends Error {}

/** The file of an import as a source, until `signal` aborts with its reason. Yields to other work between chunks. */
export function storedFile(
  database: Queryable,
  { companyId, id, fileName, bytes }: RowKey & { readonly fileName: string; readonly bytes: number },
  signal?: AbortSignal,
): ByteSource {
  async function* read(): AsyncGenerator<Buffer> {
    for (let number = 0, given = 0; given < bytes; number++) {
      signal?.throwIfAborted()
      const [row] = await database.query(
        {
          name: 'import_chunk_read',
          text: 'select bytes from import_pieces where company_id = $1 and import_id = $2 and number = $3',
        },
        [companyId, id, number],
      )
      if (row === undefined) throw new FileGone(`Chunk ${number} of the import ${id} is missing.`)
      const chunk = Buffer.from(row[0].slice(2), 'hex')
      for (let at = 0; at < chunk.length; at += IMPORT_READ_BYTES) {
        yield chunk.subarray(at, at + IMPORT_READ_BYTES)
        await nextTurn()
      }
      given += chunk.length
    }
  }
  return sourceOf(fileName, bytes, read)
}

/**
 * Deletes the oldest idle imports if the company has more than it may: imports under way come first. One that can still
 * be undone loses its file first; if there are too many changes, the oldest can no longer be undone.
 */
export const giveUpOldest = (connection: Queryable, companyId: string): Promise<unknown> =>
  connection.query(
    `with kept as (
       select id, is_busy, sum(bytes) over newest as bytes, sum(undo_bytes) over newest as undo_bytes, count(*) over newest as count
       from (
         select id, created_at, undo_bytes, is_busy,
           case when is_busy or has_file and least(coalesce(file_until, kept_until), kept_until) > now() then bytes else 0 end as bytes
         from (select *, state in ('sending', 'checking', 'running', 'undoing') as is_busy from imports) as own
         where company_id = $1 and (is_busy or kept_until > now())
       ) as own
       window newest as (order by is_busy desc, created_at desc, id desc rows unbounded preceding)
     )
     update imports as stored set
       file_until = case when kept.bytes > $2 then now() else stored.file_until end,
       undo_until = case when kept.undo_bytes > $4 then least(stored.undo_until, now()) else stored.undo_until end,
       kept_until = case when kept.count > $3 or (kept.bytes > $2 and (stored.undo_until is null or kept.undo_bytes > $4))
         then now() else stored.kept_until end
     from kept
     where stored.company_id = $1 and stored.id = kept.id and not kept.is_busy
       and (kept.bytes > $2 or kept.count > $3 or kept.undo_bytes > $4)
       -- Checked again, since a run may have been requested meanwhile.
       and stored.state not in ('sending', 'checking', 'running', 'undoing')`,
    [companyId, IMPORTS_KEPT_BYTES, IMPORTS_KEPT, IMPORTS_UNDO_BYTES],
  )

const atRest = `state not in ('sending', 'checking', 'running', 'undoing')`

/** What is cleared by one statement: each does a bounded part, and returns no row once nothing is left. */
const parts = [
  // Files, of one import at a time.
  `with old as materialized (
     select company_id, id from imports where has_file and file_until < now() and ${atRest}
     limit 1 for update skip locked
   ), gone as (
     delete from import_pieces as chunk using old where chunk.company_id = old.company_id and chunk.import_id = old.id
   )
   update imports as stored set has_file = false from old
   where stored.company_id = old.company_id and stored.id = old.id returning 1`,
  // Imports, and files whose upload has stopped.
  `with old as materialized (
     select company_id, id from imports
     where case state when 'sending' then leased_until < now()
       else kept_until < now() and state not in ('checking', 'running', 'undoing') end
     limit 1 for update skip locked
   )
   delete from imports as stored using old where stored.company_id = old.company_id and stored.id = old.id returning 1`,
]

/** Deletes some expired changes of one import, or changes that were too many to be undone. False if there are none. */
const clearChanges = (database: Database): Promise<boolean> =>
  database.transaction(async (transaction) => {
    const [old] = await transaction.query(
      `select company_id, id from imports
       where undo_bytes > 0 and ${atRest} and coalesce(undo_until, '-infinity') < now()
       limit 1 for update skip locked`,
    )
    if (old === undefined) return false
    const [gone] = await transaction.query(
      `with gone as (
         delete from import_changes where company_id = $1 and import_id = $2 and (kind, record_id) in (
           select kind, record_id from import_changes where company_id = $1 and import_id = $2
           limit ${IMPORT_CHANGES_CLEARED})
         returning 1
       ) select count(*)::int from gone`,
      old,
    )
    if (gone?.[0] < IMPORT_CHANGES_CLEARED)
      await transaction.query(
        'update imports set undo_bytes = 0, undo_until = null where company_id = $1 and id = $2',
        old,
      )
    return true
  })

/** Removes what is no longer kept; stops between two steps when `isOver`. */
export async function clearImports(database: Database, isOver: () => boolean): Promise<void> {
  const cleared = parts.map((text) => async () => (await database.query(text)).length > 0)
  for (const clear of [() => clearChanges(database), ...cleared]) while (!isOver() && (await clear()));
}
