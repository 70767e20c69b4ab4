// The number of records of a limited company: a row that creates and deletes lock, and a count of the records until
// that row can be trusted.

import { PLAN_COUNT_MS, PLAN_SETTLING_MS } from '../../core/limits.ts'
import type { Queryable } from '../../database/connect.ts'
import { holds } from './plan-limits.ts'
import type { LimitName } from './refusal.ts'

/** The count of a company's records of a kind, locked until the transaction ends. */
interface Held {
  readonly limit: number
  /** The number of records. */
  readonly count: number
  /** Adds to the count. */
  add(records: number): Promise<void>
}

/**
 * Locks the count of a company's records in a table until the transaction ends; undefined if its plan no longer limits
 * them.
 *
 * Not all servers know of a new limit at once, and until then they create without updating the count. So for some
 * minutes the records are counted each time, by their primary key. Then they are counted once more, with the row
 * locked, and from then on every server updates the count.
 */
export async function holdCount(
  transaction: Queryable,
  companyId: string,
  name: LimitName,
  table: string,
): Promise<Held | undefined> {
  const row = (await hold(transaction, companyId, name)) ?? (await makeAndHold(transaction, companyId, name))
  if (row === undefined) return undefined
  const [limit, records, isSettled] = row
  if (limit === null) {
    // The next read of the plan's limits removes the count.
    await transaction.query('delete from plan_counts where company_id = $1 and limit_name = $2', [companyId, name])
    return undefined
  }
  if (!isSettled) return { limit, count: await countNow(transaction, companyId, table, limit), add: async () => {} }
  const counted = records ?? (await countAll(transaction, companyId, table))
  const isNew = records === null
  return {
    limit,
    count: counted,
    async add(more) {
      if (more === 0 && !isNew) return
      await transaction.query(
        {
          name: 'plan_count_write',
          text: `
          update plan_counts set records = $3, counted_at = case when $4 then now() else counted_at end
          where company_id = $1 and limit_name = $2`,
        },
        [companyId, name, counted + more, isNew],
      )
    },
  }
}

/** The plan's limit on a resource, in SQL; null if there is none. */
export const limitIn = (name: string): string =>
  `case when ${holds(name)} then greatest(0, least(floor((plan.limits ->> ${name})::numeric), 1e15))::bigint end`

type CountRow = readonly [limit: number | null, records: number | null, isSettled: boolean]

/** Locks the row, if there is one. After waiting for it, sees what the previous owner wrote. */
async function hold(transaction: Queryable, companyId: string, name: LimitName): Promise<CountRow | undefined> {
  const [row] = await transaction.query(
    {
      name: 'plan_count_hold',
      text: `
      select ${limitIn('$2::text')},
        case when counted.counted_at > now() - make_interval(secs => $4) then counted.records end,
        counted.noticed_at < now() - make_interval(secs => $3)
      from plan_counts as counted
      join companies as company on company.id = counted.company_id
      left join plans as plan on plan.id = company.plan_id
      where counted.company_id = $1 and counted.limit_name = $2 for update of counted`,
    },
    [companyId, name, PLAN_SETTLING_MS / 1000, PLAN_COUNT_MS / 1000],
  )
  return row as CountRow | undefined
}

/** Creates the row if the plan has the limit, and locks it. */
async function makeAndHold(transaction: Queryable, companyId: string, name: LimitName): Promise<CountRow | undefined> {
  await transaction.query(
    `insert into plan_counts (company_id, limit_name, noticed_at)
     select company.id, $2, clock_timestamp() from companies as company join plans as plan on plan.id = company.plan_id
     where company.id = $1 and ${holds('$2::text')}
     on conflict do nothing`,
    [companyId, name],
  )
  return hold(transaction, companyId, name)
}

// Separate statements: they must see what was committed before the lock was granted.
/** The number of a company's records in a table. */
export async function countAll(transaction: Queryable, companyId: string, table: string): Promise<number> {
  const [row] = await transaction.query(`select count(*) from ${table} where company_id = $1`, [companyId])
  return row?.[0]
}
async function countNow(transaction: Queryable, companyId: string, table: string, limit: number): Promise<number> {
  const [row] = await transaction.query(
    `select count(*) from (select from ${table} where company_id = $1 limit $2::bigint + 1) as record`,
    [companyId, limit],
  )
  // The refusal reports how many there are beyond the limit.
  return row?.[0] > limit ? countAll(transaction, companyId, table) : row?.[0]
}

/** Restarts a count, as if the limit had just been set: records may have changed without it. */
export async function distrustCount(database: Queryable, companyId: string, name: LimitName): Promise<void> {
  await database.query(
    `update plan_counts set noticed_at = clock_timestamp(), records = null, counted_at = null
     where company_id = $1 and limit_name = $2`,
    [companyId, name],
  )
}
