// Hard deletes: removes rows and puts their last state into their events; a delete for a version only while the record still has it.

import { type Condition, isMet, mismatch } from '../core/etag.ts'
import { newId } from '../core/ids.ts'
import { UPDATE_ROUNDS } from '../core/limits.ts'
import { notFound, Problem, unavailable } from '../core/problem.ts'
import type { Queryable } from '../database/connect.ts'
import { retryOnConflict } from './bisect-on-error.ts'
import type { ItemResult, Key } from './record.ts'
import { type Resource, spoken } from './resource.ts'
import { partOf, type Store } from './store.ts'

/** A record to be deleted, and the index of its result. */
interface Removal extends Key {
  readonly index: number
  readonly ifMatch?: Condition | undefined
}

/**
 * Writes the result of each removal to its index in `results`. With `waits: false` nothing waits for a row that
 * another transaction holds: such items get no result.
 */
type RemoveRows = (
  items: readonly Removal[],
  results: (ItemResult | undefined)[],
  connection: Queryable,
  waits?: boolean,
) => Promise<void>

const isBound = ({ ifMatch }: Removal) => ifMatch !== undefined && ifMatch !== '*'

/** Makes the function that hard-deletes many records of a resource. */
export function remover({ name }: Resource, store: Store): RemoveRows {
  const removeRows: RemoveRows = async (items, results, connection, waits = true) => {
    for (const { index, id } of items) results[index] = notFound(spoken(name.one), id)
    if (items.length === 0) return
    const bound = items.filter(isBound)
    // All of them, so that two transactions lock them in the same order although each deletes those without a version first.
    if (connection.inTransaction && bound.length > 0) await store.lock(connection, items)
    await removeOnce(items.filter((item) => !isBound(item)), results, connection, waits) // biome-ignore format: one thought
    let waiting: readonly Removal[] = bound
    let part = Number.POSITIVE_INFINITY
    for (let round = 0; waiting.length > 0; ) {
      if (round === UPDATE_ROUNDS) {
        for (const { index } of waiting)
          results[index] = unavailable('Too many requests are changing the record at once. Try again.')
        return
      }
      const asked = waiting.slice(0, part)
      const stored = await store.find(connection, asked)
      part = partOf(asked.length, stored.length)
      const found = stored.flatMap((row, n) => {
        const item = waiting[n] as Removal
        if (row === undefined) return []
        if (row.text instanceof Problem) results[item.index] = row.text
        else if (isMet(item.ifMatch ?? '*', row.text)) return [{ ...item, version: row.version }]
        else results[item.index] = mismatch()
        return []
      })
      const left = await removeOnce(found, results, connection, waits)
      // A removal that was overtaken between reading and deleting looks again; one that must not wait does not.
      waiting = [...(waits ? left : []), ...waiting.slice(stored.length)]
      if (left.length > 0) round++
    }
  }

  return removeRows

  /** One statement; returns those that were not deleted. */
  async function removeOnce(
    items: readonly (Removal & { readonly version?: number })[],
    results: (ItemResult | undefined)[],
    connection: Queryable,
    waits: boolean,
  ): Promise<Removal[]> {
    if (items.length === 0) return []
    const rows = items.map((item) => ({ ...item, eventId: newId() })).sort((a, b) => (a.id < b.id ? -1 : 1))
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
}
