// The routes of an organization's plans.

import { organizationOf } from '../../core/scope.ts'
import type { Database } from '../../database/connect.ts'
import { type Listed, listRoute, pageOf, shapesOf } from '../../engine/column-list.ts'
import { closed } from '../../engine/documents.ts'
import { transacted } from '../../engine/idempotency.ts'
import type { Route } from '../../http/route.ts'
import type { PlanLimits } from '../plan-limits/plan-limits.ts'
import { plan, planColumns, planOf, planText } from './plan.ts'
import { changePlan, createPlan, findPlan } from './plans.ts'

const listed: Listed = {
  resource: plan,
  table: 'plans',
  always: ['id', 'name', 'limits', 'status', 'isDefault', 'createdAt', 'updatedAt'],
  columns: planColumns,
  textOf: (row) => planText(planOf(row)),
  owned: '(stored.organization_id = $1 or stored.organization_id is null)',
}

export function planRoutes(database: Database, plans: Pick<PlanLimits, 'drop'>): Route[] {
  const { record, create, update, example } = shapesOf(listed)
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
        transacted(database, call.claim, async (transaction) => ({
          status: 201,
          body: planText(await createPlan(transaction, organizationOf(call), call.body)),
        })),
    },
    listRoute(listed, {
      path: many.path,
      operationId: 'listPlans',
      summary: 'List plans',
      description: 'The plans of the organization, and the plans of all organizations.',
      handle: (call) => pageOf(database, listed, organizationOf(call), call.query),
    }),
    {
      ...one,
      method: 'GET',
      operationId: 'readPlan',
      summary: 'Read a plan',
      replies: { 200: reply },
      problems: ['not_found'],
      isRecord: true,
      handle: async (call) => ({
        status: 200,
        body: planText(await findPlan(database, organizationOf(call), call.params.id as string)),
      }),
    },
    {
      ...one,
      method: 'PATCH',
      operationId: 'updatePlan',
      summary: 'Update or deactivate a plan',
      description:
        'Members sent replace the stored ones, `limits` as a whole. With `status` `inactive`, no further company can be put on the plan; companies that are on it stay. The default plan stays the default and active until another plan becomes the default.',
      body: { schema: closed(update), example: { status: 'inactive' } },
      replies: { 200: reply },
      problems: ['not_found', 'conflict'],
      isRecord: true,
      takesIfMatch: true,
      handle: async (call) => {
        const id = call.params.id as string
        const answer = await transacted(database, call.claim, async (transaction) => ({
          status: 200,
          body: planText(await changePlan(transaction, organizationOf(call), id, call.body, call.ifMatch)),
        }))
        // The caller's next create on this server uses the new limits.
        plans.drop({ planId: id })
        return answer
      },
    },
  ]
}
