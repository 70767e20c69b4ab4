// Nested objects and members that several resources share (decisions §2): addresses, metadata, flags that the service sets.
import { bodyError } from '../core/problem.ts'
import {
  type Described,
  dateTime,
  decimal,
  type Field,
  flag,
  list,
  name,
  number,
  object,
  required,
  serverOwned,
  text,
  word,
} from '../engine/field.ts'

/** How far a clock may be ahead of the service's. */
export const AHEAD_MS = 10 * 60_000

/** The first past time. An earlier one is the zero of a language, such as the year 1 of Go and .NET: no usual report would show its sale. */
const FIRST_TIME = Date.UTC(1900)

/** A time in the past, or in the near future for a clock that is ahead of the service's. */
export const pastTime = (described: Described): Field<string> => ({
  ...dateTime(described),
  check: (value, at) => {
    const now = Date.now()
    const sent = typeof value === 'string' ? Date.parse(value) : now
    if (sent < FIRST_TIME)
      return [bodyError(at, 'minimum', 'must not be before 1900; leave it out if the time is not known')]
    if (!(sent > now + AHEAD_MS)) return []
    const time = new Date(now).toISOString()
    return [bodyError(at, 'future', `must be at most 10 minutes ahead of the service, where it is ${time}`)]
  },
})

/** When the recorded thing happened, if not when the service received it. */
export const occurredAt = (what: string): Field<string> =>
  pastTime({
    description: `${what} Set it if that was not when the service received the record: for a sale made offline, or imported history. If it is absent, \`createdAt\` counts. It must not be before 1900, nor more than 10 minutes ahead of the service’s clock.`,
    example: '2026-11-20T17:45:00.000Z',
  })

/** What the APIs of others call a member, for `elsewhere` of a resource. */
export const otherNames = (member: string, ...others: readonly string[]): Record<string, string> =>
  Object.fromEntries(others.map((other) => [other, `did you mean ${member}?`]))

/** The part of an address below the street. */
export const locality = () => ({
  city: name({ description: 'City, town or village.', example: 'Springfield' }),
  state: name({ description: 'State, province or region.', example: 'IL' }),
  country: name({ description: 'Country, preferably as an ISO 3166-1 alpha-2 code.', example: 'US' }),
  postCode: name({ description: 'Postal code or ZIP code.', example: '62701' }),
})

/** An address for invoices or deliveries. */
export const address = () =>
  object(
    {
      firstName: name({ description: 'First name of the person at the address.', example: 'Ann' }),
      lastName: name({ description: 'Last name of the person at the address.', example: 'Archer' }),
      company: name({ description: 'The business at the address.', example: 'Archer Ltd' }),
      address1: name({ description: 'Street and house number.', example: '1 Main Street' }),
      address2: name({ description: 'A second line: apartment, floor or building.', example: 'Floor 2' }),
      ...locality(),
      phone: name({ description: 'Phone number to call about a delivery or an invoice.', example: '+1 217 555 0100' }),
      email: name({
        description: 'E-mail address for messages about a delivery or an invoice.',
        example: 'ann@example.com',
      }),
    },
    { title: 'Address', description: 'A postal address, and how to reach the person or business there.' },
  )

/** Pairs that an integration stores with a record. */
export const metadata = () =>
  list(
    object(
      {
        key: required(name({ description: 'Name of the value, chosen by your integration.', example: 'erp-number' })),
        value: required(text({ description: 'Any text. Convert numbers and dates to text.', example: 'A-4711' })),
      },
      { title: 'MetadataEntry', description: 'A key and a value that an integration stores with a record.' },
    ),
    { description: 'Your own data about the record, as pairs of a key and a value. The service only stores them.' },
  )

/** Part of a price, as an amount or as a percentage. */
export const share = () =>
  object(
    {
      amount: decimal({
        description:
          'The amount in the `currency` of the sale. Negative only as a discount on a line that is returned.',
        example: '2.50',
      }),
      percentage: number({
        description: 'The rate from which it was computed, in percent: `10` is 10 %.',
        example: 10,
      }),
    },
    {
      title: 'Share',
      description:
        'Part of an amount. In orders and refunds send `amount` always; `POST /v1/sale` computes it from `percentage`.',
    },
  )

/** Which program or person the record comes from. */
export const source = (description: string): Field<string> =>
  word(['manual', 'api', 'pos', 'import', 'woo-commerce'], { description })

/** The flag of records that are deleted softly. */
export const isDeleted = (): Field<boolean> =>
  serverOwned(flag({ description: 'True after a delete, which keeps the record. Lists omit deleted records.' }))

/** Whether a record was made in the console. */
export const fromService = (): Field<boolean> =>
  serverOwned(flag({ description: 'False if the record was created with an API key, true if in the console.' }))
