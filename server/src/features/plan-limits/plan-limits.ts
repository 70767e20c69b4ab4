// What the plans of companies limit, in memory: nothing is asked for a company that is known, and a changed plan is heard of on every server.
import { LRUCache } from 'lru-cache'
import type { Database, Queryable, Row } from '../../database/connect.ts'
import { type Hearing, hear } from '../../database/hear.ts'
import { type Gathered, gather } from '../../engine/batch.ts'
import { CACHED_PLAN_MS, CACHED_PLANS } from '../../limits.ts'
import type { LimitName, Limits } from './refusal.ts'

/** The channel on which a company with another plan is told to all server processes; all companies by an empty text. */
const channel = 'cashwrap_plan'

/**
 * Tells every server, when the transaction commits, that what a company's plan limits is another now; without a company,
 * that a plan is, of whichever companies. For whoever gives a company another plan, or changes a plan's limits.
 */
export const limitsChanged = (transaction: Queryable, companyId = ''): Promise<Row[]> =>
  transaction.query(`select pg_notify('${channel}', $1)`, [companyId])

export interface PlanLimits {
  /** What the company's plan limits; at once when it is known. Its numbers may be old: only that there is one counts. */
  of(companyId: string): Limits | Promise<Limits>
  /** Begins to keep what is read; until then nothing is kept. */
  listen(): void
  close(): Promise<void>
}

/** What most companies have. */
const none: Limits = Object.freeze({})

export function planLimits(database: Database): PlanLimits {
  const kept = new LRUCache<string, Limits>({ max: CACHED_PLANS, ttl: CACHED_PLAN_MS })
  const ask = gather((items: Gathered[]) =>
    readLimits(
      database,
      items.map(({ scope }) => scope.companyId),
    ),
  )
  let hearing: Hearing | undefined
  // Grows with every change heard: an answer from before it is not kept.
  let changes = 0

  function dropAll(): void {
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
    listen() {
      hearing ??= hear(database, channel, {
        heard: (companyId) => {
          if (companyId === '') return dropAll()
          changes++
          kept.delete(companyId)
        },
        missed: dropAll,
      })
    },
    close: async () => hearing?.close(),
  }
}

/** True of the plan's limits that hold, in SQL. */
export const holds = (name: string): string => `coalesce(jsonb_typeof(plan.limits -> ${name}) = 'number', false)`

/**
 * Reads what the companies' plans limit. Counts of what they do not limit any more are removed first: nobody may create
 * without keeping a count that stands. One that somebody holds stands for a limit until it can be removed.
 */
async function readLimits(database: Queryable, companyIds: readonly string[]): Promise<Limits[]> {
  const rows = await database.query(
    {
      name: 'plan_limits',
      text: `
      select company.id, plan.limits, array(
        select limit_name from plan_counts as counted where counted.company_id = company.id and not ${holds('limit_name')})
      from companies as company left join plans as plan on plan.id = company.plan_id where company.id = any ($1::text[])`,
    },
    [companyIds],
  )
  const stale = rows.filter(([, , names]) => names.length > 0).map(([companyId]) => companyId)
  const gone = new Set(stale.length > 0 ? await removeCounts(database, stale) : [])
  const found = new Map(
    rows.map(([companyId, text, names]) => {
      const standing = names.filter((name: string) => !gone.has(`${companyId} ${name}`))
      return [companyId, limitsOf(text, standing)]
    }),
  )
  return companyIds.map((companyId) => found.get(companyId) ?? none)
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
