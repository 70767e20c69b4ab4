// The upload of a file: checked by its first chunk, stored chunk by chunk, and complete as an import that waits to be
// checked.

import { type FairSemaphore, fairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { newId } from '../../core/ids.ts'
import { SOCKET_SILENCE_MS } from '../../core/limits.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { Problem, unavailable } from '../../core/problem.ts'
import { divided } from '../../core/worker-share.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { inTransaction, retriedTransaction } from '../../engine/bisect-on-error.ts'
import { once } from '../../engine/idempotency.ts'
import type { FileBody } from '../../http/connection/streamed-body.ts'
import { type Answer, type Call, ok } from '../../http/route.ts'
import { outletOf } from '../file-import/catalog/stored.ts'
import { csvOf } from '../file-import/csv.ts'
import { formatOf } from '../file-import/formats.ts'
import type { Format, ShopName } from '../file-import/load.ts'
import { requireRoom, requireUpdate } from './changes.ts'
import { type ImportKey, readImport } from './import.ts'
import { giveUpOldest, sourceOf, storeChunk } from './kept-files.ts'
import { IMPORT_BYTES, IMPORT_CHUNK_BYTES, IMPORT_KEPT_MS, IMPORT_READ_BYTES } from './limits.ts'

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
    let key: ImportKey | undefined
    try {
      if (call.query.run) await requireUpdate(database, call.scope)
      const first = await file.next(IMPORT_CHUNK_BYTES)
      const { fileName = 'products.csv', shop: named, outletId, run = false } = call.query
      const format = await formatIn(first, fileName, named)
      if (outletId !== undefined) await outletOf(database, call.scope, outletId, true)
      key = await begin(database, call, { fileName, format, outletId, run })
      const bytes = await store(database, turns, { call, key, first })
      const { companyId, id } = key
      return await once(database, call.claim, async (connection) => {
        await inTransaction(database, connection, async (transaction) => {
          await finish(transaction, { companyId, id }, bytes)
          // Not earlier: a file that never arrives must not remove older imports of the company.
          await giveUpOldest(transaction, companyId)
        })
        return ok(await readImport(connection, call.scope, id), 201)
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

/** The kind of file that begins like this; only the beginning is parsed. Throws `malformed_body` if there is none. */
async function formatIn(first: Buffer, fileName: string, named: ShopName | undefined): Promise<Format> {
  const head = first.subarray(0, IMPORT_READ_BYTES)
  const source = sourceOf(fileName, head.length, async function* () {
    yield head
  })
  try {
    return formatOf(await csvOf({ ...source, isCut: head.length === IMPORT_READ_BYTES }), named)
  } catch (error) {
    throw error instanceof OperatorError ? new Problem('malformed_body', error.message) : error
  }
}

interface UploadParameters {
  readonly fileName: string
  readonly format: Format
  readonly outletId: string | undefined
  readonly run: boolean
}

/** Inserts the row if the company has room for it. Throws `conflict`. */
function begin(
  database: Database,
  { scope, file }: Call,
  { fileName, format, outletId, run }: UploadParameters,
): Promise<ImportKey> {
  const { companyId, keyId, user } = scope
  const bytes = file?.declaredBytes ?? IMPORT_BYTES
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

interface ImportUpload {
  readonly call: Call
  readonly key: ImportKey
  readonly first: Buffer
}

/** Stores the file as it arrives; returns its size in bytes. */
async function store(database: Database, turns: FairSemaphore, { call, key, first }: ImportUpload): Promise<number> {
  const { scope, file, isGone, authorizeAgain } = call
  let bytes = 0
  for (let number = 0, chunk = first; chunk.length > 0; number++) {
    const own = { number, bytes: chunk, leaseMs: sendingMs }
    const isStored = await turns({ tenant: scope.companyId, isGone }, () => storeChunk(database, key, own))
    if (!isStored) throw unavailable('The file was refused: it arrived too slowly. Send it again.', 'slow_upload')
    bytes += chunk.length
    chunk = await (file as FileBody).next(IMPORT_CHUNK_BYTES)
    // After the last chunk too: if the key was deleted meanwhile, nothing stays.
    await authorizeAgain()
  }
  return bytes
}

/** From now on it exists, and waits to be checked. */
async function finish(connection: Queryable, { companyId, id }: ImportKey, bytes: number): Promise<void> {
  const rows = await connection.query(
    `update imports set state = 'checking', bytes = $3, leased_until = null, queued_at = now(), next_try_at = now(),
       kept_until = now() + make_interval(secs => $4), created_at = now(), updated_at = now()
     where company_id = $1 and id = $2 and state = 'sending' returning 1`,
    [companyId, id, bytes, IMPORT_KEPT_MS / 1000],
  )
  if (rows.length === 0) throw unavailable('The file was refused: it arrived too slowly. Send it again.', 'slow_upload')
}

/** Deletes a file that was refused. If the database is unavailable, it is cleared later, once its lease has expired. */
const forget = (database: Queryable, { companyId, id }: ImportKey): Promise<unknown> =>
  database
    .query(`delete from imports where company_id = $1 and id = $2 and state = 'sending'`, [companyId, id])
    .catch(() => {})
