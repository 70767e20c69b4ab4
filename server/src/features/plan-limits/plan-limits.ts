// The limits of companies' plans, cached in memory: known companies cost no statement, and every server learns of a
// changed plan.
import { LRUCache } from 'lru-cache'
import type { BatchItem } from '../../concurrency/batch.ts'
import { batcher } from '../../concurrency/batcher.ts'
import { CACHED_PLAN_MS, CACHED_PLANS } from '../../core/limits.ts'
import type { Database, Queryable, Row } from '../../database/connect.ts'
import { listen, type Subscription } from '../../database/listen.ts'
import type { LimitName, Limits } from './refusal.ts'

/** The channel of changed plans: a company with another plan, or a plan with other limits. */
const channel = 'cashwrap_plan'

/** What has changed: the plan of one company, or the limits of one plan, for all its companies. */
export type Changed = { readonly companyId: string } | { readonly planId: string }

/** As it is sent; a company and a plan may have the same id. */
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
  const kept = new LRUCache<string, Known>({ max: CACHED_PLANS, ttl: CACHED_PLAN_MS })
  // One object per plan, shared by its companies: clearing it drops them all, however many there are.
  const states = new LRUCache<string, object>({ max: CACHED_PLANS })
  const ask = batcher((items: BatchItem[]) =>
    readLimits(
      database,
      items.map(({ scope }) => scope.companyId),
    ),
  )
  let hearing: Subscription | undefined
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
    else if (kind === 'company') kept.delete(id as string)
    // The format of an older version.
    else dropAll()
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

/** True for the limits of the plan that apply, in SQL. */
export const holds = (name: string): string => `coalesce(jsonb_typeof(plan.limits -> ${name}) = 'number', false)`

/** The limits of a company's plan; the plan is '' if it has none. */
interface Read {
  readonly planId: string
  readonly limits: Limits
}

/**
 * Reads the limits of the companies' plans. First removes counts that are no longer limited: no create may skip a count
 * that exists. A locked count still acts as a limit until it can be removed.
 */
async function readLimits(database: Queryable, companyIds: readonly string[]): Promise<Read[]> {
  const rows = await database.query(
    {
      name: 'plan_limits',
      text: `
      select company.id, plan.id, plan.limits, array(
        select limit_name from plan_counts as counted where counted.company_id = company.id and not ${holds('limit_name')})
      from companies as company left join plans as plan on plan.id = company.plan_id where company.id = any ($1::text[])`,
    },
    [companyIds],
  )
  const stale = rows.filter(([, , , names]) => names.length > 0).map(([companyId]) => companyId)
  const gone = new Set(stale.length > 0 ? await removeCounts(database, stale) : [])
  const found = new Map(
    rows.map(([companyId, planId, text, names]) => {
      const standing = names.filter((name: string) => !gone.has(`${companyId} ${name}`))
      return [companyId, { planId: planId ?? '', limits: limitsOf(text, standing) }]
    }),
  )
  return companyIds.map((companyId) => found.get(companyId) ?? { planId: '', limits: none })
}

/** Removes counts that are no longer limited, except locked ones; returns those that are gone. */
async function removeCounts(database: Queryable, companyIds: readonly string[]): Promise<string[]> {
  const rows = await database.query(
    `with stale as materialized (
       select counted.company_id, counted.limit_name from plan_counts as counted
       join companies as company on company.id = counted.company_id left join plans as plan on plan.id = company.plan_id
       where counted.company_id = any ($1::text[]) and not ${holds('counted.limit_name')}
       for update of counted skip locked
     )
     delete from plan_counts as counted using stale
     where counted.company_id = stale.company_id and counted.limit_name = stale.limit_name
     returning counted.company_id, counted.limit_name`,
    [companyIds],
  )
  return rows.map(([companyId, name]) => `${companyId} ${name}`)
}

function limitsOf(text: string | null, standing: readonly LimitName[]): Limits {
  const entries = Object.entries(JSON.parse(text ?? '{}')).filter(([, value]) => typeof value === 'number')
  const all = [...entries, ...standing.map((name) => [name, 0] as const)]
  return all.length === 0 ? none : (Object.fromEntries(all) as Partial<Record<LimitName, number>>)
}
