// What a caller can do with a resource, independent of path styles: takes many items, returns one result per item, and batches concurrent single operations.

import { type Batcher, batcher, tenantBatcher } from '../concurrency/batcher.ts'
import { type FairSemaphore, fairSemaphore } from '../concurrency/fair-semaphore.ts'
import { companyActivity } from '../concurrency/tenant-activity.ts'
import { mapInSlices } from '../concurrency/time-slices.ts'
import type { Claim } from '../core/idempotency-claim.ts'
import { isId } from '../core/ids.ts'
import { SEMAPHORES } from '../core/limits.ts'
import { invalid, notFound, Problem } from '../core/problem.ts'
import type { Scope } from '../core/scope.ts'
import type { Database, Queryable } from '../database/connect.ts'
import type { Answer } from '../http/route.ts'
import { inTransaction } from './bisect-on-error.ts'
import { changer, type Pending } from './change.ts'
import { creator } from './create.ts'
import { once } from './idempotency.ts'
import { type Page, type PageRequest, pager } from './list.ts'
import type { Change, Item, ItemResult, ItemWithId, Key } from './record.ts'
import { remover } from './remove.ts'
import { type Resource, spoken } from './resource.ts'
import { bodySchema } from './schema.ts'
import { partOf, type StoredRow, store } from './store.ts'
import { writing } from './writing.ts'

/**
 * The operations of a resource. Each plural one is atomic if the database fails, and per item if an item is at fault;
 * it joins a given transaction, and begins its own where it needs one.
 */
export interface Operations {
  readonly resource: Resource
  /** The record's text. Throws `not_found`. Soft-deleted records are found. */
  read(scope: Scope, id: string, isGone?: () => boolean): Promise<string>
  list(scope: Scope, request: PageRequest): Promise<Page>
  create(item: Item): Promise<ItemResult>
  update(item: ItemWithId): Promise<ItemResult>
  remove(item: ItemWithId): Promise<ItemResult>
  /** Restores a soft-deleted record; a record that is not deleted stays unchanged. */
  restore(item: ItemWithId): Promise<ItemResult>
  createMany(items: readonly Item[], connection?: Queryable): Promise<ItemResult[]>
  updateMany(items: readonly ItemWithId[], connection?: Queryable): Promise<ItemResult[]>
  removeMany(items: readonly ItemWithId[], connection?: Queryable): Promise<ItemResult[]>
  /** Carries out plural ones under a claim, in one transaction with the response. */
  once(claim: Claim | undefined, work: (connection: Queryable) => Promise<Answer>): Promise<Answer>
}

/** The semaphores of the operations, best shared with those of all other resources. */
export interface OperationSemaphores {
  /** For the statements of lists. */
  readonly lists: FairSemaphore
  /** For single operations that may have to wait for locked rows. */
  readonly contended: FairSemaphore
}

