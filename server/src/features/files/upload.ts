// The upload and the removal of an attachment's file: its chunks as they arrive, then the record and its event in one transaction.

import { createHash } from 'node:crypto'
import { type FairSemaphore, fairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { later } from '../../core/date-time.ts'
import { requireMatch } from '../../core/etag.ts'
import { isId, newId, type RowKey } from '../../core/ids.ts'
import { SOCKET_SILENCE_MS } from '../../core/limits.ts'
import { bodyError, invalid, notFound, Problem, unavailable } from '../../core/problem.ts'
import { divided } from '../../core/worker-share.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { inTransaction, retriedTransaction } from '../../engine/bisect-on-error.ts'
import { once, transacted } from '../../engine/idempotency.ts'
import type { JsonObject, Key } from '../../engine/record.ts'
import { store } from '../../engine/store.ts'
import { writing } from '../../engine/writing.ts'
import type { FileBody } from '../../http/connection/streamed-body.ts'
import { type Answer, type Call, ok } from '../../http/route.ts'
import { attachment } from '../../resources/attachment.ts'
import type { ObjectStore } from './object-store.ts'
import { OBJECT_BYTES } from './object-store.ts'
import { removeFile } from './stored.ts'

/** Bytes of a file: a photograph of any camera, a scanned contract. */
export const FILE_BYTES = 25 * 1024 * 1024
/** Bytes of all files of a company: they are in the database and each of its backups, and in each file of the company. */
const COMPANY_FILES_BYTES = 10 * 1024 ** 3
/** Bytes of one stored chunk, written and read at once: a statement of some ms. */
const FILE_CHUNK_BYTES = 256 * 1024
/** Milliseconds for which a replaced file can still be read by requests that have begun to. */
const FILE_REPLACED_MS = 600_000
/** Uploads that store a chunk at the same time, and uploads that wait to. */
const FILE_CHUNKS = { name: 'file_upload', atOnce: 1, waiting: divided(200, 50) } as const
/** The same if chunks are objects, since storing one waits for the network. */
const FILE_OBJECTS = { name: 'file_upload', atOnce: 8, waiting: divided(50, 12) } as const

/** Milliseconds without a chunk after which an upload is given up because its server died: by then its connection is closed. */
const sendingMs = 2 * SOCKET_SILENCE_MS

/** Codes of refusals that do not wait for the file. */
const refusedUnread: ReadonlySet<string> = new Set(['conflict', 'not_found', 'version_mismatch'])

const { find, lock, replace } = store(attachment)
const { shown } = writing(attachment)
const slow = () => unavailable('The file was refused: it arrived too slowly. Send it again.', 'slow_upload')
const keyOf = ({ scope, params }: Call): Key => ({ scope, id: params.id as string })

/** The result of an upload: the member `file` of its attachment, and where its bytes are. */
interface Received extends RowKey {
  readonly file: { readonly bytes: number; readonly contentType: string; readonly sha256: string }
}

/**
 * Makes the function that receives a file, over connections of its own: answers 200 with the attachment. Throws
 * `not_found` and `conflict` before it reads any of it, `version_mismatch`, and what breaks the connection; then the
 * attachment keeps the file that it had.
 */
export function fileReceiver(database: Database, objects: ObjectStore | undefined): (call: Call) => Promise<Answer> {
  const places = { database, objects, turns: fairSemaphore(objects ? FILE_OBJECTS : FILE_CHUNKS) }
  return async (call) => {
    const key = keyOf(call)
    const { companyId } = key.scope
    const file: RowKey = { companyId, id: newId() }
    let isKept = false
    try {
      await begin(database, key, file, call)
      const received = await receive(places, { call, file })
      return await once(database, call.claim, async (connection) => {
        const answer = await inTransaction(database, connection, (transaction) =>
          attach(transaction, key, received, call),
        )
        isKept = answer.isKept
        return ok(answer.text)
      })
    } catch (error) {
      // The first request may have been carried out, and a repeated one is recognized only by its whole body.
      if (call.claim && error instanceof Problem && refusedUnread.has(error.code)) await call.file?.drain()
      throw error
    } finally {
      // If the database is unavailable, it is removed later, once its lease has expired.
      if (!isKept) await removeFile(database, file).catch(() => {})
    }
  }
}

/** Makes the function that removes an attachment's file: answers 200 with the attachment. Throws `not_found` if it has none. */
export function fileRemover(database: Database): (call: Call) => Promise<Answer> {
  return (call) => {
    const key = keyOf(call)
    return transacted(database, call.claim, async (transaction) => {
      const { version, record } = await held(transaction, key, call)
      if (record.file === undefined) throw noFile(key.id)
      await replaced(transaction, key)
      return ok(await write(transaction, { ...key, version }, record, undefined))
    })
  }
}

/** 404 for an attachment that exists but has no file. */
export const noFile = (id: string): Problem => new Problem('not_found', `The attachment ${id} has no file.`)

/**
 * Inserts the row of the upload. Throws if the attachment does not exist or has another version, or the company has no
 * room.
 */
async function begin(database: Database, key: Key, { companyId, id }: RowKey, call: Call): Promise<void> {
  const { declaredBytes = FILE_BYTES, contentType } = call.file as FileBody
  if (declaredBytes === 0) throw invalid([bodyError('', 'required', 'must be a file, but is empty')])
  const [row] = isId(key.id) ? await find(database, [key]) : []
  if (row === undefined) throw notFound('attachment', key.id)
  requireMatch(call.ifMatch, String(row.text))
  await retriedTransaction(database, async (transaction) => {
    const [held] = await transaction.query(
      'select coalesce(sum(bytes), 0) from attachment_files where company_id = $1',
      [companyId],
    )
    if (Number(held?.[0]) + declaredBytes > COMPANY_FILES_BYTES)
      throw new Problem(
        'conflict',
        `The files of this company would take more than ${COMPANY_FILES_BYTES / 1024 ** 3} GB. Remove some first.`,
      )
    await transaction.query(
      `insert into attachment_files (company_id, id, attachment_id, bytes, content_type, leased_until, created_at)
       values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6), now())`,
      [companyId, id, key.id, declaredBytes, contentType, sendingMs / 1000],
    )
  })
}

/** Where chunks are stored, and the turns of those that store them. */
interface ChunkPlaces {
  readonly database: Database
  /** Without it they are in the database. */
  readonly objects: ObjectStore | undefined
  readonly turns: FairSemaphore
}

/** Stores the chunks as they arrive. */
async function receive(
  { database, objects, turns }: ChunkPlaces,
  { call, file }: { readonly call: Call; readonly file: RowKey },
): Promise<Received> {
  const { scope, params, isGone, authorizeAgain } = call
  const body = call.file as FileBody
  const digest = createHash('sha256')
  let bytes = 0
  for (let number = 0; ; number++) {
    const chunk = await body.next(objects ? OBJECT_BYTES : FILE_CHUNK_BYTES)
    // Also after the last chunk: if the key was deleted meanwhile, nothing is stored.
    await authorizeAgain()
    if (chunk.length === 0) break
    digest.update(chunk)
    bytes += chunk.length
    const object = objects?.newName(scope.companyId, params.id as string)
    await turns({ tenant: scope.companyId, isGone }, async () => {
      // The row comes first: an object that no row names would stay for ever.
      await storeChunk(database, file, { number, ...(object === undefined ? { bytes: chunk } : { object }) })
      if (object !== undefined) await objects?.write(object, chunk)
    })
  }
  if (bytes === 0) throw invalid([bodyError('', 'required', 'must be a file, but is empty')])
  return { ...file, file: { bytes, contentType: body.contentType, sha256: digest.digest('hex') } }
}

/** A chunk: its bytes, or the object that will have them. */
interface FileChunk {
  readonly number: number
  readonly bytes?: Buffer
  readonly object?: string
}

async function storeChunk(database: Queryable, { companyId, id }: RowKey, { number, bytes, object }: FileChunk) {
  const rows = await database.query(
    {
      name: 'attachment_file_chunk_store',
      text: `
      with sending as (
        update attachment_files set leased_until = now() + make_interval(secs => $5)
        where company_id = $1 and id = $2 and not is_stored and leased_until > now() returning 1
      )
      insert into attachment_file_pieces (company_id, file_id, number, bytes, object)
      select $1, $2, $3, $4, $6 from sending returning 1`,
    },
    [companyId, id, number, bytes ?? null, sendingMs / 1000, object ?? null],
  )
  if (rows.length === 0) throw slow()
}

/** Gives the file to its attachment in the caller's transaction; a file with the same content changes nothing. */
async function attach(
  transaction: Queryable,
  key: Key,
  { companyId, id, file }: Received,
  call: Call,
): Promise<{ text: string; isKept: boolean }> {
  const { version, record, text } = await held(transaction, key, call)
  const { sha256, contentType } = (record.file ?? {}) as Partial<Received['file']>
  if (sha256 === file.sha256 && contentType === file.contentType) return { text, isKept: false }
  await replaced(transaction, key)
  const rows = await transaction.query(
    `update attachment_files set is_stored = true, leased_until = null, bytes = $3, sha256 = $4
     where company_id = $1 and id = $2 and leased_until > now() returning 1`,
    [companyId, id, file.bytes, file.sha256],
  )
  if (rows.length === 0) throw slow()
  return { text: await write(transaction, { ...key, version }, record, file), isKept: true }
}

/** Locks an attachment and returns it. Throws `not_found` and `version_mismatch`. */
async function held(transaction: Queryable, key: Key, { ifMatch }: Call) {
  const known = isId(key.id)
  if (known) await lock(transaction, [key])
  const [row] = known ? await find(transaction, [key]) : []
  if (row === undefined) throw notFound('attachment', key.id)
  const text = row.text as string
  requireMatch(ifMatch, text)
  return { version: row.version, text, record: JSON.parse(text) as JsonObject }
}

/** The file of an attachment is replaced, or removed: requests that are reading it continue. */
const replaced = (transaction: Queryable, { scope, id }: Key) =>
  transaction.query(
    `update attachment_files set is_stored = false, leased_until = now() + make_interval(secs => $3)
     where company_id = $1 and attachment_id = $2 and is_stored`,
    [scope.companyId, id, FILE_REPLACED_MS / 1000],
  )

/** Writes a locked attachment with its new file, and the event. */
async function write(
  transaction: Queryable,
  key: Key & { readonly version: number },
  before: JsonObject,
  file: Received['file'] | undefined,
): Promise<string> {
  const updatedAt = later(new Date().toISOString(), String(before.updatedAt))
  const body = shown({ ...before, file: file && { ...file, uploadedAt: updatedAt }, updatedAt })
  const previous = JSON.stringify({ file: before.file ?? null })
  const events = [{ id: newId(), type: `${attachment.name.one}.updated`, previous }]
  await replace(transaction, [{ ...key, body, events, claims: [] }], true)
  return body
}
