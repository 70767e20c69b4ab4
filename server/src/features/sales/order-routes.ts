// Routes for stored orders: split, merge and complete an open order; pay, refund and void a sale.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { orThrow } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { closed, documents } from '../../engine/documents.ts'
import { type Fields, flag } from '../../engine/field.ts'
import { transacted } from '../../engine/idempotency.ts'
import { bodySchema } from '../../engine/schema.ts'
import { type Answer, type Call, ok, type Route } from '../../http/route.ts'
import { sale } from './body.ts'
import { requireCustomers } from './check-sales.ts'
import {
  mergeExample,
  mergeSchema,
  paidExample,
  paidSchema,
  refundExample,
  refundSchema,
  saleExample,
  saleSchema,
  splitExample,
  splitSchema,
  voidExample,
  voidSchema,
} from './documents.ts'
import type { ReturnParts } from './held-sale.ts'
import {
  isPaidOnce,
  isRefundedOnce,
  oncePaymentMode,
  onceRefundMode,
  paidBeforeReply,
  refundedBeforeReply,
} from './once-mode.ts'
import { completeSale } from './open-orders/complete.ts'
import { readCompletion, saleCompletion } from './open-orders/complete-body.ts'
import { mergeBody, mergeOrders } from './open-orders/merge.ts'
import { splitOrder } from './open-orders/split.ts'
import { orderSplit, readSplit } from './open-orders/split-body.ts'
import { paidSale, paySale, readPayments } from './pay.ts'
import { readRefund, returnedTo, saleRefund } from './refund/refund-body.ts'
import { refundSale } from './refund/refunds.ts'
import type { SaleParts } from './sell.ts'
import { type VoidBody, voidSale } from './voids.ts'

const ofVoid: Fields = {
  restock: flag({ description: 'Whether the goods are restocked; true by default.' }),
  outletId: returnedTo(),
}
const inNotes = 'send it as notes of the order, with PATCH /v1/order/{id}'
const voidBody = bodySchema({ fields: ofVoid, requireOneOf: [], elsewhere: { reason: inNotes, note: inNotes } })

/** Checks the body of a void. Throws 400. */
function readVoid(body: unknown): VoidBody {
  return orThrow(voidBody.create(body === undefined ? {} : body)).set
}

/** What the routes share: they name a sale by its order. */
const saleRoute = {
  method: 'POST',
  surface: 'company',
  tag: sale.title,
  // They wait for rows that others lock, so they wait apart from other requests.
  semaphore: 'none',
  permission: 'update',
  alsoCalled: ['order'],
  params: { orderId: { type: 'string', description: 'The id of the sale’s order.' } },
} as const

/** Does the work of a request in a transaction, in its turn. */
type InTurn = (call: Call, work: (transaction: Queryable) => Promise<Answer>) => Promise<Answer>

/** The routes of splits, merges, completions, payments, refunds and voids. */
export function orderRoutes(database: Database, parts: SaleParts & ReturnParts, contended: FairSemaphore): Route[] {
  const inTurn: InTurn = ({ scope, isGone, claim }, work) =>
    contended({ tenant: scope.companyId, isGone }, () => transacted(database, claim, work))
  return [completeRoute, splitRoute, mergeRoute, payRoute, refundRoute, voidRoute].map((route) => route(parts, inTurn))
}

function completeRoute(parts: SaleParts, inTurn: InTurn): Route {
  return {
    ...saleRoute,
    path: '/v1/sale/{orderId}/complete',
    operationId: 'completeSale',
    summary: 'Complete an open order',
    description:
      'Turns a pending or parked order into a sale, as `POST /v1/sale` does with the same lines: its `status` becomes `completed`, `occurredAt` becomes the present time unless you send it, each payment becomes a transaction, and the goods of managed variants leave the stock. Amounts that the order lacks are computed. Transactions that it already has, such as a deposit, count as payments. A parked order with `parkReduceStock` moves no stock, since its goods left the shelf when it was parked. If two requests complete an order at once, one of them gets 409.',
    takesIfMatch: true,
    body: { schema: closed(documents(saleCompletion).create), example: saleCompletion.example, isOptional: true },
    replies: { 200: { description: 'What was stored.', schema: saleSchema, example: saleExample } },
    problems: ['not_found', 'conflict'],
    handle: (call) => {
      const { scope, params, ifMatch } = call
      requireCustomers(scope, call.body)
      const asked = { scope, id: params.orderId as string, sent: readCompletion(call.body), ifMatch }
      return inTurn(call, async (transaction) => ok(await completeSale(parts, transaction, asked)))
    },
  }
}

