// Ends waits that began while the clock was ahead. After the clock is set back, they would last for as long as it was ahead:
// an import could wait for years.
import type { Queryable } from '../../database/connect.ts'

/** Days that no regular wait lasts: the longest, before the last retry of a webhook, is 29 hours. */
const LONGEST_WAIT_DAYS = 2

/** Columns with the end of a wait, each with the condition of the index that finds pending waits. */
const waits = [
  ['alert_checks', 'due_at', 'due_at is not null'],
  ['automation_triggers', 'due_at', 'due_at is not null'],
  ['automation_triggers', 'held_until', 'held_until is not null'],
  ['exports', 'leased_until', `state = 'running'`],
  ['exports', 'next_try_at', `state = 'running'`],
  ['imports', 'leased_until', 'true'],
  ['imports', 'next_try_at', 'true'],
  ['mails', 'next_try_at', 'true'],
  ['payment_customers', 'next_try_at', `state = 'pending'`],
  ['webhook_deliveries', 'next_at', 'next_at is not null'],
] as const

/** Ends each wait that is longer than any regular one. */
export async function endFarWaits(database: Pick<Queryable, 'query'>): Promise<void> {
  for (const [table, column, condition] of waits)
    await database.query(
      `update ${table} set ${column} = now() where ${condition} and ${column} > now() + interval '${LONGEST_WAIT_DAYS} days'`,
    )
}
