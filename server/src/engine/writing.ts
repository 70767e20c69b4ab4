// A record as text: its members in a fixed order, so that equal records are equal texts, and the projection, which it
// shows but does not store.

import { RECORD_CHARACTERS } from '../core/limits.ts'
import { isLong } from '../core/long-values.ts'
import { Problem } from '../core/problem.ts'
import { spliced } from './projection.ts'
import type { Change, JsonObject } from './record.ts'
import type { Resource } from './resource.ts'

/** How the records of a resource are written. */
export interface Writing {
  /** The text that the API shows; of a stored record with its `unknown` members. */
  shown(record: JsonObject, unknown?: readonly string[]): string
  /** The text that the row stores: the same, but without the projection's members. */
  body(record: JsonObject, shown: string): string
  /** The members that are compared and shown. */
  readonly members: readonly string[]
  /** Members of a stored record that this version does not know: a newer server wrote them, and a change keeps them. None with a projection. */
  unknown(stored: JsonObject): readonly string[]
  /** What was sent for the projection; undefined when nothing was. */
  sent(change: Change): Change | undefined
}

export function writing({ fields, projection, isProjected, ids }: Resource): Writing {
  const projected = Object.keys(projection?.fields ?? {})
  const held = Object.keys(fields).filter(
    (member) => member !== 'id' && member !== '_id' && !projected.includes(member),
  )

  function write(record: JsonObject, all: readonly string[]): string {
    const ordered: JsonObject = ids === 'oid' ? { _id: record._id ?? { $oid: record.id } } : { id: record.id }
    for (const member of all) if (record[member] !== undefined) ordered[member] = record[member]
    return JSON.stringify(ordered)
  }
  const projectionText = (record: JsonObject) =>
    projection?.write?.(record) ?? JSON.stringify(picked(record, projected))
  const known = new Set(['id', '_id', ...held])

  return {
    members: [...held, ...projected],
    unknown: (stored) => (isProjected ? [] : Object.keys(stored).filter((member) => !known.has(member))),
    shown: (record, unknown = []) =>
      isProjected
        ? spliced(write(record, held), projectionText(record))
        : write(record, unknown.length === 0 ? held : [...held, ...unknown]),
    body: (record, shown) => (isProjected ? write(record, held) : shown),
    sent({ set, clear }) {
      const isSent = (member: string) => set[member] !== undefined || clear.includes(member)
      return isProjected && projected.some(isSent)
        ? { set: picked(set, projected), clear: clear.filter((member) => projected.includes(member)) }
        : undefined
    },
  }
}

const picked = (record: JsonObject, members: readonly string[]): JsonObject =>
  Object.fromEntries(members.flatMap((member) => (record[member] === undefined ? [] : [[member, record[member]]])))

/** True of a text that is too long for a page or a batched statement. */
export const isTooLarge = (text: string): boolean => text.length > RECORD_CHARACTERS

/** Whether a value of a long body would make a record too large: detected before it is checked and converted to text. */
export const isTooLong = (set: JsonObject, value: object): boolean =>
  isLong(value) && leftOf(set, RECORD_CHARACTERS) < 0

/** What is left of some characters after a value's text. The length of the text is never overestimated. */
function leftOf(value: unknown, characters: number): number {
  if (typeof value === 'string') return characters - value.length - 2
  if (typeof value !== 'object' || value === null) return characters - 1
  let left = characters - 2
  if (Array.isArray(value))
    for (const item of value) {
      if (left < 0) break
      left = leftOf(item, left) - 1
    }
  else
    for (const name of Object.keys(value)) {
      if (left < 0) break
      const content = (value as JsonObject)[name]
      // It may mean unset.
      if (content !== '') left = leftOf(content, left) - name.length - 3
    }
  return left
}

/** The problem for the sender of such a record. */
export const tooLarge = (record = 'The record'): Problem =>
  new Problem('payload_too_large', `${record} would be longer than ${RECORD_CHARACTERS} characters.`)
