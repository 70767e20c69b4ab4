// Automation triggers in the service: the declared resource with its secrets sealed, what a change of a trigger does to its
// calls, and the change that the service makes by itself.

import { later } from '../../core/date-time.ts'
import type { Seal } from '../../core/idempotency-claim.ts'
import { isId, newId } from '../../core/ids.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { heardByAll } from '../../database/listen.ts'
import { appendEvents } from '../../engine/append-events.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { type OperationSemaphores, type Operations, operations } from '../../engine/operations.ts'
import { spliced } from '../../engine/projection.ts'
import type { ItemWithId, Key } from '../../engine/record.ts'
import type { RecordChange, Resource, SideEffects } from '../../engine/resource.ts'
import { writing } from '../../engine/writing.ts'
import { automationTrigger } from '../../resources/automation-trigger.ts'
import { apiKeyProjection } from '../../resources/trigger-key.ts'
import { typeHint } from '../events/meant-type.ts'
import { giveUp } from './actions.ts'
import type { TriggerVersion } from './leases.ts'
import { isTriggerSecret, keepSecrets } from './trigger-secrets.ts'

/** The resource whose secrets `seal` seals, and whose records say if they never fire. */
const sealedTrigger = (seal: Seal): Resource => ({
  ...automationTrigger,
  derive: (record, before) => ({
    ...automationTrigger.derive(record, before),
    typeHint: typeHint(record.triggerType),
  }),
  projection: { ...apiKeyProjection, store: keepSecrets(seal) },
  sideEffects,
})

/**
 * The operations of triggers. An update that sends the secret a trigger already has does not change it. A change or a deletion
 * is answered once every server has heard of it: no call of the former trigger begins after that.
 */
export function triggerOperations(database: Database, semaphores: OperationSemaphores, seal: Seal): Operations {
  const own = operations(sealedTrigger(seal), database, semaphores)
  /** In a transaction of the caller, `once` waits after the commit. */
  const heard = async <Result>(result: Promise<Result>, connection?: Queryable): Promise<Result> => {
    const done = await result
    if (connection === undefined) await heardByAll(database, triggerChannel)
    return done
  }
  return {
    ...own,
    update: async (item) => {
      const [known] = await withoutKnown(database, seal, [item])
      return heard(own.update(known as ItemWithId))
    },
    updateMany: async (items, connection) =>
      heard(own.updateMany(await withoutKnown(connection ?? database, seal, items), connection), connection),
    remove: (item) => heard(own.remove(item)),
    removeMany: (items, connection) => heard(own.removeMany(items, connection), connection),
    once: (claim, work) => heard(own.once(claim, work)),
  }
}

/** The items without unchanged secrets: two secrets may look the same when masked, so nothing else can compare them. */
async function withoutKnown(connection: Queryable, seal: Seal, items: readonly ItemWithId[]): Promise<ItemWithId[]> {
  const asked = items.filter(({ id, value }) => isId(id) && secretIn(value) !== undefined)
  if (asked.length === 0) return [...items]
  const rows = await connection.query(
    `select company_id, id, secret from unnest($1::text[], $2::text[]) as item(company_id, id)
     join automation_triggers using (company_id, id) where secret is not null`,
    [asked.map(({ scope }) => scope.companyId), asked.map(({ id }) => id)],
  )
  const held = new Map(rows.map(([companyId, id, secret]) => [`${companyId} ${id}`, secret as string]))
  return items.map((item) => {
    const { scope, id, value } = item
    const sent = secretIn(value)
    const sealed = held.get(`${scope.companyId} ${id}`)
    if (sent === undefined || sealed === undefined) return item
    if (!isTriggerSecret(seal, scope.companyId, id, sealed, sent)) return item
    const { apiKey, ...others } = value as { apiKey: string }
    return { ...item, value: others }
  })
}

/** The secret in an unchecked body, if any. */
function secretIn(value: unknown): string | undefined {
  const sent = (value as { readonly apiKey?: unknown } | null | undefined)?.apiKey
  return typeof sent === 'string' ? sent : undefined
}

const isOn = (record: RecordChange['after'] | undefined): boolean => record !== undefined && record.isActive !== false

const sideEffects: SideEffects = {
  applies: (before, after) => before !== after,
  write: async (transaction, steps) => {
    await keepWhatCallsCarry(transaction, steps)
    const changes = steps.filter(({ before }) => before !== undefined)
    const off = changes.filter(({ before, after }) => isOn(before) && !isOn(after))
    for (const { scope, id } of off) await giveUp(transaction, { companyId: scope.companyId, triggerId: id })
    await update(transaction, off, 'due_at = null')
    // What is known about a receiver does not apply to another one.
    const moved = changes.filter(({ before, after }) => before?.triggerUrl !== after.triggerUrl)
    await update(transaction, moved, 'failing_since = null, held_until = null')
    const on = changes.filter(({ before, after }) => !isOn(before) && isOn(after))
    // Deliveries that were too many to be given up at once when it was switched off.
    for (const { scope, id } of on) await giveUp(transaction, { companyId: scope.companyId, triggerId: id })
    await start(transaction, [...on, ...steps.filter(({ before }) => before === undefined)])
    await notify(transaction, [...new Set(steps.map(({ scope }) => scope.companyId))])
  },
  removing: async (transaction, keys, remove) => {
    await remove()
    await notify(transaction, [...new Set(keys.map(({ scope }) => scope.companyId))])
  },
}

/**
 * Lets triggers begin with the next event, which is not that of their creation. Where tables are distributed, only the
 * coordinator knows the newest number.
 */
async function start(transaction: Queryable, steps: readonly RecordChange[]): Promise<void> {
  if (steps.length === 0) return
  const [row] = await transaction.query('select event_position()')
  await update(transaction, steps, `position = ${row?.[0]}, failing_since = null, held_until = null`)
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
  const reported = [...last.values()].filter(({ before, scope }) => before !== undefined || !scope.may('read'))
  for (const may of [true, false]) {
    const some = reported.filter(({ scope }) => scope.may('read') === may)
    await update(transaction, some, `carries_records = ${may}`)
  }
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
export const switchOff = (database: Database, trigger: TriggerVersion, reason: string): Promise<boolean> =>
  retriedTransaction(database, async (transaction) => {
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
      'update automation_triggers set body = $3::json, version = version + 1, due_at = null where company_id = $1 and id = $2',
      [companyId, id, text],
    )
    const resource = automationTrigger.name.one
    const event = { id: newId(), type: `${resource}.updated`, resource, recordId: id, data: spliced(text, row?.[0]) }
    await appendEvents(transaction, companyId, now, [{ ...event, previous: JSON.stringify(previous) }])
    await giveUp(transaction, trigger)
    await notify(transaction, [companyId])
    return true
  })

/** Notifies all servers, after the commit, that triggers of these companies have changed. */
async function notify(transaction: Queryable, companyIds: readonly string[]): Promise<void> {
  await transaction.query('select pg_notify($1, company_id) from unnest($2::text[]) as company_id', [
    triggerChannel,
    companyIds,
  ])
}
