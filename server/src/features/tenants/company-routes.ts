// The routes of companies: for their organization, and of the company itself for its own keys.

import type { JsonSchema } from '../../core/json-schema.ts'
import { organizationOf } from '../../core/scope.ts'
import type { Database } from '../../database/connect.ts'
import { type Listed, listRoute, pageOf, shapesOf } from '../../engine/column-list.ts'
import { closed } from '../../engine/documents.ts'
import { transacted } from '../../engine/idempotency.ts'
import type { Route } from '../../http/route.ts'
import { deletionsHeard } from '../keys/key-store.ts'
import type { PlanLimits } from '../plan-limits/plan-limits.ts'
import { changeCompany } from './companies.ts'
import { company } from './company.ts'
import { companyColumns, companyOf, companyText, findCompany, ownCompanyText } from './company-record.ts'
import { readCompany } from './tenants.ts'

const listed: Listed = {
  resource: company,
  table: 'companies',
  always: ['id', 'name', 'organizationId', 'status', 'createdAt', 'updatedAt'],
  columns: companyColumns,
  textOf: (row) => companyText(companyOf(row)),
  owned: 'stored.organization_id = $1',
}

/** The chapter of a company's own record. */
export const ownCompanyChapter = { Company: 'The company of a key. Its organization changes it.' }

export function companyRoutes(database: Database, plans: Pick<PlanLimits, 'drop'>): Route[] {
  const { record, update, example } = shapesOf(listed)
  const many = {
    surface: 'organization',
    tag: company.title,
    path: '/v1/organization-api/companies',
  } as const satisfies Partial<Route>
  const one = { ...many, path: `${many.path}/{id}` } as const satisfies Partial<Route>
  const replies = { 200: { description: 'The company.', schema: record, example } }
  const { paymentCustomer: _, ...ownProperties } = record.properties as Record<string, JsonSchema>
  const { paymentCustomer: __, ...ownExample } = example
  const ownSchema = { ...record, title: 'OwnCompany', properties: ownProperties }

  return [
    {
      method: 'GET',
      path: '/v1/company',
      surface: 'company',
      tag: 'Company',
      operationId: 'readOwnCompany',
      summary: 'Read the company of the key',
      replies: { 200: { description: 'The company.', schema: ownSchema, example: ownExample } },
      isRecord: true,
      handle: async ({ scope }) => ({
        status: 200,
        body: ownCompanyText(await readCompany(database, scope.companyId)),
      }),
    },
    listRoute(listed, {
      path: many.path,
      operationId: 'listCompanies',
      summary: 'List companies',
      handle: (call) => pageOf(database, listed, organizationOf(call), call.query),
    }),
    {
      ...one,
      method: 'GET',
      operationId: 'readCompany',
      summary: 'Read a company',
      replies,
      problems: ['not_found'],
      isRecord: true,
      handle: async (call) => ({
        status: 200,
        body: companyText(await findCompany(database, organizationOf(call), call.params.id as string)),
      }),
    },
    {
      ...one,
      method: 'PATCH',
      operationId: 'updateCompany',
      summary: 'Update, suspend or unsuspend a company',
      description:
        'Members sent replace the stored ones; members not sent stay; `null` clears an optional one. With `status` `suspended` every key of the company is answered 403 `permission_denied` at once, on every server, with `suspendedReason`; with `active`, its keys work again.',
      body: {
        schema: closed(update),
        example: { status: 'suspended', suspendedReason: 'The October invoice is unpaid.' },
      },
      replies,
      problems: ['not_found', 'conflict'],
      isRecord: true,
      takesIfMatch: true,
      handle: async (call) => {
        const key = { organizationId: organizationOf(call), id: call.params.id as string }
        const answer = await transacted(database, call.claim, async (transaction) => ({
          status: 200,
          body: companyText(await changeCompany(transaction, key, call.body, call.ifMatch)),
        }))
        // Its next create on this server uses the limits of its current plan.
        plans.drop({ companyId: key.id })
        // It may have been suspended or reactivated.
        await deletionsHeard()
        return answer
      },
    },
  ]
}
