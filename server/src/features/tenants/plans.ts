// Plans: their members, how a row becomes a record, and the single place of the rules by which organizations and the operator
// change them, for HTTP and the command line.

import { later } from '../../core/date-time.ts'
import { type Condition, requireMatch } from '../../core/etag.ts'
import { newId } from '../../core/ids.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import { unknownMember } from '../../core/json-schema-checker.ts'
import {
  bodyError,
  conflictAt,
  denied,
  ERRORS_LISTED,
  invalid,
  notFound,
  orThrow,
  type Problem,
} from '../../core/problem.ts'
import { hasRow, namedValues, type Queryable, type Row, requireRow } from '../../database/connect.ts'
import { choice, type Field, flag, reference, required, serverOwned, visibleName } from '../../engine/field.ts'
import { resource } from '../../engine/resource.ts'
import { bodySchema } from '../../engine/schema.ts'
import { type Limits, limitNames, limitsChanged } from '../plan-limits/plan-limits.ts'

/** Largest limit of a plan: beyond what any shop has, and far from what PostgreSQL cannot count. */
const PLAN_LIMIT_MOST = 1_000_000_000

/** Statuses of a plan; no further company can be put on an inactive one, and its companies stay. */
const planStatuses = ['active', 'inactive'] as const

const limit = { type: 'integer', minimum: 0, maximum: PLAN_LIMIT_MOST }
const limitMeanings: Readonly<Record<keyof Limits, string>> = {
  outlets: 'The most outlets that a company can create.',
  stations: 'The most stations that a company can create, at all outlets together.',
  products: 'The most products that a company can create; variants do not count.',
  users: 'The most accounts that a company can create, which are its employees.',
}
const limitsSchema: JsonSchema = {
  description: 'The maximum of each that a company may have; a limit that is left out does not apply.',
  type: 'object',
  properties: Object.fromEntries(limitNames.map((name) => [name, { ...limit, description: limitMeanings[name] }])),
}
const limits: Field<Limits> = {
  schema: { title: 'PlanLimits', ...limitsSchema, additionalProperties: false },
  sent: limitsSchema,
  comparison: 'text',
  // An unknown limit would limit nothing, and nobody would notice.
  check: (value, at) =>
    Object.keys(value as object)
      .filter((name) => !limitNames.includes(name as keyof Limits))
      .slice(0, ERRORS_LISTED)
      .map((name) => unknownMember(name, limitNames, at)),
}

export const plan = resource(
  {
    name: { one: 'plan', many: 'plans' },
    title: 'Plans',
    description: 'The limits of companies. A plan belongs to one organization, or to all.',
    fields: {
      name: required(visibleName({ description: 'Display name of the plan.', example: 'Small shop' })),
      limits,
      status: choice(planStatuses, { description: 'No further company can be put on an inactive plan.' }),
      isDefault: flag({
        description:
          'Whether companies that are onboarded without a plan get it; an organization has one default plan.',
      }),
      organizationId: serverOwned(reference({ description: 'Absent for a plan of all organizations.' })),
    },
    remove: 'hard',
    list: { sort: ['name'], search: ['name'], exact: ['status'] },
    styleA: null,
    styleB: null,
    example: {
      name: 'Small shop',
      limits: { outlets: 1, stations: 2 },
      status: 'active',
      isDefault: false,
      organizationId: '6740a1f2c3d4e5f6a7b8c901',
    },
  },
  { showsCompany: false },
)

/** A plan's record. */
export interface PlanRecord {
  readonly id: string
  readonly organizationId?: string
  readonly name: string
  readonly limits: Limits
  readonly status: (typeof planStatuses)[number]
  readonly isDefault: boolean
  readonly createdAt: string
  readonly updatedAt: string
}

/** Columns of `plans as stored` that `planOf` reads. */
export const planColumns = `stored.id, stored.organization_id, stored.name, stored.limits, stored.status, stored.is_default,
  iso_time(stored.created_at), iso_time(stored.updated_at)`

export function planOf(row: Row): PlanRecord {
  // biome-ignore format: one thought
  const names = ['id', 'organizationId', 'name', 'limits', 'status', 'isDefault', 'createdAt', 'updatedAt'] as const
  const record = namedValues<PlanRecord & { limits: any }>(row, names)
  return { ...record, limits: orderedLimits(JSON.parse(record.limits)) }
}

/** PostgreSQL stores them in its own order. */
const orderedLimits = (limits: Limits): Limits => Object.fromEntries(limitNames.map((name) => [name, limits[name]]))

/** The owner of the plans: an organization, or null for plans of all organizations. */
type PlanOwner = string | null

/** A plan that an organization sees: its own, or one of all organizations. Throws `not_found`. */
export async function findPlan(database: Queryable, owner: PlanOwner, id: string, lock = ''): Promise<PlanRecord> {
  const statement = `select ${planColumns} from plans as stored
    where (stored.organization_id = $1 or stored.organization_id is null) and stored.id = $2 ${lock}`
  return planOf(await requireRow(database, 'plan', id, statement, [owner, id]))
}

/** A plan of any owner. Throws `not_found`. */
export async function readPlan(database: Queryable, id: string): Promise<PlanRecord> {
  const statement = `select ${planColumns} from plans as stored where stored.id = $1`
  return planOf(await requireRow(database, 'plan', id, statement))
}

/** All plans, oldest first; with an organization, those that it sees. */
export async function listPlans(database: Queryable, organizationId?: string): Promise<PlanRecord[]> {
  const rows = await database.query(
    `select ${planColumns} from plans as stored
     where $1::text is null or stored.organization_id = $1 or stored.organization_id is null
     order by stored.created_at, stored.id`,
    [organizationId ?? null],
  )
  return rows.map(planOf)
}

