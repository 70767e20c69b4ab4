// The sections of each resource's form; members that no section names go into the last one.
import type { Member, Resource } from '../api/resources.ts'
import { labelOf } from '../texts/members.ts'
import { text } from '../texts/records.ts'
import { isOfClosing } from './settled.ts'

export interface Section {
  readonly title: string
  readonly members: readonly Member[]
}

const layouts: Readonly<Record<string, Readonly<Partial<Record<keyof typeof text.sections, readonly string[]>>>>> = {
  customers: {
    person: ['firstName', 'lastName', 'email', 'phone', 'tags', 'outletId'],
    addresses: ['billing', 'shipping'],
  },
  products: {
    product: ['name', 'status', 'productType', 'sku', 'supplier', 'shortDescription', 'description'],
    variants: ['attributes'],
    pictures: ['images'],
    shelves: ['categories', 'outlets', 'tags'],
    taxes: ['taxTable'],
  },
  variants: {
    variant: ['attributes', 'sku', 'barcode'],
    price: ['price', 'costPrice', 'isOnSale', 'salePrice'],
    stock: ['manageStock', 'allowBackorder'],
  },
  outlets: {
    outlet: ['name', 'alias', 'phone'],
    address: ['address', 'address2', 'city', 'postCode', 'state', 'country'],
  },
  roles: { role: ['name'], permissions: ['permissions'] },
  stations: { station: ['name', 'outletId', 'status'] },
  sessions: {
    session: ['stationId', 'sessionNumber', 'openedBy', 'closedBy', 'openTime', 'closeTime'],
    money: ['openingAmount', 'closingAmount', 'openingNote', 'closingNote'],
  },
  orders: {
    order: [
      'receiptId',
      'status',
      'currency',
      'customerId',
      'outletId',
      'stationId',
      'sessionId',
      'employee',
      'customerNote',
    ],
    lines: ['lineItems', 'customSales'],
    sums: ['summary', 'cartDiscount', 'balance', 'paymentMethods'],
    addresses: ['billing', 'shipping'],
  },
  transactions: {
    transaction: [
      'type',
      'amount',
      'currency',
      'paymentMethod',
      'receiptId',
      'orderId',
      'outletId',
      'sessionId',
      'employee',
      'notes',
    ],
  },
  attachments: {
    attachment: ['name', 'mimeType', 'accountId'],
    elsewhere: ['url', 'originalUrl', 'path'],
  },
}

/** Figures that pages show elsewhere, and nobody types: most follow from other records. */
const derived: Readonly<Record<string, readonly string[]>> = {
  customers: ['totalSpent', 'lastAction'],
  products: ['minPrice', 'maxPrice'],
  // The figures of a session have it beside what was expected.
  sessions: ['closingAmounts'],
}

/** Whether a member is typed by people, in a form or for many records at once. */
export const isTyped = (many: string, { name, isServerOwned }: Member): boolean =>
  isServerOwned !== true && derived[many]?.includes(name) !== true

/** Whether a member holds the columns of a custom table: those allow no other members. */
export const isOfTable = ({ schema }: Member): boolean =>
  schema.type === 'object' && schema.additionalProperties === false

/** The sections of a form, with one for each custom table that extends customers; `isOpen` leaves out what is known only later. */
export function sectionsOf({ many, members }: Resource, isOpen = false): Section[] {
  // The inventory of a variant is edited as stock, by outlet.
  const isOwn = (member: Member) => isTyped(many, member) && !(many === 'variants' && member.name === 'inventory')
  const own = members.filter((member) => isOwn(member) && !(isOpen && isOfClosing(many, member.name)))
  const layout = Object.entries(layouts[many] ?? {}) as [keyof typeof text.sections, readonly string[]][]
  const named = new Set(layout.flatMap(([, names]) => names))
  const laid = layout.map(([name, names]) => ({
    title: text.sections[name],
    members: names.flatMap((name) => own.find((member) => member.name === name) ?? []),
  }))
  const others = own.filter(({ name }) => !named.has(name))
  const tables = many === 'customers' ? others.filter(isOfTable) : []
  const rest = others.filter((member) => !tables.includes(member))
  return [
    ...laid.slice(0, 1),
    ...tables.map((member) => ({ title: labelOf(member.name), members: [member] })),
    ...laid.slice(1),
    { title: layout.length === 0 ? text.details : text.more, members: rest },
  ].filter(({ members }) => members.length > 0)
}
