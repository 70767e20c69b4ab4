// Refund: returned lines of an order, and the money paid back for them.
import {
  currency,
  decimal,
  externalId,
  flag,
  list,
  name,
  object,
  reference,
  required,
  serverOwned,
  text,
  word,
} from '../engine/field.ts'
import { resource } from '../engine/resource.ts'
import { lineItem, summary } from './shapes.ts'

export const refund = resource({
  name: { one: 'refund', many: 'refunds' },
  title: 'Refunds',
  description: 'Returned lines of an order, and the money paid back for them. It does not change stock.',
  fields: {
    orderId: required(reference()),
    sessionId: reference(),
    externalId: externalId(),
    fromService: serverOwned(flag({ description: 'False when the record was created with an API key.' })),
    currency: currency(),
    lineItems: required(list(lineItem({ needsIds: true }))),
    reason: text(),
    refundedBy: reference(),
    refundedByExternalId: name(),
    summary: required(summary()),
    payment: list(
      object({
        paymentType: word('cash', 'credit_card', 'gift_card', 'store_credit'),
        amount: decimal(),
        transactionId: reference(),
      }),
    ),
    balance: decimal({ description: 'Balance that remains after the refund.' }),
  },
  derive: ({ fromService }) => ({ fromService: fromService ?? false }),
  remove: 'hard',
  list: { search: ['reason'], exact: ['externalId', 'currency', 'orderId', 'sessionId', 'refundedBy'] },
  styleA: { one: ['refunds'], list: 'refunds' },
  styleB: { one: 'refund', many: 'refunds' },
  example: {
    orderId: '6740a1f2c3d4e5f6a7b8c9d5',
    lineItems: [
      { productId: '6740a1f2c3d4e5f6a7b8c9d1', variantId: '6740a1f2c3d4e5f6a7b8c9d4', quantity: 1, total: '12.50' },
    ],
    summary: { total: '12.50' },
    reason: 'Bag torn',
  },
})
