// Creates: many checked items become rows and their events in one statement.
import type { Database } from '../database/connect.ts'
import { Problem } from '../http/problem.ts'
import type { Scope } from '../http/scope.ts'
import { newId } from './ids.ts'
import type { Item, Outcome } from './operations.ts'
import type { Resource } from './resource.ts'
import type { BodySchema, JsonObject } from './schema.ts'
import { settle } from './settle.ts'
import type { RowToWrite, Store } from './store.ts'
import { isTooLarge, tooLarge, type Writing } from './writing.ts'

/** A record on its way into the database. */
interface Draft {
  readonly index: number
  readonly scope: Scope
  readonly record: JsonObject & { id: string }
  /** What was sent for the view, if anything. */
  readonly sent: unknown
}

/** Makes the function that creates many records of a resource. */
export function creator(
  resource: Resource,
  database: Database,
  { schema, store, writing }: { schema: BodySchema; store: Store; writing: Writing },
): (items: readonly Item[]) => Promise<Outcome[]> {
  const { name, derive, raises, prepare, view, unique, conflict } = resource

  /** In one order for all writers, so that two of them never wait for each other's unique values; equals stay in theirs. */
  function inOrder(drafts: readonly Draft[]): readonly Draft[] {
    if (unique.length === 0) return drafts
    const values = ({ scope, record }: Draft) =>
      [...unique.map((member) => record[member] ?? ''), scope.companyId].join(' ')
    const keyed = drafts.map((draft) => ({ draft, key: values(draft) }))
    return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ draft }) => draft)
  }

  return async function createMany(items: readonly Item[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = new Array(items.length)
    const drafts: Draft[] = []
    const now = new Date().toISOString()
    items.forEach(({ scope, value, at }, index) => {
      const change = schema.create(value, at)
      if (change instanceof Problem) {
        outcomes[index] = change
        return
      }
      const sent = writing.sent(change.set)
      const record: Draft['record'] = {
        id: newId(),
        ...change.set,
        ...writing.merged(undefined, sent),
        createdAt: now,
        updatedAt: now,
      }
      if (resource.showsCompany) record.companyId = scope.companyId
      if (resource.remove === 'soft') record.isDeleted = false
      drafts.push({ index, scope, record, sent })
    })
    const ordered = inOrder(drafts)
    const needsTransaction = prepare !== undefined || drafts.some(({ sent }) => sent !== undefined)
    const settled = await settle(
      { connection: database, database, needsTransaction, conflict },
      ordered,
      async (connection, some) => {
        await prepare?.(connection, some as never)
        const texts = some.map(({ record }) => writing.shown(Object.assign(record, derive(record))))
        const rows = some.flatMap(({ scope, record }, n): RowToWrite[] => {
          if (isTooLarge(texts[n] as string)) return []
          const types = [`${name.one}.created`, ...raises(record, undefined)]
          // An event's data is the row's own text, but for a view, which the row does not hold.
          const data = view && { data: texts[n] as string }
          const events = types.map((type) => ({ id: newId(), type, ...data }))
          return [{ scope, id: record.id, body: writing.body(record, texts[n] as string), events }]
        })
        const inserted = rows.length > 0 ? await store.insert(connection, rows) : []
        const written = new Set(rows.filter((_, n) => inserted[n]).map(({ id }) => id))
        await view?.write(
          connection,
          some.filter(({ sent, record }) => sent !== undefined && written.has(record.id)),
        )
        return some.map(({ record }, n): Outcome => {
          const text = texts[n] as string
          if (written.has(record.id)) return { id: record.id, text }
          return isTooLarge(text) ? tooLarge() : new Problem('conflict', conflict)
        })
      },
    )
    ordered.forEach(({ index }, n) => {
      outcomes[index] = settled[n] as Outcome
    })
    return outcomes
  }
}
