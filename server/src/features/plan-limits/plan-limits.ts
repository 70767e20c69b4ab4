// What the plans of companies limit, in memory: nothing is asked for a company that is known, and a changed plan is heard of on every server.
import { LRUCache } from 'lru-cache'
import { type Gathered, gather } from '../../concurrency/batcher.ts'
import { CACHED_PLAN_MS, CACHED_PLANS } from '../../core/limits.ts'
import type { Database, Queryable, Row } from '../../database/connect.ts'
import { type Hearing, hear } from '../../database/listen.ts'
import type { LimitName, Limits } from './refusal.ts'

/** The channel on which a company with another plan, or a plan with other limits, is told to all server processes. */
const channel = 'cashwrap_plan'

/** What is another now: the plan of one company, or the limits of one plan, of whichever companies. */
export type Changed = { readonly companyId: string } | { readonly planId: string }

/** As it is told; a company and a plan may have one id. */
const nameOf = (changed: Changed): string =>
  'planId' in changed ? `plan ${changed.planId}` : `company ${changed.companyId}`

/**
 * Tells every server, when the transaction commits, that what is limited is another now. For whoever gives a company
 * another plan, or changes a plan's limits; in a server `PlanLimits.drop` comes after the commit.
 */
export const limitsChanged = (transaction: Queryable, changed: Changed): Promise<Row[]> =>
  transaction.query(`select pg_notify('${channel}', $1)`, [nameOf(changed)])

export interface PlanLimits {
  /** What the company's plan limits; at once when it is known. Its numbers may be old: only that there is one counts. */
  of(companyId: string): Limits | Promise<Limits>
  /** Forgets at once what this process would hear of in a moment. For whoever has changed it, before that is answered. */
  drop(changed: Changed): void
  /** Begins to keep what is read; until then nothing is kept. */
  listen(): void
  close(): Promise<void>
}

/** What most companies have. */
const none: Limits = Object.freeze({})

/** What a company's plan limits, and the plan, as long as `state` is what is known of it. */
interface Known {
  readonly plan: string
  readonly state: object
  readonly limits: Limits
}

export function planLimits(database: Database): PlanLimits {
  const kept = new LRUCache<string, Known>({ max: CACHED_PLANS, ttl: CACHED_PLAN_MS })
  // An object for each plan, which its companies point to: without it they are all forgotten, however many there are.
  const states = new LRUCache<string, object>({ max: CACHED_PLANS })
  const ask = gather((items: Gathered[]) =>
    readLimits(
      database,
      items.map(({ scope }) => scope.companyId),
    ),
  )
  let hearing: Hearing | undefined
  // What was heard of while an answer was waited for: one that may be from before that is not kept.
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
    // What an older version says.
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
      hearing ??= hear(database, channel, { heard: dropNamed, missed: dropAll })
    },
    close: async () => hearing?.close(),
  }
}

/** True of the plan's limits that hold, in SQL. */
export const holds = (name: string): string => `coalesce(jsonb_typeof(plan.limits -> ${name}) = 'number', false)`

/** What a company's plan limits; the plan is '' where it has none. */
interface Read {
  readonly planId: string
  readonly limits: Limits
}

/**
 * Reads what the companies' plans limit. Counts of what they do not limit any more are removed first: nobody may create
 * without keeping a count that stands. One that somebody holds stands for a limit until it can be removed.
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

/** Removes counts of what is not limited any more, but for those that somebody holds; gives those that are gone. */
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
