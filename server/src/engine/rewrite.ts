// Makes the new row of a record from its stored one and the changes that wait for it. Nothing here reads or writes the database.

import { later } from '../core/date-time.ts'
import { isMet, versionMismatch } from '../core/etag.ts'
import { newId } from '../core/ids.ts'
import { STATEMENT_CHARACTERS } from '../core/limits.ts'
import { Problem } from '../core/problem.ts'
import { isSameJson } from '../core/same-json.ts'
import { serializationFailure } from '../database/connect.ts'
import type { ResourceContext } from './context.ts'
import { type AmendedChanges, mergedRecord, type PendingChange, type Verb } from './pending-change.ts'
import type { Change, JsonObject } from './record.ts'
import type { RecordChange, Resource } from './resource.ts'
import type { EventRow, RowToReplace, StoredRow } from './store.ts'

/** A record's new row, and the changes that it is made of: several changes of one record become one row and many events. */
export interface Rewrite extends RowToReplace {
  readonly group: readonly PendingChange[]
  /** What each change of the group gets once the row is written: the record after it, or a version mismatch. */
  readonly answers: readonly (string | Problem)[]
  readonly record: JsonObject
  /** The changes to which the resource's side effects apply. */
  readonly recordChanges: readonly RecordChange[]
  /** Whether it has a change that the resource amends. */
  readonly isAmended: boolean
}

/**
 * The row that changes make of a stored record; undefined when the record does not exist. Takes the first changes, as
 * many as one statement should carry.
 */
export function rewrite(
  context: ResourceContext,
  pending: readonly PendingChange[],
  row: StoredRow | undefined,
  verb: Verb,
  amended: AmendedChanges,
): Rewrite | Problem | undefined {
  if (row === undefined) return undefined
  if (row.text instanceof Problem) return row.text
  const stored: JsonObject = JSON.parse(row.text)
  if (stored.isDeleted && verb === 'updated') return undefined
  for (const { expected } of pending)
    if (expected && Object.keys(expected).some((member) => stored[member] !== expected[member]))
      throw serializationFailure('A record has changed since it was found.')
  const draft = new RecordDraft(context, stored, row.text, verb)
  const answers: (string | Problem)[] = []
  for (const one of pending) {
    // A unique index checks what is written. A change that it may refuse is written separately, and so is an amended
    // change.
    const isOther = changesAmended(context.resource, one.change, draft.record)
    const isSeparate = isOther || touchesUnique(context.resource, one.change)
    if (draft.characters > STATEMENT_CHARACTERS || (answers.length > 0 && isSeparate)) break
    answers.push(draft.apply(one, amended.get(one) ?? one.change))
    draft.isAmended ||= isOther
    if (isSeparate) break
  }
  return rowOf(context, draft, pending.slice(0, answers.length), answers, row.version)
}

const touches = (members: readonly string[], { set, clear }: Change): boolean =>
  members.some((member) => set[member] !== undefined || clear.includes(member))

/** Whether a change sets or clears a member whose values no two records may share. */
export const touchesUnique = ({ unique }: Resource, change: Change): boolean => touches(unique, change)

/** Whether a change names a member whose changes are amended. */
export const touchesAmended = ({ amended }: Resource, change: Change): boolean => touches(amended, change)

/** Whether a change gives such a member another value. */
const changesAmended = ({ amended }: Resource, { set, clear }: Change, record: JsonObject): boolean =>
  amended.some((member) => (clear.includes(member) ? undefined : (set[member] ?? record[member])) !== record[member])

/** A record in memory to which changes are applied one by one. */
class RecordDraft {
  readonly context: ResourceContext
  readonly verb: Verb
  /** The clocks of two servers differ: a record's time never runs backwards. */
  readonly time: string
  record: JsonObject
  text: string
  isAmended = false
  /** Characters that the events carry. */
  characters = 0
  readonly events: EventRow[] = []
  readonly recordChanges: RecordChange[] = []

  constructor(context: ResourceContext, record: JsonObject, text: string, verb: Verb) {
    this.context = context
    this.verb = verb
    this.record = record
    this.text = text
    this.time = later(new Date().toISOString(), String(record.updatedAt))
  }

  /** Applies a change. Returns the record's text after it, or why it cannot be applied. */
  apply({ scope, id, ifMatch }: PendingChange, change: Change | Problem): string | Problem {
    if (ifMatch && !isMet(ifMatch, this.text)) return versionMismatch(ifMatch)
    if (change instanceof Problem) return change
    const before = this.record
    const next = changed(this.context, before, change, this.verb, this.time)
    if (next instanceof Problem) return next
    if (this.context.resource.sideEffects?.applies(before, next.record))
      this.recordChanges.push({ scope, id, before, after: next.record })
    this.record = next.record
    this.events.push(...next.events)
    this.text = this.events.at(-1)?.data ?? this.text
    this.characters += this.text.length * next.events.length
    return this.text
  }
}

/** The record after a change, with its events, or what is wrong with it. Without a change, the record and no events. */
function changed(
  { resource, writing }: ResourceContext,
  before: JsonObject,
  change: Change,
  verb: Verb,
  time: string,
): { record: JsonObject; events: EventRow[] } | Problem {
  const { name, derive, raises, projection, isProjected } = resource
  const record = mergedRecord(before, change)
  const members = isProjected ? projection?.merge(before, change) : undefined
  if (members instanceof Problem) return members
  Object.assign(record, members)
  const derived = derive(record, before)
  if (derived instanceof Problem) return derived
  Object.assign(record, derived)
  const previous = previousMembers(writing.members, before, record)
  if (previous.length === 0 && !projection?.isHiddenChange?.(before, change)) return { record: before, events: [] }
  record.updatedAt = time
  const data = writing.shown(record, writing.unknown(before))
  const types = [`${name.one}.${verb === 'restored' ? 'updated' : verb}`, ...raises(record, before)]
  return { record, events: types.map((type) => ({ id: newId(), type, data, previous: `{${previous.join()}}` })) }
}

/** Each changed member with the JSON text of its previous value, as a part of an object's text. */
function previousMembers(members: readonly string[], before: JsonObject, record: JsonObject): string[] {
  const previous: string[] = []
  for (const member of members) {
    if (isSameJson(record[member], before[member])) continue
    previous.push(`${JSON.stringify(member)}:${JSON.stringify(before[member]) ?? 'null'}`)
  }
  return previous
}

/** The row of a draft, with the claims of the changes that were applied. */
function rowOf(
  { writing }: ResourceContext,
  { record, text, events, recordChanges, isAmended }: RecordDraft,
  group: readonly PendingChange[],
  answers: readonly (string | Problem)[],
  version: number,
): Rewrite {
  const [{ scope, id }] = group as [PendingChange]
  const body = writing.body(record, text)
  const claims = group.flatMap(({ claim }, n) => {
    const answer = answers[n] as string | Problem
    return claim && !(answer instanceof Problem) ? [{ claim, answer, isBody: answer === body }] : []
  })
  // The statement uses the body where an event has no data: equal text is sent once.
  const sent = events.map(({ data, ...event }) => (data === body ? event : { ...event, data: data as string }))
  return { scope, id, version, body, events: sent, group, answers, record, claims, recordChanges, isAmended }
}
