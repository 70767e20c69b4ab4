// Ends waits that a clock in the future began: once it is set back, they would last for as long as it was ahead, and an
// import for years.
import type { Queryable } from '../../database/connect.ts'

/** Days that nothing waits for: the longest pause, before the last retry of a webhook, is 29 hours. */
const LONGEST_WAIT_DAYS = 2

/** Times at which something goes on, and the condition of an index by which those are found that something waits for. */
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

/** Lets everything go on now that waits for a time further ahead than any pause. */
export async function endFarWaits(database: Pick<Queryable, 'query'>): Promise<void> {
  for (const [table, column, condition] of waits)
    await database.query(
      `update ${table} set ${column} = now() where ${condition} and ${column} > now() + interval '${LONGEST_WAIT_DAYS} days'`,
    )
}
