// What a caller can do with a resource, independent of path styles: takes many items, returns one result per item, and batches concurrent single operations.

import type { BatchItem } from '../concurrency/batch.ts'
import { batcher } from '../concurrency/batcher.ts'
import { type FairSemaphore, fairSemaphore } from '../concurrency/fair-semaphore.ts'
import { companyActivity } from '../concurrency/tenant-activity.ts'
import { tenantBatcher } from '../concurrency/tenant-batcher.ts'
import { mapInSlices } from '../concurrency/time-slices.ts'
import type { Claim } from '../core/idempotency-claim.ts'
import { isId } from '../core/ids.ts'
import type { IsGone } from '../core/is-gone.ts'
import { SEMAPHORES } from '../core/limits.ts'
import { invalid, notFound, orThrow, Problem } from '../core/problem.ts'
import type { Scope } from '../core/scope.ts'
import type { Database, Queryable } from '../database/connect.ts'
import { gathering } from '../database/one-company.ts'
import type { Answer } from '../http/route.ts'
import { inTransaction } from './bisect-on-error.ts'
import { changeMany } from './change.ts'
import { claimedBatcher } from './claimed-batcher.ts'
import { type ResourceContext, resourceContext } from './context.ts'
import { createMany } from './create.ts'
import { once } from './idempotency.ts'
import { type Page, type PageRequest, pager } from './lists/list.ts'
import type { PendingChange } from './pending-change.ts'
import type { Change, Item, ItemResult, ItemWithId, Key } from './record.ts'
import { removeRows } from './remove.ts'
import { type Resource, spoken } from './resource.ts'
import { inParts, type StoredRow } from './store.ts'

/**
 * The operations of a resource. Each plural one is atomic if the database fails, and per item if an item is at fault;
 * it joins a given transaction, and begins its own where it needs one.
 */
export interface Operations {
  readonly resource: Resource
  /** The record's text. Throws `not_found`. Soft-deleted records are found. */
  read(scope: Scope, id: string, isGone?: IsGone): Promise<string>
  list(scope: Scope, request: PageRequest): Promise<Page>
  create(item: Item): Promise<ItemResult>
  update(item: ItemWithId): Promise<ItemResult>
  remove(item: ItemWithId): Promise<ItemResult>
  /** Restores a soft-deleted record; a record that is not deleted stays unchanged. */
  restore(item: ItemWithId): Promise<ItemResult>
  createMany(items: readonly Item[], connection?: Queryable): Promise<ItemResult[]>
  updateMany(items: readonly ItemWithId[], connection?: Queryable): Promise<ItemResult[]>
  removeMany(items: readonly ItemWithId[], connection?: Queryable): Promise<ItemResult[]>
  /** Makes the function that carries out requests in transactions, those of one company together. */
  inTransactions<Work, Result>(
    carryOut: (transaction: Queryable, works: readonly Work[]) => Promise<readonly Result[]>,
  ): ReturnType<typeof claimedBatcher<Work, Result>>
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
  const context = resourceContext(resource, database)
  const create = (items: Item[]) => createMany(context, items)
  const findBatched = batcher((keys: (Key & BatchItem)[]) => findAll(context, keys), {
    ...gathering(database),
    isAtOnce: true,
  })
  return {
    resource,
    async read(scope, id, isGone) {
      const row = isId(id) ? await findBatched({ scope, id, isGone }) : undefined
      if (row === undefined) throw missing(resource, id)
      return orThrow(row.text)
    },
    list: pager(resource, database, lists),
    create: mayWait(resource) ? tenantBatcher(create, contended) : batcher(create, gathering(database)),
    update: batched(context, updateMany, contended),
    remove: batched(context, removeMany, contended),
    restore: batched(context, restoreMany, contended),
    createMany: (items, connection) => createMany(context, items, connection),
    updateMany: (items, connection) => inOneTransaction(context, updateMany, items, connection),
    removeMany: (items, connection) => inOneTransaction(context, removeMany, items, connection),
    inTransactions: (carryOut) => claimedBatcher(database, contended, carryOut),
    once: (claim, work) => once(database, claim, work),
  }
}

type WriteResults = (ItemResult | undefined)[]

/** Writes many items; with `waits: false` an item that would have to wait for a row gets no result. */
type WriteMany = (
  context: ResourceContext,
  items: readonly ItemWithId[],
  connection: Queryable,
  waits: boolean,
) => Promise<WriteResults>

