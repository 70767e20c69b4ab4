// What a caller can do with a resource, blind to path styles: takes many items, gives one outcome an item, and gathers concurrent single ones.
import type { Database, Queryable } from '../database/connect.ts'
import { notFound, Problem, unavailable } from '../http/problem.ts'
import type { Scope } from '../http/scope.ts'
import { UPDATE_ROUNDS } from '../limits.ts'
import { gather } from './batch.ts'
import { isId, newId } from './ids.ts'
import { type Page, type PageRequest, pager } from './list.ts'
import { type Resource, spoken } from './resource.ts'
import { bodySchema, type Change, type JsonObject } from './schema.ts'
import { again, settle } from './settle.ts'
import { type EventRow, type Key, type RowToReplace, type RowToWrite, type StoredRow, store } from './store.ts'

/** What became of an item: the record's id and its JSON text, or the problem for which nothing of it was written. */
export type Outcome = Written | Problem
export interface Written {
  readonly id: string
  readonly text: string
}

/** An item as it came in: `value` unchecked; `at` the JSON pointer at which it stands in the request. */
export interface Item {
  readonly scope: Scope
  readonly value: unknown
  readonly at?: string
}
export interface ItemWithId extends Item {
  readonly id: string
}

/** The operations of a resource. Each plural one is atomic as to faults of the database, and per item as to faults of an item. */
export interface Operations {
  readonly resource: Resource
  /** The record's text. Throws `not_found`. Soft-deleted records are found. */
  read(scope: Scope, id: string): Promise<string>
  list(scope: Scope, request: PageRequest): Promise<Page>
  create(item: Item): Promise<Outcome>
  update(item: ItemWithId): Promise<Outcome>
  remove(item: ItemWithId): Promise<Outcome>
  createMany(items: readonly Item[]): Promise<Outcome[]>
  updateMany(items: readonly ItemWithId[]): Promise<Outcome[]>
  removeMany(items: readonly ItemWithId[]): Promise<Outcome[]>
}

/** A record on its way into the database. */
interface Draft {
  readonly index: number
  readonly scope: Scope
  readonly record: JsonObject & { id: string }
  /** What was sent for the view, if anything. */
  readonly sent: unknown
}

/** A checked change of one item, waiting for its record. */
interface Pending {
  readonly index: number
  readonly scope: Scope
  readonly id: string
  readonly change: Change
}

/** A record's new row, and the items that it is made of: several changes of one record become one row and many events. */
interface Rewrite extends RowToReplace {
  readonly group: readonly Pending[]
  readonly texts: readonly string[]
  readonly record: JsonObject
}

