// What a caller can do with a resource, blind to path styles: takes many items, gives one outcome an item, and gathers concurrent single ones.
import type { Database, Queryable } from '../database/connect.ts'
import { type Condition, isMet, mismatch } from '../http/etag.ts'
import type { Claim } from '../http/idempotency.ts'
import { invalid, notFound, Problem } from '../http/problem.ts'
import type { Answer } from '../http/route.ts'
import type { Scope } from '../http/scope.ts'
import { type Lane, lane } from '../lane.ts'
import { LANES } from '../limits.ts'
import { type Gathered, gather } from './batch.ts'
import { changer, type Pending } from './change.ts'
import { creator } from './create.ts'
import { once } from './idempotency.ts'
import { isId, newId } from './ids.ts'
import { type Page, type PageRequest, pager } from './list.ts'
import { type Resource, spoken } from './resource.ts'
import { bodySchema, type Change } from './schema.ts'
import { again } from './settle.ts'
import { type Key, type RowToRemove, store } from './store.ts'
import { writing } from './writing.ts'

/** What became of an item: the record's id and its JSON text, or the problem for which nothing of it was written. */
export type Outcome = Written | Problem
export interface Written {
  readonly id: string
  readonly text: string
}

/** An item as it came in: `value` unchecked; `at` the JSON pointer at which it stands in the request. */
export interface Item extends Gathered {
  readonly scope: Scope
  readonly value: unknown
  readonly at?: string
  /** The idempotency key of the request; only of a single one, whose answer is the record. */
  readonly claim?: Claim | undefined
}
export interface ItemWithId extends Item {
  readonly id: string
  /** The version that the change is meant for. */
  readonly ifMatch?: Condition | undefined
}

/**
 * The operations of a resource. Each plural one is atomic as to faults of the database, and per item as to faults of an
 * item; it joins the transaction that it is given, and begins its own where it needs one.
 */
export interface Operations {
  readonly resource: Resource
  /** The record's text. Throws `not_found`. Soft-deleted records are found. */
  read(scope: Scope, id: string, deadline?: number): Promise<string>
  list(scope: Scope, request: PageRequest): Promise<Page>
  create(item: Item): Promise<Outcome>
  update(item: ItemWithId): Promise<Outcome>
  remove(item: ItemWithId): Promise<Outcome>
  createMany(items: readonly Item[], connection?: Queryable): Promise<Outcome[]>
  updateMany(items: readonly ItemWithId[], connection?: Queryable): Promise<Outcome[]>
  removeMany(items: readonly ItemWithId[], connection?: Queryable): Promise<Outcome[]>
  /** Carries out plural ones under a claim, in one transaction with its answer. */
  once(claim: Claim | undefined, work: (connection: Queryable) => Promise<Answer>): Promise<Answer>
}

