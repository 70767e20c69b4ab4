// Sales on the wire: one request makes a whole sale, or many of them.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { Problem } from '../../core/problem.ts'
import type { Database } from '../../database/connect.ts'
import { bulk } from '../../engine/bulk.ts'
import { bulkResultSchema, bulkSchema } from '../../engine/bulk-documents.ts'
import { claimedBatcher } from '../../engine/claimed-batcher.ts'
import { closed, documents } from '../../engine/documents.ts'
import type { Item } from '../../engine/record.ts'
import type { Route } from '../../http/route.ts'
import { sale } from './body.ts'
import { requireCustomers } from './check-sales.ts'
import { saleExample, saleSchema } from './documents.ts'
import { makeSales, type SaleItem } from './once.ts'
import { countOnce, isOnce, madeBeforeReply, onceCounts, onceMembers, onceMode } from './once-mode.ts'
import type { SaleParts } from './sell.ts'

/** Lines, and payments, of all sales of a request: they are in memory at once, and payments are written within its deadline. */
const REQUEST_LINES = 20_000

/** Lines or payments of a sale that is not checked yet, by the members that list them. */
function countIn({ value }: Pick<Item, 'value'>, members: readonly string[]): number {
  const sale = (value ?? {}) as Readonly<Record<string, unknown>>
  return members.reduce((sum, member) => sum + (Array.isArray(sale[member]) ? sale[member].length : 0), 0)
}
const lines = ['lineItems', 'customSales']

/** The weight of sales within a run: a sale with many lines weighs as much as several sales. */
const weightOf = (items: readonly Pick<Item, 'value'>[]): number =>
  items.reduce((sum, item) => sum + 1 + Math.floor(countIn(item, [...lines, 'payments']) / 50), 0)

/** Refuses sales that have more lines or payments together than a request may. Throws 413. */
function boundTogether(items: readonly Pick<Item, 'value'>[]): void {
  for (const [what, members] of Object.entries({ lines, payments: ['payments'] })) {
    const count = items.reduce((sum, item) => sum + countIn(item, members), 0)
    const message = `The sales have ${count} ${what}; send at most ${REQUEST_LINES} in one request.`
    if (count > REQUEST_LINES) throw new Problem('payload_too_large', message)
  }
}

/** The response to many sales. */
const resultOfMany = {
  description: 'The result of each item, in the order of the request.',
  schema: bulkResultSchema(saleSchema, onceCounts, { members: onceMembers }),
  example: {
    summary: { total: 1, succeeded: 1, failed: 0 },
    results: [{ index: 0, status: 'success', clientRef: 'row-1', data: saleExample }],
  },
}

/** The routes of sales. */
export function saleRoutes(database: Database, parts: SaleParts, contended: FairSemaphore): Route[] {
  const carryOut = claimedBatcher(database, contended, (transaction, items: readonly SaleItem[]) =>
    makeSales(parts, transaction, items),
  )
  const { create } = documents(sale)
  const common = { method: 'POST', surface: 'company', tag: sale.title, semaphore: 'none' } as const
  return [
    {
      ...common,
      path: '/v1/sale',
      operationId: 'createSale',
      summary: 'Make a sale',
      description:
        'Stores the order, a transaction for each payment and, if you send one, the customer, and reduces the stock of managed variants at `outletId` (by default the outlet of its till): all of this, or nothing. A sale has at least one line. It raises the events of these records. By default `status` is `completed`, `occurredAt` is now, and `currency` is the company’s. Without `sessionId` the sale belongs to the open session of `stationId`, or else to the closed one during which it was made, or else to the one that was opened last before it.',
      body: { schema: closed(create), example: sale.example },
      query: onceMode,
      replies: {
        200: madeBeforeReply,
        201: { description: 'What was stored.', schema: saleSchema, example: saleExample },
      },
      problems: ['conflict'],
      handle: (call) => {
        const { scope, body, claim, isGone } = call
        requireCustomers(scope, body)
        return carryOut({
          scope,
          claim,
          isGone,
          weight: weightOf([{ value: body }]),
          works: [{ scope, value: body, isOnce: isOnce(call) }],
          answer: async ([result]) => {
            if (result === undefined || result instanceof Problem) return result as Problem
            return { status: result.outcome === 'unchanged' ? 200 : 201, body: result.text }
          },
        })
      },
    },
    {
      ...common,
      path: '/v1/sales',
      operationId: 'createSales',
      summary: 'Make many sales',
      description:
        'Makes each sale as `POST /v1/sale` does, in the order of the items. A refused sale does not affect the others.',
      isBulk: true,
      body: { schema: bulkSchema(create, false), example: { items: [{ ...sale.example, clientRef: 'row-1' }] } },
      query: onceMode,
      replies: { 200: resultOfMany },
      problems: ['too_many_items'],
      handle: (call) => {
        const once = isOnce(call)
        return bulk(call, {
          hasIds: false,
          showsRecord: true,
          ...(once && { summarise: countOnce }),
          carry: ({ scope, claim, isGone }, items, answer) => {
            boundTogether(items)
            const works = items.map((item) => ({ ...item, isOnce: once }))
            return carryOut({ scope, claim, isGone, works, answer, weight: weightOf(items) })
          },
        })
      },
    },
  ]
}
