// The records that tills write: one kind for each way that the service writes a record.
import type { Random } from './random.ts'
import { saleOf } from './sales.ts'

type Body = Record<string, unknown>

/** A resource, its member that identifies a create, and the member that each update sets to a unique value. */
export interface Kind {
  readonly one: string
  readonly many: string
  /** Where it is created with others in one request, in place of its own paths under /v1; the response has it under its name. */
  readonly together?: { readonly one: string; readonly many: string }
  /** Whether each create takes back a sale that was answered, all of it. */
  readonly isReturn?: boolean
  /** Its path under /v1/api, if it has one. */
  readonly styleA: string | undefined
  readonly mark: string
  readonly change: string
  body(mark: string, random: Random): Body
  value(mark: string, number: number): string | number
}

/** A flagged record, written in one statement. */
const customer: Kind = {
  one: 'customer',
  many: 'customers',
  styleA: 'customer',
  mark: 'externalId',
  change: 'firstName',
  body: (externalId, random) => ({
    externalId,
    email: `ada.${random.below(1_000_000)}@example.com`,
    lastName: 'Lovelace',
    phone: '+44 20 7946 0000',
    tags: ['wholesale', 'käse'],
    billing: { firstName: 'Ada', address1: '12 St James’s Square', city: 'London', country: 'GB' },
  }),
  value: (mark) => mark,
}

/** A long record, written in one statement. */
const order: Kind = {
  one: 'order',
  many: 'orders',
  styleA: 'order',
  mark: 'externalId',
  change: 'customerNote',
  body: (externalId, random) => ({
    externalId,
    receiptId: `R-${random.below(1_000_000)}`,
    status: 'completed',
    currency: 'EUR',
    lineItems: Array.from({ length: 1 + random.below(4) }, (_, n) => ({
      productId: `product-${n}`,
      name: 'Espresso beans 250 g',
      price: '12.50',
      quantity: 1 + random.below(5),
      total: '12.50',
    })),
    summary: { total: '12.50', subTotal: '10.50', totalTaxes: '2.00' },
    paymentMethods: [{ paymentType: 'cash', amount: '12.50' }],
  }),
  value: (mark) => mark,
}

/** An order that is written with its payments and stock, in a transaction of many statements. */
export const sale: Kind = { ...order, together: { one: 'sale', many: 'sales' }, body: saleOf }

/** A record that is written with payments back, the order of its sale and stock: done twice it would be answered 409. */
const refund: Kind = {
  one: 'refund',
  many: 'refunds',
  together: { one: 'sale', many: 'sales' },
  isReturn: true,
  styleA: undefined,
  mark: 'externalId',
  change: 'reason',
  body: (externalId) => ({ externalId }),
  value: (mark) => mark,
}

/** A record with a projection: its write is a transaction of several statements over two tables. */
const variant: Kind = {
  one: 'variant',
  many: 'variants',
  styleA: 'variant',
  mark: 'externalId',
  change: 'barcode',
  body: (externalId, random) => ({
    externalId,
    productId: 'beans',
    price: random.below(10_000) / 100,
    inventory: [
      { outletId: 'north', stock: random.below(100) },
      { outletId: 'south', stock: random.below(100) },
    ],
  }),
  value: (mark) => mark,
}

/** A record that a unique index can refuse: done twice it would be answered 409. */
const inventory: Kind = {
  one: 'inventory',
  many: 'inventories',
  styleA: undefined,
  mark: 'variantId',
  change: 'stock',
  body: (variantId) => ({ variantId, productId: 'beans', outletId: 'main', stock: 0.5 }),
  value: (_, number) => number,
}

export const kinds: readonly Kind[] = [customer, order, sale, refund, variant, inventory]
