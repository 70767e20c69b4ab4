// A record as text: its members in one order, so that equal records are equal texts; and the member that it shows but does not hold.
import { Problem } from '../http/problem.ts'
import { RECORD_CHARACTERS } from '../limits.ts'
import type { Change, JsonObject } from './record.ts'
import type { Resource } from './resource.ts'
import { spliced } from './view.ts'

/** How the records of a resource are written. */
export interface Writing {
  /** The text that the API shows. */
  shown(record: JsonObject): string
  /** The text that the row holds: the same, but without the view's member. */
  body(record: JsonObject, shown: string): string
  /** The members that are compared and shown. */
  readonly members: readonly string[]
  /** What was sent for the view; undefined when nothing was. */
  sent(change: Change): Change | undefined
}

export function writing({ fields, view, isViewed, ids }: Resource): Writing {
  const viewed = Object.keys(view?.fields ?? {})
  const held = Object.keys(fields).filter((member) => member !== 'id' && member !== '_id' && !viewed.includes(member))

  function write(record: JsonObject, all: readonly string[]): string {
    const ordered: JsonObject = ids === 'oid' ? { _id: record._id ?? { $oid: record.id } } : { id: record.id }
    for (const member of all) if (record[member] !== undefined) ordered[member] = record[member]
    return JSON.stringify(ordered)
  }
  const viewText = (record: JsonObject) => view?.write?.(record) ?? JSON.stringify(picked(record, viewed))

  return {
    members: [...held, ...viewed],
    shown: (record) => (isViewed ? spliced(write(record, held), viewText(record)) : write(record, held)),
    body: (record, shown) => (isViewed ? write(record, held) : shown),
    sent({ set, clear }) {
      const isSent = (member: string) => set[member] !== undefined || clear.includes(member)
      return isViewed && viewed.some(isSent)
        ? { set: picked(set, viewed), clear: clear.filter((member) => viewed.includes(member)) }
        : undefined
    },
  }
}

const picked = (record: JsonObject, members: readonly string[]): JsonObject =>
  Object.fromEntries(members.flatMap((member) => (record[member] === undefined ? [] : [[member, record[member]]])))

/** True of a text that no page and no gathered statement should have to carry. */
export const isTooLarge = (text: string): boolean => text.length > RECORD_CHARACTERS

/** What the sender of such a record is told. */
export const tooLarge = (): Problem =>
  new Problem('payload_too_large', `The record would be longer than ${RECORD_CHARACTERS} characters.`)
