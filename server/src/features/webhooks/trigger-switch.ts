// Switches a trigger off by itself, because its receiver is gone or has failed for days. The record shows it, and an
// event is raised.

import { later } from '../../core/date-time.ts'
import { newId } from '../../core/ids.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { inTransaction } from '../../engine/bisect-on-error.ts'
import { spliced } from '../../engine/projection.ts'
import { writing } from '../../engine/writing.ts'
import { automationTrigger } from '../../resources/automation-trigger.ts'
import type { TriggerKey } from './deliveries.ts'
import { giveUp } from './rewriting.ts'

/**
 * The channel on which servers learn of companies whose triggers were created or changed; the payload is the company's
 * id.
 */
export const triggerChannel = 'automation_triggers'

/** The record without its projection, as the row holds it. */
const { shown: textOf } = writing({ ...automationTrigger, isProjected: false })

/**
 * Flags a trigger as inactive, from now on and for the `reason`, a sentence; with its event. Its waiting deliveries are
 * no longer sent. False if it has another `version` meanwhile, such as one with another receiver, is already inactive,
 * or is gone.
 */
export const switchOff = (
  database: Database,
  trigger: TriggerKey & { readonly version: number },
  reason: string,
): Promise<boolean> =>
  inTransaction(database, undefined, async (transaction) => {
    const { companyId, triggerId: id, version } = trigger
    const [row] = await transaction.query(
      'select shown, body from automation_triggers where company_id = $1 and id = $2 and version = $3 for update',
      [companyId, id, version],
    )
    const before = row && JSON.parse(row[1])
    if (before === undefined || before.isActive === false) return false
    const now = later(new Date().toISOString(), before.updatedAt)
    const record = { ...before, isActive: false, inactiveSince: now, inactiveReason: reason, updatedAt: now }
    const text = textOf(record)
    const previous = { isActive: true, inactiveSince: null, inactiveReason: null }
    await transaction.query(
      `with begun as materialized (select begin_events($1)), written as (
         update automation_triggers set body = $3::json, version = version + 1, due_at = null
         where company_id = $1 and id = $2
       )
       insert into events (company_id, id, type, created_at, resource, record_id, data, previous)
       select $1, $4, 'automation-trigger.updated', $5::timestamptz, 'automation-trigger', $2, $6::json, $7::json from begun`,
      [companyId, id, text, newId(), now, spliced(text, row?.[0]), JSON.stringify(previous)],
    )
    await giveUp(transaction, trigger)
    await notify(transaction, [companyId])
    return true
  })

/** Notifies all servers, after the commit, that triggers of these companies have changed. */
export async function notify(transaction: Queryable, companyIds: readonly string[]): Promise<void> {
  await transaction.query('select pg_notify($1, company_id) from unnest($2::text[]) as company_id', [
    triggerChannel,
    companyIds,
  ])
}
