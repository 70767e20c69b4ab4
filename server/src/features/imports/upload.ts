// The upload of a file, from a client or from this machine: checked by its first chunk, stored chunk by chunk, and
// complete as an import that waits to be checked.

import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { fairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { unreadable } from '../../core/file-errors.ts'
import { newId, type RowKey } from '../../core/ids.ts'
import { SOCKET_SILENCE_MS } from '../../core/limits.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { Problem, unavailable } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import { divided } from '../../core/worker-share.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { inTransaction, retriedTransaction } from '../../engine/bisect-on-error.ts'
import { once } from '../../engine/idempotency.ts'
import type { FileBody } from '../../http/connection/streamed-body.ts'
import { type Answer, type Call, ok } from '../../http/route.ts'
import { csvOf } from '../file-import/csv.ts'
import { formatOf } from '../file-import/formats.ts'
import type { ShopName } from '../file-import/layout.ts'
import type { Format } from '../file-import/load.ts'
import { outletOf } from '../file-import/writers.ts'
import { requireRoom, requireUpdate } from './actions.ts'
import { readImport } from './import.ts'
import { giveUpOldest, sourceOf, storeChunk } from './kept-files.ts'
import { FILE_NAME_CHARACTERS, IMPORT_BYTES, IMPORT_KEPT_MS, IMPORT_READ_BYTES, IMPORTS_KEPT_BYTES } from './limits.ts'

/** Bytes of one stored chunk, written and read at once: a statement of some ms. */
const IMPORT_CHUNK_BYTES = 1024 * 1024
/** Uploads that wait to store a chunk, one at a time: the connection is one of two. */
const IMPORT_CHUNKS = { name: 'import_upload', atOnce: 1, waiting: divided(200, 50) } as const

/**
 * Milliseconds without data after which an upload is given up because its server died: by then its connection is
 * closed.
 */
const sendingMs = 2 * SOCKET_SILENCE_MS

/**
 * Makes the function that receives files: answers 201 with the import. Throws 400 for another kind of file, once its
 * first chunk is here.
 */
export function receiver(database: Database): (call: Call) => Promise<Answer> {
  const turns = fairSemaphore(IMPORT_CHUNKS)
  return async (call) => {
    const file = call.file as FileBody
    let key: RowKey | undefined
    try {
      if (call.query.run) requireUpdate(call.scope)
      const first = await file.next(IMPORT_CHUNK_BYTES)
      const { fileName = 'upload.csv', shop: named, outletId, run = false } = call.query
      const format = await formatIn(first, fileName, named).catch((error) => {
        throw error instanceof OperatorError ? new Problem('malformed_body', error.message) : error
      })
      if (outletId !== undefined) await outletOf(database, call.scope, outletId, true)
      const bytesMost = file.declaredBytes ?? IMPORT_BYTES
      const begun = await begin(database, call.scope, { fileName, format, outletId, run, bytes: bytesMost })
      key = begun
      const store = (number: number, chunk: Buffer) =>
        turns({ tenant: call.scope.companyId, isGone: call.isGone }, () => storeNext(database, begun, number, chunk))
      let bytes = 0
      for (let number = 0, chunk = first; chunk.length > 0; number++) {
        await store(number, chunk)
        bytes += chunk.length
        chunk = await file.next(IMPORT_CHUNK_BYTES)
        // After the last chunk too: if the key was deleted meanwhile, nothing stays.
        await call.authorizeAgain()
      }
      return await once(database, call.claim, async (connection) => {
        await inTransaction(database, connection, (transaction) => finish(transaction, begun, bytes))
        return ok(await readImport(connection, call.scope, begun.id), 201)
      })
    } catch (error) {
      if (key) await forget(database, key)
      // A repeated request is recognized only by its whole body; a file that was refused was not stored.
      const mayBeDone = error instanceof Problem && (error.code === 'conflict' || error.code === 'not_found')
      if (call.claim && mayBeDone) await file.drain()
      throw error
    }
  }
}

/** What the command line says of a file. */
interface LocalFile {
  readonly path: string
  readonly shop: ShopName
  readonly outletId: string | undefined
  readonly run: boolean
}

/**
 * Sends a file of this machine; returns its import. Throws an OperatorError if there is no such file or it is another
 * kind of file, `conflict`, and `not_found` for the outlet.
 */
export async function sendLocal(
  database: Database,
  scope: Scope,
  { path, shop, outletId, run }: LocalFile,
): Promise<RowKey> {
  const file = await openLocal(path)
  try {
    const { size } = await file.stat()
    if (size > IMPORTS_KEPT_BYTES)
      throw new OperatorError(
        `${path} is larger than ${IMPORTS_KEPT_BYTES / 1024 / 1024} MB. Split it into several files.`,
      )
    const chunkOf = async () => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, IMPORT_CHUNK_BYTES)))
      return buffer.subarray(0, bytesRead)
    }
    const first = await chunkOf()
    const fileName = basename(path).slice(0, FILE_NAME_CHARACTERS).toWellFormed()
    const format = await formatIn(first, fileName, shop)
    if (outletId !== undefined) await outletOf(database, scope, outletId, true)
    const key = await begin(database, scope, { fileName, format, outletId, run, bytes: size })
    try {
      let bytes = 0
      for (let number = 0, chunk = first; chunk.length > 0; number++) {
        await storeNext(database, key, number, chunk)
        bytes += chunk.length
        chunk = await chunkOf()
      }
      await database.transaction((transaction) => finish(transaction, key, bytes))
      return key
    } catch (error) {
      await forget(database, key)
      throw error
    }
  } finally {
    await file.close()
  }
}

