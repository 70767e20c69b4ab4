// What reports are summed from: the records of three tables, and the sums that are stored of each.

import { sizeOf } from '../../events/pages.ts'
import { momentIn } from './moment.ts'
import {
  type Facet,
  ofOrderCounts,
  ofOrders,
  ofPayments,
  ofRefunds,
  orderSums,
  refundSums,
  type Summing,
} from './summing.ts'

/** The moment of a source's records in its table. */
export const momentColumn = momentIn('stored')

/** The sources whose sums are kept. */
export type SourceName = 'payments' | 'orders' | 'refunds'

/** A source, in fragments of SQL. */
export interface Source {
  readonly source: SourceName
  readonly resource: 'transaction' | 'order' | 'refund'
  readonly table: 'transactions' | 'orders' | 'refunds'
  /** Members that its sums depend on: changes of others are skipped. */
  readonly members: readonly string[]
  /** Members of the order on which the sums of its refunds depend. */
  readonly orderMembers?: readonly string[]
  /** What is read of `stored` by name, with a join if needed, and the length of what may be long. */
  readonly columns: Readonly<Record<string, string>>
  readonly join?: string
  /** Only these records, with parameters from $6 on; `key` orders them in place of their moment, as their index does. */
  readonly only?: { readonly name: string; readonly key: string; readonly condition: string }
  readonly size: string
  /** Records of a chunk: those that are summed in some 10 ms. */
  readonly chunk: number
  readonly facets: readonly Facet[]
  readonly summing: Summing
}

/** The order of a payment or refund, and a column of it. */
export const joinOrders = 'left join orders as sold on sold.company_id = $1 and sold.id = stored.order_id'
export const ofOrder = (column: string) => `coalesce(sold.${column}, '')`

const wholeKeys = ['currency', 'outlet', 'station', 'session', 'employee'] as const

const paid: Facet = {
  name: 'whole',
  from: 'whole',
  keys: ['currency', 'outlet', 'session', 'employee', 'method'],
  sums: ['gross', 'count', 'refund', 'refund_count'],
}

const payments: Source = {
  source: 'payments',
  resource: 'transaction',
  table: 'transactions',
  members: ['amount', 'currency', 'paymentMethod', 'type', 'outletId', 'sessionId', 'employee'],
  columns: {
    ...{ currency: 'stored.currency', outlet: 'stored.outlet_id', session: 'stored.session_id' },
    ...{ employee: 'stored.employee', method: 'stored.payment_method', type: 'stored.type', amount: 'stored.amount' },
  },
  size: '0',
  chunk: 2_000,
  facets: [paid],
  summing: ofPayments,
}

/** Entries of orders or refunds. Lines are also summed for all outlets together: a report by products reads fewer entries. */
const facetsOf = (whole: readonly string[], others: readonly string[]): Facet[] => [
  { name: 'whole', from: 'whole', keys: wholeKeys, sums: whole },
  { name: 'product', from: 'item', keys: ['currency', 'product', 'variant'], sums: others },
  { name: 'line', from: 'item', keys: ['currency', 'outlet', 'product', 'variant'], sums: others },
  { name: 'rate', from: 'rated', keys: ['currency', 'outlet', 'rate'], sums: others },
  { name: 'customer', from: 'whole', keys: ['currency', 'outlet', 'customer'], sums: others },
]

const orders: Source = {
  source: 'orders',
  resource: 'order',
  table: 'orders',
  members: [
    ...['status', 'currency', 'outletId', 'stationId', 'sessionId', 'employee', 'customerId'],
    ...['lineItems', 'customSales', 'summary', 'cartDiscount', 'cartFees'],
  ],
  columns: {
    ...{ status: 'status', currency: 'currency', outlet: 'outlet_id', station: 'station_id', session: 'session_id' },
    ...{ employee: 'employee', customer: 'customer_id', body: 'body' },
  },
  size: sizeOf('body'),
  chunk: 500,
  facets: facetsOf(orderSums, orderSums),
  summing: ofOrders,
}

const refunds: Source = {
  source: 'refunds',
  resource: 'refund',
  table: 'refunds',
  members: ['currency', 'orderId', 'sessionId', 'refundedBy', 'lineItems', 'summary'],
  orderMembers: ['status', 'currency', 'outletId', 'stationId', 'customerId'],
  columns: {
    // A refund without an order counts.
    status: ofOrder('status'),
    currency: `coalesce(nullif(stored.currency, ''), ${ofOrder('currency')})`,
    ...{ outlet: ofOrder('outlet_id'), station: ofOrder('station_id'), customer: ofOrder('customer_id') },
    ...{ session: 'stored.session_id', employee: 'stored.refunded_by', body: 'stored.body' },
  },
  join: joinOrders,
  size: sizeOf('stored.body'),
  chunk: 500,
  facets: facetsOf([...refundSums, 'refund_count'], refundSums),
  summing: ofRefunds,
}

export const sources: readonly Source[] = [payments, orders, refunds]
export const sourceOf = (source: SourceName): Source => ({ payments, orders, refunds })[source]

/** Orders that count, without reading their lines. */
export const orderCounts: Source = {
  ...orders,
  columns: { status: 'status' },
  size: '0',
  facets: [{ name: 'whole', from: 'whole', keys: [], sums: ['count'] }],
  summing: ofOrderCounts,
}
