// The request and the response of onboarding (decisions §10).

import type { JsonSchema } from '../../core/json-schema.ts'
import { bodyError, invalid, Problem } from '../../core/problem.ts'
import { documents } from '../../engine/documents.ts'
import { resource } from '../../engine/resource.ts'
import { bodySchema } from '../../engine/schema.ts'
import { company, reported, title, toldExample } from './company.ts'
import type { CompanyRecord } from './company-record.ts'

/** The members of an onboarding request (decisions §10). */
export const onboarding = resource(
  {
    name: { one: 'onboarding', many: 'onboardings' },
    title: 'Onboarding',
    description: 'A company to onboard.',
    fields: {
      ...reported,
      outletName: title({ description: 'Name of its first outlet; defaults to the name of the company.' }),
    },
    remove: 'hard',
    list: {},
    styleA: null,
    styleB: null,
    example: toldExample,
  },
  { showsCompany: false },
)

/** Members of an onboarding request, checked. */
export type Wanted = Readonly<Record<string, unknown>> & { readonly name: string; readonly outletName?: string }

const { create } = bodySchema(onboarding)

/** A body's members, checked. Throws 400, naming `organizationId` first if the body contains it. */
export function onboardingOf(value: unknown): Wanted {
  const isNamed = typeof value === 'object' && value !== null && Object.hasOwn(value, 'organizationId')
  const { organizationId, ...rest } = isNamed ? (value as Record<string, unknown>) : {}
  const change = create(isNamed ? rest : value)
  const errors = change instanceof Problem ? change.errors : []
  if (isNamed)
    throw invalid([
      bodyError('/organizationId', 'unknown', 'must not be sent: the organization is that of the key'),
      ...errors,
    ])
  if (change instanceof Problem) throw change
  return change.set as unknown as Wanted
}
const shownAtFirst = [
  ...['id', 'name', 'email', 'accountId', 'organizationId', 'country', 'currency', 'timezone'],
  ...['status', 'createdAt', 'updatedAt'],
]

/** The response of onboarding: the members of decisions §10. */
export const onboardedText = (record: CompanyRecord): string => JSON.stringify(record, shownAtFirst)

const { properties, ...shape } = documents(company).record
const members = (of: object) =>
  Object.fromEntries(Object.entries(of).filter(([member]) => shownAtFirst.includes(member)))

/** Its schema in the reference. */
export const onboardedSchema: JsonSchema = {
  ...shape,
  title: 'OnboardedCompany',
  required: ['id', 'name', 'email', 'accountId', 'organizationId', 'status', 'createdAt', 'updatedAt'],
  properties: members(properties as object),
}
export const onboardedExample = members(documents(company).example)
