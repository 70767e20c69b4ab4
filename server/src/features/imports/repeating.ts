// Makes a new import of a kept file: checked against the current catalogue, and run on its own.

import { isId, newId } from '../../core/ids.ts'
import { IMPORT_KEPT_MS, IMPORT_PIECE_BYTES, IMPORT_PIECES_COPIED } from '../../core/limits.ts'
import { notFound, Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Queryable } from '../../database/connect.ts'
import { readImport } from './reading.ts'
import { giveUpOldest, requireRoom } from './upload.ts'

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
    throw new Problem('conflict', `The import is under way: its state is ${state}. Wait until it has ended.`)
  if (!hasFile) throw new Problem('conflict', 'The file of the import is no longer kept. Send it again.')
  const copyId = newId()
  await transaction.query(
    `insert into imports (company_id, id, file_name, bytes, shop, outlet_id, state, key_id, user_id, runs_by_itself, repeats,
       next_try_at, queued_at, kept_until, created_at, updated_at)
     select company_id, $3, file_name, bytes, shop, outlet_id, 'sending', $4, $5, false, id, now(), now(), now(), now(), now()
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
