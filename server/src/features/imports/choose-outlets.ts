// Chooses the outlets of a file's locations, and queues the import to be checked again with them.

import { bodyError, conflict, invalid, type MemberError } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Queryable } from '../../database/connect.ts'
import type { FileLocation } from '../file-import/locations.ts'
import { requireRoom } from './actions.ts'
import { importRow, readImport } from './import.ts'
import { keptLonger } from './leases.ts'

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
