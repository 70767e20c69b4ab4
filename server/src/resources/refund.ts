// Refund: returned lines of an order, and the money paid back for them.
import { currency, decimal, described, externalId, list, name, reference, required, text } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'
import { orderSideEffects } from './order-state.ts'
import { lineItem, refundPayment, summary } from './sale-shapes.ts'
import { fromService, occurredAt } from './shapes.ts'

export const refund = resource({
  name: { one: 'refund', many: 'refunds' },
  alsoCalled: ['return'],
  title: 'Refunds',
  description: 'Returned lines of an order, and the money paid back for them. It does not change stock.',
  fields: {
    orderId: required(reference({ description: 'The order that is returned, whole or in part.' })),
    sessionId: reference({
      description:
        'The open session of the till that pays the money back. Without it, the refund is in no session report and no closing.',
    }),
    externalId: externalId({ example: 'woo-refund-31' }),
    fromService: fromService(),
    occurredAt: occurredAt('When the goods came back.'),
    currency: currency({
      description: 'ISO 4217 code of all amounts of the refund: the currency of the order, which is also the default.',
    }),
    lineItems: required(
      list(lineItem({ isRefund: true }), { description: 'The returned lines, each with the returned quantity.' }),
    ),
    reason: text({ description: 'Reason for the return.', example: 'Bag torn' }),
    refundedBy: reference({ description: 'The user or account of the employee who made the refund.' }),
    refundedByExternalId: name({ description: 'That employee’s id in another system.', example: 'woo-user-3' }),
    summary: required(
      described(
        summary(),
        'The totals of the returned lines, as positive amounts. The tip is paid back only if it is here.',
      ),
    ),
    payment: list(refundPayment(), {
      description:
        'How the money was paid back. The amounts add up to `summary.total` + `summary.cashRounding`, plus, for the last refund of an overpaid sale, what was paid too much.',
    }),
    balance: decimal({
      description:
        'What remains of the order’s total after this and all earlier refunds. A decimal string in `currency`.',
      example: '12.50',
    }),
  },
  derive: ({ fromService }) => ({ fromService: fromService ?? false }),
  sideEffects: orderSideEffects('refunds'),
  moment: 'occurredAt',
  remove: 'hard',
  elsewhere: {
    amount: 'amounts are in summary; POST /v1/sale/{orderId}/refund computes them',
  },
  list: {
    search: ['reason'],
    exact: ['externalId', 'currency', 'orderId', 'sessionId', 'refundedBy'],
    selective: ['externalId', 'orderId'],
  },
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
