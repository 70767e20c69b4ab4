// The files of exports in the database: stored in chunks under the lease, sent chunk by chunk, and deleted in the end.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RowKey } from '../../core/ids.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { type LeasedExport, lostLease } from './export.ts'

/** Bytes of a stored chunk that are sent at once. */
const EXPORT_SENT_BYTES = 128 * 1024
/** Chunks that one statement deletes. */
const EXPORT_CHUNKS_CLEARED = 100

/** Stores a chunk under the lease. Throws `LeaseLost`. */
export async function storeChunk(database: Queryable, job: LeasedExport, number: number, bytes: Buffer): Promise<void> {
  const rows = await database.query(
    {
      name: 'export_chunk_store',
      text: `
      insert into export_pieces (company_id, export_id, number, bytes)
      select company_id, id, $4, $5 from exports
      where company_id = $1 and id = $2 and lease = $3 and state = 'running' for share returning 1`,
    },
    [job.companyId, job.id, job.lease, number, bytes],
  )
  if (rows.length === 0) throw lostLease(job)
}

/** Reads a file chunk by chunk; `authorizeAgain` is called before each part. */
export async function* readChunks(
  database: Queryable,
  { companyId, id }: RowKey,
  { bytes, authorizeAgain }: { bytes: number; authorizeAgain: () => void | Promise<void> },
): AsyncGenerator<Buffer> {
  const statement = {
    name: 'export_chunk_read',
    text: 'select bytes from export_pieces where company_id = $1 and export_id = $2 and number = $3',
  }
  for (let number = 0, given = 0; given < bytes; number++) {
    const [row] = await database.query(statement, [companyId, id, number])
    if (row === undefined) throw new Error(`Chunk ${number} of the export ${id} was deleted while it was sent.`)
    const chunk = Buffer.from(row[0].slice(2), 'hex')
    for (let at = 0; at < chunk.length; at += EXPORT_SENT_BYTES) {
      await authorizeAgain()
      yield chunk.subarray(at, at + EXPORT_SENT_BYTES)
      await nextTurn()
    }
    given += chunk.length
  }
}

/** Deletes the chunks of an export, some at a time: all at once could take longer than a statement may. */
export async function deleteChunks(database: Database, { companyId, id }: RowKey): Promise<void> {
  for (;;) {
    const rows = await database.query(
      `delete from export_pieces where company_id = $1 and export_id = $2 and number in (
         select number from export_pieces where company_id = $1 and export_id = $2 limit ${EXPORT_CHUNKS_CLEARED}
       ) returning 1`,
      [companyId, id],
    )
    if (rows.length < EXPORT_CHUNKS_CLEARED) return
  }
}

/** Deletes expired exports with their files; stops between two of them when `isOver`. */
export async function clearExports(database: Database, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const [old] = await database.query(
      `select company_id, id from exports where expires_at <= now() and state <> 'running' limit 1`,
    )
    if (old === undefined) return
    const [companyId, id] = old
    await deleteChunks(database, { companyId, id })
    await database.query('delete from exports where company_id = $1 and id = $2', [companyId, id])
  }
}
