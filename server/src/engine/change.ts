// Changes stored records: updates them, or flags them as deleted. Reads, changes in memory, and writes unless another
// write came in between.

import { mapInSlices } from '../concurrency/time-slices.ts'
import { inProgress } from '../core/idempotency-claim.ts'
import { notFound, Problem, under } from '../core/problem.ts'
import type { Queryable } from '../database/connect.ts'
import { bisectOnError, overtakenTooOften, UPDATE_ROUNDS } from './bisect-on-error.ts'
import { lockForChange } from './change-locks.ts'
import type { ResourceContext } from './context.ts'
import { claimAlone, KEPT_CHARACTERS } from './idempotency.ts'
import {
  type AmendedChanges,
  type ChangeRun,
  type ChangesOfRecord,
  groupByRecord,
  type PendingChange,
  unamended,
} from './pending-change.ts'
import type { Change } from './record.ts'
import { spoken } from './resource.ts'
import { type Rewrite, rewrite, touchesAmended, touchesUnique } from './rewrite.ts'
import { partOf, type StoredRow, type WriteResult } from './store.ts'
import { isTooLarge, tooLarge } from './writing.ts'

/** What one round does with the records that it read. */
interface Round {
  /** Rows to be written. */
  readonly writes: Rewrite[]
  /** Records that stay as they are. */
  readonly unchanged: Rewrite[]
  /** Changes to be tried one by one, to find which of a record's changes is at fault or was done before. */
  readonly separate: PendingChange[]
  /** Changes for a later round: more than one statement carries. */
  readonly postponed: PendingChange[]
}

/** Carries out changes of many records, in a given transaction or in as few statements as possible. */
export async function changeMany(
  context: ResourceContext,
  pending: readonly PendingChange[],
  run: ChangeRun,
): Promise<void> {
  if (pending.length === 0) return
  if (run.connection.inTransaction) await lockForChange(context, run.connection, pending)
  await changeRows(context, pending, run)
}

/** Reads, changes in memory, writes where the version is unchanged, and retries those that lost the race. */
async function changeRows(context: ResourceContext, pending: readonly PendingChange[], run: ChangeRun): Promise<void> {
  const { connection, waits } = run
  let waiting = pending
  let part = Number.POSITIVE_INFINITY
  let characters = 0
  for (let races = 0; waiting.length > 0; ) {
    if (races === UPDATE_ROUNDS) return refuseBusy(waiting, run)
    const groups = groupByRecord(waiting)
    const keys = groups.slice(0, part).map(([, [first]]) => first as PendingChange)
    const stored = await context.store.find(connection, keys)
    part = partOf(keys.length, stored.length)
    const rest = groups.slice(stored.length).flatMap(([, group]) => group)
    const round: Round = { writes: [], unchanged: [], separate: [], postponed: [] }
    const amended = run.verb === 'updated' ? await amendAll(context, groups, stored, run) : unamended
    await mapInSlices(stored, keys[0]?.scope.companyId ?? '', (found, n) =>
      planRecord(context, groups[n] as ChangesOfRecord, found, amended, round, run),
    )
    await keepUnchanged(round.unchanged, run)
    const overtaken = await writeRound(context, round, run)
    characters += lengthOf(round.writes) + lengthOf(round.unchanged)
    if (connection.inTransaction && characters > KEPT_CHARACTERS)
      throw new Problem('payload_too_large', 'The response would be too long. Send fewer items at once.')
    for (const one of round.separate) await changeRows(context, [one], run)
    // Work that must not wait does not retry either: the write that overtook a row may still hold it.
    waiting = waits ? [...overtaken, ...round.postponed, ...rest] : [...round.postponed, ...rest]
    if (overtaken.length > 0) races++
  }
}

/** Gives up changes that lost the race too often. */
function refuseBusy(waiting: readonly PendingChange[], { connection, results }: ChangeRun): void {
  const busy = overtakenTooOften()
  // In a transaction a throw undoes everything; outside of one, earlier writes stay and are reported.
  if (connection.inTransaction) throw busy
  for (const { index } of waiting) results[index] = busy
}

/** The resource's amendments of changes. Each such change starts a statement. */
async function amendAll(
  { resource }: ResourceContext,
  groups: readonly ChangesOfRecord[],
  stored: readonly (StoredRow | undefined)[],
  { connection, waits }: ChangeRun,
): Promise<AmendedChanges> {
  if (resource.amend === undefined) return unamended
  const edits = stored.flatMap((row, n) => {
    const [first] = groups[n]?.[1] ?? []
    if (first === undefined || row === undefined || row.text instanceof Problem) return []
    const isEdit = touchesUnique(resource, first.change) || (waits && touchesAmended(resource, first.change))
    return isEdit ? [{ ...first, pending: first, before: JSON.parse(row.text) }] : []
  })
  if (edits.length === 0) return unamended
  const changes = await resource.amend(connection, edits)
  return new Map(edits.map(({ pending }, n) => [pending, changes[n] as Change | Problem]))
}