const { create, update } = bodySchema(plan)
const unset = { limits: {}, status: 'active', isDefault: false } as const

/**
 * Creates a plan, in a transaction of the caller; `value` is unchecked. Throws 400, and 409 for an inactive default.
 */
export async function createPlan(transaction: Queryable, owner: PlanOwner, value: unknown): Promise<PlanRecord> {
  const { set } = orThrow(create(value))
  const id = newId()
  const now = new Date().toISOString()
  const own = { ...unset, ...(set as Pick<PlanRecord, 'name'>) }
  const record: PlanRecord = {
    id,
    ...(owner !== null && { organizationId: owner }),
    name: own.name,
    limits: orderedLimits(own.limits),
    status: own.status,
    isDefault: own.isDefault,
    createdAt: now,
    updatedAt: now,
  }
  await holdDefault(transaction, owner, undefined, record)
  await transaction.query(
    `insert into plans (id, organization_id, name, limits, status, is_default, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7)`,
    [id, owner, record.name, JSON.stringify(record.limits), record.status, record.isDefault, now],
  )
  return record
}

/** A plan, locked until the transaction ends. Throws like `findPlan`. */
export async function holdPlan(transaction: Queryable, owner: PlanOwner, id: string): Promise<PlanRecord> {
  if (owner !== null) await holdPlans(transaction, owner)
  return findPlan(transaction, owner, id, 'for no key update')
}

/**
 * Changes a plan, in a transaction of the caller; `value` is unchecked. Throws 400, `not_found`, `permission_denied`
 * for an organization that would change a plan of all organizations, 409 if an organization would have no active
 * default plan, `version_mismatch`.
 */
export async function changePlan(
  transaction: Queryable,
  owner: PlanOwner,
  id: string,
  value: unknown,
  ifMatch?: Condition,
): Promise<PlanRecord> {
  const { set, clear } = orThrow(update(value))
  const before = await holdPlan(transaction, owner, id)
  if (owner !== null && before.organizationId === undefined)
    throw denied(
      'shared_plan',
      'This plan belongs to all organizations; only the operator of the service can change it.',
    )
  requireMatch(ifMatch, JSON.stringify(before))
  const cleared = Object.fromEntries(clear.map((member) => [member, unset[member as keyof typeof unset]]))
  const after: PlanRecord = { ...before, ...set, ...cleared }
  const wanted = { ...after, limits: orderedLimits(after.limits) }
  if (JSON.stringify(wanted) === JSON.stringify(before)) return before
  await holdDefault(transaction, owner, before, wanted)
  const record = { ...wanted, updatedAt: later(new Date().toISOString(), before.updatedAt) }
  await transaction.query(
    'update plans set name = $2, limits = $3, status = $4, is_default = $5, updated_at = $6 where id = $1',
    [id, record.name, JSON.stringify(record.limits), record.status, record.isDefault, record.updatedAt],
  )
  if (JSON.stringify(record.limits) !== JSON.stringify(before.limits)) await limitsChanged(transaction)
  return record
}

/** Serializes changes of an organization's plans; companies can be onboarded meanwhile. */
async function holdPlans(transaction: Queryable, organizationId: string): Promise<void> {
  if (!(await hasRow(transaction, 'select 1 from organizations where id = $1 for no key update', [organizationId])))
    throw notFound('organization', organizationId)
}

/** Ensures that an organization keeps exactly one default plan, which is active. */
async function holdDefault(
  transaction: Queryable,
  owner: PlanOwner,
  before: PlanRecord | undefined,
  after: PlanRecord,
): Promise<void> {
  const refuse = (pointer: string, message: string) => conflictAt(pointer, 'default_plan', 'default_plan', message)
  if (before?.isDefault && !after.isDefault)
    throw refuse('/isDefault', 'This is the default plan; make another plan the default instead.')
  if (after.isDefault && after.status !== 'active')
    throw refuse('/status', 'The default plan must be active; make another plan the default first.')
  if (!after.isDefault || before?.isDefault) return
  if (owner === null)
    throw invalid([bodyError('/isDefault', 'owner', 'cannot be true for a plan of all organizations')])
  await holdPlans(transaction, owner)
  await transaction.query(
    'update plans set is_default = false, updated_at = $2 where organization_id = $1 and is_default',
    [owner, after.updatedAt],
  )
}

/** A 400 for the plan in a request. */
const wrongPlan = (code: string, message: string): Problem => invalid([bodyError('/planId', code, message)])

/**
 * Ensures that a company may be put on a plan until the transaction ends: deactivating the plan waits for that, or is
 * waited for. Throws `not_found` for an unknown plan and for another organization's, 400 for an inactive one.
 */
export async function requirePlan(transaction: Queryable, organizationId: string, planId: string): Promise<void> {
  const statement =
    'select status from plans where id = $1 and (organization_id is null or organization_id = $2) for share'
  const [status] = await requireRow(transaction, 'plan', planId, statement, [planId, organizationId])
  if (status !== 'active') throw wrongPlan('plan', 'is an inactive plan; use an active one')
}

/** The default plan, locked until the transaction ends. Throws 400 if the organization has none. */
export async function defaultPlan(transaction: Queryable, organizationId: string): Promise<string> {
  const search = 'select id from plans where organization_id = $1 and is_default'
  for (;;) {
    const [held] = await transaction.query(`${search} for share`, [organizationId])
    if (held !== undefined) return held[0]
    // A statement that waited while another plan became the default finds neither the old one nor the new one.
    const [plan] = await transaction.query(search, [organizationId])
    if (plan === undefined) throw wrongPlan('required', 'is required: the organization has no default plan')
  }
}
