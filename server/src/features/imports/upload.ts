// The upload of a file: checked by its first chunk, stored chunk by chunk, and complete as an import that waits to be
// checked. A kept file can be imported again.

import { type FairSemaphore, fairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { isId, newId } from '../../core/ids.ts'
import { SOCKET_SILENCE_MS } from '../../core/limits.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { conflict, notFound, Problem, unavailable } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { inTransaction, retriedTransaction } from '../../engine/bisect-on-error.ts'
import { once } from '../../engine/idempotency.ts'
import type { FileBody } from '../../http/connection/streamed-body.ts'
import type { Answer, Call } from '../../http/route.ts'
import { outletOf } from '../file-import/catalog/stored.ts'
import { csvOf } from '../file-import/csv.ts'
import { formatOf } from '../file-import/formats.ts'
import type { Format, ShopName } from '../file-import/load.ts'
import { requireUpdate, underWay } from './changes.ts'
import { type ImportKey, readImport } from './import.ts'
import { sourceOf, storeChunk } from './kept-files.ts'
import {
  IMPORT_BYTES,
  IMPORT_KEPT_MS,
  IMPORT_PIECE_BYTES,
  IMPORT_PIECES,
  IMPORT_PIECES_COPIED,
  IMPORT_READ_BYTES,
  IMPORTS_KEPT,
  IMPORTS_KEPT_BYTES,
  IMPORTS_UNDO_BYTES,
  IMPORTS_WAITING,
} from './limits.ts'

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
  const pieces = fairSemaphore(IMPORT_PIECES)
  return async (call) => {
    const file = call.file as FileBody
    let key: ImportKey | undefined
    try {
      if (call.query.run) await requireUpdate(database, call.scope)
      const first = await file.next(IMPORT_PIECE_BYTES)
      const { fileName = 'products.csv', shop: named, outletId, run = false } = call.query
      const format = await formatIn(first, fileName, named)
      if (outletId !== undefined) await outletOf(database, call.scope, outletId, true)
      key = await begin(database, call, { fileName, format, outletId, run })
      const bytes = await store(database, pieces, { call, key, first })
      const { companyId, id } = key
      return await once(database, call.claim, async (connection) => {
        await inTransaction(database, connection, async (transaction) => {
          await finish(transaction, { companyId, id }, bytes)
          // Not earlier: a file that never arrives must not remove older imports of the company.
          await giveUpOldest(transaction, companyId)
        })
        return { status: 201, body: await readImport(connection, call.scope, id) }
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

interface Wanted {
  readonly fileName: string
  readonly format: Format
  readonly outletId: string | undefined
  readonly run: boolean
}

/** Inserts the row if the company has room for it. Throws `conflict`. */
function begin(
  database: Database,
  { scope, file }: Call,
  { fileName, format, outletId, run }: Wanted,
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

/** Throws `conflict` if one more import of `bytes` would exceed the company's limits. */
async function requireRoom(transaction: Queryable, companyId: string, bytes: number): Promise<void> {
  const [count, sum] = await underWay(transaction, companyId)
  if (count < IMPORTS_WAITING && sum + bytes <= IMPORTS_KEPT_BYTES) return
  throw conflict(
    'imports_busy',
    `${count} imports of this company are under way. Wait until some have ended, or cancel them.`,
  )
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

interface Sending {
  readonly call: Call
  readonly key: ImportKey
  readonly first: Buffer
}

/** Stores the file as it arrives; returns its size in bytes. */
async function store(database: Database, pieces: FairSemaphore, { call, key, first }: Sending): Promise<number> {
  const { scope, file, isGone, authorizeAgain } = call
  let bytes = 0
  for (let number = 0, piece = first; piece.length > 0; number++) {
    const own = { number, bytes: piece, leaseMs: sendingMs }
    const isStored = await pieces({ tenant: scope.companyId, isGone }, () => storeChunk(database, key, own))
    if (!isStored) throw unavailable('The file was refused: it arrived too slowly. Send it again.', 'slow_upload')
    bytes += piece.length
    piece = await (file as FileBody).next(IMPORT_PIECE_BYTES)
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

/** Makes it, and returns its record. Throws `not_found`, and `conflict` if the file is not kept or there is no room. */
export async function repeatImport(transaction: Queryable, scope: Scope, id: string): Promise<string> {
  const { companyId, keyId, user } = scope
  const [row] = isId(id)
    ? await transaction.query(
        `select state, has_file, bytes from imports where company_id = $1 and id = $2 and state <> 'sending' for update`,
        [companyId, id],
      )
    : []
  if (row === undefined) throw notFound('import', id)
  const [state, hasFile, bytes] = row as [string, boolean, number]
  if (['checking', 'running', 'undoing'].includes(state))
    throw conflict('import_running', `The import is under way: its state is ${state}. Wait until it has ended.`)
  if (!hasFile) throw conflict('import_file_gone', 'The file of the import is no longer kept. Send it again.')
  const copyId = newId()
  await transaction.query(
    `insert into imports (company_id, id, file_name, bytes, kind, shop, outlet_id, state, key_id, user_id, runs_by_itself, repeats,
       next_try_at, queued_at, kept_until, created_at, updated_at)
     select company_id, $3, file_name, bytes, kind, shop, outlet_id, 'sending', $4, $5, false, id, now(), now(), now(), now(), now()
     from imports where company_id = $1 and id = $2`,
    [companyId, id, copyId, keyId, user?.id],
  )
  for (let first = 0; first * IMPORT_PIECE_BYTES < bytes; first += IMPORT_PIECES_COPIED)
    await transaction.query(
      `insert into import_pieces (company_id, import_id, number, bytes)
       select company_id, $3, number, bytes from import_pieces
       where company_id = $1 and import_id = $2 and number >= $4 and number < $4 + ${IMPORT_PIECES_COPIED}`,
      [companyId, id, copyId, first],
    )
  // Not earlier: other uploads wait for this lock.
  await requireRoom(transaction, companyId, 0)
  await transaction.query(
    `update imports set state = 'checking', kept_until = now() + make_interval(secs => $3) where company_id = $1 and id = $2`,
    [companyId, copyId, IMPORT_KEPT_MS / 1000],
  )
  await giveUpOldest(transaction, companyId)
  return readImport(transaction, scope, copyId)
}