/** Decides what the round does with one record; a change that cannot be carried out gets its result. */
function planRecord(
  context: ResourceContext,
  [, group]: ChangesOfRecord,
  found: StoredRow | undefined,
  amended: AmendedChanges,
  round: Round,
  { verb, waits, results }: ChangeRun,
): void {
  const row = rewrite(context, group, found, verb, amended)
  if (row instanceof Problem) {
    for (const { index } of group) results[index] = row
    return
  }
  if (row === undefined) {
    for (const { index, id } of group) results[index] = notFound(spoken(context.resource.name.one), id)
    return
  }
  // What is amended depends on other rows, which must not change meanwhile, so it waits for a transaction that locks
  // the record.
  if (row.isAmended && !waits) return
  round.postponed.push(...group.slice(row.group.length))
  if (verb !== 'deleted' && row.answers.some((answer) => isTooLong(answer, found))) {
    if (row.group.length > 1) round.separate.push(...row.group)
    else for (const { index } of row.group) results[index] = tooLarge()
  } else if (row.events.length === 0) round.unchanged.push(row)
  // Work of several statements may have to wait between them.
  else if (waits || row.recordChanges.length === 0) round.writes.push(row)
}

/** Whether a record has become too long; one that already is may change to anything that is not longer. */
const isTooLong = (answer: string | Problem, before: StoredRow | undefined): boolean =>
  typeof answer === 'string' && isTooLarge(answer) && answer.length > String(before?.text).length

/** A success that changes nothing also stores its response, for retries. */
async function keepUnchanged(rows: readonly Rewrite[], { connection, results }: ChangeRun): Promise<void> {
  for (const row of rows) setResults(row, 'written', results, true)
  const claims = rows.flatMap((row) => row.claims.map((claimed) => ({ ...claimed, isBody: false })))
  if (claims.length === 0) return
  const had = await claimAlone(connection, claims)
  const taken = new Set(claims.filter((_, n) => !had[n]).map(({ claim }) => claim))
  for (const { index, claim } of rows.flatMap(({ group }) => group))
    if (claim && taken.has(claim)) results[index] = inProgress()
}

/** Writes the rows of a round. Returns the changes that lost the race to another write. */
async function writeRound(context: ResourceContext, round: Round, run: ChangeRun): Promise<PendingChange[]> {
  const { writes, separate } = round
  const { database, resource } = context
  const written = await bisectOnError(
    {
      connection: run.connection,
      database,
      conflict: resource.conflict,
      needsTransaction: writes.some(({ recordChanges }) => recordChanges.length > 0),
    },
    writes,
    (connection, rows) => writeRows(context, connection, rows, run.waits),
  )
  return writes.flatMap((row, n) => {
    const result = written[n] as WriteResult | Problem
    if (result === 'refused') return row.group
    if (result !== 'written' && row.group.length > 1) separate.push(...row.group)
    else setResults(row, result, run.results)
    return []
  })
}

/** Replaces rows, and writes their side effects and what was sent for their projection. */
async function writeRows(
  { resource, store, writing }: ResourceContext,
  connection: Queryable,
  rows: readonly Rewrite[],
  waits: boolean,
): Promise<WriteResult[]> {
  const results = await store.replace(connection, rows, waits)
  const recordChanges = rows.flatMap((row, n) => (results[n] === 'written' ? row.recordChanges : []))
  if (recordChanges.length > 0) await resource.sideEffects?.write(connection, recordChanges)
  if (!resource.isProjected) return results
  const projected = rows.flatMap(({ scope, record, group, answers }, n) =>
    results[n] !== 'written'
      ? []
      : group.flatMap(({ change }, k) => {
          const sent = answers[k] instanceof Problem ? undefined : writing.sent(change)
          return sent ? [{ scope, record, sent }] : []
        }),
  )
  if (projected.length > 0) await resource.projection?.store(connection, projected)
  return results
}

/** Gives each change of a row its result. */
function setResults(
  { group, answers, id }: Rewrite,
  written: WriteResult | Problem,
  results: ChangeRun['results'],
  isUnchanged = false,
) {
  group.forEach(({ index, at }, n) => {
    const answer = answers[n] as string | Problem
    if (written === 'written')
      results[index] =
        answer instanceof Problem ? under(at, answer) : { id, text: answer, ...(isUnchanged && { isUnchanged }) }
    else results[index] = written instanceof Problem ? under(at, written) : inProgress()
  })
}

/** Characters of the records in the responses of some rows. */
function lengthOf(rows: readonly Rewrite[]): number {
  let characters = 0
  for (const { answers } of rows)
    for (const answer of answers) if (!(answer instanceof Problem)) characters += answer.length
  return characters
}
