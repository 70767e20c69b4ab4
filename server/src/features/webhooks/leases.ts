// Leases on triggers in PostgreSQL, under which one server at a time has a trigger and stores the state of its
// subscription: cursor, failures and pause.

import type { Queryable, Row, Statement } from '../../database/connect.ts'
import { attemptByCompany, type FailedItems, queryByCompany } from '../../database/one-company.ts'
import { type TriggerKey, triggerKey } from './deliveries.ts'

/** Milliseconds of a server's lease on a trigger: after that, another server takes over what a dead one left. */
const LEASE_MS = 15_000
/** Milliseconds between two renewals of leases. */
export const RENEWAL_MS = 4_000
/** Milliseconds after which a failed look or save is retried: the database may be unreachable. */
export const AFTER_FAILURE_MS = 500

/** Until when a trigger leased at `now` counts as this server's: a moment before other servers may take it. */
export const leaseEndsFrom = (now: number): number => now + LEASE_MS - RENEWAL_MS / 2

/** A trigger as it was read: its version increases with each change, and a changed one gets another subscription. */
export interface TriggerVersion extends TriggerKey {
  readonly version: number
}

/** A trigger of this server, as it was when it was leased. */
export interface LeasedTrigger extends TriggerVersion {
  readonly body: string
  /** The trigger's `apiKey`, sealed. */
  readonly secret: string | null
  /** The former secrets (`formerSecretsIn`), and the milliseconds for which calls are still signed with them. */
  readonly formerSecrets: string | null
  readonly formerSecretsMs: number | null
  /** Whether calls carry records. Otherwise they carry ids only. */
  readonly carriesRecords: boolean
  /** Events up to here are finished, or do not match. */
  readonly cursor: number
  /** Milliseconds since every call has failed; null if the last one succeeded. */
  readonly failingMs: number | null
  /** Milliseconds of the pause that its receiver asked for; null if it asked for none. */
  readonly backoffMs: number | null
}

/** SQL: for how long a lease lasts. */
const leaseTime = `make_interval(secs => ${LEASE_MS / 1000})`
// A lease that ends later than any can was taken before the clock was set back.
/** SQL: no server has the trigger. */
export const isUnleased = `(leased_by is null or leased_until < now() or leased_until > now() + ${leaseTime} * 2)`
/** SQL: the server $1 has the trigger, or none. */
const isFree = `(leased_by = $1 or ${isUnleased})`
const elapsed = (column: string) => `(extract(epoch from now() - ${column}) * 1000)::bigint`
const columns = `trigger.company_id, trigger.id, trigger.version, trigger.body, trigger.secret, trigger.carries_records, trigger.position,
  ${elapsed('trigger.failing_since')}, -${elapsed('trigger.held_until')}, trigger.former_secret, -${elapsed('trigger.former_secret_until')}`

function leasedOf(row: Row): LeasedTrigger {
  const [companyId, triggerId, version, body, secret, carriesRecords, cursor, ...times] = row
  const [failingMs, backoffMs, formerSecrets, formerSecretsMs] = times
  const secrets = { secret, formerSecrets, formerSecretsMs }
  return { companyId, triggerId, version, body, ...secrets, carriesRecords, cursor, failingMs, backoffMs }
}

const companyOf = ({ companyId }: TriggerKey): string => companyId

const keyIn = ([companyId, triggerId]: Row): TriggerKey => ({ companyId, triggerId })

/** The two parameters that name triggers in a statement: companies and ids. */
const keysOf = (keys: readonly TriggerKey[]) => [
  keys.map(({ companyId }) => companyId),
  keys.map(({ triggerId }) => triggerId),
]

/**
 * The result for companies' triggers: those that are leased from now on, and known ones that were changed or are no
 * longer this server's.
 */
interface CompanyLeases {
  readonly leased: LeasedTrigger[]
  readonly lost: TriggerKey[]
  /** Companies that have triggers, active or not. */
  readonly withTriggers: ReadonlySet<string>
  /** Companies that could not be examined, such as those whose node is down. */
  readonly failures: readonly FailedItems<string>[]
}

const isLeasable = `stored.is_active and ${isFree} and not coalesce(stored.leased_by = $1 and stored.version = known.version, false)`
const isLost =
  'known.id is not null and (stored.leased_by is distinct from $1 or not stored.is_active or stored.version <> known.version)'

/** For each trigger of companies: whether it can be leased, and whether it is lost although this server has it. */
const look: Statement = {
  name: 'webhooks_look',
  text: `
      select stored.company_id, stored.id,
        ${isLeasable},
        ${isLost}
      from unnest($2::text[]) as item(company_id)
      join automation_triggers as stored on stored.company_id = item.company_id
      left join unnest($3::text[], $4::text[], $5::int[]) as known(company_id, id, version)
        on known.company_id = stored.company_id and known.id = stored.id`,
}

