// Changes of stored records: updates, and the flag of a soft delete. Reads, changes in memory, and writes unless another write came in between.

import { mapInSlices } from '../concurrency/time-slices.ts'
import { later } from '../core/date-time.ts'
import { type Condition, isMet, mismatch } from '../core/etag.ts'
import { type Claim, inProgress } from '../core/idempotency-claim.ts'
import { newId } from '../core/ids.ts'
import { KEPT_CHARACTERS, STATEMENT_CHARACTERS, UPDATE_ROUNDS } from '../core/limits.ts'
import { notFound, Problem, unavailable, under } from '../core/problem.ts'
import type { Scope } from '../core/scope.ts'
import type { Database, Queryable } from '../database/connect.ts'
import { bisectOnError } from './bisect-on-error.ts'
import { claimAlone } from './idempotency.ts'
import type { Change, ItemResult, JsonObject, Key } from './record.ts'
import { type RecordChange, type Resource, spoken } from './resource.ts'
import { type EventRow, partOf, type RowToReplace, type Store, type StoredRow, type WriteResult } from './store.ts'
import { isTooLarge, tooLarge, type Writing } from './writing.ts'

/** A checked change of one item, waiting for its record. */
export interface Pending {
  readonly index: number
  readonly scope: Scope
  readonly id: string
  readonly change: Change
  /** The item's place in the request. */
  readonly at?: string | undefined
  /** The version that the change applies to. */
  readonly ifMatch?: Condition | undefined
  readonly claim?: Claim | undefined
}

/** A record's new row, and the items that it is made of: several changes of one record become one row and many events. */
interface Rewrite extends RowToReplace {
  readonly group: readonly Pending[]
  /** What each item of the group gets once the row is written: the record after it, or a version mismatch. */
  readonly answers: readonly (string | Problem)[]
  readonly record: JsonObject
  /** The changes that concern the resource's side effects. */
  readonly steps: readonly RecordChange[]
}

/** An update, a soft delete, or the restore of a soft-deleted record. */
type Verb = 'updated' | 'deleted' | 'restored'

/**
 * Writes the result of each pending change to its index in `results`. `verb` names the event; a restore is an update.
 * With `waits: false` nothing waits for a row that another transaction holds: such items get no result.
 */
type ChangeMany = (
  pending: readonly Pending[],
  results: (ItemResult | undefined)[],
  verb: Verb,
  connection: Queryable,
  waits?: boolean,
) => Promise<void>

