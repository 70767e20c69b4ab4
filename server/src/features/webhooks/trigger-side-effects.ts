// Side effects of a change of a trigger, in the transaction of the change itself.
import type { Queryable } from '../../database/connect.ts'
import type { Key } from '../../engine/record.ts'
import type { RecordChange, SideEffects } from '../../engine/resource.ts'
import { giveUp } from './rewriting.ts'
import { notify } from './trigger-switch.ts'

const isOn = (record: RecordChange['after'] | undefined): boolean => record !== undefined && record.isActive !== false

export const triggerSideEffects: SideEffects = {
  applies: (before, after) => before !== after,
  write: async (transaction, steps) => {
    await keepWhatCallsCarry(transaction, steps)
    const changes = steps.filter(({ before }) => before !== undefined)
    const off = changes.filter(({ before, after }) => isOn(before) && !isOn(after))
    for (const { scope, id } of off) await giveUp(transaction, { companyId: scope.companyId, triggerId: id })
    await update(transaction, off, 'due_at = null')
    // What is known of a receiver does not apply to another one.
    const moved = changes.filter(({ before, after }) => before?.triggerUrl !== after.triggerUrl)
    await update(transaction, moved, 'failing_since = null, held_until = null')
    const on = changes.filter(({ before, after }) => !isOn(before) && isOn(after))
    // Deliveries that were too many to be given up at once when it was switched off.
    for (const { scope, id } of on) await giveUp(transaction, { companyId: scope.companyId, triggerId: id })
    await update(transaction, on, 'position = event_position(), failing_since = null, held_until = null')
    await notify(transaction, [...new Set(steps.map(({ scope }) => scope.companyId))])
  },
}

/**
 * Stores whether calls carry records: the key that creates the trigger, or changes its URL or type, must be allowed to
 * read them. Other changes have no effect.
 */
async function keepWhatCallsCarry(transaction: Queryable, steps: readonly RecordChange[]): Promise<void> {
  const isAimed = ({ before, after }: RecordChange) =>
    before?.triggerUrl !== after.triggerUrl || before?.triggerType !== after.triggerType
  // If several changes concern one trigger, the last one counts.
  const last = new Map(steps.filter(isAimed).map((step) => [`${step.scope.companyId} ${step.id}`, step]))
  // New triggers carry records by default.
  const reported = [...last.values()].filter(({ before, scope }) => before !== undefined || !scope.mayRead)
  await update(
    transaction,
    reported.filter(({ scope }) => scope.mayRead),
    'carries_records = true',
  )
  await update(
    transaction,
    reported.filter(({ scope }) => !scope.mayRead),
    'carries_records = false',
  )
}

async function update(transaction: Queryable, keys: readonly Key[], set: string): Promise<void> {
  if (keys.length === 0) return
  await transaction.query(
    `update automation_triggers as stored set ${set}
     from (select distinct * from unnest($1::text[], $2::text[])) as item(company_id, id)
     where stored.company_id = item.company_id and stored.id = item.id`,
    [keys.map(({ scope }) => scope.companyId), keys.map(({ id }) => id)],
  )
}
