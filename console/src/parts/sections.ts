// The sections of each resource's form; members that no section names go into the last one.
import type { RecordData } from '../api/records.ts'
import type { Member, Resource } from '../api/resources.ts'
import { labelOf } from '../texts/members.ts'
import { text } from '../texts/records.ts'

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
    money: ['openingAmount', 'closingAmount', 'closingAmounts', 'openingNote', 'closingNote'],
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

/** Figures that follow from other records: pages show them, and nobody types them. */
const derived: Readonly<Record<string, readonly string[]>> = {
  customers: ['totalSpent', 'lastAction'],
  products: ['minPrice', 'maxPrice'],
}

/** What is known only later, and written by other pages: a session is closed with its count and a note. */
const later: Readonly<Record<string, readonly string[]>> = {
  sessions: ['closedBy', 'closeTime', 'closingAmount', 'closingAmounts', 'closingNote', 'closingReportData'],
}

/** The only members of a stored record that people may edit: a payment is refunded or voided, not overwritten. */
const noted: Readonly<Record<string, readonly string[]>> = {
  transactions: ['notes'],
  'cash-movements': ['reason', 'employee', 'externalId'],
  refunds: ['reason', 'refundedBy', 'notes', 'metadata'],
}

/** What the closing of a session was computed from, or has written. */
const closed: readonly string[] = ['stationId', 'openTime', 'openingAmount', ...(later.sessions ?? [])]

/** Whether pages only show a member of a stored record. */
export const isSettled = (many: string, name: string, record?: RecordData): boolean =>
  noted[many]?.includes(name) === false ||
  (many === 'sessions' && record?.closeTime !== undefined && closed.includes(name))

/** Whether a member is known, and shown, only once a session is closed. */
export const isOfClosing = (many: string, name: string): boolean => later[many]?.includes(name) === true

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
