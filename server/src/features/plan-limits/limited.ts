// Operations of a resource that plans limit: each item beyond the limit is refused. Companies without a limit are not
// slowed down.

import { fairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { companyActivity } from '../../concurrency/tenant-activity.ts'
import { tenantBatcher } from '../../concurrency/tenant-batcher.ts'
import { newId } from '../../core/ids.ts'
import { SEMAPHORES } from '../../core/limits.ts'
import { lruCache } from '../../core/lru-cache.ts'
import { Problem } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { inTransaction, retriedTransaction } from '../../engine/bisect-on-error.ts'
import type { OperationSemaphores, Operations } from '../../engine/operations.ts'
import type { Item, ItemResult } from '../../engine/record.ts'
import { bodySchema } from '../../engine/schema.ts'
import { lockAndCount, type RecentCounts, type RecordCount, readCount } from './count.ts'
import type { PlanLimits } from './plan-limits.ts'
import { CACHED_PLAN_MS } from './plan-limits.ts'
import { beyondPlan, type LimitName, limitOn } from './refusal.ts'

/** Companies whose number of records is kept in memory, of some 100 bytes each. */
const RECENT_COUNTS = 10_000

/** Whether plans can limit a resource. */
export const isLimited = (resource: Operations['resource']): boolean => limitOn(resource) !== undefined

/** The same operations within the limits of companies' plans. A delete needs no lock: it only makes room. */
export function limitedOperations(
  own: Operations,
  database: Database,
  plans: PlanLimits,
  { contended }: Pick<OperationSemaphores, 'contended'> = {
    contended: fairSemaphore(SEMAPHORES.contended, companyActivity),
  },
): Operations {
  const { resource } = own
  const name = limitOn(resource)
  if (name === undefined) return own
  const { create: check } = bodySchema(resource)
  const recent: RecentCounts = lruCache(RECENT_COUNTS, { ttl: CACHED_PLAN_MS })
  const create = (transaction: Queryable, items: readonly Item[]) =>
    createAllowed({ own, name, check, recent }, transaction, items)
  const hasLimit = async (companyId: string) => (await plans.of(companyId))[name] !== undefined
  const createOne = tenantBatcher(
    (items: Item[]) => retriedTransaction(database, (transaction) => create(transaction, items)),
    contended,
  )

  async function createMany(items: readonly Item[], connection?: Queryable): Promise<ItemResult[]> {
    const results = new Map<Item, ItemResult>()
    for (const [companyId, some] of Map.groupBy(items, ({ scope }) => scope.companyId)) {
      const done = (await hasLimit(companyId))
        ? await inTransaction(database, connection, (transaction) => create(transaction, some))
        : await own.createMany(some, connection)
      for (const [n, item] of some.entries()) results.set(item, done[n] as ItemResult)
    }
    return items.map((item) => results.get(item) as ItemResult)
  }

  return {
    ...own,
    create: async (item) => ((await hasLimit(item.scope.companyId)) ? createOne(item) : own.create(item)),
    createMany,
  }
}

interface LimitedCreates {
  readonly own: Operations
  readonly name: LimitName
  readonly check: (value: unknown, at?: string) => unknown
  readonly recent: RecentCounts
}

/** Creates items of one company, as many as its plan allows. */
async function createAllowed(
  { own, name, check, recent }: LimitedCreates,
  transaction: Queryable,
  items: readonly Item[],
): Promise<ItemResult[]> {
  const companyId = (items[0] as Item).scope.companyId
  const counted = { companyId, name, table: own.resource.table }
  const records = await lockAndCount(transaction, counted, items.length, recent)
  if (records === undefined) return own.createMany(items, transaction)
  const { limit } = records
  const results: ItemResult[] = []
  let { count } = records
  // An invalid item takes no room, so another may have it.
  while (results.length < items.length && count < limit) {
    const part = items.slice(results.length, results.length + limit - count)
    const done = await own.createMany(part, transaction)
    results.push(...done)
    count += done.filter((result) => !(result instanceof Problem)).length
  }
  for (const { value, at } of items.slice(results.length)) {
    const wrong = check(value, at)
    results.push(wrong instanceof Problem ? wrong : beyondPlan(name, limit, count, at))
  }
  return results
}

/**
 * Makes the dry run of a resource's creates in one company, which writes and locks nothing: results as of sequential
 * creates, starting from the number of records at the first one. Invalid items and concurrent changes are not simulated.
 */
export function foreseenCreates(
  resource: Operations['resource'],
  database: Queryable,
  companyId: string,
): Operations['createMany'] {
  const name = limitOn(resource)
  let counting: Promise<RecordCount | undefined> | undefined
  let created = 0
  return async (items) => {
    counting ??= name && readCount(database, { companyId, name, table: resource.table })
    const records = await counting
    return items.map(({ at }) => {
      const count = (records?.count ?? 0) + created
      if (name && records && count >= records.limit) return beyondPlan(name, records.limit, count, at)
      created++
      return { id: newId(), text: '' }
    })
  }
}
