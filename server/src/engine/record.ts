// The types with which the engine's files describe records: a record's id, what changes of it, and the result of an item.

import type { BatchItem } from '../concurrency/batch.ts'
import type { Condition } from '../core/etag.ts'
import type { Claim } from '../core/idempotency-claim.ts'
import type { Problem } from '../core/problem.ts'
import type { Scope } from '../core/scope.ts'

/** One record by id, in its company. */
export interface Key {
  readonly scope: Scope
  readonly id: string
}

export type JsonObject = { [member: string]: unknown }

/** What a caller sent, checked: members to set, and members to clear. */
export interface Change {
  readonly set: JsonObject
  readonly clear: readonly string[]
}

/** An item as it was sent: `value` is unchecked; `at` is its JSON pointer in the request. */
export interface Item extends BatchItem {
  readonly scope: Scope
  readonly value: unknown
  readonly at?: string
  /** Members that the service sets itself; an `id` among those of a new record becomes the record's id. */
  readonly own?: JsonObject
  /** The idempotency key of the request; only of a single one, whose response is the record. */
  readonly claim?: Claim | undefined
}
export interface ItemWithId extends Item {
  readonly id: string
  /** The version that the change applies to. */
  readonly ifMatch?: Condition | undefined
  /** Members that the record was found by. If they have changed meanwhile, the transaction begins again. */
  readonly expected?: Readonly<Record<string, string>> | undefined
}

/** The result of an item: the record's id and its JSON text, or the problem that prevented the write. */
export type ItemResult = Written | Problem
export interface Written {
  readonly id: string
  readonly text: string
  /** An update that found nothing to change. */
  readonly isUnchanged?: boolean
  /** What an upsert did. */
  readonly outcome?: 'created' | 'updated' | 'unchanged'
}
