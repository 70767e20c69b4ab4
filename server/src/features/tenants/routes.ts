// The routes of the organization surface: companies and plans here, onboarding and keys by their files; and the company
// itself for its own keys.

import { organizationOf } from '../../core/scope.ts'
import type { Database } from '../../database/connect.ts'
import { closed } from '../../engine/documents.ts'
import { transacted } from '../../engine/idempotency.ts'
import { type Listed, listRoute, pageOf, shapesOf } from '../../engine/lists/column-list.ts'
import type { Chapters } from '../../http/openapi/document.ts'
import { type Answer, type Call, json, ok, type Route } from '../../http/route.ts'
import { deletionsHeard } from '../keys/key-cache.ts'
import type { PlanLimits } from '../plan-limits/plan-limits.ts'
import { changeCompany, companyColumns, companyOf, companyText, findCompany, ownCompanyText } from './companies.ts'
import { company, ownCompany } from './company.ts'
import { keyRoutes } from './key-routes.ts'
import { onboardingRoutes } from './onboarding.ts'
import { changePlan, createPlan, findPlan, plan, planColumns, planOf } from './plans.ts'
import { settingsRoutes } from './settings.ts'
import { readCompany } from './tenants.ts'

const listedCompanies: Listed = {
  resource: company,
  table: 'companies',
  always: ['id', 'name', 'organizationId', 'status', 'createdAt', 'updatedAt'],
  columns: companyColumns,
  textOf: (row) => companyText(companyOf(row)),
  owned: 'stored.organization_id = $1',
}

/** The chapter of a company's own record. */
const ownCompanyChapter = {
  Company: 'The company of a key, and its settings. Its organization and its owners can change it.',
}

/** A company's own record, for its keys and its owners. */
function ownCompanyRoutes(database: Database): Route[] {
  const own = shapesOf({ ...listedCompanies, resource: ownCompany })
  const itself = {
    path: '/v1/company',
    surface: 'company',
    tag: 'Company',
    replies: { 200: { description: 'The company.', schema: own.record, example: own.example } },
    isRecord: true,
  } as const satisfies Partial<Route>

  return [
    {
      ...itself,
      method: 'GET',
      operationId: 'readOwnCompany',
      summary: 'Read the company of the key',
      handle: async ({ scope }) => ok(ownCompanyText(await readCompany(database, scope.companyId))),
    },
    {
      ...itself,
      method: 'PATCH',
      operationId: 'updateOwnCompany',
      summary: 'Update the company',
      description:
        'Members that you send replace the stored ones; others keep their values; `null` clears an optional member. Only its organization can change the plan, the status and `externalId`.',
      forPeople: 'owner',
      body: { schema: closed(own.update), example: { phone: '+43 1 5550100', timezone: 'Europe/Vienna' } },
      takesIfMatch: true,
      handle: ({ scope: { companyId }, body, claim, ifMatch }) =>
        transacted(database, claim, async (transaction) => {
          const { organizationId } = await readCompany(transaction, companyId)
          const key = { organizationId, id: companyId }
          return ok(ownCompanyText(await changeCompany(transaction, key, body, { by: 'owner', ifMatch })))
        }),
    },
  ]
}

function companyRoutes(database: Database, plans: Pick<PlanLimits, 'drop'>): Route[] {
  const { record, update, example } = shapesOf(listedCompanies)
  const many = {
    surface: 'organization',
    tag: company.title,
    path: '/v1/organization-api/companies',
  } as const satisfies Partial<Route>
  const one = { ...many, path: `${many.path}/{id}` } as const satisfies Partial<Route>
  const replies = { 200: { description: 'The company.', schema: record, example } }

  return [
    listRoute(listedCompanies, {
      path: many.path,
      operationId: 'listCompanies',
      summary: 'List companies',
      handle: (call) => pageOf(database, listedCompanies, organizationOf(call), call.query),
    }),
    {
      ...one,
      method: 'GET',
      operationId: 'readCompany',
      summary: 'Read a company',
      replies,
      problems: ['not_found'],
      isRecord: true,
      handle: async (call) =>
        ok(companyText(await findCompany(database, organizationOf(call), call.params.id as string))),
    },
    {
      ...one,
      method: 'PATCH',
      operationId: 'updateCompany',
      summary: 'Update, suspend or unsuspend a company',
      description:
        'Members that you send replace the stored ones; others keep their values; `null` clears an optional member. With `status` `suspended`, every key of the company gets 403 `permission_denied` with `suspendedReason`, at once and on every server; with `active`, its keys work again.',
      body: {
        schema: closed(update),
        example: { status: 'suspended', suspendedReason: 'The October invoice is unpaid.' },
      },
      replies,
      problems: ['not_found', 'conflict'],
      isRecord: true,
      takesIfMatch: true,
      handle: (call) => updateCompany(database, plans, call),
    },
  ]
}

