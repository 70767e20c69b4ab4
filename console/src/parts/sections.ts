// How the members of a resource are laid out in its form; what no section names stands in the last one, so that nothing is missing.
import type { Member, Resource } from '../api/resources.ts'
import { labelOf } from '../texts/members.ts'
import { text } from '../texts/records.ts'

export interface Section {
  readonly title: string
  readonly members: readonly Member[]
}

const layouts: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  customers: {
    Person: ['firstName', 'lastName', 'email', 'phone', 'tags', 'outletId'],
    Addresses: ['billing', 'shipping'],
  },
  products: {
    Product: ['name', 'status', 'productType', 'sku', 'supplier', 'shortDescription', 'description'],
    Pictures: ['images'],
    Shelves: ['categories', 'outlets', 'tags'],
    Price: ['minPrice', 'maxPrice', 'taxTable'],
    Attributes: ['attributes'],
  },
  variants: {
    Variant: ['attributes', 'sku', 'barcode'],
    Price: ['price', 'costPrice', 'isOnSale', 'salePrice'],
    Stock: ['manageStock', 'allowBackorder'],
  },
  outlets: {
    Outlet: ['name', 'alias', 'phone'],
    Address: ['address', 'address2', 'city', 'postCode', 'state', 'country'],
  },
  stations: { Station: ['name', 'outletId', 'status'] },
  sessions: {
    Session: ['stationId', 'sessionNumber', 'openedBy', 'closedBy', 'openTime', 'closeTime'],
    Money: ['openingAmount', 'closingAmount', 'closingAmounts', 'openingNote', 'closingNote'],
  },
  orders: {
    Order: [
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
    Lines: ['lineItems', 'customSales'],
    Sums: ['summary', 'cartDiscount', 'balance', 'paymentMethods'],
    Addresses: ['billing', 'shipping'],
  },
  transactions: {
    Transaction: [
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
  refunds: {
    Refund: ['orderId', 'reason', 'currency', 'refundedBy', 'sessionId'],
    Lines: ['lineItems'],
    Sums: ['summary', 'payment'],
  },
}

/** Whether a member holds the columns of a custom table: those take no others. */
export const isOfTable = ({ schema }: Member): boolean =>
  schema.type === 'object' && schema.additionalProperties === false

/** The sections of a form; a company's own columns of customers have one for each table. */
export function sectionsOf({ many, members }: Resource): Section[] {
  // The inventory of a variant is edited as stock, by outlet.
  const own = members.filter(
    ({ name, isServerOwned }) => !isServerOwned && !(many === 'variants' && name === 'inventory'),
  )
  const layout = Object.entries(layouts[many] ?? {})
  const named = new Set(layout.flatMap(([, names]) => names))
  const laid = layout.map(([title, names]) => ({
    title,
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
