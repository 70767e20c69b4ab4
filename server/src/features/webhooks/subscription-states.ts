// The states of subscriptions in PostgreSQL: cursors, failures and pauses, stored under the lease on their triggers, which
// is renewed with them.

import type { Queryable, Statement } from '../../database/connect.ts'
import { queryByCompany } from '../../database/one-company.ts'
import { type TriggerKey, triggerKey } from './deliveries.ts'
import { keysOf, type LeasedTrigger, leaseTime } from './leases.ts'

/** The state of a subscription, to be stored. */
export interface StoredState
  extends Pick<LeasedTrigger, 'companyId' | 'triggerId' | 'version' | 'cursor' | 'failingMs' | 'backoffMs'> {
  /** Whether deliveries were postponed, or were due: then the time of the next one is looked up again. */
  readonly dueTimeChanged: boolean
  readonly isReleased: boolean
  /** The cursor that this server read or stored last. */
  readonly storedCursor: number
}

/**
 * Locks triggers until the transaction ends; returns the keys (`triggerKey`) of the active ones. Their due deliveries
 * are looked up by later statements, and so include those that others, who lock the trigger as well, have just made
 * due.
 */
export async function lockTriggers(transaction: Queryable, keys: readonly TriggerKey[]): Promise<Set<string>> {
  const statement: Statement = {
    name: 'webhooks_lock',
    text: `
      select stored.company_id, stored.id, stored.is_active from unnest($1::text[], $2::text[]) as item(company_id, id)
      join automation_triggers as stored on stored.company_id = item.company_id and stored.id = item.id
      order by stored.company_id, stored.id for no key update of stored`,
  }
  const rows = await queryByCompany(
    transaction,
    keys,
    ({ companyId }) => companyId,
    (own) => transaction.query(statement, keysOf(own)),
  )
  return new Set(
    rows.filter(([, , isActive]) => isActive).map(([companyId, triggerId]) => triggerKey({ companyId, triggerId })),
  )
}

const dueOf = `(
          select min(next_at) from webhook_deliveries as delivery
          where delivery.company_id = item.company_id and delivery.trigger_id = item.id and delivery.next_at is not null
        )`

/** Writes when the next delivery of triggers is due; they are locked. */
export async function saveDue(transaction: Queryable, keys: readonly TriggerKey[]): Promise<void> {
  const statement: Statement = {
    name: 'webhooks_save_due',
    text: `
      update automation_triggers as trigger set due_at = ${dueOf}
      from unnest($1::text[], $2::text[]) as item(company_id, id)
      where trigger.company_id = item.company_id and trigger.id = item.id`,
  }
  await queryByCompany(
    transaction,
    keys,
    ({ companyId }) => companyId,
    (own) => transaction.query(statement, keysOf(own)),
  )
}

const ago = (ms: string) => `now() - make_interval(secs => ${ms} / 1000.0)`

/** Stores states. Where tables are distributed by company, an update cannot compute times from columns: the items do. */
const saving: Statement = {
  name: 'webhooks_save',
  text: `
      with item as materialized (
        select stored.company_id, stored.id, item.position, item.due_time_changed, item.is_released,
          ${ago('item.failing')} as failing_since, ${ago('-item.held')} as held_until,
          case when item.is_released then null else now() + ${leaseTime} end as leased_until
        from unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::boolean[], $8::boolean[],
          $9::int[], $10::bigint[]
        ) as item(company_id, id, position, failing, held, due_time_changed, is_released, version, stored_position)
        join automation_triggers as stored on stored.company_id = item.company_id and stored.id = item.id
        where stored.leased_by = $1 and stored.version = item.version and stored.position >= item.stored_position
        order by stored.company_id, stored.id for no key update of stored
      )
      update automation_triggers as trigger set position = item.position,
        failing_since = item.failing_since, held_until = item.held_until,
        due_at = case when item.due_time_changed then ${dueOf} else trigger.due_at end,
        leased_by = case when item.is_released then null else $1 end,
        leased_until = item.leased_until
      from item where trigger.company_id = item.company_id and trigger.id = item.id and trigger.leased_by = $1
      returning trigger.company_id, trigger.id`,
}

/**
 * Stores the state of subscriptions and renews their leases. Returns those that are still this server's; one that was
 * changed meanwhile may have a new state by that change, and is left as it is. So is one whose cursor is behind the one that
 * was stored: a crash of PostgreSQL or a failover has lost the last results, and with them the retries of failed calls.
 */
export async function saveStates(
  connection: Queryable,
  me: string,
  states: readonly StoredState[],
): Promise<TriggerKey[]> {
  if (states.length === 0) return []
  const valuesOf = (own: readonly StoredState[]) => [
    me,
    ...keysOf(own),
    own.map(({ cursor }) => cursor),
    own.map(({ failingMs }) => failingMs),
    own.map(({ backoffMs }) => backoffMs),
    own.map(({ dueTimeChanged }) => dueTimeChanged),
    own.map(({ isReleased }) => isReleased),
    own.map(({ version }) => version),
    own.map(({ storedCursor }) => storedCursor),
  ]
  const rows = await queryByCompany(
    connection,
    states,
    ({ companyId }) => companyId,
    (own) => connection.query(saving, valuesOf(own)),
  )
  return rows.map(([companyId, triggerId]) => ({ companyId, triggerId }))
}
