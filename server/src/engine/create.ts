// Creates records: checked items become rows and events in one statement, or, if they are long, in several statements
// of one transaction.

import { mapInSlices } from '../concurrency/time-slices.ts'
import { type Claim, inProgress } from '../core/idempotency-claim.ts'
import { newId } from '../core/ids.ts'
import { STATEMENT_CHARACTERS } from '../core/limits.ts'
import { conflict, orThrow, Problem, under } from '../core/problem.ts'
import type { Scope } from '../core/scope.ts'
import type { Queryable } from '../database/connect.ts'
import { bisectOnError, inTransaction } from './bisect-on-error.ts'
import type { ResourceContext } from './context.ts'
import type { Change, Item, ItemResult, JsonObject } from './record.ts'
import type { RecordChange, Resource } from './resource.ts'
import type { RowToWrite, WriteResult } from './store.ts'
import { isTooLarge, tooLarge } from './writing.ts'

/** A record about to be stored. */
interface CreateDraft {
  readonly index: number
  readonly scope: Scope
  readonly record: JsonObject & { id: string }
  /** What was sent for the projection, if anything. */
  readonly sent: Change | undefined
  /** The item's place in the request. */
  readonly at: string | undefined
  readonly claim: Claim | undefined
}

/** Creates many records: checks the items, locks what they depend on, and writes what is valid. */
export async function createMany(
  context: ResourceContext,
  items: readonly Item[],
  connection: Queryable = context.database,
): Promise<ItemResult[]> {
  const { resource, database } = context
  const { prepare, projection, sideEffects, conflict } = resource
  const results: ItemResult[] = new Array(items.length)
  const drafts: CreateDraft[] = []
  const now = new Date().toISOString()
  const tenant = items[0]?.scope.companyId ?? ''
  await mapInSlices(items, tenant, (item, index) => {
    const draft = draftOf(context, item, index, now)
    if (draft instanceof Problem) results[index] = draft
    else drafts.push(draft)
  })
  const ordered = inOrder(resource, drafts)
  const needsTransaction =
    prepare !== undefined || drafts.some((draft) => draft.sent !== undefined || hasSideEffects(resource, draft))
  const locksFirst = needsTransaction && (projection?.lockFirst ?? sideEffects?.locksFirst) !== undefined
  const write = async (connection: Queryable): Promise<(ItemResult | Problem)[]> => {
    // Before a savepoint is set: a rollback to it would release the locks, and they would be taken again out of order.
    if (locksFirst) await lockForCreate(resource, connection, drafts)
    return bisectOnError({ connection, database, needsTransaction, conflict }, ordered, (connection, some) =>
      writeDrafts(context, connection, some),
    )
  }
  const written = await (locksFirst ? inTransaction(database, connection, write) : write(connection))
  ordered.forEach(({ index, at }, n) => {
    const result = written[n] as ItemResult
    results[index] = result instanceof Problem ? under(at, result) : result
  })
  return results
}

/** The record of a checked item, or what is wrong with it. */
function draftOf(
  { resource, schema, writing }: ResourceContext,
  { scope, value, at, own, claim }: Item,
  index: number,
  now: string,
): CreateDraft | Problem {
  const change = schema.create(value, at)
  if (change instanceof Problem) return change
  const sent = writing.sent(change)
  const members = resource.isProjected ? resource.projection?.merge({}, sent ?? nothing) : undefined
  if (members instanceof Problem) return under(at, members)
  const record: CreateDraft['record'] = {
    id: newId(),
    ...change.set,
    ...members,
    ...own,
    createdAt: now,
    updatedAt: now,
  }
  const { companyId } = scope
  if (resource.showsCompany) record.companyId = resource.ids === 'oid' ? { $oid: companyId } : companyId
  if (resource.remove === 'soft') record.isDeleted = false
  // If a resource computes it from other members, `derive` does so.
  if (scope.user && resource.fields.fromService) record.fromService = true
  return { index, scope, record, sent, at, claim }
}

/**
 * In the same order for all writers, so that two of them never wait for each other's unique values. Equal ones keep
 * their order. A value that `prepare` may still fill in does not count where a draft lacks it: drafts that will be equal keep their order too.
 */
function inOrder({ unique, prepare }: Resource, drafts: readonly CreateDraft[]): readonly CreateDraft[] {
  if (unique.length === 0) return drafts
  const isSent = (member: string) => drafts.every(({ record }) => record[member] !== undefined)
  const compared = prepare ? unique.filter(isSent) : unique
  // Stock orders its new levels by the same text (resources/stock.ts).
  const values = ({ scope, record }: CreateDraft) =>
    JSON.stringify([...compared.map((member) => record[member] ?? ''), scope.companyId])
  const keyed = drafts.map((draft) => ({ draft, key: values(draft) }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ draft }) => draft)
}