function splitRoute(parts: SaleParts, inTurn: InTurn): Route {
  return {
    ...saleRoute,
    path: '/v1/sale/{orderId}/split',
    operationId: 'splitOrder',
    summary: 'Split an open order',
    description:
      'Moves lines of a pending or parked order, whole or by quantity, to a new order with the same status, such as the part of a tab that one guest pays. Nothing is sold yet: complete both orders. Both have a cart discount and a tip by percentage; deposits, fees, delivery and a tip with an amount stay with the first order. Both orders are written, or neither. The response is 409 for an order with totals of its own, and for a part of a line with amounts of its own.',
    takesIfMatch: true,
    body: { schema: closed(documents(orderSplit).create), example: orderSplit.example },
    replies: { 201: { description: 'The order and the new order.', schema: splitSchema, example: splitExample } },
    problems: ['not_found', 'conflict'],
    handle: (call) => {
      const { scope, params, ifMatch } = call
      const asked = { scope, id: params.orderId as string, sent: readSplit(call.body), ifMatch }
      return inTurn(call, async (transaction) => ok(await splitOrder(parts, transaction, asked), 201))
    },
  }
}

function mergeRoute(parts: ReturnParts, inTurn: InTurn): Route {
  return {
    ...saleRoute,
    path: '/v1/sale/{orderId}/merge',
    operationId: 'mergeOrders',
    summary: 'Merge two open orders',
    description:
      'Moves all lines, fees, notes and transactions of another pending or parked order to this order, such as the tab of guests who join a table. The other order is cancelled and has no lines afterwards. All other members of this order stay. Nothing is sold yet. Both orders are written, or neither. The response is 409 if one of the orders has totals of its own, or if they differ in a value that applies to all lines, such as a cart discount.',
    takesIfMatch: true,
    body: mergeBody.document,
    replies: {
      200: { description: 'The merged order and the cancelled order.', schema: mergeSchema, example: mergeExample },
    },
    problems: ['not_found', 'conflict'],
    handle: (call) => {
      const { scope, params, ifMatch } = call
      const asked = { scope, id: params.orderId as string, otherId: mergeBody.read(call.body).orderId, ifMatch }
      return inTurn(call, async (transaction) => ok(await mergeOrders(parts, transaction, asked)))
    },
  }
}

function payRoute(parts: ReturnParts, inTurn: InTurn): Route {
  return {
    ...saleRoute,
    path: '/v1/sale/{orderId}/payments',
    query: oncePaymentMode,
    operationId: 'paySale',
    summary: 'Take payment for a sale',
    description:
      'Takes payments for a sale that is not paid in full, such as one on account. Each becomes a transaction in the open session of the till; one of them may leave out its `amount` and then pays what is due, in cash rounded to the smallest coin. Change is computed as in a sale. The `tip` of a payment is added to the tip and the total of the order, unless they have it already. If two requests pay what is due at once, one of them gets 409. If `due` is below zero, which a cancelled order can have too, payments of the type `refund` pay it out.',
    takesIfMatch: true,
    body: { schema: closed(documents(paidSale).create), example: paidSale.example },
    replies: {
      200: paidBeforeReply,
      201: { description: 'What was stored.', schema: paidSchema, example: paidExample },
    },
    problems: ['not_found', 'conflict'],
    handle: (call) => {
      const { scope, params, ifMatch } = call
      const sent = readPayments(call.body)
      const asked = { scope, id: params.orderId as string, sent, ifMatch, isOnce: isPaidOnce(call, sent) }
      return inTurn(call, (transaction) => paySale(parts, transaction, asked))
    },
  }
}

function refundRoute(parts: ReturnParts, inTurn: InTurn): Route {
  return {
    ...saleRoute,
    path: '/v1/sale/{orderId}/refund',
    query: onceRefundMode,
    operationId: 'refundSale',
    summary: 'Refund a sale',
    description:
      'Takes back lines of the order, each by its position and quantity, or everything that is left. Stores the refund and a transaction for each repayment, returns the goods of managed variants to stock, and sets the order’s `status` to `refunded` or `partial-refund`. All refunds together add up to the sale, to the cent, and the last one also pays back what was paid beyond its total. If two requests refund the same units at once, one of them gets 409. So does a refund of a voided sale.',
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
  }
}

function voidRoute(parts: ReturnParts, inTurn: InTurn): Route {
  return {
    ...saleRoute,
    path: '/v1/sale/{orderId}/void',
    operationId: 'voidSale',
    summary: 'Void a sale',
    description:
      'Cancels a completed sale that was made by mistake: the `type` of its transactions becomes `void`, its `status` becomes `cancelled`, `voidedAt` is set, and the goods of managed variants return to stock. A sale can be voided once, whatever its `status` is set to afterwards. The response is 409 if the sale was voided before, if it has a refund, or if its session was closed.',
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
  }
}