async function updateCompany(database: Database, plans: Pick<PlanLimits, 'drop'>, call: Call): Promise<Answer> {
  const key = { organizationId: organizationOf(call), id: call.params.id as string }
  const answer = await transacted(database, call.claim, async (transaction) =>
    ok(companyText(await changeCompany(transaction, key, call.body, { ifMatch: call.ifMatch }))),
  )
  // Its next create on this server uses the limits of its current plan.
  plans.drop()
  // It may have been suspended or reactivated.
  await deletionsHeard()
  return answer
}

const listedPlans: Listed = {
  resource: plan,
  table: 'plans',
  always: ['id', 'name', 'limits', 'status', 'isDefault', 'createdAt', 'updatedAt'],
  columns: planColumns,
  textOf: (row) => JSON.stringify(planOf(row)),
  owned: '(stored.organization_id = $1 or stored.organization_id is null)',
}

function planRoutes(database: Database, plans: Pick<PlanLimits, 'drop'>): Route[] {
  const { record, create, update, example } = shapesOf(listedPlans)
  const many = {
    surface: 'organization',
    tag: plan.title,
    path: '/v1/organization-api/plans',
  } as const satisfies Partial<Route>
  const one = { ...many, path: `${many.path}/{id}` } as const satisfies Partial<Route>
  const reply = { description: 'The plan.', schema: record, example }
  const { name, limits } = example

  return [
    {
      ...many,
      method: 'POST',
      operationId: 'createPlan',
      summary: 'Create a plan',
      description: 'With `isDefault`, it replaces the default plan.',
      body: { schema: closed(create), example: { name, limits } },
      replies: { 201: reply },
      problems: ['conflict'],
      isRecord: true,
      handle: (call) =>
        transacted(database, call.claim, async (transaction) =>
          json(await createPlan(transaction, organizationOf(call), call.body), 201),
        ),
    },
    listRoute(listedPlans, {
      path: many.path,
      operationId: 'listPlans',
      summary: 'List plans',
      description: 'The plans of the organization, and the plans of all organizations.',
      handle: (call) => pageOf(database, listedPlans, organizationOf(call), call.query),
    }),
    {
      ...one,
      method: 'GET',
      operationId: 'readPlan',
      summary: 'Read a plan',
      replies: { 200: reply },
      problems: ['not_found'],
      isRecord: true,
      handle: async (call) => json(await findPlan(database, organizationOf(call), call.params.id as string)),
    },
    {
      ...one,
      method: 'PATCH',
      operationId: 'updatePlan',
      summary: 'Update or deactivate a plan',
      description:
        'Members that you send replace the stored ones; `limits` is replaced as a whole. With `status` `inactive`, no further company can be put on the plan; companies that are on it stay. The default plan stays the default and active until another plan becomes the default.',
      body: { schema: closed(update), example: { status: 'inactive' } },
      replies: { 200: reply },
      problems: ['not_found', 'conflict'],
      isRecord: true,
      takesIfMatch: true,
      handle: (call) => updatePlan(database, plans, call),
    },
  ]
}

async function updatePlan(database: Database, plans: Pick<PlanLimits, 'drop'>, call: Call): Promise<Answer> {
  const id = call.params.id as string
  const answer = await transacted(database, call.claim, async (transaction) =>
    json(await changePlan(transaction, organizationOf(call), id, call.body, call.ifMatch)),
  )
  // The caller's next create on this server uses the new limits.
  plans.drop()
  return answer
}

/** The chapters of the reference. */
export const tenantChapters: Chapters = {
  Onboarding:
    'An organization creates a company with everything that it needs to start. These routes take an organization’s key.',
  ...ownCompanyChapter,
  Companies: 'The companies of an organization. These routes take an organization’s key.',
  Plans:
    'The limits of companies: an organization’s own plans, and plans of all organizations. These routes take an organization’s key.',
  Keys: 'The keys of an organization and of its companies, created with an organization’s key, or by the company’s members. A key’s value is shown once.',
}

/** All routes of organizations; `plans` is notified of their changes. */
export function tenantRoutes(database: Database, plans: Pick<PlanLimits, 'drop'>): Route[] {
  return [
    ...ownCompanyRoutes(database),
    ...companyRoutes(database, plans),
    ...settingsRoutes(database),
    ...keyRoutes(database),
    ...planRoutes(database, plans),
    ...onboardingRoutes(database),
  ]
}