/**
 * Whether a write may wait: for another write of the same values of a unique index, or, where it has hooks, for other
 * rows.
 */
const mayWait = ({ unique, isProjected, prepare, sideEffects }: Resource): boolean =>
  unique.length > 0 || isProjected || prepare !== undefined || sideEffects !== undefined

const missing = ({ name }: Resource, id: string): Problem => notFound(spoken(name.one), id)

/** Many in one transaction: all valid items are written, or, when the database fails, none. */
const inOneTransaction = async (
  context: ResourceContext,
  write: WriteMany,
  items: readonly ItemWithId[],
  connection?: Queryable,
): Promise<ItemResult[]> => {
  const work = (transaction: Queryable) => write(context, items, transaction, true)
  return (await inTransaction(context.database, connection, work)) as ItemResult[]
}

/** Single ones of all companies together; an item that would have to wait for a row is retried among its company's. */
function batched(
  context: ResourceContext,
  write: WriteMany,
  contended: FairSemaphore,
): (item: ItemWithId) => Promise<ItemResult> {
  // Locked while they change: otherwise writes that do not wait could overtake them for ever.
  const patient = tenantBatcher((items: ItemWithId[]) => inOneTransaction(context, write, items), contended)
  if (mayWait(context.resource)) return patient
  const writeFree = async (items: ItemWithId[]) => {
    const results = await write(context, items, context.database, false)
    return Array.from(results, (result, n) => result ?? patient(items[n] as ItemWithId))
  }
  return batcher(writeFree, gathering(context.database))
}

async function updateMany(
  context: ResourceContext,
  items: readonly ItemWithId[],
  connection: Queryable,
  waits: boolean,
): Promise<WriteResults> {
  const results: WriteResults = new Array(items.length)
  const pending: PendingChange[] = []
  await mapInSlices(
    items,
    items[0]?.scope.companyId ?? '',
    ({ scope, id, value, at, own, ifMatch, expected, claim }, index) => {
      const sent = context.schema.update(value, at)
      if (sent instanceof Problem) results[index] = sent
      else if (!isId(id)) results[index] = missing(context.resource, id)
      else {
        const change = own ? { ...sent, set: { ...sent.set, ...own } } : sent
        pending.push({ index, scope, id, change, at, ifMatch, expected, claim })
      }
    },
  )
  await changeMany(context, pending, { verb: 'updated', connection, waits, results })
  return results
}

async function removeMany(
  context: ResourceContext,
  items: readonly ItemWithId[],
  connection: Queryable,
  waits: boolean,
): Promise<WriteResults> {
  const { resource, schema } = context
  const results: WriteResults = items.map(({ id }) => missing(resource, id))
  const known = items.flatMap(({ scope, id, value, at, ifMatch }, index) => {
    const errors = schema.unknownProperties(value, at)
    if (errors.length > 0) results[index] = invalid(errors)
    return isId(id) && errors.length === 0 ? [{ index, scope, id, ifMatch }] : []
  })
  if (resource.remove === 'hard') {
    const remove = () => removeRows(context, known, { connection, waits, results })
    const { removing } = resource.sideEffects ?? {}
    await (removing && known.length > 0 ? removing(connection, known, remove) : remove())
  } else {
    const pending = known.map((item) => ({ ...item, change: flagDeleted }))
    for (const { index } of known) results[index] = undefined
    await changeMany(context, pending, { verb: 'deleted', connection, waits, results })
  }
  return results
}

async function restoreMany(
  context: ResourceContext,
  items: readonly ItemWithId[],
  connection: Queryable,
  waits: boolean,
): Promise<WriteResults> {
  const results: WriteResults = items.map(({ id }) => (isId(id) ? undefined : missing(context.resource, id)))
  const pending = items.flatMap(({ scope, id, ifMatch, claim }, index) =>
    isId(id) ? [{ index, scope, id, change: flagRestored, ifMatch, claim }] : [],
  )
  await changeMany(context, pending, { verb: 'restored', connection, waits, results })
  return results
}

/** The rows of all keys, in as many statements as their length takes. */
async function findAll({ store, database }: ResourceContext, keys: readonly Key[]): Promise<(StoredRow | undefined)[]> {
  const all: (StoredRow | undefined)[] = []
  await inParts(
    keys,
    (asked) => store.find(database, asked),
    (_, row) => all.push(row),
  )
  return all
}

const flagDeleted: Change = { set: { isDeleted: true }, clear: [] }
const flagRestored: Change = { set: { isDeleted: false }, clear: [] }
