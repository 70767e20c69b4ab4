// What callers have done with an import: run it, cancel it, delete it.
import type { Queryable, Row } from '../../database/connect.ts'
import { holdRoom } from '../../database/hold-room.ts'
import { isId } from '../../engine/ids.ts'
import { notFound, Problem } from '../../http/problem.ts'
import type { Scope } from '../../http/scope.ts'
import { IMPORT_KEPT_MS, IMPORTS_WAITING } from '../../limits.ts'
import { readImport } from './reading.ts'

const kept = `updated_at = now(), kept_until = now() + make_interval(secs => ${IMPORT_KEPT_MS / 1000})`

/**
 * Throws `permission_denied` for a key that may not have an import run: what a file tells of may be there already, and is
 * changed then, which the verb of the request does not say.
 */
export async function requireUpdate(database: Queryable, { companyId, keyId }: Scope): Promise<void> {
  if (keyId === undefined) return
  const [row] = await database.query(
    `select 'update' = any (permissions) from api_keys where company_id = $1 and id = $2`,
    [companyId, keyId],
  )
  if (row?.[0] === true) return
  throw new Problem(
    'permission_denied',
    'The key has no permission to update, and an import changes what is there already. It may send a file and have it checked; run it with a key that may create and update.',
  )
}

/** How many of a company's imports are under way, and of how many bytes; who would have one more waits for others who would. */
export async function underWay(transaction: Queryable, companyId: string): Promise<[count: number, bytes: number]> {
  await holdRoom(transaction, `imports of ${companyId}`)
  const [row] = await transaction.query(
    `select count(*)::int, coalesce(sum(bytes), 0)::bigint from imports
     where company_id = $1 and state in ('sending', 'checking', 'running')`,
    [companyId],
  )
  return row as [number, number]
}

/** Has it wait for its turn to be run; gives the record. Throws `not_found`, and `conflict` where it cannot be run now. */
export async function runImport(transaction: Queryable, scope: Scope, id: string): Promise<string> {
  const { companyId, keyId, user } = scope
  // The row first: who waits for it, since a step is being written, is not to have all others wait for the room.
  const [state, isChecked, problem] = await hold(transaction, scope, id)
  if (state === 'running') throw new Problem('conflict', 'The import is running already.')
  if (state === 'checking')
    throw new Problem('conflict', 'The import is still being checked. Run it once its state is ready.')
  if (!isChecked)
    throw new Problem('conflict', problem ?? 'The import was cancelled before it was checked. Send the file again.')
  const [busy] = await underWay(transaction, companyId)
  if (busy >= IMPORTS_WAITING)
    throw new Problem(
      'conflict',
      `${busy} imports of this company are under way. Wait until some have ended, or cancel them.`,
    )
  await transaction.query(
    `update imports set state = 'running', progress = 0, tally = null, problem = null, started_at = null, finished_at = null,
       key_id = $3, user_id = $4, tries = 0, queued_at = now(), next_try_at = now(), leased_until = null, ${kept}
     where company_id = $1 and id = $2`,
    [companyId, id, keyId, user?.id],
  )
  return readImport(transaction, scope, id)
}

/** Ends it before its end: nothing more is written from then on. Gives the record. Throws `not_found`, and `conflict` where it has ended. */
export async function cancelImport(transaction: Queryable, scope: Scope, id: string): Promise<string> {
  const [state] = await hold(transaction, scope, id)
  if (state === 'done' || state === 'failed')
    throw new Problem('conflict', `The import has ended: its state is ${state}. What it wrote stays.`)
  if (state !== 'cancelled')
    await transaction.query(
      `update imports set state = 'cancelled', leased_until = null, finished_at = now(), ${kept}
       where company_id = $1 and id = $2`,
      [scope.companyId, id],
    )
  return readImport(transaction, scope, id)
}

/** Removes it with its file. Throws `not_found`, and `conflict` while it is being checked or run. */
export async function removeImport(transaction: Queryable, scope: Scope, id: string): Promise<void> {
  const [state] = await hold(transaction, scope, id)
  if (state === 'checking' || state === 'running')
    throw new Problem('conflict', 'The import is under way. Cancel it first.')
  await transaction.query('delete from imports where company_id = $1 and id = $2', [scope.companyId, id])
}

/** Its state, whether it was checked, and why it failed; held until the transaction ends. */
async function hold(transaction: Queryable, { companyId }: Scope, id: string): Promise<Row> {
  const [row] = isId(id)
    ? await transaction.query(
        `select state, is_checked, problem from imports
         where company_id = $1 and id = $2 and state <> 'sending' for update`,
        [companyId, id],
      )
    : []
  if (row === undefined) throw notFound('import', id)
  return row
}