/** Makes the operations of a resource over a database. */
export function operations(
  resource: Resource,
  database: Database,
  { lists, contended }: OperationSemaphores = {
    lists: fairSemaphore(SEMAPHORES.list, companyActivity),
    contended: fairSemaphore(SEMAPHORES.contended, companyActivity),
  },
): Operations {
  const { name } = resource
  const parts = { schema: bodySchema(resource), store: store(resource), writing: writing(resource) }
  const createMany = creator(resource, database, parts)
  const changeMany = changer(resource, database, parts)
  const removeRows = remover(resource, parts.store)
  const missing = (id: string) => notFound(spoken(name.one), id)

  type Results = (ItemResult | undefined)[]

  async function updateMany(items: readonly ItemWithId[], connection: Queryable, waits = true): Promise<Results> {
    const results: Results = new Array(items.length)
    const pending: Pending[] = []
    await mapInSlices(items, items[0]?.scope.companyId ?? '', ({ scope, id, value, at, ifMatch, claim }, index) => {
      const change = parts.schema.update(value, at)
      if (change instanceof Problem) results[index] = change
      else if (!isId(id)) results[index] = missing(id)
      else pending.push({ index, scope, id, change, at, ifMatch, claim })
    })
    await changeMany(pending, results, 'updated', connection, waits)
    return results
  }

  async function removeMany(items: readonly ItemWithId[], connection: Queryable, waits = true): Promise<Results> {
    const results: Results = items.map(({ id }) => missing(id))
    const known = items.flatMap(({ scope, id, value, at, ifMatch }, index) => {
      const errors = parts.schema.unknownProperties(value, at)
      if (errors.length > 0) results[index] = invalid(errors)
      return isId(id) && errors.length === 0 ? [{ index, scope, id, ifMatch }] : []
    })
    if (resource.remove === 'hard') {
      const remove = () => removeRows(known, results, connection, waits)
      const { removing } = resource.sideEffects ?? {}
      await (removing && known.length > 0 ? removing(connection, known, remove) : remove())
    } else {
      const pending = known.map((item) => ({ ...item, change: flagDeleted }))
      for (const { index } of known) results[index] = undefined
      await changeMany(pending, results, 'deleted', connection, waits)
    }
    return results
  }

  async function restoreMany(items: readonly ItemWithId[], connection: Queryable, waits = true): Promise<Results> {
    const results: Results = items.map(({ id }) => (isId(id) ? undefined : missing(id)))
    const pending = items.flatMap(({ scope, id, ifMatch, claim }, index) =>
      isId(id) ? [{ index, scope, id, change: flagRestored, ifMatch, claim }] : [],
    )
    await changeMany(pending, results, 'restored', connection, waits)
    return results
  }

  // A unique index makes a write wait for another of the same values; without one, a write may wait for other rows.
  const mayWait =
    resource.unique.length > 0 ||
    resource.isViewed ||
    [resource.prepare, resource.sideEffects].some((seam) => seam !== undefined)
  type Run = (items: readonly ItemWithId[], connection: Queryable, waits?: boolean) => Promise<Results>
  /** Many in one transaction: all valid items are written, or, when the database fails, none. */
  const together = (run: Run) => async (items: readonly ItemWithId[], connection?: Queryable) =>
    (await inTransaction(database, connection, (transaction) => run(items, transaction))) as ItemResult[]
  /** Single ones of all companies together; an item that would have to wait for a row is retried among its company's. */
  const gathered = (run: Run) => {
    // Locked while they change: else those that do not wait could overtake them for ever.
    const patient = tenantBatcher((items: ItemWithId[]) => together(run)(items), contended)
    if (mayWait) return patient
    return batcher(async (items: ItemWithId[]) => {
      const results = await run(items, database, false)
      return Array.from(results, (result, n) => result ?? patient(items[n] as ItemWithId))
    })
  }
  const create = (items: Item[]) => createMany(items)
  const findGathered = batcher((keys: (Key & Batcher)[]) => findAll(keys))

  async function findAll(keys: readonly Key[]): Promise<(StoredRow | undefined)[]> {
    const all: (StoredRow | undefined)[] = []
    for (let part = keys.length; all.length < keys.length; ) {
      const asked = keys.slice(all.length, all.length + part)
      const found = await parts.store.find(database, asked)
      part = partOf(asked.length, found.length)
      all.push(...found)
    }
    return all
  }

  return {
    resource,
    async read(scope, id, isGone) {
      const row = isId(id) ? await findGathered({ scope, id, isGone }) : undefined
      if (row === undefined) throw missing(id)
      if (row.text instanceof Problem) throw row.text
      return row.text
    },
    list: pager(resource, database, lists),
    create: mayWait ? tenantBatcher(create, contended) : batcher(create),
    update: gathered(updateMany),
    remove: gathered(removeMany),
    restore: gathered(restoreMany),
    createMany,
    updateMany: together(updateMany),
    removeMany: together(removeMany),
    once: (claim, work) => once(database, claim, work),
  }
}

const flagDeleted: Change = { set: { isDeleted: true }, clear: [] }
const flagRestored: Change = { set: { isDeleted: false }, clear: [] }
