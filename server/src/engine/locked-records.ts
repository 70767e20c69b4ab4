// Records that the service changes by itself, in a transaction that has locked them: an order that was paid, a session that
// another one closes, a product whose variants have other prices.

import { later } from '../core/date-time.ts'
import { newId } from '../core/ids.ts'
import { isSameJson } from '../core/same-json.ts'
import { type Queryable, serializationFailure } from '../database/connect.ts'
import type { JsonObject, Key } from './record.ts'
import type { Resource } from './resource.ts'
import { type RowToReplace, store } from './store.ts'
import { writing } from './writing.ts'

interface LockedRecord extends Key {
  readonly version: number
  readonly before: JsonObject
}

/** Makes the functions that change locked records of a resource without a projection. */
export function lockedRecords(resource: Resource) {
  const { replace } = store(resource)
  const { shown, unknown } = writing(resource)
  return {
    /** The row of a record with other values, undefined to unset a member, and its events; none if it has the values already. */
    changed({ scope, id, version, before }: LockedRecord, values: JsonObject, verbs = ['updated']): RowToReplace[] {
      const members = Object.keys(values).filter((member) => !isSameJson(values[member], before[member]))
      if (members.length === 0) return []
      const updatedAt = later(new Date().toISOString(), String(before.updatedAt))
      const previous = JSON.stringify(Object.fromEntries(members.map((member) => [member, before[member] ?? null])))
      const events = verbs.map((verb) => ({ id: newId(), type: `${resource.name.one}.${verb}`, previous }))
      const body = shown({ ...before, ...values, updatedAt }, unknown(before))
      return [{ scope, id, version, body, events, claims: [] }]
    },
    /** Writes rows. Throws a serialization failure if a record was not locked, and has changed. */
    async write(transaction: Queryable, rows: readonly RowToReplace[]): Promise<void> {
      if (rows.length > 0 && (await replace(transaction, rows, true)).some((result) => result !== 'written'))
        throw serializationFailure(`Another transaction changed the ${resource.name.one} at the same time.`)
    },
  }
}