/** The rows of `look` for the triggers of companies, and the companies that could not be looked at. */
async function triggersOf(
  database: Queryable,
  me: string,
  companies: readonly string[],
  known: readonly TriggerVersion[],
): Promise<{ rows: readonly Row[]; failures: FailedItems<string>[] }> {
  const lookAt = (some: readonly string[], own: typeof known) =>
    database.query(look, [me, some, ...keysOf(own), own.map(({ version }) => version)])
  const ofCompany = Map.groupBy(known, ({ companyId }) => companyId)
  const rows: Row[] = []
  const failures = await attemptByCompany(database, companies, String, async (one) => {
    rows.push(
      ...(await lookAt(
        one,
        one.flatMap((companyId) => ofCompany.get(companyId) ?? []),
      )),
    )
  })
  return { rows, failures }
}

/**
 * Leases the companies' active triggers that no other server has; `known` are those that this server already has. A
 * known trigger is lost if it was changed, deleted, switched off or taken over meanwhile.
 */
export async function leaseCompanies(
  database: Queryable,
  me: string,
  companies: readonly string[],
  known: readonly TriggerVersion[],
): Promise<CompanyLeases> {
  const { rows, failures } = await triggersOf(database, me, companies, known)
  const failed = new Set(failures.flatMap(({ items }) => items))
  const found = new Set(rows.map((row) => triggerKey(keyIn(row))))
  const lost = [
    ...known.filter((one) => !found.has(triggerKey(one)) && !failed.has(one.companyId)),
    ...rows.filter((row) => row[3]).map(keyIn),
  ]
  const free = rows.filter((row) => row[2]).map(keyIn)
  const withTriggers = new Set(rows.map(([companyId]) => companyId as string))
  const leased: LeasedTrigger[] = []
  const unleased = await attemptByCompany(database, free, companyOf, async (own) => {
    if (own.length > 0) leased.push(...(await lease(database, me, own)))
  })
  const later = unleased.map(({ items, error }) => ({ items: items.map(companyOf), error }))
  return { leased, lost, withTriggers, failures: [...failures, ...later] }
}

/** Leases these triggers, except those that another server took first. */
async function lease(database: Queryable, me: string, keys: readonly TriggerKey[]): Promise<LeasedTrigger[]> {
  return queryByCompany(database, keys, companyOf, async (own) =>
    readLeased(database, me, await database.query(leasing, [me, ...keysOf(own)])),
  )
}

/** Reads the triggers that were leased: where tables are distributed, a row that is written cannot return what depends on the time. */
async function readLeased(database: Queryable, me: string, taken: readonly Row[]): Promise<LeasedTrigger[]> {
  if (taken.length === 0) return []
  return (await database.query(leased, [...keysOf(taken.map(keyIn)), me])).map(leasedOf)
}

/** Triggers by their ids. */
const named = `
        select stored.company_id, stored.id from unnest($2::text[], $3::text[]) as item(company_id, id)
        join automation_triggers as stored on stored.company_id = item.company_id and stored.id = item.id
        where stored.is_active and ${isFree}
        order by stored.company_id, stored.id`
/** The triggers of all companies that have due deliveries. Where tables are distributed, it searches all nodes. */
const due = `
      select company_id, id from automation_triggers as stored
      where due_at <= now() and is_active and ${isFree} and id <> all ($2::text[])
      order by due_at limit $3`

const leasingWith = (name: string, some: string): Statement => ({
  name,
  text: `
      with free as materialized (${some} for no key update of stored skip locked)
      update automation_triggers as trigger set leased_by = $1, leased_until = now() + ${leaseTime}
      from free where trigger.company_id = free.company_id and trigger.id = free.id
      returning trigger.company_id, trigger.id`,
})
const leasing = leasingWith('webhooks_lease', named)
/** Those that another server is leasing at this moment do not count, so that each server leases as many as it may. */
const leasingDue = leasingWith('webhooks_lease_due', due)
const dueOfAll: Statement = { name: 'webhooks_due', text: due }
const leased: Statement = {
  name: 'webhooks_leased',
  text: `
      select ${columns} from unnest($1::text[], $2::text[]) as item(company_id, id)
      join automation_triggers as trigger on trigger.company_id = item.company_id and trigger.id = item.id
      where trigger.leased_by = $3`,
}

/** Leases triggers of any company that have due deliveries; none of `but`, which this server handles already. */
export async function leaseDue(
  database: Queryable,
  me: string,
  { most, but }: { most: number; but: readonly string[] },
): Promise<LeasedTrigger[]> {
  const parameters = [me, but, most]
  if (!database.isSharded) return readLeased(database, me, await database.query(leasingDue, parameters))
  const due = await database.query(dueOfAll, parameters)
  return due.length === 0 ? [] : lease(database, me, due.map(keyIn))
}

/** The state of a subscription, to be stored. */
export interface StoredState extends TriggerVersion, Pick<LeasedTrigger, 'cursor' | 'failingMs' | 'backoffMs'> {
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
  const rows = await queryByCompany(transaction, keys, companyOf, (own) => transaction.query(statement, keysOf(own)))
  return new Set(rows.filter(([, , isActive]) => isActive).map((row) => triggerKey(keyIn(row))))
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
  await queryByCompany(transaction, keys, companyOf, (own) => transaction.query(statement, keysOf(own)))
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
  const rows = await queryByCompany(connection, states, companyOf, (own) => connection.query(saving, valuesOf(own)))
  return rows.map(keyIn)
}
