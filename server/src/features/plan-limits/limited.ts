// Operations of a resource that plans limit: a create beyond the limit is refused, each item by itself; companies
// without a limit are not slowed down.

import { fairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { companyActivity } from '../../concurrency/tenant-activity.ts'
import { tenantBatcher } from '../../concurrency/tenant-batcher.ts'
import { PLAN_UNAWARE_MS, SEMAPHORES } from '../../core/limits.ts'
import { Problem } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { inTransaction } from '../../engine/bisect-on-error.ts'
import type { OperationSemaphores, Operations } from '../../engine/operations.ts'
import type { Item, ItemResult, ItemWithId } from '../../engine/record.ts'
import { bodySchema } from '../../engine/schema.ts'
import { distrustCount, holdCount } from './count.ts'
import type { PlanLimits } from './plan-limits.ts'
import { beyondPlan, type LimitName, limitOn } from './refusal.ts'

/** Whether plans can limit a resource. */
export const isLimited = (resource: Operations['resource']): boolean => limitOn(resource) !== undefined

/** Many items of one company, in a transaction. */
type Run<I extends Item> = (transaction: Queryable, items: readonly I[]) => Promise<ItemResult[]>
/** The engine's own plural operation. */
type Many<I extends Item> = (items: readonly I[], connection?: Queryable) => Promise<ItemResult[]>

/** The same operations within the limits of companies' plans. */
export function limited(
  own: Operations,
  database: Database,
  plans: PlanLimits,
  { contended }: Pick<OperationSemaphores, 'contended'> = {
    contended: fairSemaphore(SEMAPHORES.contended, companyActivity),
  },
  unawareMs = PLAN_UNAWARE_MS,
): Operations {
  const { resource } = own
  const name = limitOn(resource)
  if (name === undefined) return own
  const { create: check } = bodySchema(resource)

  const createSome: Run<Item> = async (transaction, items) => {
    const [{ scope }] = items as readonly [Item]
    const held = await holdCount(transaction, scope.companyId, name, resource.table)
    if (held === undefined) return own.createMany(items, transaction)
    const { limit } = held
    const outcomes: ItemResult[] = []
    let { count } = held
    // An invalid item takes no room, so another may have it.
    while (outcomes.length < items.length && count < limit) {
      const part = items.slice(outcomes.length, outcomes.length + limit - count)
      const done = await own.createMany(part, transaction)
      outcomes.push(...done)
      count += done.filter(isDone).length
    }
    await held.add(count - held.count)
    for (const { value, at } of items.slice(outcomes.length)) {
      const wrong = check(value, at)
      outcomes.push(wrong instanceof Problem ? wrong : beyondPlan(name, limit, count, at))
    }
    return outcomes
  }

  const removeSome: Run<ItemWithId> = async (transaction, items) => {
    const [{ scope }] = items as readonly [ItemWithId]
    const held = await holdCount(transaction, scope.companyId, name, resource.table)
    const outcomes = await own.removeMany(items, transaction)
    await held?.add(-outcomes.filter(isDone).length)
    return outcomes
  }

  /** Uses the path without a count if the plan has no limit, and otherwise the one with it. */
  async function byPlan<T>(companyId: string, free: () => Promise<T>, counted: () => Promise<T>): Promise<T> {
    const limits = await plans.of(companyId)
    if (limits[name as LimitName] !== undefined) return counted()
    const begun = performance.now()
    try {
      return await free()
    } finally {
      // Long enough for a limit to have been set, counted and trusted meanwhile: this process may have been suspended.
      if (performance.now() - begun > unawareMs) await distrustCount(database, companyId, name as LimitName)
    }
  }

  const single = <I extends Item>(free: (item: I) => Promise<ItemResult>, run: Run<I>) => {
    const counted = tenantBatcher(
      (items: I[]) => inTransaction(database, undefined, (transaction) => run(transaction, items)),
      contended,
    )
    return (item: I) =>
      byPlan(
        item.scope.companyId,
        () => free(item),
        () => counted(item),
      )
  }

  const many =
    <I extends Item>(free: Many<I>, run: Run<I>): Many<I> =>
    async (items, connection) => {
      const outcomes = new Map<I, ItemResult>()
      for (const [companyId, some] of Map.groupBy(items, ({ scope }) => scope.companyId)) {
        const counted = () => inTransaction(database, connection, (transaction) => run(transaction, some))
        const done = await byPlan(companyId, () => free(some, connection), counted)
        for (const [n, item] of some.entries()) outcomes.set(item, done[n] as ItemResult)
      }
      return items.map((item) => outcomes.get(item) as ItemResult)
    }

  return {
    ...own,
    create: single(own.create, createSome),
    remove: single(own.remove, removeSome),
    createMany: many(own.createMany, createSome),
    removeMany: many(own.removeMany, removeSome),
  }
}

const isDone = (outcome: ItemResult): boolean => !(outcome instanceof Problem)
