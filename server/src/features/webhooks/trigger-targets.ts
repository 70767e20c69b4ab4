// Operations of triggers that refuse a URL no call may go to, each item by itself (decisions §9). Names are resolved
// before anything in the database is locked.

import { TARGET_LOOKUPS, TARGET_NAME_MS } from '../../core/limits.ts'
import { bodyError, invalid, Problem, under } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import type { Operations } from '../../engine/operations.ts'
import type { Change, Item, ItemResult, ItemWithId } from '../../engine/record.ts'
import { bodySchema } from '../../engine/schema.ts'
import { notPublicRefusal, type Targets } from './target.ts'

type Check = (value: unknown, at?: string) => Change | Problem
type Many<I extends Item> = (items: readonly I[], connection?: Queryable) => Promise<ItemResult[]>

/** For the writer of a trigger; the log of calls leaves it out. */
const toAllow = 'the operator can allow it with the setting CASHWRAP_WEBHOOK_ALLOW'

/** Thrown within a transaction whose items' names have not been resolved yet; nothing of them was written. */
class NotLookedUp extends Error {
  readonly lookUp: () => Promise<void>
  constructor(lookUp: () => Promise<void>) {
    super('Targets are looked up outside of transactions.')
    this.lookUp = lookUp
  }
}

/** The same operations of triggers, applied only to those with a target that calls may go to. */
export function targetChecked(own: Operations, targets: Targets): Operations {
  const { create: checkCreate, update: checkUpdate } = bodySchema(own.resource)
  /** What was found of each item's URL, for as long as the item is referenced. */
  const known = new WeakMap<Item, string | undefined>()

  /** Resolves the URLs of items; skips items that are wrong otherwise: the operation itself reports what is wrong. */
  async function lookUp(items: readonly Item[], check: Check): Promise<void> {
    const urls = items.map(({ value }) => urlOf(value, check))
    const refusals = await refusalsOf(urls, targets)
    items.forEach((item, n) => {
      known.set(item, refusals.get(urls[n] ?? ''))
    })
  }

  const refusalOf = (item: Item): Problem | undefined => {
    const refusal = known.get(item)
    if (refusal === undefined) return undefined
    const wayOut = refusal.startsWith(notPublicRefusal) ? `; ${toAllow}` : ''
    return under(item.at, invalid([bodyError('/triggerUrl', 'target', refusal + wayOut)]))
  }

  const one =
    <I extends Item>(check: Check, run: (item: I) => Promise<ItemResult>) =>
    async (item: I): Promise<ItemResult> => {
      await lookUp([item], check)
      return refusalOf(item) ?? run(item)
    }

  const many =
    <I extends Item>(check: Check, run: Many<I>): Many<I> =>
    async (items, connection) => {
      const unknown = items.filter((item) => !known.has(item))
      if (unknown.length > 0 && connection?.inTransaction) throw new NotLookedUp(() => lookUp(unknown, check))
      await lookUp(unknown, check)
      const refusals = items.map(refusalOf)
      const good = items.filter((_, n) => refusals[n] === undefined)
      const done = (good.length > 0 ? await run(good, connection) : []).values()
      return refusals.map((refusal) => refusal ?? (done.next().value as ItemResult))
    }

  return {
    ...own,
    create: one<Item>(checkCreate, own.create),
    update: one<ItemWithId>(checkUpdate, own.update),
    createMany: many<Item>(checkCreate, own.createMany),
    updateMany: many<ItemWithId>(checkUpdate, own.updateMany),
    async once(claim, work) {
      try {
        return await own.once(claim, work)
      } catch (error) {
        if (!(error instanceof NotLookedUp)) throw error
        await error.lookUp()
        return own.once(claim, work)
      }
    },
  }
}

/** The URL that an item would write; undefined if there is none, or the item is wrong. */
function urlOf(value: unknown, check: Check): string | undefined {
  if (typeof (value as { triggerUrl?: unknown } | null)?.triggerUrl !== 'string') return undefined
  const change = check(value)
  return change instanceof Problem ? undefined : (change.set.triggerUrl as string | undefined)
}

/**
 * The refusals of URLs, by URL. Each name is resolved once, a few at a time; names that are not reached in time are
 * checked when connecting.
 */
async function refusalsOf(urls: readonly (string | undefined)[], targets: Targets): Promise<Map<string, string>> {
  const refusals = new Map<string, string>()
  const byName = Map.groupBy(new Set(urls.filter((url) => url !== undefined)), (url) => {
    const refusal = targets.refusal(url)
    if (refusal === undefined) return new URL(url).hostname
    refusals.set(url, refusal)
    return ''
  })
  byName.delete('')
  const deadline = performance.now() + TARGET_NAME_MS
  const names = byName.values()
  const take = async () => {
    for (const [first, ...others] of names) {
      if (performance.now() > deadline) return
      const refusal = await targets.resolvedRefusal(first as string)
      if (refusal !== undefined) for (const url of [first as string, ...others]) refusals.set(url, refusal)
    }
  }
  await Promise.all(Array.from({ length: TARGET_LOOKUPS }, take))
  return refusals
}
