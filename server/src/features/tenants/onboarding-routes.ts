// The routes of onboarding: both spellings of the path, each with or without the organization's id.

import { Problem } from '../../core/problem.ts'
import { organizationOf } from '../../core/scope.ts'
import type { Database } from '../../database/connect.ts'
import { closed, documents } from '../../engine/documents.ts'
import type { Call, Route } from '../../http/route.ts'
import { onboarder } from './onboarding.ts'
import { onboardedExample, onboardedSchema, onboarding, onboardingOf } from './onboarding-body.ts'

const organizationId = {
  type: 'string',
  description: 'Id of the organization of the key. Any other id is answered 403.',
  examples: ['6740a1f2c3d4e5f6a7b8c901'],
}
const spellings = [
  { prefix: '/v1', operationId: 'onboardCompany', remark: '' },
  { prefix: '/v1/api', operationId: 'onboardCompanyA', remark: ' (Style A)' },
]

export function onboardingRoutes(database: Database): Route[] {
  const onboard = onboarder(database)
  const { create, example } = documents(onboarding)
  const { id, createdAt, updatedAt, ...body } = example

  async function handle(call: Call) {
    const own = organizationOf(call)
    const { organizationId = own } = call.params
    // An invalid body is reported first.
    const wanted = onboardingOf(call.body)
    if (organizationId !== own)
      throw new Problem('key_not_bound', 'The key belongs to a different organization from the one in the path.')
    return onboard(own, wanted, call.claim)
  }

  return spellings.flatMap(({ prefix, operationId, remark }) => {
    const route: Route = {
      method: 'POST',
      path: `${prefix}/organization-api/company/company-workflow/onboard`,
      surface: 'organization',
      tag: 'Onboarding',
      operationId,
      summary: `Onboard a company${remark}`,
      description:
        'Creates, all or nothing: the company, on the named plan or else the default plan; its account, with its e-mail address; its first outlet; and the roles Owner, Admin and Cashier. The organization needs an owner, whose e-mail address is used if none is sent.',
      body: { schema: closed(create), example: body },
      replies: { 200: { description: 'The new company.', schema: onboardedSchema, example: onboardedExample } },
      problems: ['not_found', 'conflict'],
      handle,
    }
    const named: Route = {
      ...route,
      path: `${route.path}/{organizationId}`,
      params: { organizationId },
      operationId: `${operationId}Of`,
      summary: `Onboard a company of an organization by its id${remark}`,
    }
    return [route, named]
  })
}
