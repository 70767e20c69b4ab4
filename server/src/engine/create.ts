// Creates: many checked items become rows and their events in one statement, or, where they are long, in several of one transaction.

import { mapInSlices } from '../concurrency/time-slices.ts'
import { type Claim, inProgress } from '../core/idempotency-claim.ts'
import { newId } from '../core/ids.ts'
import { STATEMENT_CHARACTERS } from '../core/limits.ts'
import { Problem, under } from '../core/problem.ts'
import type { Scope } from '../core/scope.ts'
import type { Database, Queryable } from '../database/connect.ts'
import { bisectOnError, inTransaction } from './bisect-on-error.ts'
import type { Change, Item, ItemResult, JsonObject } from './record.ts'
import type { RecordChange, Resource } from './resource.ts'
import type { BodySchema } from './schema.ts'
import type { RowToWrite, Store, WriteResult } from './store.ts'
import { isTooLarge, tooLarge, type Writing } from './writing.ts'

/** A record about to be stored. */
interface Draft {
  readonly index: number
  readonly scope: Scope
  readonly record: JsonObject & { id: string }
  /** What was sent for the projection, if anything. */
  readonly sent: Change | undefined
  /** The item's place in the request. */
  readonly at: string | undefined
  readonly claim: Claim | undefined
}

/** Makes the function that creates many records of a resource. */
export function creator(
  resource: Resource,
  database: Database,
  { schema, store, writing }: { schema: BodySchema; store: Store; writing: Writing },
): (items: readonly Item[], connection?: Queryable) => Promise<ItemResult[]> {
  const { name, derive, raises, prepare, view, isViewed, sideEffects, unique, conflict } = resource

  /** In one order for all writers, so that two of them never wait for each other's unique values; equal ones stay in their order. */
  function inOrder(drafts: readonly Draft[]): readonly Draft[] {
    if (unique.length === 0) return drafts
    // Stock orders its new levels by the same text (resources/stock.ts).
    const values = ({ scope, record }: Draft) =>
      JSON.stringify([...unique.map((member) => record[member] ?? ''), scope.companyId])
    const keyed = drafts.map((draft) => ({ draft, key: values(draft) }))
    return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ draft }) => draft)
  }

  /** Inserts rows, in several statements where they are long. The text of one is written at once to PostgreSQL's socket. */
  async function insertAll(connection: Queryable, rows: readonly RowToWrite[]): Promise<WriteResult[]> {
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
      const writeResults: WriteResult[] = []
      for (const part of parts) writeResults.push(...(await store.insert(transaction, part)))
      return writeResults
    })
  }

  return async function createMany(items, connection = database): Promise<ItemResult[]> {
    const results: ItemResult[] = new Array(items.length)
    const drafts: Draft[] = []
    const now = new Date().toISOString()
    const line = items[0]?.scope.companyId ?? ''
    await mapInSlices(items, line, ({ scope, value, at, claim }, index) => {
      const change = schema.create(value, at)
      if (change instanceof Problem) {
        results[index] = change
        return
      }
      const sent = writing.sent(change)
      const members = isViewed ? view?.merge({}, sent ?? nothing) : undefined
      if (members instanceof Problem) {
        results[index] = under(at, members)
        return
      }
      const record: Draft['record'] = {
        id: newId(),
        ...change.set,
        ...members,
        createdAt: now,
        updatedAt: now,
      }
      const { companyId } = scope
      if (resource.showsCompany) record.companyId = resource.ids === 'oid' ? { $oid: companyId } : companyId
      if (resource.remove === 'soft') record.isDeleted = false
      // Where it is computed from other members, `derive` does it.
      if (scope.user && resource.fields.fromService) record.fromService = true
      drafts.push({ index, scope, record, sent, at, claim })
    })
    const ordered = inOrder(drafts)
    const isTold = ({ record }: Draft) => sideEffects?.concerns(undefined, record) === true
    const needsTransaction = prepare !== undefined || drafts.some((draft) => draft.sent !== undefined || isTold(draft))
    // Locks are taken before a savepoint is set: a rollback to it would release them, and they would be taken again out of order.
    const hold = async (transaction: Queryable) => {
      const viewed = drafts.filter(({ sent }) => sent !== undefined)
      if (viewed.length > 0) await view?.hold?.(transaction, viewed.map(keyOf))
      const keys = drafts.filter(isTold).flatMap((draft) => sideEffects?.hold?.keysOf(stepOf(draft)) ?? [])
      if (keys.length > 0) await sideEffects?.hold?.lock(transaction, keys)
    }
    const holdsFirst = needsTransaction && (view?.hold ?? sideEffects?.hold) !== undefined
    const write = async (connection: Queryable): Promise<(ItemResult | Problem)[]> => {
      if (holdsFirst) await hold(connection)
      return bisectOnError({ connection, database, needsTransaction, conflict }, ordered, run)
    }
    const settled = await (holdsFirst ? inTransaction(database, connection, write) : write(connection))
    ordered.forEach(({ index, at }, n) => {
      const result = settled[n] as ItemResult
      results[index] = result instanceof Problem ? under(at, result) : result
    })
    return results

    async function run(connection: Queryable, some: readonly Draft[]): Promise<ItemResult[]> {
      const wrong = (await prepare?.(connection, some as never)) ?? []
      const texts = await mapInSlices(some, line, ({ record }, n) => {
        if (wrong[n]) return ''
        const derived = derive(record)
        if (derived instanceof Problem) throw derived
        return writing.shown(Object.assign(record, derived))
      })
      const answers = some.map(({ sent }, n) => {
        const text = texts[n] as string
        return sent && view?.reveal ? view.reveal(text, sent) : text
      })
      const prepared = await mapInSlices(some, line, ({ scope, record, claim }, n): RowToWrite[] => {
        const text = texts[n] as string
        if (wrong[n] || isTooLarge(text)) return []
        const types = [`${name.one}.created`, ...raises(record, undefined)]
        // An event's data is the row's own text, except for a projection, which the row does not hold.
        const data = isViewed && { data: text }
        const events = types.map((type) => ({ id: newId(), type, ...data }))
        const claims = claim ? [{ claim, answer: answers[n] as string, isBody: !isViewed }] : []
        return [{ scope, id: record.id, body: writing.body(record, text), events, claims }]
      })
      const rows = prepared.flat()
      const inserted = await insertAll(connection, rows)
      const writeResults = new Map(rows.map(({ id }, n) => [id, inserted[n]]))
      // What was prepared for an unwritten record has to be undone with it, and the others begin again.
      if (prepare && inserted.includes('claimed')) throw inProgress()
      const written = some.filter(({ record }) => writeResults.get(record.id) === 'written')
      const steps = written.filter(isTold).map(stepOf)
      if (steps.length > 0) await sideEffects?.write(connection, steps)
      const sent = written.flatMap(({ scope, record, sent }) => (sent ? [{ scope, record, sent }] : []))
      if (sent.length > 0) await view?.store(connection, sent)
      return some.map(({ record }, n): ItemResult => {
        if (wrong[n]) return wrong[n]
        const text = texts[n] as string
        const writeResult = writeResults.get(record.id)
        if (writeResult === 'written') return { id: record.id, text: answers[n] as string }
        if (writeResult === 'claimed') return inProgress()
        return isTooLarge(text) ? tooLarge() : new Problem('conflict', conflict)
      })
    }
  }
}

const nothing: Change = { set: {}, clear: [] }
const keyOf = ({ scope, record }: Draft) => ({ scope, id: record.id })
const stepOf = (draft: Draft): RecordChange => ({ ...keyOf(draft), before: undefined, after: draft.record })
