// What is searched: the members of each resource that people remember, and what a result shows of a record.

import { dateOf, dayOf, zoneOf } from '../../core/local-days.ts'
import { isLongText } from '../../engine/field.ts'
import type { Resource } from '../../engine/resource.ts'
import { resources } from '../../resources/index.ts'

/** Members of a record by name, as far as the search reads them. */
export type SearchedMembers = Readonly<Record<string, any>>

/** How the search treats a resource. */
export interface Searched {
  readonly resource: Resource
  /** What results call the resource, as its path does: `tax-table`. */
  readonly name: string
  /** Texts that are found by any part, and by their beginnings first where an index has them in order. */
  readonly texts: readonly string[]
  readonly ordered: readonly string[]
  /** Members that identify a record by their whole value. */
  readonly codes: readonly string[]
  readonly hasPhone: boolean
  /** What is read of a record, as SQL over the row `stored`; $1 is the company. */
  readonly read: Readonly<Record<string, string>>
  readonly title: (known: SearchedMembers) => string | undefined
  readonly subtitle: (known: SearchedMembers) => string
}

/** Members of any resource that identify a record to people or to other systems. */
const identifying = new Set(['externalId', 'sku', 'barcode', 'receiptId'])

/** Parts of a line, without those that are unset. */
const line = (...parts: readonly unknown[]): string =>
  parts.filter((part) => part !== undefined && part !== null && part !== '').join(' · ')
const words = (...parts: readonly unknown[]): string | undefined => parts.filter(Boolean).join(' ') || undefined
/** A price, which may be 0, with its currency; empty without a price. */
const priceOf = (price: unknown, currency: unknown): string =>
  price == null ? '' : `${price} ${currency ?? ''}`.trim()
/** The day of a time where the company is, as in reports and in lists of the console. */
const day = (time: unknown, timezone: string | null): string | undefined =>
  typeof time === 'string' ? dateOf(dayOf(zoneOf(timezone), Date.parse(time))) : undefined
const valuesOf = (attributes: unknown): string =>
  (Array.isArray(attributes) ? attributes : []).flatMap((each) => each?.value || []).join(' / ')

const nameOf = (table: string, member: string): string =>
  `(select named.name from ${table} as named where named.company_id = $1 and named.id = stored.body ->> '${member}')`
const of = (...members: readonly string[]) => members.map((member) => [member, `stored.body -> '${member}'`] as const)

const ofCompany = (member: string) =>
  [member, `(select own.${member} from companies as own where own.id = $1)`] as const
/** The currency of the company, in which prices of products and variants are. */
const ownCurrency = ofCompany('currency')
const ownTimezone = ofCompany('timezone')

type Look = Pick<Searched, 'title' | 'subtitle'> & { readonly read?: readonly (readonly [string, string])[] }

