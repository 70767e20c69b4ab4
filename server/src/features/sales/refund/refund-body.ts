// The body of a sale's refund: the lines that come back, and how the money is paid.

import { bodyError, invalid, orThrow } from '../../../core/problem.ts'
import {
  decimal,
  described,
  type Field,
  type Fields,
  flag,
  list,
  number,
  object,
  reference,
} from '../../../engine/field.ts'
import { resource } from '../../../engine/resource.ts'
import { bodySchema } from '../../../engine/schema.ts'
import { refund } from '../../../resources/refund.ts'
import { otherNames } from '../../../resources/shapes.ts'
import type { SentPayment } from '../amounts/sale.ts'
import { missingAmount, sentPayment, tooManyPayments, withUsualWords } from '../body.ts'
import { lineName, type NamedLine } from '../named-lines.ts'

/** A line that comes back. */
export interface WantedLine extends NamedLine {
  readonly restock?: boolean
}

/** A checked body. */
export interface RefundBody {
  readonly lines?: readonly WantedLine[]
  readonly shippingTotal?: string
  readonly tip?: string
  readonly fees?: string
  readonly payments?: readonly SentPayment[]
  readonly outletId?: string
  readonly stationId?: string
  readonly sessionId?: string
  readonly occurredAt?: string
  readonly reason?: string
  readonly refundedBy?: string
  readonly refundedByExternalId?: string
  readonly externalId?: string
}

/** Members that are stored in the refund as they are sent. */
const { occurredAt, externalId, reason, refundedBy, refundedByExternalId } = refund.fields

/** The outlet of goods that come back. */
export const returnedTo = () =>
  reference({ description: 'The outlet where the goods are restocked; by default the order’s.' })

/** An amount that comes back, which a customer does not pay. */
const amount = (what: string): Field<string> => ({
  ...decimal({
    description: `${what} that is paid back besides \`lines\`, which is then required. A decimal string.`,
    example: '3.00',
  }),
  check: (value, at) => (Number(value) < 0 ? [bodyError(at, 'minimum', 'must not be less than 0', 0)] : []),
})

/** It is an instruction and is not stored, so a further member is refused: a misspelt `quantity` would return all units. */
const line = object(
  {
    ...lineName,
    quantity: number({ description: 'Units that come back; all that are left by default.', example: 1 }),
    restock: flag({
      description:
        'Whether the goods are restocked (the default), or not, such as damaged ones. Only managed variants have stock.',
    }),
  },
  { title: 'SaleRefundLine', description: 'A line of the order that comes back, whole or in part.' },
)

const fields = {
  lines: list(
    { ...line, schema: { ...line.schema, additionalProperties: false } },
    {
      description:
        'The lines that come back; none if the list is empty. Without it everything that is left of the sale is refunded, delivery, fees and tip included.',
    },
  ),
  shippingTotal: amount('The part of the charge for delivery'),
  tip: amount('The part of the tip'),
  fees: amount('The part of the fees of the cart'),
  payments: list(sentPayment(), {
    description:
      'How the money is paid back; the amounts must add up to the refund, and one can be left out. By default, the methods with which the order was paid, in their order.',
  }),
  outletId: returnedTo(),
  stationId: reference({
    description:
      'The till that pays the money back; by default the order’s. Its open session is the refund’s, and its outlet that of the money.',
  }),
  sessionId: described(
    refund.fields.sessionId as Field<any>,
    'The session of the refund, if it is not the open one of `stationId`. A refund without both is in no session report and no closing.',
  ),
  occurredAt,
  externalId,
  reason,
  refundedBy,
  refundedByExternalId,
} as Fields

const sendLines = 'send what comes back as lines, such as [{"lineItem": 0, "quantity": 1}]'
const amountFollows = 'the amount follows from what is refunded: send lines, shippingTotal, tip or fees'

/** Declared like a resource, to share its checks and its shapes. */
export const saleRefund = resource({
  name: { one: 'sale-refund', many: 'sale-refunds' },
  title: 'Sales',
  description: 'The refund of a sale, whole or in part.',
  fields,
  remove: 'hard',
  list: {},
  elsewhere: {
    lineItems: sendLines,
    items: sendLines,
    amount: amountFollows,
    total: amountFollows,
    quantity: sendLines,
    restock: 'send it with each of the lines',
    paymentMethod: 'send it in payments, such as [{"paymentMethod": "cash"}]',
    ...otherNames('reason', 'note'),
    ...otherNames('refundedBy', 'employee', 'cashier', 'userId'),
  },
  styleA: null,
  styleB: null,
  example: { lines: [{ lineItem: 0, quantity: 1, restock: true }], reason: 'Wrong size' },
})

const schema = bodySchema(saleRefund)

/** Checks a body. Throws 400. */
export function readRefund(value: unknown): RefundBody {
  const wanted = orThrow(schema.create(value === undefined ? {} : value)).set as RefundBody
  const payments = wanted.payments?.map(withUsualWords)
  const wrong = payments && (tooManyPayments(payments, '') ?? missingAmount(payments, ''))
  if (wrong) throw wrong
  const extra = (['shippingTotal', 'tip', 'fees'] as const).find((member) => wanted[member] !== undefined)
  // Otherwise a caller that wants to pay back a tip would pay back the whole sale.
  if (extra !== undefined && wanted.lines === undefined)
    throw invalid([
      bodyError(
        '/lines',
        'required',
        `is required with ${extra}; send [] to refund no line, or leave out both to refund everything that is left`,
      ),
    ])
  return payments ? { ...wanted, payments } : wanted
}
