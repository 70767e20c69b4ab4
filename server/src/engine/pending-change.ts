// A checked change that waits for its record, and the changes of one request or batch that are carried out together.

import type { Condition } from '../core/etag.ts'
import type { Claim } from '../core/idempotency-claim.ts'
import type { Problem } from '../core/problem.ts'
import type { Scope } from '../core/scope.ts'
import type { Queryable } from '../database/connect.ts'
import type { Change, ItemResult, JsonObject } from './record.ts'

/** A checked change of one item, waiting for its record. */
export interface PendingChange {
  readonly index: number
  readonly scope: Scope
  readonly id: string
  readonly change: Change
  /** The item's place in the request. */
  readonly at?: string | undefined
  /** The version that the change applies to. */
  readonly ifMatch?: Condition | undefined
  /** Members that the record was found by. */
  readonly expected?: Readonly<Record<string, string>> | undefined
  readonly claim?: Claim | undefined
}

/** An update, a soft delete, or the restore of a soft-deleted record; it names the event. A restore is an update. */
export type Verb = 'updated' | 'deleted' | 'restored'

/** How changes are carried out, and where their results go. */
export interface ChangeRun {
  readonly verb: Verb
  readonly connection: Queryable
  /** False: nothing waits for a row that another transaction holds; such items get no result. */
  readonly waits: boolean
  /** The result of each change, at its index. */
  readonly results: (ItemResult | undefined)[]
}

/** The changes of one record, in the order in which they were sent. */
export type ChangesOfRecord = readonly [key: string, changes: readonly PendingChange[]]

/** Changes by record, in the same order for all writers, so that two statements never wait for each other's rows. */
export const groupByRecord = (pending: readonly PendingChange[]): ChangesOfRecord[] =>
  [...Map.groupBy(pending, ({ scope, id }) => `${id} ${scope.companyId}`)].sort(([a], [b]) => (a < b ? -1 : 1))

/** A record with the members that a change sets, and without those that it clears. */
export function mergedRecord(before: JsonObject, { set, clear }: Change): JsonObject {
  const record: JsonObject = { ...before, ...set }
  for (const member of clear) delete record[member]
  return record
}

/** Changes that replace the sent ones, or what is wrong with these (`amend` of a resource). */
export type AmendedChanges = ReadonlyMap<PendingChange, Change | Problem>
export const unamended: AmendedChanges = new Map()