/** Makes the function that changes many records of a resource. */
export function changer(
  { name, derive, raises, view, isViewed, amend, sideEffects, unique, conflict }: Resource,
  database: Database,
  { store, writing }: { store: Store; writing: Writing },
): ChangeMany {
  const missing = (id: string) => notFound(spoken(name.one), id)

  /** The record after a change, with its events, or what is wrong with it. Without a change, the record and no events. */
  function changed(
    before: JsonObject,
    change: Change,
    verb: Verb,
    time: string,
  ): { record: JsonObject; events: EventRow[] } | Problem {
    const record = merged(before, change)
    const members = isViewed ? view?.merge(before, change) : undefined
    if (members instanceof Problem) return members
    Object.assign(record, members)
    const derived = derive(record, before)
    if (derived instanceof Problem) return derived
    Object.assign(record, derived)
    const previous: string[] = []
    for (const member of writing.members) {
      // The unchanged part may be a megabyte, so its text is not made.
      if (record[member] === before[member]) continue
      const text = JSON.stringify(before[member])
      if (JSON.stringify(record[member]) !== text) previous.push(`${JSON.stringify(member)}:${text ?? 'null'}`)
    }
    if (previous.length === 0 && !view?.isUnseen?.(before, change)) return { record: before, events: [] }
    record.updatedAt = time
    const data = writing.shown(record)
    const types = [`${name.one}.${verb === 'restored' ? 'updated' : verb}`, ...raises(record, before)]
    return { record, events: types.map((type) => ({ id: newId(), type, data, previous: `{${previous.join()}}` })) }
  }

  const touchesUnique = ({ set, clear }: Change) =>
    unique.some((member) => set[member] !== undefined || clear.includes(member))

  /**
   * The row that changes make of a stored record; undefined when the record does not exist. Takes the first changes, as
   * many as one statement should carry. `amended` has changes that replace the sent ones.
   */
  function rewrite(
    all: readonly Pending[],
    row: StoredRow | undefined,
    verb: Verb,
    amended: Amended = unamended,
  ): Rewrite | Problem | undefined {
    if (row === undefined) return undefined
    if (row.text instanceof Problem) return row.text
    let record: JsonObject = JSON.parse(row.text)
    if (record.isDeleted && verb === 'updated') return undefined
    const [{ scope, id }] = all as [Pending]
    // The clocks of two servers differ: a record's time never runs backwards.
    const time = later(new Date().toISOString(), String(record.updatedAt))
    const events: EventRow[] = []
    const steps: RecordChange[] = []
    let text: string = row.text
    let characters = 0
    const answers: (string | Problem)[] = []
    for (const one of all) {
      // A unique index checks what is written: a change that it may refuse is written separately.
      if (characters > STATEMENT_CHARACTERS || (answers.length > 0 && touchesUnique(one.change))) break
      answers.push(answered(one.scope, amended.get(one) ?? one.change, one.ifMatch))
      if (touchesUnique(one.change)) break
    }
    const group = all.slice(0, answers.length)
    function answered(by: Scope, change: Change | Problem, ifMatch: Condition | undefined): string | Problem {
      if (ifMatch && !isMet(ifMatch, text)) return mismatch()
      if (change instanceof Problem) return change
      const next = changed(record, change, verb, time)
      if (next instanceof Problem) return next
      if (sideEffects?.concerns(record, next.record)) steps.push({ scope: by, id, before: record, after: next.record })
      record = next.record
      events.push(...next.events)
      text = events.at(-1)?.data ?? text
      characters += text.length * next.events.length
      return text
    }
    const body = writing.body(record, text)
    const claims = group.flatMap(({ claim }, n) => {
      const answer = answers[n] as string | Problem
      return claim && !(answer instanceof Problem) ? [{ claim, answer, isBody: answer === body }] : []
    })
    // The statement uses the body where an event has no data: equal text is sent once.
    const sent = events.map(({ data, ...event }) => (data === body ? event : { ...event, data: data as string }))
    return { scope, id, version: row.version, body, events: sent, group, answers, record, claims, steps }
  }

  /** In a transaction the rows are locked before they are read, and before them the rows that their projection and side effects depend on. */
  async function changeMany(
    pending: readonly Pending[],
    results: (ItemResult | undefined)[],
    verb: Verb,
    connection: Queryable,
    waits = true,
  ): Promise<void> {
    if (pending.length === 0) return
    if (connection.inTransaction) {
      await view?.hold?.(connection, pending)
      await lockForSideEffects(pending, connection)
      await store.lock(connection, pending)
    }
    await changeRows(pending, results, verb, connection, waits)
  }

  const groupsOf = (pending: readonly Pending[]) =>
    // In one order for all, so that two statements never wait for each other's rows.
    [...Map.groupBy(pending, ({ scope, id }) => `${id} ${scope.companyId}`)].sort(([a], [b]) => (a < b ? -1 : 1))

  /**
   * Locks the rows that the side effects depend on, before the records are locked. A change that changes nothing in the
   * data read here counts too: another transaction may have written the record before it is locked.
   */
  async function lockForSideEffects(pending: readonly Pending[], connection: Queryable): Promise<void> {
    const hold = sideEffects?.hold
    const groups = hold ? groupsOf(pending.filter(({ change }) => hold.isNeeded(change))) : []
    if (hold === undefined || groups.length === 0) return
    const keys = new Map<string, Key>()
    let part = Number.POSITIVE_INFINITY
    for (let at = 0; at < groups.length; ) {
      const some = groups.slice(at, at + part)
      const stored = await store.find(
        connection,
        some.map(([, [first]]) => first as Pending),
      )
      stored.forEach((found, n) => {
        const [, group] = some[n] as (typeof groups)[number]
        if (found === undefined || found.text instanceof Problem) return
        let before: JsonObject = JSON.parse(found.text)
        for (const { scope, id, change } of group) {
          const after = merged(before, change)
          for (const key of hold.keysOf({ scope, id, before, after })) keys.set(`${key.scope.companyId} ${key.id}`, key)
          before = after
        }
      })
      part = partOf(some.length, stored.length)
      at += stored.length
    }
    if (keys.size > 0) await hold.lock(connection, [...keys.values()])
  }

  /** The resource's amendments of changes of unique members. Each such change starts a statement. */
  async function amendAll(
    groups: readonly (readonly [string, readonly Pending[]])[],
    stored: readonly (StoredRow | undefined)[],
    connection: Queryable,
  ): Promise<Amended> {
    if (amend === undefined) return unamended
    const edits = stored.flatMap((row, n) => {
      const [first] = groups[n]?.[1] ?? []
      if (first === undefined || row === undefined || row.text instanceof Problem) return []
      return touchesUnique(first.change) ? [{ ...first, pending: first, before: JSON.parse(row.text) }] : []
    })
    if (edits.length === 0) return unamended
    const changes = await amend(connection, edits)
    return new Map(edits.map(({ pending }, n) => [pending, changes[n] as Change | Problem]))
  }

  /** Reads, changes in memory, writes where the version is unchanged, and retries those that lost the race. */
  async function changeRows(
    pending: readonly Pending[],
    results: (ItemResult | undefined)[],
    verb: Verb,
    connection: Queryable,
    waits: boolean,
  ): Promise<void> {
    let waiting = pending
    let part = Number.POSITIVE_INFINITY
    let characters = 0
    for (let round = 0; waiting.length > 0; ) {
      if (round === UPDATE_ROUNDS) {
        const busy = unavailable('Too many requests are changing the record at once. Try again.')
        // In a transaction a throw undoes everything; outside of one, earlier writes stay and are reported.
        if (connection.inTransaction) throw busy
        for (const { index } of waiting) results[index] = busy
        return
      }
      const groups = groupsOf(waiting)
      const keys = groups.slice(0, part).map(([, [first]]) => first as Pending)
      const stored = await store.find(connection, keys)
      part = partOf(keys.length, stored.length)
      const rest = groups.slice(stored.length).flatMap(([, group]) => group)
      const writes: Rewrite[] = []
      const unchanged: Rewrite[] = []
      const refused: Pending[] = []
      const postponed: Pending[] = []
      const amended = verb === 'updated' ? await amendAll(groups, stored, connection) : unamended
      await mapInSlices(stored, keys[0]?.scope.companyId ?? '', (found, n) => {
        const [, group] = groups[n] as (typeof groups)[number]
        const row = rewrite(group, found, verb, amended)
        if (row instanceof Problem) {
          for (const { index } of group) results[index] = row
          return
        }
        postponed.push(...group.slice(row?.group.length ?? group.length))
        if (row === undefined) for (const { index, id } of group) results[index] = missing(id)
        else if (verb !== 'deleted' && row.answers.some((answer) => isTooLong(answer, found))) {
          if (row.group.length > 1) refused.push(...row.group)
          else for (const { index } of row.group) results[index] = tooLarge()
        } else if (row.events.length === 0) unchanged.push(row)
        // Work of several statements may have to wait between them.
        else if (waits || row.steps.length === 0) writes.push(row)
      })
      await settleUnchanged(unchanged, results, connection)
      const needsTransaction = writes.some(({ steps }) => steps.length > 0)
      const settled = await bisectOnError(
        { connection, database, needsTransaction, conflict },
        writes,
        (connection, rows) => writeOver(connection, rows, waits),
      )
      const overtaken = writes.flatMap((row, n) => {
        const writeResult = settled[n] as WriteResult | Problem
        if (writeResult === 'refused') return row.group
        if (writeResult !== 'written' && row.group.length > 1) refused.push(...row.group)
        else tell(row, writeResult, results)
        return []
      })
      characters += [...writes, ...unchanged].reduce((sum, { answers }) => sum + lengthOf(answers), 0)
      if (connection.inTransaction && characters > KEPT_CHARACTERS)
        throw new Problem('payload_too_large', 'The response would be too long. Send fewer items at once.')
      // Which of a record's changes is at fault, or done before, is not known until each is tried alone.
      for (const one of refused) await changeRows([one], results, verb, connection, waits)
      // Work that must not wait does not retry either: whatever overtook a row may still hold it.
      waiting = waits ? [...overtaken, ...postponed, ...rest] : [...postponed, ...rest]
      if (overtaken.length > 0) round++
    }
  }

  function tell(
    { group, answers, id }: Rewrite,
    writeResult: WriteResult | Problem,
    results: (ItemResult | undefined)[],
  ): void {
    group.forEach(({ index, at }, n) => {
      const answer = answers[n] as string | Problem
      if (writeResult === 'written')
        results[index] = answer instanceof Problem ? under(at, answer) : { id, text: answer }
      else results[index] = writeResult instanceof Problem ? under(at, writeResult) : inProgress()
    })
  }

  /** A success that changes nothing keeps its response too, for retries. */
  async function settleUnchanged(
    rows: readonly Rewrite[],
    results: (ItemResult | undefined)[],
    connection: Queryable,
  ): Promise<void> {
    for (const row of rows) tell(row, 'written', results)
    const claims = rows.flatMap((row) => row.claims.map((claimed) => ({ ...claimed, isBody: false })))
    if (claims.length === 0) return
    const had = await claimAlone(connection, claims)
    const taken = new Set(claims.filter((_, n) => !had[n]).map(({ claim }) => claim))
    for (const { index, claim } of rows.flatMap(({ group }) => group))
      if (claim && taken.has(claim)) results[index] = inProgress()
  }

  async function writeOver(connection: Queryable, rows: readonly Rewrite[], waits: boolean): Promise<WriteResult[]> {
    const writeResults = await store.replace(connection, rows, waits)
    const steps = rows.flatMap((row, n) => (writeResults[n] === 'written' ? row.steps : []))
    if (steps.length > 0) await sideEffects?.write(connection, steps)
    const sent = rows.flatMap(({ scope, record, group, answers }, n) =>
      writeResults[n] !== 'written'
        ? []
        : group.flatMap(({ change }, k) =>
            answers[k] instanceof Problem ? [] : [{ scope, record, sent: writing.sent(change) }],
          ),
    )
    const stored = sent.flatMap((one) => (one.sent ? [{ ...one, sent: one.sent }] : []))
    if (stored.length > 0) await view?.store(connection, stored)
    return writeResults
  }

  return changeMany
}

/** A record with the members that a change sets, and without those that it clears. */
function merged(before: JsonObject, { set, clear }: Change): JsonObject {
  const record: JsonObject = { ...before, ...set }
  for (const member of clear) delete record[member]
  return record
}

type Amended = ReadonlyMap<Pending, Change | Problem>
const unamended: Amended = new Map()

/** Whether a record has become too long; one that already is may change to anything that is not longer. */
const isTooLong = (answer: string | Problem, before: StoredRow | undefined): boolean =>
  typeof answer === 'string' && isTooLarge(answer) && answer.length > String(before?.text).length

const lengthOf = (answers: readonly (string | Problem)[]): number =>
  answers.reduce((sum, answer) => sum + (answer instanceof Problem ? 0 : answer.length), 0)
