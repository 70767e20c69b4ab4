// Operations of a resource that plans limit: each item beyond the limit is refused. Companies without a limit are not
// slowed down. The number of records is counted when a create needs it: a stored number would miss what a server
// creates that does not yet know of the limit.

import type { LRUCache } from 'lru-cache'
import { fairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { companyActivity } from '../../concurrency/tenant-activity.ts'
import { tenantBatcher } from '../../concurrency/tenant-batcher.ts'
import { newId } from '../../core/ids.ts'
import { SEMAPHORES } from '../../core/limits.ts'
import { lruCache } from '../../core/lru-cache.ts'
import { Problem } from '../../core/problem.ts'
import { lockForTransaction } from '../../database/advisory-lock.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { inTransaction, retriedTransaction } from '../../engine/bisect-on-error.ts'
import type { OperationSemaphores, Operations } from '../../engine/operations.ts'
import type { Item, ItemResult } from '../../engine/record.ts'
import { bodySchema } from '../../engine/schema.ts'
import { beyondPlan, CACHED_PLAN_MS, type LimitName, limitOn, type PlanLimits } from './plan-limits.ts'

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

/** What is counted: a company's records in the table of a limit. */
interface LimitedRecords {
  readonly companyId: string
  readonly name: LimitName
  readonly table: string
}

/** The plan's limit, and the number of records. */
interface RecordCount {
  readonly limit: number
  readonly count: number
}

/** Recent counts by company: the number of records, and the watermark of events from before it was counted. */
type RecentCounts = LRUCache<string, { readonly count: number; readonly watermark: number }>

/** Numbers of events that PostgreSQL may assign a second time after a crash. */
const REASSIGNED_NUMBERS = 32

/**
 * Locks out the company's other creates of these records until the transaction ends, and counts the records. Returns
 * undefined if the plan allows `wanted` more in any case.
 *
 * Each new record has an event, and each event takes a number. There are therefore at most as many records as at a
 * recent count, plus the numbers that were taken since. Only near the limit are a company's records counted for each
 * create.
 */
async function lockAndCount(
  transaction: Queryable,
  records: LimitedRecords,
  wanted: number,
  recent: RecentCounts,
): Promise<RecordCount | undefined> {
  const { companyId, name } = records
  await lockForTransaction(transaction, `${name} of ${companyId}`)
  // Separate statements: each sees what was committed before it began.
  const plan = await readLimit(transaction, records)
  if (plan === undefined) return undefined
  const { limit, sequence, watermark } = plan
  const before = recent.get(companyId)
  const most = before && before.count + sequence - before.watermark + REASSIGNED_NUMBERS
  if (most !== undefined && most + wanted <= limit) return undefined
  const count = await countRecords(transaction, records)
  recent.set(companyId, { count, watermark })
  return { limit, count }
}

/** The limit and the number of records, without a lock; undefined if the plan does not limit them. */
async function readCount(connection: Queryable, records: LimitedRecords): Promise<RecordCount | undefined> {
  const plan = await readLimit(connection, records)
  return plan && { limit: plan.limit, count: await countRecords(connection, records) }
}

/** The plan's limit, the last number of an event, and the watermark of the company's; undefined without a limit. */
async function readLimit(connection: Queryable, { companyId, name }: LimitedRecords) {
  const [row] = await connection.query(
    {
      name: 'plan_limit',
      text: `
      select greatest(0, least(floor((plan.limits ->> $2::text)::numeric), 1e15))::bigint,
        event_position(), (select settled from events_settled(array[company.id]))
      from companies as company join plans as plan on plan.id = company.plan_id
      where company.id = $1 and jsonb_typeof(plan.limits -> $2::text) = 'number'`,
    },
    [companyId, name],
  )
  if (row === undefined) return undefined
  const [limit, sequence, watermark] = row
  return { limit, sequence, watermark }
}

async function countRecords(connection: Queryable, { companyId, table }: LimitedRecords): Promise<number> {
  const [row] = await connection.query(
    { name: `plan_count_${table}`, text: `select count(*) from ${table} where company_id = $1` },
    [companyId],
  )
  return row?.[0]
}
