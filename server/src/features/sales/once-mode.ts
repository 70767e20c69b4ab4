// The mode in which sales and refunds are made once, on the wire.

import { bodyError, invalid, Problem } from '../../core/problem.ts'
import type { ItemResult } from '../../engine/record.ts'
import { requirePermission } from '../../engine/upsert-routes.ts'
import type { Call } from '../../http/route.ts'
import { paidExample, paidSchema, refundExample, refundSchema, saleExample, saleSchema } from './documents.ts'
import type { PaymentsBody } from './pay.ts'
import type { RefundBody } from './refund/refund-body.ts'

/** How often a sale is made, and what the response says about it. */
export const onceMode = {
  mode: {
    type: 'string',
    enum: ['create', 'once'],
    default: 'create',
    description:
      'With `once`, a sale needs `source` and `externalId`, such as the till and the number of its receipt, and is made only if no order has both: a repeated request, whenever it comes, stores nothing and returns that order. A different sale under the same number, recognized by its `occurredAt`, gets 409. So does a sale whose number belongs to an order that was never sold, such as a parked one. The key also needs the permission `read`.',
  },
} as const
export const onceRefundMode = {
  mode: {
    ...onceMode.mode,
    description:
      'With `once`, a refund needs `externalId`, such as its id at the payment processor, and is made only if the sale has no refund with it: a repeated request, whenever it comes, stores nothing and returns that refund. A different refund under the same number, recognized by its `occurredAt`, gets 409. The key also needs the permission `read`.',
  },
} as const
export const oncePaymentMode = {
  mode: {
    ...onceMode.mode,
    description:
      'With `once`, each payment needs an `externalId`, such as its number at the till or at the payment processor, and the payments are taken only if no transaction of the sale has these numbers: a repeated request, whenever it comes, stores nothing and returns the order. Other payments under the same numbers, recognized by their `occurredAt`, get 409. The key also needs the permission `read`.',
  },
} as const
export const onceMembers = {
  outcome: {
    type: 'string',
    enum: ['created', 'unchanged'],
    description: 'With `mode=once`: whether the sale was made now, or an earlier request had made it.',
  },
} as const
export const onceCounts = {
  created: { type: 'integer', description: 'With `mode=once`: how many sales were made now.' },
  unchanged: { type: 'integer', description: 'With `mode=once`: how many sales earlier requests had made.' },
} as const

/** How many sales were made now, and how many before. */
export function countOnce(results: readonly ItemResult[]): object {
  const counts = { created: 0, unchanged: 0 }
  for (const result of results)
    if (!(result instanceof Problem)) counts[result.outcome === 'unchanged' ? 'unchanged' : 'created']++
  return counts
}

/** Whether the sales or the refund of a request are made once. Throws 403 for a key that may not read the records that exist. */
export function isOnce({ scope, query }: Call): boolean {
  if (query.mode !== 'once') return false
  requirePermission(scope, 'read', 'mode=once may answer with a record that exists')
  return true
}

/** The response to a sale that was made before. */
export const madeBeforeReply = {
  description:
    'With `mode=once`: the order of the sale that was made before. Nothing was stored: `transactions` and `stock` are empty. A key that is limited to resources without `order` gets only the members that say which order it is.',
  schema: saleSchema,
  example: { ...saleExample, transactions: [], stock: [] },
}

/** Whether a refund is made once. Throws 403 as `isOnce` does, and 400 without the number by which it is known. */
export function isRefundedOnce(call: Call, { externalId }: RefundBody): boolean {
  if (!isOnce(call)) return false
  if (externalId === undefined)
    throw invalid([
      bodyError(
        '/externalId',
        'required',
        'is required, since mode=once makes the refund only if the sale has none with it',
      ),
    ])
  return true
}

/** Whether payments of a sale are taken once. Throws 403 as `isOnce` does, and 400 for a payment without a number of its own, by which it is known. */
export function isPaidOnce(call: Call, { payments }: PaymentsBody): boolean {
  if (!isOnce(call)) return false
  const numbers = payments.map(({ externalId }) => externalId)
  const n = numbers.findIndex((number, at) => number === undefined || numbers.indexOf(number) < at)
  if (n === -1) return true
  const [code, message] =
    numbers[n] === undefined
      ? ['required', 'is required, since mode=once takes the payment only if no transaction of the sale has it']
      : ['duplicate', 'is the externalId of an earlier payment; mode=once knows each payment by its own']
  throw invalid([bodyError(`/payments/${n}/externalId`, code, message)])
}

/** The response to payments that were taken before. */
export const paidBeforeReply = {
  description:
    'With `mode=once`: the order as it is now, since the payments were taken before. Nothing was stored: `transactions` is empty.',
  schema: paidSchema,
  example: { ...paidExample, transactions: [] },
}

/** The response to a refund that was made before. */
export const refundedBeforeReply = {
  description:
    'With `mode=once`: the refund that was made before, and the order as it is now. Nothing was stored: `transactions` and `stock` are empty.',
  schema: refundSchema,
  example: { ...refundExample, transactions: [], stock: [] },
}
