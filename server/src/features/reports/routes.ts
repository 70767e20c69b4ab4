// Reports of sales on the wire.
import { string } from '../../core/json-schema.ts'
import type { Database } from '../../database/connect.ts'
import type { OperationSemaphores } from '../../engine/operations.ts'
import type { Call, Route } from '../../http/route.ts'
import { answering, type Snapshot } from './answer.ts'
import { customerExample, customerReport, customerSchema } from './customer.ts'
import { type Dimension, groupingOf } from './dimensions.ts'
import { reportsTag } from './documents.ts'
import { groupExamples, groupedReport, groupParameters, groupsSchema } from './group-answer.ts'
import { isKept } from './groups.ts'
import { journalReport } from './journal.ts'
import { journalExample, journalParameters, journalSchema } from './journal-entries.ts'
import { unnamedOf } from './names.ts'
import { periodParameters, wrongQuery } from './period.ts'
import { productOrders, productsExample, productsReport, productsSchema } from './products.ts'
import { salesExample, salesReport, salesSchema } from './sales.ts'
import type { SourceName } from './sums/sources.ts'

/** Products that a report lists by default and at most. */
const REPORT_PRODUCTS_DEFAULT = 10
const REPORT_PRODUCTS = 100

/** Groups by one dimension, under a name of their own. */
// biome-ignore format: a table
const named = [
  { by: 'taxRate', path: '/v1/reports/taxes', operationId: 'reportTaxes', summary: 'Read the tax report', description: 'Sales and taxes by tax rate: the same as the report of sales with `groupBy=taxRate`.' },
  { by: 'paymentMethod', path: '/v1/reports/payments', operationId: 'reportPayments', summary: 'Read the payments report', description: 'What was paid and paid back by payment method: the same as the report of sales with `groupBy=paymentMethod`.' },
  { by: 'customerId', path: '/v1/reports/customers', operationId: 'reportCustomers', summary: 'Read sales by customer', description: 'What each customer bought, the highest sales first: the same as the report of sales with `groupBy=customerId`.' },
] as const

/** A response as a file. */
const csvFile = (name: string) => ({
  contentType: 'text/csv; charset=utf-8',
  headers: { 'content-disposition': `attachment; filename="${name}.csv"` },
})

type AnswerReport = ReturnType<typeof answering>

/** The response of a report over sums of some sources; `unnamed` are dimensions whose names the caller may not see. */
async function answered(
  answer: AnswerReport,
  { scope, path, query, isGone }: Call,
  sources: readonly SourceName[],
  report: (snapshot: Snapshot) => Promise<string>,
  unnamed: readonly Dimension[] = [],
) {
  const body = await answer({ companyId: scope.companyId, sources, path, query, unnamed, answer: report, isGone })
  return { status: 200, body }
}

/** The response of a report by dimensions, as JSON or CSV. */
async function grouped(answer: AnswerReport, call: Call, groupBy: string) {
  const grouping = groupingOf(groupBy)
  const isCsv = call.query.format === 'csv'
  const unnamed = unnamedOf(grouping, (resource) => call.scope.mayUse(resource))
  const report = (snapshot: Snapshot) => groupedReport(snapshot, grouping, { isCsv, unnamed })
  const reply = await answered(answer, call, isKept(grouping) ? grouping.sources : [], report, unnamed)
  return isCsv ? { ...reply, ...csvFile(`sales-by-${grouping.by.join('-')}`) } : reply
}

const common = {
  method: 'GET',
  surface: 'company',
  tag: reportsTag,
  semaphore: 'none',
} as const satisfies Partial<Route>

const salesRoute = (answer: AnswerReport): Route => ({
  ...common,
  path: '/v1/reports/sales',
  operationId: 'reportSales',
  summary: 'Read the sales report',
  description:
    'Payments and refunds by `occurredAt` (or else `createdAt`) of the transactions, and the number of orders, in total and for each day. A changed or deleted transaction counts in its current state. Transactions of other types, such as `void`, are not counted. With `groupBy` the answer has the sums of orders and refunds by these dimensions instead, for each currency.',
  query: { ...periodParameters, ...groupParameters },
  replies: {
    200: {
      description: 'The report.',
      schema: { title: 'SalesReportOrGroups', anyOf: [salesSchema, groupsSchema] },
      example: salesExample,
    },
  },
  handle: (call) => {
    if (call.query.groupBy !== undefined) return grouped(answer, call, call.query.groupBy)
    for (const name of ['compare', 'format'])
      if (call.query[name] !== undefined) throw wrongQuery(name, 'invalid', 'needs groupBy, such as groupBy=outletId')
    return answered(answer, call, ['payments', 'orders'], salesReport)
  },
})

