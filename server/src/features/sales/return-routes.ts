// Refunds and voids of sales on the wire.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { orThrow } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { closed, documents } from '../../engine/documents.ts'
import { type Fields, flag } from '../../engine/field.ts'
import { transacted } from '../../engine/idempotency.ts'
import { bodySchema } from '../../engine/schema.ts'
import { type Answer, type Call, ok, type Route } from '../../http/route.ts'
import { sale } from './body.ts'
import { refundExample, refundSchema, voidExample, voidSchema } from './documents.ts'
import type { ReturnParts } from './held-sale.ts'
import { isRefundedOnce, onceRefundMode, refundedBeforeReply } from './once-mode.ts'
import { readRefund, returnedTo, saleRefund } from './refund-body.ts'
import { refundSale } from './refunds.ts'
import { type VoidBody, voidSale } from './voids.ts'

const ofVoid: Fields = {
  restock: flag({ description: 'Whether the goods go back to the shelf: true by default.' }),
  outletId: returnedTo(),
}
const voidBody = bodySchema({ fields: ofVoid, requireOneOf: [] })

/** Checks the body of a void. Throws 400. */
function readVoid(body: unknown): VoidBody {
  return orThrow(voidBody.create(body === undefined ? {} : body)).set
}

/** The routes of refunds and voids. */
export function returnRoutes(database: Database, parts: ReturnParts, contended: FairSemaphore): Route[] {
  // They wait for rows that others lock, so they wait apart from other requests.
  const common = {
    method: 'POST',
    surface: 'company',
    tag: sale.title,
    semaphore: 'none',
    permission: 'update',
    alsoCalled: ['order'],
  } as const
  const inTurn = ({ scope, isGone, claim }: Call, work: (transaction: Queryable) => Promise<Answer>): Promise<Answer> =>
    contended({ tenant: scope.companyId, isGone }, () => transacted(database, claim, work))
  const params = { orderId: { type: 'string', description: 'The id of the sale’s order.' } } as const
  return [
    {
      ...common,
      path: '/v1/sale/{orderId}/refund',
      params,
      query: onceRefundMode,
      operationId: 'refundSale',
      summary: 'Refund a sale',
      description:
        'Takes back lines of the order by place and quantity, or everything that is left. It stores the refund and a transaction for each payment back, returns the goods of managed variants to stock, and sets the order’s `status` to `refunded` or `partial-refund`. Amounts are parts of the amounts of the sale. All refunds together add up to the sale, and the last one also pays back what was paid beyond its total. If two requests refund the same units at once, one of them gets 409. So does a refund of a voided sale.',
      body: { schema: closed(documents(saleRefund).create), example: saleRefund.example, isOptional: true },
      replies: {
        200: refundedBeforeReply,
        201: { description: 'What was stored.', schema: refundSchema, example: refundExample },
      },
      problems: ['not_found', 'conflict'],
      handle: (call) => {
        const { scope, params, body } = call
        const wanted = readRefund(body)
        const asked = { scope, id: params.orderId as string, wanted, isOnce: isRefundedOnce(call, wanted) }
        return inTurn(call, (transaction) => refundSale(parts, transaction, asked))
      },
    },
    {
      ...common,
      path: '/v1/sale/{orderId}/void',
      params,
      operationId: 'voidSale',
      summary: 'Void a sale',
      description:
        'Cancels a completed sale that was made by mistake: the `type` of its transactions becomes `void`, its `status` `cancelled`, `voidedAt` the present time, and the goods of managed variants go back to the shelf. A sale can be voided once, whatever its `status` is set to afterwards. The response is 409 if the sale was voided before, if it has a refund, or if its session was closed.',
      body: {
        schema: {
          title: 'SaleVoid',
          type: 'object',
          properties: { restock: ofVoid.restock?.schema, outletId: ofVoid.outletId?.schema },
          additionalProperties: false,
        },
        example: { restock: true },
        isOptional: true,
      },
      replies: { 200: { description: 'What was changed.', schema: voidSchema, example: voidExample } },
      problems: ['not_found', 'conflict'],
      handle: (call) => {
        const { scope, params, body } = call
        const wanted = readVoid(body)
        return inTurn(call, async (transaction) =>
          ok(await voidSale(parts, transaction, { scope, id: params.orderId as string, wanted })),
        )
      },
    },
  ]
}
