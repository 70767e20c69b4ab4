// Order: a sale, from the first line scanned to the last payment.
import {
  anything,
  currency,
  dateTime,
  decimal,
  externalId,
  flag,
  list,
  name,
  number,
  object,
  reference,
  serverOwned,
  text,
  word,
} from '../engine/field.ts'
import { resource } from '../engine/resource.ts'
import { address, lineItem, metadata, share, summary, tax } from './shapes.ts'

/** Whether one of these statuses was reached, which raises an event of its own (decisions §9). */
const becomes =
  (...statuses: string[]) =>
  (now: { status?: string }, before: { status?: string } | undefined): boolean =>
    statuses.includes(now.status ?? '') && now.status !== before?.status

export const order = resource({
  name: { one: 'order', many: 'orders' },
  title: 'Orders',
  description: 'A sale with its lines, totals and payments. It does not change stock.',
  fields: {
    receiptId: name(),
    status: word('pending', 'parked', 'completed', 'refunded', 'partial-refund', 'cancelled'),
    currency: currency(),
    customerId: reference(),
    outletId: reference(),
    stationId: reference(),
    sessionId: reference(),
    employee: reference(),
    source: word('manual', 'api', 'pos', 'import', 'woo-commerce'),
    externalId: externalId(),
    fromService: serverOwned(flag({ description: 'False when the record was created with an API key.' })),
    balance: decimal(),
    customerNote: text(),
    signature: text({ description: 'Base64.' }),
    parkReduceStock: flag(),
    parkExpiryDate: dateTime(),
    summary: summary(),
    cartDiscount: object({ label: name(), amount: decimal(), percentage: number() }),
    cartFees: list(anything()),
    lineItems: list(lineItem({ needsIds: false })),
    customSales: list(
      object({
        customSaleId: name(),
        name: name(),
        price: decimal(),
        quantity: number(),
        applyTaxes: flag(),
        total: decimal(),
        totalTax: decimal(),
        taxes: list(tax()),
      }),
    ),
    paymentMethods: list(
      object({
        transactionId: reference(),
        paymentType: word('cash', 'credit_card', 'gift_card', 'store_credit'),
        amount: decimal(),
        timestamp: name(),
        processor: name(),
        change: decimal(),
        tip: share(),
      }),
    ),
    billing: address(),
    shipping: address(),
    metadata: metadata(),
    notes: list(anything(), { description: 'Usually {message, createdAt}.' }),
  },
  requireOneOf: ['lineItems', 'customSales', 'summary'],
  derive: ({ fromService }) => ({ fromService: fromService ?? false }),
  raises: { completed: becomes('completed'), refunded: becomes('refunded', 'partial-refund') },
  remove: 'hard',
  list: {
    sort: ['receiptId', 'status'],
    search: ['receiptId', 'customerNote'],
    exact: [
      'externalId',
      'status',
      'source',
      'currency',
      'employee',
      'customerId',
      'outletId',
      'stationId',
      'sessionId',
    ],
  },
  styleA: { one: ['order'], list: 'orders' },
  styleB: { one: 'order', many: 'orders' },
  example: {
    receiptId: 'R-1001',
    status: 'completed',
    currency: 'EUR',
    lineItems: [
      {
        productId: '6740a1f2c3d4e5f6a7b8c9d1',
        variantId: '6740a1f2c3d4e5f6a7b8c9d4',
        quantity: 2,
        price: '12.50',
        total: '25.00',
      },
    ],
    summary: { total: '25.00', subTotal: '25.00' },
  },
})
