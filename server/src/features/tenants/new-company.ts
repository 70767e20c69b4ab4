// Creates companies, for onboarding, the command line and the first start alike: the company's row, its initial
// records, and its roles (decisions §10).

import { newId } from '../../core/ids.ts'
import { notFound, orThrow } from '../../core/problem.ts'
import { Scope } from '../../core/scope.ts'
import { type Database, isUniqueFault, type Queryable } from '../../database/connect.ts'
import { type Operations, operations } from '../../engine/operations.ts'
import { account } from '../../resources/account.ts'
import { outlet } from '../../resources/outlet.ts'
import { role } from '../../resources/role.ts'
import { tillPermissions } from '../../resources/till-permissions.ts'
import { registerCustomer } from '../payment-processor/customers.ts'
import { type CompanyRecord, defaultCurrency, findCompany, takenExternalId } from './companies.ts'
import { defaultPlan, requirePlan } from './plans.ts'

const all = tillPermissions.map(({ permissionId }) => permissionId)
const cashier = [
  ...['sales.create', 'sales.park', 'sales.view', 'session.open', 'session.close'],
  ...['catalog.view', 'stock.view', 'customers.view', 'customers.edit'],
]

/** A role with every permission, each granted or not. */
const roleWith = (name: string, granted: readonly string[]) => ({
  name,
  permissions: tillPermissions.map(({ permissionId, name, category, subCategory }) => ({
    name,
    permissionId,
    category,
    subCategory,
    value: granted.includes(permissionId),
  })),
})

/** Owner, Admin and Cashier as records. */
export const defaultRoles = [
  roleWith('Owner', all),
  roleWith(
    'Admin',
    all.filter((id) => id !== 'settings.company'),
  ),
  roleWith('Cashier', cashier),
]

/** A new company; its members are checked. */
interface NewCompany {
  readonly organizationId: string
  readonly members: Readonly<Record<string, unknown>> & {
    readonly name: string
    readonly email?: string | undefined
    readonly planId?: string | undefined
  }
  readonly outletName?: string | undefined
  /** Whether `defaultRoles` are created, and an account if the company has an e-mail address. */
  readonly isStaffed: boolean
  /** The organization's key or user that creates it; by default the operator. */
  readonly caller?: Scope
}

/** What was created. */
interface MadeCompany {
  readonly company: CompanyRecord
  readonly outletId: string | undefined
}

/** Creates the company in a transaction of the caller. */
export type MakeCompany = (transaction: Queryable, wanted: NewCompany) => Promise<MadeCompany>

/**
 * Makes the function that creates companies. It throws `not_found` for an unknown organization or plan, 400 for a plan
 * that the company cannot be on, 409 for an `externalId` that another company of the organization has.
 */
export function companyMaker(database: Database): MakeCompany {
  const [accounts, outlets, roles] = [account, outlet, role].map((resource) => operations(resource, database)) as [
    Operations,
    Operations,
    Operations,
  ]

  return async (transaction, { organizationId, members, outletName, isStaffed, caller }) => {
    const [organization] = await transaction.query('select 1 from organizations where id = $1', [organizationId])
    if (organization === undefined) throw notFound('organization', organizationId)
    const planId = members.planId ?? (await defaultPlan(transaction, organizationId))
    await requirePlan(transaction, organizationId, planId)
    const id = newId()
    await insertCompany(transaction, { id, organizationId, planId, members })
    await registerCustomer(transaction, { companyId: id, organizationId })
    const scope = Scope.grant(id, caller && { keyId: caller.keyId, user: caller.user })
    const outletId = outletName === undefined ? undefined : await one(outlets, transaction, scope, { name: outletName })
    if (isStaffed) {
      const { name, email } = members
      if (email !== undefined) {
        const accountId = await one(accounts, transaction, scope, { email, name })
        await transaction.query('update companies set account_id = $2 where id = $1', [id, accountId])
      }
      await many(roles, transaction, scope, defaultRoles)
    }
    return { company: await findCompany(transaction, organizationId, id), outletId }
  }
}

async function insertCompany(
  transaction: Queryable,
  {
    id,
    organizationId,
    planId,
    members,
  }: Pick<NewCompany, 'organizationId' | 'members'> & { id: string; planId: string },
): Promise<void> {
  const { name, email, phone, country, currency, timezone, industry, logo, address, taxId, externalId, dayStartHour } =
    members
  try {
    await transaction.query(
      `insert into companies (id, organization_id, plan_id, created_at, updated_at,
         name, email, phone, country, currency, timezone, industry, logo, address, external_id, tax_id, day_start_hour)
       values ($1, $2, $3, $4, $4, $5, $6, $7, $8, coalesce($9, ${defaultCurrency('$2')}), $10, $11, $12, $13, $14, $15, $16)`,
      [
        ...[id, organizationId, planId, new Date().toISOString()],
        ...[name, email, phone, country, currency, timezone, industry, logo],
        ...[address && JSON.stringify(address), externalId, taxId, dayStartHour],
      ],
    )
  } catch (error) {
    throw isUniqueFault(error) ? takenExternalId(externalId) : error
  }
}

/** Creates records, all of them or none. */
async function many(
  { createMany }: Operations,
  transaction: Queryable,
  scope: Scope,
  values: readonly object[],
): Promise<string[]> {
  const outcomes = await createMany(
    values.map((value) => ({ scope, value })),
    transaction,
  )
  return outcomes.map((outcome) => orThrow(outcome).id)
}

async function one(operations: Operations, transaction: Queryable, scope: Scope, value: object): Promise<string> {
  const [id] = await many(operations, transaction, scope, [value])
  return id as string
}
