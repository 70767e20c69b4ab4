// A record as text: its members in one order, so that equal records are equal texts; and the member that it shows but does not hold.
import { Problem } from '../http/problem.ts'
import { RECORD_CHARACTERS } from '../limits.ts'
import type { Resource } from './resource.ts'
import type { JsonObject } from './schema.ts'

/** How the records of a resource are written. */
export interface Writing {
  /** The text that the API shows. */
  shown(record: JsonObject): string
  /** The text that the row holds: the same, but without the view's member. */
  body(record: JsonObject, shown: string): string
  /** The members that are compared and shown. */
  readonly members: readonly string[]
  /** What was sent for the view; undefined when nothing was. */
  sent(set: JsonObject): unknown
  /** The view's member as it is once `sent` is written over `before`. */
  merged(before: unknown, sent: unknown): JsonObject
}

export function writing({ fields, view, ids }: Resource): Writing {
  // The view stands last, where SQL puts it too.
  const held = Object.keys(fields).filter((member) => member !== 'id' && member !== '_id' && member !== view?.member)
  const members = view ? [...held, view.member] : held

  function write(record: JsonObject, all: readonly string[]): string {
    const ordered: JsonObject = ids === 'oid' ? { _id: record._id ?? { $oid: record.id } } : { id: record.id }
    for (const member of all) if (record[member] !== undefined) ordered[member] = record[member]
    return JSON.stringify(ordered)
  }

  return {
    members,
    shown: (record) => write(record, members),
    body: (record, shown) => (view ? write(record, held) : shown),
    sent: (set) => view && set[view.member],
    merged: (before, sent) => (view ? { [view.member]: view.merge(before, sent) } : {}),
  }
}

/** True of a text that no page and no gathered statement should have to carry. */
export const isTooLarge = (text: string): boolean => text.length > RECORD_CHARACTERS

/** What the sender of such a record is told. */
export const tooLarge = (): Problem =>
  new Problem('payload_too_large', `The record would be longer than ${RECORD_CHARACTERS} characters.`)
