// A plan, declared: its members, and how its row becomes a record.

import type { JsonSchema } from '../../core/json-schema.ts'
import { unknownMember } from '../../core/json-schema-checker.ts'
import { ERRORS_LISTED } from '../../core/problem.ts'
import type { Row } from '../../database/connect.ts'
import { choice, type Field, flag, reference, required, serverOwned, visibleName } from '../../engine/field.ts'
import { resource } from '../../engine/resource.ts'
import { type Limits, limitNames } from '../plan-limits/refusal.ts'

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
      name: required(visibleName({ description: 'What people call the plan.', example: 'Small shop' })),
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

export function planOf([id, organizationId, name, limits, status, isDefault, createdAt, updatedAt]: Row): PlanRecord {
  const own = {
    id,
    ...(organizationId !== null && { organizationId }),
    name,
    limits: orderedLimits(JSON.parse(limits)),
  }
  return { ...own, status, isDefault, createdAt, updatedAt }
}

/** PostgreSQL stores them in its own order. */
export const orderedLimits = (limits: Limits): Limits =>
  Object.fromEntries(limitNames.map((name) => [name, limits[name]]))

export const planText = (record: PlanRecord): string => JSON.stringify(record)