const productsRoute = (answer: AnswerReport): Route => ({
  ...common,
  path: '/v1/reports/products',
  operationId: 'reportProducts',
  summary: 'Read the best-selling products',
  description:
    'Sums of the lines of orders that are neither pending, parked nor cancelled and are in the company’s currency, by `occurredAt` (or else `createdAt`) of the orders. Lines without a `productId`, and lines after the 1,000th of an order, are left out; refunds are not subtracted. At most 100,000 different products in a period.',
  query: {
    ...periodParameters,
    limit: {
      type: 'integer',
      minimum: 0,
      maximum: REPORT_PRODUCTS,
      default: REPORT_PRODUCTS_DEFAULT,
      description: 'Maximum number of products; 0 means the default.',
    },
    sortBy: {
      type: 'string',
      enum: productOrders,
      default: 'total',
      description: 'The sum to sort by, the largest first.',
    },
  },
  replies: { 200: { description: 'The report.', schema: productsSchema, example: productsExample } },
  handle: (call) => {
    const { limit, sortBy } = call.query
    const settings = { limit: limit || REPORT_PRODUCTS_DEFAULT, sortBy: sortBy ?? 'total' }
    return answered(answer, call, ['orders'], (snapshot) => productsReport(snapshot, settings))
  },
})

/** The routes of groups by one dimension. */
const namedRoutes = (answer: AnswerReport): Route[] => {
  const { groupBy, ...parameters } = groupParameters
  return named.map(({ by, ...texts }) => ({
    ...common,
    ...texts,
    query: { ...periodParameters, ...parameters },
    replies: { 200: { description: 'The report.', schema: groupsSchema, example: groupExamples[by] } },
    handle: (call) => grouped(answer, call, by),
  }))
}

const journalRoute = (answer: AnswerReport): Route => ({
  ...common,
  path: '/v1/reports/journal',
  operationId: 'reportJournal',
  summary: 'Read the journal',
  description:
    'The bookkeeping entries of each day and outlet: revenue and tax by rate, tips, delivery, fees, gift cards, payments by method, receivables, cash movements, and what was over or short at closings. Debits equal credits. Each sale, refund and payment is booked on its own day, even if a till sends it later, so the entries of a past day can change. A period can have at most 20,000 entries of each kind, 20,000 cash movements and 20,000 closings.',
  query: { ...periodParameters, ...journalParameters },
  replies: { 200: { description: 'The report.', schema: journalSchema, example: journalExample } },
  handle: async (call) => {
    const isCsv = call.query.format === 'csv'
    const giftCards: string[] = (call.query.giftCards ?? '')
      .split(',')
      .map((id: string) => id.trim())
      .filter(Boolean)
    const report = (snapshot: Snapshot) => journalReport(snapshot, { giftCards, isCsv })
    const reply = await answered(answer, call, ['payments', 'orders', 'refunds'], report)
    return isCsv ? { ...reply, ...csvFile('journal') } : reply
  },
})

const customerRoute = (answer: AnswerReport): Route => ({
  ...common,
  path: '/v1/reports/customers/{customerId}',
  operationId: 'reportCustomer',
  summary: 'Read what a customer has bought',
  description:
    'Lifetime sums of a customer, even of a deleted one, as of the last answered write. They add up the orders that name the customer and are neither pending, parked nor cancelled, and the refunds of these orders. `totalSpent` of the customer, which callers set, is not used. If the customer has more than 50,000 orders, the response is 409.',
  params: { customerId: string('The customer’s id.') },
  replies: { 200: { description: 'The report.', schema: customerSchema, example: customerExample } },
  problems: ['not_found', 'conflict'],
  handle: (call) => {
    const customerId = call.params.customerId as string
    return answered(answer, call, [], (snapshot) => customerReport(snapshot, customerId))
  },
})

/** The routes; `scheduleRefresh` is called with companies whose sums could not be completed during a request. */
export function reportRoutes(
  database: Database,
  { lists }: OperationSemaphores,
  scheduleRefresh: (companyId: string) => void,
): Route[] {
  const answer = answering(database, lists, scheduleRefresh)
  return [
    salesRoute(answer),
    productsRoute(answer),
    ...namedRoutes(answer),
    journalRoute(answer),
    customerRoute(answer),
  ]
}