/** Locks the rows that projections and side effects of the drafts depend on. */
async function lockForCreate(
  resource: Resource,
  transaction: Queryable,
  drafts: readonly CreateDraft[],
): Promise<void> {
  const { projection, sideEffects } = resource
  const projected = drafts.filter(({ sent }) => sent !== undefined)
  if (projected.length > 0) await projection?.lockFirst?.(transaction, projected.map(keyOf))
  if (sideEffects?.locksFirst === undefined) return
  const { keysOf, lock } = sideEffects.locksFirst
  const keys = drafts
    .filter((draft) => hasSideEffects(resource, draft))
    .flatMap((draft) => keysOf(recordChangeOf(draft)))
  if (keys.length > 0) await lock(transaction, keys)
}

/** Writes drafts in the given transaction: completes them, stores their rows, and applies their side effects. */
async function writeDrafts(
  context: ResourceContext,
  connection: Queryable,
  drafts: readonly CreateDraft[],
): Promise<ItemResult[]> {
  const { resource } = context
  const tenant = drafts[0]?.scope.companyId ?? ''
  const wrong = (await resource.prepare?.(connection, drafts as never)) ?? []
  const texts = await mapInSlices(drafts, tenant, ({ record }, n) => (wrong[n] ? '' : textOf(context, record)))
  const answers = drafts.map(({ sent }, n) => {
    const text = texts[n] as string
    return sent && resource.projection?.showOnce ? resource.projection.showOnce(text, sent) : text
  })
  const prepared = await mapInSlices(drafts, tenant, (draft, n) => {
    const text = texts[n] as string
    return wrong[n] || isTooLarge(text) ? [] : rowOf(context, draft, text, answers[n] as string)
  })
  const rows = prepared.flat()
  const inserted = await insertAll(context, connection, rows)
  // What was prepared for a record that is not written must be undone with it, so the others begin again.
  if (resource.prepare && inserted.includes('claimed')) throw inProgress()
  const written = new Map(rows.map(({ id }, n) => [id, inserted[n]]))
  if (resource.sideEffects ?? resource.projection)
    await writeDependents(
      resource,
      connection,
      drafts.filter(({ record }) => written.get(record.id) === 'written'),
    )
  return drafts.map(({ record: { id } }, n): ItemResult => {
    if (wrong[n]) return wrong[n]
    const result = written.get(id)
    if (result === 'written') return { id, text: answers[n] as string }
    if (result === 'claimed') return inProgress()
    return isTooLarge(texts[n] as string) ? tooLarge() : conflict('already_exists', resource.conflict)
  })
}

/** The text of a new record, with the members that the service computes. */
function textOf({ resource, writing }: ResourceContext, record: CreateDraft['record']): string {
  return writing.shown(Object.assign(record, orThrow(resource.derive(record))))
}

/** The row of a draft with its events and its claim, as a list. */
function rowOf(
  { resource, writing }: ResourceContext,
  { scope, record, claim }: CreateDraft,
  text: string,
  answer: string,
): RowToWrite[] {
  const { name, raises, isProjected } = resource
  const types = [`${name.one}.created`, ...raises(record, undefined)]
  // An event's data is the row's own text, except for a projection, which the row does not hold.
  const data = isProjected && { data: text }
  const events = types.map((type) => ({ id: newId(), type, ...data }))
  const claims = claim ? [{ claim, answer, isBody: !isProjected }] : []
  return [{ scope, id: record.id, body: writing.body(record, text), events, claims }]
}

/** Inserts rows, in several statements where they are long. The text of one is written at once to PostgreSQL's socket. */
async function insertAll(
  { database, store }: ResourceContext,
  connection: Queryable,
  rows: readonly RowToWrite[],
): Promise<WriteResult[]> {
  if (rows.length === 0) return []
  const parts: RowToWrite[][] = []
  let characters = Number.POSITIVE_INFINITY
  for (const row of rows) {
    if (characters + row.body.length > STATEMENT_CHARACTERS) {
      parts.push([])
      characters = 0
    }
    parts.at(-1)?.push(row)
    characters += row.body.length
  }
  if (parts.length === 1) return store.insert(connection, rows)
  return inTransaction(database, connection, async (transaction) => {
    const results: WriteResult[] = []
    for (const part of parts) results.push(...(await store.insert(transaction, part)))
    return results
  })
}

/** Applies the side effects of written records, and writes what was sent for their projection. */
async function writeDependents(
  resource: Resource,
  connection: Queryable,
  written: readonly CreateDraft[],
): Promise<void> {
  const changes = written.filter((draft) => hasSideEffects(resource, draft)).map(recordChangeOf)
  if (changes.length > 0) await resource.sideEffects?.write(connection, changes)
  const sent = written.flatMap(({ scope, record, sent }) => (sent ? [{ scope, record, sent }] : []))
  if (sent.length > 0) await resource.projection?.store(connection, sent)
}

const nothing: Change = { set: {}, clear: [] }
const hasSideEffects = ({ sideEffects }: Resource, { record }: CreateDraft): boolean =>
  sideEffects?.applies(undefined, record) === true
const keyOf = ({ scope, record }: CreateDraft) => ({ scope, id: record.id })
const recordChangeOf = (draft: CreateDraft): RecordChange => ({
  ...keyOf(draft),
  before: undefined,
  after: draft.record,
})
