// Actions on an import: choose the outlets of its file, run it, cancel it, undo it, delete it. They share what a company may have at once.

import { bodyError, conflict, invalid, type MemberError, Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import { lockForTransaction } from '../../database/advisory-lock.ts'
import type { Queryable } from '../../database/connect.ts'
import type { FileLocation } from '../file-import/locations.ts'
import { importRow, type importStates, readImport } from './import.ts'
import { keptLonger, undoable } from './leases.ts'
import { IMPORT_UNDO_MS, IMPORTS_KEPT_BYTES, IMPORTS_WAITING } from './limits.ts'

/** Throws `permission_denied` for a key that may not update: a run changes existing records, which the permission of its route, `create`, does not cover. */
export function requireUpdate(scope: Scope): void {
  if (!scope.may('update'))
    throw new Problem(
      'permission_denied',
      'A run changes existing records, and the key has no permission to update. The key can send a file and have it checked; to run the import, use a key with the permissions create and update.',
    )
}

/** The same for an undo, which deletes what the import created, and updates what it changed. */
export function requireUndo(scope: Scope): void {
  if (!scope.may('update') || !scope.may('delete'))
    throw new Problem(
      'permission_denied',
      'An undo deletes what the import created and updates what it changed. Use a key with the permissions create, update and delete.',
    )
}

/**
 * Throws `conflict` if the company has too many imports under way, or too large files of them with one more of `fileBytes`. Requests
 * that add one wait for each other from here on.
 */
export async function requireRoom(transaction: Queryable, companyId: string, fileBytes?: number): Promise<void> {
  await lockForTransaction(transaction, `imports of ${companyId}`)
  const [row] = await transaction.query(
    `select count(*)::int, coalesce(sum(bytes), 0)::bigint from imports
     where company_id = $1 and state in ('sending', 'checking', 'running', 'undoing')`,
    [companyId],
  )
  const [count, sum] = row as [number, number]
  if (count < IMPORTS_WAITING && (fileBytes === undefined || sum + fileBytes <= IMPORTS_KEPT_BYTES)) return
  throw conflict(
    'imports_busy',
    `${count} imports of this company are under way. Wait until some have ended, or cancel them.`,
  )
}

/**
 * Queues it to be run, with or without stock; returns the record. Throws `not_found`, and `conflict` if it cannot be
 * run now.
 */
export async function runImport(transaction: Queryable, scope: Scope, id: string, setsStock: boolean): Promise<string> {
  const { companyId, keyId, user } = scope
  // The row is locked first: a request that waits for it while a step is written must not make all others wait for the
  // count.
  const { state, isChecked, problem, hasFile, wasUndone } = await hold(transaction, scope, id)
  refuseUndone(state, wasUndone)
  if (state === 'running') throw conflict('import_running', 'The import is already running.')
  if (state === 'checking')
    throw conflict('import_checking', 'The import is still being checked. Run it once its state is "ready".')
  if (!hasFile) throw conflict('import_file_gone', 'The file of the import is no longer kept. Send it again.')
  if (!isChecked)
    throw new Problem('conflict', problem ?? 'The import was cancelled before it was checked. Send its file again.')
  await requireRoom(transaction, companyId)
  await transaction.query(
    `update imports set state = 'running', with_stock = $5, progress = 0, tally = null, problem = null, started_at = null, finished_at = null,
       key_id = $3, user_id = $4, tries = 0, queued_at = now(), next_try_at = now(), leased_until = null, ${keptLonger}
     where company_id = $1 and id = $2`,
    [companyId, id, keyId, user?.id, setsStock],
  )
  return readImport(transaction, scope, id)
}

/** Queues it to be undone; returns the record. Throws `not_found`, and `conflict` if it cannot be undone. */
export async function undoImport(transaction: Queryable, scope: Scope, id: string): Promise<string> {
  const { companyId, keyId, user } = scope
  await requireUndoable(transaction, scope, id)
  await requireRoom(transaction, companyId)
  await transaction.query(
    `update imports set state = 'undoing', progress = 0, problem = null, key_id = $3, user_id = $4, tries = 0, queued_at = now(),
       next_try_at = now(), leased_until = null, updated_at = now()
     where company_id = $1 and id = $2`,
    [companyId, id, keyId, user?.id],
  )
  return readImport(transaction, scope, id)
}

/** Locks an import that can be undone. Throws `not_found`, and `conflict` with the reason if it cannot be. */
export async function requireUndoable(transaction: Queryable, scope: Scope, id: string): Promise<void> {
  const { state, isUndoable, undoBytes } = await hold(transaction, scope, id)
  if (state === 'undone' || state === 'undoing') refuseUndone(state, true)
  if (state === 'running')
    throw conflict('import_running', 'The import is running. Wait until it has ended, or cancel it first.')
  if (state === 'checking' || state === 'ready')
    throw conflict('import_not_run', 'The import has not been run, so there is nothing to undo.')
  if (isUndoable) return
  const days = IMPORT_UNDO_MS / 24 / 60 / 60 / 1000
  throw conflict(
    'import_not_undoable',
    undoBytes === 0
      ? `There is nothing to undo: the import wrote nothing, or it ended more than ${days} days ago.`
      : `The import can no longer be undone: it changed too much, or it ended more than ${days} days ago.`,
  )
}

/** Throws `conflict` for an import whose undo has begun. */
function refuseUndone(state: string, wasUndone: boolean): void {
  if (state === 'undoing') throw conflict('import_undoing', 'The import is being undone.')
  if (state === 'undone')
    throw conflict('import_undone', 'The import was undone. To import its file again, send it as a new import.')
  if (wasUndone)
    throw conflict(
      'import_undone_in_part',
      'The import was undone in part. Undo it again to finish, or send its file again.',
    )
}

/**
 * Cancels it: from then on nothing more is written. Returns the record. Throws `not_found`, and `conflict` if it has
 * ended.
 */
export async function cancelImport(transaction: Queryable, scope: Scope, id: string): Promise<string> {
  const { state } = await hold(transaction, scope, id)
  if (state === 'undoing')
    throw conflict('import_undoing', 'The import is being undone, which cannot be cancelled. Wait until it has ended.')
  if (state === 'done' || state === 'failed' || state === 'undone')
    throw conflict('import_ended', `The import has ended: its state is ${state}. What it wrote stays.`)
  if (state !== 'cancelled')
    await transaction.query(
      `update imports set state = 'cancelled', finished_at = now(), ${undoable}
       where company_id = $1 and id = $2`,
      [scope.companyId, id],
    )
  return readImport(transaction, scope, id)
}

/** Removes it with its file. Throws `not_found`, and `conflict` while it is being checked or run. */
export async function removeImport(transaction: Queryable, scope: Scope, id: string): Promise<void> {
  const { state } = await hold(transaction, scope, id)
  if (state === 'undoing') throw conflict('import_undoing', 'The import is being undone. Wait until it has ended.')
  if (state === 'checking' || state === 'running')
    throw conflict('import_running', 'The import is under way. Cancel it first.')
  await transaction.query('delete from imports where company_id = $1 and id = $2', [scope.companyId, id])
}

/** An import as actions on it find it. */
interface HeldImport {
  readonly state: (typeof importStates)[number]
  readonly isChecked: boolean
  /** Why it failed. */
  readonly problem: string | null
  readonly hasFile: boolean
  /** Whether an undo has begun. */
  readonly wasUndone: boolean
  readonly isUndoable: boolean
  /** Bytes of the changes that an undo would need. */
  readonly undoBytes: number
}

/** An import, locked until the transaction ends. Throws `not_found`. */
async function hold(transaction: Queryable, scope: Scope, id: string): Promise<HeldImport> {
  const columns =
    'state, is_checked, problem, has_file, undo is not null, coalesce(undo_until > now(), false), undo_bytes'
  const row = await importRow(transaction, scope, id, columns, 'for update')
  const [state, isChecked, problem, hasFile, wasUndone, isUndoable, undoBytes] = row
  return { state, isChecked, problem, hasFile, wasUndone, isUndoable, undoBytes }
}

/** The outlet that is chosen for a location; without one, the stock of the location is not imported. */
export interface ChosenOutlet {
  readonly location: string
  readonly outletId?: string
}

/**
 * Stores the outlets, and queues the import to be checked again; other locations keep theirs. Returns the import's record. Throws
 * `not_found`, `validation_failed`, and `conflict` unless the import is ready.
 */
export async function chooseOutlets(
  transaction: Queryable,
  scope: Scope,
  id: string,
  chosen: readonly ChosenOutlet[],
): Promise<string> {
  const { companyId, keyId, user } = scope
  const columns = `state, preview -> 'locations', outlets`
  const [state, shown, before] = await importRow(transaction, scope, id, columns, 'for update')
  if (state === 'checking')
    throw conflict('import_checking', 'The import is still being checked. Choose outlets once its state is "ready".')
  if (state !== 'ready')
    throw conflict(
      'import_not_ready',
      `Outlets can be chosen only while the import is "ready"; its state is "${state}". Upload the file again.`,
    )
  const former: Readonly<Record<string, string | null>> = JSON.parse(before ?? '{}')
  const locations = (JSON.parse(shown ?? '[]') as FileLocation[]).map(({ location, outletId }) => {
    return { location, outletId: outletId ?? (former[location] === null ? null : undefined) }
  })
  const outlets = await chosenOutlets(transaction, scope, locations, chosen)
  await requireRoom(transaction, companyId)
  await transaction.query(
    `update imports set state = 'checking', outlets = $3, is_checked = false, preview = null, refused = null, rows_refused = null, tally = null,
       progress = 0, outlet_id = case when $6 then null else outlet_id end, key_id = $4, user_id = $5, tries = 0, queued_at = now(), next_try_at = now(), leased_until = null, ${keptLonger}
     where company_id = $1 and id = $2`,
    // In a file with one location, `outlet_id` was the outlet of its stock until now.
    [companyId, id, JSON.stringify(Object.fromEntries(outlets)), keyId, user?.id, locations.length === 1],
  )
  return readImport(transaction, scope, id)
}

/** A location of the file, with its outlet so far; null if its stock is left out. */
interface LocationChoice {
  readonly location: string
  readonly outletId: string | null | undefined
}

/** The outlets of all locations, null for those whose stock is left out. Throws `validation_failed`. */
async function chosenOutlets(
  transaction: Queryable,
  { companyId }: Scope,
  locations: readonly LocationChoice[],
  chosen: readonly ChosenOutlet[],
): Promise<Map<string, string | null>> {
  const found = await transaction.query('select id from outlets where company_id = $1', [companyId])
  const existing = new Set(found.map(([id]) => id))
  const known = locations.map(({ location }) => location)
  const others = locations.filter(({ location }) => !chosen.some((own) => own.location === location))
  const outlets = new Map<string, string | null>(
    others.flatMap(({ location, outletId }) => (outletId === undefined ? [] : [[location, outletId]])),
  )
  const errors: MemberError[] = []
  for (const [n, { location, outletId }] of chosen.entries()) {
    const wrong = (member: keyof ChosenOutlet, code: string, message: string) =>
      void errors.push(bodyError(`/locations/${n}/${member}`, code, message))
    const named = known.map((one) => `"${one}"`).join(', ')
    if (!known.includes(location))
      wrong(
        'location',
        'enum',
        named === '' ? 'must not be sent: the file names no locations' : `must be a location of the file: ${named}`,
      )
    else if (outlets.has(location)) wrong('location', 'duplicate', 'must not be the location of an earlier entry')
    if (outletId !== undefined && !existing.has(outletId)) wrong('outletId', 'enum', 'must be the id of an outlet')
    else if (outletId !== undefined && [...outlets.values()].includes(outletId))
      wrong('outletId', 'duplicate', 'must not be the outlet of another location')
    outlets.set(location, outletId ?? null)
  }
  if (errors.length > 0) throw invalid(errors)
  return outlets
}
