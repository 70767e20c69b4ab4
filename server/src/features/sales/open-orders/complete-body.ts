// The body that completes an open order: how it is paid, and what the sale has besides what the order says.

import { bodyError, type MemberError, orThrow } from '../../../core/problem.ts'
import { decimal, type Fields } from '../../../engine/field.ts'
import type { JsonObject } from '../../../engine/record.ts'
import { resource } from '../../../engine/resource.ts'
import { bodySchema } from '../../../engine/schema.ts'
import { otherNames } from '../../../resources/shapes.ts'
import { ofRequest, orderMember } from '../body.ts'

const notNegative = (value: string, at: string): MemberError[] =>
  Number(value) < 0 ? [bodyError(at, 'minimum', 'must not be less than 0', 0)] : []

const changeFirst = 'change the order first, with PATCH /v1/order/{id}'

/** Declared like a resource, to share its checks and its shapes. */
export const saleCompletion = resource({
  name: { one: 'sale-completion', many: 'sale-completions' },
  title: 'Sales',
  description: 'How an open order becomes a sale.',
  fields: {
    ...ofRequest,
    tip: {
      ...decimal({
        description:
          'The tip, in place of the one that the order has; `summary.total` changes with it. A decimal string in the order’s `currency`.',
        example: '3.00',
      }),
      check: notNegative,
    },
    occurredAt: orderMember('occurredAt', 'When the sale was made; now by default, whatever the order says.'),
    receiptId: orderMember('receiptId', 'The number on the receipt, in place of the order’s.'),
    outletId: orderMember(
      'outletId',
      'Where the sale is made and the goods leave the shelf, in place of the order’s. Without it, the money is at the outlet of the till that the request names.',
    ),
    stationId: orderMember(
      'stationId',
      'The till that makes the sale; by default the order’s. The sale belongs to its open session.',
    ),
    sessionId: orderMember(
      'sessionId',
      'The session of the sale, if it is not the open one of `stationId`. Without both, and without a station of the order, it is the order’s.',
    ),
    customerId: orderMember('customerId', 'The customer who buys, in place of the order’s.'),
    employee: orderMember('employee', 'The account or user of the cashier, in place of the order’s.'),
  } as Fields,
  remove: 'hard',
  list: {},
  elsewhere: {
    ...Object.fromEntries(
      ['lineItems', 'items', 'customSales', 'cartDiscount', 'cartFees', 'currency', 'metadata', 'notes'].map(
        (member) => [member, changeFirst],
      ),
    ),
    summary: `send only tip; for other totals, ${changeFirst}`,
    total: 'the total is the order’s',
    amount: 'send it in payments, such as [{"paymentMethod": "cash", "amount": "25.00"}]',
    paymentMethod: 'send it in payments, such as [{"paymentMethod": "cash"}]',
    ...otherNames('payments', 'tenders', 'transactions', 'paymentMethods'),
  },
  styleA: null,
  styleB: null,
  example: { payments: [{ paymentMethod: 'cash', amount: '25.00', change: '5.00' }] },
})

const schema = bodySchema(saleCompletion)

/** Checks a body; its payments are checked with the sale. Throws 400. */
export const readCompletion = (body: unknown): JsonObject => orThrow(schema.create(body === undefined ? {} : body)).set