/** Makes the operations of a resource over a database; the statements of its lists wait in `lists`, best with those of all others. */
export function operations(resource: Resource, database: Database, lists: Lane = lane(LANES.list)): Operations {
  const { name } = resource
  const parts = { schema: bodySchema(resource), store: store(resource), writing: writing(resource) }
  const createMany = creator(resource, database, parts)
  const changeMany = changer(resource, database, parts)
  const missing = (id: string) => notFound(spoken(name.one), id)

  async function updateMany(items: readonly ItemWithId[], connection: Queryable): Promise<Outcome[]> {
    const outcomes: Outcome[] = new Array(items.length)
    const pending: Pending[] = []
    items.forEach(({ scope, id, value, at, ifMatch, claim }, index) => {
      const change = parts.schema.update(value, at)
      if (change instanceof Problem) outcomes[index] = change
      else if (!isId(id)) outcomes[index] = missing(id)
      else pending.push({ index, scope, id, change, ifMatch, claim })
    })
    await changeMany(pending, outcomes, 'updated', connection)
    return outcomes
  }

  async function removeMany(items: readonly ItemWithId[], connection: Queryable): Promise<Outcome[]> {
    const outcomes: Outcome[] = items.map(({ id }) => missing(id))
    const known = items.flatMap(({ scope, id, value, at, ifMatch }, index) => {
      const errors = parts.schema.strangers(value, at)
      if (errors.length > 0) outcomes[index] = invalid(errors)
      return isId(id) && errors.length === 0 ? [{ index, scope, id, ifMatch }] : []
    })
    if (resource.remove === 'soft') {
      await changeMany(
        known.map((item) => ({ ...item, change: flagDeleted })),
        outcomes,
        'deleted',
        connection,
      )
    } else {
      const [conditional, plain] = [known.filter(({ ifMatch }) => ifMatch), known.filter(({ ifMatch }) => !ifMatch)]
      await removeRows(plain, outcomes, connection)
      await removeUnchanged(conditional, outcomes, connection)
    }
    return outcomes
  }

  /** Deletes rows; the outcome of those that were there becomes a success. */
  async function removeRows(
    items: readonly (Removal & { readonly version?: number })[],
    outcomes: Outcome[],
    connection: Queryable,
  ): Promise<void> {
    if (items.length === 0) return
    const rows = items.map((item) => ({ ...item, eventId: newId() })).sort((a, b) => (a.id < b.id ? -1 : 1))
    // Inside a transaction nothing can be tried again: the whole of it is.
    const gone = await (connection.inTransaction
      ? removeTold(connection, rows)
      : again(() =>
          resource.trail?.concerns(undefined, undefined)
            ? database.transaction((transaction) => removeTold(transaction, rows))
            : parts.store.remove(connection, rows),
        ))
    rows.forEach(({ index, id }, n) => {
      if (gone[n]) outcomes[index] = { id, text: '' }
    })
  }

  async function removeTold(transaction: Queryable, rows: readonly RowToRemove[]): Promise<boolean[]> {
    const gone = await parts.store.remove(transaction, rows)
    const steps = rows.flatMap(({ scope, id }, n) =>
      gone[n] ? [{ scope, id, before: undefined, after: undefined }] : [],
    )
    if (steps.length > 0 && resource.trail?.concerns(undefined, undefined))
      await resource.trail.write(transaction, steps)
    return gone
  }

  /** Deletes those rows that are the version they were meant to be; who was overtaken between reading and deleting looks again. */
  async function removeUnchanged(items: readonly Removal[], outcomes: Outcome[], connection: Queryable): Promise<void> {
    for (let waiting = items; waiting.length > 0; ) {
      const stored = await parts.store.find(connection, waiting, connection.inTransaction)
      const found = waiting.flatMap((item, n) => {
        const row = stored[n]
        outcomes[item.index] = missing(item.id)
        if (row === undefined) return []
        if (isMet(item.ifMatch ?? '*', row.text)) return [{ ...item, version: row.version }]
        outcomes[item.index] = mismatch()
        return []
      })
      await removeRows(found, outcomes, connection)
      waiting = found.filter(({ index }) => outcomes[index] instanceof Problem)
    }
  }

  /** Many in one transaction: all good items are written, or, when the database fails, none. */
  const together =
    (run: (items: readonly ItemWithId[], connection: Queryable) => Promise<Outcome[]>) =>
    (items: readonly ItemWithId[], connection: Queryable = database) =>
      connection.inTransaction
        ? run(items, connection)
        : again(() => database.transaction((transaction) => run(items, transaction)))
  const gathered = (run: (items: readonly ItemWithId[], connection: Queryable) => Promise<Outcome[]>) =>
    gather((items: ItemWithId[]) => run(items, database))
  const findGathered = gather((keys: (Key & Gathered)[]) => parts.store.find(database, keys))

  return {
    resource,
    async read(scope, id, deadline) {
      const row = isId(id) ? await findGathered({ scope, id, deadline }) : undefined
      if (row === undefined) throw missing(id)
      return row.text
    },
    list: pager(resource, database, lists),
    create: gather((items: Item[]) => createMany(items)),
    update: gathered(updateMany),
    remove: gathered(removeMany),
    createMany,
    updateMany: together(updateMany),
    removeMany: together(removeMany),
    once: (claim, work) => once(database, claim, work),
  }
}

/** A record to be deleted, and its place among the outcomes. */
interface Removal extends Key {
  readonly index: number
  readonly ifMatch?: Condition | undefined
}

const flagDeleted: Change = { set: { isDeleted: true }, clear: [] }
