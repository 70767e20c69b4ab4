// What reports are summed from: the records of three tables, and what is kept of each.

import { sizeOf } from '../events/pages.ts'
import { byRate, isCounted, itemsOfOrders, itemsOfRefunds } from './items.ts'
import { momentIn } from './moment.ts'

/** The moment of a source's records in its table. */
export const momentColumn = momentIn('stored')

/** The sources whose sums are kept. */
export type SourceName = 'payments' | 'orders' | 'refunds'

/** Entries that a source is summed to: whole records by till or by customer, or their lines by product or by tax rate. */
export interface Facet {
  /** As in `entry_whole`, and the beginning of its columns in `report_buckets`. */
  readonly name: 'whole' | 'product' | 'line' | 'rate' | 'customer'
  readonly keys: readonly string[]
  readonly sums: readonly string[]
}

/** A source, in fragments of SQL. */
export interface Source {
  readonly source: SourceName
  readonly resource: 'transaction' | 'order' | 'refund'
  readonly table: 'transactions' | 'orders' | 'refunds'
  /** Members that its sums depend on: changes of others are skipped. */
  readonly members: readonly string[]
  /** Members of the order on which the sums of its refunds depend. */
  readonly orderMembers?: readonly string[]
  /** Columns that are read from `stored`, with a join if needed, and the length of those that may be long. */
  readonly columns: string
  readonly join?: string
  readonly size: string
  /** Records of a chunk: those that are summed in some 10 ms. */
  readonly chunk: number
  readonly facets: readonly Facet[]
  /** Common table expressions that make the entries of its facets from `record`, per chunk and key. */
  readonly entries: string
}

const wholeKeys = ['currency', 'outlet', 'station', 'session', 'employee'] as const
const lineKeys = ['currency', 'outlet', 'product', 'variant'] as const
const productKeys = ['currency', 'product', 'variant'] as const
const rateKeys = ['currency', 'outlet', 'rate'] as const
const customerKeys = ['currency', 'outlet', 'customer'] as const
const orderSums = ['count', 'gross', 'discount', 'net', 'tax', 'tip', 'quantity'] as const

/** An entry for each chunk and key. */
const grouped = ({ name, keys, sums }: Facet, from: string) => `
    entry_${name} as (
      select number, chunk, ${keys.join(', ')}, ${sums.map((sum) => `sum(${sum}) as ${sum}`).join(', ')}
      from ${from} group by number, chunk, ${keys.join(', ')}
    )`

const paid: Facet = {
  name: 'whole',
  keys: ['currency', 'outlet', 'session', 'employee', 'method'],
  sums: ['gross', 'count', 'refund', 'refund_count'],
}

/** What a transaction adds to the sums of payments, as columns of `record`. */
const paidSums = `
  case when type <> 'refund' then amount else 0 end as gross, (type <> 'refund')::int::numeric as count,
  case when type = 'refund' then abs(amount) else 0 end as refund, (type = 'refund')::int::numeric as refund_count`

const payments: Source = {
  source: 'payments',
  resource: 'transaction',
  table: 'transactions',
  members: ['amount', 'currency', 'paymentMethod', 'type', 'outletId', 'sessionId', 'employee'],
  columns: `stored.currency, stored.outlet_id as outlet, stored.session_id as session, stored.employee,
    stored.payment_method as method, stored.type, stored.amount`,
  size: '0',
  chunk: 2_000,
  facets: [paid],
  entries: `
    payment as (
      select *, ${paidSums} from record where type in ('', 'sale', 'refund')
    ), ${grouped(paid, 'payment')}`,
}

const soldWhole: Facet = { name: 'whole', keys: wholeKeys, sums: orderSums }
const lineFacet: Facet = { name: 'line', keys: lineKeys, sums: orderSums }
/** The lines of orders in all outlets together: a report by products reads fewer entries. */
export const productFacet: Facet = { name: 'product', keys: productKeys, sums: orderSums }
const rateFacet: Facet = { name: 'rate', keys: rateKeys, sums: orderSums }
const customerFacet: Facet = { name: 'customer', keys: customerKeys, sums: orderSums }

const orders: Source = {
  source: 'orders',
  resource: 'order',
  table: 'orders',
  members: [
    ...['status', 'currency', 'outletId', 'stationId', 'sessionId', 'employee', 'customerId'],
    ...['lineItems', 'customSales', 'summary', 'cartDiscount'],
  ],
  columns:
    'status, currency, outlet_id as outlet, station_id as station, session_id as session, employee, customer_id as customer, body',
  size: sizeOf('body'),
  chunk: 500,
  facets: [soldWhole, productFacet, lineFacet, rateFacet, customerFacet],
  entries: `${itemsOfOrders}, ${byRate(orderSums)}, ${grouped(soldWhole, 'whole')}, ${grouped(productFacet, 'item')}, ${grouped(lineFacet, 'item')},
    ${grouped(rateFacet, 'rated')}, ${grouped(customerFacet, 'whole')}, called as (
      select distinct on (product) product as item, name, moment from item where name <> '' and product <> '' order by product, moment desc
    )`,
}

const backWhole: Facet = { name: 'whole', keys: wholeKeys, sums: ['refund', 'refund_count'] }
const backProduct: Facet = { name: 'product', keys: productKeys, sums: ['refund'] }
const backLine: Facet = { name: 'line', keys: lineKeys, sums: ['refund'] }
const backRate: Facet = { name: 'rate', keys: rateKeys, sums: ['refund'] }
const backCustomer: Facet = { name: 'customer', keys: customerKeys, sums: ['refund'] }

const refunds: Source = {
  source: 'refunds',
  resource: 'refund',
  table: 'refunds',
  members: ['currency', 'orderId', 'sessionId', 'refundedBy', 'lineItems', 'summary'],
  orderMembers: ['currency', 'outletId', 'stationId', 'customerId'],
  columns: `coalesce(nullif(stored.currency, ''), sold.currency, '') as currency, coalesce(sold.outlet_id, '') as outlet,
    coalesce(sold.station_id, '') as station, coalesce(sold.customer_id, '') as customer, stored.session_id as session,
    stored.refunded_by as employee, stored.body`,
  join: 'left join orders as sold on sold.company_id = $1 and sold.id = stored.order_id',
  size: sizeOf('stored.body'),
  chunk: 500,
  facets: [backWhole, backProduct, backLine, backRate, backCustomer],
  entries: `${itemsOfRefunds}, ${byRate(['refund'])}, ${grouped(backWhole, 'whole')}, ${grouped(backProduct, 'item')}, ${grouped(backLine, 'item')},
    ${grouped(backRate, 'rated')}, ${grouped(backCustomer, 'whole')}`,
}

export const sources: readonly Source[] = [payments, orders, refunds]
export const sourceOf = (source: SourceName): Source => ({ payments, orders, refunds })[source]

/** The orders of `record` that count, by chunk: without reading their lines. */
export const orderCounts: Source = {
  ...orders,
  columns: 'status',
  size: '0',
  facets: [{ name: 'whole', keys: [], sums: ['count'] }],
  entries: `
    entry_whole as (
      select number, chunk, count(*)::numeric as count from record where ${isCounted} group by 1, 2
    )`,
}