/** Makes the operations of a resource over a database. */
export function operations(resource: Resource, database: Database): Operations {
  const { name, fields, derive, raises, prepare, view, unique, conflict } = resource
  const { find, insert, replace, remove } = store(resource)
  const schema = bodySchema(resource)
  // The view stands last, where SQL puts it too.
  const members = Object.keys(fields).filter((member) => member !== 'id' && member !== view?.member)
  const shown = view ? [...members, view.member] : members
  const missing = (id: string) => notFound(spoken(name.one), id)

  /** A record's text with its members in the order of the declaration, so that equal records are equal texts. */
  function write(record: JsonObject, all: readonly string[]): string {
    const ordered: JsonObject = { id: record.id }
    for (const member of all) if (record[member] !== undefined) ordered[member] = record[member]
    return JSON.stringify(ordered)
  }

  /** Where a view's member is set: what it shows after the write. */
  const merged = (before: unknown, sent: unknown) => view && { [view.member]: view.merge(before, sent) }
  const sentTo = (set: JsonObject): unknown => view && set[view.member]

  /** In one order for all writers, so that two of them never wait for each other's unique values; equals stay in theirs. */
  function inOrder(drafts: readonly Draft[]): readonly Draft[] {
    if (unique.length === 0) return drafts
    const values = ({ scope, record }: Draft) =>
      [...unique.map((member) => record[member] ?? ''), scope.companyId].join(' ')
    const keyed = drafts.map((draft) => ({ draft, key: values(draft) }))
    return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ draft }) => draft)
  }

  async function createMany(items: readonly Item[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = new Array(items.length)
    const drafts: Draft[] = []
    const now = new Date().toISOString()
    items.forEach(({ scope, value, at }, index) => {
      const change = schema.create(value, at)
      if (change instanceof Problem) {
        outcomes[index] = change
        return
      }
      const sent = sentTo(change.set)
      const record: Draft['record'] = {
        id: newId(),
        ...change.set,
        ...merged(undefined, sent),
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
        const texts = some.map(({ record }) => write(Object.assign(record, derive(record)), shown))
        const rows = some.map(({ scope, record }, n): RowToWrite => {
          const types = [`${name.one}.created`, ...raises(record, undefined)]
          // An event's data is the row's own text, but for a view, which the row does not hold.
          const data = view && { data: texts[n] as string }
          const events = types.map((type) => ({ id: newId(), type, ...data }))
          return { scope, id: record.id, body: view ? write(record, members) : (texts[n] as string), events }
        })
        const written = await insert(connection, rows)
        await view?.write(
          connection,
          some.filter(({ sent }, n) => sent !== undefined && written[n]),
        )
        return some.map(({ record }, n): Outcome => {
          return written[n] ? { id: record.id, text: texts[n] as string } : new Problem('conflict', conflict)
        })
      },
    )
    ordered.forEach(({ index }, n) => {
      outcomes[index] = settled[n] as Outcome
    })
    return outcomes
  }

  /** The record after a change, with the events that tell of it; the record itself and none when nothing changes. */
  function changed(
    before: JsonObject,
    { set, clear }: Change,
    verb: string,
  ): { record: JsonObject; events: EventRow[] } {
    const record: JsonObject = { ...before, ...set }
    for (const member of clear) delete record[member]
    if (view) Object.assign(record, merged(before[view.member], sentTo(set)))
    Object.assign(record, derive(record))
    const previous: JsonObject = {}
    for (const member of shown)
      if (JSON.stringify(record[member]) !== JSON.stringify(before[member])) previous[member] = before[member] ?? null
    if (Object.keys(previous).length === 0) return { record: before, events: [] }
    const now = new Date().toISOString()
    // Clocks of two servers differ: a record's time never runs backwards.
    record.updatedAt = now > String(before.updatedAt) ? now : before.updatedAt
    const data = write(record, shown)
    const types = [`${name.one}.${verb}`, ...raises(record, before)]
    return { record, events: types.map((type) => ({ id: newId(), type, data, previous: JSON.stringify(previous) })) }
  }

  /** The row that a group of changes makes of a stored record; undefined when there is no such record to change. */
  function rewrite(group: readonly Pending[], row: StoredRow | undefined, verb: string): Rewrite | undefined {
    let record: JsonObject = row && JSON.parse(row.text)
    if (row === undefined || (record.isDeleted && verb !== 'deleted')) return undefined
    const [{ scope, id }] = group as [Pending]
    const events: EventRow[] = []
    const texts = group.map(({ change }) => {
      const next = changed(record, change, verb)
      record = next.record
      events.push(...next.events)
      return events.at(-1)?.data ?? row.text
    })
    const body = view ? write(record, members) : (texts.at(-1) as string)
    return { scope, id, version: row.version, body, events, group, texts, record }
  }

  /** Reads, changes in memory, writes where the version is unchanged, and again for those that lost the race. */
  async function changeMany(
    pending: readonly Pending[],
    outcomes: Outcome[],
    verb: string,
    connection: Queryable,
  ): Promise<void> {
    let waiting = pending
    for (let round = 0; waiting.length > 0; round++) {
      if (round === UPDATE_ROUNDS) throw unavailable('The record is being changed by too many at once. Try again.')
      // In one order for all, so that two statements never wait for each other's rows.
      const groups = [...Map.groupBy(waiting, ({ scope, id }) => `${id} ${scope.companyId}`)].sort(([a], [b]) =>
        a < b ? -1 : 1,
      )
      const keys = groups.map(([, [first]]) => first as Pending)
      const stored = await find(connection, keys, connection.inTransaction)
      const writes: Rewrite[] = []
      groups.forEach(([, group], n) => {
        const row = rewrite(group, stored[n], verb)
        if (row && row.events.length > 0) writes.push(row)
        else
          for (const { index, id } of group) outcomes[index] = row ? { id, text: row.texts[0] as string } : missing(id)
      })
      const needsTransaction = writes.some(({ group }) => group.some(({ change }) => sentTo(change.set) !== undefined))
      const settled = await settle({ connection, database, needsTransaction, conflict }, writes, writeOver)
      const refused: Pending[] = []
      waiting = writes.flatMap(({ group, texts, id }, n) => {
        const outcome = settled[n]
        if (outcome === false) return group
        if (outcome instanceof Problem && group.length > 1) {
          refused.push(...group)
          return []
        }
        group.forEach(({ index }, k) => {
          outcomes[index] = outcome === true ? { id, text: texts[k] as string } : (outcome as Problem)
        })
        return []
      })
      // Which of a record's changes is at fault is not known until each is tried by itself.
      for (const one of refused) await changeMany([one], outcomes, verb, connection)
    }
  }

  async function writeOver(connection: Queryable, rows: readonly Rewrite[]): Promise<boolean[]> {
    const written = await replace(connection, rows)
    const sent = rows.flatMap(({ scope, record, group }, n) =>
      written[n] ? group.map(({ change }) => ({ scope, record, sent: sentTo(change.set) })) : [],
    )
    await view?.write(
      connection,
      sent.filter((one) => one.sent !== undefined),
    )
    return written
  }

  async function updateMany(items: readonly ItemWithId[], connection: Queryable): Promise<Outcome[]> {
    const outcomes: Outcome[] = new Array(items.length)
    const pending: Pending[] = []
    items.forEach(({ scope, id, value, at }, index) => {
      const change = schema.update(value, at)
      if (change instanceof Problem) outcomes[index] = change
      else if (!isId(id)) outcomes[index] = missing(id)
      else pending.push({ index, scope, id, change })
    })
    await changeMany(pending, outcomes, 'updated', connection)
    return outcomes
  }

  async function removeMany(items: readonly ItemWithId[], connection: Queryable): Promise<Outcome[]> {
    const outcomes: Outcome[] = items.map(({ id }) => missing(id))
    const known = items.flatMap(({ scope, id }, index) => (isId(id) ? [{ index, scope, id }] : []))
    if (resource.remove === 'soft') {
      await changeMany(
        known.map((item) => ({ ...item, change: flagDeleted })),
        outcomes,
        'deleted',
        connection,
      )
    } else if (known.length > 0) {
      const rows = known.map((item) => ({ ...item, eventId: newId() })).sort((a, b) => (a.id < b.id ? -1 : 1))
      // Inside a transaction nothing can be tried again: the whole of it is.
      const gone = await (connection.inTransaction ? remove(connection, rows) : again(() => remove(connection, rows)))
      rows.forEach(({ index, id }, n) => {
        if (gone[n]) outcomes[index] = { id, text: '' }
      })
    }
    return outcomes
  }

  /** Many in one transaction: all good items are written, or, when the database fails, none. */
  const together =
    (run: (items: readonly ItemWithId[], connection: Queryable) => Promise<Outcome[]>) =>
    (items: readonly ItemWithId[]) =>
      again(() => database.transaction((transaction) => run(items, transaction)))
  const gathered = (run: (items: readonly ItemWithId[], connection: Queryable) => Promise<Outcome[]>) =>
    gather((items: ItemWithId[]) => run(items, database))
  const findGathered = gather((keys: Key[]) => find(database, keys))

  return {
    resource,
    async read(scope, id) {
      const row = isId(id) ? await findGathered({ scope, id }) : undefined
      if (row === undefined) throw missing(id)
      return row.text
    },
    list: pager(resource, database),
    create: gather(createMany),
    update: gathered(updateMany),
    remove: gathered(removeMany),
    createMany,
    updateMany: together(updateMany),
    removeMany: together(removeMany),
  }
}

const flagDeleted: Change = { set: { isDeleted: true }, clear: [] }
