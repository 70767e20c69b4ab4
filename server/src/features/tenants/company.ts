// A company as its organization and its own keys see it: its members.

import { COMPANY_ADDRESS_CHARACTERS, SUSPENDED_REASON_CHARACTERS } from '../../core/limits.ts'
import { bodyError } from '../../core/problem.ts'
import {
  choice,
  currency,
  dateTime,
  email,
  type Field,
  name,
  number,
  object,
  reference,
  required,
  serverOwned,
  text,
  unsetWhenEmpty,
  url,
} from '../../engine/field.ts'
import { resource } from '../../engine/resource.ts'
import { country, timezone } from './places.ts'

/** A name, which must contain at least one visible character. */
export const title = (described: { description?: string; example?: string } = {}): Field<string> => {
  const field = name(described)
  return { ...field, schema: { ...field.schema, pattern: '\\S' } }
}

/** The members of a company that callers set, at onboarding and later. */
export const reported = {
  name: required(title({ description: 'What people call the company.', example: 'Corner Shop' })),
  email: email({
    description: 'E-mail address of the company; defaults to that of the organization’s owner.',
    example: 'owner@example.com',
  }),
  phone: name({ description: 'Phone number of the company, in any notation.', example: '+43 1 5550100' }),
  country: country(),
  currency: currency({
    description:
      'ISO 4217 code of the company’s amounts. Defaults to the `defaultCurrency` of the organization, or USD.',
  }),
  timezone: timezone(),
  industry: name({ description: 'What the company sells or does.', example: 'Groceries' }),
  logo: url({ description: 'URL of a picture for receipts and pages.', example: 'https://example.com/logo.png' }),
  address: {
    ...object(
      {
        address1: name({ description: 'Street and house number.', example: '1 Main Street' }),
        address2: name({ description: 'A second line: floor, unit or building.' }),
        city: name({ description: 'City, town or village.', example: 'Vienna' }),
        state: name({ description: 'State, province or region.' }),
        postCode: name({ description: 'Postal code or ZIP code.', example: '1010' }),
      },
      {
        title: 'CompanyAddress',
        description: 'Where the company has its seat; the country is a member of the company.',
      },
    ),
    check: (value: unknown, at: string) =>
      JSON.stringify(value).length <= COMPANY_ADDRESS_CHARACTERS
        ? []
        : [bodyError(at, 'maxLength', `must not have more than ${COMPANY_ADDRESS_CHARACTERS} characters as JSON`)],
  },
  externalId: unsetWhenEmpty(title({ description: 'Id in a system of the organization, unique among its companies.' })),
  planId: reference({ description: 'The plan that the company is on.' }),
}

/** An example company. */
export const toldExample = {
  name: 'Corner Shop',
  email: 'owner@example.com',
  country: 'AT',
  currency: 'EUR',
  timezone: 'Europe/Vienna',
  address: { address1: '1 Main Street', city: 'Vienna', postCode: '1010' },
}

/** Statuses of a company. */
const companyStatuses = ['active', 'suspended'] as const

const paymentCustomer = object(
  {
    state: required(choice(['pending', 'done'], { description: 'Whether the customer exists at the processor yet.' })),
    processor: text({ description: '`stripe` or `local`, once it is done.' }),
    customerId: text({ description: 'The id of the customer there, once it is done.' }),
    tries: required(number({ description: 'The number of attempts.' })),
    nextTryAt: dateTime({ description: 'The latest time of the next attempt, while it is pending.' }),
    lastError: text({ description: 'The error of the last attempt, while it is pending.' }),
  },
  {
    title: 'PaymentCustomer',
    description:
      'The company as a customer of the payment processor, created after the company. It counts for the ETag, but does not change `updatedAt`.',
  },
)

/** Declared like a resource, to share its checks, shapes and list parameters; its table is not a resource's. */
export const company = resource(
  {
    name: { one: 'company', many: 'companies' },
    title: 'Companies',
    description: 'A company of the organization, with its own data in the service.',
    fields: {
      ...reported,
      accountId: serverOwned(reference({ description: 'The account that was created with the company.' })),
      organizationId: serverOwned(reference({ description: 'The organization that onboarded the company.' })),
      status: required({
        ...choice(companyStatuses),
        schema: {
          type: 'string',
          enum: companyStatuses,
          description: 'While a company is suspended, its keys are answered 403.',
        },
      }),
      suspendedReason: text({
        max: SUSPENDED_REASON_CHARACTERS,
        description:
          'The reason that the company’s keys are answered with while it is suspended; removed when it is active again.',
      }),
      paymentCustomer: serverOwned(paymentCustomer),
    },
    remove: 'hard',
    list: { sort: ['name'], search: ['name'], exact: ['status', 'externalId', 'planId'] },
    styleA: null,
    styleB: null,
    example: {
      ...toldExample,
      externalId: 'crm-1001',
      planId: '6740a1f2c3d4e5f6a7b8c9a1',
      accountId: '6740a1f2c3d4e5f6a7b8c9a2',
      organizationId: '6740a1f2c3d4e5f6a7b8c901',
      status: 'active',
      paymentCustomer: { state: 'done', processor: 'stripe', customerId: 'cus_NffrFeUfNV2Hib', tries: 1 },
    },
  },
  { showsCompany: false },
)