async function openLocal(path: string): Promise<FileHandle> {
  const file = await open(path).catch(unreadable(path))
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new OperatorError(`${path} is not a file.`)
}

/** The kind of file that begins like this; only the beginning is parsed. Throws an OperatorError if there is none. */
async function formatIn(first: Buffer, fileName: string, named: ShopName | undefined): Promise<Format> {
  const head = first.subarray(0, IMPORT_READ_BYTES)
  const source = sourceOf(fileName, head.length, async function* () {
    yield head
  })
  return formatOf(await csvOf({ ...source, isCut: head.length === IMPORT_READ_BYTES }), named)
}

/** A file that is about to be stored. */
interface BegunFile {
  readonly fileName: string
  readonly format: Format
  readonly outletId: string | undefined
  readonly run: boolean
  /** Its size, or the largest that it can have. */
  readonly bytes: number
}

/** Inserts the row if the company has room for it. Throws `conflict`. */
function begin(
  database: Database,
  { companyId, keyId, user }: Scope,
  { fileName, format, outletId, run, bytes }: BegunFile,
): Promise<RowKey> {
  return retriedTransaction(database, async (transaction) => {
    await requireRoom(transaction, companyId, bytes)
    const id = newId()
    await transaction.query(
      `insert into imports (company_id, id, file_name, bytes, kind, shop, outlet_id, state, key_id, user_id, runs_by_itself,
         leased_until, next_try_at, queued_at, kept_until, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, 'sending', $8, $9, $10, now() + make_interval(secs => $11), now(), now(), now(), now(), now())`,
      [companyId, id, fileName, bytes, format.kind, format.shop, outletId, keyId, user?.id, run, sendingMs / 1000],
    )
    return { companyId, id }
  })
}

const tooSlow = () => unavailable('The file was refused: it arrived too slowly. Send it again.', 'slow_upload')

/** Throws 503 `slow_upload` if the file is no longer wanted. */
async function storeNext(database: Queryable, key: RowKey, number: number, bytes: Buffer): Promise<void> {
  if (!(await storeChunk(database, key, { number, bytes, leaseMs: sendingMs }))) throw tooSlow()
}

/** From now on it exists, and waits to be checked. */
async function finish(transaction: Queryable, { companyId, id }: RowKey, bytes: number): Promise<void> {
  const rows = await transaction.query(
    `update imports set state = 'checking', bytes = $3, leased_until = null, queued_at = now(), next_try_at = now(),
       kept_until = now() + make_interval(secs => $4), created_at = now(), updated_at = now()
     where company_id = $1 and id = $2 and state = 'sending' returning 1`,
    [companyId, id, bytes, IMPORT_KEPT_MS / 1000],
  )
  if (rows.length === 0) throw tooSlow()
  // Not earlier: a file that never arrives must not remove older imports of the company.
  await giveUpOldest(transaction, companyId)
}

/** Deletes a file that was refused. If the database is unavailable, it is cleared later, once its lease has expired. */
const forget = (database: Queryable, { companyId, id }: RowKey): Promise<unknown> =>
  database
    .query(`delete from imports where company_id = $1 and id = $2 and state = 'sending'`, [companyId, id])
    .catch(() => {})
