// The number of a limited company's records, counted when a create needs it. No number is stored: a stored number would
// miss what a server creates that does not yet know of the limit.

import type { LRUCache } from 'lru-cache'
import { lockForTransaction } from '../../database/advisory-lock.ts'
import type { Queryable } from '../../database/connect.ts'
import type { LimitName } from './refusal.ts'

/** What is counted: a company's records in the table of a limit. */
interface LimitedRecords {
  readonly companyId: string
  readonly name: LimitName
  readonly table: string
}

/** The plan's limit, and the number of records. */
export interface RecordCount {
  readonly limit: number
  readonly count: number
}

/** Recent counts by company: the number of records, and the watermark of events from before it was counted. */
export type RecentCounts = LRUCache<string, { readonly count: number; readonly watermark: number }>

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
export async function lockAndCount(
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
export async function readCount(connection: Queryable, records: LimitedRecords): Promise<RecordCount | undefined> {
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