/** What results show of a record. Of resources that are not here: the name, and when the record was created. */
const looks: Readonly<Record<string, Look>> = {
  customer: {
    read: [['city', `stored.body #> '{billing,city}'`]],
    title: ({ firstName, lastName, email, phone }) => words(firstName, lastName) ?? email ?? phone,
    subtitle: ({ email, phone, city }) => line(email, phone, city),
  },
  account: {
    title: ({ name, email }) => name ?? email,
    subtitle: ({ email, phone }) => line(email, phone),
  },
  outlet: {
    read: of('address', 'city'),
    title: ({ name }) => name,
    subtitle: ({ address, city }) => line(address, city),
  },
  station: {
    read: [['outlet', nameOf('outlets', 'outletId')]],
    title: ({ name }) => name,
    subtitle: ({ outlet }) => line(outlet),
  },
  product: {
    read: [...of('status', 'minPrice', 'maxPrice'), ownCurrency],
    title: ({ name }) => name,
    subtitle: ({ sku, status, minPrice, maxPrice, currency }) =>
      line(sku, priceOf(minPrice === maxPrice ? minPrice : `${minPrice ?? ''}–${maxPrice ?? ''}`, currency), status),
  },
  variant: {
    read: [...of('price', 'attributes'), ownCurrency, ['product', nameOf('products', 'productId')]],
    title: ({ product, attributes, sku, barcode }) => words(product, valuesOf(attributes)) ?? sku ?? barcode,
    subtitle: ({ sku, barcode, price, currency }) => line(sku, barcode, priceOf(price, currency)),
  },
  order: {
    read: [
      ...of('occurredAt', 'createdAt', 'status', 'currency'),
      ownTimezone,
      ['total', `stored.body #> '{summary,total}'`],
      ['outlet', nameOf('outlets', 'outletId')],
      [
        'customer',
        `(select concat_ws(' ', nullif(buyer.first_name, ''), nullif(buyer.last_name, '')) from customers as buyer where buyer.company_id = $1 and buyer.id = stored.body ->> 'customerId')`,
      ],
    ],
    title: ({ receiptId }) => receiptId,
    subtitle: ({ occurredAt, createdAt, timezone, total, currency, customer, outlet, status }) =>
      line(day(occurredAt ?? createdAt, timezone), words(total, currency), customer, outlet, status),
  },
  transaction: {
    read: [...of('occurredAt', 'createdAt', 'amount', 'currency', 'paymentMethod', 'type'), ownTimezone],
    title: ({ amount, currency }) => words(amount, currency),
    subtitle: ({ occurredAt, createdAt, timezone, paymentMethod, type, receiptId }) =>
      line(day(occurredAt ?? createdAt, timezone), paymentMethod, type, receiptId),
  },
  refund: {
    read: [
      ...of('occurredAt', 'createdAt', 'reason', 'currency'),
      ['total', `stored.body #> '{summary,total}'`],
      ownTimezone,
    ],
    title: ({ total, currency }) => words(total, currency),
    subtitle: ({ occurredAt, createdAt, timezone, reason }) =>
      line(day(occurredAt ?? createdAt, timezone), String(reason ?? '').slice(0, 100)),
  },
  session: {
    read: [...of('openTime', 'closeTime'), ownTimezone, ['station', nameOf('stations', 'stationId')]],
    title: ({ sessionNumber }) => sessionNumber,
    subtitle: ({ station, openTime, closeTime, timezone }) =>
      line(station, day(openTime, timezone), day(closeTime, timezone)),
  },
  'cash-movement': {
    read: [...of('amount', 'currency', 'type', 'occurredAt', 'createdAt'), ownTimezone],
    title: ({ amount, currency }) => words(amount, currency),
    subtitle: ({ type, occurredAt, createdAt, timezone }) => line(type, day(occurredAt ?? createdAt, timezone)),
  },
  'automation-trigger': {
    title: ({ customTriggerName, triggerType }) => customTriggerName ?? triggerType,
    subtitle: ({ triggerType }) => line(triggerType),
  },
}

const plain: Look = {
  read: [...of('createdAt'), ownTimezone],
  title: ({ name }) => name,
  subtitle: ({ createdAt, timezone }) => line(day(createdAt, timezone)),
}

/** What people look for most, and what a company may have a million of. */
const first = ['customer', 'product', 'variant', 'order']

/** Whether a company may have a million records of it. */
export const isMany = ({ name }: Searched): boolean => first.includes(name)

/** How the search treats each resource, the ones that people look for most first. */
export const searched: readonly Searched[] = sorted(resources).map((resource) => {
  const { list, fields, name } = resource
  const { read = [], ...look } = looks[name.one] ?? plain
  const texts = list.search.filter((member) => !isLongText(fields[member]))
  const codes = list.exact.filter((member) => identifying.has(member))
  return {
    resource,
    texts,
    codes,
    ...look,
    name: name.one,
    ordered: texts.filter((member) => list.sort.includes(member)),
    hasPhone: texts.includes('phone'),
    read: Object.fromEntries([...of(...texts, ...codes), ...read]),
  }
})

function sorted(all: readonly Resource[]): Resource[] {
  const placeOf = ({ name }: Resource) => (first.indexOf(name.one) + first.length + 1) % (first.length + 1)
  return [...all].sort((one, other) => placeOf(one) - placeOf(other))
}
