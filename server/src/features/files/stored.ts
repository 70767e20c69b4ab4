// Files of attachments, whose chunks are in the database or an object store: found, read chunk by chunk, and removed once no attachment has them.

import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type BackgroundLoop, backgroundLoop, type Failed, firstLookMs } from '../../concurrency/background-loop.ts'
import type { RowKey } from '../../core/ids.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { fileDamaged, type ObjectStore, storeAway } from './object-store.ts'

/** Chunks that one statement deletes. */
const FILE_CHUNKS_CLEARED = 100
/** Milliseconds between two removals of files that no attachment has. */
export const FILE_CLEARING_MS = 10 * 60 * 1000

/** Where the chunks of files are: those that name an object are in the object store, if one is set up. */
export interface FilePlaces {
  readonly database: Queryable
  readonly objects: ObjectStore | undefined
}

/** The file of an attachment. */
export interface StoredFile extends RowKey {
  readonly name: string
  readonly bytes: number
  readonly contentType: string
  readonly sha256: string
}

/** The file of an attachment; undefined if it has none, the attachment does not exist, or its company is suspended. */
export async function findFile(
  database: Queryable,
  companyId: string,
  attachmentId: string,
): Promise<StoredFile | undefined> {
  const rows = await database.query(
    {
      name: 'attachment_file',
      text: `
      select file.id, attachments.name, file.bytes, file.content_type, file.sha256
      from attachment_files as file
      join companies on companies.id = file.company_id and companies.status = 'active'
      join attachments on attachments.company_id = file.company_id and attachments.id = file.attachment_id
      where file.company_id = $1 and file.attachment_id = $2 and file.is_stored`,
    },
    [companyId, attachmentId],
  )
  const [found] = rows.map(([id, name, bytes, contentType, sha256]) => ({
    companyId,
    id,
    name,
    bytes: Number(bytes),
    contentType,
    sha256,
  }))
  return found
}

/**
 * Reads a file; `authorizeAgain` is called before each chunk. The first one is read before this resolves, so that an
 * error can still be answered. Throws 500 before the last chunk if the bytes are not those that were sent.
 */
export async function readFile(
  { database, objects }: FilePlaces,
  { companyId, id, bytes, sha256 }: StoredFile,
  authorizeAgain: () => void | Promise<void>,
): Promise<AsyncGenerator<Buffer>> {
  const digest = createHash('sha256')
  let given = 0
  async function read(number: number): Promise<Buffer> {
    await authorizeAgain()
    const chunk = await readChunk({ database, objects }, { companyId, id }, number)
    if (chunk === undefined) throw new Error(`Chunk ${number} of the file ${id} was deleted while it was sent.`)
    digest.update(chunk)
    given += chunk.length
    if (given > bytes || (given === bytes && digest.digest('hex') !== sha256))
      throw fileDamaged(`the bytes of the file ${id} of the company ${companyId} are not those that were sent`)
    return chunk
  }
  const first = await read(0)
  return (async function* () {
    yield first
    for (let number = 1; given < bytes; number++) {
      await nextTurn()
      yield await read(number)
    }
  })()
}

const chunkStatement = {
  name: 'attachment_file_chunk',
  text: 'select bytes, object from attachment_file_pieces where company_id = $1 and file_id = $2 and number = $3',
}

/** Reads a chunk; undefined if there is no such one. Throws 503 if its object cannot be read. */
export async function readChunk(
  { database, objects }: FilePlaces,
  { companyId, id }: RowKey,
  number: number,
): Promise<Buffer | undefined> {
  const [row] = await database.query(chunkStatement, [companyId, id, number])
  if (row === undefined) return undefined
  const [bytes, object] = row as [string | null, string]
  if (bytes !== null) return Buffer.from(bytes.slice(2), 'hex')
  if (objects === undefined) throw storeAway(`CASHWRAP_FILES is not set, and ${object} is in an object store`)
  return objects.read(object)
}

/**
 * Removes a file that no attachment has, its chunks first: all at once could take longer than a statement may. The objects
 * that deleted chunks name are removed later.
 */
export async function removeFile(database: Queryable, { companyId, id }: RowKey): Promise<void> {
  // An upload that is still under way can store no chunk after this.
  await database.query(
    `update attachment_files set leased_until = '-infinity' where company_id = $1 and id = $2 and not is_stored`,
    [companyId, id],
  )
  for (;;) {
    const rows = await database.query(
      `delete from attachment_file_pieces where company_id = $1 and file_id = $2 and number in (
         select number from attachment_file_pieces where company_id = $1 and file_id = $2 limit ${FILE_CHUNKS_CLEARED}
       ) returning 1`,
      [companyId, id],
    )
    if (rows.length < FILE_CHUNKS_CLEARED) break
  }
  await database.query('delete from attachment_files where company_id = $1 and id = $2', [companyId, id])
}

/**
 * SQL: files that were never stored whole or were replaced, and those of deleted attachments. A suspended company may be on
 * its move to this server or from it, and must stay as it is.
 */
const unusedOf = (attachments: string) => `
  select company_id, id from (
    (select company_id, id from attachment_files
     where not is_stored and (leased_until is null or leased_until < now()) limit 100)
    union all
    (select company_id, id from attachment_files as file
     where is_stored and not exists (
       select from ${attachments} where attachments.company_id = file.company_id and attachments.id = file.attachment_id)
     limit 100)
  ) as file
  where not exists (select from companies where companies.id = file.company_id and status = 'suspended')`
const unused = unusedOf('attachments')
/**
 * Where tables are distributed by company, all attachments are asked of their nodes, and compared with the files here. Elsewhere
 * that would read all attachments for a few files.
 */
const unusedOfNodes = unusedOf('(select company_id, id from attachments offset 0) as attachments')

/** Removes files that no attachment has, now and from time to time, until it is stopped. */
export function keepClearingFiles(database: Database, failed: Failed): BackgroundLoop {
  async function clear(isStopping: () => boolean): Promise<number> {
    for (const [companyId, id] of await database.query(database.isSharded ? unusedOfNodes : unused)) {
      if (isStopping()) break
      await removeFile(database, { companyId, id })
    }
    return FILE_CLEARING_MS
  }
  const loop = backgroundLoop(clear, failed, FILE_CLEARING_MS)
  loop.schedule(firstLookMs())
  return loop
}
