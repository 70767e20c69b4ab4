// The limits of companies' plans, cached in memory: known companies cost no statement, and every server learns of a
// changed plan.

import type { BatchItem } from '../../concurrency/batch.ts'
import { batcher } from '../../concurrency/batcher.ts'
import { lruCache } from '../../core/lru-cache.ts'
import type { Database, Queryable, Row } from '../../database/connect.ts'
import { type ChannelListener, listen } from '../../database/listen.ts'
import type { Limits } from './refusal.ts'

/** Milliseconds that plan limits are cached, in case that a notice is lost: one look-up a minute for a company and a server. */
export const CACHED_PLAN_MS = 60_000

/** Companies whose plan limits are cached, of some 100 bytes each. */
const CACHED_PLANS = 50_000

/** The channel of changed plans: a company with another plan, or a plan with other limits. */
const channel = 'cashwrap_plan'

/** What has changed: the plan of one company, or the limits of one plan, for all its companies. */
type Changed = { readonly companyId: string } | { readonly planId: string }

/** The text that is sent; a company and a plan may have the same id. */
const nameOf = (changed: Changed): string =>
  'planId' in changed ? `plan ${changed.planId}` : `company ${changed.companyId}`

/**
 * Notifies every server, after the commit, that limits have changed. Call it to give a company another plan, or to
 * change a plan's limits; in a server, call `PlanLimits.drop` after the commit.
 */
export const limitsChanged = (transaction: Queryable, changed: Changed): Promise<Row[]> =>
  transaction.query(`select pg_notify('${channel}', $1)`, [nameOf(changed)])

export interface PlanLimits {
  /**
   * The limits of the company's plan; synchronous if they are cached. The numbers may be old: they only show that there
   * is a limit.
   */
  of(companyId: string): Limits | Promise<Limits>
  /** Drops at once what this process would be notified of soon. Call it after a change, before answering. */
  drop(changed: Changed): void
  /** Starts to cache; until then nothing is cached. */
  listen(): void
  close(): Promise<void>
}

/** What most companies have. */
const none: Limits = Object.freeze({})

/** The limits of a company's plan, and the plan, while `state` is the cached one. */
interface Known {
  readonly plan: string
  readonly state: object
  readonly limits: Limits
}

export function planLimits(database: Database): PlanLimits {
  const kept = lruCache<string, Known>(CACHED_PLANS, { ttl: CACHED_PLAN_MS })
  // One object per plan, shared by its companies: clearing it drops them all, however many there are.
  const states = lruCache<string, object>(CACHED_PLANS)
  const ask = batcher((items: BatchItem[]) =>
    readLimits(
      database,
      items.map(({ scope }) => scope.companyId),
    ),
  )
  let hearing: ChannelListener | undefined
  // Notifications during a read: a result that may be older is not cached.
  const waiting = new Set<Set<string>>()
  const all = 'all'

  function dropAll(): void {
    for (const heard of waiting) heard.add(all)
    kept.clear()
  }

  function dropNamed(name: string): void {
    const [kind, id] = name.split(' ')
    for (const heard of waiting) heard.add(name)
    if (kind === 'plan') states.delete(id as string)
    else kept.delete(id as string)
  }

  async function lookUp(companyId: string): Promise<Limits> {
    const heard = new Set<string>()
    waiting.add(heard)
    try {
      const { planId, limits } = await ask({ scope: { companyId } })
      const names = [all, nameOf({ companyId }), nameOf({ planId })]
      if (hearing?.isAlive && !names.some((name) => heard.has(name))) keep(companyId, planId, limits)
      return limits
    } finally {
      waiting.delete(heard)
    }
  }

  function keep(companyId: string, plan: string, limits: Limits): void {
    const state = states.get(plan) ?? {}
    states.set(plan, state)
    kept.set(companyId, { plan, state, limits })
  }

  function known(companyId: string): Limits | undefined {
    const found = kept.get(companyId)
    return found !== undefined && states.get(found.plan) === found.state ? found.limits : undefined
  }

  return {
    of: (companyId) => known(companyId) ?? lookUp(companyId),
    drop: (changed) => dropNamed(nameOf(changed)),
    listen() {
      hearing ??= listen(database, channel, { heard: dropNamed, missed: dropAll })
    },
    close: async () => hearing?.close(),
  }
}

/** The limits of a company's plan; the plan is '' if it has none. */
interface Read {
  readonly planId: string
  readonly limits: Limits
}

async function readLimits(database: Queryable, companyIds: readonly string[]): Promise<Read[]> {
  const rows = await database.query(
    {
      name: 'plan_limits',
      text: `
      select company.id, plan.id, plan.limits from companies as company join plans as plan on plan.id = company.plan_id
      where company.id = any ($1::text[])`,
    },
    [companyIds],
  )
  const found = new Map(rows.map(([companyId, planId, text]) => [companyId, { planId, limits: limitsOf(text) }]))
  return companyIds.map((companyId) => found.get(companyId) ?? { planId: '', limits: none })
}

function limitsOf(text: string | null): Limits {
  const limits = Object.entries(JSON.parse(text ?? '{}')).filter(([, value]) => typeof value === 'number')
  return limits.length === 0 ? none : (Object.fromEntries(limits) as Limits)
}
