// Onboarding (pos-api.md "Organization endpoint", decisions §10): a company with everything it needs, in one
// transaction; its request, its response, and both spellings of its path.

import { type JsonSchema, string } from '../../core/json-schema.ts'
import { bodyError, invalid, orThrow, Problem } from '../../core/problem.ts'
import { organizationOf } from '../../core/scope.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { closed, documents } from '../../engine/documents.ts'
import { visibleName } from '../../engine/field.ts'
import { transacted } from '../../engine/idempotency.ts'
import { resource } from '../../engine/resource.ts'
import { bodySchema } from '../../engine/schema.ts'
import { type Answer, type Call, ok, type Route } from '../../http/route.ts'
import { wake } from '../payment-processor/registering.ts'
import type { CompanyRecord } from './companies.ts'
import { company, companyExample, companyFields } from './company.ts'
import { companyMaker, type MakeCompany } from './new-company.ts'

/** The members of an onboarding request (decisions §10). */
const onboarding = resource(
  {
    name: { one: 'onboarding', many: 'onboardings' },
    title: 'Onboarding',
    description: 'A company to onboard.',
    fields: {
      ...companyFields,
      outletName: visibleName({ description: 'Name of its first outlet; defaults to the name of the company.' }),
    },
    remove: 'hard',
    list: {},
    styleA: null,
    styleB: null,
    example: companyExample,
  },
  { showsCompany: false },
)

/** Members of an onboarding request, checked. */
type OnboardingRequest = Readonly<Record<string, unknown>> & {
  readonly name: string
  readonly outletName?: string
}

const { create } = bodySchema(onboarding)

/** A body's members, checked. Throws 400, naming `organizationId` first if the body contains it. */
export function onboardingOf(value: unknown): OnboardingRequest {
  const isNamed = typeof value === 'object' && value !== null && Object.hasOwn(value, 'organizationId')
  const { organizationId, ...rest } = isNamed ? (value as Record<string, unknown>) : {}
  const change = create(isNamed ? rest : value)
  const errors = change instanceof Problem ? change.errors : []
  if (isNamed)
    throw invalid([
      bodyError('/organizationId', 'unknown', 'must not be sent: the organization is that of the key'),
      ...errors,
    ])
  return orThrow(change).set as unknown as OnboardingRequest
}
const shownAtFirst = [
  ...['id', 'name', 'email', 'accountId', 'organizationId', 'country', 'currency', 'timezone'],
  ...['status', 'createdAt', 'updatedAt'],
]

/** The response of onboarding: the members of decisions §10. */
const onboardedText = (record: CompanyRecord): string => JSON.stringify(record, shownAtFirst)

const { properties, ...shape } = documents(company).record
const members = (of: object) =>
  Object.fromEntries(Object.entries(of).filter(([member]) => shownAtFirst.includes(member)))

/** Its schema in the reference. */
const onboardedSchema: JsonSchema = {
  ...shape,
  title: 'OnboardedCompany',
  required: ['id', 'name', 'email', 'accountId', 'organizationId', 'status', 'createdAt', 'updatedAt'],
  properties: members(properties as object),
}
const onboardedExample = members(documents(company).example)

/** SQL that selects a column of an organization's first owner. */
export const firstOwner = (column: 'id' | 'email', organizationId: string): string =>
  `select ${column} from organization_owners where organization_id = ${organizationId} order by created_at, id limit 1`

/** The e-mail address of the organization's first owner; undefined if it has none. */
export async function ownerOf(database: Queryable, organizationId: string): Promise<string | undefined> {
  const [owner] = await database.query(firstOwner('email', '$1'), [organizationId])
  return owner?.[0]
}

/** Onboards a company of the caller's organization. With a claim, the answer is stored in the transaction of the work. */
async function onboard(database: Database, make: MakeCompany, { scope, params, body, claim }: Call): Promise<Answer> {
  const organizationId = organizationOf({ scope })
  // An invalid body is reported first.
  const { outletName, ...members } = onboardingOf(body)
  if (params.organizationId !== undefined && params.organizationId !== organizationId)
    throw new Problem('key_not_bound', 'The key belongs to a different organization from the one in the path.')
  const answer = await transacted(database, claim, async (transaction) => {
    const owner = await ownerOf(transaction, organizationId)
    if (owner === undefined)
      throw new Problem(
        'validation_failed',
        'The organization has no owner, and cannot onboard companies without one. Its operator sets one with `npx cashwrap organization update <id> --owner-email <address>`, or an owner opens the link to the console that the first start printed.',
      )
    const { company } = await make(transaction, {
      organizationId,
      members: { email: owner, ...members },
      outletName: outletName ?? members.name,
      isStaffed: true,
      caller: scope,
    })
    return ok(onboardedText(company))
  })
  // Committed; the payment processor is not awaited.
  wake()
  return answer
}

const organizationId = string(
  'Id of the organization of the key. Any other id is answered 403.',
  '6740a1f2c3d4e5f6a7b8c901',
)
const spellings = [
  { prefix: '/v1', operationId: 'onboardCompany', remark: '' },
  { prefix: '/v1/api', operationId: 'onboardCompanyA', remark: ' (Style A)' },
]

export function onboardingRoutes(database: Database): Route[] {
  const make = companyMaker(database)
  const { create, example } = documents(onboarding)
  const { id, createdAt, updatedAt, ...body } = example

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
      handle: (call) => onboard(database, make, call),
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
