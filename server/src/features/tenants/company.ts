// A company as its organization and its own keys see it: its members, with the countries and time zones that it can be in.

import { aTimezone, timezoneNamed } from '../../core/date-time.ts'
import { string } from '../../core/json-schema.ts'
import { bodyError } from '../../core/problem.ts'
import {
  choice,
  currency,
  dateTime,
  email,
  type Field,
  integer,
  name,
  number,
  object,
  reference,
  required,
  serverOwned,
  text,
  unsetWhenEmpty,
  url,
  visibleName,
} from '../../engine/field.ts'
import { resource } from '../../engine/resource.ts'

/** Characters of the reason for which a company is suspended: a sentence or two, in each response to its keys. */
const SUSPENDED_REASON_CHARACTERS = 500
/** Characters of a company's address as JSON, including unknown members: a page of 1,000 companies fits the memory. */
const COMPANY_ADDRESS_CHARACTERS = 10_000

/** ISO 3166-1 alpha-2, as assigned: Intl would also accept unions and former countries. */
const countries = new Set(
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF
  CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH
  GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW
  KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG
  NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN
  SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT
  ZA ZM ZW`.split(/\s+/),
)

/** Two ASCII letters: capitals of other letters could be a country, such as those of ß. */
const twoLetters = /^[A-Za-z]{2}$/

/** A two-letter country code in any case, stored in upper case. */
const country = (): Field<string> => ({
  schema: string('Where the company is: ISO 3166-1 alpha-2, in any case; stored in upper case.', 'AT'),
  comparison: 'text',
  emptyIsUnset: true,
  check: (value, at) =>
    typeof value !== 'string' || (twoLetters.test(value) && countries.has(value.toUpperCase()))
      ? []
      : [bodyError(at, 'country', 'must be a country of two letters (ISO 3166-1 alpha-2), such as "AT"')],
  canonical: (code) => code.toUpperCase(),
})

/** A time zone by its IANA name. */
const timezone = (): Field<string> => ({
  schema: string('The time zone of the company’s days in reports, by its IANA name. UTC if unset.', 'Europe/Vienna'),
  comparison: 'text',
  emptyIsUnset: true,
  check: (value, at) =>
    typeof value !== 'string' || timezoneNamed(value) !== undefined
      ? []
      : [bodyError(at, 'timezone', `must be ${aTimezone}`)],
  canonical: (value) => timezoneNamed(value) ?? value,
})

/** The members of a company that callers set, at onboarding and later. */
export const companyFields = {
  name: required(visibleName({ description: 'Display name of the company.', example: 'Corner Shop' })),
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
  dayStartHour: integer(0, 23, {
    description:
      'The hour at which the company’s days begin in reports, for shops that close after midnight: with 4, a sale at 03:59 belongs to the day before. Midnight if unset.',
    example: 4,
  }),
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
        description: 'Where the company is based; the country is a separate member of the company.',
      },
    ),
    check: (value: unknown, at: string) =>
      JSON.stringify(value).length <= COMPANY_ADDRESS_CHARACTERS
        ? []
        : [bodyError(at, 'maxLength', `must not have more than ${COMPANY_ADDRESS_CHARACTERS} characters as JSON`)],
  },
  taxId: name({
    description:
      'Number under which the company is registered for tax, such as a VAT number, as its receipts print it.',
    example: 'ATU12345678',
  }),
  externalId: unsetWhenEmpty(
    visibleName({ description: 'Id in the organization’s own system, unique among its companies.' }),
  ),
  planId: reference({ description: 'The plan that the company is on.' }),
}

/** An example company. */
export const companyExample = {
  name: 'Corner Shop',
  email: 'owner@example.com',
  country: 'AT',
  currency: 'EUR',
  timezone: 'Europe/Vienna',
  address: { address1: '1 Main Street', city: 'Vienna', postCode: '1010' },
  taxId: 'ATU12345678',
}

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
      'The company as a customer of the payment processor, created after the company; on a restored service, once the operator resumes calls. It counts for the ETag, but does not change `updatedAt`.',
  },
)

/** Declared like a resource, to share its checks, shapes and list parameters; its table is not a resource's. */
export const company = resource(
  {
    name: { one: 'company', many: 'companies' },
    title: 'Companies',
    description: 'A company of the organization, with its own data in the service.',
    fields: {
      ...companyFields,
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
          'The reason given in responses to the company’s keys while it is suspended; removed when it is active again.',
      }),
      paymentCustomer: serverOwned(paymentCustomer),
    },
    remove: 'hard',
    list: { sort: ['name'], search: ['name'], exact: ['status', 'externalId', 'planId'] },
    styleA: null,
    styleB: null,
    example: {
      ...companyExample,
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

const { paymentCustomer: _, ...ownFields } = company.fields
const ofOrganization = ['externalId', 'planId', 'status', 'suspendedReason']

/**
 * The same as the company itself sees it, and as its owners change it: members that only its organization may change
 * are ignored.
 */
export const ownCompany = resource(
  {
    name: { one: 'own-company', many: 'own-companies' },
    title: 'Company',
    description: 'The company itself.',
    fields: {
      ...Object.fromEntries(
        Object.entries(ownFields).map(([member, field]) => [
          member,
          ofOrganization.includes(member) ? serverOwned(field) : field,
        ]),
      ),
      planName: serverOwned(name({ description: 'Name of the company’s plan.', example: 'Standard' })),
    },
    remove: 'hard',
    list: {},
    styleA: null,
    styleB: null,
    example: {
      ...Object.fromEntries(Object.entries(company.example).filter(([member]) => member !== 'paymentCustomer')),
      planName: 'Standard',
    },
  },
  { showsCompany: false },
)
