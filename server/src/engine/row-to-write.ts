// What a store writes: rows with their events and idempotency keys, and the result of each.

import type { AnsweredClaim } from './idempotency.ts'
import type { Key } from './record.ts'

/** What the event feed keeps of a write (decisions §9). `data` is omitted where it is the row's own text. */
export interface EventRow {
  readonly id: string
  readonly type: string
  readonly data?: string
  readonly previous?: string
}

/** A row to be written: its complete JSON text, and the events of the write. */
export interface RowToWrite extends Key {
  readonly body: string
  readonly events: readonly EventRow[]
  /** The idempotency keys under which it is written: only if all of them are granted, and together with them. */
  readonly claims: readonly AnsweredClaim[]
}

/** A new state for a row that was read. */
export interface RowToReplace extends RowToWrite {
  readonly version: number
}

/** A row to be deleted; with a version, only if it still is the one that was read. */
export interface RowToRemove extends Key {
  readonly eventId: string
  readonly version?: number
}

/**
 * The result of a row's write: written; refused, by a unique index or because its version has changed; or claimed:
 * other work under the same idempotency key is in progress or done.
 */
export type WriteResult = 'written' | 'refused' | 'claimed'
