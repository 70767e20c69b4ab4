// What plans limit, and the limits of companies' plans, cached in memory: known companies cost no statement, and every
// server learns of a changed plan.

import type { BatchItem } from '../../concurrency/batch.ts'
import { batcher } from '../../concurrency/batcher.ts'
import { lruCache } from '../../core/lru-cache.ts'
import { bodyError, Problem } from '../../core/problem.ts'
import type { Database, Queryable, Row } from '../../database/connect.ts'
import { type ChannelListener, listen } from '../../database/listen.ts'
import type { Resource } from '../../engine/resource.ts'
import type { Route } from '../../http/route.ts'

/**
 * What a plan can limit, as in its `limits`, and the resource that is counted for it. A linked account counts like any
 * other user.
 */
const limitedResources = {
  outlets: 'outlet',
  stations: 'station',
  products: 'product',
  users: 'account',
} as const
export type LimitName = keyof typeof limitedResources
export const limitNames = Object.keys(limitedResources) as LimitName[]

/** The name of a plan's limit on a resource; undefined if plans do not limit it. */
export const limitOn = ({ name }: Resource): LimitName | undefined =>
  limitNames.find((limit) => limitedResources[limit] === name.one)

/** The limit for each; absent ones are unlimited. */
export type Limits = Readonly<Partial<Record<LimitName, number>>>

/** The 403 for a create that the plan does not allow; `at` is the pointer of the item in its request. */
export function beyondPlan(name: LimitName, limit: number, count: number, at = ''): Problem {
  const things = limit === 1 ? name.slice(0, -1) : name
  const allowed = limit === 0 ? `no ${name}` : `${limit.toLocaleString('en')} ${things}`
  const message = `The plan allows ${allowed}, and there ${count === 1 ? 'is' : 'are'} ${count.toLocaleString('en')}.`
  return new Problem('plan_limit', message, [{ ...bodyError(at, 'plan_limit', message), resource: name, limit, count }])
}

/** A route as the reference shows it: one that creates a record may meet the limit. In a bulk request, an item does. */
export const answeringLimit = (route: Route): Route =>
  route.replies[201] && !route.isBulk ? { ...route, problems: [...(route.problems ?? []), 'plan_limit'] } : route

/** Milliseconds that plan limits are cached, in case that a notice is lost: one look-up a minute for a company and a server. */
export const CACHED_PLAN_MS = 60_000

/** Companies whose plan limits are cached, of some 100 bytes each. */
const CACHED_PLANS = 50_000

/** The channel of changed plans: a company with another plan, or a plan with other limits. */
const channel = 'cashwrap_plan'

/**
 * Notifies every server, after the commit, that limits have changed. Call it to give a company another plan, or to
 * change a plan's limits; in a server, call `PlanLimits.drop` after the commit.
 */
export const limitsChanged = (transaction: Queryable): Promise<Row[]> => transaction.query(`notify ${channel}`)

export interface PlanLimits {
  /**
   * The limits of the company's plan; synchronous if they are cached. The numbers may be old: they only show that there
   * is a limit.
   */
  of(companyId: string): Limits | Promise<Limits>
  /** Empties the cache at once; a notification of the change would do so soon. Call it after a change, before answering. */
  drop(): void
  /** Starts to cache; until then nothing is cached. */
  listen(): void
  close(): Promise<void>
}

/** What most companies have. */
const none: Limits = Object.freeze({})

export function planLimits(database: Database): PlanLimits {
  const kept = lruCache<string, Limits>(CACHED_PLANS, { ttl: CACHED_PLAN_MS })
  const ask = batcher((items: BatchItem[]) =>
    readLimits(
      database,
      items.map(({ scope }) => scope.companyId),
    ),
  )
  let hearing: ChannelListener | undefined
  /** Grows with every change: limits that may have been read before it are not cached. */
  let changes = 0

  // Plans change rarely, and what is cached is read again every minute anyway.
  function drop(): void {
    changes++
    kept.clear()
  }

  async function lookUp(companyId: string): Promise<Limits> {
    const before = changes
    const limits = await ask({ scope: { companyId } })
    if (hearing?.isAlive && before === changes) kept.set(companyId, limits)
    return limits
  }

  return {
    of: (companyId) => kept.get(companyId) ?? lookUp(companyId),
    drop,
    listen() {
      hearing ??= listen(database, channel, { heard: drop, missed: drop })
    },
    close: async () => hearing?.close(),
  }
}

async function readLimits(database: Queryable, companyIds: readonly string[]): Promise<Limits[]> {
  const rows = await database.query(
    {
      name: 'plan_limits',
      text: `
      select company.id, plan.limits from companies as company join plans as plan on plan.id = company.plan_id
      where company.id = any ($1::text[])`,
    },
    [companyIds],
  )
  const found = new Map(rows.map(([companyId, text]) => [companyId, limitsOf(text)]))
  return companyIds.map((companyId) => found.get(companyId) ?? none)
}

function limitsOf(text: string | null): Limits {
  const limits = Object.entries(JSON.parse(text ?? '{}')).filter(([, value]) => typeof value === 'number')
  return limits.length === 0 ? none : (Object.fromEntries(limits) as Limits)
}
