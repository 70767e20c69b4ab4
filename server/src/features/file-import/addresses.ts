// Addresses in the columns of a row, and names that a file has in one cell.

import type { JsonObject } from '../../engine/record.ts'
import { type Cell, codeOf, presentMembers, textOf } from './values.ts'

type AddressPart =
  | ('name' | 'firstName' | 'lastName' | 'company' | 'address1' | 'address2')
  | ('city' | 'state' | 'country' | 'postCode' | 'phone' | 'email')
type Which = 'billing' | 'shipping'
/** A column of one of the two addresses of a row. */
export type AddressMember = `${Which}.${AddressPart}`

type AddressParts = Partial<Readonly<Record<AddressPart, readonly string[]>>>

/** The headings of a table's columns that hold the parts of an address. */
export const addressHeadings = (which: Which, parts: AddressParts): Partial<Record<AddressMember, readonly string[]>> =>
  Object.fromEntries(Object.entries(parts).map(([part, headings]) => [`${which}.${part}`, headings]))

/** The headings of an address in exports of WooCommerce, of customers and of orders. */
export const woocommerceAddress = (which: Which) =>
  ({
    firstName: [`${which}_first_name`],
    lastName: [`${which}_last_name`],
    company: [`${which}_company`],
    address1: [`${which}_address_1`],
    address2: [`${which}_address_2`],
    city: [`${which}_city`],
    state: [`${which}_state`],
    country: [`${which}_country`],
    postCode: [`${which}_postcode`],
  }) satisfies AddressParts

/** The address in a row's columns, as a record has it; undefined if all are empty. */
export function addressOf(
  { cell }: { readonly cell: (member: AddressMember) => Cell },
  which: Which,
): object | undefined {
  const at = (part: AddressPart) => cell(`${which}.${part}`)
  const names = namesIn(textOf(at('name')))
  const address = presentMembers<JsonObject>({
    firstName: textOf(at('firstName')) ?? names.firstName,
    lastName: textOf(at('lastName')) ?? names.lastName,
    company: textOf(at('company')),
    address1: textOf(at('address1')),
    address2: textOf(at('address2')),
    city: textOf(at('city')),
    state: textOf(at('state')),
    country: textOf(at('country')),
    postCode: codeOf(at('postCode')),
    phone: codeOf(at('phone')),
    email: textOf(at('email')),
  })
  return Object.keys(address).length > 0 ? address : undefined
}

/** A full name as first and last name: the last word is the last name. */
export function namesIn(name: string | undefined): { firstName?: string; lastName?: string } {
  if (name === undefined) return {}
  const [, firstName, lastName] = /^(.*\S)\s+(\S+)$/s.exec(name) ?? []
  return firstName === undefined || lastName === undefined ? { firstName: name } : { firstName, lastName }
}
