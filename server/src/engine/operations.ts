// What a caller can do with a resource, blind to path styles: takes many items, gives one outcome an item, and gathers concurrent single ones.
import { type Database, isRaceFault, isRowFault, isUniqueFault, type Queryable } from '../database/connect.ts'
import { notFound, Problem, unavailable } from '../http/problem.ts'
import type { Scope } from '../http/scope.ts'
import { UPDATE_ROUNDS } from '../limits.ts'
import { gather } from './batch.ts'
import { isId, newId } from './ids.ts'
import { type Page, type PageRequest, pager } from './list.ts'
import { type Resource, spoken } from './resource.ts'
import { bodySchema, type Change, type JsonObject } from './schema.ts'
import { type EventRow, type RowToReplace, type RowToWrite, store } from './store.ts'

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

/** Makes the operations of a resource over a database. */
export function operations(resource: Resource, database: Database): Operations {
  const { name, fields, derive, raises } = resource
  const { find, insert, replace, remove } = store(resource)
  const schema = bodySchema(resource)
  const members = Object.keys(fields)
  const missing = (id: string) => notFound(spoken(name.one), id)

  /** The record's text with its members in the order of the declaration, so that equal records are equal texts. */
  function write(record: JsonObject): string {
    const ordered: JsonObject = { id: record.id }
    for (const member of members) if (record[member] !== undefined) ordered[member] = record[member]
    return JSON.stringify(ordered)
  }

  function created({ scope, record }: { scope: Scope; record: JsonObject & { id: string } }): RowToWrite {
    Object.assign(record, derive(record))
    const events = [`${name.one}.created`, ...raises(record, undefined)].map((type) => ({ id: newId(), type }))
    return { scope, id: record.id, text: write(record), events }
  }

  async function createMany(items: readonly Item[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = new Array(items.length)
    const drafts: { index: number; scope: Scope; record: JsonObject & { id: string } }[] = []
    const now = new Date().toISOString()
    items.forEach(({ scope, value, at }, index) => {
      const change = schema.create(value, at)
      if (change instanceof Problem) outcomes[index] = change
      else {
        const server = {
          ...(resource.showsCompany && { companyId: scope.companyId }),
          ...(resource.remove === 'soft' && { isDeleted: false }),
        }
        const record = { id: newId(), ...change.set, ...server, createdAt: now, updatedAt: now }
        drafts.push({ index, scope, record })
      }
    })
    const settled = await settle(drafts, resource.prepare !== undefined, async (connection, some) => {
      await resource.prepare?.(connection, some as never)
      const rows = some.map(created)
      await insert(connection, rows)
      return rows.map(({ id, text }) => ({ id, text }))
    })
    drafts.forEach(({ index }, n) => {
      outcomes[index] = settled[n] as Outcome
    })
    return outcomes
  }

  /** The record after a change, with the event that tells of it; the text as it was when nothing changes. */
  function changed(before: JsonObject, change: Change, verb: string): { record: JsonObject; event?: EventRow[] } {
    const record: JsonObject = { ...before, ...change.set }
    for (const member of change.clear) delete record[member]
    Object.assign(record, derive(record))
    const previous: JsonObject = {}
    for (const member of members)
      if (JSON.stringify(record[member]) !== JSON.stringify(before[member])) previous[member] = before[member] ?? null
    if (Object.keys(previous).length === 0) return { record: before }
    const now = new Date().toISOString()
    // Clocks of two servers differ: a record's time never runs backwards.
    record.updatedAt = now > String(before.updatedAt) ? now : before.updatedAt
    const data = write(record)
    const types = [`${name.one}.${verb}`, ...raises(record, before)]
    return {
      record,
      event: types.map((type) => ({ id: newId(), type, data, previous: JSON.stringify(previous) })),
    }
  }

  type Pending = { index: number; scope: Scope; id: string; change: Change }

  /** Reads, changes in memory, writes where the version is unchanged, and again for those that lost the race. */
  async function changeMany(
    pending: Pending[],
    outcomes: Outcome[],
    verb: string,
    connection: Queryable,
  ): Promise<void> {
    const isDelete = verb === 'deleted'
    for (let round = 0; pending.length > 0; round++) {
      if (round === UPDATE_ROUNDS) throw unavailable('The record is being changed by too many at once. Try again.')
      const groups = Object.values(
        Object.groupBy(pending, ({ scope, id }) => `${scope.companyId} ${id}`),
      ) as Pending[][]
      // Rows are locked in the order in which they are named: one order for all keeps two statements from waiting for each other.
      groups.sort(([a], [b]) => ((a as Pending).id < (b as Pending).id ? -1 : 1))
      const stored = await find(
        connection,
        groups.map(([first]) => first as Pending),
        connection.inTransaction,
      )
      const writes: (RowToReplace & { group: Pending[]; texts: string[] })[] = []
      groups.forEach((group, index) => {
        const row = stored[index]
        const [{ scope, id }] = group as [Pending]
        let record: JsonObject = row && JSON.parse(row.text)
        if (row === undefined || (record.isDeleted && !isDelete)) {
          for (const item of group) outcomes[item.index] = missing(item.id)
          return
        }
        const events: EventRow[] = []
        const texts = group.map(({ change }) => {
          const next = changed(record, change, verb)
          record = next.record
          events.push(...(next.event ?? []))
          return events.at(-1)?.data ?? row.text
        })
        if (events.length > 0)
          writes.push({ scope, id, text: texts.at(-1) as string, version: row.version, events, group, texts })
        else for (const item of group) outcomes[item.index] = { id, text: row.text }
      })
      const settled = await settle(writes, false, replace, connection)
      pending = writes.flatMap(({ group, texts, id }, n) => {
        const outcome = settled[n]
        if (outcome === false) return group
        group.forEach((item, k) => {
          outcomes[item.index] = outcome === true ? { id, text: texts[k] as string } : (outcome as Problem)
        })
        return []
      })
    }
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

  const flagDeleted: Change = { set: { isDeleted: true }, clear: [] }

  async function removeMany(items: readonly ItemWithId[], connection: Queryable): Promise<Outcome[]> {
    const outcomes: Outcome[] = items.map(({ id }) => missing(id))
    const known = items.flatMap(({ scope, id }, index) => (isId(id) ? [{ index, scope, id }] : []))
    if (resource.remove === 'soft') {
      const pending = known.map((item) => ({ ...item, change: flagDeleted }))
      await changeMany(pending, outcomes, 'deleted', connection)
    } else if (known.length > 0) {
      const rows = known.map((item) => ({ ...item, eventId: newId() })).sort((a, b) => (a.id < b.id ? -1 : 1))
      const gone = await again(() => remove(connection, rows))
      rows.forEach(({ index, id }, n) => {
        if (gone[n]) outcomes[index] = { id, text: '' }
      })
    }
    return outcomes
  }

  /**
   * Writes rows in one statement. When one of them is refused, in one transaction in halves and halves of halves, so
   * that only the refused ones fail; their outcome is a problem.
   */
  async function settle<Write, Result>(
    rows: readonly Write[],
    needsTransaction: boolean,
    run: (connection: Queryable, rows: readonly Write[]) => Promise<Result[]>,
    connection: Queryable = database,
  ): Promise<(Result | Problem)[]> {
    if (rows.length === 0) return []
    if (connection.inTransaction) return halve(connection, rows, run)
    try {
      if (!needsTransaction) return await again(() => run(connection, rows))
    } catch (error) {
      if (!isRowFault(error)) throw error
      if (rows.length === 1) return [refused(error)]
    }
    return again(() => database.transaction((transaction) => halve(transaction, rows, run)))
  }

  async function halve<Write, Result>(
    transaction: Queryable,
    rows: readonly Write[],
    run: (connection: Queryable, rows: readonly Write[]) => Promise<Result[]>,
  ): Promise<(Result | Problem)[]> {
    await transaction.query('savepoint part')
    try {
      const results = await run(transaction, rows)
      await transaction.query('release savepoint part')
      return results
    } catch (error) {
      if (!isRowFault(error)) throw error
      await transaction.query('rollback to savepoint part; release savepoint part')
      if (rows.length === 1) return [refused(error)]
    }
    const middle = rows.length >> 1
    const first = await halve(transaction, rows.slice(0, middle), run)
    return [...first, ...(await halve(transaction, rows.slice(middle), run))]
  }

  function refused(error: unknown): Problem {
    if (isUniqueFault(error)) return new Problem('conflict', resource.conflict)
    return new Problem('validation_failed', `The record cannot be stored: ${(error as Error).message}.`)
  }

  const bulk =
    <I extends Item>(run: (items: readonly I[], connection: Queryable) => Promise<Outcome[]>) =>
    (items: readonly I[]) =>
      again(() => database.transaction((transaction) => run(items, transaction)))
  const single = (run: (items: readonly ItemWithId[], connection: Queryable) => Promise<Outcome[]>) =>
    gather((items: ItemWithId[]) => run(items, database))
  const readGathered = gather((keys: { scope: Scope; id: string }[]) => find(database, keys))
  const { list } = pager(resource, database)

  return {
    resource,
    async read(scope, id) {
      const row = isId(id) ? await readGathered({ scope, id }) : undefined
      if (row === undefined) throw missing(id)
      return row.text
    },
    list,
    create: gather(createMany),
    update: single(updateMany),
    remove: single(removeMany),
    createMany,
    updateMany: bulk(updateMany),
    removeMany: bulk(removeMany),
  }
}

/** Runs again what PostgreSQL chose as a deadlock's victim: nothing of it was written. */
async function again<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run()
    } catch (error) {
      if (!isRaceFault(error)) throw error
      if (tries === 5) throw unavailable('The record is being changed by too many at once. Try again.')
    }
  }
}
