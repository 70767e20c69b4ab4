// Hard deletes: removes rows and puts their last state into their events; a delete for a version only while the record still has it.

import { type Condition, isMet, versionMismatch } from '../core/etag.ts'
import { newId } from '../core/ids.ts'
import { notFound, Problem } from '../core/problem.ts'
import type { Queryable } from '../database/connect.ts'
import { overtakenTooOften, retryOnConflict, UPDATE_ROUNDS } from './bisect-on-error.ts'
import type { ResourceContext } from './context.ts'
import type { ItemResult, Key } from './record.ts'
import { spoken } from './resource.ts'
import { partOf, type Store, type StoredRow } from './store.ts'

/** A record to be deleted, and the index of its result. */
interface Removal extends Key {
  readonly index: number
  readonly ifMatch?: Condition | undefined
  /** The version that was read, where `ifMatch` asks for one. */
  readonly version?: number
}

/** How records are removed, and where the results go. */
interface RemovalRun {
  readonly connection: Queryable
  /** False: nothing waits for a row that another transaction holds; such items get no result. */
  readonly waits: boolean
  /** The result of each removal, at its index. */
  readonly results: (ItemResult | undefined)[]
}

const isBound = ({ ifMatch }: Removal) => ifMatch !== undefined && ifMatch !== '*'

/** Hard-deletes many records. */
export async function removeRows(
  { resource, store }: ResourceContext,
  removals: readonly Removal[],
  run: RemovalRun,
): Promise<void> {
  const { connection, waits, results } = run
  for (const { index, id } of removals) results[index] = notFound(spoken(resource.name.one), id)
  if (removals.length === 0) return
  const bound = removals.filter(isBound)
  // All of them, so that two transactions lock them in the same order although each deletes those without a version first.
  if (connection.inTransaction && bound.length > 0) await store.lock(connection, removals)
  const unbound = removals.filter((removal) => !isBound(removal))
  await removeOnce(store, unbound, run)
  let waiting: readonly Removal[] = bound
  let part = Number.POSITIVE_INFINITY
  for (let races = 0; waiting.length > 0; ) {
    if (races === UPDATE_ROUNDS) {
      for (const { index } of waiting) results[index] = overtakenTooOften()
      return
    }
    const asked = waiting.slice(0, part)
    const stored = await store.find(connection, asked)
    part = partOf(asked.length, stored.length)
    const left = await removeOnce(store, matching(waiting, stored, results), run)
    // A removal that was overtaken between reading and deleting looks again; one that must not wait does not.
    waiting = [...(waits ? left : []), ...waiting.slice(stored.length)]
    if (left.length > 0) races++
  }
}

/** The removals whose record is at the version that they ask for; the others get their result. */
function matching(
  removals: readonly Removal[],
  stored: readonly (StoredRow | undefined)[],
  results: RemovalRun['results'],
): Removal[] {
  return stored.flatMap((row, n) => {
    const removal = removals[n] as Removal
    if (row === undefined) return []
    if (row.text instanceof Problem) results[removal.index] = row.text
    else if (isMet(removal.ifMatch ?? '*', row.text)) return [{ ...removal, version: row.version }]
    else results[removal.index] = versionMismatch(removal.ifMatch)
    return []
  })
}

/** One statement. Returns the removals whose row was not deleted. */
async function removeOnce(
  store: Store,
  removals: readonly Removal[],
  { connection, waits, results }: RemovalRun,
): Promise<Removal[]> {
  if (removals.length === 0) return []
  const rows = removals.map((removal) => ({ ...removal, eventId: newId() })).sort((a, b) => (a.id < b.id ? -1 : 1))
  // Inside a transaction nothing can be retried alone: the whole transaction is.
  const gone = await (connection.inTransaction
    ? store.remove(connection, rows, waits)
    : retryOnConflict(() => store.remove(connection, rows, waits)))
  const left = rows.filter((_, n) => !gone[n])
  for (const [n, { index, id }] of rows.entries()) if (gone[n]) results[index] = { id, text: '' }
  if (!waits && left.length > 0) {
    const stored = await store.find(connection, left)
    for (const [n, { index }] of left.entries())
      if (n >= stored.length || stored[n] !== undefined) results[index] = undefined
  }
  return left
}
