// Reports on the wire: sums that are kept ready, and low stock.

import {
  LOW_STOCK,
  LOW_STOCK_BELOW,
  LOW_STOCK_BELOW_MOST,
  LOW_STOCK_DEFAULT,
  REPORT_PRODUCTS,
  REPORT_PRODUCTS_DEFAULT,
} from '../../core/limits.ts'
import type { Database } from '../../database/connect.ts'
import type { OperationSemaphores } from '../../engine/operations.ts'
import type { Call, Route } from '../../http/route.ts'
import type { ReportName } from './aggregators.ts'
import { catchingUp } from './catching-up.ts'
import {
  lowStockExample,
  lowStockSchema,
  productsExample,
  productsSchema,
  salesExample,
  salesSchema,
  title,
} from './documents.ts'
import { lowStockReport } from './low-stock.ts'
import { periodOf, periodParameters } from './period.ts'
import { productOrders, productsReport } from './products.ts'
import { salesReport } from './sales.ts'

/** The routes; `goOn` is called with companies whose sums could not be completed during a request. */
export function reportRoutes(
  database: Database,
  { lists }: OperationSemaphores,
  goOn: (companyId: string) => void,
): Route[] {
  const catchUp = catchingUp(database, lists, goOn)
  const caughtUp = ({ scope, query, isGone }: Call, ...reports: ReportName[]) =>
    catchUp({
      companyId: scope.companyId,
      reports,
      question: JSON.stringify([reports, query.from, query.to]),
      rangeOf: ({ zone }) => periodOf(query, zone),
      isGone,
    })
  const common = { method: 'GET', surface: 'company', tag: title, semaphore: 'none' } as const satisfies Partial<Route>
  const limit = (byDefault: number, most: number, what: string) => ({
    ...{ type: 'integer', minimum: 0, maximum: most, default: byDefault },
    description: `Maximum number of ${what}; 0 means the default.`,
  })

  return [
    {
      ...common,
      path: '/v1/reports/sales',
      operationId: 'reportSales',
      summary: 'Report sales',
      description:
        'Payments and refunds by `createdAt` of the transactions, and the number of orders, in total and for each day. A changed or deleted transaction counts in its current state. Transactions of other types, such as `void`, are not counted.',
      query: periodParameters,
      replies: { 200: { description: 'The report.', schema: salesSchema, example: salesExample } },
      handle: async (call) => ({
        status: 200,
        body: await salesReport(database, lists, await caughtUp(call, 'sales', 'orders'), call.isGone),
      }),
    },
    {
      ...common,
      path: '/v1/reports/products',
      operationId: 'reportProducts',
      summary: 'Report the best-selling products',
      description:
        'Sums of the lines of orders that are neither pending, parked nor cancelled and are in the company’s currency, by `createdAt` of the orders. Lines without a `productId`, and lines after the 1,000th of an order, are left out; refunds are not subtracted.',
      query: {
        ...periodParameters,
        limit: limit(REPORT_PRODUCTS_DEFAULT, REPORT_PRODUCTS, 'products'),
        sortBy: { type: 'string', enum: productOrders, default: 'total', description: 'The largest first.' },
      },
      replies: { 200: { description: 'The report.', schema: productsSchema, example: productsExample } },
      handle: async (call) => {
        const { query, isGone } = call
        const settings = { limit: query.limit || REPORT_PRODUCTS_DEFAULT, sortBy: query.sortBy ?? 'total', isGone }
        return { status: 200, body: await productsReport(database, lists, await caughtUp(call, 'products'), settings) }
      },
    },
    {
      ...common,
      path: '/v1/reports/low-stock',
      operationId: 'reportLowStock',
      summary: 'Report low stock',
      description:
        'Live inventory records with stock below `below`, of variants whose `manageStock` is true, lowest stock first.',
      query: {
        below: {
          ...{ type: 'integer', minimum: -LOW_STOCK_BELOW_MOST, maximum: LOW_STOCK_BELOW_MOST },
          ...{ default: LOW_STOCK_BELOW, description: 'Only stock below this number.' },
        },
        limit: limit(LOW_STOCK_DEFAULT, LOW_STOCK, 'records'),
      },
      replies: {
        200: { description: 'The records with low stock.', schema: lowStockSchema, example: lowStockExample },
      },
      handle: async ({ scope, query, isGone }) => {
        const { below = LOW_STOCK_BELOW } = query
        const settings = { below, limit: query.limit || LOW_STOCK_DEFAULT, isGone }
        return { status: 200, body: await lowStockReport(database, lists, scope.companyId, settings) }
      },
    },
  ]
}
